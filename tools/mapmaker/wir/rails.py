"""Railways: from the stations a line passes to the hexes it runs through, and whose gauge they have."""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tools.mapmaker.board import Board
from tools.mapmaker.fit import Placing
from tools.mapmaker.ways import cheapest

CORRIDOR = 2.2  # hexes a line may stray from the straight way between two stations
STRAY_COST, NEW_COST, MOUNTAIN_COST = 0.35, 0.25, 0.6


@dataclass(frozen=True)
class Line:
    """A railway of 1941."""

    name: str
    via: tuple[str, ...]
    axis: int
    """The first scenario year with the Axis gauge, or 0."""
    source: str = ""
    """The paragraph of the manual that asks for it, if one does."""


def read_lines(path: Path) -> list[Line]:
    """The railways file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        Line(line["name"], tuple(line["via"]), line.get("axis", 0), line.get("source", "")) for line in data["line"]
    ]


def read_stations(path: Path, board: Board, placing: Placing) -> dict[str, str]:
    """The hex of each station."""
    found = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = board.hex_at(*placing.point(float(row["lon"]), float(row["lat"])))
            if name is None:
                raise ValueError(f"the station {row['name']} lies off the map")
            found[row["name"]] = name
    return found


class RailLayer:
    """Lays lines one after the other; a later line follows an earlier one where that costs little."""

    def __init__(self, board: Board, open_hexes: Collection[str], rough: Collection[str], cities: set[str]) -> None:
        self.board, self.open, self.rough, self.cities = board, open_hexes, rough, cities
        self.hexes: dict[str, list[Line]] = {}
        """The lines through each hex."""

    def lay(self, line: Line, stations: Mapping[str, str]) -> list[str]:
        """Lay a line; returns the hexes it passes, in order."""
        stops = [stations.get(stop, stop) for stop in line.via]
        path = [stops[0]]
        for a, b in pairwise(stops):
            path += self._leg(a, b)[1:]
        for name in dict.fromkeys(path):
            self.hexes.setdefault(name, []).append(line)
        return path

    def _leg(self, start: str, goal: str) -> list[str]:
        a, b = self.board.centre(start), self.board.centre(goal)

        def onward(here: str) -> Iterator[tuple[str, float]]:
            for there in self.board.around(here):
                if there in self.open and _away(self.board.centre(there), a, b) <= CORRIDOR:
                    yield there, (self._cost(here, a, b) + self._cost(there, a, b)) / 2

        path = cheapest(start, goal, onward)
        if not path:
            raise ValueError(f"no railway can run from {start} to {goal}")
        return path

    def _cost(self, name: str, a: tuple[float, float], b: tuple[float, float]) -> float:
        cost = 1 + STRAY_COST * _away(self.board.centre(name), a, b) ** 2
        if name not in self.hexes and name not in self.cities:
            cost += NEW_COST
        return cost + (MOUNTAIN_COST if name in self.rough else 0.0)


def _away(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance of a point from the straight way between two others."""
    along = (b[0] - a[0], b[1] - a[1])
    share = ((point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = min(1.0, max(0.0, share))
    return math.dist(point, (a[0] + share * along[0], a[1] + share * along[1]))
