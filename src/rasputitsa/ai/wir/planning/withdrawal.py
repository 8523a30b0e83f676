"""Steps back: groups that would be cut off, or are worn out, leave before the enemy's next week."""

from __future__ import annotations

from rasputitsa.ai.wir.planning.line import LAST_EXIT, Line, Post
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.theatre import CITY, FORTIFIED
from rasputitsa.wir.rules.movement import plot_ways

HOPELESS = 3.0
"""At these odds a group that is attacked does not hold."""
DUG_IN = 2
"""Level of entrenchment at which a group stays."""
FATIGUED = 60
"""A group as fatigued as this loses most of its strength when it is driven out."""


def withdrawals(line: Line, free: list[Group]) -> dict[Group, Post]:
    """Where groups step back to that could neither hold nor, if driven out, get away whole."""
    found: dict[Group, Post] = {}
    taken: set[Hex] = set()
    for group in free:
        if _lost(line, group):
            steps = [h for h in _steps(line, group) if h not in taken]
            best = max(steps, key=lambda h: (line.exits(h), -line.threat(h), -h), default=-1)
            if best >= 0 and line.exits(best) > line.exits(line.s.hex[group]):
                found[group] = Post(best, 0.0, 0.0)
                taken.add(best)
    return found


def _lost(line: Line, group: Group) -> bool:
    """Whether a group adjacent to the enemy is lost where it is."""
    s, situation, here = line.s, line.situation, line.s.hex[group]
    if situation.to_enemy[here] > 1 or s.entrench[group] >= DUG_IN or s.terrain(here) in (CITY, FORTIFIED):
        return False
    units = s.group_units[group]
    if not units or line.threat(here) < HOPELESS * max(1.0, situation.defence(here, line.side)):
        return False
    return line.exits(here) <= LAST_EXIT or sum(s.fatigue[u] for u in units) >= FATIGUED * len(units)


def _steps(line: Line, group: Group) -> list[Hex]:
    """Hexes adjacent to a group that it can step into."""
    s, here = line.s, line.s.hex[group]
    return members(s.rules.map.reach[here] & plot_ways.open_hexes(s, line.side))
