"""Positions of War in Russia with accepted answers: each can be solved, and the planner solves most."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rasputitsa.ai.contests.positions import Accept, Problem, holds, laid, problems, solve
from rasputitsa.ai.players import WorkClock
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction
from tests.unit.wir.board import GAME

SET = problems("wir")
NAMES = [problem.id for problem in SET]
THOUGHT = 8.0
"""Seconds of a clock that counts looks."""
SOLUTIONS = {
    "pocket_soviet_ring": ["move 65 6", "plot 80 5", "plot 81 6", "plot 82 4"],
}
"""Right answers to what the planner gets wrong."""


def problem(name: str) -> Problem:
    return next(p for p in SET if p.id == name)


def test_there_are_fifty_with_names_of_their_own() -> None:
    assert len(SET) >= 50
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SOLUTIONS])
def test_the_planner_is_right(name: str) -> None:
    solution = solve(GAME, problem(name), "planner", WorkClock(THOUGHT))
    assert solution.right, solution.answers


def right(name: str, lines: list[str]) -> bool:
    """Whether orders are a right answer to a position."""
    found = problem(name)
    state, dice, answers = laid(GAME, found), SeededDice(1), []
    for line in lines:
        for action in GAME.parse(state, line):
            answers.append(GAME.format(state, action))
            try:
                GAME.apply(state, action, dice)
            except IllegalAction:
                assert action.verb == "halt"  # the order has closed by itself
    while (decision := GAME.decision(state)) is not None and decision.kind != found.until:
        legal = {GAME.format(state, action): action for action in decision.options}
        GAME.apply(state, next(legal[text] for text in ("halt", "skip", "done") if text in legal), dice)
    return any(holds(GAME, state, found.seat, accept, answers) for accept in found.accept)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_position_can_be_solved_and_is_not_solved_by_doing_nothing(name: str) -> None:
    assert right(name, SOLUTIONS[name])
    assert not right(name, [])


def test_others_answer_what_the_position_says_and_else_end_it() -> None:
    found = problem("strike_counterblow")
    assert solve(GAME, found, "planner", WorkClock(THOUGHT)).right
    assert not solve(GAME, replace(found, others=()), "planner", WorkClock(THOUGHT)).right
    assert not solve(GAME, replace(found, others=("done",)), "planner", WorkClock(THOUGHT)).right


@pytest.mark.parametrize(
    ("accept", "told"),
    [
        (Accept({}, {}, gone=("64",)), True),
        (Accept({}, {}, gone=("80",)), False),
        (Accept({}, {}, kept=("80",)), True),
        (Accept({}, {}, kept=("80", "64")), False),
        (Accept({"64": ("1718",)}, {}), False),
        (Accept({}, {"64": ("1718",)}), True),
    ],
)
def test_what_is_gone_and_what_is_kept(accept: Accept, told: bool) -> None:
    assert holds(GAME, laid(GAME, problem("strike_rest")), "axis", accept, []) is told
