"""The planner's movement phase, with its plots simulated for as long as there is time."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import AttackPolicy, power
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.search.local_search import LocalSearch
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.victory import victory

LEAST_OWN_LOSS, MOST_OWN_LOSS = 0.35, 2.8
"""Bounds of what an own loss counts compared with the same loss of the enemy."""
PRIZE = 2.5
"""By how much cities count more than they do when attacks are planned, as long as the end is far."""
LATE, SOON = 160.0, 6
"""In games of the planner against itself a point of the score was worth the more combat strength the fewer weeks were
left, about as their power of -1.5: by this much, and no more than with this many weeks left."""

CAUGHT, HUNGER, ENTRENCHMENT, ENEMY_ENTRENCHMENT = 0.1, 0.3, 0.1, 0.05
"""What became of groups within five weeks, in 960 games of the planner against itself from 96 positions: one caught
loses a tenth more than others, one that is only cut off no more; one that has outrun its depots about a third, and a
level of entrenchment saves a tenth. In a lesson, where a pocket may be what it is about, the planner's figures stay."""


def at_stake(s: State, side: Side, policy: AttackPolicy) -> AttackPolicy:
    """The policy with which a side looks back on a week: in the end the ratio of strength decides, and cities score.

    So the stronger side can bear more losses for the same gain than the weaker one.
    """
    ratio = power(s, 1 - side) / power(s, side)
    own_loss = max(LEAST_OWN_LOSS, min(MOST_OWN_LOSS, ratio)) * policy.enemy_loss
    policy = policy._replace(own_loss=own_loss, prize=_prize(s, policy))
    if s.goal is not None:
        return policy
    return policy._replace(
        ring=0.0, caught=CAUGHT, hunger=HUNGER, entrenchment=ENTRENCHMENT, enemy_entrenchment=ENEMY_ENTRENCHMENT
    )


def _prize(s: State, policy: AttackPolicy) -> float:
    """What cities count for; in a lesson its goal stands in their place."""
    if s.goal is not None:
        return policy.prize * PRIZE
    left = max(SOON, s.rules.turns - s.turn)
    return max(PRIZE / victory.factor_of(s.rules), LATE / (left * sqrt(left)))


class SearchedMovement(MovementPlanner):
    """Plans a movement phase as the planner does, but for the simulations."""

    def __init__(self, s: State, side: Side, rng: random.Random, going: Callable[[], bool], tries: int) -> None:
        super().__init__(s, side, rng, going)
        self.simulations = tries
        self.local_search: LocalSearch | None = None

    def _simulate(self) -> None:
        self.order_list.put_down()
        if self.simulations <= 0 or not self.going():
            return
        s = self.s
        self.local_search = LocalSearch(
            s, self.side, Situation(s, self.side), at_stake(s, self.side, self.policy), self.rng
        )
        plots = self.local_search.better(self.going, self.simulations)
        self._replot(plots)
