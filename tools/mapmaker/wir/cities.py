"""Cities: where they stand, and what they hold at the start of each scenario."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tools.mapmaker.board import Board
from tools.mapmaker.draft import Place
from tools.mapmaker.fit import Placing

STARTS = {1941: "1941-06-22", 1942: "1942-06-28", 1943: "1943-07-04"}
VALUES = ("population", "industry", "vehicle", "artillery", "aircraft", "supply")
REACH = 0.7  # hexes a city may be moved from where the frame puts it


@dataclass(frozen=True)
class Held:
    """A city on a day: whose it is, and its values in the order of ``VALUES``."""

    owner: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class City:
    """A city of the map, or a source of production beyond it."""

    name: str
    lon: float
    lat: float
    fixed: str
    port: str
    fortified: bool
    scores: bool
    owner: str
    history: tuple[tuple[str, str], ...]
    """Changes of hands: the new owner (``A`` or ``S``) and the day."""
    values: tuple[int, ...]
    later: dict[int, tuple[int, ...]]
    """Population and factories at the start of a later year, while the city was never taken; supply centers where they
    are others than before."""
    source: str
    confidence: str
    note: str
    hex: str = ""

    def on(self, day: str) -> Held:
        """The city on a day: each capture leaves nothing but half of its supply centers (8.8)."""
        owner, values = self.owner, self.values
        year = max((year for year in self.later if STARTS[year] <= day), default=0)
        if year:
            values = (*self.later[year], *values[len(self.later[year]) :])
        for taker, taken in self.history:
            if taken <= day:
                owner, values = taker, (0, 0, 0, 0, 0, values[-1] // 2)
        return Held(owner, values)

    def place(self) -> Place:
        """The city as the shared machinery knows places."""
        return Place(
            name=self.name, lon=self.lon, lat=self.lat, kind="city", victory=0, factory=False, port=self.port,
            fortress=self.fortified, fuel="", fixed=self.fixed, country="", minor=False, source=self.source,
            confidence=self.confidence, note=self.note, hex=self.hex,
        )  # fmt: skip


def read_cities(path: Path) -> list[City]:
    """The cities file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            City(
                r["name"], float(r["lon"]), float(r["lat"]), r["hex"], r["port"], r["fortified"] == "1",
                r["scores"] == "1", r["owner"], tuple((c[0], c[1:]) for c in r["history"].split()),
                tuple(int(r[value]) for value in VALUES), dict(_later(r)), r["source"], r["confidence"], r["note"],
            )
            for r in csv.DictReader(file)
        ]  # fmt: skip


def _later(row: dict[str, str]) -> Iterator[tuple[int, tuple[int, ...]]]:
    for year in (1942, 1943):
        text = row[f"later_{year}"]
        if text:
            yield year, tuple(int(part) for part in text.split("/"))


def settle(cities: list[City], board: Board, placing: Placing) -> list[City]:
    """The cities with their hexes: those fixed by hand first, the others into the nearest free one."""
    taken = {city.fixed: city.name for city in cities if city.fixed}
    settled = []
    for city in cities:
        name = city.fixed
        if not name:
            near = [board.hexes[i] for i in board.near(*placing.point(city.lon, city.lat), REACH)]
            if not near or near[0] in taken:
                raise ValueError(f"{city.name} has no free hex of its own: fix one, with the reason")
            name = near[0]
            taken[name] = city.name
        settled.append(replace(city, hex=name))
    return settled
