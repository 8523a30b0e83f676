"""1.4 The map as the rules see it: terrain, rivers, rails of the three years, cities, depots, air bases.

Hexes are named column and row, ``1814`` for column 18, row 14. The map's columns are the rows of the grid:
its flat-top hexes lie on their side there.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data.rows import Rows
from rasputitsa.core.errors import DataError, SetupError
from rasputitsa.hexes.grid import EAST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, WEST, Grid, HexSides, members
from rasputitsa.wir.model.data_folder import DATA as DATA
from rasputitsa.wir.model.data_folder import data_file, stamp
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, HexBits, Side
from rasputitsa.wir.model.shapes import SideName
from rasputitsa.wir.model.waters import spread

COLUMNS: Final = 31
ROWS: Final = 32
AXIS: Final = 0
SOVIET: Final = 1
SIDES: Final[tuple[SideName, SideName]] = ("axis", "soviet")
OUT_OF_PLAY: Final = "EVENING.Zone"
"""The paragraph that keeps groups in the part of the map that a scenario is played on."""
YEARS = (1941, 1942, 1943)
NEARBY: Final = 2
"""Hexes around a place at which players look: a week's march of mechanized groups."""

GRID_DIRECTION: Final = (-1, WEST, SOUTH_WEST, SOUTH_EAST, EAST, NORTH_EAST, NORTH_WEST)
"""The grid's direction for the manual's 1-6: north, north-east, south-east, south, south-west, north-west."""
DIRECTION_NAMES = ("", "north", "north-east", "south-east", "south", "south-west", "north-west")
WINTER_LINE: Final = DIRECTION_NAMES.index("south-west")
"""The manual's direction of the hex next to Archangel that the line from Murmansk passes through (8.6)."""

CLEAR: Final = 0
FOREST: Final = 1
SWAMP: Final = 2
MOUNTAIN: Final = 3
SEA: Final = 4
RAIL: Final = 5
CITY: Final = 6
FORTIFIED: Final = 7
TERRAIN_NAMES = ("clear", "forest", "swamp", "mountain", "sea", "rail", "city", "fortified city")

POPULATION: Final = 0
INDUSTRY: Final = 1
VEHICLE: Final = 2
ARTILLERY: Final = 3
AIRCRAFT: Final = 4
SUPPLY: Final = 5
CITY_VALUES = ("population", "industry", "vehicle", "artillery", "aircraft", "supply")
PLANTS: Final = (INDUSTRY, VEHICLE, ARTILLERY, AIRCRAFT)
"""The values of a city that are factories."""
PLANT_NAMES: Final[tuple[str, ...]] = ("", "heavy industry", "vehicle", "artillery", "aircraft")
"""What factories are called, by their value of a city, which is also their number in the menu."""


class City(NamedTuple):
    """A city, or a source of production beyond the map (Germany, Urals) that scores nothing (9.1)."""

    number: CityNumber
    name: str
    hex: Hex
    port: str
    fortified: bool
    scores: bool
    owner: tuple[Side, Side, Side]
    values: tuple[tuple[int, ...], ...]
    """For each year of ``YEARS`` the six values in the order of ``CITY_VALUES``."""


class Base(NamedTuple):
    """Where a depot or an air group starts, and an air group's aircraft, in each of ``YEARS``."""

    group: Group
    kind: str
    side: Side
    hexes: tuple[Hex, Hex, Hex]
    points: tuple[int, int, int]
    name: str


def column_name(grid_row: int) -> str:
    """The two digits of a column of the map, which is a row of the grid."""
    return f"{grid_row + 1:02d}"


def hex_name(grid_row: int, grid_column: int) -> str:
    """``1814`` for column 18, row 14."""
    return f"{column_name(grid_row)}{grid_column + 1:02d}"


class Theatre:
    """The map, read from ``hexes.csv``, ``hexsides.csv``, ``waters.csv``, ``cities.csv`` and
    ``depots_air.csv``."""

    def __init__(self, folder: Path, in_play: tuple[str, ...] = ()) -> None:
        """With ``in_play``, a list of hexes as scenarios write it, only that part of the map is in play: nobody
        enters the rest, and supply still comes through it."""
        self.grid = Grid(COLUMNS, ROWS, hex_name)
        size = self.grid.size
        self.step: list[tuple[Hex, ...]] = [
            (-1, *(around[d] for d in GRID_DIRECTION[1:])) if around else () for around in self.grid.neighbours
        ]
        """For each hex its neighbours in the manual's directions 1-6 (place 0 is empty)."""
        self.base = [SEA] * size
        """Terrain without rail and city."""
        self.lonlat: list[tuple[float, float]] = [(0.0, 0.0)] * size
        self.country: list[str] = [""] * size
        self.in_russia = 0
        self.passable = 0
        """The land in play: all of it, unless a scenario is played on a part of the map."""
        self.rail = {year: [0, 0] for year in YEARS}
        """Rail of each side's gauge at the start of a scenario of that year."""
        self.control = dict.fromkeys(YEARS, 0)
        """Hexes on the Axis side of the front at the start of a scenario of that year."""
        self._read_hexes(Rows(data_file(folder, "hexes.csv")))
        self.land = self.passable
        """What groups can enter, in play or not: depots come through all of it."""
        self.zone = named_hexes(self.grid, list(in_play), "zone") if in_play else self.grid.board
        """The hexes in play."""
        self.river = HexSides(self.grid)
        self.rivers: list[tuple[Hex, Hex, str]] = []
        self._read_sides(Rows(data_file(folder, "hexsides.csv")))
        self.water = self._read_waters(Rows(data_file(folder, "waters.csv")))
        """For each hex the name of its sea; empty on land. No rule reads it."""
        self.cities: tuple[City, ...] = tuple(self._read_cities(Rows(data_file(folder, "cities.csv"))))
        self.city_at = {city.hex: city.number for city in self.cities}
        self.city_named = {city.name: city.number for city in self.cities}
        self.city_hexes = sum(1 << city.hex for city in self.cities)
        self.fortified = sum(1 << city.hex for city in self.cities if city.fortified)
        self.of_base: dict[int, HexBits] = defaultdict(int)
        for i in range(size):
            if self.passable >> i & 1:
                self.of_base[self.base[i]] |= 1 << i
        self.bases = tuple(self._read_bases(Rows(data_file(folder, "depots_air.csv"))))
        self._within: dict[int, list[HexBits]] = {}
        self.near = self.within(NEARBY)
        self.near_list = [tuple(members(hexes)) for hexes in self.near]
        self.passable &= self.zone
        self.reach = [self.grid.adjacent[i] & self.passable for i in range(size)]
        """For each hex the passable hexes adjacent to it."""
        self.reach_list = [tuple(members(hexes)) for hexes in self.reach]

    def _read_hexes(self, rows: Rows) -> None:
        names = TERRAIN_NAMES[: SEA + 1]
        seen = 0
        for n in range(len(rows)):
            i = rows.hex(n, "hex", self.grid)
            bit = 1 << i
            seen |= bit
            self.base[i] = rows.one_of(n, "terrain", names)
            self.country[i] = rows.value(n, "country")
            self.lonlat[i] = (rows.decimal(n, "lon"), rows.decimal(n, "lat"))
            if rows.whole(n, "passable"):
                self.passable |= bit
            if rows.whole(n, "in_russia"):
                self.in_russia |= bit
            for year in YEARS:
                gauge = rows.one_of(n, f"rail_{year}", ("A", "S", ""))
                if gauge < 2:
                    self.rail[year][gauge] |= bit
                if rows.one_of(n, f"control_{year}", ("A", "S", "")) == AXIS:
                    self.control[year] |= bit
        if seen != self.grid.board:
            raise DataError(rows.file, 1, "hex", f"{COLUMNS * ROWS} hexes are needed")

    def _read_sides(self, rows: Rows) -> None:
        for n in range(len(rows)):
            a, b = rows.hex(n, "hex_a", self.grid), rows.hex(n, "hex_b", self.grid)
            if b not in self.grid.neighbours[a]:
                raise rows.error(n, "hex_b", "the two hexes are not adjacent")
            rows.one_of(n, "kind", ("river",))
            self.rivers.append((a, b, rows.value(n, "name")))
        self.river = HexSides(self.grid, ((a, b) for a, b, _ in self.rivers))

    def _read_waters(self, rows: Rows) -> list[str]:
        seeds = {}
        for n in range(len(rows)):
            seeds[rows.hex(n, "hex", self.grid)] = name = rows.value(n, "name")
            if not name:
                raise rows.error(n, "name", "the sea has no name")
        sea = sum(1 << i for i in members(self.grid.board) if self.base[i] == SEA)
        return spread(self.grid, sea, seeds)

    def _read_cities(self, rows: Rows) -> list[City]:
        found = []
        for n in range(len(rows)):
            owner = tuple(rows.one_of(n, f"owner_{year}", ("A", "S")) for year in YEARS)
            values = tuple(tuple(rows.whole(n, f"{value}_{year}") for value in CITY_VALUES) for year in YEARS)
            found.append(
                City(
                    n, rows.value(n, "name"), rows.hex(n, "hex", self.grid), rows.value(n, "port"),
                    bool(rows.whole(n, "fortified")), bool(rows.whole(n, "scores")),
                    (owner[0], owner[1], owner[2]), values,
                )
            )  # fmt: skip
        return found

    def _read_bases(self, rows: Rows) -> list[Base]:
        found = []
        for n in range(len(rows)):
            h = [rows.hex(n, f"hex_{year}", self.grid) for year in YEARS]
            p = [rows.whole(n, f"points_{year}") for year in YEARS]
            found.append(
                Base(
                    rows.whole(n, "id"), rows.value(n, "kind"), rows.one_of(n, "side", SIDES),
                    (h[0], h[1], h[2]), (p[0], p[1], p[2]), rows.value(n, "note"),
                )
            )  # fmt: skip
        return found

    def within(self, radius: int) -> list[HexBits]:
        """For each hex all hexes within a number of hexes, itself included, over any terrain."""
        known = self._within.get(radius)
        if known is None:
            grid = self.grid
            known = [grid.grow(1 << i, radius) if grid.names[i] else 0 for i in range(grid.size)]
            self._within[radius] = known
        return known

    def named(self, name: str) -> Hex:
        """Index of a hex by its name."""
        return self.grid.index(name)

    def row(self, i: Hex) -> int:
        """The map row of a hex, counted from 1 at the north edge."""
        return i % self.grid.stride + 1

    def direction(self, a: Hex, b: Hex) -> int:
        """The manual's direction 1-6 from a hex to an adjacent one; 0 when they are not adjacent."""
        around = self.step[a]
        return around.index(b) if b >= 0 and b in around else 0


def named_hexes(grid: Grid, names: Any, field: str) -> HexBits:
    """A list of hexes and rectangles as a set; raises ``SetupError`` that names the field.

    ``0912`` is one hex, ``0912-1118`` columns 9 to 11 of rows 12 to 18.
    """
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SetupError(f"{field} is a list of hexes")
    found = 0
    for name in names:
        first, _, last = name.partition("-")
        start, end = grid.find(first), grid.find(last or first)
        if start is None or end is None:
            raise SetupError(f"{field}: there is no hex {(first if start is None else last)!r:.20} on the map")
        (west, north), (east, south) = divmod(start, grid.stride), divmod(end, grid.stride)
        if east < west or south < north:
            raise SetupError(f"{field}: {name!r:.20} should run from the north-west corner to the south-east corner")
        row = (2 << south) - (1 << north)
        found |= sum(row << column * grid.stride for column in range(west, east + 1))
    return found


@cached
def _cached(folder: Path, stamp: str, zone: tuple[str, ...]) -> Theatre:
    return Theatre(folder, zone)


def theatre(folder: Path, zone: tuple[str, ...] = ()) -> Theatre:
    """The map of a data folder, or a part of it in play, read once; raises ``SetupError`` for a zone that is none."""
    return _cached(folder, stamp(folder), zone)
