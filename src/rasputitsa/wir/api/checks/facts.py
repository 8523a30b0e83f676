"""What the manual says of this very map and these very armies, whatever else an owner changes."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.files import Problem, Row, Table
from rasputitsa.wir.api.checks.forces import UNITS
from rasputitsa.wir.api.checks.map import SIDE_LETTERS, World
from rasputitsa.wir.model.theatre import GRID_DIRECTION, WINTER_LINE, YEARS

PORTS = {
    "Odessa": "Black Sea", "Sevastopol": "Black Sea", "Krasnodar": "Black Sea", "Konigsberg": "Baltic",
    "Riga": "Baltic", "Helsinki": "Baltic", "Murmansk": "White Sea", "Archangel": "White Sea",
}  # fmt: skip
NAMED_CITIES = {
    "Moscow": "8.9", "Gorki": "8.9", "Kuybyshev": "8.9 and 8.14", "Riga": "8.9", "Brest": "8.9",
    "Konigsberg": "8.9", "Bucharest": "8.9", "Baku": "8.6", "Murmansk": "8.6", "Archangel": "8.6",
}  # fmt: skip
BEYOND_THE_MAP = ("Germany", "Urals")
ELITE = ("LAH", "D.R", "TOT", "WIK")
LATER_ELITE = ("HOH", "FRU", "H.J")
NAMED_DIVISIONS = {
    "G.D", "SLO", "LAH", "D.R", "TOT", "POL", "WIK", "NOR", "P.E", "F.G", "HOH", "FRU", "N.L", "H.J", "HAN", "GAL",
    "LET", "R.F", "G.B", "H.W",
}  # fmt: skip
SS = "SS "


def check_facts(folder: Path, world: World, problems: list[Problem]) -> None:
    """Check a data set that is sound by itself against the facts named in the manual."""
    _check_named_cities(world, problems)
    _check_ports(world)
    _check_captures(world)
    _check_arctic_line(world, problems)
    for row in world.hexes.values():
        if (row["in_russia"] == "1") != (row["country"] == "USSR"):
            row.bad("in_russia", f"the hex lies in {row['country'] or 'no country'}", "give 1 in the USSR only (8.7)")
    for year in YEARS:
        _check_elite(folder, year, problems)


def _check_named_cities(world: World, problems: list[Problem]) -> None:
    for name in (*NAMED_CITIES, *PORTS, *BEYOND_THE_MAP):
        if name not in world.cities:
            paragraph = NAMED_CITIES.get(name, "4.10" if name in PORTS else "9.1")
            problems.append(Problem("cities.csv", 1, "name", f"{name} is missing", f"it is named in {paragraph}"))
    for name, row in world.cities.items():
        if (row["scores"] == "0") != (name in BEYOND_THE_MAP):
            row.bad("scores", f"{name} has scores {row['scores']}", "all score but Germany and the Urals (9.1)")


def _check_ports(world: World) -> None:
    """4.10 lists the ports of each water; two ports of one water are joined by sea."""
    waters: dict[str, tuple[str, set[str]]] = {}
    for name, row in world.cities.items():
        wanted = PORTS.get(name, "")
        if row["port"].removesuffix(" Sea") != wanted.removesuffix(" Sea"):
            row.bad("port", f"{name} is a port of {row['port'] or 'no sea'}", f"give {wanted or 'nothing'} (4.10)")
        elif wanted:
            water = _sea_at(world, row["hex"])
            other, known = waters.setdefault(wanted, (name, water))
            if not water & known:
                row.bad("hex", f"no way by sea leads from {name} to {other}", f"both adjoin the {wanted} (4.10)")


def _sea_at(world: World, port: str) -> set[str]:
    """All sea hexes that a ship can reach from a port."""
    reached: set[str] = set()
    todo = [port]
    while todo:
        for there in world.around(todo.pop()):
            if there not in reached and world.hexes[there]["terrain"] == "sea":
                reached.add(there)
                todo.append(there)
    return reached


def _check_captures(world: World) -> None:
    """8.8: what a city loses with each capture stays lost."""
    for row in world.cities.values():
        for before, year in ((1941, 1942), (1942, 1943)):
            if row[f"owner_{before}"] == row[f"owner_{year}"]:
                continue
            most = int(row[f"supply_{before}"]) // 2
            if int(row[f"supply_{year}"]) > most:
                row.bad(f"supply_{year}", f"{row['name']} was captured", f"give at most {most}, half of before (8.8)")


def _check_arctic_line(world: World, problems: list[Problem]) -> None:
    """8.6: Murmansk and Archangel are joined by rail, through the hex south-west of Archangel only."""
    start, goal = (world.cities[name]["hex"] if name in world.cities else "" for name in ("Murmansk", "Archangel"))
    if not start or not goal:
        return
    i = world.grid.neighbours[world.grid.index(goal)][GRID_DIRECTION[WINTER_LINE]]
    if i < 0:
        return
    gate = world.grid.names[i]
    if goal not in _by_rail(world, start, closed=""):
        problems.append(
            Problem("hexes.csv", world.hexes[gate].line, "rail_1941", "no Soviet railway joins Murmansk and Archangel",
                    f"lay one through {gate}, the hex south-west of Archangel (8.6)")
        )  # fmt: skip
    elif goal in _by_rail(world, start, closed=gate):
        world.hexes[gate].bad("rail_1941", "the railway from Murmansk to Archangel can avoid this hex",
                              f"leave no other line: 8.6 names {gate}, south-west of Archangel")  # fmt: skip


def _by_rail(world: World, start: str, closed: str) -> set[str]:
    soviet = SIDE_LETTERS[1]
    towns = {row["hex"] for row in world.cities.values() if row["owner_1941"] == soviet}
    line = towns | {name for name, row in world.hexes.items() if row["rail_1941"] == soviet}
    reached, todo = {start}, [start]
    while todo:
        for there in world.around(todo.pop()):
            if there in line and there not in reached and there != closed:
                reached.add(there)
                todo.append(there)
    return reached


def _check_elite(folder: Path, year: int, problems: list[Problem]) -> None:
    """4.9: four elite SS divisions stand at the start, three more are built from 1943. 2.2: the names."""
    own: list[Problem] = []
    table = Table(folder, f"units_{year}.csv", UNITS, own)
    names: dict[str, Row] = {row["designation"]: row for row in table if row["side"] == "axis"}
    for name in ELITE:
        if name not in names:
            problems.append(
                Problem(table.name, 1, "designation", f"{name} is missing", f"{', '.join(ELITE)} start the game (4.9)")
            )
    for name in LATER_ELITE:
        if name in names:
            names[name].bad("designation", f"{name} does not start the game", "it is built from 1943 on (4.9)")
    for row in table:
        if row["type"].startswith(SS) and row["designation"] not in NAMED_DIVISIONS:
            row.bad("designation", f"2.2 has no division {row['designation']!r}", "give one of its names")
    problems += own
