"""Where on the board a place on the globe falls.

An oblique stereographic projection, then one similarity (turn, scale, shift) fitted to the hexes that
the rules name, then a short-ranged rubber sheet that carries each named place into its hex and fades
out three or four hexes away.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pyproj

from tools.mapmaker.board import Board, Floats, Point

PROJECTION = "+proj=stere +lat_0=52 +lon_0=32 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m +no_defs"
METRES_PER_HEX = 66_000.0
SOFT = 0.6  # hexes: residuals beyond this count less than their square
SHEET_LENGTH, SHEET_SIGMA, SHEET_NOISE = 2.0, 0.5, 0.3  # hexes
STRAIT_LENGTH = 3.2


class Placing(Protocol):
    """Where on a board the places of the globe fall."""

    def to_board(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        """Board points of places."""
        ...

    def point(self, lon: float, lat: float) -> Point:
        """Board point of one place."""
        ...

    def to_globe(self, x: float, y: float) -> Point:
        """Longitude and latitude of a board point."""
        ...


@dataclass(frozen=True)
class Anchor:
    """A place whose hex (or hex-side, ``JJ13/II14``) the rules name."""

    where: str
    name: str
    lon: float
    lat: float
    used: bool
    note: str

    def target(self, board: Board) -> Point:
        """The point of the board the rules put it at."""
        if "/" in self.where:
            return board.middle(board.parse_side(self.where))
        return board.centre(self.where)


@dataclass(frozen=True)
class Pull:
    """One control point of the rubber sheet."""

    x: float
    y: float
    dx: float
    dy: float
    length: float

    def weight(self, x: Floats, y: Floats) -> Floats:
        """How strongly it acts at each point."""
        return np.exp(-((x - self.x) ** 2 + (y - self.y) ** 2) / (2 * self.length**2))


def read_anchors(path: Path) -> list[Anchor]:
    """The anchors file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Anchor(r["where"], r["name"], float(r["lon"]), float(r["lat"]), r["used"] == "1", r["note"])
            for r in csv.DictReader(file)
        ]


class Fit:
    """The fitted projection of a board."""

    def __init__(self, board: Board, anchors: list[Anchor]) -> None:
        self._to_plane = pyproj.Transformer.from_crs("EPSG:4326", PROJECTION, always_xy=True)
        used = [a for a in anchors if a.used]
        self.turn, self.shift = self._similarity(used, board)
        self.pulls = self._sheet(used, board)

    def plain(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        """Board points of places by projection and similarity alone."""
        east, south = self._metres(lon, lat)
        moved = (east + 1j * south) * self.turn + self.shift
        return moved.real, moved.imag

    def to_board(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        """Board points of places."""
        return self._warp(*self.plain(lon, lat))

    def point(self, lon: float, lat: float) -> Point:
        """Board point of one place."""
        x, y = self.to_board(np.array([lon]), np.array([lat]))
        return float(x[0]), float(y[0])

    def to_globe(self, x: float, y: float) -> Point:
        """Longitude and latitude of a board point (the rubber sheet undone by iteration)."""
        u, v = np.array([x]), np.array([y])
        for _ in range(25):
            wx, wy = self._warp(u, v)
            u, v = u + x - wx, v + y - wy
        plane = (complex(u[0], v[0]) - self.shift) / self.turn
        lon, lat = self._to_plane.transform(
            plane.real * METRES_PER_HEX, -plane.imag * METRES_PER_HEX, direction="INVERSE"
        )
        return float(lon), float(lat)

    def residual(self, anchor: Anchor, board: Board, *, sheet: bool) -> float:
        """Distance in hexes between an anchor and where the fit puts it."""
        place = self.to_board if sheet else self.plain
        x, y = place(np.array([anchor.lon]), np.array([anchor.lat]))
        tx, ty = anchor.target(board)
        return float(np.hypot(x[0] - tx, y[0] - ty))

    def _metres(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        east, north = self._to_plane.transform(np.asarray(lon, float), np.asarray(lat, float))
        return np.asarray(east) / METRES_PER_HEX, -np.asarray(north) / METRES_PER_HEX

    def _similarity(self, anchors: list[Anchor], board: Board) -> tuple[complex, complex]:
        """Least squares with soft-L1 loss, by reweighting until it stands still."""
        east, south = self._metres(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
        targets = np.array([a.target(board) for a in anchors])
        one, zero = np.ones_like(east), np.zeros_like(east)
        design = np.vstack([np.column_stack([east, -south, one, zero]), np.column_stack([south, east, zero, one])])
        wanted = np.concatenate([targets[:, 0], targets[:, 1]])
        weight = np.ones_like(wanted)
        solution = np.zeros(4)
        for _ in range(500):
            root = np.sqrt(weight)
            solution = np.linalg.lstsq(design * root[:, None], wanted * root, rcond=None)[0]
            weight = 1 / np.sqrt(1 + ((design @ solution - wanted) / SOFT) ** 2)
        return complex(solution[0], solution[1]), complex(solution[2], solution[3])

    def _sheet(self, anchors: list[Anchor], board: Board) -> list[Pull]:
        """A Gaussian process on the residuals of the named hexes, and one wide pull for a strait."""
        lon, lat = np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors])
        x, y = self.plain(lon, lat)
        targets = np.array([a.target(board) for a in anchors])
        on_side = np.array(["/" in a.where for a in anchors])
        towns = np.column_stack([x, y])[~on_side]
        missing = targets[~on_side] - towns
        gap = ((towns[:, None] - towns[None]) ** 2).sum(-1)
        covariance = SHEET_SIGMA**2 * np.exp(-gap / (2 * SHEET_LENGTH**2))
        weights = np.linalg.solve(covariance + np.eye(len(towns)) * SHEET_NOISE**2, missing) * SHEET_SIGMA**2
        pulls = [
            Pull(float(tx), float(ty), float(dx), float(dy), SHEET_LENGTH)
            for (tx, ty), (dx, dy) in zip(towns, weights, strict=True)
        ]
        town_pulls = list(pulls)
        for i in np.flatnonzero(on_side):
            px, py = x[i : i + 1], y[i : i + 1]
            dx = sum(float(p.weight(px, py)[0]) * p.dx for p in town_pulls)
            dy = sum(float(p.weight(px, py)[0]) * p.dy for p in town_pulls)
            tx, ty = float(targets[i, 0]), float(targets[i, 1])
            here_x, here_y = float(x[i]), float(y[i])
            pulls.append(Pull(here_x, here_y, tx - here_x - dx, ty - here_y - dy, STRAIT_LENGTH))
        return pulls

    def _warp(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        dx, dy = np.zeros_like(x), np.zeros_like(y)
        for pull in self.pulls:
            weight = pull.weight(x, y)
            dx += weight * pull.dx
            dy += weight * pull.dy
        return x + dx, y + dy
