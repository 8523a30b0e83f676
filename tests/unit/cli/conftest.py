"""The command line, and a game to try it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.command import Command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("COLUMNS", "200")
    return Command(monkeypatch, capsys)


@pytest.fixture
def save(run: Command, tmp_path: Path) -> Path:
    """A finished game between random players."""
    assert run("simulate", "-n", 1, "--saves", tmp_path / "saves").code == 0
    (path,) = (tmp_path / "saves").iterdir()
    return path
