"""Heights of the ground: the topographic grid of Recommendation ITU-R P.1511, as shipped in ``itur``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.mapmaker.board import Board, Floats
from tools.mapmaker.fit import Placing
from tools.mapmaker.shoreline import PORTFOLIO, Window


@dataclass(frozen=True)
class Relief:
    """Mean height of each hex, and the spread between its low and its high ground, in metres."""

    mean: Floats
    spread: Floats


def read_relief(folder: Path, board: Board, fit: Placing, window: Window = PORTFOLIO) -> Relief:
    """Heights by hex."""
    lat, lon, height = (np.load(folder / f"v2_{name}.npz")["arr_0"] for name in ("lat", "lon", "topo"))
    rows = np.flatnonzero((lat[:, 0] > window.south) & (lat[:, 0] < window.north))
    columns = np.flatnonzero((lon[0] > window.west) & (lon[0] < window.east))
    part = np.ix_(rows, columns)
    x, y = fit.to_board(lon[part].ravel(), lat[part].ravel())
    hexes, _, _, _ = board.two_nearest(x, y)
    heights = np.maximum(height[part].ravel(), 0)
    mean, spread = np.zeros(len(board.hexes)), np.zeros(len(board.hexes))
    for number in range(len(board.hexes)):
        here = heights[hexes == number]
        if len(here):
            mean[number] = here.mean()
            spread[number] = np.percentile(here, 92) - np.percentile(here, 8)
    return Relief(mean, spread)
