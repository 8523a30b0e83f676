"""How well the map of War in Russia keeps to scale and to what the manual says of it, in plain text."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import combinations
from math import dist
from pathlib import Path

import numpy as np
import pyproj

from tools.mapmaker.wir.build import INPUTS, YEARS, WirMap
from tools.mapmaker.wir.cities import City

FAR = 300.0  # km: nearer pairs say little about scale
GLOBE = pyproj.Geod(ellps="sphere")


def report(made: WirMap) -> str:
    """Scale in the open middle and at the edges, anchors, cities far from their place, and counts."""
    frame, board = made.frame, made.draft.board
    lines = [_scale(made)]
    for row in _read(INPUTS / "anchors.csv"):
        away = dist(frame.point(float(row["lon"]), float(row["lat"])), board.centre(row["hex"]))
        lines.append(f"  {row['hex']:6} {row['name']:14} {away:4.2f} hexes; {row['reason']}")
    off = sorted(((_away(made, city), city) for city in made.cities), key=lambda pair: -pair[0])
    lines.append("cities farthest from the centre of their hex:")
    lines += [f"  {city.hex:6} {city.name:14} {gap:4.2f}" for gap, city in off[:8]]
    lines.append(f"terrain {dict(Counter(made.draft.terrain.values()))}, {len(made.passable)} hexes can be entered")
    gauges = {year: sum(side == "A" for side in made.gauge[year].values()) for year in YEARS}
    lines.append(f"{len(made.rails)} rail hexes besides the cities, of Axis gauge: {gauges}")
    lines.append(f"{len(made.draft.rivers)} river sides")
    return "\n".join(lines)


def _away(made: WirMap, city: City) -> float:
    return dist(made.frame.point(city.lon, city.lat), made.draft.board.centre(city.hex))


def _scale(made: WirMap) -> str:
    """The error of distances between the cities that lie where the frame is not pressed together."""
    frame, board = made.frame, made.draft.board
    (low_column, high_column), (low_row, high_row) = (
        (float(knots.drawn[1]), float(knots.drawn[-2])) for knots in (frame.columns, frame.rows)
    )
    inner = []
    for city in made.cities:
        column, row = int(city.hex[:2]), int(city.hex[2:])
        if low_column <= column <= high_column and low_row <= row <= high_row:
            inner.append(city)
    errors = []
    for a, b in combinations(inner, 2):
        true = GLOBE.inv(a.lon, a.lat, b.lon, b.lat)[2] / 1000
        if true > FAR:
            errors.append(frame.kilometres(board.centre(a.hex), board.centre(b.hex)) / true - 1)
    rms = float(np.sqrt(np.mean(np.square(errors))))
    edges = ", ".join(
        f"{where} {knots.scale(at):.2f}"
        for where, knots, at in (
            ("west", frame.columns, 2.0), ("east", frame.columns, 30.0), ("north", frame.rows, 4.0),
            ("south", frame.rows, 31.0),
        )
    )  # fmt: skip
    return (
        f"{len(inner)} cities in the open middle, {len(errors)} distances over {FAR:.0f} km: mean error "
        f"{np.mean(errors):+.1%}, rms {rms:.1%}; share of true distance kept at the edges: {edges}"
    )


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
