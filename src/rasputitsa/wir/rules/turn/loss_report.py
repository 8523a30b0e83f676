"""What an execution costs each side: losses of strength, artillery and aircraft, by kind, told to its own side."""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR_POOL, ART_POOL, UNITS_PER_SIDE, groups_of

SIDES = (0, 1)


class Strengths(NamedTuple):
    """What a side has."""

    infantry: int
    """Strength points of units on foot and horse."""
    mechanized: int
    artillery: int
    """Artillery points in the groups and in the pool: a group that moves gives its own back (8.10)."""
    aircraft: int
    units: int


def strengths(s: State, side: Side) -> Strengths:
    """Count what a side has."""
    first = side * UNITS_PER_SIDE
    slots = slice(first, first + UNITS_PER_SIDE)
    strength, kinds = s.strength[slots], s.utype[slots]
    motorized = bytes(kind.mechanized for kind in s.rules.types).ljust(256, b"\0")
    mechanized = sum(compress(strength, kinds.translate(motorized)))
    groups, pools = groups_of(side), s.pools[side]
    own = slice(groups[0], groups[-1] + 1)
    return Strengths(
        sum(strength) - mechanized, mechanized,
        sum(s.artillery[own]) + pools[ART_POOL], sum(s.aircraft[own]) + pools[AIR_POOL],
        UNITS_PER_SIDE - kinds.count(0),
    )  # fmt: skip


def note(s: State, context: Context, before: tuple[Strengths, ...]) -> None:
    """Put on the log what both sides have lost since a count."""
    for side in SIDES:
        lost = [max(0, had - has) for had, has in zip(before[side], strengths(s, side), strict=True)]
        if any(lost):
            context.note(LossesOfWeek(side, *lost))


@event("losses", "7.10", "side", "number", "number", "number", "number", "number")
class LossesOfWeek(Event):
    """What a side has lost in a week."""

    side: Side
    infantry: int
    mechanized: int
    artillery: int
    aircraft: int
    units: int

    def words(self, s: State) -> str:
        parts = [
            f"{points} {name}"
            for points, name in (
                (self.infantry, "infantry strength"), (self.mechanized, "mechanized strength"),
                (self.artillery, "artillery"), (self.aircraft, "aircraft"),
                (self.units, "unit wiped out" if self.units == 1 else "units wiped out"),
            )
            if points
        ]  # fmt: skip
        return f"{side_name(self.side)} losses of the week: {', '.join(parts)}"
