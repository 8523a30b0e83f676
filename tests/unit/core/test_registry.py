"""What games bring is found by entry points, also when a game is installed after somebody has asked for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import PLAYERS, default_game, extended, extension, game_ids, get_game


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """A folder with an installed package that brings a game and its players; nobody looks there yet."""
    (tmp_path / "late_game.py").write_text("class Late:\n    id = 'late'\n\n\nPLAYERS = ['one']\n")
    about = tmp_path / "late_game-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: late-game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[rasputitsa.games]\nlate = late_game:Late\n[rasputitsa.players]\nlate = late_game:PLAYERS\n"
    )
    return tmp_path


@pytest.fixture
def first_by_name(tmp_path: Path) -> Path:
    """A folder with a copy of the entry points of this program and a game before all others by name."""
    about = tmp_path / "rasputitsa-9.dist-info"
    about.mkdir()
    (tmp_path / "aaa_game.py").write_text("class Aaa:\n    id = 'aaa'\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: rasputitsa\nVersion: 9\n")
    games = "".join(f"{name} = nowhere:Game\n" for name in game_ids())
    (about / "entry_points.txt").write_text(
        f"[rasputitsa.games]\naaa = aaa_game:Aaa\n{games}[rasputitsa.default]\n{default_game()} = nowhere:Game\n"
    )
    return tmp_path


def test_a_further_game_of_the_program_leaves_the_default(first_by_name: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = game_ids()
    monkeypatch.syspath_prepend(first_by_name)
    assert default_game() == before[0]
    assert game_ids() == [before[0], "aaa", *before[1:]]


def test_what_was_missing_is_found_when_it_is_installed(late: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert extension(PLAYERS, "late") is None
    assert "late" not in extended(PLAYERS)
    with pytest.raises(SetupError, match="no game called 'late'"):
        get_game("late")
    with monkeypatch.context() as installed:
        installed.syspath_prepend(late)
        assert extension(PLAYERS, "late") == ["one"]
        assert "late" in game_ids()
        assert get_game("late").id == "late"
    assert extension(PLAYERS, "late") is None
    assert "late" not in game_ids()
