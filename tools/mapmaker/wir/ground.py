"""Land and water, countries and terrain of the map."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from tools.mapmaker.board import Board, Floats
from tools.mapmaker.draft import Draft
from tools.mapmaker.fit import Placing
from tools.mapmaker.nations import Outlines, outlines_of_1941
from tools.mapmaker.regions import Regions
from tools.mapmaker.relief import Relief
from tools.mapmaker.surface import LAND, Surface

LAND_HEX = 0.45  # share of land that makes a land hex
MOUNTAIN_HEIGHT = 620.0  # metres, mean of the hex
STEEP_SPREAD, STEEP_HEIGHT = 650.0, 380.0
MARSH_SHARE = 0.5  # of the land of the hex
DARK = 46.6  # green of the picture below which a hex is forest
FOREST_SOUTH = 47.5  # degrees: south of it dark land is irrigated or salt marsh
STEPPE_SOUTH, STEPPE_WEST = 51.0, 40.0  # no forest south-east of here either
WILDERNESS = 60.6  # degrees: north of it taiga, bog and tundra without roads, all counted as forest


@dataclass(frozen=True)
class Nations:
    """The countries as they are called on this map, and which of them may be entered."""

    outlines: Outlines
    axis: frozenset[str]
    soviet: frozenset[str]

    def at_war(self, country: str) -> bool:
        """Whether units may move in a country."""
        return country in self.axis or country in self.soviet


def read_nations(shared: Path, own: Path, outlines: Path) -> Nations:
    """The countries of both borders files, under the names of this map."""
    data = tomllib.loads(own.read_text(encoding="utf-8"))
    parts = defaultdict(list)
    for code, outline in outlines_of_1941([shared, own], outlines).items():
        parts[data["name"].get(code, code)].append(outline)
    named = {name: shapely.union_all(found) for name, found in parts.items()}
    return Nations(named, frozenset(data["side"]["axis"]), frozenset(data["side"]["soviet"]))


def set_waters(draft: Draft, surface: Surface) -> None:
    """Land or sea; a city is land whatever the shares say. Sides at the water are barriers to rivers."""
    cities = {place.hex for place in draft.places}
    for number, name in enumerate(draft.board.hexes):
        land = name in cities or surface.hexes[number][LAND] >= LAND_HEX
        draft.water[name] = "land" if land else "sea"


def set_shores(draft: Draft) -> None:
    """Mark the sides at which land meets sea."""
    for side in draft.board.sides:
        if any(draft.water[name] == "sea" for name in side):
            draft.barrier[side] = "sea"


def paint(draft: Draft, surface: Surface, relief: Relief, cover: Floats, regions: Regions, placing: Placing) -> None:
    """Terrain of every hex, without rail and city."""
    marsh = _marsh_shares(draft.board, surface, regions)
    for number, name in enumerate(draft.board.hexes):
        if not draft.is_land(name):
            draft.terrain[name] = "sea"
            continue
        lon, lat = placing.to_globe(*draft.board.centre(name))
        height, spread = float(relief.mean[number]), float(relief.spread[number])
        if height > MOUNTAIN_HEIGHT or (spread > STEEP_SPREAD and height > STEEP_HEIGHT):
            draft.terrain[name] = "mountain"
        elif marsh[number] > MARSH_SHARE:
            draft.terrain[name] = "swamp"
        else:
            draft.terrain[name] = "forest" if _is_forest(float(cover[number]), lon, lat) else "clear"


def _is_forest(green: float, lon: float, lat: float) -> bool:
    if lat > WILDERNESS:
        return True
    steppe = lat < STEPPE_SOUTH and lon > STEPPE_WEST
    return green < DARK and lat > FOREST_SOUTH and not steppe


def _marsh_shares(board: Board, surface: Surface, regions: Regions) -> Floats:
    ground = surface.ground
    wet = np.zeros(len(board.hexes))
    for _, outline in regions.marshes:
        shapely.prepare(outline)
        inside = np.flatnonzero((ground.kind == LAND) & shapely.contains_xy(outline, ground.lon, ground.lat))
        wet += np.bincount(ground.hex[inside], ground.area[inside], len(wet))
    shares: Floats = wet / np.maximum(surface.areas * surface.hexes[:, LAND], 1e-9)
    return shares
