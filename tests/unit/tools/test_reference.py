"""Former computer players as opponents."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rasputitsa.ai.external import any_player
from rasputitsa.ai.players import TimedClock, close, player
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.registry import get_game
from tests.support import AMPLE
from tools.reference import ROOT, NoCommitError, command, fetch


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A history of two commits."""
    folder = tmp_path / "clone"
    module = folder / "src" / "rasputitsa" / "player.py"
    module.parent.mkdir(parents=True)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    for text in ("old", "new"):
        module.write_text(text)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", text], check=True)
    return folder


def test_the_sources_of_an_earlier_commit_are_kept(repository: Path, tmp_path: Path) -> None:
    for commit, text in (("HEAD~1", "old"), ("HEAD", "new"), ("HEAD~1", "old")):
        assert (fetch(commit, tmp_path / "home", repository) / "rasputitsa" / "player.py").read_text() == text


def test_a_clone_without_the_commit_says_so(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(NoCommitError, match=r"\w"):
        fetch("0123abc", tmp_path / "home", repository)
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("game_id", ["portfolio", "wir"])
def test_a_former_player_does_what_it_did(game_id: str) -> None:
    game = get_game(game_id)
    state = game.setup(game.scenarios()[0].id, {})
    decision = game.decision(state)
    assert decision is not None
    while len(decision.options) == 1:
        game.apply(state, decision.options[0], SeededDice(1))
        decision = game.decision(state)
        assert decision is not None
    view = game.view_of(state, decision.seat)
    former = any_player(command(ROOT / "src", "greedy"), game, {}, seed=5)
    today = player("greedy", game, {}, seed=5)
    try:
        for _ in range(3):
            assert former.choose(view, decision, TimedClock(AMPLE)) == today.choose(view, decision, TimedClock(AMPLE))
    finally:
        close(former)


def test_options_that_came_later_are_kept_from_a_former_player(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("wir")
    state = game.setup("barbarossa", {})
    scenario, options = game.begun_with(state)
    monkeypatch.setattr(game, "begun_with", lambda state: (scenario, {**options, "of_tomorrow": "yes"}))
    decision = game.decision(state)
    assert decision is not None
    former = any_player(command(ROOT / "src", "greedy"), game, {"of_tomorrow": "yes"}, seed=5)
    try:
        chosen = former.choose(game.view_of(state, decision.seat), decision, TimedClock(AMPLE))
        assert chosen in decision.options
    finally:
        close(former)
