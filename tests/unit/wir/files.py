"""The shipped data files of War in Russia, read plainly for the tests: nothing here is the engine's."""

from __future__ import annotations

from typing import Any

from rasputitsa.core.caching import cached
from rasputitsa.hexes.grid import Grid
from rasputitsa.wir.api.validate import DATA_DIR
from rasputitsa.wir.model.theatre import GRID_DIRECTION, hex_name
from tests.unit.core.plain_files import Row, neighbours, rows, rows_by, sheet

GRID = Grid(31, 32, hex_name)
YEARS = (1941, 1942, 1943)
N, NE, SE, S, SW, NW = range(1, 7)


def read(name: str) -> list[Row]:
    return rows(DATA_DIR / name)


@cached
def hexes() -> dict[str, Row]:
    return rows_by("hex", DATA_DIR / "hexes.csv")


@cached
def cities() -> dict[str, Row]:
    return rows_by("name", DATA_DIR / "cities.csv")


@cached
def units(year: int) -> list[Row]:
    return read(f"units_{year}.csv")


@cached
def tables() -> dict[str, Any]:
    return sheet(DATA_DIR / "tables.toml")


@cached
def kinds() -> dict[str, dict[str, Any]]:
    return {kind["id"]: kind for kind in tables()["types"]["list"]}


@cached
def rivers() -> dict[frozenset[str], str]:
    return {frozenset((row["hex_a"], row["hex_b"])): row["name"] for row in read("hexsides.csv")}


def around(name: str) -> list[str]:
    return neighbours(GRID, name)


def step(name: str, direction: int) -> str:
    return GRID.names[GRID.neighbours[GRID.index(name)][GRID_DIRECTION[direction]]]


def at(city: str) -> str:
    return cities()[city]["hex"]


def spread(start: str, within: set[str]) -> set[str]:
    reached, todo = {start}, [start]
    while todo:
        for there in around(todo.pop()):
            if there in within and there not in reached:
                reached.add(there)
                todo.append(there)
    return reached


def sea() -> set[str]:
    return {name for name, row in hexes().items() if row["terrain"] == "sea"}


def line(side: str, year: int) -> set[str]:
    """Rail of a side's gauge and its cities."""
    rail = {name for name, row in hexes().items() if row[f"rail_{year}"] == side}
    return rail | {row["hex"] for row in cities().values() if row[f"owner_{year}"] == side}
