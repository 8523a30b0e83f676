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
from rasputitsa.envs.indices import KEPT
from rasputitsa.envs.observation_arrays import ObservationArrays
from rasputitsa.envs.parts import spots_of
from rasputitsa.envs.sheets import sheet
from rasputitsa.envs.sheets.sheet import bits_of
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
    page = ObservationArrays(table.encoder, table.index, spots_of(table.index, table.encoder))
    page.write(table.game.view_of(table.state, seat), options, table.index.numbers(options or ()), seat)
    return dict(page.arrays)


@pytest.mark.parametrize(("game", "start", "steps"), STARTS)
def test_what_is_written_over_is_what_would_be_written_first(game: str, start: dict[str, Any], steps: int) -> None:
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


@pytest.mark.parametrize(("game", "start", "steps"), STARTS)
def test_units_and_hexes_among_the_options_are_marked(game: str, start: dict[str, Any], steps: int) -> None:
    table, chooser = Table(game, copy=False, **start), random.Random(3)
    table.deal(3)
    plane = table.encoder.planes.index("asked")
    column = table.encoder.features.index("asked")
    units, hexes = (list(table.index.values[kind]) for kind in ("unit", "hex"))
    seen_hexes = 0
    for _ in range(steps):
        if table.asked is None:
            break
        found = table.observation(table.asked)
        kinds = [(kind, value) for verb, args in table.offered for kind, value in zip(table.game.verbs[verb], args)]  # noqa: B905
        rows = {units.index(value) for kind, value in kinds if kind == "unit"}
        cells = {table.encoder.cell(hexes.index(value)) for kind, value in kinds if kind == "hex"}
        assert set(np.flatnonzero(found["units"][:, column])) == rows
        assert set(np.flatnonzero(found["planes"][plane])) == cells
        for seat in table.side.keys() - {table.asked}:
            other = table.observation(seat)
            assert not other["units"][:, column].any() and not other["planes"][plane].any()
        seen_hexes += bool(cells)
        table.play(table.index.number(chooser.choice(list(table.offered))))
    assert seen_hexes > 3


def test_the_numbers_of_a_list_are_those_of_its_actions() -> None:
    """Also when there were lists like it, and when one of those has changed since."""
    table, chooser = Table("wir"), random.Random(1)
    every = list(table.game.legal(table.state))
    for _ in range(KEPT + 100):
        some = chooser.sample(every, 5)
        for actions in (some, list(some), tuple(some)):
            assert table.index.numbers(actions).tolist() == [table.index.number(action) for action in actions]
        some[2] = chooser.choice(every)
        assert table.index.numbers(some).tolist() == [table.index.number(action) for action in some]
    assert table.index.numbers(()).tolist() == []
    with pytest.raises(ValueError, match="read-only"):
        table.index.numbers(every)[0] = 1


def test_sets_of_numbers_are_bits() -> None:
    for numbers in (set[int](), {0, 9, 130}, {3, *range(40, 90)}):
        assert bits_of(numbers) == sum(1 << number for number in numbers)
