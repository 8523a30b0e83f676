"""The map: hexes, rivers, cities, depots and air bases, each by itself and against the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rasputitsa.core.data.files import Problem, Row, Table
from rasputitsa.core.data.rows import BYTE
from rasputitsa.hexes.grid import Grid
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.tables import AIR, DEPOT, KIND, KIND_NAMES, group_side
from rasputitsa.wir.model.theatre import CITY_VALUES, COLUMNS, ROWS, SIDES, YEARS, hex_name

TERRAINS = ("clear", "forest", "swamp", "mountain", "sea")
HEXES = (
    "hex,terrain,rail_1941,rail_1942,rail_1943,country,in_russia,passable,control_1941,control_1942,control_1943,"
    "lon,lat,source,confidence,note"
)
HEXSIDES = "hex_a,hex_b,kind,name,source,confidence"
WATERS = "name,hex,source,confidence,note"
CITIES = ",".join(
    ["name,hex,port,fortified,scores", *(f"{v}_{y}" for y in YEARS for v in ("owner", *CITY_VALUES)),
     "source,confidence,note"]
)  # fmt: skip
BASES = "id,kind,side,hex_1941,points_1941,hex_1942,points_1942,hex_1943,points_1943,source,confidence,note"
SIDE_LETTERS = ("A", "S")


@dataclass
class World:
    """The map as read, for the checks that need more than one file."""

    grid: Grid = field(default_factory=lambda: Grid(COLUMNS, ROWS, hex_name))
    hexes: dict[str, Row] = field(default_factory=dict)
    cities: dict[str, Row] = field(default_factory=dict)
    """By name."""
    bases: dict[Group, Row] = field(default_factory=dict)

    def passable(self, name: str) -> bool:
        """Whether groups may enter a hex."""
        return name in self.hexes and self.hexes[name]["passable"] == "1"

    def held(self, name: str, year: int) -> Side:
        """The side on whose part of the map a hex lies, or -1."""
        letter = self.hexes[name][f"control_{year}"] if name in self.hexes else ""
        return SIDE_LETTERS.index(letter) if letter in SIDE_LETTERS else -1

    def around(self, name: str) -> list[str]:
        """The hexes next to a hex."""
        return [self.grid.names[i] for i in self.grid.neighbours[self.grid.index(name)] if i >= 0]

    def city_hexes(self) -> set[str]:
        """Hexes with a city."""
        return {row["hex"] for row in self.cities.values()}


def check_map(folder: Path, seas: list[str], problems: list[Problem]) -> World:
    """Read and check the files of the map."""
    world = World()
    _check_hexes(Table(folder, "hexes.csv", HEXES, problems), world, problems)
    _check_sides(Table(folder, "hexsides.csv", HEXSIDES, problems), world)
    _check_waters(Table(folder, "waters.csv", WATERS, problems), world)
    _check_cities(Table(folder, "cities.csv", CITIES, problems), world, seas)
    _check_bases(Table(folder, "depots_air.csv", BASES, problems), world, problems)
    return world


def on_map(world: World, row: Row, name: str) -> bool:
    """Check that a field names a hex of the map."""
    if world.grid.find(row[name]) is not None:
        return True
    row.bad(name, f"{row[name]!r} is not on the map", f"give column and row, 0101 to {COLUMNS:02d}{ROWS:02d}")
    return False


def _check_hexes(table: Table, world: World, problems: list[Problem]) -> None:
    for row in table:
        if not on_map(world, row, "hex"):
            continue
        if row["hex"] in world.hexes:
            row.bad("hex", f"{row['hex']} is given twice", "take one of the lines out")
        world.hexes[row["hex"]] = row
        row.one_of("terrain", TERRAINS)
        row.one_of("passable", ("0", "1"))
        row.one_of("in_russia", ("0", "1"))
        row.decimal("lon", -20, 90)
        row.decimal("lat", 30, 80)
        row.provenance()
        open_ = row["passable"] == "1"
        if open_ and row["terrain"] == "sea":
            row.bad("passable", "no group enters the sea", "give 0")
        for year in YEARS:
            row.one_of(f"rail_{year}", (*SIDE_LETTERS, ""))
            row.one_of(f"control_{year}", SIDE_LETTERS if open_ else ("",))
            if row[f"rail_{year}"] and not open_:
                row.bad(f"rail_{year}", "there is rail in a hex that nobody enters", "take it out")
    missing = COLUMNS * ROWS - len(world.hexes)
    if missing and table.rows:
        problems.append(Problem(table.name, 1, "hex", f"{missing} hexes are missing", f"give all {COLUMNS * ROWS}"))


def _check_sides(table: Table, world: World) -> None:
    seen: set[frozenset[str]] = set()
    for row in table:
        row.one_of("kind", ("river",))
        row.provenance()
        if not row["name"]:
            row.bad("name", "the river has no name", "name it")
        if not (on_map(world, row, "hex_a") and on_map(world, row, "hex_b")):
            continue
        pair = frozenset((row["hex_a"], row["hex_b"]))
        if row["hex_b"] not in world.around(row["hex_a"]):
            row.bad("hex_b", "the two hexes are not adjacent", "name two neighbours")
        if pair in seen:
            row.bad("hex_b", "the side is given twice", "take one of the lines out")
        seen.add(pair)


def _check_waters(table: Table, world: World) -> None:
    for row in table:
        row.provenance()
        if not row["name"]:
            row.bad("name", "the sea has no name", "name it")
        if on_map(world, row, "hex") and row["hex"] in world.hexes and world.hexes[row["hex"]]["terrain"] != "sea":
            row.bad("hex", f"{row['hex']} is land", "give a hex of sea")


def _check_cities(table: Table, world: World, seas: list[str]) -> None:
    hexes: set[str] = set()
    for row in table:
        row.provenance()
        row.one_of("fortified", ("0", "1"))
        row.one_of("scores", ("0", "1"))
        if row["name"] in world.cities:
            row.bad("name", f"{row['name']} is given twice", "take one of the lines out")
        world.cities[row["name"]] = row
        owners = dict.fromkeys(YEARS, False)
        for year in YEARS:
            owners[year] = row.one_of(f"owner_{year}", SIDE_LETTERS)
            for value in CITY_VALUES:
                row.whole(f"{value}_{year}", 0, BYTE)
            _check_captured(row, year)
        if not on_map(world, row, "hex"):
            continue
        if row["hex"] in hexes:
            row.bad("hex", "another city is in that hex", "move one of them")
        hexes.add(row["hex"])
        if not world.passable(row["hex"]):
            row.bad("hex", "nobody enters that hex", "put the city on land")
        for year in YEARS:
            if owners[year] and world.held(row["hex"], year) != SIDE_LETTERS.index(row[f"owner_{year}"]):
                row.bad(f"owner_{year}", "the hex is on the other side of the front", "make hexes.csv agree")
        _check_port(row, world, seas)


def _check_captured(row: Row, year: int) -> None:
    """8.8: a city that has changed hands has neither people nor factories."""
    if row[f"owner_{year}"] == row["owner_1941"]:
        return
    for value in CITY_VALUES[:-1]:
        if row[f"{value}_{year}"] not in ("0", ""):
            row.bad(f"{value}_{year}", "a captured city has no people and no factories", "give 0")


def _check_port(row: Row, world: World, seas: list[str]) -> None:
    if not row["port"]:
        return
    names = [sea.removesuffix(" Sea") for sea in seas]
    row.one_of("port", ("", *names, *seas))
    if not any(world.hexes[h]["terrain"] == "sea" for h in world.around(row["hex"]) if h in world.hexes):
        row.bad("port", "no sea hex is adjacent to the port", "move the city to the coast")


def _check_bases(table: Table, world: World, problems: list[Problem]) -> None:
    for row in table:
        row.provenance()
        sided = row.one_of("side", SIDES)
        row.one_of("kind", (KIND_NAMES[AIR], KIND_NAMES[DEPOT]))
        group = row.whole("id", 1, 127)
        if group is None:
            continue
        world.bases[group] = row
        if KIND_NAMES[KIND[group]] != row["kind"] or SIDES[group_side(group)] != row["side"]:
            row.bad("id", f"{group} is no number of such a group", "see 4.2 and 5.1 of the manual")
        for year in YEARS if sided else ():
            _check_base(row, world, year)
    wanted = {g for g in range(128) if KIND[g] in (AIR, DEPOT)}
    if table.rows and set(world.bases) != wanted:
        problems.append(Problem(table.name, 1, "id", "a group is missing or too many", "give 52-63 and 116-127"))
    for year in YEARS:
        crowd = Counter(row[f"hex_{year}"] for row in world.bases.values() if row["kind"] == "air")
        for row in world.bases.values():
            if row["kind"] == "air" and crowd[row[f"hex_{year}"]] > 2:
                row.bad(f"hex_{year}", "more than two air groups are in that hex", "move one of them")


def _check_base(row: Row, world: World, year: int) -> None:
    name = f"hex_{year}"
    if not on_map(world, row, name):
        return
    here = row[name]
    if not world.passable(here) or world.held(here, year) != SIDES.index(row["side"]):
        row.bad(name, "the hex is not on its side of the front", "choose a friendly land hex")
        return
    gauge, city = world.hexes[here][f"rail_{year}"], here in world.city_hexes()
    if row["kind"] == "depot":
        if gauge != SIDE_LETTERS[SIDES.index(row["side"])] and not city:
            row.bad(name, "a depot enters on friendly rail or in a friendly city", "choose such a hex")
        if row[f"points_{year}"]:
            row.bad(f"points_{year}", "a depot has no aircraft", "leave it empty")
        return
    row.whole(f"points_{year}", 0, BYTE)
    if not (gauge or city or world.hexes[here]["terrain"] == "clear"):
        row.bad(name, "air groups stand on clear, rail and city hexes", "choose such a hex")
