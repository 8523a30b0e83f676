"""Answers that throw something away say so, and no others do: whole random games of both games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.hexes.grid import without
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.rules.combat.advance import type_limits
from rasputitsa.portfolio.rules.combat.retreat import FORCED
from rasputitsa.wir.api.game import WirGame
from tests.support import choose

GAME = PortfolioGame()
WAR = WirGame()


def can_be_announced(state: Any, target: Action) -> bool:
    """Whether all units that can attack a hex together make an attack that may be announced."""
    fork = state.copy()
    dice = SeededDice(0)
    GAME.apply(fork, target, dice)
    while True:
        legal = GAME.legal(fork)
        more = [a for a in legal if a.verb == "with"]
        if any(a.verb == "ready" for a in legal):
            return True
        if not more:
            return False
        GAME.apply(fork, more[0], dice)


def holds_back(state: Any) -> bool:
    """Whether a D4 that ends here leaves its unit where it is, or attackers short of where they could advance."""
    retreat, battle = state.stack[-1].retreat, state.battle
    if retreat.kind != FORCED or battle is None:
        return False
    if not retreat.steps:
        return True
    limits = type_limits(state.rules, state.weather.id)
    able = [limits[u] for u in battle.units if state.pos[u] >= 0 and not state.dispersed >> u & 1]
    others = [n for n, home in zip(battle.lengths, battle.homes, strict=True) if home == retreat.way[0] and n]
    return bool(min([max(able, default=0), *others]) > retreat.steps)


def expected(state: Any, kind: str, action: Action) -> bool | None:
    """Whether an answer throws something away, found by trying it; None where the test has no opinion."""
    if kind in ("retreat", "retreat_length") and action.verb == "halt":
        return holds_back(state)
    if kind == "attack" and action.verb == "done":
        targets = [a for a in GAME.legal(state) if a.verb == "attack"]
        return not state.attacks and any(can_be_announced(state, a) for a in targets)
    if kind == "advance" and action.verb == "done":
        return None
    if action.verb in ("stop", "done") and kind in ("stop", "breakthrough"):
        return None
    return action.verb == "stop" if action.verb in ("stop", "to", "with", "ready", "advance", "resolve") else None


@pytest.mark.parametrize("seed", range(3))
def test_what_is_given_up_in_whole_games_of_the_russian_portfolio(seed: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    state = GAME.setup("june22", {})
    seen: Counter[str] = Counter()
    for _ in range(2500):
        decision = GAME.decision(state)
        if decision is None:
            break
        for action in decision.options:
            told = GAME.gives_up(state, action)
            assert "{" not in told
            wanted = expected(state, decision.kind, action)
            assert wanted is None or bool(told) == wanted, (decision.kind, action, told)
            seen[f"{decision.kind} {action.verb} {bool(told)}"] += 1
        GAME.apply(state, choose(chooser, list(decision.options)), dice)
    assert seen["retreat_length halt True"] and seen["retreat_length halt False"]
    assert seen["retreat halt True"] and seen["attack done True"] and seen["attack done False"], seen


def test_the_sure_ways_to_lose_a_lesson_say_so() -> None:
    """Nothing but ending phases, with and without attacks: the answer that ends the lesson tells it."""
    told = 0
    for info in GAME.lessons():
        state = GAME.load_position(GAME.lesson(info.id))
        dice = SeededDice(1)
        for _ in range(200):
            decision = GAME.decision(state)
            if decision is None:
                break
            done = [a for a in decision.options if a.verb in ("done", "stand_all", "stand")]
            action = done[0] if done else decision.options[0]
            before, text, rolled = decision.seat, GAME.gives_up(state, action), dict(dice.counts)
            GAME.apply(state, action, dice)
            outcome = GAME.outcome(state)
            if outcome and before == info.seat and dice.counts == rolled:
                assert bool(text) == (outcome.winner != decision.side), (info.id, action)
                told += bool(text)
    assert told


@pytest.mark.parametrize("seed", range(2))
def test_what_is_given_up_in_games_of_war_in_russia(seed: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    state = WAR.setup(WAR.scenarios()[0].id, {})
    seen: Counter[str] = Counter()
    for _ in range(1500):
        decision = WAR.decision(state)
        if decision is None:
            break
        for action in decision.options[:40]:
            told = WAR.gives_up(state, action)
            assert "{" not in told
            if decision.kind == "movement":
                plotted = any(state.plot) or any(state.strike)
                assert not told or (action.verb == "done" and not plotted_by(state, decision.side))
                seen[f"{action.verb} {bool(told)} {plotted}"] += 1
            elif action.verb == "supply" and decision.kind == "depot":
                gained = supplies_more(state, [action])
                assert not (told and gained), told
                seen[f"supply {bool(told)} {gained}"] += 1
            elif action.verb == "skip" and decision.kind == "depot":
                wasted = any(supplies_more(state, way) for way in ways_to_supply(state))
                assert bool(told) == wasted, (told, wasted)
                seen[f"skip {bool(told)}"] += 1
            elif action.verb == "halt" and decision.kind == "transfer":
                assert bool(told) == forms_nothing(state, action), told
                seen[f"halt {bool(told)}"] += 1
            elif told:
                raise AssertionError((decision.kind, action, told))
        options = list(decision.options)
        plots = [a for a in options if a.verb in ("plot", "get")]
        action = chooser.choice(plots) if plots and chooser.random() < 0.7 else chooser.choice(options)
        try:
            WAR.apply(state, action, dice)
        except IllegalAction:
            raise AssertionError(action) from None
    assert any(key.startswith("done True") for key in seen) and any(key.startswith("done False") for key in seen), seen
    assert seen["supply True False"] and seen["supply False True"], seen
    assert seen["skip True"] and seen["skip False"], seen
    assert seen["halt True"] and seen["halt False"], seen


def ways_to_supply(state: Any) -> Iterator[list[Action]]:
    """What the depot that is asked about can do to supply: from where it is, and from each hex it can get to."""
    supply = Action("supply")
    yield [supply]
    yield from ([action, supply] for action in WAR.legal(state) if action.verb == "depot")


def forms_nothing(state: Any, end: Action) -> bool:
    """Whether a division that ends here leaves no new group."""
    question, fork = state.stack[-1], state.copy()
    WAR.apply(fork, end, SeededDice(0))
    return bool(question.formed and fork.hex[question.target] < 0)


def supplies_more(state: Any, orders: list[Action]) -> bool:
    """Whether these orders bring a group into supply that had none; False where one of them cannot be given."""
    fork = state.copy()
    for order in orders:
        if order not in WAR.legal(fork):
            return False
        WAR.apply(fork, order, SeededDice(0))
    return bool(without(fork.supplied, state.supplied))


def plotted_by(state: Any, side: str) -> bool:
    """Whether a side has plotted anything."""
    groups = range(1, 64) if side == "axis" else range(64, 128)
    return any(state.plot[g] or state.strike[g] for g in groups if state.hex[g] >= 0)
