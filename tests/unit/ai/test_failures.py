"""A planner that fails goes on with a legal answer, and the log says where and why."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.portfolio.planning.default_policy import DefaultPolicy
from rasputitsa.ai.portfolio.players import planner as portfolio_planner
from rasputitsa.ai.wir.players import planner as wir_planner
from rasputitsa.core.game import Game
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.wir.api.game import WirGame
from tests.support import AMPLE


def fails(*args: Any, **more: Any) -> Any:
    raise LookupError("nothing is there")


@pytest.mark.parametrize(
    ("game", "scenario", "module", "method"),
    [(WirGame(), "barbarossa", wir_planner, "_plan"), (PortfolioGame(), "june22", portfolio_planner, "_choose")],
)
def test_a_failure_is_logged_with_its_place(
    game: Game[Any], scenario: str, module: Any, method: str,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    s = game.setup(scenario, {})
    decision = game.decision(s)
    assert decision is not None and len(decision.options) > 1
    mind = player("planner", game, {}, 1)
    monkeypatch.setattr(module.PlannerPlayer, method, fails)
    with caplog.at_level(logging.ERROR):
        action = mind.choose(game.view_of(s, decision.seat), decision, TimedClock(AMPLE))
    assert action in decision.options
    (record,) = caplog.records
    assert record.name == module.__name__ and record.exc_info is not None
    assert record.getMessage() == f"the planner failed at {decision.kind} in turn {s.turn}"
    assert len(mind.failures) == 1  # type: ignore[attr-defined]


def test_a_failure_of_the_default_policy_is_logged_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = PortfolioGame()
    s = game.setup("june22", {})
    decision = game.decision(s)
    assert decision is not None
    monkeypatch.setattr(portfolio_planner.PlannerPlayer, "_choose", fails)
    monkeypatch.setattr(DefaultPolicy, "answer", fails)
    with caplog.at_level(logging.ERROR):
        action = player("planner", game, {}, 1).choose(game.view_of(s, decision.seat), decision, TimedClock(AMPLE))
    assert action in decision.options
    assert len(caplog.records) == 2
