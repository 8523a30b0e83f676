"""A player who does what the hints of a lesson say reaches its goal more often than not."""

from __future__ import annotations

import pytest

from rasputitsa.ai.advice.analysis import hint
from rasputitsa.ai.players import WorkClock, player
from rasputitsa.core.record.new import lesson_session

SECONDS = 10.0


def won_by_hints(lesson: str, seed: int) -> bool:
    """Whether a learner who gives the first order of every hint reaches the goal against the usual opponent."""
    session = lesson_session("portfolio", lesson, seed=seed)
    about = next(known for known in session.game.lessons() if known.id == lesson)
    opponent = player(about.opponent, session.game, session.header.options, seed)
    while (decision := session.decision()) is not None:
        view = session.game.view_of(session.state, decision.seat)
        if decision.seat != about.seat:
            action = session.game.format(view, opponent.choose(view, decision, WorkClock(SECONDS)))
        elif len(decision.options) == 1:
            action = session.game.format(view, decision.options[0])
        else:
            action = hint(session.game, view, decision, WorkClock(SECONDS), session.header.options).action
        session.play(action)
    outcome = session.state.outcome
    return outcome is not None and outcome.winner == about.seat


@pytest.mark.parametrize("seed", [3, 6])
def test_hints_keep_the_three_armies_alive(seed: int) -> None:
    """Trials that ended a turn before the goal was decided gave them up."""
    assert won_by_hints("stand_or_fall_back", seed)
