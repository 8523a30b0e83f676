"""The counters: who they are and what they can do, read from ``units.csv`` and ``types.toml``.

A set of units is an integer too: bit *u* is unit *u*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.data.rows import Rows
from rasputitsa.core.marks import listed
from rasputitsa.portfolio.model.data_folder import data_file, stamp
from rasputitsa.portfolio.model.indices import Side, Unit, UnitBits
from rasputitsa.portfolio.model.theatre import SIDES, Theatre, theatre
from rasputitsa.portfolio.model.unit_types import UnitType, unit_types

OCCUPIED: Final = 1
FULL: Final = 2
BIG: Final = 4
ARMORED: Final = 8
ACTIVE: Final = 16
DISPERSED: Final = 32
STRONG: Final = 64
"""What can be said of a hex with units of a side: the sets of hexes of ``State``."""


class Counter(NamedTuple):
    """One counter: attack, defence (III.CombatFactor) and movement factor (III.MovementFactor)."""

    number: int
    id: str
    name: str
    side: Side
    nation: str
    type: str
    size: str
    af: int
    df: int
    mf: int
    mark: str
    setup: int
    """Hex of the historical set-up, -1 for none."""
    dispersed: str
    """Set up Dispersed: ``D`` in June, ``d`` on 1 June only (XVI.C.1, XVI.D.Dispersed)."""
    replaceable: bool
    cost: int
    cost_kind: str
    pool: str
    group: str
    of_type: UnitType


def hex_flags(unit: Counter) -> int:
    """What a unit makes of its hex, however it stands."""
    flags = OCCUPIED
    if unit.size == "front":
        flags |= FULL
    if unit.size != "corps":
        flags |= BIG
    return flags | ARMORED if unit.of_type.armor_type else flags


class Roster:
    """All counters, and the classes of them the rules speak of (III), as sets of units."""

    def __init__(self, where: Theatre, folder: Path) -> None:
        rows = Rows(data_file(folder, "units.csv"))
        self.types, self.nations = unit_types(folder)
        self.units: list[Counter] = [self._unit(rows, n, where) for n in range(len(rows.lines))]
        self.index: dict[str, Unit] = {}
        for unit in self.units:
            if unit.id in self.index:
                raise rows.error(unit.number, "id", f"two units are called {unit.id!r}")
            self.index[unit.id] = unit.number
        units = self.units
        self.side = [u.side for u in units]
        self.nation = [u.nation for u in units]
        self.af = [u.af for u in units]
        self.df = [u.df for u in units]
        self.mf = [u.mf for u in units]
        self.of_side = tuple(sum(1 << u.number for u in units if u.side == side) for side in (0, 1))
        self.of_nation: dict[str, UnitBits] = defaultdict(int)
        for u in units:
            self.of_nation[u.nation] |= 1 << u.number
        self.german = self.of_nation["DE"]
        self.armor_type = self._set(lambda u: u.of_type.armor_type)
        self.pure_armor = self._set(lambda u: u.of_type.pure_armor)
        self.fuelled = self._set(lambda u: u.of_type.fuelled)
        self.infantry_type = self._set(lambda u: u.of_type.infantry_type)  # III.InfantryType
        self.no_strait = self._set(lambda u: not u.of_type.crosses_water)
        self.cavalry = self._set(lambda u: u.of_type.cavalry)
        self.above_corps = self._set(lambda u: u.size != "corps")
        self.front = self._set(lambda u: u.size == "front")
        self.corps = self._set(lambda u: u.size == "corps")
        self.alike = self._alike()
        """The units of each size, armor-type and others apart: a hex that has room for one has room for any (XII)."""
        self.strong_zoc = self._set(lambda u: (u.nation == "DE" and u.size == "army") or u.size == "front")
        """German armies and Soviet fronts: the zones of control that hold (XI.B.2, XIII.A.3)."""
        self.flags_active = [hex_flags(u) | ACTIVE | (STRONG if self.strong_zoc >> u.number & 1 else 0) for u in units]
        self.flags_dispersed = [hex_flags(u) | DISPERSED for u in units]
        """What a unit makes of its hex, UnDispersed and Dispersed: ``OCCUPIED``, ``FULL`` .. together."""
        self.no_river_cost = self._set(lambda u: u.of_type.infantry_type and (u.nation, u.size) == ("DE", "army"))

    def _alike(self) -> tuple[int, ...]:
        found: dict[tuple[str, bool], int] = {}
        for u in self.units:
            key = u.size, u.of_type.armor_type
            found[key] = found.get(key, 0) | 1 << u.number
        return tuple(found.values())

    def _set(self, wanted: Callable[[Counter], bool]) -> UnitBits:
        return sum(1 << u.number for u in self.units if wanted(u))

    def titles(self, wanted: Callable[[UnitType], bool]) -> str:
        """The types of counters that are wanted, as an enumeration."""
        return listed(kind.title.lower() for kind in self.types.values() if wanted(kind))

    def _unit(self, rows: Rows, n: int, where: Theatre) -> Counter:
        side = rows.value(n, "side")
        if side not in SIDES:
            raise rows.error(n, "side", f"{side!r} is not axis or soviet")
        nations, types = tuple(self.nations), tuple(self.types)
        kind = types[rows.one_of(n, "type", types)]
        setup = rows.hex(n, "setup", where.grid) if rows.value(n, "setup") else -1
        return Counter(
            n, rows.value(n, "id"), rows.value(n, "designation"), SIDES.index(side),
            nations[rows.one_of(n, "nation", nations)], kind, rows.value(n, "size"),
            rows.whole(n, "af"), rows.whole(n, "df"), rows.whole(n, "mf"), rows.value(n, "mark"),
            setup, rows.value(n, "dispersed"), bool(rows.whole(n, "replaceable")),
            rows.whole(n, "cost"), rows.value(n, "cost_kind"), rows.value(n, "pool"), rows.value(n, "group"),
            self.types[kind],
        )  # fmt: skip

    def find(self, text: str) -> Unit | None:
        """A unit by id or printed designation, dots and blanks aside; None when unknown or unclear."""
        if text in self.index:
            return self.index[text]
        wanted = _plain(text)
        found = [u.number for u in self.units if wanted in (_plain(u.id), _plain(u.name))]
        return found[0] if len(found) == 1 else None


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


@cached
def _cached(folder: Path, stamp: str) -> Roster:
    return Roster(theatre(folder), folder)


def roster(folder: Path) -> Roster:
    """The counters of a data folder, read once."""
    return _cached(folder, stamp(folder))
