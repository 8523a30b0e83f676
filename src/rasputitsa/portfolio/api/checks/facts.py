"""What the rules say of this very map and these very counters, whatever else an owner changes."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.files import Problem, Row, Toml
from rasputitsa.portfolio.api.checks.map import World
from rasputitsa.portfolio.model.agreement import disagreements
from rasputitsa.portfolio.model.theatre import theatre

VICTORY_CITIES = {
    "Leningrad": 2, "Smolensk": 1, "Moscow": 2, "Gorky": 1, "Kiev": 1, "Sevastopol": 1, "Voronezh": 1,
    "Rostov": 1, "Stalingrad": 1, "Krasnodar": 1,
}  # fmt: skip
MAJOR_CITIES = 22
FACTORIES = ("Leningrad", "Moscow", "Kharkov", "Stalingrad")
OPEN_TO_RAIL = (("K26", "K27"), ("B16", "C17"))
CLOSED_TO_RAIL = (("B16", "C16"), ("D12", "D13"), ("II14", "JJ13"))


def check_facts(world: World, counters: list[Row], charts: Toml, problems: list[Problem]) -> None:
    """Check a data set that is sound by itself against the facts named in the rules."""
    _check_cities(world, problems)
    _check_sides(world, problems)
    _check_supply(world, charts, problems)
    _check_units(counters, problems)


def _check_cities(world: World, problems: list[Problem]) -> None:
    places = {row["name"]: row for row in world.places.values()}
    for name, value in VICTORY_CITIES.items():
        if name not in places:
            problems.append(Problem("places.csv", 1, "name", f"{name} is missing", "it is a victory city (IV)"))
        elif places[name]["victory"] != str(value):
            places[name].bad("victory", f"{name} counts {places[name]['victory']}", f"it must count {value} (IV)")
    for row in world.places.values():
        if row["victory"] != "0" and row["name"] not in VICTORY_CITIES:
            row.bad("victory", f"{row['name']} is no victory city", "the ten are named in IV; give 0")
        if (row["factory"] == "1") != (row["name"] in FACTORIES):
            row.bad("factory", f"{row['name']} has factory {row['factory']}",
                    f"tank factories are in {', '.join(FACTORIES)} (IX.A.1.b)")  # fmt: skip
    majors = [row for row in world.places.values() if row["kind"] == "major"]
    if len(majors) != MAJOR_CITIES:
        majors[-1].bad("kind", f"there are {len(majors)} major cities", f"there must be {MAJOR_CITIES} (IX.A.1.a)")
    for row in majors:
        if world.hexes[row["hex"]]["country"] != "SU":
            row.bad("kind", f"{row['name']} is not Soviet", "the major cities that produce are Soviet")
    for fuel in ("axis", "soviet"):
        sources = [row for row in world.places.values() if row["fuel"] == fuel]
        if len(sources) != 1:
            message = f"there are {len(sources)} {fuel} fuel sources"
            problems.append(Problem("places.csv", 1, "fuel", message, "give one place to each side (XIV.D)"))


def _check_sides(world: World, problems: list[Problem]) -> None:
    for a, b in OPEN_TO_RAIL:
        kind = world.barrier(a, b)
        if kind:
            row = world.sides[kind][world.side(a, b)]
            row.bad("kind", f"{a}/{b} is {kind}", "rail crosses it by the example of VIII.A.1")
    for a, b in CLOSED_TO_RAIL:
        if not world.barrier(a, b):
            message = f"nothing closes {a}/{b} to rail"
            problems.append(Problem("hexsides.csv", 1, "kind", message, "VIII.A.1 says it is never crossed"))
    for kind, count in (("kerch", 1), ("kronshtadt", 1), ("river_oneway", 1)):
        if len(world.sides[kind]) != count:
            message = f"there are {len(world.sides[kind])} sides of kind {kind}"
            problems.append(Problem("hexsides.csv", 1, "kind", message, f"there must be {count}"))


def check_chart_hexes(world: World, charts: Toml) -> None:
    """Hexes that the charts name must be what the charts take them for."""
    production, sea = charts.data["production"], charts.data["sea"]
    named = {
        "production.axis_entry": production["axis_entry"],
        "production.double_cities": production["double_cities"],
        "production.lend_lease.hex": [production["lend_lease"]["hex"]],
        "victory.soviet_any_of": charts.data["victory"]["soviet_any_of"],
        **{f"sea.control.{name}": hexes for name, hexes in sea["control"].items()},
    }
    for key, hexes in named.items():
        for name in hexes:
            if name not in world.places:
                charts.bad(key, f"no city or town is in {name}", "name the hex of the city meant")
    for name in sea["kerch"]["hexes"]:
        if not world.is_land(name):
            charts.bad("sea.kerch.hexes", f"{name} is not land", "name the four land hexes of VIII.B")
    for name in production["axis_entry"]:
        country = world.hexes[name]["country"] if name in world.hexes else ""
        if charts.data["countries"].get(country) != "axis":
            charts.bad("production.axis_entry", f"{name} is not Axis land", "name Warsaw, Bucharest and Helsinki")


def _check_supply(world: World, charts: Toml, problems: list[Problem]) -> None:
    """Each country's places reach its map-edge source over its own side's land; islands need a port."""
    sides = charts.data["countries"]
    for country in sorted(set(charts.data["supply_country"].values())):
        sources = [name for name, row in world.hexes.items() if row["edge"] == country]
        if not sources:
            problems.append(
                Problem("hexes.csv", 1, "edge", f"{country} has no source on the map edge", "mark some (XIV.A)")
            )
            continue
        own = {n for n, row in world.hexes.items() if sides.get(row["country"]) == sides[country]}
        reached: set[str] = set()
        for source in sources:
            if source not in reached:
                reached |= world.by_rail(source, own)
        for name, row in world.places.items():
            home = world.hexes[name]["country"] == country
            if home and name not in reached and not row["port"]:
                row.bad("hex", f"{row['name']} cannot be reached from the map edge of {country}",
                        "open a land route, or make it a port")  # fmt: skip


def _check_units(counters: list[Row], problems: list[Problem]) -> None:
    for pool, wanted in (("siberia1", {"1Shk", "3Shk"}), ("siberia2", {"2Shk", "4Shk"})):
        found = {row["id"] for row in counters if row["pool"] == pool and row["type"] == "shock"}
        if found != wanted:
            message = f"the shock armies of {pool} are {', '.join(sorted(found)) or 'none'}"
            hint = f"they must be {', '.join(sorted(wanted))} (IX.B.2)"
            problems.append(Problem("units.csv", 1, "pool", message, hint))


def check_agreement(folder: Path, charts: Toml) -> None:
    """Check the waters that the charts name."""
    for key, message in disagreements(charts.data, theatre(folder)):
        charts.bad(key, f"this is not what the rest of the data says: {message}", "change both or neither")
