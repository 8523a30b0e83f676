"""What is offered is written once and kept: it says what it would say if it were written again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import completed
from rasputitsa.core.registry import get_game
from rasputitsa.server.matches import views
from rasputitsa.server.matches.views import options_json
from tests.support import choose

STEPS = 250


def positions(scenario: str, options: dict[str, str], seed: int) -> Iterator[tuple[Any, Any, list[Any]]]:
    """Game, position and what may be done, along a game at random."""
    game, chooser, dice = get_game("portfolio"), random.Random(seed), SeededDice(seed)
    state = game.setup(scenario, completed(game.options(), options))
    for _ in range(STEPS):
        decision = game.decision(state)
        if decision is None:
            return
        yield game, state, list(decision.options)
        game.apply(state, choose(chooser, list(decision.options)), dice)


@pytest.mark.parametrize("most", [20, views.MOST_OPTIONS])
def test_what_is_kept_says_what_would_be_written_now(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(views, "MOST_OPTIONS", most)
    views._known.cache_clear()  # type: ignore[attr-defined]
    for number, options in enumerate([{}, {"players": "4"}]):
        for game, state, actions in positions("june22", options, number):
            told = options_json(game, state, actions)
            assert told == [views._option_json(game, state, a, game.gives_up(state, a)) for a in actions]
            known = views._known(game.id, game.worded_by(state))
            assert len(known) <= most + len(actions), "no more is kept than that"


def test_nothing_is_kept_where_the_words_tell_of_the_position() -> None:
    game = get_game("wir")
    state = game.setup("zitadelle", {})
    assert game.worded_by(state) is None
    decision = game.decision(state)
    assert decision is not None and len(options_json(game, state, decision.options)) == len(decision.options)
