"""Actions by their parts: one to one with their numbers, and pointing at the rows and cells of observations."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from rasputitsa.core.registry import get_game
from rasputitsa.envs import ActionIndexError, Heads, aec_env


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_parts_and_numbers_are_one_to_one(game: str) -> None:
    table = aec_env(game).table
    heads = Heads(table)
    assert len(np.unique(heads.parts, axis=0)) == len(heads.parts) == table.index.size
    assert len(heads.names) == len(heads.sizes) == heads.parts.shape[1]
    for number in random.Random(1).sample(range(table.index.size), 50):
        assert heads.number(heads.parts[number].tolist()) == number
    for wrong in ([0] * 6, [1] * 5, [1, 0, 0, 1, 1, 0]):
        with pytest.raises(ActionIndexError):
            heads.number(wrong)


@pytest.mark.parametrize(("game", "steps"), [("portfolio", 400), ("wir", 600)])
def test_hexes_and_units_lie_where_observations_have_them(game: str, steps: int) -> None:
    """The plane of hexes that are asked about holds the hexes of the legal actions and no others."""
    env = aec_env(game, without=sorted(get_game(game).early_ends))
    env.reset(seed=2)
    encoder, heads, chooser = env.table.encoder, Heads(env.table), random.Random(3)
    plane = encoder.planes.index("asked")
    compared = 0
    for _ in range(steps):
        seen = env.observe(env.agent_selection)
        legal = np.flatnonzero(seen["action_mask"])
        hexes = {int(part) - 1 for part in heads.parts[legal, 3] if part}
        asked = set(np.flatnonzero(seen["planes"][plane]).tolist())
        if hexes:
            compared += 1
            assert asked == hexes
        number = int(chooser.choice(legal))
        action = env.table.index.action(number)
        if heads.parts[number, 1]:
            names = [unit["id"] for unit in env.table.game.static(env.table.scenario)["units"]]
            spelt = env.table.game.format(env.table.state, action).split()[1]
            assert names[heads.parts[number, 1] - 1] == spelt
        env.step(number)
    assert compared > 10


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_heads_lead_to_every_legal_action_and_no_other(game: str) -> None:
    env = aec_env(game, without=sorted(get_game(game).early_ends))
    env.reset(seed=4)
    heads, chooser = Heads(env.table), random.Random(5)
    for _ in range(60):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        found: list[list[int]] = [[]]
        for _ in heads.sizes:
            found = [[*row, int(value)] for row in found for value in np.flatnonzero(heads.mask(legal, row))]
        assert sorted(heads.number(row) for row in found) == legal.tolist()
        env.step(int(chooser.choice(legal)))
