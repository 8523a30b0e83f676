"""What the commands print of files that strangers wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rasputitsa.core.record.new import new_session
from tests.unit.cli.test_cli import Command

CODES = "\x1b]52;c;aGk=\x1b\\\x1b[2J\x9b31m\u202e"
"""Put something into the clipboard, clear the screen, change the colour, turn the writing round."""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A saved game whose first entry is believed rather than replayed, as it lies before a stored position."""
    session = new_session("portfolio", "june22", seed=1, title=CODES)
    state = session.game.freeze(session.state)
    lines = [
        json.loads(session.save().split("\n")[0]),
        {"seat": f"x{CODES}", "action": f"go {CODES}", "dice": [[f"s{CODES}", 3, 6]]},
        {"seat": "", "action": "@resumed", "after": session.game.fingerprint(session.state)[:12], "position": state},
        {"end": 2},
    ]
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return path


@pytest.mark.parametrize("command", ["replay", "check-dice", "import"])
def test_no_text_of_a_file_steers_the_terminal(
    command: str, hostile: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(hostile.parent)] if command == "import" else []
    result = Command(monkeypatch, capsys)(command, hostile, *data)
    shown = result.out + result.err
    assert shown.strip()
    assert not [c for c in shown if not c.isprintable() and c != "\n"]


def test_the_script_steers_no_terminal_either(hostile: Path) -> None:
    script = Path(__file__).parents[3] / "examples" / "check_dice.py"
    shown = subprocess.run([sys.executable, script, hostile], capture_output=True, text=True, check=False).stdout
    assert "does not show 3" in shown
    assert not [c for c in shown if not c.isprintable() and c != "\n"]


def test_what_was_not_replayed_is_not_called_replayed(
    hostile: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    result = Command(monkeypatch, capsys)("check-dice", hostile)
    assert "from the position stored in entry 2 on; nothing before that can be replayed" in result.out
    quiet = Command(monkeypatch, capsys)("replay", hostile, "-q").out
    assert "2 entries, replayed from the position stored in entry 2 on" in quiet
