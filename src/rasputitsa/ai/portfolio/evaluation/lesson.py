"""What a side wants in a lesson: to reach its goal, or to keep the other side from it."""

from __future__ import annotations

from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, knowledge_of
from rasputitsa.core.caching import cached_up_to
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import HexBits, Side
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.turn.goal import parts

PLACE, TARGET, PROGRESS = 15.0, 8.0, 40.0
"""What a hex the goal is about is worth, a unit it is about, and a whole demand of it."""
NEAR = 0.05
"""What an attack factor is worth one hex nearer to what is wanted."""


def places(s: State) -> HexBits:
    """The hexes the goal is about."""
    assert s.goal is not None
    return s.goal.hold | s.goal.clear


def last_turn(s: State) -> bool:
    """Whether the goal decides at the end of this turn at the latest, after which nothing counts."""
    return s.goal is not None and s.turn >= s.goal.last_turn


def nothing_follows(s: State, side: Side) -> bool:
    """Whether the goal decides at the end of a side's Initial operations, before the enemy moves again."""
    return last_turn(s) and s.goal is not None and s.goal.check == "operations" and side == s.goal.side


def last_word(s: State, side: Side) -> bool:
    """Whether the enemy has no more than its reserves to move before the goal decides."""
    second = s.weather.axis_first != (side == AXIS)
    return nothing_follows(s, side) or (last_turn(s) and (second or bool(s.reserve)))


def bound(s: State, side: Side) -> HexBits:
    """The hexes of the goal that a side holds, if it cannot spare a single one of them."""
    goal = s.goal
    assert goal is not None
    held = places(s) & s.controlled(side)
    least = goal.at_least if side == goal.side else goal.hold.bit_count() - goal.at_least + 1
    return held & ~goal.hold if (held & goal.hold).bit_count() > least else held


def lacking(s: State, side: Side) -> HexBits:
    """The hexes the goal is about that the side does not hold."""
    assert s.goal is not None
    open_ = places(s) & ~s.controlled(side)
    return open_ | (s.goal.clear & s.occ[1 - side] if side == s.goal.side else 0)


def target_hexes(s: State, side: Side) -> HexBits:
    """The hexes of enemy units whose end helps the side to its goal, or spoils the enemy's."""
    assert s.goal is not None
    units = s.goal.remove if side == s.goal.side else s.goal.keep
    return sum({1 << s.pos[u] for u in members(units & s.present)})


def wanted(s: State, side: Side) -> HexBits:
    """The hexes units are drawn to: what is lacking and target hexes, or else what is to be kept."""
    return lacking(s, side) | target_hexes(s, side) or places(s) or s.occ[1 - side]


def pull_and_gain(s: State, side: Side) -> tuple[list[float], list[float], list[float]]:
    """How near each hex is to what is wanted, what driving the enemy out of it is worth, and holding it."""
    return _fields(s.rules, wanted(s, side), lacking(s, side), target_hexes(s, side), places(s))


@cached_up_to(64)
def _fields(
    rules: Ruleset, wanted_: HexBits, lacking_: HexBits, targets_: HexBits, places_: HexBits
) -> tuple[list[float], list[float], list[float]]:
    knowledge = knowledge_of(rules)
    field = knowledge.spread_field(wanted_, knowledge.land | wanted_)
    pull = [-float(min(field[h], UNREACHABLE)) for h in range(rules.grid.size)]
    gain = [0.0] * rules.grid.size
    value = [0.0] * rules.grid.size
    for hex_ in members(knowledge.land):
        gain[hex_] = 0.5 + 0.05 * max(-20.0, pull[hex_])
        value[hex_] = 0.03
    for hex_ in members(lacking_):
        gain[hex_] += PLACE
    for hex_ in members(targets_):
        gain[hex_] += TARGET
    for hex_ in members(places_):
        value[hex_] = PLACE
    return pull, gain, value


def score(s: State) -> float:
    """How the lesson stands for the Axis: how far the goal is met, forces, and how near they are to it."""
    goal = s.goal
    assert goal is not None
    knowledge = knowledge_of(s.rules)
    met = sum((min(1.0, part.done / max(1, part.needed)) for part in parts(s, goal)), 0.0) * PROGRESS
    total = met if goal.side == AXIS else -met
    cut = supply.unsupplied_units(s, 0) | supply.unsupplied_units(s, 1)
    about = goal.remove | goal.keep
    af = s.rules.roster.af
    for side, sign in ((0, 1.0), (1, -1.0)):
        field = [-p for p in pull_and_gain(s, side)[0]]
        for unit in s.on_map(side):
            value = knowledge.worth[unit] * (0.85 if s.dispersed >> unit & 1 else 1.0)
            if cut >> unit & 1:
                value *= 0.3 if about >> unit & 1 else 0.55
            total += sign * (value - NEAR * af[unit] * min(12.0, field[s.pos[unit]]))
    return total
