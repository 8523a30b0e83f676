"""The input files of War in Russia's map: complete, reasoned, and in step with the shipped map."""

from __future__ import annotations

import csv
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

from rasputitsa.wir.api.validate import DATA_DIR
from tools.mapmaker.corrections import read_corrections

SHARED = Path(__file__).parents[3] / "tools" / "mapmaker" / "inputs"
INPUTS = SHARED / "wir"
JUDGED = ("geography", "history", "judgement")
VALUES = ("population", "industry", "vehicle", "artillery", "aircraft", "supply")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def load(name: str, folder: Path = INPUTS) -> dict[str, Any]:
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


def shipped() -> dict[str, dict[str, str]]:
    return {row["hex"]: row for row in read(DATA_DIR / "hexes.csv")}


def test_every_correction_has_a_source_and_a_reason() -> None:
    found = read_corrections(INPUTS / "corrections.toml")
    reasons = [fix.because for fix in found.hexes] + [fix.because for fix in found.sides]
    assert len(reasons) > 15
    for because in reasons:
        assert because.source in JUDGED or because.source[0].isdigit(), because
        assert len(because.reason) > 10, because
        assert because.confidence == ("reconstructed" if because.source in JUDGED else "inferred"), because


def test_corrections_stand_in_the_shipped_map() -> None:
    hexes = shipped()
    sides = {(frozenset((r["hex_a"], r["hex_b"])), r["name"]) for r in read(DATA_DIR / "hexsides.csv")}
    found = read_corrections(INPUTS / "corrections.toml")
    for fix in found.hexes:
        row = hexes[fix.hex]
        if fix.field == "water":
            assert (row["terrain"] == "sea") == (fix.value == "sea"), fix
        else:
            assert row[fix.field] == fix.value, fix
    for side in found.sides:
        assert (frozenset(side.side.split("/")), side.name) in sides, side


def test_each_city_of_the_inputs_is_on_the_map_and_the_other_way_round() -> None:
    wanted = {row["name"]: row for row in read(INPUTS / "cities.csv")}
    found = {row["name"]: row for row in read(DATA_DIR / "cities.csv")}
    assert list(wanted) == list(found)
    for name, row in wanted.items():
        assert row["hex"] in ("", found[name]["hex"]), name
        assert row["owner"] == found[name]["owner_1941"]
        for value in VALUES:
            assert row[value] == found[name][f"{value}_1941"], (name, value)


def test_a_city_fixed_by_hand_says_why() -> None:
    fixed = [row for row in read(INPUTS / "cities.csv") if row["hex"]]
    assert len(fixed) == 8
    assert all("hex fixed" in row["note"] for row in fixed)


def test_a_city_changes_hands_in_turn() -> None:
    for row in read(INPUTS / "cities.csv"):
        owner, before = row["owner"], "1941-06-22"
        for taken in row["history"].split():
            assert taken[0] != owner, row["name"]
            assert taken[1:] >= before, row["name"]
            owner, before = taken[0], taken[1:]


def test_anchors_are_where_the_map_has_them() -> None:
    places = {row["name"]: row["hex"] for row in read(DATA_DIR / "cities.csv")}
    for row in read(INPUTS / "anchors.csv"):
        assert places[row["name"]] == row["hex"], row
        assert row["source"] and len(row["reason"]) > 5


def test_railways_name_stations_cities_and_hexes_that_exist() -> None:
    hexes = shipped()
    known = {row["name"] for row in read(INPUTS / "stations.csv")} | {
        row["name"] for row in read(INPUTS / "cities.csv")
    }
    lines = load("rails.toml")["line"]
    assert len({line["name"] for line in lines}) == len(lines) > 70
    for line in lines:
        assert len(line["via"]) >= 2
        assert all(stop in known or stop in hexes for stop in line["via"]), line["name"]
        assert line.get("axis", 1942) in (1942, 1943)


def test_each_railway_is_on_the_map() -> None:
    notes = " ".join(row["note"] for row in shipped().values())
    cities = {row["name"] for row in read(INPUTS / "cities.csv")}
    for line in load("rails.toml")["line"]:
        assert f"railway {line['name']}" in notes or set(line["via"]) <= cities, line["name"]


def test_each_river_of_the_inputs_is_on_the_map_and_the_other_way_round() -> None:
    data = load("rivers.toml")
    shared = {river["id"]: river.get("name", river["id"]) for river in load("rivers.toml", SHARED)["river"]}
    wanted = {shared[take["id"]] for take in data["take"]} | {river["id"] for river in data["river"]}
    wanted |= {side.name for side in read_corrections(INPUTS / "corrections.toml").sides}
    found = {name for row in read(DATA_DIR / "hexsides.csv") for name in row["name"].split("/")}
    assert found == wanted


def test_banks_name_rivers_and_cities_that_exist() -> None:
    data = load("rivers.toml")
    rivers = {take["id"] for take in data["take"]} | {river["id"] for river in data["river"]}
    places = {row["name"] for row in read(INPUTS / "cities.csv")}
    for row in read(INPUTS / "banks.csv"):
        assert row["river"] in rivers, row
        assert row["place"] in places, row
        assert 0 <= float(row["bearing"]) < 360


def test_the_frame_is_true_to_scale_in_the_middle_and_pressed_together_at_the_edges() -> None:
    frame = load("frame.toml")
    assert frame["hex_miles"] == 50
    for knots in (frame["columns"], frame["rows"]):
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(knots)]
        assert slopes[1] == 1.0
        assert all(0.5 < slope < 0.65 for slope in (slopes[0], slopes[2]))
