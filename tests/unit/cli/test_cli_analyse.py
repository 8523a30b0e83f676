"""``rasputitsa analyse``: what it prints, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rasputitsa.cli.main import main
from rasputitsa.core.actions import Action
from rasputitsa.core.record.new import lesson_session
from tests.support import random_session


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(random_session(3, 700).save(), encoding="utf-8")
    return path


def run(monkeypatch: pytest.MonkeyPatch, *args: object) -> int:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "analyse", *map(str, args)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code if isinstance(left.value.code, int) else 0


def test_it_prints_the_outlook_turn_by_turn_and_the_turning_points(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.json"
    assert run(monkeypatch, saved, "-n", 1, "--seconds", 1, "--json", found) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:3] == ["22", "Jun", "41"] and "%" in line and "#" in line for line in lines)
    assert any(line.startswith(" the end") for line in lines)
    assert any(line.startswith("1. ") and " -> " in line for line in lines)
    assert any(line.startswith("   The computer: ") for line in lines)
    assert not any("{unit:" in line or "{hex:" in line for line in lines)
    course = json.loads(found.read_text(encoding="utf-8"))
    assert course["complete"] and len(course["turns"]) == 1


def test_in_a_lesson_it_prints_how_far_the_goal_was_reached_and_no_chances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = lesson_session("portfolio", "winter", seed=1)
    while (decision := session.decision()) is not None:
        line = next(line for line in ("done", "stand_all", "stand") if Action(line) in decision.options)
        session.play(line, decision.seat)
    path = tmp_path / "lesson.jsonl"
    path.write_text(session.save(), encoding="utf-8")
    assert run(monkeypatch, path, "-n", 1, "--seconds", 0.1) == 0
    printed = capsys.readouterr().out
    assert "how far the goal was reached" in printed and "1. " in printed
    assert "%" not in printed and "promised" not in printed


def test_a_seat_that_is_not_there_and_a_broken_file_are_refused(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, saved, "--seat", "north") == 1
    assert "there is no seat 'north'; known: axis, soviet" in capsys.readouterr().err
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n", encoding="utf-8")
    assert run(monkeypatch, broken) == 1
    assert "Traceback" not in capsys.readouterr().err
