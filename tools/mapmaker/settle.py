"""Places: each city or town into the hex the rules name, or else into the nearest free one."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import hypot
from pathlib import Path

from tools.mapmaker.board import Board
from tools.mapmaker.draft import Place
from tools.mapmaker.fit import Fit
from tools.mapmaker.surface import LAND, Surface

RANK = {"major": 1, "city": 2, "town": 3}
REACH_MAJOR, REACH = 0.9, 0.78  # hexes a place may be moved from where the fit puts it
LAND_FOR_PORT, LAND_FOR_PLACE = 0.12, 0.3  # least share of land in its hex


def read_places(path: Path) -> list[Place]:
    """The places file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Place(
                r["name"], float(r["lon"]), float(r["lat"]), r["kind"], int(r["victory"]),
                r["factory"] == "1", r["port"], r["fortress"] == "1", r["fuel"], r["hex"], r["country"],
                r["minor"] == "1", r["source"], r["confidence"], r["note"],
            )
            for r in csv.DictReader(file)
        ]  # fmt: skip


def settle(places: list[Place], board: Board, fit: Fit, surface: Surface) -> list[Place]:
    """The places with their hexes; places with a fixed hex choose first, then the greater ones."""
    taken: dict[str, Place] = {}
    for place in sorted(places, key=_turn):
        name = place.fixed or _nearest_free(place, board, fit, surface, set(taken))
        if name in taken:
            raise ValueError(f"{place.name} and {taken[name].name} are both in {name}")
        if not name:
            raise ValueError(f"no free hex near {place.name}: give it one, or leave it out")
        taken[name] = replace(place, hex=name)
    return sorted(taken.values(), key=lambda p: (-min(p.victory, 1), RANK[p.kind], board.order[p.hex]))


def _turn(place: Place) -> tuple[int, int]:
    rank = 0 if place.victory else RANK[place.kind]
    return (0 if place.fixed else 1, rank)


def _nearest_free(place: Place, board: Board, fit: Fit, surface: Surface, taken: set[str]) -> str:
    x, y = fit.point(place.lon, place.lat)
    reach = REACH_MAJOR if place.kind == "major" else REACH
    least_land = LAND_FOR_PORT if place.port else LAND_FOR_PLACE
    for number in board.near(x, y, reach):
        if board.hexes[number] not in taken and surface.hexes[number][LAND] >= least_land:
            return board.hexes[number]
    return ""


def offset(place: Place, board: Board, fit: Fit) -> float:
    """Distance in hexes between a place and the centre of its hex."""
    x, y = fit.point(place.lon, place.lat)
    centre_x, centre_y = board.centre(place.hex)
    return hypot(x - centre_x, y - centre_y)
