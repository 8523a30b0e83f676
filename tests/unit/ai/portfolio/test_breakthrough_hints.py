"""Hints after a breakthrough: who attacks whom again, and why."""

from __future__ import annotations

from rasputitsa.ai.advice.hint import Hint, Thought, think
from rasputitsa.ai.players import TimedClock
from rasputitsa.ai.portfolio.advice.explainer import PortfolioPlanExplainer
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.portfolio.model.state import State
from tests.support import GAME, PATIENCE
from tests.unit.portfolio.board import Player, board
from tests.unit.portfolio.fights import announce, phase, resolve


def broken_through() -> tuple[State, Player]:
    s = board({"39Pz": "X16", "40Pz": "X16", "24MK": "X17", "13MK": "X18"})
    return s, resolve(s, "X17: 39Pz 40Pz", [6]).do("advance 39Pz", "halt", "advance 40Pz", "to X17", "halt")


def advice(s: State) -> Hint:
    decision = GAME.decision(s)
    assert decision is not None
    explainer = PortfolioPlanExplainer(GAME, GAME.view_of(s, decision.seat), decision)
    return explainer.explain(think(GAME, explainer, PlannerPlayer(GAME, {}), TimedClock(PATIENCE)))


def test_they_say_who_attacks_whom_at_what_odds_and_why() -> None:
    s, _ = broken_through()
    found = advice(s)
    assert found.action == "attack X18"
    assert found.headline.startswith("{unit:39Pz} and {unit:40Pz} attack {hex:X18} at ")
    (step,) = found.steps
    assert (step.kind, step.targets, step.units) == ("attack", ["X18"], ["39Pz", "40Pz"])
    assert "drive the defenders out" in step.why or "drives the defenders out" in step.why
    assert found.reasons[0] == "The units that broke through can strike again at odds that pay."


def test_they_go_on_while_the_attack_is_put_together() -> None:
    s, player = broken_through()
    whole = advice(s).headline
    for done, following in (("attack X18", "with 39Pz"), ("with 39Pz", "with 40Pz"), ("with 40Pz", "ready")):
        player.do(done)
        found = advice(s)
        assert (found.headline, found.action) == (whole, following)


def test_they_name_the_attack_that_is_joined() -> None:
    s = board({"39Pz": "X16", "24MK": "X17", "11A": "X18", "5Inf": "Y18"})
    announce(s, "X18: 5Inf")
    resolve(s, "X17: 39Pz", [6]).do("halt")
    found = advice(s)
    assert found.action == "join 39Pz 1"
    assert found.headline == "{unit:39Pz} joins the attack on {hex:X18}"


def test_they_say_which_attack_is_fought() -> None:
    s = board({"39Pz": "X16", "40Pz": "X16", "24MK": "X17"})
    player = phase(s).do("stand", "attack X17: 39Pz 40Pz", "done", "done")
    for orders, name in (("resolve 1", "Fight"), ("cancel 1", "Call off")):
        decision = GAME.decision(player.s)
        assert decision is not None
        explainer = PortfolioPlanExplainer(GAME, player.s, decision)
        step = explainer.mark(Thought(decision, player.s, GAME.parse(player.s, orders)[0], None))
        assert step.text == f"{name} the attack of {{unit:39Pz}} and {{unit:40Pz}} on {{hex:X17}}"
