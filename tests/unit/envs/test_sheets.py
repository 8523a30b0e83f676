"""Arrays that are written over hold what fresh ones would, wherever they lie."""

from __future__ import annotations

import copy
import os
import pickle
import random
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from rasputitsa.core.registry import get_game
from rasputitsa.envs import aec_env
from rasputitsa.envs.sheets import sheet
from rasputitsa.envs.sheets.sheet import bits_of, named_in
from rasputitsa.envs.table import Table
from rasputitsa.hexes import grid

STARTS: list[tuple[str, dict[str, Any], int]] = [
    ("portfolio", {}, 500),
    ("portfolio", {"lesson": "winter"}, 200),
    ("portfolio", {"options": {"players": "4"}}, 300),
    ("wir", {}, 200),
    ("wir", {"lesson": "hold"}, 150),
    ("wir", {"scenario": "zitadelle", "options": {"fog": "open"}}, 200),
]


@pytest.mark.skipif("RASPUTITSA_TESTED" not in os.environ, reason="only where the compiled engine is tested")
def test_the_compiled_engine_is_what_is_tested() -> None:
    assert str(sheet.__file__).startswith(os.environ["RASPUTITSA_TESTED"])
    assert str(grid.__file__).startswith(os.environ["RASPUTITSA_TESTED"]) and not str(grid.__file__).endswith(".py")


def fresh(table: Table, seat: str) -> dict[str, Any]:
    """What a seat sees, on arrays that have never been written to."""
    options = table.offered if table.asked == seat else None
    arrays = dict(table.encoder.encode(table.game.view_of(table.state, seat), options, seat))
    return {**arrays, "action_mask": table.mask() if options is not None else 0 * table.mask()}


@pytest.mark.parametrize(("game", "start", "steps"), STARTS)
def test_what_is_written_over_is_what_would_be_written_afresh(game: str, start: dict[str, Any], steps: int) -> None:
    """Over games, over new deals, and over leaps back to a snapshot; each seat is looked at now and then."""
    table = Table(game, copy=False, without=sorted(get_game(game).early_ends), **start)
    table.deal(1)
    chooser, kept = random.Random(2), table.snapshot()
    for step in range(steps):
        if table.over or step == steps // 2:
            table.deal(step)
        if step % 60 == 59:
            kept, back = table.snapshot(), kept
            table.restore(back)
        for seat in table.side:
            if chooser.random() < 0.15:
                seen, expected = table.observation(seat), fresh(table, seat)
                for name, array in expected.items():
                    assert np.array_equal(seen[name], array), (step, seat, name)
        table.play(table.index.number(chooser.choice(list(table.offered))))


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_observations_are_written_where_they_are_wanted(game: str) -> None:
    env = aec_env(game, lesson="first_attack", copy=False)
    env.reset(seed=1)
    place = {name: np.full(array.shape, 7, array.dtype) for name, array in env.observe("axis").items()}
    env.table.write_to("axis", place)
    for _ in range(12):
        seen = env.observe("axis")
        assert all(seen[name] is place[name] for name in place)
        assert all(np.array_equal(array, place[name]) for name, array in fresh(env.table, "axis").items())
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1]))


def test_copies_of_an_environment_have_arrays_of_their_own() -> None:
    env = aec_env("wir", lesson="first_attack", copy=False)
    env.reset(seed=1)
    seen = env.observe("axis")
    before = {name: array.copy() for name, array in seen.items()}
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        for _ in range(5):
            twin.step(int(np.flatnonzero(twin.observe(twin.agent_selection)["action_mask"])[-1]))
        twin.observe("axis")
        assert all(np.array_equal(before[name], array) for name, array in seen.items())


def test_the_units_and_hexes_among_actions() -> None:
    game = get_game("portfolio")
    state = game.setup("june22", {})
    options = [game.parse(state, text)[0] for text in ("move 39Pz", "to N6", "rail 24Pz", "done")]
    kinds = {"move": ("unit",), "to": ("hex",), "rail": (), "done": ()}
    assert named_in(options, kinds) == (1 << options[0].args[0], 1 << options[1].args[0])
    assert bits_of(set()) == 0 and bits_of({0, 9, 130}) == 1 | 1 << 9 | 1 << 130
