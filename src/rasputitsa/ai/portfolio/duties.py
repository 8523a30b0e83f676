"""Which unit looks after which enemy or place, so that an army spreads over its front instead of crowding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.sight import FAR, sight
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.theatre import AXIS

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

OVERMATCH = 2.2
"""Attack factors wanted for each factor of an enemy stack's defence."""


def demands(s: State, side: int) -> list[tuple[int, float, float]]:
    """Hexes that want attention: hex, attack factors wanted, and hexes of detour it is worth."""
    knowledge = sight(s.rules)
    df = s.rules.roster.df
    found: list[tuple[int, float, float]] = []
    enemy = s.occ[1 - side]
    for hex_ in members(enemy):
        strength = sum(df[u] for u in s.at[hex_])
        found.append((hex_, OVERMATCH * strength, 0.3 * min(strength, 6)))
    if side == AXIS:
        for hex_, points in knowledge.victory.items():
            if not s.control >> hex_ & 1:
                found.append((hex_, 6.0 * points, 2.0 + 2.0 * points))
        majors = s.rules.map.majors & s.rules.home[1] & ~s.control & ~s.rules.map.victory_cities
        found += [(hex_, 3.0, 1.0) for hex_ in members(majors)]
    else:
        for hex_, points in knowledge.victory.items():
            if s.control >> hex_ & 1:
                found.append((hex_, 8.0 * points, 2.0 * points))
    return found


def assign(s: State, side: int, units: int) -> dict[int, int]:
    """For each unit the hex it is to look after: the nearest that still wants attention."""
    knowledge = sight(s.rules)
    wants = demands(s, side)
    if not wants:
        return {}
    af = s.rules.roster.af
    pairs: list[tuple[float, int, int]] = []
    for place, (hex_, _, detour) in enumerate(wants):
        field = knowledge.field(hex_)
        for unit in members(units):
            distance = field[s.pos[unit]]
            if distance < FAR:
                pairs.append((distance - detour, unit, place))
    pairs.sort()
    left = [need for _, need, _ in wants]
    duty: dict[int, int] = {}
    for _, unit, place in pairs:
        if unit in duty or left[place] <= 0:
            continue
        duty[unit] = wants[place][0]
        left[place] -= af[unit]
    for _, unit, place in pairs:
        if unit not in duty:
            duty[unit] = wants[place][0]
    return duty
