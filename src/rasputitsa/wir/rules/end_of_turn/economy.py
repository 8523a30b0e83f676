"""8.0, 8.5 Production, and the order of all that happens at the end of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import Any

from rasputitsa.core.chance import percent
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR_POOL, ART_POOL, CONSTRUCTION, FACTORIES, INF_POOL, POOLS, VEH_POOL
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.end_of_turn import events, lendlease, partisans
from rasputitsa.wir.rules.execution import air

REPORTED_POOLS = (INF_POOL, VEH_POOL, ART_POOL, AIR_POOL)
"""Pools whose gain a production tells; supply and construction points are not displayed (5.2, 8.5)."""


def soviet_infantry(month: str, table: Mapping[str, Any]) -> int:
    """Percent of its people's points that the Soviet side gets as infantry in a month (8.5, 8.11)."""
    factor = 100
    for first, percent_ in table["soviet_infantry"]:
        if month >= first:
            factor = percent_
    return factor


def fails_chance(year: int, table: Mapping[str, Any]) -> int:
    """Percent chance that the Axis gets nothing at all in a turn of a year."""
    return int(table["axis_fails"].get(str(year), 0))


def holdings(s: State, side: Side, kind: int) -> int:
    """Factories of a kind, supply centres or population points in a side's cities."""
    row = s.values[kind]
    soviet = sum(compress(row, s.owner))
    return soviet if side == SOVIET else sum(row) - soviet


def output(s: State, side: Side) -> list[tuple[int, int]]:
    """Each pool and the hundredths of a point it gets."""
    found = []
    for kind, pool, each in s.rules.yields:
        if pool == INF_POOL and side == SOVIET:
            each = soviet_infantry(s.rules.month(s.turn), s.rules.sheet["production"])
        found.append((pool, holdings(s, side, kind) * each))
    return found


def new_factories(construction: int, table: Mapping[str, Any]) -> int:
    """How many factories a number of construction points builds in a turn."""
    return int(construction // table["points_per_new_factory"])


def forecast(s: State, side: Side) -> dict[str, int]:
    """What the next production adds to each pool, if it does not fail; new factories use construction points up."""
    table = s.rules.sheet["production"]
    gains = {POOLS[pool]: (hundredths + s.rest[side][pool]) // 100 for pool, hundredths in output(s, side)}
    built = new_factories(s.pools[side][CONSTRUCTION] + gains[POOLS[CONSTRUCTION]], table)
    gains[POOLS[FACTORIES]] = built
    gains[POOLS[CONSTRUCTION]] -= built * int(table["factory_cost"])
    return gains


def produce(s: State, side: Side, context: Context) -> None:
    """8.5 for one side: points go to the pools as far as they hold them, then factories are built."""
    table = s.rules.sheet["production"]
    if side == AXIS and percent(context, "production", fails_chance(s.year, table)):
        context.note(NoProduction(side))
        return
    rest, gained = s.rest[side], [0] * len(POOLS)
    for pool, hundredths in output(s, side):
        points, rest[pool] = divmod(hundredths + rest[pool], 100)
        gained[pool] = s.gain(side, pool, points)
    built = s.gain(side, FACTORIES, new_factories(s.pools[side][CONSTRUCTION], table))
    s.gain(side, CONSTRUCTION, -built * int(table["factory_cost"]))
    infantry, vehicle, artillery, aircraft = (gained[pool] for pool in REPORTED_POOLS)
    context.note(Produced(side, infantry, vehicle, artillery, aircraft, built))


def receive(s: State, side: Side, context: Context) -> None:
    """EVENING.Income: what a scenario sends a side every week in place of what the whole country makes."""
    coming = s.rules.income[side]
    if any(coming):
        gained = [s.gain(side, pool, points) for pool, points in enumerate(coming)]
        infantry, vehicle, artillery, aircraft = (gained[pool] for pool in REPORTED_POOLS)
        context.note(Produced(side, infantry, vehicle, artillery, aircraft, gained[FACTORIES]))


def end_of_turn(s: State, context: Context) -> None:
    """All that is adjusted when a turn is over, except weather and victory.

    Partisans come before production: what counts is the infantry that was kept in the pool. A lesson may be played
    without all that comes from outside its small part of the map.
    """
    whole = s.goal is None or s.goal.production
    if whole:
        partisans.act(s, context)
        for side in (AXIS, SOVIET):
            produce(s, side, context)
        lendlease.ship(s, context)
    else:
        for side in (AXIS, SOVIET):
            receive(s, side, context)
    events.recover(s, context)
    events.guards(s, context)
    events.redesignate(s, context)
    if whole:
        events.siberians(s, context)
    air.come_back(s, context)


@event("no_production", "8.5", "side")
class NoProduction(Event):
    """The production of a side fails."""

    side: Side

    def words(self, s: State) -> str:
        return f"No production: {side_name(self.side)}"


@event("production", "8.5", "side", "number", "number", "number", "number", "number")
class Produced(Event):
    """A side receives points."""

    side: Side
    infantry: int
    vehicle: int
    artillery: int
    aircraft: int
    factories: int

    def words(self, s: State) -> str:
        _, *points = self.args
        names = (*(POOLS[pool] for pool in REPORTED_POOLS), "new factories")
        parts = [f"{n} {name}" for n, name in zip(points, names, strict=True) if n]
        if self.factories == 1:
            parts[-1] = "1 new factory"
        return f"{side_name(self.side)} production: {', '.join(parts) or 'nothing'}"
