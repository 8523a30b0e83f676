"""Weaker ways to play The Russian Portfolio, for those who are still learning it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.portfolio.planning.phase_planner import Level, RiskProfile
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.core.game import Game

BEGINNER = Level(
    tries=0, rounds=0, sweeps=0, candidates=1, polish=0, plans=1, raids=False, ends=False,
    profile=RiskProfile(loss=0.0, attack_cost=0.0, threat_factor=0.0),
)  # fmt: skip
"""The first plan found, whatever it costs and whatever the enemy may do next."""
EASY = Level(tries=60, rounds=0, sweeps=1, candidates=5, polish=0, noise=1.2, plans=1)
"""One plan, no second thoughts, and attacks worth anything between half and one and a half times what they seem."""


def beginner(game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> PlannerPlayer:
    """A planner that counts no losses and foresees nothing."""
    return PlannerPlayer(game, options, seed, BEGINNER)


def easy(game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> PlannerPlayer:
    """A planner that considers one plan only and misjudges its attacks."""
    return PlannerPlayer(game, options, seed, EASY)
