"""Pictures of environments: text, text on the terminal, arrays of pixels."""

from __future__ import annotations

import sys
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test

import rasputitsa.envs.gym  # noqa: F401 - registers the ids
from rasputitsa.core.errors import SetupError
from rasputitsa.envs import aec_env, seat_env
from rasputitsa.envs.rendering import rendered


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_pictures_have_one_size_and_show_the_position(game: str) -> None:
    pytest.importorskip("PIL")
    found = []
    for lesson in ("first_attack", "winter"):
        env = aec_env(game, lesson=lesson, render_mode="rgb_array")
        env.reset(seed=1)
        found.append(env.render())
    first, second = found
    assert first.dtype == np.uint8 and first.shape[1:] == (700, 3) and len(first) > 500
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50, "a map, and no blank sheet"
    assert second.shape == first.shape and not np.array_equal(first, second)


def test_a_seat_is_shown_what_it_may_know() -> None:
    """In War in Russia the strength of groups is drawn on counters: everybody is shown their own alone."""
    pytest.importorskip("PIL")
    env = seat_env("wir", "axis", lesson="pocket", render_mode="rgb_array")
    env.reset(seed=1)
    axis, soviet, all_see = (rendered(env.table, "rgb_array", seat) for seat in ("axis", "soviet", None))
    assert np.array_equal(env.render(), axis)
    assert not np.array_equal(axis, soviet) and not np.array_equal(axis, all_see)


@pytest.mark.parametrize("make", [seat_env, aec_env])
def test_people_are_shown_each_position(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    env = make("portfolio", lesson="winter", render_mode="human")
    env.reset(seed=1)
    capsys.readouterr()
    agent = getattr(env, "agent_selection", "axis")
    seen = env.observe(agent) if make is aec_env else {"action_mask": env.action_masks()}
    env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    printed = capsys.readouterr().out
    assert "20  21  22" in printed and len(printed) > 2000
    assert env.render() is None and capsys.readouterr().out == printed


def test_both_interfaces_find_nothing_to_complain_of() -> None:
    pytest.importorskip("PIL")
    check_env(gymnasium.make("rasputitsa/portfolio-winter-v1", disable_env_checker=True).unwrapped)
    render_test(lambda render_mode=None: aec_env("portfolio", lesson="first_attack", render_mode=render_mode))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    env = aec_env("portfolio", lesson="first_attack", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(SetupError, match="PIL is not installed; rgb_array needs it"):
        env.render()
