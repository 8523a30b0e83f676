"""Positions written down and read back: the same position, the same choices, the same future; and nothing else."""

from __future__ import annotations

import copy
import importlib
import json
import pkgutil
import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import rasputitsa.portfolio
import rasputitsa.wir
from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.frames import Frame
from rasputitsa.core.game import Game
from rasputitsa.core.record.new import lesson_session, new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.core.state import BaseState
from rasputitsa.portfolio.api import state_codec as portfolio_frozen
from rasputitsa.wir.api import state_codec as wir_frozen

GAMES = ("portfolio", "wir")
TALK = {"end_game", "agree"}
ENTRIES = 250


def sessions(game_id: str) -> Iterator[Session]:
    """Games of every scenario, every option and every lesson, at their beginning."""
    game, rng = get_game(game_id), random.Random(game_id)
    for number, scenario in enumerate(game.scenarios()):
        yield new_session(game_id, scenario.id, {}, seed=number)
        for mixed in range(3):
            options = {option.id: rng.choice(option.choices).id for option in game.options()}
            yield new_session(game_id, scenario.id, options, seed=100 * number + mixed)
    for number, info in enumerate(game.lessons()):
        yield lesson_session(game_id, info.id, seed=number)


def step(session: Session, rng: random.Random) -> bool:
    decision = session.decision()
    if decision is None:
        return False
    options = [option for option in decision.options if option.verb not in TALK] or list(decision.options)
    session.play(session.game.format(session.state, rng.choice(options)), decision.seat)
    return True


def through_json(game: Game[Any], state: Any) -> Any:
    return json.loads(json.dumps(game.freeze(state)))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_position_comes_back_as_it_was(game_id: str) -> None:
    rng = random.Random(7)
    seen: set[str] = set()
    for session in sessions(game_id):
        game, header = session.game, session.header
        for _ in range(ENTRIES):
            again = game.thaw(through_json(game, session.state), header.scenario, header.options)
            assert again == session.state
            assert game.fingerprint(again) == game.fingerprint(session.state)
            assert game.decision(again) == session.decision()
            assert game.freeze(again) == game.freeze(session.state)
            seen.update(type(frame).__name__ for frame in session.state.stack)
            if not step(session, rng):
                break
    assert len(seen) > {"portfolio": 25, "wir": 8}[game_id], seen


@pytest.mark.parametrize("game_id", GAMES)
def test_the_future_is_the_same(game_id: str) -> None:
    for number, session in enumerate(sessions(game_id)):
        game, header, rng = session.game, session.header, random.Random(number)
        for _ in range(rng.randrange(40, 200)):
            step(session, rng)
        other = Session(header)
        other.state = game.thaw(through_json(game, session.state), header.scenario, header.options)
        other.dice.counts = dict(session.dice.counts)
        ways = random.Random(1), random.Random(1)
        for _ in range(120):
            assert step(session, ways[0]) == step(other, ways[1])
            assert game.fingerprint(other.state) == game.fingerprint(session.state)
        assert other.entries == session.entries[session.version - other.version :]


@pytest.mark.parametrize(("game_id", "package"), [("portfolio", rasputitsa.portfolio), ("wir", rasputitsa.wir)])
def test_every_question_has_its_place(game_id: str, package: Any) -> None:
    frozen: Any = {"portfolio": portfolio_frozen, "wir": wir_frozen}[game_id]
    session = next(sessions(game_id))
    records = frozen.layout(session.state.rules).fields["stack"].kind.records
    found = {}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, type) and issubclass(item, Frame) and item.__module__.startswith(package.__name__):
                assert is_dataclass(item)
                found[getattr(item, "written_as", "") or item.__name__] = [field.name for field in fields(item)]
    del found["Frame"]
    assert {name: list(record.fields) for name, record in records.items()} == found


@pytest.mark.parametrize("game_id", GAMES)
def test_every_field_of_a_state_is_written_or_derived(game_id: str) -> None:
    session = next(sessions(game_id))
    state = session.state
    frozen: Any = {"portfolio": portfolio_frozen, "wir": wir_frozen}[game_id]
    names = frozen.layout(session.state.rules).written_as
    assert isinstance(state, BaseState)
    assert set(names) == {*state.fields.truth, *state.fields.later, *state.fields.unkeyed}
    assert set(session.game.freeze(state)) == {"format", *names.values()}


# ---------------------------------------------------------------------- positions that were tampered with


BAD: list[Any] = [
    None, True, -1, 0, 1, 7, 255, 10**6, 10**30, -(10**30), 1.5, float("nan"), float("inf"), "", "x", "-1", "ff" * 400,
    "\ud800", "é" * 10_000, [], [[]], [[[]]], [1, 2], [None], ["Sequence", -1], ["Sequence"] * 50, {}, {"a": 1},
    [["Sequence", 0], ["Battle"]], [["__import__", "os"]], [["Sequence", 3]] * 39, "0" * 100_000,
]  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in nested lists and tables, as the container and the key in it."""
    found = []
    for key in value if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            found += places(value[key])
    return found


def crossed(frozen: Any, others: list[Any], rng: random.Random) -> Any:
    """A position with a part of another one: each value is in order, and together they may make no sense."""
    changed, other = copy.deepcopy(frozen), rng.choice(others)
    name = rng.choice(["stack", "stack", "stack", *changed])
    if name == "stack" and rng.random() < 0.6:
        changed["stack"].insert(rng.randint(1, len(changed["stack"])), copy.deepcopy(rng.choice(other["stack"])))
    else:
        changed[name] = copy.deepcopy(other[name])
    return changed


def tampered(frozen: Any, rng: random.Random) -> Any:
    changed = copy.deepcopy(frozen)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        container, key = rng.choice(places(changed))
        how = rng.random()
        if how < 0.5:
            container[key] = copy.deepcopy(rng.choice(BAD))
        elif how < 0.8 and isinstance(container[key], int):
            container[key] += rng.choice((-1, 1, 5, -200, 200))
        elif how < 0.9:
            del container[key]
        elif isinstance(container[key], list) and container[key]:
            container[key].append(copy.deepcopy(rng.choice(container[key])))
        elif isinstance(container[key], str) and container[key]:
            at = rng.randrange(len(container[key]))
            container[key] = container[key][:at] + rng.choice("0189af") + container[key][at + 1 :]
    return changed


@pytest.mark.parametrize("game_id", GAMES)
def test_a_tampered_position_is_refused_or_can_be_played(game_id: str) -> None:
    """Whatever a crafted text brings in, reading ends with a position or a ``SaveError``."""
    rng = random.Random(3)
    refused = taken = 0
    others: list[Any] = []
    for session in sessions(game_id):
        game, header = session.game, session.header
        for _ in range(6):
            for _ in range(25):
                step(session, rng)
            frozen = through_json(game, session.state)
            others.append(frozen)
            for attempt in range(20):
                crafted = tampered(frozen, rng) if attempt % 2 else crossed(frozen, others, rng)
                try:
                    state = game.thaw(crafted, header.scenario, header.options)
                except SaveError as problem:
                    assert len(str(problem)) < 300
                    refused += 1
                else:
                    taken += 1
                    decision = game.decision(state)
                    assert (decision is None) == (game.outcome(state) is not None)
                    assert decision is None or decision.options
                    assert game.thaw(through_json(game, state), header.scenario, header.options) == state
    assert refused > 500 and taken > 500


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("bad", [None, 5, "x", [], {}, {"format": 1}, {"format": 2}, {"format": True}])
def test_what_is_no_position_at_all_is_refused(game_id: str, bad: Any) -> None:
    game = get_game(game_id)
    scenario = game.scenarios()[0].id
    with pytest.raises(SaveError):
        game.thaw(bad, scenario, {})
    with pytest.raises(RasputitsaError):
        game.thaw(game.freeze(game.setup(scenario, {})), "nowhere", {})
