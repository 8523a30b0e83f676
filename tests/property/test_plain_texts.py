"""Prompts, labels and refusals bear no marks, and their marked forms say the same; marks of events are well formed."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.game import Game
from rasputitsa.core.marks import plain
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.wir.api.game import WirGame
from tests.grammar import mismatched, plural_of_one
from tests.support import choose

MARK = re.compile(r"\{(unit|hex|rule):[^{}]+\}")
NOTE = ("stand_all", "auto_all", "auto_supply", "done")


@pytest.mark.parametrize("game", [PortfolioGame(), WirGame()], ids=lambda game: str(game.id))
@pytest.mark.parametrize("seed", range(2))
def test_texts_are_plain_or_well_marked(game: Game[Any], seed: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    state = game.setup(game.scenarios()[0].id, {})
    kinds: set[str] = set()
    texts: set[str] = set()
    named = False
    for _ in range(1200):
        decision = game.decision(state)
        if decision is None:
            break
        kinds.add(decision.kind)
        texts.add(decision.prompt)
        assert "{" not in decision.prompt, decision.prompt
        assert plain(game.question(state)) == decision.prompt
        named |= "{hex:" in game.question(state)
        for action in chooser.sample(list(decision.options), min(12, len(decision.options))):
            label, marked = game.label(state, action), game.details(state, action).marked
            assert "{" not in label + game.gives_up(state, action)
            assert marked == "" or (MARK.search(marked) and plain(marked) == label)
            texts.add(label)
        verb = chooser.choice(list(game.verbs))
        try:
            game.apply(game.copy(state), Action(verb, tuple(1 for _ in game.verbs[verb])), SeededDice(0))
        except IllegalAction as refused:
            assert "{" not in refused.reason
            texts.add(refused.reason)
        quick = [a for a in decision.options if a.verb in NOTE]
        action = chooser.choice(quick) if quick and chooser.random() < 0.3 else choose(chooser, list(decision.options))
        for event in game.apply(state, action, dice):
            words = game.describe(state, event)
            assert not re.search(r"[{}]", MARK.sub("", words)), event
            texts.add(words)
    assert len(kinds) > 4
    assert {text for text in texts if plural_of_one(text) or mismatched(text)} == set()
    assert named == (game.id == "portfolio"), "the board game's questions name hexes"
