"""The planner of War in Russia where a goal decides: the last week, who has to act, what is no longer worth it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rasputitsa.ai.advice.hint import Thought
from rasputitsa.ai.wir.advice.explainer import WirPlanExplainer, expectation
from rasputitsa.ai.wir.advice.goal import asked
from rasputitsa.ai.wir.advice.orders import Orders
from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import Attack, attack_policy_of, on_the_defensive
from rasputitsa.ai.wir.planning.movement_planner import SIMULATIONS, MovementPlanner, line_policy_of
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.ai.wir.planning.simulation import Simulation
from rasputitsa.ai.wir.players.planner import PlannerPlayer
from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.lessons.goal import met
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.turn.goal import parts
from tests.unit.wir.board import GAME, board, give, inf, rifles, tanks

GOAL = {"side": "soviet", "text": "Hold 1722.", "last_turn": 3, "hold": ["1722"], "production": False}


def summer(goal: dict[str, Any] | None = GOAL, *, held: bool = False) -> State:
    """The Soviet side is the weaker one in good weather; 1722 is the enemy's unless it is held."""
    groups = {12: inf("1720", *["1 INF 200 75 0"] * 4), 64: tanks("1822", "1 TANK 100 55 0"), 80: rifles("1823")}
    return board(
        groups, scenario="zitadelle", phase="movement", side="soviet", turn=2,
        control={"soviet" if held else "axis": ["1722"]}, **({"goal": goal} if goal else {}),
    )  # fmt: skip


def test_a_side_that_loses_by_the_goal_is_behind() -> None:
    s = summer()
    assert lesson.behind(s, SOVIET)
    assert not lesson.behind(s, AXIS)
    s = summer(held=True)
    assert met(parts(s, cast("Any", s.goal)))
    assert lesson.behind(s, AXIS)
    assert not lesson.behind(s, SOVIET)
    assert not lesson.behind(summer(goal=None), SOVIET)


def test_who_is_behind_does_not_let_the_enemy_come() -> None:
    assert on_the_defensive(summer(goal=None), SOVIET)
    assert not on_the_defensive(summer(), SOVIET)
    assert on_the_defensive(summer(held=True), SOVIET)
    assert attack_policy_of(summer(), SOVIET).stay is False
    assert line_policy_of(summer(), SOVIET).pull > line_policy_of(summer(held=True), SOVIET).pull == 0.0


@pytest.mark.parametrize(("early", "turn", "won"), [(True, 2, True), (False, 2, False), (False, 3, True)])
def test_to_have_won_is_worth_more_than_to_be_near(early: bool, turn: int, won: bool) -> None:
    s = summer({**GOAL, "early": early}, held=True)
    s.turn = turn
    found = lesson.progress(s, SOVIET)
    assert found == -lesson.progress(s, AXIS)
    assert (found > lesson.WIN) == won
    assert lesson.last_week(s) == (turn == 3)


def test_in_the_last_week_no_recruits_are_kept() -> None:
    s = summer()
    assert MovementPlanner(s, SOVIET, cast("Any", None))._floor() != (0, 0)
    s.turn = 3
    assert MovementPlanner(s, SOVIET, cast("Any", None))._floor() == (0, 0)


def tries(monkeypatch: pytest.MonkeyPatch, s: State) -> int:
    """How many changes of plots a plan simulates."""
    found: list[int] = []

    def improve(self: Simulation, going: Callable[[], bool], tries: int) -> dict[int, int]:
        found.append(tries)
        return self.plots

    monkeypatch.setattr(Simulation, "improve", improve)
    PlannerPlayer(GAME, {}, 1).planner(s, SOVIET, lambda: True).plan()
    return found[0]


def test_where_a_goal_decides_a_small_position_is_thought_through(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tries(monkeypatch, summer(goal=None)) == SIMULATIONS
    assert tries(monkeypatch, summer()) == 10 * SIMULATIONS


@pytest.mark.parametrize("goal", [GOAL, None])
def test_what_has_failed_is_tried_again_where_a_goal_decides(goal: dict[str, Any] | None) -> None:
    made: list[MovementPlanner] = []

    class Watched(PlannerPlayer):
        def planner(self, s: State, side: int, going: Callable[[], bool]) -> MovementPlanner:
            made.append(super().planner(s, side, going))
            return made[-1]

    mind = Watched(GAME, {}, 1)
    failed = {5: 9.0}
    mind.memories[SOVIET] = cast("SeatMemory", SimpleNamespace(repulses=SimpleNamespace(least=lambda: failed)))
    mind.move(summer(goal=goal), SOVIET, lambda: False)
    assert made[0].repulsed == ({} if goal else failed)


@pytest.mark.parametrize("goal", [{**GOAL, "last_turn": 6}, None])
def test_no_works_are_taken_apart_or_built_before_a_goal_decides(goal: dict[str, Any] | None) -> None:
    s = board(
        {1: tanks("1621", "1 PZ 150 75 10", "2 PZ 150 75 10"), 80: rifles("1722")}, turn=5, phase="adjust",
        side="soviet", control={"axis": ["0116-1621"]}, **({"goal": goal} if goal else {}),
    )  # fmt: skip
    verbs = {order.verb for order in Production(s, SOVIET, Situation(s, SOVIET)).plan()}
    assert ("dismantle" in verbs) == (goal is None)


# ---------------------------------------------------------------------- hints


@pytest.mark.parametrize(
    ("side", "words"), [("soviet", "the goal asks for this hex"), ("axis", "the enemy's goal asks for this hex")]
)
def test_a_hint_says_what_the_goal_asks_for(side: str, words: str) -> None:
    groups = {12: inf("1722"), 13: inf("1721"), 64: tanks("1822", "1 TANK 100 55 0")}
    s = board(groups, scenario="zitadelle", phase="movement", side="soviet", turn=2, goal=GOAL | {"side": side})
    target, decision = s.rules.grid.index("1722"), GAME.decision(s)
    assert decision is not None
    mind = SimpleNamespace(expected={target: Attack(target, 0, [64], 1.0, 0.9, 5.0, 9.0)})
    explainer = WirPlanExplainer(GAME, s, decision, mind)
    [attack], _ = explainer.engagements(s, {64: Orders(s.hex[64], plot=60, actions=["get 64", "plot 6"])})
    assert attack.why == f"the defenders can hardly hold; Kharkov would fall 81 times in 100; {words}"
    march = explainer.march(s, 64, Orders(s.hex[64], plot=60, actions=["get 64", "plot 6"]))
    assert march is not None and march.why == words


def test_a_hint_says_of_a_march_that_it_wears_the_group_out() -> None:
    worn = "worn out there: whatever tires it more then costs 25 % of strength instead (8.1)"
    for tired, words in ((30, ""), (94, worn)):
        s = board({64: tanks("1822", f"1 TANK 100 55 {tired}")}, phase="movement", side="soviet")
        decision = GAME.decision(s)
        assert decision is not None
        explainer = WirPlanExplainer(GAME, s, decision, SimpleNamespace(expected={}))
        orders = Orders(s.hex[64], way=[s.rules.grid.index("1821")], actions=["get 64", "step 1"])
        give(s, "get 64", "step 1")
        march = explainer.march(s, 64, orders)
        assert march is not None and march.why == words


def test_a_hint_counts_groups_in_words() -> None:
    s = board({64: tanks("1822", "1 TANK 100 55 0")}, phase="movement", side="soviet")
    decision = GAME.decision(s)
    assert decision is not None
    orders = (Action("get", (64,)), Action("replace", (1, 10)))
    explainer = WirPlanExplainer(GAME, s, decision, SimpleNamespace(expected={}))
    found = explainer.movement([Thought(decision, s, order, s) for order in orders])
    assert (found.headline, found.reasons) == ("Fill up one group", ["Replacements go to one group."])


def test_a_hint_says_which_groups_the_goal_is_about() -> None:
    s = GAME.load_position(GAME.lesson("pocket"))
    assert asked(s, AXIS, s.hex[66]) == "the goal is about this group"
    assert asked(s, AXIS, s.rules.grid.index("1720")) == ""


def test_the_outlook_follows_the_goal() -> None:
    ahead, behind = summer(held=True), summer()
    assert expectation(ahead) == pytest.approx(0.1)
    assert expectation(behind) == pytest.approx(0.9)
    ahead.outcome = Outcome("soviet", "goal", "", "")
    assert expectation(ahead) == 0.0
