"""What follows from the rest: Stalin Line, Arctic Weather Line, seas and coasts, map-edge supply."""

from __future__ import annotations

import math

import numpy as np

from tools.mapmaker.board import Side
from tools.mapmaker.corrections import Works
from tools.mapmaker.draft import Draft, Stalin
from tools.mapmaker.fit import Fit
from tools.mapmaker.regions import Fortified, Regions
from tools.mapmaker.rivers import ANYWHERE, RiverLayer
from tools.mapmaker.trace import densify

BANK_FAVOUR = 0.05  # works that stood on a river keep to it
SUPPLY_WEST = {"DE": "DE", "RO": "RO", "SK": "DE", "HU": "DE"}
"""Whose sources the hexes on the western map edge are. Hungarian units draw on German sources (XIV.A) and
begin in "Greater Germany" (XVI.C), so Hungary's edge counts as German; without it the German 11th Army in
Romania would have no source, for nowhere else do Germany and Romania join."""


def name_waters(draft: Draft, fit: Fit, regions: Regions) -> None:
    """Name the sea of each sea hex, and the seas each land hex touches."""
    board = draft.board
    for name in board.hexes:
        if draft.water[name] == "sea":
            draft.sea[name] = regions.sea_at(*fit.to_globe(*board.centre(name)))
    for side, kind in draft.barrier.items():
        if kind == "lake":
            continue
        for here, there in (side, side[::-1]):
            if draft.is_land(here):
                sea = draft.sea.get(there) or regions.sea_at(*fit.to_globe(*board.middle(side)))
                draft.coast[here].add(sea)
    for place in draft.places:
        if place.port and place.port != "coast":
            draft.coast[place.hex].update(place.port.split(";"))


def draw_arctic_line(draft: Draft, fit: Fit, regions: Regions) -> None:
    """Mark the hexes north-east of the Arctic Weather Line."""
    board = draft.board
    draft.arctic = {name for name in board.hexes if regions.is_arctic(*fit.to_globe(*board.centre(name)))}


def mark_edges(draft: Draft) -> None:
    """Mark the map-edge supply sources of each country (XIV.A)."""
    board = draft.board
    for name in board.hexes:
        if not draft.is_land(name):
            continue
        row, column = divmod(board.grid.index(name), board.grid.stride)
        country = draft.country[name]
        if country == "SU" and (column == board.columns - 1 or row == board.rows - 1):
            draft.edge[name] = "SU"
        elif column == 0 and country in SUPPLY_WEST:
            draft.edge[name] = SUPPLY_WEST[country]
        elif row == 0 and country == "FI":
            draft.edge[name] = "FI"


def build_stalin_line(
    draft: Draft, fit: Fit, layer: RiverLayer, regions: list[Fortified], works: list[Works], capital: str
) -> None:
    """Lay the fortified regions on hex-sides; the defended hex is the one nearer to the capital."""
    board = draft.board
    rear = board.centre(capital)
    found: dict[Side, Stalin] = {}
    for region in regions:
        for side in _works_sides(draft, fit, layer, region):
            held, front = sorted(side, key=lambda name: math.dist(board.centre(name), rear))
            found.setdefault(side, Stalin(held, front, region.name))
    for fix in works:
        side = board.side(fix.held, fix.front)
        if fix.remove:
            if side not in found:
                raise ValueError(f"corrections: no works between {fix.held} and {fix.front} to take out")
            del found[side]
            continue
        found[side] = Stalin(fix.held, fix.front, fix.name, fix.because)
    draft.stalin = list(found.values())


def _works_sides(draft: Draft, fit: Fit, layer: RiverLayer, region: Fortified) -> list[Side]:
    tracer, board = layer.tracer, draft.board
    line = densify(np.column_stack(fit.to_board(region.line[:, 0], region.line[:, 1])))
    pool = layer.corners(region.river) if region.river else set(range(len(board.corner_points)))
    start = tracer.nearest_corner(line[0], pool, ANYWHERE)
    end = tracer.nearest_corner(line[-1], pool, ANYWHERE)
    assert start is not None and end is not None
    if start == end:
        end = min(
            (corner for corner, _ in board.sides_at[start]),
            key=lambda corner: math.dist(tracer.corners[corner], line[-1]),
        )
    wet = [side for side, kind in draft.barrier.items() if kind in ("sea", "lake")]
    favoured = dict.fromkeys(layer.chains.get(region.river, []), BANK_FAVOUR)
    return [
        side for side in tracer.chain(tracer.costs(line, wet, favoured), start, end)
        if side not in wet and all(draft.is_land(name) for name in side)
    ]  # fmt: skip
