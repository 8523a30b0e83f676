"""Front lines on the board: shares of control as a veil, and lines between what two sides held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin, sqrt
from typing import Any

from rasputitsa.render.board import Board
from rasputitsa.render.svg import line, path, tag, text

RADIUS = 1 / sqrt(3)
HELD, HISTORICAL, LOCAL = "#3c4a3c", "#2f3fb5", "#c43a1c"
HALF = 0.5
Centre = tuple[float, float]


def front_board(
    static: Mapping[str, Any], shares: Mapping[str, float], historical: Sequence[str], title: str
) -> str:  # fmt: skip
    """The board with the share of games in which a side held each hex, its front, and the historical one.

    ``historical`` names, row by row, the last hex the side held.
    """
    hexes = {h["id"]: h for h in static["map"]["hexes"]}
    at = {name: (float(h["x"]), float(h["y"])) for name, h in hexes.items()}
    land = {name for name, h in hexes.items() if h["terrain"] not in ("sea", "lake") and not h.get("neutral")}
    parts = [
        tag("path", d=path(_corners(at[name])), fill=HELD, fill_opacity=round(0.45 * share, 3))
        for name, share in sorted(shares.items())
        if name in land and share > 0
    ]
    near = _neighbours(at)
    for name in sorted(land):
        for other in near[name]:
            held, beyond = shares.get(name, 0.0) >= HALF, shares.get(other, 0.0) >= HALF
            if name < other and other in land and held != beyond:
                parts.append(line(*_edge(at[name], at[other]), stroke=LOCAL, stroke_width=0.14, stroke_linecap="round"))
    points = [(at[name][0] + 0.5, at[name][1]) for name in historical if name in at]
    for start, end in pairwise(points):
        if abs(end[1] - start[1]) < 1.0:  # one row to the next; further is a gap, such as a gulf
            parts.append(line(start, end, stroke=HISTORICAL, stroke_width=0.16, stroke_dasharray="0.3 0.2"))
    words = "red: half of the games; blue, dashed: historical; shade: share of games"
    parts.append(text(static["map"]["width"] / 2, static["map"]["height"] + 0.15, words, 0.3, fill="#2b2a26"))
    picture = Board(static).svg(None, title)
    assert picture.endswith("</svg>")
    return picture.removesuffix("</svg>") + tag("g", "".join(parts)) + "</svg>"


def row_differences(
    static: Mapping[str, Any], shares: Mapping[str, float], historical: Sequence[str]
) -> dict[str, float]:  # fmt: skip
    """For each historical hex: how many land hexes of its row more (fewer) the side holds than it did, on average."""
    hexes = static["map"]["hexes"]
    at = {h["id"]: h for h in hexes}
    found = {}
    for name in historical:
        if name not in at:
            continue
        row = [
            h for h in hexes
            if h["y"] == at[name]["y"] and h["terrain"] not in ("sea", "lake") and not h.get("neutral")
        ]  # fmt: skip
        then = sum(h["x"] <= at[name]["x"] for h in row)
        found[name] = sum(shares.get(h["id"], 0.0) for h in row) - then
    return found


def _corners(centre: Centre) -> list[Centre]:
    x, y = centre
    return [(x + RADIUS * cos(pi / 6 + n * pi / 3), y + RADIUS * sin(pi / 6 + n * pi / 3)) for n in range(6)]


def _edge(a: Centre, b: Centre) -> tuple[Centre, Centre]:
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    along = (-(b[1] - a[1]) * RADIUS / 2, (b[0] - a[0]) * RADIUS / 2)
    return (middle[0] - along[0], middle[1] - along[1]), (middle[0] + along[0], middle[1] + along[1])


def _neighbours(at: Mapping[str, Centre]) -> dict[str, list[str]]:
    spots = {(round(x * 2), round(y * 2 / sqrt(3))): name for name, (x, y) in at.items()}
    steps = ((2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
    found: dict[str, list[str]] = {}
    for (column, row), name in spots.items():
        around = (spots.get((column + across, row + down)) for across, down in steps)
        found[name] = [other for other in around if other]
    return found
