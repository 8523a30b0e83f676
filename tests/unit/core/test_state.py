"""What follows from the list of fields of a state, and that copies, written out by hand, follow from it too."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import get_game
from rasputitsa.core.state import RULES, BaseState

GAMES = ("portfolio", "wir")
MOVES = 400
REPLACED = "legal"
"""A list that is never changed, only replaced, so that copies share it."""


def middle(game_id: str, seed: int = 5) -> Any:
    """A position some way into a random game."""
    game, rng = get_game(game_id), random.Random(seed)
    session = new_session(game_id, game.scenarios()[0].id, {}, seed=seed)
    for _ in range(MOVES):
        decision = session.decision()
        if decision is None:
            break
        session.play(session.game.format(session.state, rng.choice(decision.options)), decision.seat)
    state = session.state
    assert isinstance(state, BaseState)
    return state


def marked(value: object, mark: object) -> object:
    """A value of the same shape that no other field has."""
    if isinstance(value, list):
        return [marked(item, mark) for item in value] or [mark]
    if isinstance(value, dict):
        return {mark: mark}
    if isinstance(value, bytearray):
        return bytearray(str(id(mark)).encode())
    return mark


def shared(one: object, other: object) -> bool:
    """Whether a change within one value would be seen in the other."""
    if isinstance(one, list) and isinstance(other, list):
        return one is other or any(shared(a, b) for a, b in zip(one, other, strict=True))
    return isinstance(one, (dict, bytearray)) and one is other


@pytest.mark.parametrize("game_id", GAMES)
def test_a_field_stands_in_the_list_once(game_id: str) -> None:
    state = middle(game_id)
    slots = state.fields.slots
    assert len(set(slots)) == len(slots)
    assert type(state).__slots__ == slots
    assert not hasattr(state, "__dict__")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_copy_has_every_field_and_shares_nothing_that_changes(game_id: str) -> None:
    state = middle(game_id)
    for name in state.fields.slots:
        if name != RULES:
            setattr(state, name, marked(getattr(state, name), object()))
    other = state.copy()
    for name in state.fields.slots:
        assert getattr(other, name) == getattr(state, name), name
        assert name == REPLACED or not shared(getattr(other, name), getattr(state, name)), name


@pytest.mark.parametrize("game_id", GAMES)
def test_every_truth_counts_and_nothing_else_does(game_id: str) -> None:
    state = middle(game_id)
    fields = state.fields
    for name in (*fields.truth, *fields.later):
        other = state.copy()
        setattr(other, name, marked(getattr(state, name), -77))
        assert other != state, name
    for name in (*fields.unkeyed, *fields.cached):
        other = state.copy()
        setattr(other, name, marked(getattr(state, name), -77))
        assert other == state, name
        assert hash(other) == hash(state), name


@pytest.mark.parametrize("game_id", GAMES)
def test_a_state_travels_without_its_caches(game_id: str) -> None:
    state = middle(game_id)
    other = pickle.loads(pickle.dumps(state))
    assert other == state
    for name in state.fields.kept:
        assert getattr(other, name) == getattr(state, name), name
    fresh = type(state)(state.rules)
    for name in state.fields.cached:
        assert getattr(other, name) == getattr(fresh, name), name
    game = get_game(game_id)
    assert game.decision(other) == game.decision(state)


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_derived_follows_from_the_truth(game_id: str) -> None:
    state = middle(game_id)
    other = state.copy()
    other.rebuild()
    for name in state.fields.derived:
        assert getattr(other, name) == getattr(state, name), name


def test_states_of_other_rulesets_and_other_things_are_not_equal() -> None:
    state = middle("portfolio")
    other = state.copy()
    other.rules = new_session("portfolio", "june22", {"march": "mud"}, seed=1).state.rules
    assert state != other
    assert state != state.key()


def test_a_state_says_in_a_line_where_it_stands() -> None:
    start = new_session("portfolio", "june22", seed=1).state
    assert repr(start).startswith("<State: june22, ")
    assert "open: " in repr(start)
    assert len(repr(middle("portfolio"))) < 200
