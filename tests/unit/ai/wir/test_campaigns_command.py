"""The command ``campaigns``: a report beside the course of the war, and what it refuses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rasputitsa.cli.main import main


def command(monkeypatch: pytest.MonkeyPatch, *args: object) -> int:
    """Run ``rasputitsa`` in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["rasputitsa", *map(str, args)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code if isinstance(left.value.code, int) else 0


def test_a_report_is_written_and_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    results, report = tmp_path / "campaigns.jsonl", tmp_path / "report.md"
    line = ("campaigns", "barbarossa", "--axis", "greedy", "--soviet", "greedy", "--weeks", 8, "--results", results)
    assert command(monkeypatch, *line, "-n", 1, "--to", report) == 0
    assert "1 campaigns, barbarossa: greedy (Axis) against greedy, seeds 1 to 1." in report.read_text(encoding="utf-8")
    assert command(monkeypatch, *line, "-n", 2, "--to", report) == 0
    text = report.read_text(encoding="utf-8")
    assert "seeds 1 to 2." in text
    assert "| 1 August 1941 | 2 |" in text
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2


def test_what_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(monkeypatch, "campaigns", "typhoon") == 1
    assert "no scenario 'typhoon'" in capsys.readouterr().err
    assert command(monkeypatch, "campaigns", "--axis", "napoleon") == 1
    assert "no computer player 'napoleon'" in capsys.readouterr().err
