"""Who has to stay behind: the places that must not fall, and the cheapest units that can hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.portfolio.sight import FAR, sight
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

FULL, TOKEN = 2.0, 4.0
"""How many times the defence the enemy's attack may be: for places that decide the game, and for others."""
CHEAP = 4
"""Attack factor up to which a unit may be spared for a lesser place."""


def needs(s: State, side: int) -> list[tuple[int, float]]:
    """Places to be held and how firmly, the most important first."""
    knowledge = sight(s.rules)
    if side == AXIS:
        held = [h for h in knowledge.victory if s.control >> h & 1]
        points = sum(knowledge.victory[h] for h in held)
        firm = FULL if points >= knowledge.needed - 2 else TOKEN
        return [(h, FULL) for h in knowledge.soviet_goals] + [(h, firm) for h in held]
    own = [h for h in knowledge.victory if not s.control >> h & 1]
    lost = sum(knowledge.victory[h] for h in knowledge.victory if s.control >> h & 1)
    firm = FULL if lost >= knowledge.needed - 2 else TOKEN
    return [(h, firm) for h in own]


def threat(s: State, side: int, hex_: int, hostile: int, firmness: float) -> int:
    """Attack factors the enemy could bring against a hex, roughly; 0 if nothing can come near."""
    field = sight(s.rules).field(hex_)
    roster = s.rules.roster
    bonus = s.rules.bonus[1 - side]
    near: list[int] = []
    raid = 0
    for unit in members(hostile):
        distance = field[s.pos[unit]]
        if distance >= FAR:
            continue
        if distance <= roster.mf[unit] + 1 + (bonus if firmness == FULL else 0):
            near.append(roster.af[unit])
        elif distance <= roster.mf[unit] + bonus:
            raid = 1
    near.sort(reverse=True)
    return sum(near[:6]) or raid


def garrison(s: State, side: int, ready: dict[int, int], hostile: int) -> dict[int, int]:
    """Units that are needed to hold places, and where; ``ready`` gives the hexes each unit can reach."""
    roster = s.rules.roster
    posted: dict[int, int] = {}
    for hex_, firmness in needs(s, side):
        attack = threat(s, side, hex_, hostile, firmness)
        if not attack:
            continue
        fixed = [u for u in s.at.get(hex_, ()) if u not in ready and roster.side[u] == side]
        defence = 1 + sum(roster.df[u] - (s.dispersed >> u & 1) for u in fixed)
        places = 2 - len(fixed)
        big = any(roster.above_corps >> u & 1 for u in fixed)
        able = [u for u, spots in ready.items() if spots >> hex_ & 1 and u not in posted]
        if firmness == TOKEN:
            cheap = [u for u in able if roster.af[u] <= CHEAP and not roster.pure_armor >> u & 1]
            able = cheap or [u for u in able if s.pos[u] == hex_]
        able.sort(key=lambda u: (s.pos[u] != hex_, roster.af[u] - 0.5 * roster.df[u], u))
        for unit in able:
            enough = defence > 1 and defence * firmness >= attack
            if enough or places <= 0 or any(roster.front >> u & 1 for u in fixed):
                break
            if roster.above_corps >> unit & 1 and big:
                continue
            if roster.front >> unit & 1 and places < 2:
                continue
            posted[unit] = hex_
            fixed.append(unit)
            defence += roster.df[unit]
            places -= 1
            big = big or bool(roster.above_corps >> unit & 1)
    return posted


def guards(s: State, ready: dict[int, int], hostile: int) -> dict[int, int]:
    """Axis units that may not stray from a place whose fall loses the game: the hexes left to each.

    Enough of the nearest and least mobile are kept within reach of the place or of those who threaten it.
    """
    knowledge = sight(s.rules)
    roster = s.rules.roster
    grid = s.rules.grid
    kept: dict[int, int] = {}
    for prize in knowledge.soviet_goals:
        field = knowledge.field(prize)
        raiders = [u for u in members(hostile) if field[s.pos[u]] <= RAID]
        if not raiders:
            continue
        need = GUARD * sum(roster.af[u] for u in raiders)
        zone = knowledge.near(prize, 4)
        for unit in raiders:
            zone |= grid.adjacent[s.pos[unit]]
        near = sorted(
            (u for u in ready if u not in kept and field[s.pos[u]] <= RAID),
            key=lambda u: (field[s.pos[u]] + (6 if roster.pure_armor >> u & 1 else 0), u),
        )
        for unit in near:
            if need <= 0:
                break
            if ready[unit] & zone:
                kept[unit] = zone
                need -= roster.df[unit]
    return kept


RAID = 8
"""Marching distance from which a place is in danger before long."""
GUARD = 0.7
"""Defence factors kept near for each attack factor that threatens."""

__all__ = ["AXIS", "SOVIET", "garrison", "guards", "needs", "threat"]
