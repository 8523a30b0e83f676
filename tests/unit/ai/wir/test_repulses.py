"""Attacks that have failed are remembered, and not made again without a change."""

from __future__ import annotations

import json

import pytest

from rasputitsa.ai.wir.evaluation.seat_memory import BETTER, REMEMBERED, SeatMemory
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of
from rasputitsa.ai.wir.players.planner import PlannerPlayer
from rasputitsa.core.events import Event
from rasputitsa.wir.model.plot import unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.execution.combat import Fought
from tests.unit.wir.board import GAME, board, h, inf, rifles

TARGET = "1921"


def front(held: str = TARGET, turn: int = 8) -> State:
    """Six divisions beside a rifle group, at about three to one."""
    return board({12: inf("1922", *["1 INF 70 70 0"] * 3), 13: inf("1821", *["2 INF 70 70 0"] * 3),
                  80: rifles(held, *["1 RIFLE 80 45 0"] * 2)}, turn=turn)  # fmt: skip


def remembered(after: State, *fights: Event, side: int = AXIS) -> SeatMemory:
    memory = SeatMemory(side)
    memory.repulses.take(fights, after)
    return memory


def fought(s: State, odds: int, attacker: int = 12) -> Fought:
    return Fought(h(s, TARGET), (attacker,), odds, (80,), 30, 50)


def test_an_attack_that_failed_is_remembered_with_its_best_odds_of_the_week() -> None:
    s = front()
    assert remembered(s, fought(s, 2500), fought(s, 1500)).repulses.least() == {h(s, TARGET): BETTER * 2.5}


def test_an_attack_that_drove_the_enemy_out_and_one_of_the_enemy_are_not() -> None:
    s = front()
    assert remembered(front(held="2021"), fought(s, 2500)).repulses.least() == {}
    assert remembered(s, fought(s, 2500), side=SOVIET).repulses.least() == {}


def test_it_is_forgotten_after_some_weeks() -> None:
    s = front()
    memory = remembered(s, fought(s, 2500))
    for week in range(1, REMEMBERED + 1):
        assert memory.repulses.least()
        memory.repulses.take((), front(turn=s.turn + week))
    assert memory.repulses.least() == {}


def test_it_is_kept_with_the_rest_of_the_memory() -> None:
    s = front()
    memory = remembered(s, fought(s, 2500))
    again = SeatMemory(AXIS)
    assert again.read(json.loads(json.dumps(memory.to_json())))
    assert again.repulses.least() == memory.repulses.least()


@pytest.mark.parametrize(("least", "attacked"), [(1.0, True), (30.0, False)])
def test_an_attack_is_planned_again_only_at_better_odds(least: float, attacked: bool) -> None:
    s = front()
    situation = Situation(s, AXIS)
    situation.repulsed = {h(s, TARGET): least}
    assault = Assault(s, AXIS, situation, attack_policy_of(s, AXIS))
    assault.plan()
    assert bool(assault.attacks) == attacked


def test_the_planner_thinks_of_it_when_it_moves() -> None:
    """Neither its plan nor its second thoughts bring the attack back."""
    s = front()
    for odds, attacked in ((1000, True), (30_000, False)):
        mind = PlannerPlayer(GAME, {}, 1)
        mind.memories[AXIS] = remembered(s, fought(s, odds))
        entered, group = [], 0
        for order in mind.move(s.copy(), AXIS, lambda: True):
            if order.verb == "get":
                group = order.args[0]
            elif order.verb == "plot":
                plot = unpack(order.args[0])
                entered.append(s.rules.map.step[s.hex[group]][plot.first or plot.second])
        assert (h(s, TARGET) in entered) == attacked
