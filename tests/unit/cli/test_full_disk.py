"""Commands that add results to a file, where the disk is full: they name it in one line, and no line of it is cut."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PATIENCE

pytest.importorskip("resource", reason="needs a limit on the size of files")

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
del sys.argv[1]
from rasputitsa.cli.entry import main
main()
"""
RANDOM = ["--player", "random"]
COMMANDS = [
    ("results", ["simulate", "--lesson", "first_attack", "--games", "12", "--output", "results"]),
    (
        "results",
        ["ladder", "--lesson", "first_attack", *RANDOM, "--player", "steady", "--games", "2", "--results", "results"],
    ),
    ("to/games-shipped.jsonl", ["balance", "portfolio", *RANDOM, "--games", "1", "--to", "to"]),
    ("to/portfolio.jsonl", ["baselines", "portfolio", *RANDOM, "--against", "random", "--games", "1", "--to", "to"]),
    ("results", [
        "campaigns", "--axis", "random", "--soviet", "random", "--weeks", "1", "--games", "1", "--results", "results",
    ]),
]  # fmt: skip


def run(folder: Path, most: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that can write ``most`` bytes into each file."""
    arguments = [sys.executable, "-B", "-c", LIMITED, str(most), *command]
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)


named = pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[command[0] for _, command in COMMANDS])


@named
def test_the_file_is_named_where_nothing_can_be_written(name: str, command: list[str], tmp_path: Path) -> None:
    ended = run(tmp_path, 20, *command)
    assert (ended.returncode, ended.stderr) == (1, f"rasputitsa: {name}: File too large\n")
    assert (tmp_path / name).read_text() == ""


@pytest.mark.parametrize("command", [COMMANDS[0][1], COMMANDS[1][1]], ids=["simulate", "ladder"])
def test_the_last_line_is_whole(command: list[str], tmp_path: Path) -> None:
    ended = run(tmp_path, 900, *command)
    assert (ended.returncode, ended.stderr) == (1, "rasputitsa: results: File too large\n")
    content = (tmp_path / "results").read_text()
    assert content.endswith("\n")
    for line in content.splitlines():
        json.loads(line)


def test_a_ladder_goes_on_where_the_disk_was_full(tmp_path: Path) -> None:
    name, command = COMMANDS[1]
    assert run(tmp_path, 900, *command).returncode == 1
    before = (tmp_path / name).read_text()
    assert run(tmp_path, 1 << 20, *command).returncode == 0
    after = (tmp_path / name).read_text()
    assert after.startswith(before) and len(after.splitlines()) == 5


def test_a_device_that_is_full_is_named(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no such device")
    ended = run(tmp_path, 1 << 20, "simulate", "--lesson", "first_attack", "--games", "1", "--output", "/dev/full")
    assert (ended.returncode, ended.stderr) == (1, "rasputitsa: /dev/full: No space left on device\n")
