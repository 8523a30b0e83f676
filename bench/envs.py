"""Learning environments: random masked play, with an observation and a mask of the legal actions at every step."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from bench.measure import microseconds
from rasputitsa.core.caching import cached
from rasputitsa.core.registry import get_game
from rasputitsa.envs import SeatsEnv, aec_env, seat_env, vector_env

MOST = 3000
"""Steps after which a game counts as played: a campaign of chance takes hundreds of thousands."""


@cached
def _environment(game: str) -> SeatsEnv:
    return aec_env(game, without=sorted(get_game(game).early_ends), copy=False)


def steps_of(game: str) -> Callable[[int], int]:
    """What plays one game of ours, both seats agents of one PettingZoo environment; it gives its steps."""

    def play(seed: int) -> int:
        env, chance, steps = _environment(game), random.Random(seed).random, 0
        env.reset(seed=seed)
        while not env.table.over and steps < MOST:
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"].view(bool))
            env.step(int(legal[int(chance() * len(legal))]))
            steps += 1
        return steps

    return play


def openspiel_game(name: str) -> Callable[[int], int]:
    """The same of a game of OpenSpiel, with its tensor and its mask as arrays of NumPy."""
    import pyspiel

    game: Any = pyspiel.load_game(name)

    def play(seed: int) -> int:
        chooser, state, steps = random.Random(seed), game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, chances)[0])
                continue
            np.array(state.observation_tensor(), dtype=np.float32)
            legal = np.flatnonzero(np.array(state.legal_actions_mask(), dtype=bool))
            state.apply_action(int(legal[int(chooser.random() * len(legal))]))
            steps += 1
        return steps

    return play


def vector_steps(game: str, processes: int, seconds: float) -> float:
    """Steps a second, by the clock, of sixteen environments over some processes."""
    many, chance = vector_env(game, 16, processes, without=sorted(get_game(game).early_ends)), random.Random(1).random
    many.reset(seed=1)
    steps, begun = 0, perf_counter()
    while perf_counter() - begun < seconds:
        legal = [np.flatnonzero(mask) for mask in many.action_masks()]
        many.step(np.array([row[int(chance() * len(row))] if len(row) else 0 for row in legal]))
        steps += many.num_envs
    found = steps / (perf_counter() - begun)
    many.close()
    return found


def snapshot_times(game: str) -> dict[str, float]:
    """Microseconds to keep an environment as learners have it, opponent and all, as it stands, and to go back."""
    ends = sorted(get_game(game).early_ends)
    env, chance = seat_env(game, without=ends, take_backs=False, copy=False), random.Random(1).random
    env.reset(seed=1)
    for _ in range(300):
        if env.table.over:
            env.reset()
        legal = np.flatnonzero(env.action_masks())
        env.step(int(legal[int(chance() * len(legal))]))
    kept = env.snapshot()
    return {
        "snapshot": microseconds(env.snapshot, number=500),
        "restore": microseconds(lambda: env.restore(kept), number=500),
    }
