"""Where on the map of War in Russia a place on the globe falls.

A conic projection at the manual's scale with one fixed hex, and a frame that is pressed together at its
edges: the manual puts Murmansk, Konigsberg, Baku and Kuybyshev on a map that true scale could not hold.

The board lies on its side (see ``wir_board``): its x runs south in hexes, its y runs east.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyproj

from rasputitsa.wir.model.theatre import COLUMNS, ROWS, hex_name
from tools.mapmaker.board import ROW_HEIGHT, Board, Floats, Point

MILE = 1.609344  # km


def wir_board() -> Board:
    """The board: the map's columns are its rows, so that its flat-top hexes become pointy-top ones."""
    return Board(COLUMNS, ROWS, hex_name)


@dataclass(frozen=True)
class Knots:
    """A bent scale: true position against position on the map, straight between the knots and beyond them."""

    true: Floats
    drawn: Floats

    def to_map(self, true: Floats) -> Floats:
        """Position on the map."""
        return _bent(true, self.true, self.drawn)

    def to_true(self, drawn: Floats) -> Floats:
        """True position."""
        return _bent(drawn, self.drawn, self.true)

    def scale(self, drawn: float) -> float:
        """How much of the true distance the map keeps at a position: 1 where nothing is pressed together."""
        step = np.array([drawn - 0.05, drawn + 0.05])
        true = self.to_true(step)
        return float(0.1 / (true[1] - true[0]))


def _bent(value: Floats, from_: Floats, to: Floats) -> Floats:
    inner = np.interp(value, from_, to)
    first = (to[1] - to[0]) / (from_[1] - from_[0])
    last = (to[-1] - to[-2]) / (from_[-1] - from_[-2])
    below = to[0] + (value - from_[0]) * first
    above = to[-1] + (value - from_[-1]) * last
    bent: Floats = np.where(value < from_[0], below, np.where(value > from_[-1], above, inner))
    return bent


class Frame:
    """The projection of the map."""

    def __init__(self, path: Path) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.projection: str = data["projection"]
        self._projected = pyproj.Proj(self.projection)
        self.hex_width = data["hex_miles"] * MILE
        self.column_pitch = self.hex_width * ROW_HEIGHT
        self.fixed_hex: str = data["fixed"]["hex"]
        self._east, self._north = self._projected(data["fixed"]["lon"], data["fixed"]["lat"])
        column, row = int(self.fixed_hex[:2]), int(self.fixed_hex[2:])
        self._column, self._row = column, row + (0.5 if column % 2 == 0 else 0.0)
        self.columns = _knots(data["columns"])
        self.rows = _knots(data["rows"])

    def to_board(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        """Board points of places."""
        east, north = self._projected(np.asarray(lon, float), np.asarray(lat, float))
        column = self.columns.to_map(self._column + (np.asarray(east) - self._east) / self.column_pitch)
        row = self.rows.to_map(self._row - (np.asarray(north) - self._north) / self.hex_width)
        return row, column * ROW_HEIGHT

    def point(self, lon: float, lat: float) -> Point:
        """Board point of one place."""
        x, y = self.to_board(np.array([lon]), np.array([lat]))
        return float(x[0]), float(y[0])

    def to_globe(self, x: float, y: float) -> Point:
        """Longitude and latitude of a board point."""
        column = float(self.columns.to_true(np.array([y / ROW_HEIGHT]))[0])
        row = float(self.rows.to_true(np.array([x]))[0])
        lon, lat = self._projected(
            self._east + (column - self._column) * self.column_pitch,
            self._north - (row - self._row) * self.hex_width,
            inverse=True,
        )
        return float(lon), float(lat)

    def kilometres(self, a: Point, b: Point) -> float:
        """Distance between two board points at the manual's scale."""
        return math.dist(a, b) * float(self.hex_width)


def _knots(pairs: list[list[float]]) -> Knots:
    return Knots(np.array([true for true, _ in pairs]), np.array([drawn for _, drawn in pairs]))
