"""The map as the rules see it (III.Hex, X.D, PARTS.A): terrain, hex-sides, places, borders, map edges.

Everything is a set of hexes (an integer, see ``rasputitsa.hexes``) or a feature on hex-sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data.rows import Rows
from rasputitsa.core.errors import DataError, SetupError
from rasputitsa.hexes.grid import Grid, HexSides
from rasputitsa.portfolio.model.charts import COLUMNS, ROWS
from rasputitsa.portfolio.model.data_folder import data_file, stamp
from rasputitsa.portfolio.model.indices import Hex, HexBits
from rasputitsa.portfolio.model.terrain_chart import UNEVEN, TerrainChart, terrain_chart

AXIS: Final = 0
SOVIET: Final = 1
SIDES: Final = ("axis", "soviet")
COUNTRY_TITLES: Final[dict[str, str]] = {
    "SU": "Soviet Union", "DE": "Germany", "RO": "Romania", "HU": "Hungary", "FI": "Finland", "BG": "Bulgaria",
    "SE": "Sweden", "TR": "Turkey",
}  # fmt: skip
SEA_TITLES: Final[dict[str, str]] = {"Baltic": "Baltic Sea", "Azov": "Sea of Azov", "Caspian": "Caspian Sea"}
SIDE_TITLES: Final[dict[str, str]] = {
    "river_oneway": "River (one way)", "kerch": "Kerch Strait", "kronshtadt": "Kronshtadt channel",
    "stalin": "Stalin Line", "arctic_line": "Arctic Weather Line",
}  # fmt: skip
CHARTED_AS: Final = {"river_oneway": "river"}
"""Kinds of hexsides that the terrain effects chart lists under another name."""
OUT_OF_PLAY: Final = "EVENING.Zone"
"""The paragraph that keeps units in the part of the map that a scenario is played on."""


class Place(NamedTuple):
    """A city or town. ``victory`` is what it counts for (IV), 0 for all but ten."""

    hex: Hex
    name: str
    kind: str
    victory: int
    factory: bool
    ports: tuple[str, ...]
    fortress: bool
    fuel: str


@dataclass(frozen=True)
class Ground:
    """Terrain in one kind of weather: Snow freezes the waters beyond the Arctic Weather Line (VI.B.1)."""

    land: HexBits
    """What units can stand on, in play or not: control and supply lines run over all of it."""
    enterable: HexBits
    """The land in play: all of it, unless a scenario is played on a part of the map."""
    kinds: Mapping[str, HexBits]
    """The hexes of each kind of terrain; what is frozen counts as clear."""
    rough: HexBits
    """Terrain that crowds armor, frozen or not: swamp and mountain (XII)."""
    uneven: HexBits
    """Hexes that are not clear terrain."""
    no_overrun: HexBits
    """Hexes in which armor overruns nobody: uneven or fortified ones, and major cities (X.B)."""
    river: HexSides
    one_way_river: HexSides
    """Rivers that only attacks in one direction cross, as the attacker sees them."""
    straits: HexSides
    """Lake sides, the Kerch Straits, Leningrad-Kronshtadt: crossed by a move of one hex only (X.A.1)."""
    barrier: HexSides
    """Straits and all-sea sides: no ordinary move crosses them."""
    wet: HexSides
    """Rivers and barriers together."""
    closed: HexSides
    """All-sea sides: nothing crosses them."""


class Theatre:
    """The map, read from ``hexes.csv``, ``hexsides.csv`` and ``places.csv``."""

    def __init__(self, folder: Path, in_play: tuple[str, ...] = ()) -> None:
        """With ``in_play``, a list of hexes as scenarios write it, only that part of the map is in play: nobody
        enters the rest, and supply still comes through it."""
        self.grid = Grid(ROWS, COLUMNS)
        self.terrain: dict[Hex, str] = {}
        self.by_terrain: dict[str, HexBits] = defaultdict(int)
        self.country: dict[str, HexBits] = defaultdict(int)
        self.country_of: dict[Hex, str] = {}
        self.edge: dict[str, HexBits] = defaultdict(int)
        self.sea_zone: dict[str, HexBits] = defaultdict(int)
        self.coast: dict[str, HexBits] = defaultdict(int)
        self.arctic = 0
        self._read_hexes(Rows(data_file(folder, "hexes.csv")))
        self.lake = self.by_terrain["lake"]
        self.sea = self.by_terrain["sea"]
        self.land = self.grid.board & ~self.lake & ~self.sea
        self.swamp = self.by_terrain["swamp"]
        self.hills = self.by_terrain["hills"]
        self.mountain = self.by_terrain["mountain"]
        self.neutral = self.country["SE"] | self.country["TR"]
        self.sides: dict[str, HexSides] = {}
        self.side_pairs: dict[str, list[tuple[Hex, Hex, str]]] = defaultdict(list)
        self._read_sides(Rows(data_file(folder, "hexsides.csv")))
        self.places: dict[Hex, Place] = {}
        self._read_places(Rows(data_file(folder, "places.csv")))
        self.towns = self._where(lambda p: True)
        self.majors = self._where(lambda p: p.kind == "major")
        self.cities = self._where(lambda p: p.kind == "city")
        self.factories = self._where(lambda p: p.factory)
        self.fortresses = self._where(lambda p: p.fortress)
        self.victory_cities = self._where(lambda p: p.victory > 0)
        self.fuel = {
            "axis": self._where(lambda p: p.fuel == "axis"),
            "soviet": self._where(lambda p: p.fuel == "soviet"),
        }
        self.ports: dict[str, HexBits] = defaultdict(int)
        for place in self.places.values():
            for zone in place.ports:
                self.ports[zone] |= 1 << place.hex
        self.zone = named_hexes(self.grid, list(in_play), "zone") if in_play else self.grid.board
        """The hexes in play."""
        chart = terrain_chart(folder)
        self.ice: Mapping[str, HexBits] = dict.fromkeys(chart.freezing, self.arctic)
        """Where Snow freezes each kind of terrain and of waters that freezes (VI.B.1)."""
        self.ground = (self._ground(chart, {}), self._ground(chart, self.ice))

    def _read_hexes(self, rows: Rows) -> None:
        for n in range(len(rows.lines)):
            i = rows.hex(n, "hex", self.grid)
            bit = 1 << i
            self.terrain[i] = rows.value(n, "terrain")
            self.by_terrain[self.terrain[i]] |= bit
            country = rows.value(n, "country")
            self.country[country] |= bit
            self.country_of[i] = country
            self.edge[rows.value(n, "edge")] |= bit
            self.sea_zone[rows.value(n, "sea")] |= bit
            for zone in rows.names(n, "coast"):
                self.coast[zone] |= bit
            if rows.whole(n, "arctic"):
                self.arctic |= bit
        if len(self.terrain) != self.grid.board.bit_count():
            raise DataError(rows.file, 1, "hex", f"{self.grid.board.bit_count()} hexes are needed")

    def _read_sides(self, rows: Rows) -> None:
        for n in range(len(rows.lines)):
            a, b = rows.hex(n, "hex_a", self.grid), rows.hex(n, "hex_b", self.grid)
            if b not in self.grid.neighbours[a]:
                raise rows.error(n, "hex_b", "the two hexes are not adjacent")
            self.side_pairs[rows.value(n, "kind")].append((a, b, rows.value(n, "name")))
        for kind in ("river", "lake", "sea", "impassable", "kerch", "kronshtadt", "border", "arctic_line"):
            self.sides[kind] = HexSides(self.grid, ((a, b) for a, b, _ in self.side_pairs[kind]))
        # Stalin Line sides and one-way rivers are stored as the attacker sees them: attacking hex, attacked hex.
        self.sides["stalin"] = HexSides(
            self.grid, ((front, held) for held, front, _ in self.side_pairs["stalin"]), one_way=True
        )
        self.sides["river_oneway"] = HexSides(
            self.grid, ((a, b) for a, b, _ in self.side_pairs["river_oneway"]), one_way=True
        )

    def _read_places(self, rows: Rows) -> None:
        for n in range(len(rows.lines)):
            i = rows.hex(n, "hex", self.grid)
            if i in self.places:
                raise rows.error(n, "hex", "two places in one hex")
            self.places[i] = Place(
                i, rows.value(n, "name"), rows.value(n, "kind"), rows.whole(n, "victory"),
                bool(rows.whole(n, "factory")), rows.names(n, "port"), bool(rows.whole(n, "fortress")),
                rows.value(n, "fuel"),
            )  # fmt: skip

    def _where(self, wanted: Callable[[Place], bool]) -> Hex:
        return sum(1 << i for i, place in self.places.items() if wanted(place))

    def freezes(self, kind: str, *hexes: Hex) -> bool:
        """Whether Snow freezes a hex with a kind of terrain, or a kind of side between two hexes (VI.B.1)."""
        ice = self.ice.get(CHARTED_AS.get(kind, kind), 0)
        return all(ice >> i & 1 for i in hexes)

    def _ground(self, chart: TerrainChart, ice: Mapping[str, HexBits]) -> Ground:
        lake, kerch, kronshtadt, rivers, one_way = (
            self._thawed(self.sides[name], ice.get(CHARTED_AS.get(name, name), 0))
            for name in ("lake", "kerch", "kronshtadt", "river", "river_oneway")
        )
        straits = lake | kerch | kronshtadt
        closed = self.sides["sea"] | self.sides["impassable"]
        barrier = straits | closed
        # A side that is lake or sea as well as river counts as the wider water.
        river = HexSides(self.grid, (pair for pair in rivers.pairs() if not barrier.between(*pair)), one_way=True)
        kinds = {kind: self.by_terrain[kind] & ~ice.get(kind, 0) for kind in UNEVEN}
        uneven = union(kinds.values())
        land = self.land & ~self.neutral | self.lake & ice.get("lake", 0)
        kinds["clear"] = land & ~uneven
        firm = {**kinds, "fortress": self.fortresses, "major": self.majors}
        return Ground(
            land=land,
            enterable=land & self.zone,
            kinds=kinds,
            rough=union(self.by_terrain[kind] for kind in chart.crowding),
            uneven=uneven,
            no_overrun=union(firm[name] for name in chart.no_overrun),
            river=river,
            one_way_river=one_way,
            straits=straits,
            barrier=barrier,
            wet=river | barrier,
            closed=closed,
        )

    def _thawed(self, sides: HexSides, ice: HexBits) -> HexSides:
        """The sides that do not lie between two hexes under ice."""
        return HexSides(
            self.grid, ((a, b) for a, b in sides.pairs() if not (ice >> a & 1 and ice >> b & 1)), one_way=True
        )

    def named(self, name: str) -> Hex:
        """Index of a hex by its name, for rules that name one."""
        return self.grid.index(name)


def union(sets: Iterable[HexBits]) -> HexBits:
    """All hexes of some sets."""
    found = 0
    for hexes in sets:
        found |= hexes
    return found


def named_hexes(grid: Grid, names: Any, field: str) -> HexBits:
    """A list of hexes and stretches of a row, ``P4-P9``, as a set; raises ``SetupError`` that names the field."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SetupError(f"{field} is a list of hexes")
    found = 0
    for name in names:
        first, _, last = name.partition("-")
        start, end = grid.find(first), grid.find(last or first)
        if start is None or end is None:
            raise SetupError(f"{field}: there is no hex {name!r:.20} on the map")
        if end < start or start // grid.stride != end // grid.stride:
            raise SetupError(f"{field}: {name!r:.20} should run from west to east in one row")
        found |= (2 << end) - (1 << start)
    return found


@cached
def _cached(folder: Path, stamp: str, zone: tuple[str, ...]) -> Theatre:
    return Theatre(folder, zone)


def theatre(folder: Path, zone: tuple[str, ...] = ()) -> Theatre:
    """The map of a data folder, or a part of it in play, read once; raises ``SetupError`` for a zone that is none."""
    return _cached(folder, stamp(folder), zone)
