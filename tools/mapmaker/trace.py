"""From a line in the plane to the chain of hex-sides that runs closest to it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

import numpy as np

from tools.mapmaker.board import Board, Corner, Floats, Side
from tools.mapmaker.ways import cheapest

SPACING = 0.04  # hexes between the points of a densified line
PROBES = (0.17, 0.5, 0.83)  # where along a side its distance to the line is taken
STEP_COST, NEAR_COST, FAR_COST = 0.04, 8.0, 60.0
FORBIDDEN_COST = 90.0
MARGIN_LOW, MARGIN_HIGH = 0.75, 0.4  # how far beyond the outer hex centres a line still counts, hexes


def densify(line: Floats) -> Floats:
    """The line with points close together."""
    pieces = [line[:1]]
    for a, b in pairwise(line):
        count = max(1, int(math.hypot(*(b - a)) / SPACING))
        share = np.arange(1, count + 1)[:, None] / count
        pieces.append(a + (b - a) * share)
    return np.concatenate(pieces)


def longest_stretch_inside(board: Board, line: Floats) -> tuple[Floats, bool]:
    """The longest unbroken stretch on the map, and whether it reaches the line's lower end."""
    row = line[:, 1] / (math.sqrt(3) / 2)
    inside = (
        (line[:, 0] > MARGIN_LOW) & (line[:, 0] < board.columns + MARGIN_LOW)
        & (row > 0.6) & (row < board.rows + MARGIN_HIGH)
    )  # fmt: skip
    where = np.flatnonzero(inside)
    if not len(where):
        return line[:0], False
    stretches = np.split(where, np.flatnonzero(np.diff(where) > 1) + 1)
    longest = max(stretches, key=len)
    return line[longest], bool(longest[-1] == len(line) - 1)


class Tracer:
    """Finds chains of sides on a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        corners = np.array(board.corner_points)
        self.corners: Floats = corners
        ends = np.array([board.corners_of[side] for side in board.sides])
        a, b = corners[ends[:, 0]], corners[ends[:, 1]]
        self._probes = np.stack([a + (b - a) * share for share in PROBES], axis=1)

    def nearest_corner(self, point: Floats, among: Iterable[Corner], reach: float) -> Corner | None:
        """The corner nearest to a point, when one lies within reach."""
        pool = np.array(sorted(among))
        if not len(pool):
            return None
        distance = np.hypot(*(self.corners[pool] - point).T)
        best = int(distance.argmin())
        return int(pool[best]) if distance[best] < reach else None

    def costs(
        self, line: Floats, forbidden: Collection[Side] = (), favoured: Mapping[Side, float] | None = None
    ) -> dict[Side, float]:
        """What it costs a chain to use each side: little near the line, much away from it."""
        favoured = favoured or {}
        squared = np.full(self._probes.shape[:2], np.inf)
        for start in range(0, len(line), 200):
            part = line[start : start + 200]
            gap = self._probes[:, :, None, :] - part[None, None]
            squared = np.minimum(squared, (gap**2).sum(-1).min(-1))
        cost = STEP_COST + (NEAR_COST * squared + FAR_COST * squared**2).mean(axis=1)
        return {
            side: float(value) * favoured.get(side, 1.0) + (FORBIDDEN_COST if side in forbidden else 0.0)
            for side, value in zip(self.board.sides, cost, strict=True)
        }

    def chain(self, cost: Mapping[Side, float], start: Corner, goal: Corner) -> list[Side]:
        """The cheapest chain of sides from corner to corner."""
        way = cheapest(start, goal, lambda here: ((there, cost[side]) for there, side in self.board.sides_at[here]))
        return [dict(self.board.sides_at[here])[there] for here, there in pairwise(way)]
