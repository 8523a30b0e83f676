"""The data files of a game as they are written, read for the tests without anything of the engine's."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

from rasputitsa.hexes.grid import Grid

Row = dict[str, str]


def rows(path: Path) -> list[Row]:
    """The lines of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_by(column: str, path: Path) -> dict[str, Row]:
    """The lines of a table by what stands in one column."""
    return {row[column]: row for row in rows(path)}


def sheet(path: Path) -> dict[str, Any]:
    """A TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def neighbours(grid: Grid, name: str) -> list[str]:
    """The names of the hexes around one."""
    return [grid.names[i] for i in grid.neighbours[grid.index(name)] if i >= 0]
