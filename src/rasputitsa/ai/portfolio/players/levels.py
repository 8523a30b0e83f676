"""Weaker ways to play The Russian Portfolio, for those who are still learning it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.core.game import Game

EASY = Level(tries=60, rounds=0, sweeps=1, candidates=5, polish=0, noise=1.2, plans=1)
"""One plan, no second thoughts, and attacks worth anything between half and one and a half times what they seem."""


def easy(game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> PlannerPlayer:
    """A planner that considers one plan only and misjudges its attacks."""
    return PlannerPlayer(game, options, seed, EASY)
