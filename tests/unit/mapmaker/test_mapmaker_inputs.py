"""The mapmaker's input files: complete, reasoned, and in step with the shipped map."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

from rasputitsa.portfolio.api.validate import DATA_DIR
from tools.mapmaker.corrections import read_corrections

INPUTS = Path(__file__).parents[3] / "tools" / "mapmaker" / "inputs"
SOURCES = ("geography", "history", "judgement")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_correction_has_a_source_and_a_reason() -> None:
    found = read_corrections(INPUTS / "corrections.toml")
    reasons = [fix.because for fix in found.hexes] + [fix.because for fix in found.sides]
    reasons += [fix.because for fix in found.sealed] + [fix.because for fix in found.one_way]
    reasons += [fix.because for fix in found.courses] + [fix.because for fix in found.works]
    assert len(reasons) > 40
    for because in reasons:
        paragraph = because.source.split(".")[0] in ("VIII", "X", "set-up XVI")
        assert because.source in SOURCES or paragraph, because
        assert len(because.reason) > 10, because
        assert because.confidence in ("printed", "inferred", "reconstructed")
        if because.source in SOURCES:
            assert because.confidence == "reconstructed", because


def test_corrections_stand_in_the_shipped_map() -> None:
    hexes = {row["hex"]: row for row in read(DATA_DIR / "hexes.csv")}
    kinds = {(frozenset((r["hex_a"], r["hex_b"])), r["kind"]) for r in read(DATA_DIR / "hexsides.csv")}
    found = read_corrections(INPUTS / "corrections.toml")
    for fix in found.hexes:
        row = hexes[fix.hex]
        if fix.field == "water":
            assert (row["terrain"] == "sea") == (fix.value == "sea"), fix
        elif fix.field == "coast":
            assert fix.value in row["coast"].split(";"), fix
        else:
            assert row[fix.field] == fix.value, fix
    for side in found.sides:
        pair = frozenset(side.side.split("/"))
        if side.kind == "open":
            assert not any((pair, kind) in kinds for kind in ("sea", "lake", "kerch", "kronshtadt")), side
        else:
            assert (pair, side.kind) in kinds, side


def test_each_place_of_the_inputs_is_on_the_map_and_the_other_way_round() -> None:
    wanted = {row["name"]: row for row in read(INPUTS / "places.csv")}
    shipped = {row["name"]: row for row in read(DATA_DIR / "places.csv")}
    assert wanted.keys() == shipped.keys()
    for name, row in wanted.items():
        assert float(row["lon"]) == float(shipped[name]["lon"])
        assert row["hex"] in ("", shipped[name]["hex"])
        for field in ("kind", "victory", "factory", "fortress", "fuel"):
            assert row[field] == shipped[name][field], name


def test_anchors_are_where_the_set_up_puts_them() -> None:
    set_up = {row["setup"] for row in read(DATA_DIR / "units.csv")}
    places = {row["name"]: row["hex"] for row in read(DATA_DIR / "places.csv")}
    anchors = read(INPUTS / "anchors.csv")
    assert sum(row["used"] == "1" for row in anchors) == 23
    for row in anchors:
        if row["source"].startswith("set-up"):
            assert row["where"] in set_up, row
            assert places[row["name"]] == row["where"]


def test_each_river_of_the_inputs_is_on_the_map_and_the_other_way_round() -> None:
    rivers = tomllib.loads((INPUTS / "rivers.toml").read_text(encoding="utf-8"))["river"]
    wanted = {river.get("name", river["id"]) for river in rivers} | {"Neva"}
    rows = [row for row in read(DATA_DIR / "hexsides.csv") if row["kind"] == "river"]
    assert {name for row in rows for name in row["name"].split("/")} == wanted


def test_banks_name_rivers_and_places_that_exist() -> None:
    rivers = {r["id"] for r in tomllib.loads((INPUTS / "rivers.toml").read_text(encoding="utf-8"))["river"]}
    places = {row["name"] for row in read(INPUTS / "places.csv")}
    for row in read(INPUTS / "banks.csv"):
        assert row["river"] in rivers, row
        assert row["place"] in places, row
        assert 0 <= float(row["bearing"]) < 360
