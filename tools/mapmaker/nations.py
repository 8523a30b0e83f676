"""Countries of 22 June 1941: present-day outlines, cut by hand, then a vote of each hex's sample points."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Point, Polygon

from tools.mapmaker.board import Board
from tools.mapmaker.fit import Placing
from tools.mapmaker.shoreline import read_outline
from tools.mapmaker.surface import SEA, Ground

EVERY = 3  # each so manieth sample point votes
HOSTS = {"DE", "RO", "HU", "BG"}
FREE_IN_THE_AXIS = {"DE", "HU", "IT"}
"""Units of these may be set up in an ally's country; the others mark a hex as their own country's."""

Outlines = dict[str, MultiPolygon | Polygon]


@dataclass(frozen=True)
class SetUp:
    """A unit's hex in the historical set-up."""

    unit: str
    nation: str
    hex: str


def read_set_up(units: Path) -> list[SetUp]:
    """Who stands where, from the unit list."""
    with units.open(encoding="utf-8", newline="") as file:
        return [SetUp(r["id"], r["nation"], r["setup"]) for r in csv.DictReader(file) if r["setup"]]


def outlines_of_1941(borders: Sequence[Path], outlines: Path) -> Outlines:
    """The outline of each country of June 1941, from one borders file or several together."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in borders]
    owners = {code: owner for data in files for code, owner in data["owner"].items()}
    cuts = [cut for data in files for cut in data["cut"]]
    shapes = {code: read_outline(outlines, code) for code in owners}
    parts: dict[str, list[MultiPolygon | Polygon]] = defaultdict(list)
    for code, owner in owners.items():
        kept = shapes[code]
        for cut in cuts:
            if cut["of"] == code:
                piece = Polygon(cut["outline"]).buffer(0)
                parts[cut["to"]].append(kept.intersection(piece))
                kept = kept.difference(piece)
        parts[owner].append(kept)
    return {owner: shapely.union_all(pieces) for owner, pieces in parts.items()}


def vote(board: Board, fit: Placing, ground: Ground, countries: Outlines, land: set[str]) -> dict[str, str]:
    """The country of each land hex."""
    voters = np.flatnonzero((np.arange(len(ground.hex)) % EVERY == 0) & (ground.kind != SEA))
    lon, lat = ground.lon[voters], ground.lat[voters]
    votes: dict[str, dict[str, float]] = defaultdict(dict)
    undecided = np.ones(len(voters), dtype=bool)
    for code, outline in countries.items():
        shapely.prepare(outline)
        inside = np.flatnonzero(undecided)
        inside = inside[shapely.contains_xy(outline, lon[inside], lat[inside])]
        undecided[inside] = False
        weights = np.bincount(ground.hex[voters[inside]], ground.area[voters[inside]], len(board.hexes))
        for number in np.flatnonzero(weights):
            votes[board.hexes[int(number)]][code] = float(weights[number])
    return {
        name: max(votes[name], key=votes[name].__getitem__) if votes[name] else _nearest(board, fit, countries, name)
        for name in board.hexes
        if name in land
    }


def _nearest(board: Board, fit: Placing, countries: Outlines, name: str) -> str:
    here = Point(fit.to_globe(*board.centre(name)))
    return min(countries, key=lambda code: float(countries[code].distance(here)))


def claim(countries: dict[str, str], set_up: list[SetUp]) -> list[str]:
    """Give each set-up hex to the side that stands on it; returns the hexes that changed hands."""
    changed = []
    for stand in set_up:
        here = countries[stand.hex]
        guest = stand.nation in FREE_IN_THE_AXIS
        owner = stand.nation if not guest else here if here in HOSTS else "DE"
        if owner != here:
            countries[stand.hex] = owner
            changed.append(stand.hex)
    return changed
