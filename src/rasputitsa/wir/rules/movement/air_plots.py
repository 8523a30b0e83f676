"""6.9 Air strikes: what air groups may be sent against."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.wir.model.groups import why_ended
from rasputitsa.wir.model.indices import Group, Hex, HexBits, PlotNumber
from rasputitsa.wir.model.marks import hex_mark
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.model.theatre import AXIS

GROUND: Final = 0
BOMB: Final = 1


def encode(target: Hex, manner: int) -> PlotNumber:
    """What ``State.strike`` holds for a strike."""
    return target * 2 + manner + 1


def strike_of(s: State, group: Group) -> tuple[Hex, int] | None:
    """Target hex of a plotted strike and its manner (GROUND or BOMB)."""
    value = s.strike[group]
    return ((value - 1) // 2, (value - 1) % 2) if value else None


def within(s: State, group: Group) -> HexBits:
    """Hexes in range of an air group."""
    return _around(s, group, s.rules.raids.range[group_side(group)])


def with_escort(s: State, group: Group) -> HexBits:
    """Hexes that an air group strikes with fighter escort (7.1)."""
    return _around(s, group, s.rules.raids.escort)


def _around(s: State, group: Group, distance: int) -> HexBits:
    here = reached = 1 << s.hex[group]
    for _ in range(distance):
        reached |= s.rules.grid.spread(reached)
    return reached & ~here


def bomb_targets(s: State, group: Group) -> HexBits:
    """Enemy cities in range."""
    return within(s, group) & s.city_hexes[1 - group_side(group)]


def ground_targets(s: State, group: Group) -> HexBits:
    """Hexes with enemy groups in range."""
    return within(s, group) & s.occ[1 - group_side(group)]


def may_strike(s: State, group: Group) -> bool:
    """6.9: in supply, not moved this turn; a group without aircraft has nothing to send."""
    bit = 1 << group
    return bool(s.supplied & bit) and not (s.moved | s.halted) & bit and s.aircraft[group] > 0


def why_not(s: State, group: Group, target: Hex, manner: int) -> IllegalAction:
    """Why a strike cannot be plotted."""
    bit = 1 << group
    if not s.supplied & bit:
        return IllegalAction(f"air group {group} is not in supply", "6.9")
    if s.moved & bit:
        return IllegalAction(f"air group {group} has moved this turn", "6.9")
    if s.halted & bit:
        return why_ended(group)
    if not s.aircraft[group]:
        return IllegalAction(f"air group {group} has no aircraft", "6.9")
    where = s.rules.grid.names[target] if s.rules.grid.board >> target & 1 else "that hex"
    side = group_side(group)
    if not within(s, group) >> target & 1:
        whose = "Axis" if side == AXIS else "Soviet"
        return IllegalAction(
            f"{where} is more than {s.rules.raids.range[side]} hexes away, the range of {whose} air groups", "6.9"
        )
    if manner == BOMB:
        return IllegalAction(f"there is no enemy city in {where}", "6.9")
    return IllegalAction(f"there is no enemy group in {where}", "6.9")


@event("strike_plotted", "6.9", "unit", "hex", "manner")
class StrikePlotted(Event):
    """An air strike is plotted."""

    group: Group
    target: Hex
    manner: int

    def words(self, s: State) -> str:
        verb = "bombs the city in" if self.manner == BOMB else "attacks the groups in"
        return f"{{unit:{self.group}}} {verb} {hex_mark(s, self.target)} (plotted)"
