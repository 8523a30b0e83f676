"""Rivers on the globe: from a few waypoints to a line along World Data Bank II."""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.mapmaker.board import Floats
from tools.mapmaker.shoreline import Line
from tools.mapmaker.ways import cheapest

KM_PER_DEGREE = 111.3
MIDDLE_LATITUDE = 52.0
JOIN = 3.5  # km: ends of pieces this near are one river
WAYPOINT_REACH = 14.0  # km from a waypoint to the river it is meant for
DETOUR, DETOUR_EXTRA = 2.3, 30.0  # how much longer than the straight line a stretch may be, km


@dataclass(frozen=True)
class River:
    """A river of the map, from its source (or the edge) downstream."""

    id: str
    name: str
    parent: str
    from_water: bool
    to_water: bool
    along: tuple[str, ...]
    course: Floats


def read_rivers_wanted(path: Path) -> list[River]:
    """The rivers file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        River(
            r["id"], r.get("name", r["id"]), r.get("parent", ""), r.get("from_water", False),
            r.get("to_water", False), tuple(r.get("along", [])), np.array(r["course"]),
        )
        for r in data["river"]
    ]  # fmt: skip


def _km(points: Floats) -> Floats:
    stretch = math.cos(math.radians(MIDDLE_LATITUDE))
    return np.column_stack([points[:, 0] * KM_PER_DEGREE * stretch, points[:, 1] * KM_PER_DEGREE])


class Network:
    """All river pieces as one graph."""

    def __init__(self, lines: list[Line]) -> None:
        self.points = np.concatenate([line.points for line in lines])
        self._km = _km(self.points)
        self._next: dict[int, list[tuple[int, float]]] = defaultdict(list)
        ends, start = [], 0
        for line in lines:
            last = start + len(line.points) - 1
            for i in range(start, last):
                self._join(i, i + 1)
            ends += [start, last]
            start = last + 1
        self._join_ends(ends)

    def follow(self, waypoints: Floats) -> Floats:
        """The line through the waypoints, along the rivers where they lead there."""
        wanted = _km(waypoints)
        nearest, miss = [], []
        for point in wanted:
            distance = np.hypot(*(self._km - point).T)
            nearest.append(int(distance.argmin()))
            miss.append(float(distance.min()))
        pieces = []
        for i in range(len(waypoints) - 1):
            path: list[int] = []
            if max(miss[i], miss[i + 1]) < WAYPOINT_REACH and nearest[i] != nearest[i + 1]:
                straight = float(np.hypot(*(wanted[i] - wanted[i + 1])))
                path = cheapest(nearest[i], nearest[i + 1], self._next.__getitem__, DETOUR * straight + DETOUR_EXTRA)
            pieces.append(self.points[path] if path else waypoints[i : i + 2])
        return np.concatenate(pieces)

    def _join(self, a: int, b: int) -> None:
        length = float(np.hypot(*(self._km[a] - self._km[b]))) + 0.01
        self._next[a].append((b, length))
        self._next[b].append((a, length))

    def _join_ends(self, ends: list[int]) -> None:
        cells: dict[tuple[int, int], list[int]] = defaultdict(list)
        for i, (x, y) in enumerate(self._km):
            cells[int(x // JOIN), int(y // JOIN)].append(i)
        for end in ends:
            column, row = int(self._km[end, 0] // JOIN), int(self._km[end, 1] // JOIN)
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    for other in cells.get((column + dx, row + dy), []):
                        if other != end and float(np.hypot(*(self._km[end] - self._km[other]))) <= JOIN:
                            self._join(end, other)
