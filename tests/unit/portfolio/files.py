"""The shipped data files of The Russian Portfolio, read plainly for the tests: nothing here is the engine's."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from rasputitsa.core.caching import cached
from rasputitsa.hexes.grid import Grid
from rasputitsa.portfolio.api.validate import DATA_DIR
from tests.unit.core.plain_files import Row, neighbours, rows, rows_by, sheet

GRID = Grid(40, 28)
WATER = ("sea", "lake")
BARRIERS = ("sea", "lake", "kerch", "kronshtadt", "impassable")
AXIS = ("DE", "RO", "HU", "FI", "BG")


def read(name: str) -> list[Row]:
    return rows(DATA_DIR / name)


@cached
def hexes() -> dict[str, Row]:
    return rows_by("hex", DATA_DIR / "hexes.csv")


@cached
def places() -> dict[str, Row]:
    return rows_by("name", DATA_DIR / "places.csv")


@cached
def units() -> dict[str, Row]:
    return rows_by("id", DATA_DIR / "units.csv")


@cached
def charts() -> dict[str, Any]:
    return sheet(DATA_DIR / "charts.toml")


@cached
def sides() -> dict[str, dict[frozenset[str], Row]]:
    found: dict[str, dict[frozenset[str], Row]] = defaultdict(dict)
    for row in read("hexsides.csv"):
        found[row["kind"]][frozenset((row["hex_a"], row["hex_b"]))] = row
    return found


def is_land(name: str) -> bool:
    return hexes()[name]["terrain"] not in WATER


def around(name: str) -> list[str]:
    return neighbours(GRID, name)


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
