"""The map: hexes, hex-sides and places, each by itself and against the others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from rasputitsa.core.data.files import Problem, Row, Table, Toml
from rasputitsa.hexes.grid import DIRECTIONS, Grid
from rasputitsa.portfolio.model.charts import COLUMNS, ROWS

HEXES = "hex,terrain,country,coast,sea,arctic,edge,source,confidence,note"
HEXSIDES = "hex_a,hex_b,kind,name,source,confidence"
PLACES = "hex,name,kind,victory,factory,port,fortress,fuel,lon,lat,source,confidence,note"

WATER = ("sea", "lake")
TERRAINS = ("clear", "swamp", "hills", "mountain", *WATER)
BARRIERS = ("sea", "lake", "kerch", "kronshtadt", "impassable")
SIDE_KINDS = (*BARRIERS, "river", "river_oneway", "stalin", "border", "arctic_line")
PLACE_KINDS = ("major", "city", "town")
FUELS = ("axis", "soviet")

Side = tuple[str, str]


@dataclass
class World:
    """The map as read, for the checks that need more than one file."""

    grid: Grid = field(default_factory=lambda: Grid(ROWS, COLUMNS))
    hexes: dict[str, Row] = field(default_factory=dict)
    sides: dict[str, dict[Side, Row]] = field(default_factory=lambda: defaultdict(dict))
    """By kind; the two hexes in map order."""
    places: dict[str, Row] = field(default_factory=dict)
    """By hex."""

    def is_land(self, name: str) -> bool:
        """Whether a hex is there and is land."""
        return name in self.hexes and self.hexes[name]["terrain"] not in WATER

    def around(self, name: str) -> list[str]:
        """The hexes next to a hex."""
        return [self.grid.names[i] for i in self.grid.neighbours[self.grid.index(name)] if i >= 0]

    def side(self, a: str, b: str) -> Side:
        """The side between two hexes, in map order."""
        return (a, b) if self.grid.index(a) < self.grid.index(b) else (b, a)

    def barrier(self, a: str, b: str) -> str:
        """The kind of water that closes a side to rail, or nothing."""
        side = self.side(a, b)
        return next((kind for kind in BARRIERS if side in self.sides[kind]), "")

    def by_rail(self, start: str, allowed: set[str]) -> set[str]:
        """Every hex reached from one over allowed hexes without crossing water."""
        reached, todo = {start}, [start]
        while todo:
            here = todo.pop()
            for there in self.around(here):
                if there in allowed and there not in reached and not self.barrier(here, there):
                    reached.add(there)
                    todo.append(there)
        return reached


def check_map(folder: Path, charts: Toml, problems: list[Problem]) -> World:
    """Check the three map files and return what they hold."""
    world = World()
    sea = charts.data.get("sea") or {}
    seas = [*sea.get("control", {}), *sea.get("closed_waters", [])]
    supplied_by = charts.data.get("supply_country") or {}
    countries = {country: supplied_by.get(country, "") for country in charts.data.get("countries", {})}
    _read_hexes(world, Table(folder, "hexes.csv", HEXES, problems), seas, countries)
    _read_sides(world, Table(folder, "hexsides.csv", HEXSIDES, problems))
    _read_places(world, Table(folder, "places.csv", PLACES, problems), seas)
    if len(world.hexes) == ROWS * COLUMNS:
        _check_coasts(world)
        _check_lines(world, problems)
    return world


# ---------------------------------------------------------------- hexes


def _read_hexes(world: World, table: Table, seas: list[str], countries: dict[str, str]) -> None:
    for row in table:
        name = row["hex"]
        if world.grid.find(name) is None:
            row.bad("hex", f"there is no hex {name!r} on the map", "hexes are A1 to NN28")
            continue
        if name in world.hexes:
            row.bad("hex", f"hex {name} was given in line {world.hexes[name].line}", "give each hex once")
            continue
        world.hexes[name] = row
        row.provenance()
        row.one_of("arctic", ("0", "1"))
        if row.one_of("terrain", TERRAINS):
            _check_hex(world, row, seas, countries)
    missing = [name for name in world.grid.names if name and name not in world.hexes]
    if missing and table.rows:
        shown = ", ".join(missing[:5]) + (" ..." if len(missing) > 5 else "")
        last = table.rows[-1]
        last.bad("hex", f"{len(missing)} hexes are missing ({shown})", f"give all {ROWS * COLUMNS} hexes")


def _check_hex(world: World, row: Row, seas: list[str], countries: dict[str, str]) -> None:
    water = row["terrain"] in WATER
    row.list_of("coast", seas)
    if row["terrain"] == "sea":
        row.one_of("sea", seas)
    elif row["sea"]:
        row.bad("sea", f"{row['hex']} is {row['terrain']} but lies in a sea", "leave the field empty")
    if water:
        for name in ("country", "coast", "edge"):
            if row[name]:
                row.bad(name, f"a {row['terrain']} hex has no {name}", "leave the field empty")
    elif row.one_of("country", list(countries)) and row["edge"]:
        _check_edge(world, row, countries)


def _check_edge(world: World, row: Row, supplied_by: dict[str, str]) -> None:
    number, column = divmod(world.grid.index(row["hex"]), world.grid.stride)
    if 0 < number < ROWS - 1 and 0 < column < COLUMNS - 1:
        row.bad("edge", f"{row['hex']} does not lie on the edge of the map", "leave the field empty")
    right = supplied_by[row["country"]]
    if row["edge"] != right:
        row.bad("edge", f"{row['hex']} lies in {row['country']}", f"its source serves {right or 'nobody'}")


def _check_coasts(world: World) -> None:
    """A land hex next to a sea touches it; a coast without sea next to it must be a port."""
    for name, row in world.hexes.items():
        if not world.is_land(name):
            continue
        touched = {world.hexes[other]["sea"] for other in world.around(name)} - {""}
        kinds = {world.barrier(name, other) for other in world.around(name)}
        given = set(filter(None, row["coast"].split(";")))
        for sea in sorted(touched - given):
            row.bad("coast", f"{name} lies next to the {sea}, but has no coast on it", f"add {sea}")
        if given - touched and not kinds & {"sea", "kerch", "kronshtadt"} and name not in world.places:
            extra = ", ".join(sorted(given - touched))
            row.bad("coast", f"{name} does not touch the {extra}", "take it out, or put a port there")


# ---------------------------------------------------------------- hex-sides


def _read_sides(world: World, table: Table) -> None:
    for row in table:
        a, b = row["hex_a"], row["hex_b"]
        known = True
        for name in ("hex_a", "hex_b"):
            if world.grid.find(row[name]) is None:
                row.bad(name, f"there is no hex {row[name]!r} on the map", "hexes are A1 to NN28")
                known = False
        if not row.one_of("kind", SIDE_KINDS) or not known:
            continue
        row.provenance()
        if b not in world.around(a):
            row.bad("hex_b", f"{a} and {b} are not adjacent", f"{a} lies next to {', '.join(world.around(a))}")
            continue
        side, kind = world.side(a, b), row["kind"]
        if side in world.sides[kind]:
            first = world.sides[kind][side].line
            row.bad("kind", f"the {kind} between {a} and {b} was given in line {first}", "give it once")
            continue
        world.sides[kind][side] = row
        _check_side(world, row, side)


def _check_side(world: World, row: Row, side: Side) -> None:
    kind = row["kind"]
    if kind != "arctic_line":
        for name in ("hex_a", "hex_b"):
            if row[name] in world.hexes and not world.is_land(row[name]):
                row.bad(name, f"{row[name]} is not land", "facts about sides lie between two land hexes")
    if kind == "river" and not row["name"]:
        row.bad("name", "the river has no name", "give its name; join several by /")
    clashing = [*BARRIERS, "river"] if kind in (*BARRIERS, "river") else []
    for other in clashing:
        if other != kind and side in world.sides[other]:
            line = world.sides[other][side].line
            row.bad("kind", f"the side is {other} in line {line} and {kind} here", "keep one of the two")


def _check_lines(world: World, problems: list[Problem]) -> None:
    """Borders and the Arctic Line lie exactly where the hexes on both sides differ; rivers are connected."""
    for a in world.hexes:
        for b in world.around(a):
            if world.grid.index(a) < world.grid.index(b):
                _check_border(world, a, b)
                _check_arctic(world, a, b)
    for name, sides in named_rivers(world).items():
        pieces = pieces_of(world, sides)
        inland = [piece for piece in pieces if not any(_on_the_rim(world, side) for side in piece)]
        if len(pieces) > 1 and inland:
            side = min(inland[-1], key=lambda s: world.sides["river"][s].line)
            row = world.sides["river"][side]
            row.bad("name", f"the {name} is in {len(pieces)} pieces", "join them, or name them apart")


def _check_border(world: World, a: str, b: str) -> None:
    row = world.sides["border"].get((a, b))
    between_land = world.is_land(a) and world.is_land(b)
    countries = sorted({world.hexes[a]["country"], world.hexes[b]["country"]})
    if row is None:
        if between_land and len(countries) == 2:
            here = world.hexes[a]
            here.bad("country", f"no border is drawn between {a} ({here['country']}) and {b}",
                     f"add {a},{b},border,{'-'.join(countries)} to hexsides.csv")  # fmt: skip
    elif len(countries) == 1:
        row.bad("kind", f"{a} and {b} both belong to {countries[0]}", "take the border out")
    elif row["name"] != "-".join(countries):
        row.bad("name", f"the border is called {row['name']!r}", f"call it {'-'.join(countries)}")


def _check_arctic(world: World, a: str, b: str) -> None:
    row = world.sides["arctic_line"].get((a, b))
    differ = world.hexes[a]["arctic"] != world.hexes[b]["arctic"]
    at_sea = all(world.hexes[name]["terrain"] == "sea" for name in (a, b))
    if row is None and differ and not at_sea:
        world.hexes[a].bad("arctic", f"the Arctic Weather Line is not drawn between {a} and {b}",
                           f"add {a},{b},arctic_line to hexsides.csv")  # fmt: skip
    elif row is not None and not differ:
        row.bad("kind", f"{a} and {b} lie on one side of the Arctic Weather Line", "take the line out here")


def named_rivers(world: World) -> dict[str, set[Side]]:
    """The sides of each river by its name."""
    rivers: dict[str, set[Side]] = defaultdict(set)
    for side, row in world.sides["river"].items():
        for name in row["name"].split("/"):
            rivers[name].add(side)
    return rivers


def pieces_of(world: World, sides: set[Side]) -> list[set[Side]]:
    """The sides in groups connected at their corners, greatest first.

    A lake or a sea side of the map joins what it touches: a river may run through it.
    """
    water = {side for kind in ("lake", "sea") for side in world.sides[kind]}
    left, pieces = set(sides), []
    while left:
        todo = [left.pop()]
        seen = set(todo)
        while todo:
            for other in _touching(world, todo.pop()):
                if other not in seen and (other in left or other in water or _borders_water(world, other)):
                    seen.add(other)
                    left.discard(other)
                    todo.append(other)
        pieces.append(seen & sides)
    return sorted(pieces, key=len, reverse=True)


def _on_the_rim(world: World, side: Side) -> bool:
    """Whether a river may leave the map here."""
    return any(len(world.around(name)) < len(DIRECTIONS) for name in side)


def _borders_water(world: World, side: Side) -> bool:
    return any(world.hexes[name]["terrain"] in WATER for name in side)


def _touching(world: World, side: Side) -> list[Side]:
    """The sides that share a corner with a side."""
    a, b = side
    return [
        world.side(here, other)
        for here, there in ((a, b), (b, a))
        for other in world.around(here)
        if other != there and other in world.around(there)
    ]


# ---------------------------------------------------------------- places


def _read_places(world: World, table: Table, seas: list[str]) -> None:
    names: dict[str, int] = {}
    for row in table:
        name = row["hex"]
        if world.grid.find(name) is None:
            row.bad("hex", f"there is no hex {name!r} on the map", "hexes are A1 to NN28")
            continue
        if name in world.places:
            row.bad("hex", f"{world.places[name]['name']} is in {name} already", "one place to a hex")
            continue
        world.places[name] = row
        if row["name"] in names:
            row.bad("name", f"{row['name']!r} was given in line {names[row['name']]}", "give each place once")
        names[row["name"]] = row.line
        if name in world.hexes and not world.is_land(name):
            row.bad("hex", f"{name} is not land", "put the place into a land hex")
        _check_place(world, row, seas)


def _check_place(world: World, row: Row, seas: list[str]) -> None:
    row.provenance()
    row.one_of("kind", PLACE_KINDS)
    row.whole("victory", 0, 2)
    row.one_of("factory", ("0", "1"))
    row.one_of("fortress", ("0", "1"))
    row.one_of("fuel", ("", *FUELS))
    row.decimal("lon", -180, 180)
    row.decimal("lat", -90, 90)
    if row["kind"] != "major" and (row["victory"] != "0" or row["factory"] != "0"):
        row.bad("kind", f"{row['name']} is a {row['kind']}", "victory cities and tank factories are major cities")
    here = world.hexes.get(row["hex"])
    for sea in row.list_of("port", seas):
        if here is not None and sea not in here["coast"].split(";"):
            row.bad("port", f"{row['hex']} has no coast on the {sea}", f"add {sea} to its coast in hexes.csv")
