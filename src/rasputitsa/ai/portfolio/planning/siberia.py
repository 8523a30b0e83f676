"""The Siberian Reserve: whether to call it in while Japan may still attack."""

from __future__ import annotations

from math import exp

from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics.siberia import numbers, safe_turn
from rasputitsa.portfolio.rules.turn import victory

RELIEF = 1.0
"""How much the reserve improves the odds of holding out when it comes in at once (in logits)."""


def holding_out(s: State, relief: float = 0.0) -> float:
    """The chance that the Soviet side keeps the Axis from its cities, roughly.

    It falls with each point the Axis has or stands close to, and grows with the season and the balance of forces.
    """
    knowledge = knowledge_of(s.rules)
    points = float(victory.points_of(s, victory.linked_cities(s)))
    roster = s.rules.roster
    for hex_, value in knowledge.victory.items():
        if not s.control >> hex_ & 1:
            near = knowledge.near(hex_, 3) & s.occ[AXIS]
            force = sum(roster.af[u] for h in members(near) for u in s.at[h])
            guard = 2 + sum(roster.df[u] for h in members(knowledge.near(hex_, 1) & s.occ[SOVIET]) for u in s.at[h])
            points += 0.8 * value * min(1.0, force / (2.0 * guard))
    lacking = knowledge.needed - points
    worth = knowledge.worth
    axis = sum((worth[u] for u in s.on_map(AXIS)), 0.0)
    soviet = sum((worth[u] for u in s.on_map(SOVIET)), 0.0)
    logit = 0.9 * (lacking - 2.0) + 0.25 * (s.turn - 5) + 1.5 * (soviet / max(1.0, axis) - 0.9) + relief
    return 1.0 / (1.0 + exp(-logit))


def call_siberia(s: State) -> bool:
    """Whether to call the reserve in now: at the latest when it is safe, earlier if all would be lost without it."""
    wait = safe_turn(s) - s.turn
    if wait <= 0:
        return True
    survive = (1.0 - 1.0 / len(numbers(s))) ** wait
    # the sooner before its time, the more the reserve is worth
    return survive * holding_out(s, RELIEF * min(1.0, 0.4 + 0.2 * wait)) > holding_out(s) + 0.02
