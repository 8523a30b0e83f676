"""What a side wants in a lesson: to reach its goal, or to keep the other side from it."""

from __future__ import annotations

from rasputitsa.core.lessons.goal import met
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import GroupBits, HexBits, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.theatre import AXIS
from rasputitsa.wir.rules.turn.goal import parts

PLACE, TARGET, PROGRESS = 300.0, 150.0, 400.0
"""What a hex the goal is about is worth, a group it is about, and a whole demand of it, in points of strength."""
WIN = 1500.0
"""What it is worth to have won by the goal."""
ELSEWHERE = 0.1
"""What is left of the worth of cities that the goal is not about."""


def places(s: State) -> HexBits:
    """The hexes the goal is about; none without a goal."""
    return s.goal.hold | s.goal.clear if s.goal is not None else 0


def held(s: State, side: Side) -> HexBits:
    """All hexes under a side's control."""
    return s.control if side == AXIS else s.rules.map.passable & ~s.control


def lacking(s: State, side: Side) -> HexBits:
    """The hexes the goal is about that the side does not hold."""
    open_ = places(s) & ~held(s, side)
    if s.goal is not None and side == s.goal.side:
        open_ |= s.goal.clear & s.occ[1 - side]
    return open_


def to_remove(s: State, side: Side) -> GroupBits:
    """The enemy groups whose end helps the side to its goal, or spoils the enemy's."""
    if s.goal is None:
        return 0
    groups = s.goal.remove if side == s.goal.side else s.goal.keep | s.goal.supplied
    return sum(1 << g for g in members(groups) if s.hex[g] != OFF)


def to_keep(s: State, side: Side) -> GroupBits:
    """The side's own groups that the goal is about."""
    return to_remove(s, 1 - side)


def to_supply(s: State, side: Side) -> GroupBits:
    """The side's own groups that have to be in supply."""
    return s.goal.supplied if s.goal is not None and s.goal.side == side else 0


def wanted(s: State, side: Side) -> HexBits:
    """The hexes groups are drawn to: what is lacking, where those to be removed stand, or else what is to be kept."""
    stands = sum({1 << s.hex[g] for g in members(to_remove(s, side))})
    return lacking(s, side) | stands or places(s) or s.city_hexes[1 - side]


def last_week(s: State) -> bool:
    """Whether the goal decides at the end of this week, after which nothing counts."""
    return s.goal is not None and s.turn >= s.goal.last_turn


def behind(s: State, side: Side) -> bool:
    """Whether a side loses by the goal if everything stays as it is."""
    return s.goal is not None and met(parts(s, s.goal)) != (side == s.goal.side)


def progress(s: State, side: Side) -> float:
    """How far the goal is met at the end of a week, and whether it is won by that, from a side's point of view."""
    assert s.goal is not None
    found = parts(s, s.goal)
    total = sum(min(1.0, part.done / max(1, part.needed)) for part in found) * PROGRESS
    if met(found) and (s.goal.early or last_week(s)):
        total += WIN
    return total if side == s.goal.side else -total
