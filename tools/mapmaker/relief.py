"""Heights of the ground: the topographic grid of Recommendation ITU-R P.1511, as shipped in ``itur``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.mapmaker.board import Board, Floats
from tools.mapmaker.fit import Fit
from tools.mapmaker.shoreline import EAST, NORTH, SOUTH, WEST


@dataclass(frozen=True)
class Relief:
    """Mean height of each hex, and the spread between its low and its high ground, in metres."""

    mean: Floats
    spread: Floats


def read_relief(folder: Path, board: Board, fit: Fit) -> Relief:
    """Heights by hex."""
    lat, lon, height = (np.load(folder / f"v2_{name}.npz")["arr_0"] for name in ("lat", "lon", "topo"))
    rows = np.flatnonzero((lat[:, 0] > SOUTH) & (lat[:, 0] < NORTH))
    columns = np.flatnonzero((lon[0] > WEST) & (lon[0] < EAST))
    window = np.ix_(rows, columns)
    x, y = fit.to_board(lon[window].ravel(), lat[window].ravel())
    hexes, _, _, _ = board.two_nearest(x, y)
    heights = np.maximum(height[window].ravel(), 0)
    mean, spread = np.zeros(len(board.hexes)), np.zeros(len(board.hexes))
    for number in range(len(board.hexes)):
        here = heights[hexes == number]
        if len(here):
            mean[number] = here.mean()
            spread[number] = np.percentile(here, 92) - np.percentile(here, 8)
    return Relief(mean, spread)
