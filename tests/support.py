"""Helpers several test modules share: random games and the things that must always hold."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.state import State

GAME = PortfolioGame()
PATIENCE = 240.0
"""Seconds after which something that is waited for will not happen any more, on however busy a machine."""

AMPLE = 3600.0
"""Seconds of thought that no planner uses up: what it chooses does not depend on how busy the machine is."""

SELDOM = {"siberia", "stop", "eliminate"}
"""Verbs that cut a random game short; drawn seldom, so that whole games are seen."""

OFTEN = {"attack", "ready", "resolve", "advance", "exchange"}
"""Verbs drawn often, so that there is fighting."""


def choose(chooser: random.Random, options: list[Action]) -> Action:
    """A random option, with more fighting and fewer early endings than pure chance gives."""
    eager = [option for option in options if option.verb in OFTEN]
    if eager and chooser.random() < 0.5:
        return chooser.choice(eager)
    action = chooser.choice(options)
    if action.verb in SELDOM and chooser.random() < 0.97:
        others = [option for option in options if option.verb not in SELDOM]
        return chooser.choice(others or options)
    return action


def random_game(
    seed: int,
    scenario: str = "june22",
    options: dict[str, str] | None = None,
    watch: Callable[[State, Action], None] | None = None,
    most: int = 20_000,
    game: PortfolioGame = GAME,
) -> State:
    """Play a game at random; ``watch`` is called after every action."""
    chooser, dice = random.Random(seed), SeededDice(seed)
    state = game.setup(scenario, options or {})
    for _ in range(most):
        if state.outcome is not None:
            return state
        action = choose(chooser, game.legal(state))
        game.apply(state, action, dice)
        if watch is not None:
            watch(state, action)
    raise AssertionError(f"game {seed} did not end within {most} actions")


def random_session(seed: int, actions: int, scenario: str = "june22", **options: str) -> Session:
    """A session some random actions into a game."""
    chooser = random.Random(seed)
    session = new_session("portfolio", scenario, options, seed=seed)
    for _ in range(actions):
        decision = session.decision()
        if decision is None:
            break
        action = choose(chooser, list(decision.options))
        session.play(session.game.format(session.state, action))
    return session
