"""6.8 Entrenchment: after a side's moves each of its groups that stayed may dig in one level deeper."""

from __future__ import annotations

from rasputitsa.core.frames import Context
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.plot import BOMBARD, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, KIND, MECHANIZED, groups_of
from rasputitsa.wir.model.theatre import SOVIET


def chance(s: State, side: Side) -> int:
    """Percent for the next level; the Soviets dig faster at levels 1 and 2 (10.0)."""
    rules = s.rules.entrenchment
    return (rules.soviet_chance if side == SOVIET else rules.chance)[s.level]


def eligible(s: State, group: Group) -> bool:
    """Whether a group may reach its next level this turn."""
    if s.moved >> group & 1:
        return False
    if s.plot[group]:
        allowed = s.rules.options["bombard_entrench"] == "yes"
        plot = unpack(s.plot[group])
        if not (allowed and plot.ending == BOMBARD and not plot.moves()):
            return False
    unsupplied_most = s.rules.entrenchment.unsupplied_most
    return may_gain(s, group) and (s.entrench[group] < unsupplied_most or bool(s.supplied >> group & 1))


def may_gain(s: State, group: Group) -> bool:
    """Whether there is a next level for a group that stays, as far as supply and orders allow it."""
    return KIND[group] in (MECHANIZED, INFANTRY) and s.entrench[group] < s.rules.entrenchment.most


def attempt(s: State, side: Side, context: Context) -> None:
    """Try every eligible group of a side."""
    percent = chance(s, side)
    for group in s.on_map(groups_of(side, MECHANIZED, INFANTRY)):
        if eligible(s, group) and context.roll("entrench", 100) <= percent:
            s.entrench[group] += 1
