"""The shipped data files of The Russian Portfolio, read plainly for the tests: nothing here is the engine's."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from typing import Any

from rasputitsa.core.keeping import cached
from rasputitsa.hexes.grid import Grid
from rasputitsa.portfolio.api.validate import DATA_DIR

GRID = Grid(40, 28)
WATER = ("sea", "lake")
BARRIERS = ("sea", "lake", "kerch", "kronshtadt", "impassable")
AXIS = ("DE", "RO", "HU", "FI", "BG")
Row = dict[str, str]


def read(name: str) -> list[Row]:
    with (DATA_DIR / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cached
def hexes() -> dict[str, Row]:
    return {row["hex"]: row for row in read("hexes.csv")}


@cached
def places() -> dict[str, Row]:
    return {row["name"]: row for row in read("places.csv")}


@cached
def units() -> dict[str, Row]:
    return {row["id"]: row for row in read("units.csv")}


@cached
def charts() -> dict[str, Any]:
    return tomllib.loads((DATA_DIR / "charts.toml").read_text(encoding="utf-8"))


@cached
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
