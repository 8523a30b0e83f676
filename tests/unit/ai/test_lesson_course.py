"""The course of a lesson: what the computer would have done, judged by the goal."""

from __future__ import annotations

import re

import pytest

from rasputitsa.ai.advice.course import Outcomes, _verdict, course
from rasputitsa.core.actions import Action
from rasputitsa.core.record.new import lesson_session


def test_who_plays_a_lesson_is_always_shown_what_the_computer_would_have_done() -> None:
    """Also where nothing that was done changed the outlook."""
    session = lesson_session("portfolio", "winter", seed=1)
    while (decision := session.decision()) is not None:
        line = next(line for line in ("done", "stand_all", "stand") if Action(line) in decision.options)
        session.play(line, decision.seat)
    last = list(course(session, None, seconds=0.01))[-1]
    assert any(turn.side == "soviet" and turn.hint["headline"] for turn in last.turns)
    assert all(re.search("dice .* of the goal", turn.verdict) and "%" not in turn.verdict for turn in last.turns)


@pytest.mark.parametrize(
    ("side", "planned", "made", "said"),
    [
        ("axis", 0.7, 0.3, "the computer's plan reached more of the goal than these moves"),
        ("axis", 0.3, 0.7, "these moves reached more of the goal than the computer's own plan"),
        ("axis", 0.7, 0.7, "these moves reached as much of the goal as the computer's plan"),
        ("soviet", 0.3, 0.7, "the computer's plan left less of the goal reached than these moves"),
        ("soviet", 0.7, 0.3, "these moves left less of the goal reached than the computer's own plan"),
        ("soviet", 0.7, 0.7, "these moves left as much of the goal reached as the computer's plan"),
    ],
)
def test_a_turning_point_of_a_lesson_is_judged_by_its_goal(side: str, planned: float, made: float, said: str) -> None:
    """How far a goal is reached is no chance, and neither side is promised one."""
    found = Outcomes(planned, made, stood=made)
    assert _verdict(found, side, first=side == "axis", learner="axis") == f"With average dice {said}."
