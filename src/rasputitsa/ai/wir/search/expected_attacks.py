"""What a plan's attacks promise, estimated from its plots."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.engagements import attackers
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import Assault, Attack, attack_policy_of
from rasputitsa.wir.model.indices import Hex, Side
from rasputitsa.wir.model.state import State


def expected(s: State, side: Side) -> dict[Hex, Attack]:
    """For each enemy hex under attack what may be expected, the enemy as believed to be."""
    assault = Assault(s, side, Situation(s, side), attack_policy_of(s, side))
    found = {}
    for target, rounds in attackers(s, side).items():
        first = 0 if rounds[0] else 1
        found[target] = assault.weigh(target, rounds[first], first)
    return found
