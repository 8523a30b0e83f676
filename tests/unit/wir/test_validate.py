"""``validate`` names the file, line and field of what is wrong with a data directory of War in Russia."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.wir.api.validate import DATA_DIR, validate
from tests.unit.core.data_edits import at, copy_of, edit, is_told


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return copy_of(DATA_DIR, tmp_path)


BROKEN = [
    # file, start of the line, text, replacement, field, part of message or hint
    ("hexes.csv", "1815,", "1815,", "3915,", "hex", "not on the map"),
    ("hexes.csv", "1815,", "1815,", "1814,", "hex", "given twice"),
    ("hexes.csv", "1815,", "clear", "hills", "terrain", "'hills' is not allowed"),
    ("hexes.csv", "1815,", "clear,S,S,S", "clear,X,S,S", "rail_1941", "'X' is not allowed"),
    ("hexes.csv", "1815,", "USSR,1,1", "USSR,1,0", "rail_1941", "nobody enters"),
    ("hexes.csv", "0310,", "sea,,,,,0,0", "sea,,,,,0,1", "passable", "the sea"),
    ("hexes.csv", "1815,", "37.52", "east", "lon", "degrees"),
    ("hexes.csv", "1815,", "reconstructed", "sure", "confidence", "printed, inferred, reconstructed"),
    ("hexes.csv", "1713,", "USSR,1,1", "USSR,0,1", "in_russia", "in the USSR only"),
    ("hexes.csv", "1805,", "forest,S,S,S", "forest,,S,S", "rail_1941", "joins Murmansk and Archangel"),
    ("hexsides.csv", "0125,0225,", "0225", "0325", "hex_b", "not adjacent"),
    ("hexsides.csv", "0125,0225,", "river", "road", "kind", "'road' is not allowed"),
    ("hexsides.csv", "0125,0225,", "Danube", "", "name", "no name"),
    ("waters.csv", "Caspian Sea,", "3025", "2825", "hex", "is land"),
    ("waters.csv", "Caspian Sea,", "Caspian Sea", "", "name", "no name"),
    ("cities.csv", "Moscow,", "1814", "1613", "hex", "another city"),
    ("cities.csv", "Moscow,", "1814", "0417", "owner_1941", "side of the front"),
    ("cities.csv", "Kharkov,", "A,0,0,0,0,0,2", "A,5,0,0,0,0,2", "population_1942", "captured"),
    ("cities.csv", "Kharkov,", "A,0,0,0,0,0,2", "A,0,0,0,0,0,4", "supply_1942", "at most 2"),
    ("cities.csv", "Germany,", "190,125", "290,125", "aircraft_1941", "out of range"),
    ("cities.csv", "Germany,", "0118,,0,0", "0118,,0,1", "scores", "9.1"),
    ("cities.csv", "Riga,", "0612,Baltic", "0612,", "port", "give Baltic"),
    ("cities.csv", "Riga,", "Baltic", "Black Sea", "port", "give Baltic"),
    ("cities.csv", "Moscow,", "1814,", "1814,White Sea", "port", "no sea hex"),
    ("cities.csv", "Moscow,", "1,1,S", "2,1,S", "fortified", "'2' is not allowed"),
    ("depots_air.csv", "58,", "58,depot", "57,depot", "id", "number"),
    ("depots_air.csv", "58,", "0215,", "1814,", "hex_1941", "side of the front"),
    ("depots_air.csv", "122,", "1905,", "1814x,", "hex_1941", "not on the map"),
    ("units_1941.csv", "axis,1,", "PZ,1,135", "PZ,1,160", "strength", "out of range"),
    ("units_1941.csv", "axis,1,", "PZ,1,", "INF,1,", "type", "mechanized group"),
    ("units_1941.csv", "axis,1,", "PZ,1,", "TANK,1,", "type", "other side"),
    ("units_1941.csv", "axis,1,", "PZ,1,", "PZ,6,", "designation", ""),
    ("units_1941.csv", "axis,1,", ",0415,", ",1814,", "hex", "side of the front"),
    ("units_1941.csv", "axis,1,", "axis,1,", "axis,70,", "group", "no combat group"),
    ("units_1941.csv", "axis,1,", "85,0,", "85,96,", "fatigue", "out of range"),
    ("units_1941.csv", "soviet,78,", ",1,0,", ",6,0,", "entrenchment", "out of range"),
    ("history/commands.toml", "confidence", "inferred", "sure", "confidence", "use one of"),
    ("history/commands.toml", "[1941.axis.armies]", "armies", "corps", "1941.axis.corps", "no level of command"),
    ("tables.toml", "relief", "50, 33", "60, 33", "supply.relief", "prints another value"),
    ("tables.toml", "axis_wins", "Gorki", "Gorky", "victory.axis_wins", "no city 'Gorky'"),
    ("tables.toml", '"SS INF" = ', '"GAL"', "3", "names.SS INF", "wrong type"),
    ("tables.toml", "soviet = [", '"TANK"', '"TANKS"', "build.soviet", "no kind of unit 'TANKS'"),
    ("tables.toml", "elite = [[", '["1941-01", [', '[["1941-01"], [', "build.elite", "month and names"),
    ("tables.toml", 'ordered = "INF"', '"INF"', '"FOOT"', "build.substitutes.1.ordered", "no kind of unit 'FOOT'"),
    ("tables.toml", 'percent = [["LW INF"', "15]", "105]", "build.substitutes.2.percent", "are no chances"),
    (
        "tables.toml",
        'percent = [["LW INF"',
        "SS CAV",
        "SS CAR",
        "build.substitutes.2.percent",
        "no kind of unit 'SS CAR'",
    ),
    ("depots_air.csv", "58,", ",axis,", ",both,", "side", "'both' is not allowed"),
    ("cities.csv", "Moscow,", "1,1,S", "1,1,X", "owner_1941", "'X' is not allowed"),
    ("scenarios/zitadelle.toml", "turns", "97", "970", "turns", "May 1945"),
    ("scenarios/zitadelle.toml", "infantry", "1800", "4000", "pools.axis.infantry", "out of range"),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "field", "says"), BROKEN)
def test_a_broken_line_is_named(data: Path, name: str, start: str, old: str, new: str, field: str, says: str) -> None:
    line = edit(data, name, start, old, new)
    problems = validate(data)
    found = [p for p in problems if p.file == name and p.field == field]
    assert any(says in f"{p.message} {p.hint}" for p in found), problems
    assert all(problem.hint for problem in problems)
    if says not in ("", "another city", "given twice", "mechanized group"):
        assert any(p.line == line for p in found), problems


ABSENT = [
    ("tables.toml", "chance = 75", "chance", "odds", "dismantle.chance", "missing"),
    ("tables.toml", "infantry = 2", "infantry", "infantrymen", "types.list.9", "no infantry point"),
    ("combat.toml", "river = 2", "river", "brook", "attack.river", "missing"),
    ("history/commands.toml", '"4 Panzer Group"', "[1]", "[64]", "1941.axis.armies", "no group of the axis side"),
    ("history/commands.toml", '"2 Army"', "[24]", "[24, 21]", "1941.axis.armies", "in 2 Army already"),
    ("history/commands.toml", "[1941.axis.armies]", "1941", "1940", "1940", "no order of battle of 1940"),
    ("history/commands.toml", "[1941.axis.armies]", "axis", "german", "1941.german", "no side"),
    ("tables.toml", "area = {", "east = 25", "east = 35", "lend_lease.area", "100 together"),
    ("tables.toml", "area = {", "north = 50, south = 25", "north = 80, south = -5", "lend_lease.area", "no chances"),
    ("combat.toml", "landing = ", "Murmansk", "Narvik", "convoys.landing", "no city 'Narvik'"),
    ("combat.toml", "south = ", "Baku", "Basra", "convoys.south", "as in cities.csv"),
    ("combat.toml", 'city = "', "Kuybyshev", "Omsk", "siberia.city", "no city 'Omsk'"),
    ("combat.toml", "defence = [", ", 2.0]", "]", "entrenchment.defence", "there are 5 values"),
    ("combat.toml", "bombardment = [", ", 50]", "]", "entrenchment.bombardment", "for level 0 to 5"),
    ("combat.toml", "turns = [", "[1, 2]", "3", "destroyed_air_group.turns", "wrong type"),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "field", "says"), ABSENT)
def test_a_figure_that_is_not_there_is_named(
    data: Path, name: str, start: str, old: str, new: str, field: str, says: str
) -> None:
    edit(data, name, start, old, new)
    assert is_told(validate(data), name, field, says)


def test_a_missing_hex_is_reported(data: Path) -> None:
    path = data / "hexes.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("1815,")), encoding="utf-8")
    assert any(p.file == "hexes.csv" and "1 hexes are missing" in p.message for p in validate(data))


def test_a_third_group_in_a_hex_is_named(data: Path) -> None:
    path = data / "units_1941.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("soviet,77,1303,", "soviet,77,1208,").replace("soviet,78,1307,", "soviet,78,1208,"))
    assert any(p.field == "hex" and "more than 2 groups" in p.message for p in validate(data))


def test_a_port_on_another_water_is_named(data: Path) -> None:
    line = edit(data, "hexes.csv", "1904,", "sea,,,,,0,0,,,", "forest,,,,USSR,1,1,S,S,S")
    assert line
    found = [p for p in validate(data) if p.file == "cities.csv"]
    assert any("Archangel" in p.message or "no sea hex" in p.message for p in found)


def test_a_second_railway_to_archangel_is_named(data: Path) -> None:
    for name in ("1804", "1706", "1806", "1905", "1906"):
        path = data / "hexes.csv"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for n, text in enumerate(lines):
            parts = text.split(",")
            if parts[0] == name and parts[1] != "sea":
                parts[2:5] = ["S", "S", "S"]
                lines[n] = ",".join(parts)
        path.write_text("".join(lines), encoding="utf-8")
    (problem,) = [p for p in validate(data) if p.field == "rail_1941"]
    assert "can avoid this hex" in problem.message and "1805" in problem.hint


def test_a_missing_elite_division_is_named(data: Path) -> None:
    edit(data, "units_1942.csv", "axis,7,1414,XLI Pz Corps (9 Army),2,0,SS MOT,D.R", "D.R", "R.D")
    found = [p for p in validate(data) if p.file == "units_1942.csv"]
    assert any("D.R is missing" in p.message for p in found)
    assert any("no division 'R.D'" in p.message for p in found)


def test_an_elite_division_before_its_time_is_named(data: Path) -> None:
    edit(data, "units_1943.csv", "axis,1,1722", "LAH", "HOH")
    found = [p.message for p in validate(data) if p.file == "units_1943.csv"]
    assert any("HOH does not start the game" in message for message in found)


LESSONS = [
    ("seat = ", '"axis"', '"finland"', "lesson.seat", "no seat"),
    ("side = ", '"axis"', '"soviet"', "goal.side", "learner's"),
    ("order = ", "1", '"first"', "lesson.order", ""),
    ("opponent = ", "opponent", "enemy", "lesson.enemy", "no field"),
    ("hold = ", "0519", "9919", "goal.hold", "no hex"),
]


@pytest.mark.parametrize(("start", "old", "new", "field", "says"), LESSONS)
def test_a_broken_lesson_is_named(data: Path, start: str, old: str, new: str, field: str, says: str) -> None:
    name = "lessons/first_attack.toml"
    if field == "goal.side":  # the second side of the file: that of the goal
        path = data / name
        head, goal, rest = path.read_text(encoding="utf-8").partition("[goal]")
        path.write_text(head + goal + rest.replace(old, new, 1), encoding="utf-8")
    else:
        edit(data, name, start, old, new)
    found = [p for p in validate(data) if p.file == name and p.field == field]
    assert any(says in p.message for p in found), validate(data)


def test_what_a_group_may_have_follows_the_sheet(data: Path) -> None:
    """6.5: a group adds artillery up to a figure of the sheet, and holds that and one step more."""
    line = edit(data, "units_1941.csv", "soviet,78,", ",1,0,", ",1,100,")
    assert not at(validate(data), "units_1941.csv", line, "artillery")
    edit(data, "tables.toml", "no_more_over", "210", "60")
    (told,) = at(validate(data), "units_1941.csv", line, "artillery")
    assert "out of range" in told.message
