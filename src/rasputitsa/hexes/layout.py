"""Where hexes lie in the plane. Unit of length: the width of a hex (flat side to flat side)."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from rasputitsa.hexes.grid import Grid

ROW_HEIGHT = sqrt(3) / 2
CORNER_RADIUS = 1 / sqrt(3)


def centre(grid: Grid, i: int) -> tuple[float, float]:
    """Centre of a hex, x to the east and y to the south, hex A1 at (0.5, 0.577)."""
    row, column = divmod(i, grid.stride)
    return column + 0.5 + (row & 1) * 0.5, row * ROW_HEIGHT + CORNER_RADIUS


def corners(x: float, y: float, scale: float = 1.0) -> list[tuple[float, float]]:
    """The six corners of the hex centred at (x, y); corner d and d+1 bound the side in direction d."""
    angles = (pi / 6 - d * pi / 3 for d in range(6))
    radius = CORNER_RADIUS * scale
    return [(x + radius * cos(a), y + radius * sin(a)) for a in angles]


def extent(grid: Grid) -> tuple[float, float]:
    """Width and height of the whole map."""
    return grid.columns + (0.5 if grid.rows > 1 else 0.0), (grid.rows - 1) * ROW_HEIGHT + 2 * CORNER_RADIUS
