"""The units of each year: kinds, strengths, groups and where they stand."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.data.built_in import figure
from rasputitsa.core.data.files import Problem, Row, Table, Toml
from rasputitsa.wir.api.checks.map import World, on_map
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.tables import (
    FIRST_YEAR,
    INFANTRY,
    KIND,
    MECHANIZED,
    MOST_EXPERIENCE,
    UNITS_PER_SIDE,
    UnitType,
    group_side,
)
from rasputitsa.wir.model.theatre import SIDES, YEARS

UNITS = (
    "side,group,hex,formation,entrenchment,artillery,type,designation,strength,experience,fatigue,"
    "source,confidence,note"
)
GROUP_FIELDS = ("hex", "formation", "entrenchment", "artillery")


class _Limits(NamedTuple):
    """How many units a group holds, and how many groups a hex."""

    units: int
    stack: int


def check_forces(folder: Path, world: World, sheet: Toml, types: dict[str, UnitType], problems: list[Problem]) -> None:
    """Read and check the units of all three years against the map and the sheet of figures."""
    most = {"experience": MOST_EXPERIENCE, "fatigue": _figure(sheet, "movement.most_fatigue"),
            "entrenchment": _figure(sheet, "entrench.most"),
            "artillery": _figure(sheet, "artillery.no_more_over") + _figure(sheet, "artillery.step")}  # fmt: skip
    limits = _Limits(_figure(sheet, "groups.units_per_group"), _figure(sheet, "groups.stack"))
    for year in YEARS:
        table = Table(folder, f"units_{year}.csv", UNITS, problems)
        groups: dict[Group, list[Row]] = defaultdict(list)
        for row in table:
            group = _check_unit(row, world, types, most, year)
            if group is not None:
                groups[group].append(row)
        _check_groups(groups, world, types, year, limits)
        _check_sides(table)


def _figure(sheet: Toml, key: str) -> int:
    """A figure of the sheet; a large number where it has none, which is a problem of its own."""
    value = figure(sheet.data, key)
    return value if isinstance(value, int) else sys.maxsize


def _check_unit(row: Row, world: World, types: dict[str, UnitType], most: Mapping[str, int], year: int) -> int | None:
    row.provenance()
    row.one_of("side", SIDES)
    on_map(world, row, "hex")
    for name, limit in most.items():
        row.whole(name, 0, limit)
    if not row["designation"]:
        row.bad("designation", "the unit has no name", "give a number or a name of 2.2")
    if row.one_of("type", list(types)):
        kind = types[row["type"]]
        row.whole("strength", 1, kind.strength[year - FIRST_YEAR])
        if SIDES[kind.side] != row["side"]:
            row.bad("type", f"{kind.id} is a unit of the other side", "choose a kind of its side")
    group = row.whole("group", 1, 127)
    if group is None:
        return None
    if KIND[group] not in (MECHANIZED, INFANTRY) or SIDES[group_side(group)] != row["side"]:
        row.bad("group", f"{group} is no combat group of that side", "see 4.1 of the manual")
        return None
    return group


def _check_groups(
    groups: dict[Group, list[Row]], world: World, types: dict[str, UnitType], year: int, limits: _Limits
) -> None:
    crowd = Counter(rows[0]["hex"] for rows in groups.values())
    crowd.update(base[f"hex_{year}"] for base in world.bases.values() if base["kind"] == "air")
    for group, rows in groups.items():
        first = rows[0]
        for row in rows[1:]:
            for name in GROUP_FIELDS:
                if row[name] != first[name]:
                    row.bad(name, f"group {group} has another value in its first line", f"make it {first[name]!r}")
        if len(rows) > limits.units:
            rows[limits.units].bad("group", f"group {group} has more than {limits.units} units", "put some elsewhere")
        if KIND[group] == MECHANIZED:
            for row in rows:
                if row["type"] in types and not types[row["type"]].mechanized:
                    row.bad("type", f"a mechanized group may not hold {row['type']}", "see 4.1 of the manual")
        if crowd[first["hex"]] > limits.stack:
            first.bad("hex", f"more than {limits.stack} groups are in that hex", "move one of them")
        if not world.passable(first["hex"]) or world.held(first["hex"], year) != group_side(group):
            first.bad("hex", "the hex is not on its side of the front", "move the group, or the front in hexes.csv")


def _check_sides(table: Table) -> None:
    seen: set[tuple[str, str, str]] = set()
    counts = Counter(row["side"] for row in table)
    for row in table:
        key = (row["side"], row["type"], row["designation"])
        if key in seen:
            row.bad("designation", f"{row['designation']} {row['type']} is given twice", "give another name")
        seen.add(key)
    for side, count in counts.items():
        if count > UNITS_PER_SIDE:
            row = next(row for row in table if row["side"] == side)
            row.bad("side", f"the {side} side has {count} units", f"it has at most {UNITS_PER_SIDE}")
