"""What a position tells twice: in rows of one's own, and in rows that are shared and only read."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from rasputitsa.core.game import Game
from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import get_game

SCENARIOS = [(name, get_game(name).scenarios()[0].id) for name in ("portfolio", "wir")]


def spoil(told: Any) -> None:
    """Empty every table and list in an answer."""
    for part in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        spoil(part)
    if isinstance(told, dict | list):
        told.clear()


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_whoever_changes_what_observe_told_changes_nothing_else(name: str, scenario: str) -> None:
    game: Game[Any] = get_game(name)
    state = new_session(name, scenario, seed=1).state
    seat = game.decision(state).seat  # type: ignore[union-attr]
    for everything in (False, True):
        first, again = (game.observe_all(state) if everything else game.observe(state, seat) for _ in range(2))
        kept = deepcopy(again)
        spoil(first)
        assert again == kept
    assert game.peek(state, seat) == game.observe(state, seat)
    assert game.peek(state, None, everything=True) == game.observe_all(state)


def test_an_answer_to_a_question_may_be_changed_too() -> None:
    game: Game[Any] = get_game("portfolio")
    state = new_session("portfolio", "june22", seed=1).state
    first = dict(game.query(state, None, "victory", {}))
    kept = deepcopy(first)
    spoil(first)
    assert game.query(state, None, "victory", {}) == kept == game.observe(state, None)["victory"]
