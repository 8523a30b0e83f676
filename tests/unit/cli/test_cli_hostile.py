"""What the commands print of files that strangers wrote."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from rasputitsa import portfolio
from rasputitsa.core.record.new import new_session
from tests.unit.cli.command import Command

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


@pytest.mark.skipif(os.name == "nt", reason="devices and pipes have no such names")
@pytest.mark.parametrize("command", ["replay", "check-dice", "show", "analyse", "import", "conform"])
def test_no_device_and_no_silent_pipe_is_waited_for(command: str, run: Command, tmp_path: Path) -> None:
    data = ["--data", tmp_path] if command == "import" else []
    run.fails(command, "/dev/zero", *data, says="/dev/zero is a device")
    if command not in ("import", "conform"):
        os.mkfifo(tmp_path / "pipe")
        run.fails(command, tmp_path / "pipe", says="cut short")


def test_a_saved_game_beyond_all_measure_is_refused_unread(run: Command, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").touch()
    os.truncate(tmp_path / "game.jsonl", 1 << 40)
    run.fails("replay", tmp_path / "game.jsonl", says="is larger than")


@pytest.mark.parametrize(
    ("text", "says"),
    [("x = " + "[" * 100_000, "nested too deep"), ("turn = " + "9" * 10_000, "limit"), ("position = 5", "is a table")],
)
def test_a_position_that_is_none_is_refused_in_words(text: str, says: str, run: Command, tmp_path: Path) -> None:
    (tmp_path / "position.toml").write_text(text)
    run.fails("show", tmp_path / "position.toml", says=says)


CASE = """
rule = "VII.B"
title = "A case"
game = "portfolio"
[position]
scenario = "june22"
[play]
actions = []
[expect]
seat = "axis"
"""


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        ("actions = []", "actions = [[1]]", r"play.actions is a list of orders, .* not \[\[1\]\]"),
        ("actions = []", 'actions = ["until "]', "play.actions"),
        ("actions = []", 'actions = ["until movement"]', "play.actions"),
        ("actions = []", "dice = 5", "play.dice"),
        ("actions = []", "dice = [1.5]", "play.dice"),
        ("actions = []", "dice = {combat = [nan]}", "play.dice.combat"),
        ('rule = "VII.B"', "rule = {}", "rule is a paragraph"),
        ('game = "portfolio"', "game = []", "game is the name"),
        ('seat = "axis"', "why = 1979-05-27", "expect.why"),
        ('seat = "axis"', "query.reach = 1", "expect.query.reach"),
        ('seat = "axis"', "query.reach.args.unit = {}", "expect.query.reach.args.unit"),
        ('seat = "axis"', f"seat = {'9' * 5000}", "limit"),
        ('seat = "axis"', "seat = " + "[" * 5000, "nested too deep"),
    ],
)
def test_a_case_of_another_kind_is_refused_by_its_field(
    place: str, value: str, says: str, run: Command, tmp_path: Path
) -> None:
    assert place in CASE
    (tmp_path / "case.toml").write_text(CASE)
    assert run("conform", tmp_path / "case.toml").code == 0
    (tmp_path / "case.toml").write_text(CASE.replace(place, value))
    run.fails("conform", tmp_path / "case.toml", says=says)


@pytest.mark.parametrize("expect", ["odds = {units = 5}", "position.has_units = 5", "query.reach.args.unit = 5"])
def test_what_a_case_expects_of_another_kind_is_a_failure_in_words(expect: str, run: Command, tmp_path: Path) -> None:
    (tmp_path / "case.toml").write_text(CASE.replace('seat = "axis"', expect))
    result = run("conform", tmp_path / "case.toml")
    assert result.code == 1 and "0 passed, 1 failed" in result.out, result


def test_a_number_of_a_match_that_is_none_is_refused_in_words(run: Command, tmp_path: Path) -> None:
    run("lessons", "first_attack", "--data", tmp_path)
    run.fails("export", "9" * 5000, "--data", tmp_path, says="is not the number of a match")


LADDER = ("ladder", "-p", "random", "-p", "steady", "-n", 1, "--lesson", "first_attack", "--results")
CAMPAIGNS = ("campaigns", "-n", 1, "--weeks", 2, "--axis", "random", "--soviet", "random", "--results")


@pytest.mark.parametrize(
    ("line", "field", "value", "says"),
    [
        (1, "id", None, "line 2 .* id: "),
        (1, "players", {"axis": "random"}, "line 2 .* players: these are not the sides"),
        (1, "winner", "\x1b[2J", "line 2 .* winner: .* is no side"),
        (1, "samples", [{"turn": "x"}], "line 2 .* samples.0"),
        (1, "seconds", {"axis": [], "soviet": 1.0}, "line 2 .* seconds.axis"),
        (0, "format", {}, "no results of a ladder"),
    ],
)
def test_results_of_another_kind_are_refused_by_line_and_field(
    line: int, field: str, value: Any, says: str, run: Command, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    assert run(*LADDER, path).code == 0
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    assert run(*LADDER, path).code == 0, "what was written is read again"
    lines[line][field] = value
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    before = path.read_bytes()
    run.fails(*LADDER, path, says=says)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("seed", [], "line 1 is no campaign: seed"),
        ("samples", [], "line 1 is no campaign: samples: there are none"),
        ("taken", [[10**6, "Minsk", "axis"]], "line 1 is no campaign: taken: there was no turn"),
        ("slowest", {}, "line 1 is no campaign: slowest"),
    ],
)
def test_campaigns_of_another_kind_are_refused_by_line_and_field(
    field: str, value: Any, says: str, run: Command, tmp_path: Path
) -> None:
    path = tmp_path / "campaigns.jsonl"
    first = run(*CAMPAIGNS, path)
    assert run(*CAMPAIGNS, path).out == first.out, "what was written is read again"
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}) + "\n")
    run.fails(*CAMPAIGNS, path, says=says)


def test_a_campaign_that_lacks_a_pool_is_refused(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "campaigns.jsonl"
    run(*CAMPAIGNS, path)
    line = json.loads(path.read_text())
    del line["samples"][0]["axis"]["pools"]["vehicle"]
    path.write_text(json.dumps(line) + "\n")
    run.fails(*CAMPAIGNS, path, "--pools", says="line 1 is no campaign: samples: pool vehicle is missing")


@pytest.mark.parametrize("command", ["'", "no\0thing"])
def test_a_program_whose_name_is_none_is_refused_in_words(command: str, run: Command) -> None:
    run.fails("simulate", "-n", 1, "-p", f"axis=external:{command}", says="cannot be")


def test_names_of_folders_are_no_markup(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "[/red] [bold]x :bomb:"
    shutil.copytree(Path(portfolio.__file__).with_name("data"), folder)
    assert f"{folder} is sound" in run("validate", folder).out


def test_a_terminal_without_all_letters_stops_nothing(tmp_path: Path) -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "rasputitsa.cli"]

    def ask(*args: str | Path) -> bytes:
        return subprocess.run([*command, *args], env=plain, capture_output=True, check=True).stdout

    folder, data = tmp_path / "\u00fcber", tmp_path / "data"
    shutil.copytree(Path(portfolio.__file__).with_name("data"), folder)
    assert rb"\xfcber is sound" in ask("validate", folder)
    title = "Stra\u00dfe"
    (tmp_path / "game.jsonl").write_text(new_session("portfolio", "june22", seed=1, title=title).save())
    ask("import", tmp_path / "game.jsonl", "--data", data)
    assert title.encode() in ask("export", "1", "--data", data), "a saved game is written as it is"


def test_without_a_home_the_place_of_the_matches_is_asked_for(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*args: object, **how: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(platformdirs, "user_data_dir", no_home)
    for command in (("play", "--no-browser"), ("matches", "list"), ("export", 1)):
        run.fails(*command, says="no home directory is known; say with --data")


def test_names_of_players_are_no_markup(run: Command) -> None:
    shown = run("ladder", "-p", "random", "-p", "external:none [/bold]", "-n", 1, "--lesson", "first_attack")
    assert shown.code == 0
    assert "[/bold]" in shown.out


def test_what_stands_in_a_file_moves_no_cursor_and_is_no_markup(run: Command, tmp_path: Path) -> None:
    """A terminal would obey escape sequences, and tables would take brackets for colours."""
    evil = "\x1b[2J\x1b]0;owned\x07\u202e[/bold][link=x]"
    session = new_session("portfolio", "june22", seed=1, title=f"T{evil}")
    session.set_controller("axis", f"human {evil}")
    saved = tmp_path / "evil.jsonl"
    saved.write_text(session.save(), encoding="utf-8")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(session.save().replace('"seat": "axis"', '"seat": "\\u001b[2J"'), encoding="utf-8")
    lines = session.save().splitlines()
    lines[1] = json.dumps({"seat": "axis", "action": "cast", "dice": [[f"x{evil}", 3, 6]]})
    dice = tmp_path / "dice.jsonl"
    dice.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for args in (["replay", saved], ["replay", broken], ["check-dice", saved], ["check-dice", dice], ["show", saved]):
        result = run(*args)
        assert "Traceback" not in result.err
        assert not set("\x1b\x07\u202e") & set(result.out + result.err), args
    run("import", saved, "--data", tmp_path / "data")
    assert not set("\x1b\x07\u202e") & set(run("export", "--data", tmp_path / "data").out)
