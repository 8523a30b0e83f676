"""Which unit looks after which enemy or place, so that an army spreads over its front instead of crowding."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, knowledge_of
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS

OVERMATCH = 2.2
"""Attack factors wanted for each factor of an enemy stack's defence."""
LEAST = 8.0
"""Attack factors sent toward a victory city that nobody covers, for each of its points."""
STOLEN_OIL = 2
"""How many points of victory cities the lost oil counts for."""


class Want(NamedTuple):
    """A hex that wants attention."""

    hex: Hex
    factors: float
    """Attack factors wanted there."""
    detour: float
    """Hexes of detour it is worth."""


def stacks(s: State, side: Side) -> list[Want]:
    """Enemy stacks, wanting enough to beat them."""
    df = s.rules.roster.df
    found = []
    for hex_ in members(s.occ[1 - side]):
        strength = sum(df[u] for u in s.at[hex_])
        found.append(Want(hex_, OVERMATCH * strength, 0.3 * min(strength, 6)))
    return found


def prizes(s: State, side: Side) -> list[Want]:
    """Cities and oil in enemy hands, or what a lesson is about, wanting more the better they are covered."""
    knowledge = knowledge_of(s.rules)
    df = s.rules.roster.df
    found = []
    if s.goal is not None:
        cities = dict.fromkeys(members(lesson.wanted(s, side)), 1)
    else:
        cities = {h: v for h, v in knowledge.victory.items() if bool(s.control >> h & 1) != (side == AXIS)}
        if side == AXIS:
            cities |= dict.fromkeys(members(knowledge.fuel[AXIS] & ~s.control), STOLEN_OIL)
    for hex_, points in cities.items():
        covering = knowledge.near(hex_, 2) & s.occ[1 - side]
        strength = sum(df[u] for h in members(covering) for u in s.at[h])
        found.append(Want(hex_, LEAST * points + OVERMATCH * strength, 2.0 * points))
    return found


def assign(s: State, units: UnitBits, wants: list[Want]) -> dict[Unit, Hex]:
    """For each unit the hex it is to look after: the nearest that still wants attention."""
    knowledge = knowledge_of(s.rules)
    if not wants:
        return {}
    af, mf = s.rules.roster.af, s.rules.roster.mf
    pairs: list[tuple[float, Unit, int]] = []
    for place, (hex_, _, detour) in enumerate(wants):
        field = knowledge.field(hex_)
        for unit in members(units):
            distance = field[s.pos[unit]]
            if distance < UNREACHABLE:
                pairs.append(((distance - detour) / (mf[unit] + 2), unit, place))
    pairs.sort()
    left = [need for _, need, _ in wants]
    duty: dict[Unit, Hex] = {}
    for _, unit, place in pairs:
        if unit in duty or left[place] <= 0:
            continue
        duty[unit] = wants[place][0]
        left[place] -= af[unit]
    for _, unit, place in pairs:
        if unit not in duty:
            duty[unit] = wants[place][0]
    return duty
