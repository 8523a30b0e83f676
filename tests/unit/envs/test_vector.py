"""Many environments at once play what each would play alone, in one process or several."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import rasputitsa.envs.gym  # noqa: F401 - registers the ids
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.envs import ActionIndexError, ProcessError, VectorSeatEnv, seat_env, vector_env

LESSON: dict[str, Any] = {"lesson": "winter", "max_decisions": 12}


def choose(masks: NDArray[np.bool_], step: int) -> NDArray[np.int64]:
    """A legal action of each row, another one at each step."""
    legal = [np.flatnonzero(mask) for mask in masks]
    return np.array([row[(7 * step + n) % len(row)] if len(row) else 0 for n, row in enumerate(legal)])


@pytest.mark.parametrize("processes", [1, 2])
def test_they_play_what_each_would_play_alone(processes: int) -> None:
    alone = [seat_env("portfolio", **LESSON) for _ in range(3)]
    many = vector_env("portfolio", 3, processes, **LESSON)
    try:
        expected = [env.reset(seed=40 + n)[0] for n, env in enumerate(alone)]
        seen, infos = many.reset(seed=40)
        assert infos["decisions"].tolist() == [0, 0, 0]
        begun = 0
        over = [False] * 3
        for step in range(30):
            for n in range(3):
                assert all(np.array_equal(seen[name][n], array) for name, array in expected[n].items()), (step, n)
            actions = choose(many.action_masks(), step)
            seen, rewards, terminated, truncated, infos = many.step(actions)
            for n, env in enumerate(alone):
                if over[n]:
                    expected[n], info = env.reset()
                    told: tuple[float, bool, bool] = (0.0, False, False)
                    begun += 1
                else:
                    expected[n], reward, ended, cut, info = env.step(int(actions[n]))
                    told = (float(reward), ended, cut)
                assert (rewards[n], terminated[n], truncated[n]) == told
                over[n] = told[1] or told[2]
                if over[n]:
                    assert infos["_decisions"][n] and infos["decisions"][n] == info["decisions"]
        assert begun > 2
    finally:
        many.close()


@pytest.fixture
def pair() -> Any:
    made = vector_env("wir", 2, 2, lesson="pocket")
    yield made
    made.close()


def test_an_illegal_action_moves_none(pair: VectorSeatEnv) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        pair.step(np.zeros(2, np.int64))
    pair.reset(seed=1)
    seen, *_ = pair.step(choose(pair.action_masks(), 0))
    before = {name: array.copy() for name, array in seen.items()}
    legal = choose(pair.action_masks(), 0)
    illegal = int(np.flatnonzero(~pair.action_masks()[1])[0])
    for wrong, problem in (
        (np.array([legal[0], illegal]), IllegalAction),
        (np.array([legal[0], -1]), ActionIndexError),
        (np.array([legal[0], pair.index.size]), ActionIndexError),
        (legal[:1], SetupError),
        (legal.astype(float), SetupError),
    ):
        with pytest.raises(problem):
            pair.step(wrong)
    assert all(np.array_equal(array, before[name]) for name, array in seen.items())


def test_what_cannot_be_made_is_refused(pair: VectorSeatEnv) -> None:
    for count, processes in ((0, 1), (1, 0)):
        with pytest.raises(SetupError, match="at least one"):
            vector_env("wir", count, processes)
    with pytest.raises(SetupError, match="seeds"):
        pair.reset(seed=[1, 2, 3])
    with pytest.raises(SetupError, match="options"):
        pair.reset(options={"lesson": "hold"})
    with pytest.raises(SetupError, match="another process"):
        vector_env("wir", 2, 2, lesson="pocket", opponents=lambda seen: 0)


def test_seeds_may_be_given_one_by_one(pair: VectorSeatEnv) -> None:
    first = {name: array.copy() for name, array in pair.reset(seed=[5, 9])[0].items()}
    second, _ = pair.reset(seed=[9, 5])
    assert all(np.array_equal(array, second[name][::-1]) for name, array in first.items())


def test_observations_are_the_memory_that_is_written_to(pair: VectorSeatEnv) -> None:
    seen, _ = pair.reset(seed=1)
    after, *_ = pair.step(choose(pair.action_masks(), 0))
    assert all(after[name] is array for name, array in seen.items())
    assert np.shares_memory(pair.action_masks(), seen["action_mask"])
    assert pair.observation_space.contains(after)


def test_a_process_that_dies_is_reported(pair: VectorSeatEnv) -> None:
    pair.reset(seed=1)
    [child] = multiprocessing.active_children()
    child.kill()
    child.join()
    with pytest.raises(ProcessError, match="ended"):
        pair.step(choose(pair.action_masks(), 0))
    assert pair.closed


def test_a_fault_in_another_process_is_reported(pair: VectorSeatEnv) -> None:
    pair.reset(seed=1)
    actions = choose(pair.action_masks(), 0)
    actions[1] = np.flatnonzero(~pair.action_masks()[1])[0]
    pair.action_masks()[1, actions[1]] = True  # the mask is the shared memory: only the other process notices
    with pytest.raises(ProcessError, match="is not legal"):
        pair.step(actions)
    assert pair.closed and not multiprocessing.active_children()
    with pytest.raises(gymnasium.error.ResetNeeded):
        pair.step(actions)


def test_ids_make_vectors_too() -> None:
    many = gymnasium.make_vec("rasputitsa/wir-pocket-v1", num_envs=2, vectorization_mode="vector_entry_point")
    many.reset(seed=1)
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert many.action_space.shape == (2,)
    many.close()
