"""Land, sea and lake: what share of each hex and of each hex-side they take, and what it becomes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.mapmaker.board import Board, Floats, Ints, Side
from tools.mapmaker.fit import Placing
from tools.mapmaker.regions import Regions, inside
from tools.mapmaker.shoreline import Samples

SEA, LAND, LAKE = 0, 1, 2
SIDE_BAND = 0.13  # hexes: how far from a side a sample still speaks for the side
LAKE_HEX = 0.55  # share of lake that makes a lake hex
LAND_HEX = 0.22  # share of land that makes a land hex
SEA_SIDE, SEA_LAKE_SIDE, LAKE_SIDE = 0.80, 0.85, 0.48


@dataclass(frozen=True)
class Ground:
    """The sample points that fall on the board: place, kind of surface, hex, and area they stand for."""

    lon: Floats
    lat: Floats
    kind: Ints
    hex: Ints
    area: Floats


@dataclass(frozen=True)
class Surface:
    """Shares of sea, land and lake, by hex and by side."""

    ground: Ground
    hexes: Floats
    sides: dict[Side, Floats]
    areas: Floats

    def water_of(self, number: int) -> str:
        """What a hex is by its shares alone: ``sea``, ``lake`` or ``land``."""
        sea, land, lake = (float(v) for v in self.hexes[number])
        if lake > LAKE_HEX and lake > sea:
            return "lake"
        if land < LAND_HEX:
            return "sea" if sea >= lake else "lake"
        return "land"

    def side_kind(self, side: Side) -> str:
        """What a side between two land hexes is by its shares alone: ``sea``, ``lake`` or nothing."""
        sea, _, lake = (float(v) for v in self.sides.get(side, np.array([0.0, 1.0, 0.0])))
        if sea > SEA_SIDE or (sea + lake > SEA_LAKE_SIDE and sea > 0.5):
            return "sea"
        return "lake" if lake > LAKE_SIDE else ""


def survey(board: Board, fit: Placing, samples: Samples, regions: Regions) -> Surface:
    """Put the sample points on the board and count."""
    kind = _kinds(samples, regions)
    x, y = fit.to_board(samples.lon, samples.lat)
    near = (x > -0.6) & (x < board.columns + 1.6) & (y > -0.2) & (y < (board.rows + 1.2))
    lon, lat, kind, x, y = samples.lon[near], samples.lat[near], kind[near], x[near], y[near]
    area = np.cos(np.radians(lat))
    first, second, to_first, to_second = board.two_nearest(x, y)
    on_map = first >= 0
    hexes = np.zeros((len(board.hexes), 3))
    np.add.at(hexes, (first[on_map], kind[on_map]), area[on_map])
    areas = hexes.sum(axis=1)
    in_band = on_map & (second >= 0) & ((to_second**2 - to_first**2) / 2 < SIDE_BAND)
    sides = _side_shares(board, first[in_band], second[in_band], kind[in_band], area[in_band])
    ground = Ground(lon[on_map], lat[on_map], kind[on_map], first[on_map], area[on_map])
    return Surface(ground, hexes / areas[:, None], sides, areas)


def _kinds(samples: Samples, regions: Regions) -> Ints:
    """Sea, land or lake: small and man-made lakes count as land, the Caspian as sea."""
    kind = np.where(samples.level == 0, SEA, LAND)
    watery = (samples.level == 2) | (samples.level == 4)
    for box in regions.lakes.values():
        kind[watery & inside(box, samples.lon, samples.lat)] = LAKE
    for sea in regions.seas:
        if sea.is_lake:
            kind[watery & inside(sea.box, samples.lon, samples.lat)] = SEA
    return kind


def _side_shares(board: Board, a: Ints, b: Ints, kind: Ints, area: Floats) -> dict[Side, Floats]:
    count = len(board.hexes)
    keys, index = np.unique(np.minimum(a, b) * count + np.maximum(a, b), return_inverse=True)
    sums = np.zeros((len(keys), 3))
    np.add.at(sums, (index, kind), area)
    return {
        (board.hexes[int(key) // count], board.hexes[int(key) % count]): row / row.sum()
        for key, row in zip(keys, sums, strict=True)
    }
