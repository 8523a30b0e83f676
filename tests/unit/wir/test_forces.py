"""The shipped units and figures of War in Russia against what the manual says of them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from datetime import date, timedelta

import pytest

from rasputitsa.wir.api.validate import DATA_DIR
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.theatre import theatre
from tests.unit.core.plain_files import Row
from tests.unit.wir.files import YEARS, around, cities, hexes, kinds, line, read, spread, tables, units

# 4.9, transcribed again: kind, experience, maximum strength; a later line for the same kind starts in its year.
KINDS = """
INF 1941 70 70 | INF 1943 10 90 | SS_INF 1943 10 90 | MTN 1943 10 60 | SS_MTN 1943 10 90 | CAV 1943 10 60
SS_CAV 1943 10 90 | JG 1943 10 60 | LW_INF 1943 10 60 | PZ 1943 10 150 | SS_PZ 1943 90 200 | PZG 1943 10 130
SS_PZG 1943 10 140 | SS_PZG_elite 1943 90 200 | MOT 1943 10 100 | SS_MOT 1941 90 140 | IT_MOT 1941 10 100
IT_INF 1941 10 60 | RUM_INF 1941 10 60 | RUM_CAV 1941 10 60 | RUM_MTN 1941 10 60 | HUN_INF 1941 10 60
FIN_INF 1941 10 120 | RIFLE 1941 10 90 | GDS_RIFLE 1941 10 120 | KAV 1941 10 60 | KAV 1943 10 90
GDS_KAV 1941 10 120 | PARA 1941 10 120 | TANK 1941 10 60 | MECH 1941 20 90 | TANK 1942 10 120
GDS_TANK 1941 10 140 | MECH 1942 70 150 | GDS_MECH 1941 70 180
"""
COSTS = {
    "INF": (1, 0), "RIFLE": (1, 0), "MTN": (1, 0), "KAV": (1, 0), "MOT": (1, 1), "PZG": (1, 1), "PZ": (1, 1),
    "TANK": (1, 1), "MECH": (2, 1), "SS MOT": (2, 1), "SS PZG elite": (2, 1),
}  # fmt: skip
GERMAN = ("INF", "SS INF", "MTN", "SS MTN", "CAV", "SS CAV", "JG", "LW INF", "PZ", "PZG", "SS PZG", "MOT")
NAMES = {
    "SS INF": ["POL", "GAL", "LET"], "SS MTN": ["NOR", "P.E", "HAN"], "SS CAV": ["F.G"],
    "SS MOT": ["LAH", "D.R", "TOT", "WIK", "HOH", "FRU", "N.L", "H.J", "R.F", "G.B", "H.W"],
}  # fmt: skip


# ---------------------------------------------------------------- groups (4.1, 4.2, 5.1, 6.7)


def test_group_numbers() -> None:
    groups = tables()["groups"]
    assert groups["mechanized"] == [[1, 11], [64, 75]]
    assert groups["infantry"] == [[12, 51], [76, 115]]
    assert groups["air"] == [[52, 57], [116, 121]]
    assert groups["depot"] == [[58, 63], [122, 127]]
    assert (groups["units_per_group"], groups["units_per_side"], groups["stack"]) == (6, 199, 2)


def kind_of(group: int) -> str:
    for kind in ("mechanized", "infantry", "air", "depot"):
        if any(first <= group <= last for first, last in tables()["groups"][kind]):
            return kind
    raise AssertionError(group)


@pytest.mark.parametrize("year", YEARS)
def test_groups_hold_what_they_may(year: int) -> None:
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in units(year):
        groups[int(row["group"])].append(row)
    for group, rows in groups.items():
        assert 1 <= len(rows) <= 6, group
        assert {row["side"] for row in rows} == {"axis" if group < 64 else "soviet"}
        assert len({(row["hex"], row["artillery"], row["entrenchment"]) for row in rows}) == 1, group
        assert kind_of(group) in ("mechanized", "infantry")
        if kind_of(group) == "mechanized":
            for row in rows:
                assert row["type"].split()[-1] in ("PZ", "PZG", "MOT", "TANK", "MECH", "elite"), row
                assert row["type"] != "IT MOT"


@pytest.mark.parametrize("year", YEARS)
def test_sides_stand_on_their_own_ground_two_groups_to_a_hex(year: int) -> None:
    stacks: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in units(year):
        stacks[row["hex"]].add((row["side"], row["group"]))
    for row in read("depots_air.csv"):
        if row["kind"] == "air":
            stacks[row[f"hex_{year}"]].add((row["side"], row["id"]))
    for name, stack in stacks.items():
        assert len(stack) <= 2, name
        (side,) = {side for side, _ in stack}
        assert hexes()[name]["passable"] == "1"
        assert hexes()[name][f"control_{year}"] == {"axis": "A", "soviet": "S"}[side], name


@pytest.mark.parametrize("year", YEARS)
def test_sides_have_at_most_199_units_each_with_its_name(year: int) -> None:
    count = Counter(row["side"] for row in units(year))
    assert max(count.values()) <= 199
    names = Counter((row["side"], row["type"], row["designation"]) for row in units(year))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("year", YEARS)
def test_units_keep_within_the_maxima_of_their_year(year: int) -> None:
    for row in units(year):
        most = [value for since, value in kinds()[row["type"]]["strength"].items() if int(since) <= year][-1]
        assert 1 <= int(row["strength"]) <= most, row
        assert 0 <= int(row["experience"]) <= 99
        assert 0 <= int(row["fatigue"]) <= 95
        assert 0 <= int(row["entrenchment"]) <= 5
        assert 0 <= int(row["artillery"]) <= 240


def test_four_elite_ss_divisions_start_every_game() -> None:
    for year in YEARS:
        elite = {row["designation"] for row in units(year) if kinds()[row["type"]].get("elite")}
        assert elite == {"LAH", "D.R", "TOT", "WIK"}
    assert tables()["build"]["elite"] == [["1941-01", ["LAH", "D.R", "TOT", "WIK"]], ["1943-01", ["HOH", "FRU", "H.J"]]]


def test_ss_divisions_have_the_names_of_2_2() -> None:
    given = {kind: set(names) for kind, names in NAMES.items()}
    given["SS PZG elite"] = given["SS MOT"]
    for year in YEARS:
        for row in units(year):
            if row["type"].startswith("SS"):
                assert row["designation"] in given[row["type"]], row
    spare = tables()["names"]
    for kind in ("SS INF", "SS MTN", "SS CAV"):
        assert spare[kind] == NAMES[kind]
    assert spare["SS PZG"] == ["N.L", "R.F", "G.B", "H.W"]


def test_kinds_of_units_appear_in_their_time() -> None:
    found = {year: {row["type"] for row in units(year)} for year in YEARS}
    assert not found[1941] & {"PZG", "LW INF", "SS PZG elite", "GDS RIFLE", "GDS TANK", "GDS MECH"}
    assert not found[1942] & {"PZG", "LW INF", "SS PZG elite", "MECH"}
    assert not found[1943] & {"MOT", "SS MOT", "IT MOT", "IT INF", "SS PZ"}, "8.13 changes these in January 1943"
    assert ("IT MOT", "1C") in {(row["type"], row["designation"]) for row in units(1941)}


def test_air_groups_and_depots() -> None:
    bases = {int(row["id"]): row for row in read("depots_air.csv")}
    assert sorted(bases) == [*range(52, 64), *range(116, 128)]
    for number, row in bases.items():
        assert row["kind"] == kind_of(number)
        for year in YEARS:
            here = hexes()[row[f"hex_{year}"]]
            if row["kind"] == "depot":
                assert here["hex"] in line({"axis": "A", "soviet": "S"}[row["side"]], year), number
            else:
                assert 0 <= int(row[f"points_{year}"]) <= 255


# ---------------------------------------------------------------- units and figures (4.9 and after)


@pytest.mark.parametrize("entry", re.findall(r"(\w+) (\d{4}) (\d+) (\d+)", KINDS))
def test_strength_and_experience_of_each_kind(entry: tuple[str, str, str, str]) -> None:
    name, year, experience, strength = entry
    kind = kinds()[name.replace("_", " ")]

    def value(field: str) -> int:
        found: int = [number for since, number in kind[field].items() if since <= year][-1]
        return found

    assert (value("experience"), value("strength")) == (int(experience), int(strength))


def test_all_german_units_built_in_1941_or_1942_start_with_70() -> None:
    for name in GERMAN:
        assert kinds()[name]["experience"] == {"1941": 70, "1943": 10}, name


@pytest.mark.parametrize(("kind", "cost"), COSTS.items())
def test_cost_of_a_point_of_strength(kind: str, cost: tuple[int, int]) -> None:
    assert (kinds()[kind].get("infantry", 0), kinds()[kind].get("vehicle", 0)) == cost


def test_figures_of_supply_and_movement() -> None:
    supply, movement = tables()["supply"], tables()["movement"]
    assert supply["relief"] == [50, 33, 25, 20, 17, 14, 12]
    assert (supply["radius"], supply["most_penalty"], supply["vehicles_per_bonus"]) == (2, 4, 1000)
    assert (movement["mechanized"], movement["infantry"], movement["air"]) == (4, 2, 1)
    assert movement["fatigue"] == {"open": 5, "rough": 25} and movement["tactical"] == {"open": 10, "rough": 50}
    assert movement["weather"] == {"clear": 1, "cold": 2, "very cold": 3, "rain": 4}
    assert (movement["river_strategic"], movement["river_tactical"], movement["most_fatigue"]) == (20, 10, 95)


@pytest.mark.parametrize(
    ("month", "cold", "very_cold", "rain"),
    [
        ("january", 75, 20, 5), ("february", 75, 20, 5), ("march", 47, 10, 43), ("april", 20, 0, 80),
        ("may", 0, 0, 70), ("june", 0, 0, 28), ("july", 0, 0, 0), ("august", 0, 0, 0), ("september", 0, 0, 0),
        ("october", 20, 0, 80), ("november", 75, 20, 5), ("december", 75, 20, 5),
    ],
)  # fmt: skip
def test_weather_of_each_month(month: str, cold: int, very_cold: int, rain: int) -> None:
    assert tables()["weather"][month] == [cold, very_cold, rain]


def test_the_first_winter_is_very_cold_four_times_in_five() -> None:
    assert tables()["weather"]["first_winter"][1] == 80


def test_figures_of_production_and_lend_lease() -> None:
    production, lend_lease = tables()["production"], tables()["lend_lease"]
    assert production["pool"] == {
        "infantry": 2550, "vehicle": 2550, "artillery": 2550, "aircraft": 255, "supply": 255, "construction": 255,
        "factories": 255,
    }  # fmt: skip
    assert {year: production["axis_fails"][year] for year in ("1943", "1944")} == {"1943": 30, "1944": 50}
    assert production["soviet_infantry"] == [["1941-06", 333], ["1941-08", 83], ["1943-01", 67]]
    assert (production["factory_cost"], production["points_per_new_factory"]) == (5, 20)
    assert lend_lease["area"] == {"north": 50, "south": 25, "east": 25}
    assert (lend_lease["from"], lend_lease["north"]) == ("1941-10", 2)


def test_figures_of_victory() -> None:
    victory = tables()["victory"]
    assert (victory["city"], victory["month"], victory["months_from"], victory["short_factor"]) == (
        20,
        50,
        "1943-01",
        2,
    )
    assert [least for least, _ in victory["levels"]] == [1000, 500, 100, -99, -499, -999]


@pytest.mark.parametrize(
    ("scenario", "start", "setup", "axis", "soviet"),
    [
        ("barbarossa", date(1941, 6, 22), 1941, 0, 150), ("barbarossa_short", date(1941, 6, 22), 1941, 300, 0),
        ("case_blue", date(1942, 6, 29), 1942, 0, 150), ("case_blue_short", date(1942, 6, 29), 1942, 0, 150),
        ("zitadelle", date(1943, 7, 4), 1943, 0, 150),
    ],
)  # fmt: skip
def test_the_scenarios(scenario: str, start: date, setup: int, axis: int, soviet: int) -> None:
    data = tomllib.loads((DATA_DIR / "scenarios" / f"{scenario}.toml").read_text(encoding="utf-8"))
    assert (data["start"], data["setup"]) == (start, setup)
    assert data["handicap"] == {"axis": axis, "soviet": soviet}
    assert start + timedelta(7 * (data["turns"] - 1)) <= date(1945, 5, 8)
    for side in ("axis", "soviet"):
        for pool, value in data["pools"][side].items():
            assert 0 <= value <= tables()["production"]["pool"].get(pool, 255)


# ---------------------------------------------------------------- the front can be fed (5.2)


UNFED = {
    (1942, "Coastal Group (Oranienbaum)"), (1943, "Coastal Group (Oranienbaum)"),
    (1942, "Coastal Army (Sevastopol)"), (1942, "3 + 4 Shock + 41 Army (Kalinin Front)"),
}  # fmt: skip
"""Pockets and besieged fortresses: these really lived on what they had, or on what ships and aircraft brought."""


@pytest.mark.parametrize("year", YEARS)
def test_depots_reach_the_armies_but_for_those_cut_off(year: int) -> None:
    hungry = set()
    for side, letter, enemy in (("axis", "A", "soviet"), ("soviet", "S", "axis")):
        threatened = set[str]()
        for row in units(year):
            if row["side"] == enemy:
                threatened |= {row["hex"], *around(row["hex"])}
        towns = {row["hex"] for row in cities().values()}
        free = line(letter, year) - threatened
        rough = {
            name for name, row in hexes().items()
            if row["passable"] == "1" and (row["terrain"] == "clear" or row[f"rail_{year}"])
        } - threatened - towns  # fmt: skip
        fed: set[str] = set()
        for base in read("depots_air.csv"):
            if base["kind"] == "depot" and base["side"] == side:
                reached = spread(base[f"hex_{year}"], free)
                for _ in range(4):
                    reached |= {there for name in reached for there in around(name) if there in rough}
                    for name in list(reached & free):
                        reached |= spread(name, free)
                near = reached | {there for name in reached for there in around(name)}
                fed |= near | {there for name in near for there in around(name)}
        hungry |= {(year, row["formation"]) for row in units(year) if row["side"] == side and row["hex"] not in fed}
        bases = [row for row in read("depots_air.csv") if row["side"] == side]
        assert all(row[f"hex_{year}"] in fed for row in bases), "air groups fly only when supplied (5.0)"
    assert hungry == {entry for entry in UNFED if entry[0] == year}


def test_the_engine_reads_the_same_map() -> None:
    board = theatre(DATA)
    assert len(board.cities) == len(cities())
    assert board.passable.bit_count() == sum(row["passable"] == "1" for row in hexes().values())
    assert board.rail[1942][0].bit_count() == sum(row["rail_1942"] == "A" for row in hexes().values())
