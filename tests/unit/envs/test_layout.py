"""Weights learned from other observations or actions are refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from rasputitsa.envs import LayoutError
from rasputitsa.envs.table import Table
from rasputitsa.examples.masked_ppo import Describer, Policy


@pytest.mark.parametrize(("game", "arrays"), [("portfolio", "476552728c6d73f1"), ("wir", "9a3fc713dc928295")])
def test_arrays_change_with_their_version_only(game: str, arrays: str) -> None:
    """A change of a line of this raises ``layout`` of the encoder, so that what was learned is refused in words."""
    layout = Table(game).layout
    assert (layout.version, layout.arrays) == (2, arrays)


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_the_layout_is_that_of_every_game_of_one_map(game: str) -> None:
    layout = Table(game).layout
    assert layout.version == 2
    for lesson in Table(game).game.lessons():
        assert Table(game, lesson=lesson.id).layout == layout
    layout.check(str(layout))


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ("", "before they were versioned"),
        ("portfolio observations-1-{arrays} actions-{actions}", "made for observations 1-.* these are 2-"),
        ("portfolio observations-2-0000 actions-{actions}", "made for observations 2-0000"),
        ("portfolio observations-2-{arrays} actions-0000", "made for actions 0000"),
        ("wir observations-2-{arrays} actions-{actions}", "made for wir; this is portfolio"),
    ],
)
def test_another_layout_is_refused(kept: str, says: str) -> None:
    layout = Table("portfolio").layout
    with pytest.raises(LayoutError, match=says):
        layout.check(kept.format(arrays=layout.arrays, actions=layout.actions))


def test_weights_travel_with_their_layout(tmp_path: Path) -> None:
    table = Table("portfolio", lesson="first_attack")
    policy, path = Policy(Describer(table), 1), tmp_path / "weights.npz"
    policy.save(path, table)
    again = Policy(Describer(table), 2)
    again.load(path, table)
    assert all((again.weights[name] == policy.weights[name]).all() for name in policy.weights)
    np.savez(path, allow_pickle=False, **policy.weights)
    with pytest.raises(LayoutError, match="before they were versioned"):
        again.load(path, table)
    policy.save(path, table)
    with pytest.raises(LayoutError, match="made for portfolio; this is wir"):
        again.load(path, Table("wir", lesson="first_attack"))
