"""A curriculum: lessons join when those before them are won, and one policy plays them all."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np
from gymnasium.utils.env_checker import check_env

from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import get_game
from rasputitsa.envs import Curriculum, curriculum, seat_env

LESSONS = ("first_attack", "pocket", "winter")


def play(env: Curriculum, most: int = 3000) -> dict[str, Any]:
    """One game of chance; the last info."""
    _, info = env.reset()
    for step in range(most):
        legal = np.flatnonzero(env.action_masks())
        *_, over, cut, info = env.step(int(legal[7 * step % len(legal)]))
        if over or cut:
            return info
    raise AssertionError("no end")


def test_lessons_join_when_the_newest_is_won() -> None:
    env = curriculum("portfolio", LESSONS, share=0.5, games=4, review=0.5, max_decisions=3)
    env.reset(seed=1)
    results = iter([True, False, False, False, True, True])
    for result, opened in zip(results, (1, 1, 1, 1, 1, 2), strict=True):  # two of the last four are won at the last one
        env.playing = "first_attack"
        env._note(result)
        assert env.opened == opened
    env._note(True)
    assert env.opened == 2, "what is won of an older lesson opens nothing"
    env.playing = "pocket"
    for _ in range(9):
        env._note(True)
    assert env.opened == 3, "there is no fourth"
    counted = Counter(env.reset()[1]["lesson"] for _ in range(60))
    assert counted["winter"] > 15 and counted["first_attack"] > 3 and counted["pocket"] > 3


def test_only_a_goal_that_is_reached_counts() -> None:
    env = curriculum("portfolio", ("winter",), games=3, max_decisions=5)
    env.reset(seed=1)
    assert play(env)["lesson"] == "winter"
    assert list(env.wins["winter"]) == [False], "broken off"
    for lesson, won in (("leningrad", True), ("first_attack", False)):  # chance holds a city, and wins no attack
        env = curriculum("portfolio", (lesson,), games=3)
        env.reset(seed=1)
        assert play(env)["winner"] == "soviet"
        assert list(env.wins[lesson]) == [won]


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_one_policy_plays_all_lessons(game: str) -> None:
    env = curriculum(game)
    assert env.lessons == tuple(lesson.id for lesson in get_game(game).lessons())
    for lesson in get_game(game).lessons():
        one = env.envs[lesson.id]
        assert one.seat == lesson.seat
        assert one.observation_space == env.observation_space
        assert one.table.index.digest == env.env.table.index.digest


def test_the_games_are_those_of_the_lesson() -> None:
    env = curriculum("portfolio", ("pocket",), max_decisions=40)
    seen, info = env.reset(seed=3)
    assert info == {"decisions": 0, "lesson": "pocket"}
    alone = seat_env("portfolio", "axis", lesson="pocket")
    other, _ = alone.reset(seed=3)
    assert all(np.array_equal(seen[name], other[name]) for name in ("planes", "units"))
    check_env(env, skip_render_check=True)


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(SetupError, match="no lesson 'nothing'; known: first_attack"):
        curriculum("portfolio", ("nothing",))
    for wrong in ({"share": 0.0}, {"review": 1.0}, {"games": 0}):
        with pytest.raises(SetupError, match="share goes"):
            curriculum("portfolio", ("pocket",), **wrong)
    with pytest.raises(SetupError, match="takes no options"):
        curriculum("portfolio", ("pocket",)).reset(options={"lesson": "winter"})
