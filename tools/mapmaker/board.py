"""The empty board: names, centres, sides and corners of its hexes in the plane.

The unit of length is the width of one hex. x grows to the east of the sheet, y to its south.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rasputitsa.hexes.grid import Grid, row_name

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Point = tuple[float, float]
Side = tuple[str, str]
Corner = int

ROW_HEIGHT = math.sqrt(3) / 2
CORNER_SCALE = 12  # corners fall on multiples of 1/12 hex, so rounding there names them


class Board:
    """A hex map of a given size, before anything is drawn on it."""

    def __init__(self, rows: int, columns: int, name: Callable[[int, int], str] | None = None) -> None:
        self.rows, self.columns = rows, columns
        self.grid = Grid(rows, columns, name)
        self.hexes = [name for name in self.grid.names if name]
        self.order = {name: i for i, name in enumerate(self.hexes)}
        self.centres: Floats = np.array([self.centre(name) for name in self.hexes])
        self.sides: list[Side] = [
            (name, other) for name in self.hexes for other in self.around(name) if self.order[name] < self.order[other]
        ]
        self.corner_points: list[Point] = []
        self.corners_of: dict[Side, tuple[Corner, Corner]] = {}
        self.sides_at: dict[Corner, list[tuple[Corner, Side]]] = defaultdict(list)
        self._find_corners()

    def centre(self, name: str) -> Point:
        """Centre of a hex."""
        row, column = divmod(self.grid.index(name), self.grid.stride)
        return column + 1 + (0.5 if row % 2 else 0.0), (row + 1) * ROW_HEIGHT

    def around(self, name: str) -> list[str]:
        """The hexes of the map next to a hex."""
        return [self.grid.names[i] for i in self.grid.neighbours[self.grid.index(name)] if i >= 0]

    def side(self, a: str, b: str) -> Side:
        """The side between two adjacent hexes, in map order."""
        if b not in self.around(a):
            raise ValueError(f"{a} and {b} are not adjacent")
        return (a, b) if self.order[a] < self.order[b] else (b, a)

    def parse_side(self, text: str) -> Side:
        """A side written ``K26/K27``."""
        a, _, b = text.partition("/")
        return self.side(a, b)

    def distance(self, a: str, b: str) -> int:
        """Number of hexes from a to b."""
        return self.grid.distance(self.grid.index(a), self.grid.index(b))

    def middle(self, side: Side) -> Point:
        """Middle of a side."""
        (ax, ay), (bx, by) = self.centre(side[0]), self.centre(side[1])
        return (ax + bx) / 2, (ay + by) / 2

    def hex_at(self, x: float, y: float) -> str | None:
        """The hex that covers a point, or None off the map."""
        nearest, _, _, _ = self.two_nearest(np.array([x]), np.array([y]))
        return self.hexes[int(nearest[0])] if nearest[0] >= 0 else None

    def near(self, x: float, y: float, reach: float) -> list[int]:
        """Numbers of the hexes whose centres lie within reach of a point, nearest first."""
        distance = np.hypot(self.centres[:, 0] - x, self.centres[:, 1] - y)
        return [int(i) for i in np.argsort(distance, kind="stable") if distance[i] <= reach]

    def two_nearest(self, x: Floats, y: Floats) -> tuple[Ints, Ints, Floats, Floats]:
        """For each point the nearest and second nearest hex (-1 off the map) and both distances."""
        row_above = np.floor(y / ROW_HEIGHT)
        numbers, distances = [], []
        for row in (row_above, row_above + 1):
            shift = np.where(row % 2 == 0, 0.5, 0.0)
            left = np.floor(x - shift)
            for column in (left, left + 1):
                distances.append(np.hypot(column + shift - x, row * ROW_HEIGHT - y))
                on_map = (row >= 1) & (row <= self.rows) & (column >= 1) & (column <= self.columns)
                number = (row - 1) * self.columns + column - 1
                numbers.append(np.where(on_map, number, -1).astype(np.int64))
        near = np.argsort(np.array(distances), axis=0)[:2]
        pick = np.arange(len(x))
        number, distance = np.array(numbers), np.array(distances)
        return number[near[0], pick], number[near[1], pick], distance[near[0], pick], distance[near[1], pick]

    def _find_corners(self) -> None:
        known: dict[tuple[int, int], Corner] = {}
        for side in self.sides:
            (ax, ay), (bx, by) = self.centre(side[0]), self.centre(side[1])
            across_x, across_y = (ay - by) / math.sqrt(12), (bx - ax) / math.sqrt(12)
            middle_x, middle_y = (ax + bx) / 2, (ay + by) / 2
            ends = []
            for sign in (-1, 1):
                point = (middle_x + sign * across_x, middle_y + sign * across_y)
                key = (round(point[0] * CORNER_SCALE), round(point[1] * CORNER_SCALE / ROW_HEIGHT * 3))
                if key not in known:
                    known[key] = len(self.corner_points)
                    self.corner_points.append(point)
                ends.append(known[key])
            self.corners_of[side] = (ends[0], ends[1])
            self.sides_at[ends[0]].append((ends[1], side))
            self.sides_at[ends[1]].append((ends[0], side))


def portfolio_board() -> Board:
    """The board of The Russian Portfolio: rows A to NN, columns 1 to 28."""
    board = Board(40, 28)
    assert row_name(39) == "NN"
    return board
