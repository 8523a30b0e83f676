"""Tables of the manual (2.0), in the form the rules look things up: kinds of units (2.2) and the sheet of figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data.built_in import Between, Bounds, Chances, Fixed, Most, Shares, Span, refusal, require_built_in
from rasputitsa.core.data.rows import BYTE
from rasputitsa.core.errors import SetupError
from rasputitsa.wir.model.data_folder import data_file, read_toml, stamp
from rasputitsa.wir.model.indices import Group, GroupBits, Side, Unit
from rasputitsa.wir.model.theatre import SIDES

UNITS_PER_SIDE: Final = 199
UNITS: Final = 2 * UNITS_PER_SIDE
"""Unit slots: 0-198 Axis, 199-397 Soviet."""
GROUPS: Final = 128
"""Group numbers are the manual's own; place 0 is empty."""
MOST_EXPERIENCE: Final = 99
"""Experience is written with two digits (2.2)."""
NO_KIND: Final = 0
MECHANIZED: Final = 1
INFANTRY: Final = 2
AIR: Final = 3
DEPOT: Final = 4
KIND_NAMES: Final = ("", "mechanized", "infantry", "air", "depot")
FIRST_YEAR, LAST_YEAR = 1941, 1945

# Kinds of weather, and the pools of a side.
FINE: Final = 0
COLD: Final = 1
VERY_COLD: Final = 2
RAIN: Final = 3
WEATHER_NAMES: Final = ("clear", "cold", "very cold", "rain")
WEATHER_IDS: Final = ("clear", "cold", "very_cold", "rain")
"""The same for clients."""
MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
FIRST_WINTER: Final = "first_winter"
"""The months of the chances of weather, and what they are called in the first winter (8.4)."""
INF_POOL: Final = 0
VEH_POOL: Final = 1
ART_POOL: Final = 2
AIR_POOL: Final = 3
SUPPLY_POOL: Final = 4
CONSTRUCTION: Final = 5
FACTORIES: Final = 6
POOLS: Final = ("infantry", "vehicle", "artillery", "aircraft", "supply", "construction", "factories")
NORTH, SOUTH, EAST = AREAS = ("north", "south", "east")
"""Where shipments of Lend-Lease arrive (8.6)."""
MOST_POINTS: Final = 2550
"""What a pool can be set to hold, and so the greatest number in an order."""
MOST_UNITS: Final = 6
"""Units that a group can be set to hold."""
MOST_STACK: Final = 8
"""Groups that a hex can be set to hold."""
MOST_SEAS: Final = 3
"""Seas for which a position has a mark of each side."""
ELITE_ENTRY: Final[str] = "SS elite"
"""The entry of the build menu that stands for the named SS divisions, of whatever kind they are at the time."""
NUMBERS: Final = {
    MECHANIZED: ((1, 11), (64, 75)), INFANTRY: ((12, 51), (76, 115)), AIR: ((52, 57), (116, 121)),
    DEPOT: ((58, 63), (122, 127)),  # 5.1
}  # fmt: skip
"""For each kind of group the first and last numbers of the two sides."""
_LAYOUT: Final = "positions, saved games and learning programs are laid out by these numbers"
_FAR: Final = "beyond that it would be the whole front"
BUILT_IN: Final[Bounds] = {
    **{f"groups.{KIND_NAMES[kind]}": Fixed([list(pair) for pair in pairs], _LAYOUT) for kind, pairs in NUMBERS.items()},
    "groups.units_per_side": Fixed(UNITS_PER_SIDE, _LAYOUT),
    "groups.units_per_group": Between(1, MOST_UNITS, "learning programs have a row for each unit of a group"),
    "groups.stack": Between(2, MOST_STACK, "starts have two groups in a hex, and a saved game tells of eight at most"),
    "groups.aircraft_per_group": Between(1, BYTE, "a position has a byte for them"),
    **{f"production.pool.{pool}": Between(1, MOST_POINTS, "orders name numbers up to that") for pool in POOLS},
    "production.factories_per_city": Between(1, BYTE, "a position has a byte for them"),
    "supply.radius": Between(0, 10, _FAR),
    "movement.rain": Between(1, BYTE, "every plot has a step"),
    "naval.seas": Most(MOST_SEAS, "seas", "a position has a mark for each"),
    "build.least": Between(1, BYTE, "a unit has a byte for its strength"),
    "lend_lease.area": Chances(AREAS),
    **{f"weather.{row}": Shares(len(WEATHER_NAMES) - 1, "cold, very cold and rain") for row in (*MONTHS, FIRST_WINTER)},
}  # fmt: skip
"""Bounds of figures on which positions, files, learning programs and rules are built, by their keys in the sheet."""
COMBAT_BUILT_IN: Final[Bounds] = {
    "air.intercept_range": Between(0, 10, _FAR),
    "convoys.winter": Span(1, 12, "the first and the last month of winter"),
}
"""The same of the sheet of execution."""


class UnitType(NamedTuple):
    """A kind of division or corps (4.9)."""

    number: int
    id: str
    code: str
    """As the manual abbreviates it; ``id`` tells the two sides' cavalry apart."""
    side: Side
    title: str
    nation: str
    infantry: int
    """Infantry points paid for one point of strength."""
    vehicle: int
    mechanized: bool
    """Fits into a mechanized group (4.1)."""
    supply: int
    """Supply points consumed when it is relieved of fatigue (5.2)."""
    sea: bool
    elite: bool
    guards: int
    """The kind it becomes as a guards unit (8.12), or 0."""
    strength: tuple[int, ...]
    """Largest strength in each year from 1941."""
    experience: tuple[int, ...]
    """Experience of recruits in each year from 1941."""


NO_TYPE: Final = UnitType(0, "", "", 0, "", "", 0, 0, False, 0, False, False, 0, (0,) * 5, (0,) * 5)


def sheet(folder: Path) -> dict[str, Any]:
    """The sheet of figures of a data folder, read once; raises ``SetupError`` if a figure is out of its bounds."""
    own = read_toml(folder, "tables.toml")
    require_built_in(data_file(folder, "tables.toml"), "tables.toml", own, BUILT_IN)
    return own


def _by_year(steps: dict[str, int]) -> tuple[int, ...]:
    value, values = 0, []
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        value = steps.get(str(year), value)
        values.append(value)
    return tuple(values)


def unit_types(folder: Path) -> tuple[UnitType, ...]:
    """The kinds of units of a data folder; number 0 stands for no unit."""
    return _unit_types(folder, stamp(folder))


@cached
def _unit_types(folder: Path, stamp: str) -> tuple[UnitType, ...]:
    lines = sheet(folder)["types"]["list"]
    numbers = {line["id"]: n for n, line in enumerate(lines, start=1)}
    found = [NO_TYPE]
    for n, line in enumerate(lines, start=1):
        if line["side"] not in SIDES:
            raise _bad_kind(folder, n, "side", f"there is no side {line['side']!r:.40}")
        if line.get("guards", line["id"]) not in numbers:
            raise _bad_kind(folder, n, "guards", f"there is no kind of unit {line['guards']!r:.40}")
        mechanized = line.get("mechanized", False)
        found.append(
            UnitType(
                n, line["id"], line.get("code", line["id"]), SIDES.index(line["side"]), line["title"], line["nation"],
                line.get("infantry", 0), line.get("vehicle", 0), mechanized,
                2 if mechanized or line.get("motorized") else 1, line.get("sea", False), line.get("elite", False),
                numbers[line["guards"]] if "guards" in line else 0,
                _by_year(line["strength"]), _by_year(line["experience"]),
            )
        )  # fmt: skip
    return tuple(found)


def _bad_kind(folder: Path, number: int, field: str, message: str) -> SetupError:
    """Why no game starts with a kind of units of a data folder, counted from 1."""
    return refusal(data_file(folder, "tables.toml"), "tables.toml", f"types.list.{number - 1}.{field}", message)


def _kinds() -> tuple[int, ...]:
    kinds = [NO_KIND] * GROUPS
    for kind, pairs in NUMBERS.items():
        for first, last in pairs:
            kinds[first : last + 1] = [kind] * (last + 1 - first)
    return tuple(kinds)


KIND: Final = _kinds()
"""For each group number its kind."""


def group_side(group: Group) -> Side:
    """The side of a group number: 1-63 Axis, 64-127 Soviet."""
    return int(group > 63)


def unit_side(unit: Unit) -> Side:
    """The side of a unit slot."""
    return int(unit >= UNITS_PER_SIDE)


@cached
def groups_of(side: Side, *kinds: int) -> tuple[Group, ...]:
    """The group numbers of a side, of some kinds or of all, ascending."""
    numbers = range(64, 128) if side else range(1, 64)
    return tuple(g for g in numbers if not kinds or KIND[g] in kinds)


def bits_of(side: Side, *kinds: int) -> GroupBits:
    """The same as a set of bits."""
    return sum(1 << g for g in groups_of(side, *kinds))


COMBAT_BITS: Final = tuple(bits_of(side, MECHANIZED, INFANTRY) for side in (0, 1))
AIR_BITS: Final = tuple(bits_of(side, AIR) for side in (0, 1))
INF_BITS: Final = tuple(bits_of(side, INFANTRY) for side in (0, 1))
