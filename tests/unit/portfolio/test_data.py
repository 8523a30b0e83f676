"""The shipped counters, set-up and charts of The Russian Portfolio against what the rules say of them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from datetime import datetime
from itertools import pairwise

import pytest

from rasputitsa.portfolio.api.validate import DATA_DIR
from tests.unit.core.plain_files import Row
from tests.unit.portfolio.files import GRID, charts, hexes, is_land, places, read, units

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
    "gi": (1, 1), "gl": (1, 1), "gm": (1, 1.25), "gp": (2, 1.25), "go": (1.5, 1), "gb": (0.75, 0.5),
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
    months = [datetime.strptime(turn["date"], "%d %b %y").strftime("19%y-%m") for turn in charts()["turns"]]
    assert all(a <= b for a, b in pairwise(months))
    for turn, month in zip(charts()["turns"], months, strict=True):
        expected = {"1941-10": "mud", "1941-11": "hard_frost"}.get(month)
        if expected:
            assert turn["weather"] == expected
        if month >= "1941-12":
            assert turn["weather"] == "snow"


def test_the_scenarios() -> None:
    found = {}
    for path in sorted((DATA_DIR / "scenarios").glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if "position" not in table:  # those of an evening are our own
            found[path.stem] = table
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
