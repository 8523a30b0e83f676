"""The counters: each by itself, and the historical set-up on the map."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from rasputitsa.core.data.built_in import figure
from rasputitsa.core.data.files import Problem, Row, Table, Toml
from rasputitsa.core.marks import counted
from rasputitsa.portfolio.api.checks.map import World
from rasputitsa.portfolio.model.unit_types import UnitTypes

UNITS = (
    "id,designation,side,nation,type,size,af,df,mf,mark,setup,dispersed,replaceable,cost,cost_kind,"
    "pool,district,group,source,confidence,note"
)
POOLS = ("setup", "replacement", "siberia1", "siberia2", "siberia3")
DISTRICTS = ("", "Baltic", "Western", "Kiev", "Odessa", "Reserve")
FACTOR_MAX, MOVEMENT_MAX = 20, 12


def check_counters(folder: Path, world: World, charts: Toml, types: UnitTypes, problems: list[Problem]) -> list[Row]:
    """Check ``units.csv`` and return its lines."""
    table = Table(folder, "units.csv", UNITS, problems)
    seen: dict[str, int] = {}
    for row in table:
        name = row["id"]
        if not name.isalnum():
            row.bad("id", f"{name!r} is no id", "use letters and digits only, like 39Pz")
        elif name.lower() in seen:
            row.bad("id", f"{name!r} was given in line {seen[name.lower()]}", "give each unit its own id")
        seen.setdefault(name.lower(), row.line)
        _check_kind(row, types)
        _check_cost(row, types)
        _check_entry(row)
    if len(world.hexes):
        _check_set_up(table.rows, world, charts, types)
    return table.rows


def _check_kind(row: Row, known: UnitTypes) -> None:
    row.provenance()
    if row.one_of("nation", tuple(known.nations)) and row["side"] != known.nations[row["nation"]]:
        row.bad("side", f"{row['nation']} is not {row['side']!r}", f"it must be {known.nations[row['nation']]}")
    if row.one_of("type", tuple(known.types)):
        row.one_of("size", known.types[row["type"]].sizes)
    row.whole("af", 0, FACTOR_MAX)
    row.whole("df", 1, FACTOR_MAX)
    row.whole("mf", 1, MOVEMENT_MAX)
    if row.one_of("mark", ("", "G", "vM")) and row["mark"] and (row["nation"], row["type"]) != ("DE", "armor"):
        row.bad("mark", f"{row['id']} is not German armor", "only German armor bears G or vM")
    row.one_of("district", DISTRICTS)
    row.one_of("group", ("north", "south"))


def _check_cost(row: Row, known: UnitTypes) -> None:
    if not row.one_of("replaceable", ("0", "1")):
        return
    if row["replaceable"] == "0":
        for name in ("cost", "cost_kind"):
            if row[name]:
                row.bad(name, f"{row['id']} cannot be replaced", "leave the field empty")
        return
    if row["side"] == "axis" and (row["nation"] != "DE" or row["size"] == "army"):
        row.bad("replaceable", f"{row['id']} is an Axis ally or a German army", "these are irreplaceable: 0")
    factors = [row.whole(name, 0, FACTOR_MAX) for name in ("af", "df")]
    cost = row.whole("cost", 1, FACTOR_MAX)
    if None in factors or cost is None:
        return
    given = [value for value in factors if value is not None]
    of_type = known.types.get(row["type"])
    if of_type is None:
        return
    smallest = of_type.smallest_factor
    right = min(given) if smallest else max(given)
    if cost != right:
        which = "smallest" if smallest else "largest"
        row.bad("cost", f"{row['id']} costs {cost}", f"it must be {right}, its {which} factor (IX.A)")
    kind = of_type.points
    if row["cost_kind"] != kind:
        row.bad("cost_kind", f"a unit of type {row['type']} is paid in {row['cost_kind']!r}", f"it must be {kind}")


def _check_entry(row: Row) -> None:
    if not row.one_of("pool", POOLS):
        return
    if (row["pool"] == "setup") != bool(row["setup"]):
        hint = "units of the pool setup have a set-up hex, the others none"
        row.bad("setup", f"{row['id']} is in the pool {row['pool']} with the set-up {row['setup']!r}", hint)
    if row["pool"].startswith("siberia") and row["side"] != "soviet":
        row.bad("pool", f"{row['id']} is not Soviet", "only Soviet units come from Siberia")
    if row.one_of("dispersed", ("", "d", "D")) and row["dispersed"] and not row["setup"]:
        row.bad("dispersed", f"{row['id']} is not set up", "only units on the map begin Dispersed")


def _check_set_up(rows: list[Row], world: World, charts: Toml, known: UnitTypes) -> None:
    stacks: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        name = row["setup"]
        if not name:
            continue
        if world.grid.find(name) is None:
            row.bad("setup", f"there is no hex {name!r} on the map", "hexes are A1 to NN28")
        elif not world.is_land(name):
            row.bad("setup", f"{name} is not land", "set the unit up on land")
        else:
            stacks[name].append(row)
            _check_home(row, world, charts)
    for name, stack in stacks.items():
        _check_stack(name, stack, world, charts, known)


def _check_home(row: Row, world: World, charts: Toml) -> None:
    country = world.hexes[row["setup"]]["country"]
    side = charts.data.get("countries", {}).get(country)
    if side != row["side"]:
        row.bad("setup", f"{row['setup']} belongs to {country}", f"{row['id']} must begin on its own side's land")
    barred = (charts.data.get("forbidden") or {}).get("countries", {}).get(row["nation"], [])
    if country in barred:
        row.bad("setup", f"{row['id']} may never be in {country} (X.D.2)", "set it up elsewhere")
    homes = {"IT": ("DE", "HU"), "HU": ("DE", "HU")}.get(row["nation"], (row["nation"],))
    if row["nation"] != "DE" and country not in homes:
        row.bad("setup", f"{row['id']} begins in {country}", f"it must begin in {' or '.join(homes)} (XVI.C)")


def _check_stack(name: str, stack: list[Row], world: World, charts: Toml, known: UnitTypes) -> None:
    limits = charts.data.get("stacking") or {}
    last = stack[-1]
    ids = ", ".join(row["id"] for row in stack)
    if len(stack) > limits.get("units", 2):
        last.bad("setup", f"{len(stack)} units stand in {name} ({ids})", f"at most {limits.get('units', 2)} (XII)")
    large = sum(row["size"] != "corps" for row in stack)
    if large > limits.get("above_corps", 1):
        last.bad(
            "setup",
            f"{counted(large, 'unit')} above corps stand in {name} ({ids})",
            f"at most {limits.get('above_corps', 1)} (XII)",
        )
    if len(stack) > limits.get("front", 1) and any(row["type"] == "front" for row in stack):
        last.bad("setup", f"a front shares {name} ({ids})", "a front stands alone (XII)")
    armor_types = {kind.id for kind in known.types.values() if kind.armor_type}
    armor = sum(row["type"] in armor_types for row in stack)
    rough = figure(charts.data, f"terrain.{world.hexes[name]['terrain']}.rough")
    if rough and armor > limits.get("armor_in_rough", 1):
        last.bad("setup", f"{armor} armor-type units stand in {world.hexes[name]['terrain']} {name} ({ids})",
                 "at most one (XII)")  # fmt: skip
    nations = {row["nation"] for row in stack}
    for pair in (charts.data.get("forbidden") or {}).get("sharing", []):
        if set(pair) <= nations:
            last.bad("setup", f"{' and '.join(pair)} share {name}", "these may never stack (X.D.2)")
