"""The shipped map, counters and charts of The Russian Portfolio against what the rules say of them."""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.hexes.grid import Grid
from rasputitsa.portfolio.validate import DATA_DIR, validate

GRID = Grid(40, 28)
Row = dict[str, str]

# XVI.D, transcribed again from the printed lists: unit id and hex.
SET_UP = """
1PzG U3  2PzG S2  3PzG O4  4PzG L4  3Pz U3  24Pz S3  39Pz N4  40Pz P1  47Pz S2  48Pz V3  56Pz M4
2AOK Q1  4AOK S3  6AOK V2  9AOK O3  11AOK BB4  16AOK M4  17AOK V1  18AOK K4
1Inf K4  2Inf N4  5Inf O4  7Inf Q2  12Inf R3  20Inf O3  29Inf T3  30Inf DD5  34Inf U1  42Inf P3
44Inf V3  54Inf FF4  59Inf R1  49Mtn V1  52Lt U2  HunMob U2  ItAuto T1
3RomA DD5  4RomA HH5  RomArm DD4  RomMtn FF4  2Fin C15  4Fin D14  6Fin A17  7Fin B17  GrO B14
8A L5  11A N5  22A N13  3MK N6  56RK C17  27A J11  23A G15  12MK K5  10MK E14
6A W2  16A Y10  12A AA4  26A W1  21A U12  15MK W5  14MK S5  20A Q13  13A Q8  3A P4  6MK Q4
28A A25  24A N18  21MK N12  42RK A18  5A T4  4MK X3  8MK X2  9MK X7  4A S4  5KK W3  1MK I13
10A Q3  6CosK Q3  5MK Y13  7MK Q16  11MK Q4  19A CC13  18A CC6  2MK DD6  18MK FF6  2KK EE6  9A GG6
"""
# Named hexes of the set-up lists.
NAMED = {
    "M4": "Tilsit", "Q1": "Warsaw", "K4": "Memel", "N13": "Velikiye Luki", "N6": "Kaunas", "G15": "Leningrad",
    "E14": "Vyborg", "W2": "Lvov", "AA4": "Chernovtsy", "W1": "Przemysl", "U12": "Gomel", "Q13": "Smolensk",
    "Q8": "Minsk", "A25": "Archangelsk", "N18": "Kalinin", "X7": "Rovno", "S4": "Brest", "I13": "Luga",
    "Q3": "Bialystok", "Y13": "Konotop", "Q16": "Vyazma", "CC13": "Kremenchug", "DD6": "Kishinev",
    "H15": "Pushkin",
}  # fmt: skip
WATER = ("sea", "lake")
BARRIERS = ("sea", "lake", "kerch", "kronshtadt", "impassable")
AXIS = ("DE", "RO", "HU", "FI", "BG")


def read(name: str) -> list[Row]:
    with (DATA_DIR / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def hexes() -> dict[str, Row]:
    return {row["hex"]: row for row in read("hexes.csv")}


@cache
def places() -> dict[str, Row]:
    return {row["name"]: row for row in read("places.csv")}


@cache
def units() -> dict[str, Row]:
    return {row["id"]: row for row in read("units.csv")}


@cache
def charts() -> dict[str, Any]:
    return tomllib.loads((DATA_DIR / "charts.toml").read_text(encoding="utf-8"))


@cache
def sides() -> dict[str, dict[frozenset[str], Row]]:
    found: dict[str, dict[frozenset[str], Row]] = defaultdict(dict)
    for row in read("hexsides.csv"):
        found[row["kind"]][frozenset((row["hex_a"], row["hex_b"]))] = row
    return found


def is_land(name: str) -> bool:
    return hexes()[name]["terrain"] not in WATER


def around(name: str) -> list[str]:
    return [GRID.names[i] for i in GRID.neighbours[GRID.index(name)] if i >= 0]


def closed_to_rail(a: str, b: str) -> bool:
    return any(frozenset((a, b)) in sides()[kind] for kind in BARRIERS)


def by_rail(start: str, countries: tuple[str, ...]) -> set[str]:
    reached, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for there in around(here):
            inside = is_land(there) and hexes()[there]["country"] in countries
            if inside and there not in reached and not closed_to_rail(here, there):
                reached.add(there)
                todo.append(there)
    return reached


# ---------------------------------------------------------------- the whole


def test_the_shipped_data_are_sound() -> None:
    assert validate() == []


def test_every_hex_is_given_once_in_map_order() -> None:
    assert [row["hex"] for row in read("hexes.csv")] == [name for name in GRID.names if name]


# ---------------------------------------------------------------- set-up (XVI.D)


def test_the_set_up_is_the_printed_one() -> None:
    printed = dict(re.findall(r"(\w+) ([A-Z]+\d+)", SET_UP))
    assert len(printed) == 87
    assert {name: row["setup"] for name, row in units().items() if row["setup"]} == printed


@pytest.mark.parametrize(("name", "place"), NAMED.items())
def test_named_hexes_hold_their_town(name: str, place: str) -> None:
    assert places()[place]["hex"] == name


def test_every_set_up_hex_is_land_of_its_owner() -> None:
    for row in units().values():
        if not row["setup"]:
            continue
        country = hexes()[row["setup"]]["country"]
        homes = {"DE": ("DE", "RO"), "HU": ("DE", "HU"), "IT": ("DE", "HU")}.get(row["nation"], (row["nation"],))
        assert is_land(row["setup"]), row["id"]
        assert country in homes, row["id"]


def test_the_set_up_obeys_stacking() -> None:
    stacks: dict[str, list[Row]] = defaultdict(list)
    for row in units().values():
        if row["setup"]:
            stacks[row["setup"]].append(row)
    armor_types = ("armor", "mechanized", "armored_cavalry")
    for name, stack in stacks.items():
        assert len(stack) <= 2, name
        assert sum(row["size"] != "corps" for row in stack) <= 1, name
        assert not any(row["type"] == "front" for row in stack)
        if hexes()[name]["terrain"] in ("swamp", "mountain"):
            assert sum(row["type"] in armor_types for row in stack) <= 1, name


def test_german_units_in_romania_keep_within_the_limit_of_a_redeployment() -> None:
    germans = [row for row in units().values() if row["nation"] == "DE" and row["setup"]]
    by_country = Counter(hexes()[row["setup"]]["country"] for row in germans)
    assert by_country["FI"] == 0
    assert 0 < by_country["RO"] <= 6


# ---------------------------------------------------------------- rail, straits, Kronshtadt (VIII.A.1, X)


@pytest.mark.parametrize(("a", "b"), [("K26", "K27"), ("B16", "C17")])
def test_rail_crosses(a: str, b: str) -> None:
    assert is_land(a) and is_land(b)
    assert not closed_to_rail(a, b)


@pytest.mark.parametrize(("a", "b"), [("B16", "C16"), ("D12", "D13"), ("JJ13", "II14")])
def test_rail_never_crosses(a: str, b: str) -> None:
    assert is_land(a) and is_land(b)
    assert closed_to_rail(a, b)


def test_the_kerch_straits_are_one_side_with_a_sea_at_either_mouth() -> None:
    assert list(sides()["kerch"]) == [frozenset(("JJ13", "II14"))]
    assert charts()["sea"]["kerch"]["hexes"] == ["II13", "II14", "JJ13", "JJ14"]
    for pair in (("II13", "II14"), ("JJ13", "JJ14")):
        assert frozenset(pair) in sides()["sea"]
    assert all(is_land(name) for name in charts()["sea"]["kerch"]["hexes"])


def test_kronshtadt_is_a_fortress_reached_from_leningrad_only() -> None:
    kronshtadt, leningrad = places()["Kronshtadt"], places()["Leningrad"]
    assert kronshtadt["fortress"] == "1"
    assert list(sides()["kronshtadt"]) == [frozenset((kronshtadt["hex"], leningrad["hex"]))]
    for other in around(kronshtadt["hex"]):
        assert other == leningrad["hex"] or not is_land(other) or closed_to_rail(kronshtadt["hex"], other)


def test_attacks_from_pushkin_into_leningrad_cross_a_river_and_not_the_other_way() -> None:
    (row,) = sides()["river_oneway"].values()
    assert (row["hex_a"], row["hex_b"]) == ("H15", "G15")
    assert frozenset(("H15", "G15")) not in sides()["river"]


def test_leningrad_can_be_supplied_over_ladoga() -> None:
    across = frozenset(("F15", "G16"))
    assert across in sides()["lake"]
    assert "F15" in around("G15")


# ---------------------------------------------------------------- cities (IV, IX, XIV.D, XV.B)


def test_the_ten_victory_cities() -> None:
    worth = {name: int(row["victory"]) for name, row in places().items() if row["victory"] != "0"}
    assert worth == {
        "Leningrad": 2, "Smolensk": 1, "Moscow": 2, "Gorky": 1, "Kiev": 1, "Sevastopol": 1, "Voronezh": 1,
        "Rostov": 1, "Stalingrad": 1, "Krasnodar": 1,
    }  # fmt: skip


def test_the_22_major_cities_are_soviet() -> None:
    majors = [row for row in places().values() if row["kind"] == "major"]
    assert len(majors) == 22
    assert {hexes()[row["hex"]]["country"] for row in majors} == {"SU"}


def test_the_four_tank_factories() -> None:
    assert {n for n, r in places().items() if r["factory"] == "1"} == {"Leningrad", "Moscow", "Kharkov", "Stalingrad"}


def test_each_side_has_one_source_of_fuel_in_its_own_land() -> None:
    fuel = {row["fuel"]: row for row in places().values() if row["fuel"]}
    assert set(fuel) == {"axis", "soviet"}
    assert fuel["axis"]["name"] == "Ploesti"
    assert hexes()[fuel["axis"]["hex"]]["country"] == "RO"
    assert hexes()[fuel["soviet"]["hex"]]["country"] == "SU"
    assert fuel["soviet"]["confidence"] == "reconstructed"


def test_the_charts_name_the_hexes_of_the_cities_they_mean() -> None:
    at = {name: row["hex"] for name, row in places().items()}
    production, sea = charts()["production"], charts()["sea"]
    assert production["double_cities"] == [at["Leningrad"], at["Moscow"]]
    assert sorted(production["axis_entry"]) == sorted([at["Warsaw"], at["Helsinki"], at["Bucharest"]])
    assert production["lend_lease"]["hex"] == at["Archangelsk"]
    assert charts()["victory"]["soviet_any_of"] == [at["Warsaw"], at["Bucharest"]]
    assert sea["control"] == {
        "Baltic": [at["Koenigsberg"]], "Gulf of Finland": [at["Koenigsberg"]],
        "Black Sea": [at["Sevastopol"]], "Azov": [at["Rostov"], at["Sevastopol"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sea", "some"),
    [
        ("Baltic", {"Koenigsberg", "Memel", "Riga"}),
        ("Gulf of Finland", {"Leningrad", "Helsinki", "Tallinn", "Vyborg", "Kronshtadt"}),
        ("Black Sea", {"Odessa", "Sevastopol", "Novorossiysk", "Constanta"}),
        ("Azov", {"Rostov", "Mariupol", "Taganrog", "Kerch"}),
        ("White Sea", {"Archangelsk"}),
    ],
)
def test_ports(sea: str, some: set[str]) -> None:
    ports = {name for name, row in places().items() if sea in row["port"].split(";")}
    assert some <= ports
    for name in ports:
        assert sea in hexes()[places()[name]["hex"]]["coast"].split(";"), name


# ---------------------------------------------------------------- borders, map edges, lines


def test_borders_lie_between_different_countries_and_nowhere_else() -> None:
    for name in hexes():
        for other in around(name):
            if not (is_land(name) and is_land(other)):
                continue
            countries = sorted({hexes()[name]["country"], hexes()[other]["country"]})
            row = sides()["border"].get(frozenset((name, other)))
            assert (row is not None) == (len(countries) == 2), (name, other)
            assert row is None or row["name"] == "-".join(countries)


@pytest.mark.parametrize("pair", ["DE-SU", "RO-SU", "FI-SU", "HU-SU", "HU-RO"])
def test_countries_that_met_in_1941_meet_on_the_map(pair: str) -> None:
    assert any(row["name"] == pair for row in sides()["border"].values())


def test_germany_and_romania_do_not_touch() -> None:
    assert not any(row["name"] == "DE-RO" for row in sides()["border"].values())


def test_map_edge_sources() -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    for name, row in hexes().items():
        if row["edge"]:
            assert row["edge"] == charts()["supply_country"][row["country"]], name
            assert is_land(name)
            edges[row["edge"]].add(name)
    assert set(edges) == {"DE", "RO", "FI", "SU"}
    assert all(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "1" for name in edges["DE"] | edges["RO"])
    assert all(name.startswith("A") and not name.startswith("AA") for name in edges["FI"])
    assert all(name.endswith("28") or name.startswith("NN") for name in edges["SU"])
    assert {name for name in edges["SU"] if name.endswith("28")} and {n for n in edges["SU"] if n.startswith("NN")}


@pytest.mark.parametrize(
    ("place", "edge", "countries"),
    [
        ("Moscow", "SU", ("SU",)), ("Leningrad", "SU", ("SU",)), ("Sevastopol", "SU", ("SU",)),
        ("Warsaw", "DE", ("DE",)), ("Koenigsberg", "DE", ("DE",)), ("Bucharest", "RO", ("RO",)),
        ("Helsinki", "FI", ("FI",)), ("Iasi", "DE", ("RO", "HU")),
    ],
)  # fmt: skip
def test_supply_reaches_over_land(place: str, edge: str, countries: tuple[str, ...]) -> None:
    reached = by_rail(places()[place]["hex"], countries)
    assert any(hexes()[name]["edge"] == edge for name in reached)


def test_all_soviet_land_hangs_together_but_for_islands() -> None:
    soviet = {name for name, row in hexes().items() if row["country"] == "SU"}
    islands = soviet - by_rail(places()["Moscow"]["hex"], ("SU",))
    assert islands == {"F7", "G7", places()["Kronshtadt"]["hex"]}


def test_both_sides_join_in_one_land_mass() -> None:
    reached = by_rail(places()["Warsaw"]["hex"], ("SU", *AXIS))
    assert all(places()[city]["hex"] in reached for city in places() if places()[city]["victory"] != "0")
    assert places()["Helsinki"]["hex"] in reached


def test_the_stalin_line_faces_outward_on_soviet_land() -> None:
    works = [row for row in read("hexsides.csv") if row["kind"] == "stalin"]
    assert len(works) > 25
    assert len({frozenset((r["hex_a"], r["hex_b"])) for r in works}) == len(works)
    for row in works:
        assert is_land(row["hex_a"]) and is_land(row["hex_b"])
        assert hexes()[row["hex_a"]]["country"] == "SU"
    held = {row["hex_a"] for row in works}
    for city in ("Minsk", "Leningrad", "Pskov"):
        assert places()[city]["hex"] in held
    columns = {row["hex_a"]: int(re.sub(r"\D", "", row["hex_a"])) for row in works}
    assert max(columns.values()) <= 15


def test_the_arctic_weather_line_parts_the_north_east_from_the_south_west() -> None:
    arctic = {name for name, row in hexes().items() if row["arctic"] == "1"}
    inside = ("Leningrad", "Moscow", "Kiev", "Stalingrad", "Helsinki", "Archangelsk")
    outside = ("Warsaw", "Odessa", "Sevastopol", "Riga", "Bucharest", "Koenigsberg")
    assert all(places()[city]["hex"] in arctic for city in inside)
    assert not any(places()[city]["hex"] in arctic for city in outside)
    for pair in sides()["arctic_line"]:
        assert len(pair & arctic) == 1


# ---------------------------------------------------------------- rivers and waters


def corners(a: str, b: str) -> set[frozenset[str]]:
    """The corners of a side, each named by the hexes that meet there."""
    return {frozenset((a, b, other)) for other in around(a) if other in around(b)}


def river_chains() -> dict[str, set[frozenset[str]]]:
    rivers: dict[str, set[frozenset[str]]] = defaultdict(set)
    for pair, row in sides()["river"].items():
        for name in row["name"].split("/"):
            rivers[name].add(pair)
    return rivers


@pytest.mark.parametrize("river", sorted(river_chains()))
def test_each_river_is_a_connected_chain(river: str) -> None:
    chain = river_chains()[river]
    pieces = 0
    left = set(chain)
    while left:
        pieces += 1
        todo = [left.pop()]
        while todo:
            here = corners(*todo.pop())
            touching = {pair for pair in left if corners(*pair) & here}
            left -= touching
            todo += touching
    # The Volga leaves the map in the east below Gorky and comes back above Saratov.
    assert pieces == (2 if river == "Volga" else 1)


@pytest.mark.parametrize(
    ("river", "place"),
    [
        ("Dniepr", "Kiev"), ("Dniepr", "Smolensk"), ("Don", "Rostov"), ("Volga", "Stalingrad"), ("Neva", "Leningrad"),
        ("Oka", "Gorky"), ("Western Dvina", "Riga"), ("Niemen", "Kaunas"), ("Western Bug", "Brest"),
    ],
)  # fmt: skip
def test_towns_lie_on_their_rivers(river: str, place: str) -> None:
    assert any(places()[place]["hex"] in pair for pair in river_chains()[river])


def test_the_german_soviet_border_follows_the_bug_at_brest() -> None:
    bug = river_chains()["Western Bug"]
    border = {pair for pair, row in sides()["border"].items() if row["name"] == "DE-SU"}
    assert len(bug & border) >= 6


def test_facts_about_sides_lie_between_land_hexes() -> None:
    for kind, found in sides().items():
        for pair in found:
            if kind != "arctic_line":
                assert all(is_land(name) for name in pair), (kind, sorted(pair))


def test_sea_hexes_bear_the_name_of_their_sea() -> None:
    known = {*charts()["sea"]["control"], *charts()["sea"]["closed_waters"]}
    for name, row in hexes().items():
        assert (row["sea"] in known) if row["terrain"] == "sea" else row["sea"] == "", name


def test_the_caspian_is_water() -> None:
    assert hexes()["NN28"]["sea"] == "Caspian"


# ---------------------------------------------------------------- counters


def test_counts_of_counters() -> None:
    sets = Counter(row["side"] for row in units().values() if row["pool"] == "setup")
    assert sets == {"axis": 45, "soviet": 42}
    assert sum(row["type"] == "front" for row in units().values()) == 8
    assert {n for n, r in units().items() if r["pool"] == "siberia1"} == {"1Shk", "3Shk"}
    assert {n for n, r in units().items() if r["pool"] == "siberia2"} == {"2Shk", "4Shk"}


def test_an_army_of_half_a_fronts_attack_factor_exists_for_each_front() -> None:
    armies = {int(row["af"]) for row in units().values() if row["type"] == "rifle" and row["size"] == "army"}
    for row in units().values():
        if row["type"] == "front":
            assert int(row["af"]) // 2 in armies, row["id"]


def test_the_front_of_the_printed_example_moves_two() -> None:
    assert {row["mf"] for row in units().values() if row["type"] == "front"} == {"2"}


def test_the_army_of_the_printed_example_moves_three() -> None:
    assert {row["mf"] for row in units().values() if row["type"] == "rifle"} == {"3"}


def test_the_marks_are_guderian_and_manstein() -> None:
    assert {row["id"]: row["mark"] for row in units().values() if row["mark"]} == {"2PzG": "G", "56Pz": "vM"}


def test_siberian_armor_and_cavalry_can_be_had() -> None:
    pool = [row for row in units().values() if row["pool"] == "replacement"]
    first, second, third = charts()["siberia"]["instalments"]
    armor = sum(int(row["cost"]) for row in pool if row["type"] == "armor")
    assert armor >= first["armor"] + second["armor"]
    assert sum(row["type"] == "cavalry" for row in pool) >= third["cavalry_corps"]


WEIGHTS = {
    "gi": (1, 1), "gl": (1, 1), "gm": (1, 1.25), "gp": (1.75, 1.25), "go": (1.25, 1), "gb": (0.75, 0.5),
    "gc": (0.75, 0.5),
    "ri": (0.4, 0.5), "rm": (0.4, 0.5), "rc": (0.4, 0.3), "ra": (1, 0.75), "hm": (0.6, 0.5), "hc": (0.4, 0.3),
    "ii": (0.6, 0.7), "ic": (0.5, 0.4), "fi": (0.8, 1), "fb": (0.4, 0.4),
    "sr": (0.6, 0.6), "sx": (0.5, 0.55), "sm": (0.5, 0.6), "sn": (0.3, 0.35), "sc": (0.75, 0.5), "ur": (0, 0.5),
    "pb": (0.2, 0.2),
}  # fmt: skip
ARMY_FRONTAGE = 0.75


def from_divisions(row: Row, text: str) -> tuple[int, int]:
    attack = defence = 0.0
    for part in text.split():
        count, _, kind = part.rpartition("*")
        times = float(count or 1)
        attack += times * WEIGHTS[kind][0]
        defence += times * WEIGHTS[kind][1]
    if row["type"] == "infantry" and row["size"] == "army":
        attack, defence = attack * ARMY_FRONTAGE, defence * ARMY_FRONTAGE
    return max(1, int(attack + 0.5)), max(1, int(defence + 0.5))


def test_factors_follow_from_the_order_of_battle_by_the_documented_weights() -> None:
    checked = 0
    for row in units().values():
        composition = row["source"].partition("): ")[2]
        if not composition or "tanks" in composition:
            continue
        assert (int(row["af"]), int(row["df"])) == from_divisions(row, composition), row["id"]
        checked += 1
    assert checked == 71


# ---------------------------------------------------------------- charts


def test_the_combat_results_table_is_the_printed_one() -> None:
    printed = """
        6 S  S  D4 D4 DX DX DE BR BR BR BR
        5 AE AD D1 D1 D4 D4 DX DE BR BR BR
        4 AE AE S  D1 D1 D4 D4 DX DE BR BR
        3 AE AE AD S  S  D1 D4 DX DE BR BR
        2 AE AE AE AD AD S  D1 D4 DX DE BR
        1 AE AE AE AE X  X  S  D1 D4 DX DE
    """
    rows = {line.split()[0]: line.split()[1:] for line in printed.strip().splitlines()}
    assert charts()["crt"]["rows"] == rows
    assert charts()["crt"]["columns"] == ["1:4", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "7:1", "10:1"]


def test_the_example_of_reading_a_column_higher() -> None:
    table = charts()["crt"]
    at = dict(zip(table["columns"], table["rows"]["3"], strict=True))
    assert (at["3:2"], at["2:1"]) == ("S", "D1")


def test_the_turn_track() -> None:
    good, snow = ["Good"] * 6, ["Snow"] * 5
    assert [turn["track"] for turn in charts()["turns"]] == ["?", *good, "?", "?", *snow, "?", "?"]
    assert [turn["number"] for turn in charts()["turns"]] == list(range(16))
    months = [turn["month"] for turn in charts()["turns"]]
    assert all(a <= b for a, b in pairwise(months))
    for turn in charts()["turns"]:
        expected = {"1941-10": "mud", "1941-11": "hard_frost"}.get(turn["month"])
        if expected:
            assert turn["weather"] == expected
        if turn["month"] >= "1941-12":
            assert turn["weather"] == "snow"


def test_the_scenarios() -> None:
    found = {}
    for path in sorted((DATA_DIR / "scenarios").glob("*.toml")):
        found[path.stem] = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {name: (s["start_turn"], s["armor_reserve"]) for name, s in found.items()} == {
        "june1": (0, 15), "june22": (1, 18), "july10": (2, 21),
    }  # fmt: skip
    assert found["june22"]["dispersed"] == ["D"]
    assert sorted(found["june1"]["dispersed"]) == ["D", "d"]
    assert found["july10"]["dispersed"] == []
    assert found["june22"]["axis_limits"] == {"FI": 3, "RO": 6}


def test_production_at_the_start_is_30_infantry_and_5_armor() -> None:
    production = charts()["production"]
    majors = sum(row["kind"] == "major" for row in places().values())
    infantry = majors + len(production["double_cities"]) + production["siberia_infantry"]
    armor = sum(row["factory"] == "1" for row in places().values()) + production["siberia_armor"]
    assert (infantry, armor) == (30, 5)
    assert (production["axis_armor"], production["axis_infantry"]) == (2, 2)


def test_every_value_says_where_it_comes_from() -> None:
    for name in ("hexes.csv", "hexsides.csv", "places.csv", "units.csv"):
        for row in read(name):
            assert row["source"]
            assert row["confidence"] in ("printed", "inferred", "reconstructed")


def test_the_data_files_are_plain_utf8_with_unix_line_ends() -> None:
    for path in sorted(Path(DATA_DIR).rglob("*.*")):
        content = path.read_bytes()
        assert b"\r" not in content, path.name
        content.decode("utf-8")
