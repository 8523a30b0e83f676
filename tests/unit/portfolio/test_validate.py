"""``validate`` names the file, line and field of what is wrong with a data directory."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rasputitsa.core.data.files import Problem
from rasputitsa.hexes.grid import Grid
from rasputitsa.portfolio.api.validate import DATA_DIR, validate
from tests.unit.core.data_edits import at, copy_of, edit, is_told, line_of


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return copy_of(DATA_DIR, tmp_path)


BROKEN = [
    # file, start of the line, text, replacement, field, part of message or hint
    ("hexes.csv", "Q19,", "Q19,", "Q99,", "hex", "no hex 'Q99'"),
    ("hexes.csv", "Q19,", "Q19,", "Q18,", "hex", "was given in line"),
    ("hexes.csv", "Q19,", "clear", "forest", "terrain", "'forest' is not allowed"),
    ("hexes.csv", "Q19,", "SU", "XX", "country", "'XX' is not allowed"),
    ("hexes.csv", "Q19,", "clear,SU,,,1,", "clear,SU,,,1,SU", "edge", "does not lie on the edge"),
    ("hexes.csv", "Q19,", "clear,SU,,,1", "clear,SU,,,2", "arctic", "'2' is not allowed"),
    ("hexes.csv", "Q19,", "clear,SU,,,1", "clear,SU,,,0", "arctic", "Arctic Weather Line"),
    ("hexes.csv", "Q18,", "clear,SU,,", "clear,SU,Baltic,", "coast", "does not touch the Baltic"),
    ("hexes.csv", "Q19,", "clear,SU,,", "clear,SU,North Sea,", "coast", "'North Sea' is not known"),
    ("hexes.csv", "Q19,", "clear,SU,,,", "clear,SU,,Baltic,", "sea", "lies in a sea"),
    ("hexes.csv", "Q28,", ",1,SU,", ",1,DE,", "edge", "lies in SU"),
    ("hexes.csv", "M2,", "DE,Baltic,", "DE,,", "coast", "add Baltic"),
    ("hexes.csv", "K1,", "sea,,", "sea,DE,", "country", "has no country"),
    ("hexes.csv", "K1,", ",Baltic,", ",Atlantic,", "sea", "'Atlantic' is not allowed"),
    ("hexes.csv", "Q19,", "reconstructed", "sure", "confidence", "printed, inferred, reconstructed"),
    ("hexes.csv", "Q19,", ",geography,", ",,", "source", "no source"),
    ("hexsides.csv", "II14,JJ13", "JJ13", "JJ16", "hex_b", "not adjacent"),
    ("hexsides.csv", "II14,JJ13", "II14", "II94", "hex_a", "no hex 'II94'"),
    ("hexsides.csv", "II14,JJ13", "kerch", "strait", "kind", "'strait' is not allowed"),
    ("hexsides.csv", "H15,G15,", "H15,G15,river_oneway", "G15,G16,river", "kind", "was given in line"),
    ("hexsides.csv", "G15,G16,", "Neva", "", "name", "no name"),
    ("places.csv", "Q19,", "Q19", "K1", "hex", "not land"),
    ("places.csv", "Q26,", "Q26", "Q19", "hex", "is in Q19 already"),
    ("places.csv", "Q26,", "Gorky", "Moscow", "name", "was given in line"),
    ("places.csv", "Q13,", "major", "village", "kind", "'village' is not allowed"),
    ("places.csv", "Q13,", "major", "town", "kind", "major cities"),
    ("places.csv", "Q13,", "major,1", "major,3", "victory", "out of range"),
    ("places.csv", "Q13,", "major,1", "major,one", "victory", "not a whole number"),
    ("places.csv", "Q13,", "32.05", "east", "lon", "degrees"),
    ("places.csv", "J7,", "Baltic", "Azov", "port", "no coast on the Azov"),
    ("places.csv", "J7,", "Baltic", "Balkan", "port", "'Balkan' is not known"),
    ("charts.toml", '"Baltic" = ["M2"]', "M2", "x", "sea.control.Baltic", "no city or town"),
    ("types.toml", 'IT = "axis"', "axis", "swiss", "nations.IT", "'swiss' is no side"),
    ("types.toml", 'points = "shock"', "shock", "gold", "types.shock.points", "'gold' is not allowed"),
    ("types.toml", 'sizes = ["front"]', "front", "horde", "types.front.sizes", "'horde' is no size"),
    ("types.toml", "fuelled = true", "true", "1", "types.armor.fuelled", "wrong type"),
    ("types.toml", 'confidence = "printed"', "printed", "sure", "types.armor.confidence", "reconstructed"),
    ("types.toml", 'title = "Shock"', "Shock", " ", "types.shock.title", "no title"),
    ("types.toml", 'symbol = "shock"', "shock", "tank", "types.shock.symbol", "no symbol 'tank'"),
    ("history/commanders.csv", "2PzG,11", "2PzG", "9PzG", "unit", "no unit '9PzG'"),
    ("history/commanders.csv", "2PzG,11", "2PzG,11", "2PzG,10", "first", "out of place"),
    ("history/commanders.csv", "2PzG,11", ",15,", ",99,", "last", "out of range"),
    ("history/commanders.csv", "2PzG,11", "Rudolf Schmidt", "", "commander", "no commander"),
    ("history/commanders.csv", "2PzG,11", "agreed", "printed", "confidence", "'printed' is not allowed"),
    ("scenarios/june1.toml", "first_turn_weather", "odd", "od", "first_turn_weather.odd", "missing"),
    ("scenarios/june1.toml", "first_turn_weather", "mud", "dust", "first_turn_weather.odd", "no weather 'dust'"),
    ("scenarios/june22.toml", "IT = ", "HU", "XX", "axis_deployment.IT", "no country 'XX'"),
    ("units.csv", "40Pz,", "40Pz,", "39pz,", "id", "own id"),
    ("units.csv", "39Pz,", "39Pz,", "39 Pz,", "id", "letters and digits"),
    ("units.csv", "39Pz,", ",axis,", ",soviet,", "side", "must be axis"),
    ("units.csv", "39Pz,", ",DE,", ",PL,", "nation", "'PL' is not allowed"),
    ("units.csv", "39Pz,", ",armor,", ",tank,", "type", "'tank' is not allowed"),
    ("units.csv", "39Pz,", ",corps,", ",front,", "size", "'front' is not allowed"),
    ("units.csv", "39Pz,", ",7,5,6,", ",seven,5,6,", "af", "not a whole number"),
    ("units.csv", "39Pz,", ",7,5,6,", ",7,5,60,", "mf", "out of range"),
    ("units.csv", "39Pz,", ",N4,", ",N64,", "setup", "no hex 'N64'"),
    ("units.csv", "39Pz,", ",N4,", ",K1,", "setup", "not land"),
    ("units.csv", "39Pz,", ",N4,", ",Q19,", "setup", "belongs to SU"),
    ("units.csv", "39Pz,", ",N4,", ",,", "setup", "pool setup"),
    ("units.csv", "HunMob,", ",U2,", ",DD4,", "setup", "may never be in RO"),
    ("units.csv", "39Pz,", ",1,7,armor", ",1,5,armor", "cost", "it must be 7, its largest factor"),
    ("units.csv", "39Pz,", ",7,armor", ",7,infantry", "cost_kind", "it must be armor"),
    ("units.csv", "39Pz,", ",setup,", ",attic,", "pool", "'attic' is not allowed"),
    ("units.csv", "39Pz,", ",north,", ",centre,", "group", "'centre' is not allowed"),
    ("units.csv", "7Inf,", ",4,,Q2", ",4,G,Q2", "mark", "not German armor"),
    ("units.csv", "4AOK,", ",0,,,", ",1,6,infantry,", "replaceable", "irreplaceable"),
    ("units.csv", "5Inf,", ",O4,,", ",O4,x,", "dispersed", "'x' is not allowed"),
    ("units.csv", "39Pz,", ",setup,", ",siberia1,", "pool", "only Soviet units"),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "field", "says"), BROKEN)
def test_a_broken_line_is_named(data: Path, name: str, start: str, old: str, new: str, field: str, says: str) -> None:
    line = edit(data, name, start, old, new)
    here = at(validate(data), name, line, field)
    assert any(says in f"{problem.message} {problem.hint}" for problem in here), validate(data)
    assert all(problem.hint for problem in here)


ABSENT = [
    (
        "charts.toml",
        "axis_allies_wait",
        "axis_allies_wait",
        "allies_wait",
        "first_turn.axis_allies_wait",
        "add axis_allies_wait",
    ),
    ("charts.toml", "IT = ", "IT", "XX", "supply_country", "IT is missing"),
    ("charts.toml", 'title = "Mud"', "title", "name", "weather.mud.title", "missing"),
    ("charts.toml", 'title = "Hills"', "title", "name", "terrain.hills.title", "missing"),
    ("scenarios/june1.toml", "id = ", "id", "name", "id", "must be 'june1'"),
    ("scenarios/june22.toml", "IT = ", "IT", "XX", "axis_deployment", "IT is missing"),
]


@pytest.mark.parametrize(("new", "says"), [("", "missing"), ('weather = "sleet"\n', "no weather 'sleet'")])
def test_the_winter_offensive_has_a_weather(data: Path, new: str, says: str) -> None:
    sheet = data / "charts.toml"
    text, old = sheet.read_text(encoding="utf-8"), 'column_shift = 1\nweather = "snow"\n'
    assert text.count(old) == 1
    sheet.write_text(text.replace(old, f"column_shift = 1\n{new}"), encoding="utf-8")
    assert is_told(validate(data), "charts.toml", "winter_offensive.weather", says)


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("breakdown", "initial_phase = false"), ("terrain.swamp", "armor_column_shift = -1"),
        ("feature.river", "column_shift = -1"), ("feature.kerch", "controlled_column_shift = -1"),
        ("feature.victory", "intrinsic = 1"), ("feature.town", "bonus = []"),
    ],
)  # fmt: skip
def test_a_figure_that_is_left_out_is_missed(data: Path, table: str, line: str) -> None:
    sheet = data / "charts.toml"
    text = sheet.read_text(encoding="utf-8")
    at = text.index(f"\n{line}", text.index(f"[{table}]"))
    sheet.write_text(text[: at + 1] + "#" + text[at + 1 :], encoding="utf-8")
    assert is_told(validate(data), "charts.toml", f"{table}.{line.split()[0]}", "missing")


def test_a_missing_line_is_named(data: Path) -> None:
    path = data / "hexes.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    del lines[line_of(path, "Q19,") - 1]
    path.write_text("".join(lines), encoding="utf-8")
    assert any("1 hexes are missing (Q19)" in p.message for p in validate(data))


def test_a_line_with_a_field_too_many_is_named(data: Path) -> None:
    line = edit(data, "places.csv", "Q13,", "Q13,", "Q13,,")
    (problem, *_) = at(validate(data), "places.csv", line, "")
    assert "14 fields" in problem.message and "13" in problem.hint


def test_an_empty_line_is_named(data: Path) -> None:
    path = data / "places.csv"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert any("empty" in p.message for p in validate(data))


@pytest.mark.parametrize(
    ("start", "old", "new", "field"),
    [('SU = "soviet"', "SU", "RU", "nations"), ("[types.shock]", "shock", "guards", "types")],
)
def test_a_type_or_nation_that_the_rules_name_is_missed(data: Path, start: str, old: str, new: str, field: str) -> None:
    edit(data, "types.toml", start, old, new)
    assert is_told(validate(data), "types.toml", field, "is missing")


@pytest.mark.parametrize("field", ["title", "symbol"])
def test_a_new_type_says_what_it_is_called_and_how_it_looks(data: Path, field: str) -> None:
    edit(data, "types.toml", "[types.light]", "light", "militia")
    edit(data, "types.toml", f'{field} = "{"Light infantry" if field == "title" else "light"}"', field, "note")
    assert is_told(validate(data), "types.toml", f"types.militia.{field}", "missing")


def test_a_wrong_header_is_named(data: Path) -> None:
    edit(data, "units.csv", "id,", "af,df", "df,af")
    (problem,) = at(validate(data), "units.csv", 1, "")
    assert "header" in problem.message and "af,df" in problem.hint


# ---------------------------------------------------------------- stacking, borders, rivers


def test_a_third_unit_in_a_hex_is_named_with_the_others(data: Path) -> None:
    line = edit(data, "units.csv", "5Inf,", ",O4,", ",N4,")
    (problem,) = at(validate(data), "units.csv", line, "setup")
    assert "39Pz, 2Inf, 5Inf" in problem.message and "XII" in problem.hint


def test_two_armies_in_a_hex_are_named(data: Path) -> None:
    line = edit(data, "units.csv", "9AOK,", ",O3,", ",S3,")
    edit(data, "units.csv", "24Pz,", ",S3,", ",O3,")
    (problem,) = at(validate(data), "units.csv", line, "setup")
    assert "two units above corps" in problem.message


def test_two_armor_units_in_a_swamp_are_named(data: Path) -> None:
    edit(data, "units.csv", "11MK,", ",Q4,", ",S5,")
    assert any("armor-type units stand in swamp S5" in p.message for p in validate(data))


def test_a_missing_border_is_named(data: Path) -> None:
    path = data / "hexsides.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("N4,N5,border")), encoding="utf-8")
    line = line_of(data / "hexes.csv", "N4,")
    (problem,) = at(validate(data), "hexes.csv", line, "country")
    assert "N4,N5,border,DE-SU" in problem.hint


def test_a_border_within_a_country_is_named(data: Path) -> None:
    path = data / "hexsides.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "Q18,Q19,border,SU-SU,nowhere,reconstructed\n", encoding="utf-8")
    (problem,) = at(validate(data), "hexsides.csv", text.count("\n") + 1, "kind")
    assert "both belong to SU" in problem.message


def test_a_river_over_a_lake_side_is_named(data: Path) -> None:
    path = data / "hexsides.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "B16,C16,river,Nowhere,nowhere,reconstructed\n", encoding="utf-8")
    (problem,) = at(validate(data), "hexsides.csv", text.count("\n") + 1, "kind")
    assert "lake in line" in problem.message


def test_a_broken_river_is_named(data: Path) -> None:
    path = data / "hexsides.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    sozh = [line for line in lines if ",river,Sozh," in line]
    lines.remove(sozh[len(sozh) // 2])
    path.write_text("".join(lines), encoding="utf-8")
    assert any("the Sozh is in 2 pieces" in p.message for p in validate(data))


# ---------------------------------------------------------------- charts and scenarios


CHARTS = [
    ("3 = [", '"AD"', '"ADX"', "crt.rows.3", "'ADX' at 1:2 is no result"),
    ("3 = [", '"AE", "AE"', '"AE"', "crt.rows.3", "the row has 10 results"),
    ("3 = [", "3 =", "7 =", "crt.rows.7", "7 is no roll"),
    ("columns = [", '"1:4", "1:3"', '"1:3", "1:4"', "crt.columns", "do not rise"),
    ("columns = [", '"1:4", ', "", "crt.columns", "10 columns"),
    ("columns = [", '"1:4", ', '"2:9", ', "crt.columns", "not one to something"),
    ("number = 3", "3", "5", "turns.3.number", "stands in place 3"),
    ("range = 7", "7", '"seven"', "supply.range", "wrong type"),
    ("range = 7", "7", "-7", "supply.range", "negative"),
    ("bonus_axis", "bonus_axis", "bonus_axes", "movement.bonus_axis", "missing"),
    ('SE = "neutral"', "neutral", "asleep", "countries.SE", "no side"),
    ('axis_movement = "full"', "full", "fast", "weather.good.axis_movement", "'fast' is not known"),
]


def test_other_files_are_still_checked_when_the_charts_are_broken(data: Path) -> None:
    edit(data, "charts.toml", "range = 7", "7", '"seven"')
    line = edit(data, "units.csv", "39Pz,", ",N4,", ",N64,")
    assert at(validate(data), "units.csv", line, "setup")


def test_the_line_of_a_chart_value_is_its_own(data: Path) -> None:
    line = edit(data, "charts.toml", "range = 7", "7", '"seven"')
    (problem,) = at(validate(data), "charts.toml", line, "supply.range")
    assert "int" in problem.hint


def test_toml_that_cannot_be_read_names_the_line(data: Path) -> None:
    line = edit(data, "charts.toml", "range = 7", "range = 7", "range = = 7")
    assert any(p.file == "charts.toml" and p.line == line for p in validate(data))


SCENARIOS = [
    ("june1.toml", "start_turn", "0", "40", "start_turn", "not on the track"),
    ("june1.toml", "base", "june22", "june23", "base", "no scenario to build on"),
    ("june1.toml", "dispersed", '"d"', '"x"', "dispersed", "no mark"),
    ("june1.toml", "id", "june1", "june2", "id", "must be 'june1'"),
    ("june22.toml", "armor_reserve", "18", "true", "armor_reserve", "wrong type"),
    ("june22.toml", "title", "title", "titel", "title", "missing"),
]


# ---------------------------------------------------------------- lessons and historical fronts


LESSONS = [
    ("pocket", "order", "2", "1", "lesson.order", "first_attack.toml has the place 1 too"),
    ("pocket", "title", "title", "titel", "lesson.title", "missing"),
    ("pocket", "title", "title", "titel", "lesson.titel", "no field 'titel'"),
    ("pocket", "minutes", "20", '"20"', "lesson.minutes", "wrong type"),
    ("pocket", "minutes", "20", "0", "lesson.minutes", "says nothing"),
    ("pocket", "seat", '"axis"', '"finland"', "lesson.seat", "no seat 'finland'"),
    ("pocket", "seat", '"axis"', '"soviet"', "goal.side", "it must be soviet"),
    ("pocket", "text", "text", "words", "goal.text", "missing"),
    ("pocket", "hold", "Q8", "Q88", "goal.hold", "no hex 'Q88'"),
    ("pocket", "remove =", "10A", "110A", "goal.remove", "no unit '110A'"),
    ("pocket", "remove_at_least", "4", "7", "goal.remove_at_least", "remove_at_least is a whole number from 1 to 6"),
    ("pocket", "last_turn", "3", "1", "goal.last_turn", "from the present one on"),
    ("pocket", "39Pz", "O7", "K1", "units.39Pz", "no unit enters it"),
    ("pocket", "39Pz", "O7", "P4", "units.3A", "the enemy is there"),
    ("pocket", "39Pz", "39Pz", "99Pz", "units.99Pz", "no unit '99Pz'"),
    ("pocket", "39Pz", '"O7"', '"O7 tired"', "units.39Pz", "unknown status 'tired'"),
    ("pocket", "phase", "movement", "tea", "phase", "'tea'"),
    ("pocket", "empty", "empty", "emtpy", "", "no field emtpy"),
    ("pocket", "axis =", "M3-M6", "M6-M3", "control.axis", "west to east"),
]


NAMED: list[tuple[str, ...]] = [
    *ABSENT,
    *(("charts.toml", *row) for row in CHARTS),
    *((f"scenarios/{name}", *row) for name, *row in SCENARIOS),
    *((f"lessons/{name}.toml", *row) for name, *row in LESSONS),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "field", "says"), NAMED)
def test_a_broken_value_is_named_with_its_field(
    data: Path, name: str, start: str, old: str, new: str, field: str, says: str
) -> None:
    edit(data, name, start, old, new)
    assert is_told(validate(data), name, field, says), validate(data)


def test_the_line_of_a_lesson_is_its_own(data: Path) -> None:
    line = edit(data, "lessons/pocket.toml", "39Pz", "O7", "K1")
    assert at(validate(data), "lessons/pocket.toml", line, "units.39Pz")


def test_a_lesson_that_asks_nothing_is_named(data: Path) -> None:
    edit(data, "lessons/first_attack.toml", "hold", 'hold = ["Q12"]', "")
    (problem,) = validate(data)
    assert (problem.file, problem.field) == ("lessons/first_attack.toml", "goal")
    assert "has to say" in problem.message


FRONTS = [
    ("source", "source", "sauce", "source", "missing"),
    ("confidence", "reconstructed", "sure", "confidence", "how sure"),
    ("turn = 3", "3", "33", "fronts.1.turn", "turn 33 is out of place"),
    ("turn = 3", "3", "0", "fronts.1.turn", "out of place"),
    ('date = "1 August', "date", "day", "fronts.1.date", "missing"),
    ('    "A17", "B17"', "B17", "B77", "fronts.1.line", "no hex 'B77'"),
    ('    "A17", "B17"', "B17", "A18", "fronts.1.line", "A17 and A18 lie in one row"),
    ('    "A17", "B17"', '"K14"', '"K1"', "fronts.1.line", "K1 is not land"),
    ('    ["Repola"', "63.9", "163.9", "fronts.1.points", "is no place"),
    ('    ["Repola"', '"Repola", ', "", "fronts.1.points", "name, longitude, latitude"),
]


@pytest.mark.parametrize(("start", "old", "new", "field", "says"), FRONTS)
def test_a_broken_front_is_named(data: Path, start: str, old: str, new: str, field: str, says: str) -> None:
    edit(data, "history/fronts.toml", start, old, new)
    here = [p for p in validate(data) if (p.file, p.field) == ("history/fronts.toml", field)]
    assert any(says in f"{p.message} {p.hint}" for p in here), validate(data)
    assert field == "source" or all(p.line > 1 for p in here)


def test_a_set_without_lessons_or_fronts_is_sound(data: Path) -> None:
    shutil.rmtree(data / "lessons")
    shutil.rmtree(data / "history")
    assert validate(data) == []


# ---------------------------------------------------------------- facts the rules name


FACTS = [
    ("hexsides.csv", "B16,C16,lake", "B16,C16", "B16,C17", "rail crosses it"),
    ("places.csv", "Q13,", "major,1", "major,0", "it must count 1"),
    ("places.csv", "BB15,", "major,0,1", "major,0,0", "tank factories are in"),
    ("places.csv", "T18,", "major", "city", "there must be 22"),
    ("places.csv", "GG2,", ",axis,", ",,", "one place to each side"),
    ("charts.toml", "axis_entry", '"Q1"', '"P1"', "name the hex of the city meant"),
    ("units.csv", "3Shk,", "siberia1", "siberia2", "1Shk, 3Shk"),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "says"), FACTS)
def test_a_set_that_contradicts_the_rules_is_reported(
    data: Path, name: str, start: str, old: str, new: str, says: str
) -> None:
    edit(data, name, start, old, new)
    assert any(says in f"{p.message} {p.hint}" for p in validate(data)), validate(data)


def test_a_city_cut_off_from_the_map_edge_is_reported(data: Path) -> None:
    grid = Grid(40, 28)
    around = [grid.names[i] for i in grid.neighbours[grid.index("X22")]]
    with (data / "hexsides.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"X22,{name},impassable,,test,reconstructed\n" for name in around)
    line = line_of(data / "places.csv", "X22,")
    (problem,) = validate(data)
    assert (problem.line, problem.message[:25]) == (line, "Tambov cannot be reached ")


def test_a_problem_reads_as_one_line() -> None:
    problem = Problem("hexes.csv", 12, "terrain", "'forest' is not allowed here", "use one of: clear, swamp")
    assert str(problem) == "hexes.csv:12 [terrain]: 'forest' is not allowed here; use one of: clear, swamp"


# ---------------------------------------------------------------- whatever is in the files, no crash


NAMES = ("hexes.csv", "hexsides.csv", "places.csv", "units.csv", "charts.toml", "scenarios/june22.toml",
         "lessons/pocket.toml", "history/fronts.toml")  # fmt: skip


@given(
    name=st.sampled_from(NAMES),
    where=st.floats(0, 1, exclude_max=True),
    junk=st.sampled_from([",", '"', "\n", "x", "-1", "9999", "[", "]]", "= ", "ß", "A1", "'", "{", " "]),
    length=st.integers(0, 30),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_anywhere_is_reported_or_harmless_but_never_a_crash(
    data: Path, name: str, where: float, junk: str, length: int
) -> None:
    path = data / name
    whole = (DATA_DIR / name).read_text(encoding="utf-8")
    start = int(where * len(whole))
    path.write_text(whole[:start] + junk + whole[start + length :], encoding="utf-8")
    try:
        for problem in validate(data):
            assert problem.file and problem.line >= 1 and problem.message and problem.hint
    finally:
        path.write_text(whole, encoding="utf-8")
