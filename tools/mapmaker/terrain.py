"""Terrain of each hex: from height and from the marshes drawn by hand."""

from __future__ import annotations

import numpy as np
import shapely

from tools.mapmaker.draft import Draft
from tools.mapmaker.regions import Regions
from tools.mapmaker.relief import Relief
from tools.mapmaker.surface import LAND, Surface

MOUNTAIN_HEIGHT = 620.0  # metres, mean of the hex
STEEP_SPREAD, STEEP_HEIGHT = 650.0, 380.0
HILL_HEIGHT, HILL_SPREAD = 345.0, 170.0
MARSH_SHARE = 0.5  # of the land of the hex


def paint(draft: Draft, surface: Surface, relief: Relief, regions: Regions) -> None:
    """Set the terrain of every hex; a town on the edge of a marsh stands on dry ground."""
    marsh, share = _marshes(draft, surface, regions)
    towns = {place.hex for place in draft.places}
    for number, name in enumerate(draft.board.hexes):
        if not draft.is_land(name):
            draft.terrain[name] = draft.water[name]
            continue
        terrain = _ground(float(relief.mean[number]), float(relief.spread[number]))
        if terrain == "clear" and share[number] > MARSH_SHARE and name not in towns:
            terrain = "swamp"
        draft.terrain[name] = terrain
        if share[number] > MARSH_SHARE:
            draft.marsh[name] = marsh[name]


def _ground(height: float, spread: float) -> str:
    if height > MOUNTAIN_HEIGHT or (spread > STEEP_SPREAD and height > STEEP_HEIGHT):
        return "mountain"
    return "hills" if height > HILL_HEIGHT or spread > HILL_SPREAD else "clear"


def _marshes(draft: Draft, surface: Surface, regions: Regions) -> tuple[dict[str, str], list[float]]:
    """The marsh each hex touches, and the share of its land that is marsh."""
    ground = surface.ground
    wet = np.zeros(len(draft.board.hexes))
    names: dict[str, str] = {}
    for name, outline in regions.marshes:
        shapely.prepare(outline)
        inside = np.flatnonzero((ground.kind == LAND) & shapely.contains_xy(outline, ground.lon, ground.lat))
        here = np.bincount(ground.hex[inside], ground.area[inside], len(wet))
        wet += here
        for number in np.flatnonzero(here):
            names[draft.board.hexes[int(number)]] = name
    land = np.maximum(surface.areas * surface.hexes[:, LAND], 1e-9)
    return names, [float(v) for v in wet / land]
