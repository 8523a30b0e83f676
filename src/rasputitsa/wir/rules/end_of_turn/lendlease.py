"""8.6 Lend-Lease."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.core.chance import percent, successes
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import figured
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.figures import added
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.marks import group_mark, number
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR_BITS, AIR_POOL, AREAS, EAST, NORTH, SOUTH, VEH_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET, WINTER_LINE


def due(s: State) -> bool:
    """Whether a shipment arrives: in the first turn of each month from October 1941."""
    return s.rules.month(s.turn) >= str(s.rules.sheet["lend_lease"]["from"]) and s.rules.dates[s.turn - 1].day <= 7


def winter(s: State) -> bool:
    """October to April."""
    first, last = s.rules.combat["convoys"]["winter"]
    month = s.rules.dates[s.turn - 1].month
    return bool(month >= first or month <= last)


def size(year: int, area: str, table: Mapping[str, Any]) -> tuple[int, int]:
    """Vehicle and aircraft points of a shipment."""
    vehicles, aircraft = table["size"][str(year)]
    factor = table["north"] if area == NORTH else 1
    return vehicles * factor, aircraft * factor


def area_of(die: int, table: Mapping[str, Any]) -> str:
    """Where a shipment arrives, by a percent die."""
    for area in AREAS[:-1]:
        die -= table["area"][area]
        if die <= 0:
            return area
    return EAST


def city_of(rules: Ruleset, part: str) -> str:
    """The name of the city that has a part in shipments: ``landing``, ``junction`` or ``south``."""
    return str(added(rules.combat["convoys"], part))


def _lost(s: State, part: str) -> bool:
    return s.owner[s.rules.city(city_of(s.rules, part))] == AXIS


def cancelled(s: State, area: str) -> bool:
    """Whether a shipment cannot be landed."""
    if area == NORTH:
        return _lost(s, "landing") and (_lost(s, "junction") or winter(s))
    return area == SOUTH and _lost(s, "south")


def line_open(s: State) -> bool:
    """Whether Soviet rail leads from the landing to the junction through the hex south-west of it, free of Axis groups
    and zones of control."""
    board = s.rules.map
    start, end = (board.cities[s.rules.city(city_of(s.rules, part))].hex for part in ("landing", "junction"))
    usable = s.own_line(SOVIET) & ~(s.occ[AXIS] | s.zoc(AXIS))
    last = board.step[end][WINTER_LINE]
    if last < 0 or not usable >> end & 1:
        return False
    return bool(board.grid.flood(1 << start, usable & ~(1 << end)) >> last & 1)


def bombers(s: State) -> list[Group]:
    """Supplied Axis air groups within two hexes of the north edge."""
    return [
        g for g in members(s.supplied & AIR_BITS[AXIS])
        if s.hex[g] >= 0 and s.aircraft[g] and s.rules.map.row(s.hex[g]) <= s.rules.combat["convoys"]["rows"]
    ]  # fmt: skip


def _bombed(s: State, context: Context, cargo: list[int]) -> None:
    table = s.rules.combat["convoys"]
    per_hit = (int(table["vehicles_per_hit"]), 1)
    for group in bombers(s):
        if percent(context, "lend_lease", table["weather"]):
            context.note(ConvoyMissed(group))
            continue
        hits = successes(context, "lend_lease", s.aircraft[group], table["hit"])
        on_aircraft = successes(context, "lend_lease", hits, added(table, "on_aircraft"))
        before = tuple(cargo)
        for _ in range(hits):
            on_aircraft -= 1
            kind = int(on_aircraft >= 0)
            kind = kind if cargo[kind] else 1 - kind
            cargo[kind] = max(0, cargo[kind] - per_hit[kind])
        context.note(ConvoyBombed(group, before[0] - cargo[0], before[1] - cargo[1]))


def ship(s: State, context: Context) -> None:
    """The shipment of a month, if one is due, and what waits at the landing."""
    if due(s):
        table = s.rules.sheet["lend_lease"]
        area = area_of(context.roll("lend_lease", 100), table)
        if cancelled(s, area):
            context.note(LendLeaseCancelled(area))
        else:
            cargo = list(size(s.year, area, table))
            if area == NORTH:
                _bombed(s, context, cargo)
            context.note(LendLeaseArrived(area, *cargo))
            if area == NORTH and must_wait(s):
                s.lend = [s.lend[0] + cargo[0], s.lend[1] + cargo[1]]
                context.note(LendLeaseWaits(*s.lend))
            else:
                _receive(s, cargo)
    if any(s.lend):
        _forward(s, context)


def must_wait(s: State) -> bool:
    """Whether northern goods stay where they were landed: with the junction lost, and in winter with the line cut."""
    return _lost(s, "junction") or (winter(s) and not line_open(s))


def _forward(s: State, context: Context) -> None:
    """Goods waiting at the landing go on as soon as they can, or are lost with the town."""
    if _lost(s, "landing"):
        context.note(LendLeaseLost(*s.lend))
    elif must_wait(s):
        return
    else:
        context.note(LendLeaseForwarded(*s.lend))
        _receive(s, s.lend)
    s.lend = [0, 0]


def _receive(s: State, cargo: list[int]) -> None:
    s.gain(SOVIET, VEH_POOL, cargo[0])
    s.gain(SOVIET, AIR_POOL, cargo[1])


def _goods(vehicles: object, aircraft: object) -> str:
    goods = ((number(vehicles), "vehicle point"), (number(aircraft), "aircraft point"))
    return " and ".join(figured(points, what) for points, what in goods if points) or "nothing"


@event("lend_lease", "8.6", "text", "number", "number")
class LendLeaseArrived(Event):
    """A shipment of Lend-Lease arrives."""

    area: str
    vehicles: int
    aircraft: int

    def words(self, s: State) -> str:
        return f"Lend-Lease from the {self.area}: {_goods(self.vehicles, self.aircraft)}"


@event("lend_lease_cancelled", "8.6", "text")
class LendLeaseCancelled(Event):
    """The port of a Lend-Lease route is lost."""

    area: str

    def words(self, s: State) -> str:
        return f"Lend-Lease from the {self.area} is cancelled: its port is lost"


@event("lend_lease_waits", "8.6", "number", "number")
class LendLeaseWaits(Event):
    """Lend-Lease waits where it was landed."""

    vehicles: int
    aircraft: int

    def words(self, s: State) -> str:
        return f"Lend-Lease waits at {city_of(s.rules, 'landing')}: {_goods(self.vehicles, self.aircraft)}"


@event("lend_lease_forwarded", "8.6", "number", "number")
class LendLeaseForwarded(Event):
    """Lend-Lease goes on from where it was landed."""

    vehicles: int
    aircraft: int

    def words(self, s: State) -> str:
        return f"Lend-Lease leaves {city_of(s.rules, 'landing')}: {_goods(self.vehicles, self.aircraft)}"


@event("lend_lease_lost", "8.6", "number", "number")
class LendLeaseLost(Event):
    """Lend-Lease is lost with the city where it was landed."""

    vehicles: int
    aircraft: int

    def words(self, s: State) -> str:
        return f"Lend-Lease at {city_of(s.rules, 'landing')} is lost: {_goods(self.vehicles, self.aircraft)}"


@event("convoy_missed", "8.6", "unit")
class ConvoyMissed(Event):
    """An air group does not find the convoy."""

    group: Group

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} does not find the convoy in the weather"


@event("convoy_bombed", "8.6", "unit", "number", "number")
class ConvoyBombed(Event):
    """An air group sinks a part of a convoy."""

    group: Group
    vehicles: int
    aircraft: int

    def words(self, s: State) -> str:
        return f"{group_mark(s, self.group)} bombs the convoy: {_goods(self.vehicles, self.aircraft)} sunk"
