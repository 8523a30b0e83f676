"""A free set-up that the rules allow, as near to the historical one as they let it be."""

from __future__ import annotations

from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import SETUP, State
from rasputitsa.portfolio.rules.turn import setup


def historical_setup(s: State) -> list[tuple[int, int]]:
    """Units waiting to be set up with a hex for each, in an order in which they may be placed.

    The historical hex where that is allowed, else the nearest that is.
    """
    trial = s.copy()
    placed = []
    for unit in sorted((u for u in range(len(s.rules.units)) if s.pos[u] == SETUP), key=lambda u: _order(s.rules, u)):
        home = s.rules.units[unit].setup
        allowed = setup.deployment_hexes(trial, unit)
        distance = s.rules.grid.distance
        hex_ = min(members(allowed), key=lambda h: (distance(home, h), h))
        trial.place(unit, hex_)
        placed.append((unit, hex_))
    return placed


def _order(rules: Ruleset, unit: Unit) -> tuple[int, int, int]:
    """Armies first, and those nearest to a major city last of them, so that they are the ones to garrison it."""
    u = rules.units[unit]
    if not setup._armies(rules) >> unit & 1:
        return 1, 0, unit
    nearest = min(rules.grid.distance(u.setup, city) for city in members(rules.map.majors))
    return 0, -nearest, unit
