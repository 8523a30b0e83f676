"""Rivers on the board: past the right bank of each town, then onto the hex-sides."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.mapmaker.board import Corner, Floats, Side
from tools.mapmaker.corrections import Course
from tools.mapmaker.draft import Draft
from tools.mapmaker.fit import Placing
from tools.mapmaker.trace import Tracer, densify, longest_stretch_inside
from tools.mapmaker.waterways import Network, River

ANYWHERE = 9.0  # hexes
SOURCE_REACH, MOUTH_REACH, JOIN_REACH = 1.1, 1.3, 1.6
BORDER_FAVOUR = 0.18
CARRY = 1.3  # hexes: how far a town carries its river along with it to the centre of its hex
BANK_REACH, BANK_DISTANCE, BANK_WIDTH = 1.25, 0.56, 1.05


@dataclass(frozen=True)
class Bank:
    """The compass bearing from a town to the river that passes it."""

    river: str
    place: str
    bearing: float


def read_banks(path: Path) -> list[Bank]:
    """The banks file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Bank(r["river"], r["place"], float(r["bearing"])) for r in csv.DictReader(file)]


def upstream_last(rivers: list[River]) -> list[River]:
    """Main rivers, then their tributaries, then theirs."""
    parents = {river.id: river.parent for river in rivers}

    def depth(river: River) -> int:
        steps, parent = 0, river.parent
        while parent:
            steps, parent = steps + 1, parents[parent]
        return steps

    return sorted(rivers, key=depth)


class RiverLayer:
    """Lays rivers on a draft, one after the other."""

    def __init__(self, draft: Draft, fit: Placing, network: Network, banks: list[Bank], courses: list[Course]) -> None:
        self.draft, self.fit, self.network, self.banks = draft, fit, network, banks
        self.courses = {course.river: course for course in courses}
        self.board = draft.board
        self.tracer = Tracer(self.board)
        self.chains: dict[str, list[Side]] = {}
        self._shore = self._shore_corners()

    def lay(self, river: River) -> None:
        """Trace one river and write it on the draft's sides, except where these are water already."""
        line, to_its_end = longest_stretch_inside(self.board, self._line(river))
        if len(line) < 5:
            raise ValueError(f"the {river.id} does not touch the map")
        start, end = self._ends(river, line, to_its_end)
        chain = self._chain(river, line, start, end)
        self.chains[river.id] = chain
        for side in chain:
            if side not in self.draft.barrier:
                self.draft.rivers[side].append(river.name)

    def corners(self, river: str) -> set[Corner]:
        """The corners a river passes."""
        return {corner for side in self.chains[river] for corner in self.board.corners_of[side]}

    def _shore_corners(self) -> set[Corner]:
        return {
            corner for side, kind in self.draft.barrier.items() if kind in ("sea", "lake")
            for corner in self.board.corners_of[side]
        }  # fmt: skip

    def _line(self, river: River) -> Floats:
        """The river on the board, each town on its bank."""
        globe = self.network.follow(river.course)
        line = densify(np.column_stack(self.fit.to_board(globe[:, 0], globe[:, 1])))
        for bank in self.banks:
            place = self.draft.place(bank.place) if bank.river == river.id else None
            if place is None:
                continue
            town = np.array(self.board.centre(place.hex))
            real = np.array(self.fit.point(place.lon, place.lat))
            away = np.hypot(*(line - real).T)
            line = line + np.exp(-((away / CARRY) ** 2))[:, None] * (town - real)
            towards = self._direction(place.lon, place.lat, bank.bearing)
            across = (line - town) @ towards
            along = (line - town) @ np.array([-towards[1], towards[0]])
            wanted = BANK_DISTANCE * np.clip(1 - np.abs(along / BANK_WIDTH) ** 4, -1, 1)
            moved = (np.hypot(across, along) < BANK_REACH) & (across < wanted)
            line[moved] += (wanted - across)[moved, None] * towards
        return line

    def _direction(self, lon: float, lat: float, bearing: float) -> Floats:
        angle, step = math.radians(bearing), 0.05
        here = np.array(self.fit.point(lon, lat))
        there = np.array(
            self.fit.point(lon + step * math.sin(angle) / math.cos(math.radians(lat)), lat + step * math.cos(angle))
        )
        towards: Floats = (there - here) / np.hypot(*(there - here))
        return towards

    def _ends(self, river: River, line: Floats, to_its_end: bool) -> tuple[Corner, Corner]:
        everywhere = range(len(self.board.corner_points))
        start = end = None
        if river.from_water:
            start = self.tracer.nearest_corner(line[0], self._shore, SOURCE_REACH)
        if to_its_end and river.parent:
            end = self.tracer.nearest_corner(line[-1], self.corners(river.parent), JOIN_REACH)
        elif to_its_end and river.to_water:
            end = self.tracer.nearest_corner(line[-1], self._shore, MOUTH_REACH)
        if start is None:
            start = self.tracer.nearest_corner(line[0], everywhere, ANYWHERE)
        if end is None:
            end = self.tracer.nearest_corner(line[-1], everywhere, ANYWHERE)
        if start is None or end is None:
            raise ValueError(f"the {river.id} begins or ends too far from the map")
        return start, end

    def _chain(self, river: River, line: Floats, start: Corner, end: Corner) -> list[Side]:
        favoured = self._along_borders(river)
        course = self.courses.get(river.id)
        if course is None:
            return self.tracer.chain(self.tracer.costs(line, (), favoured), start, end)
        fixed = [self.board.parse_side(text) for text in course.sides]
        if course.part == "whole":
            return fixed
        if course.part == "through":
            return self._through(line, start, end, fixed, favoured)
        if course.part == "lower":
            meeting = self._free_corner(fixed[0], fixed[1])
            return self.tracer.chain(self.tracer.costs(line, fixed), start, meeting) + fixed
        meeting = self._free_corner(fixed[-1], fixed[-2])
        return fixed + self.tracer.chain(self.tracer.costs(line, fixed, favoured), meeting, end)

    def _through(
        self, line: Floats, start: Corner, end: Corner, via: list[Side], favoured: Mapping[Side, float]
    ) -> list[Side]:
        chain: list[Side] = []
        here = start
        for side in via:
            a, b = self.board.corners_of[side]
            if here in (a, b):
                chain.append(side)
                here = b if here == a else a
                continue
            near, far = sorted(
                (a, b), key=lambda corner: math.dist(self.tracer.corners[corner], self.tracer.corners[here])
            )
            chain += self.tracer.chain(self.tracer.costs(line, (side,), favoured), here, near)
            chain.append(side)
            here = far
        return chain + self.tracer.chain(self.tracer.costs(line, (), favoured), here, end)

    def _free_corner(self, outer: Side, inner: Side) -> Corner:
        """The end of a chain: the corner of its outermost side that the next side does not share."""
        (free,) = set(self.board.corners_of[outer]) - set(self.board.corners_of[inner])
        return free

    def _along_borders(self, river: River) -> dict[Side, float]:
        wanted = {frozenset(pair.split("/")) for pair in river.along}
        country = self.draft.country
        return {
            (a, b): BORDER_FAVOUR for a, b in self.board.sides
            if frozenset((country.get(a, ""), country.get(b, ""))) in wanted
        }  # fmt: skip
