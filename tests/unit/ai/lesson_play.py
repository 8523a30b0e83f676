"""A lesson played against its own opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rasputitsa.ai.players import WorkClock, player
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision, Game

Pupil = Callable[[Any, Decision, SeededDice], None]
"""Answers a decision of the learner, in as many actions as it likes."""


def goal_reached(game: Game[Any], lesson: str, pupil: Pupil, seed: int, most: int) -> bool:
    """Whether a pupil reaches the goal of a lesson, with the dice of a seed and within a number of decisions."""
    info = next(info for info in game.lessons() if info.id == lesson)
    state, dice = game.load_position(game.lesson(lesson)), SeededDice(seed)
    opponent = player(info.opponent, game, {}, seed)
    for _ in range(most):
        decision = game.decision(state)
        if decision is None:
            outcome = game.outcome(state)
            assert outcome is not None
            return outcome.winner == info.seat
        if decision.seat == info.seat:
            pupil(state, decision, dice)
        else:
            game.apply(state, opponent.choose(game.view_of(state, decision.seat), decision, WorkClock(1.0)), dice)
    raise AssertionError(f"{lesson} does not end")
