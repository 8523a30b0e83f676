"""The planner of The Russian Portfolio where a goal decides: what is held to the last, and what no longer matters."""

from __future__ import annotations

from typing import Any, cast

import pytest

from rasputitsa.ai.portfolio.advice.explainer import PortfolioPlanExplainer
from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.planning.garrisons import never_left
from rasputitsa.ai.portfolio.planning.phase_planner import hostile_units, stakes_for
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.goal import Goal
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from tests.support import GAME

GOAL = {"side": "axis", "text": "Hold two.", "last_turn": 4, "hold": ["Q12", "Q13", "S14"], "at_least": 2}


def board(turn: int = 4, side: str = "axis", held: str = "Q2-Q13", **goal: Any) -> State:
    """Two units before Smolensk, in good weather, when the Axis moves first."""
    return GAME.load_position({
        "empty": "gone", "turn": turn, "phase": "movement", "side": side, "units": {"39Pz": "Q12", "16A": "Q15"},
        "control": {"axis": [held]}, "goal": {**GOAL, **goal},
    })  # fmt: skip


def names(s: State, hexes: int) -> set[str]:
    return {s.rules.grid.names[hex_] for hex_ in members(hexes)}


def test_what_a_goal_cannot_spare_is_held_and_not_the_victory_cities() -> None:
    s = board(held="Q2-Q13")
    assert names(s, never_left(s, AXIS)) == {"Q12", "Q13"}
    assert not never_left(s, SOVIET) & s.rules.map.victory_cities
    s = board(at_least=1)
    assert not never_left(s, AXIS), "one of two may be left"
    s.goal = None
    assert never_left(s, SOVIET) & s.rules.map.victory_cities


def test_the_other_side_keeps_what_the_goal_would_lack() -> None:
    s = board(held="Q2-Q12")
    assert names(s, never_left(s, SOVIET)) == {"Q13", "S14"}
    s = board(held="Q2-Q12", at_least=3)
    assert not never_left(s, SOVIET), "either of two is enough"


@pytest.mark.parametrize(
    ("turn", "side", "check", "last"),
    [(4, AXIS, "turn", False), (4, SOVIET, "turn", True), (4, AXIS, "operations", True), (3, SOVIET, "turn", False),
     (3, AXIS, "operations", False)],
)  # fmt: skip
def test_who_moves_last_before_the_goal_decides(turn: int, side: int, check: str, last: bool) -> None:
    s = board(turn, check=check)
    assert s.weather.axis_first
    assert lesson.last_word(s, side) == last
    assert (stakes_for(s, side).loss < stakes_for(board(3), side).loss) == last


def test_enemies_that_cannot_move_before_the_goal_decides_are_not_feared() -> None:
    enemy = 1 << board().rules.roster.index["16A"]
    assert hostile_units(board(), AXIS) == enemy
    assert hostile_units(board(check="operations"), AXIS) == 0
    s = board(side="soviet")
    s.spent = s.rules.roster.of_side[AXIS]
    assert hostile_units(s, SOVIET) == 0
    s.turn = 3
    assert hostile_units(s, SOVIET) != 0


@pytest.mark.parametrize(("seat", "words"), [("axis", "the goal"), ("soviet", "the goal of the enemy")])
def test_a_hint_says_what_the_goal_asks_for(seat: str, words: str) -> None:
    s = board(keep=["39Pz"])
    decision = GAME.decision(s)
    assert decision is not None
    explainer = PortfolioPlanExplainer(GAME, s, decision._replace(side=seat))
    goal, smolensk = cast("Goal", s.goal), s.rules.grid.index("Q13")
    assert explainer.asked(s, goal, smolensk) == [f"{words} asks for {explainer.hex(smolensk)}"]
    before = explainer.asked(s, goal, s.rules.grid.index("Q12"))
    assert any("the enemy needs" in reason for reason in before) == (seat == "soviet")
