"""The front at the start of a scenario: which hexes lie on the Axis side."""

from __future__ import annotations

import tomllib
from pathlib import Path

from shapely.geometry import Point, Polygon

from tools.mapmaker.board import Board
from tools.mapmaker.fit import Placing

FAR_WEST = ((10.0, 43.0), (10.0, 71.0))


def read_fronts(path: Path) -> dict[int, Polygon]:
    """For each year with a front inside the country, the land behind it to the west."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {front["year"]: Polygon([*map(tuple, front["line"]), *FAR_WEST]).buffer(0) for front in data["front"]}


def behind(front: Polygon, board: Board, placing: Placing) -> set[str]:
    """The hexes whose centres lie behind a front."""
    return {name for name in board.hexes if front.contains(Point(placing.to_globe(*board.centre(name))))}
