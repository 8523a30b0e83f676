"""The command line: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

from rasputitsa.cli.console import CommandError
from rasputitsa.cli.contests import exploit_names
from rasputitsa.cli.main import main
from rasputitsa.core.record.new import new_session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store
from rasputitsa.wir.api.validate import DATA_DIR as WIR_DATA
from tests.support import PATIENCE


@dataclass
class Result:
    code: int
    out: str
    err: str


class Command:
    """Runs ``rasputitsa`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *args: object) -> Result:
        self._monkeypatch.setattr(sys, "argv", ["rasputitsa", *map(str, args)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = self._capsys.readouterr()
        code = left.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    def fails(self, *args: object, says: str) -> None:
        """The command ends with code 1 and one line that says why."""
        result = self(*args)
        assert result.code == 1, result
        assert re.search(says, result.err), result.err
        assert "Traceback" not in result.err


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


def test_version_and_help(run: Command) -> None:
    assert run("--version").out == f"rasputitsa {metadata.version('rasputitsa')}\n"
    helped = run("--help")
    assert helped.code == 0
    for command in (
        "play", "serve", "simulate", "replay", "show", "odds", "conform", "validate", "export", "import", "bench",
    ):  # fmt: skip
        assert command in helped.out
        assert run(command, "--help").code == 0


def test_wrong_usage_has_a_code_of_its_own(run: Command) -> None:
    for args in (["nonsense"], ["replay"], ["simulate", "--games", "none"], ["simulate", "--games", "0"]):
        assert run(*args).code == 2


def test_simulated_games_are_summed_up_written_and_repeatable(run: Command, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    result = run("simulate", "-n", 3, "--seed", 5, "--output", one)
    assert result.code == 0
    assert "3 games in" in result.out
    run("simulate", "-n", 3, "--seed", 5, "--output", two)
    games, again = ([json.loads(line) for line in path.read_text().splitlines()] for path in (one, two))
    assert [game["seed"] for game in games] == [5, 6, 7]
    for game, same in zip(games, again, strict=True):
        del game["seconds"], same["seconds"]
        assert game == same
        assert game["winner"] in ("axis", "soviet", None)


def test_simulate_refuses_what_it_does_not_know(run: Command) -> None:
    run.fails("simulate", "-p", "axis=genius", says="no computer player 'genius'; known: .*random")
    run.fails("simulate", "-p", "rome=random", says="neither seat nor side; known: axis, soviet")
    run.fails("simulate", "--game", "chess", says="no game 'chess'; known: .*portfolio")
    run.fails("simulate", "--scenario", "june23", says="june23")
    run.fails("simulate", "-o", "october=sunny", says="october=mud|track")
    run.fails("simulate", "-o", "october", says="no option")


def test_a_saved_game_is_replayed_and_printed(run: Command, save: Path) -> None:
    full, quiet = run("replay", save), run("replay", save, "-q")
    assert full.code == quiet.code == 0
    assert len(full.out.splitlines()) > 100
    assert "{unit:" not in full.out
    line, dice = quiet.out.splitlines()
    assert "replayed without a fault" in line and "wins" in line
    assert dice.startswith("Every die comes from the seed")


def test_broken_files_are_refused_in_a_line(run: Command, save: Path, tmp_path: Path) -> None:
    text = save.read_text()
    for name, content, says in [
        ("empty", "", "cut short"),
        ("cut", "\n".join(text.splitlines()[:20]), "end line is missing"),
        ("photo", "\x00\x01", "not JSON|cut short"),
        ("newer", text.replace('"format_version": 2', '"format_version": 99'), "Update the program"),
        ("wrong", re.sub(r'"action": "done"', '"action": "to A1"', text, count=1), "cannot be replayed"),
    ]:
        path = tmp_path / name
        path.write_text(content)
        run.fails("replay", path, says=says)
        run.fails("import", path, "--data", tmp_path, says=says)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfa")
    run.fails("replay", tmp_path / "binary", says="not a text file")
    run.fails("replay", tmp_path / "none", says="none: No such file")
    run.fails("replay", tmp_path, says="Is a directory")


def test_a_saved_game_goes_through_the_store_unchanged(run: Command, save: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    run.fails("export", "1", "--data", data, says="no matches")
    assert run("import", save, "--data", data).out == "match 1\n"
    assert run("export", "1", "--data", data).out == save.read_text()
    copy = tmp_path / "copy.jsonl"
    run("export", "1", "--data", data, "--to", copy)
    assert copy.read_text() == save.read_text()
    listing = run("export", "--data", data).out
    assert "The Russian Portfolio" in listing and "over" in listing
    run.fails("export", "2", "--data", data, says="no match 2")
    run.fails("export", "x", "--data", data, says="not the number")


def test_show_draws_the_map_as_text(run: Command) -> None:
    picture = run("show").out
    lines = picture.splitlines()
    assert "22 Jun 41" in lines[0]
    assert lines[2].startswith("  A ") and lines[41].startswith(" NN ")
    assert picture.count("★") >= 6
    assert run("show", "--empty").out.count("★") > picture.count("★"), "Leningrad has a garrison"
    assert "U3: 1PzG 4-3-6" in run("show", "--list").out


def test_show_draws_pictures(run: Command, tmp_path: Path, save: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert run("show", save, "--at", 20, "--svg", svg, "--png", png, "--width", 300).code == 0
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png.read_bytes()[16:20], "big") == 300


def test_show_reads_position_files(run: Command, tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text('scenario = "june22"\nempty = true\nturn = 3\n[units]\n39Pz = "N4 dispersed"\n')
    assert run("show", position, "--list").out.splitlines()[1:] == ["N4: 39Pz 7-5-6 dispersed"]
    position.write_text("turn = ")
    run.fails("show", position, says="p.toml")
    position.write_text("colour = 3")
    run.fails("show", position, says="no field colour")
    run.fails("show", position, "--scenario", "june22", says="its own scenario")
    run.fails("show", "--at", 3, says="needs a saved game")
    run.fails("show", "--scenario", "june23", says="june23")


def test_odds_itemises_an_attack(run: Command, tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text(
        'scenario = "june22"\nempty = true\nturn = 3\nphase = "attack"\nside = "axis"\n'
        '[units]\n39Pz = "N4"\n56Pz = "N4"\n3A = "N5"\n'
    )
    result = run("odds", position, "--attack", "N5", "--with", "39Pz,56Pz")
    assert result.code == 0, result.err
    assert "XIII.B.1" in result.out and "final column" in result.out
    chances = [int(n) for n in re.findall(r"(\d+)%", result.out)]
    assert 98 <= sum(chances) <= 102
    run.fails("odds", position, "--attack", "N9", "--with", "39Pz", says="not a legal attack now")
    run.fails("odds", position, "--attack", "ZZ9", "--with", "39Pz", says="no hex 'ZZ9'")


def test_odds_against_a_hidden_group_are_an_estimate(run: Command) -> None:
    result = run("odds", "--game", "wir", "--attack", "0519", "--with", "6,21")
    assert "likeliest: " in result.out and "order of battle at the start" in result.out


CASE = """
rule = "XI.B"
title = "{title}"
game = "portfolio"
[position]
scenario = "june22"
[expect]
seat = "{seat}"
"""


def test_conform_names_the_paragraphs_that_fail(run: Command, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(CASE.format(title="right", seat="axis"))
    passed = run("conform", tmp_path)
    assert (passed.code, passed.out) == (0, "1 passed, 0 failed\n")
    (tmp_path / "bad.toml").write_text(CASE.format(title="wrong", seat="soviet"))
    failed = run("conform", tmp_path)
    assert failed.code == 1
    assert "FAILED XI.B: wrong" in failed.out and "seat should be 'soviet'" in failed.out
    assert "1 passed, 1 failed" in failed.out
    assert "passed XI.B: right" in run("conform", tmp_path, "-v").out
    run.fails("conform", tmp_path / "none", says="there is no")
    (tmp_path / "empty").mkdir()
    run.fails("conform", tmp_path / "empty", says="no cases")
    (tmp_path / "empty" / "x.toml").write_text("x = ")
    run.fails("conform", tmp_path / "empty", says="x.toml")


def test_validate_checks_the_data(run: Command, tmp_path: Path) -> None:
    both = run("validate").out
    assert both.count("is sound") == 2 and "portfolio" in both and "wir" in both
    assert run("validate", "--game", "wir").out.count("is sound") == 1
    shutil.copytree(WIR_DATA, tmp_path / "wir")
    assert "is sound" in run("validate", tmp_path / "wir").out
    run.fails("validate", "--game", "chess", says="no game 'chess'")
    result = run("validate", tmp_path)
    assert result.code == 1
    assert "problems" in result.err
    run.fails("validate", tmp_path / "none", says="there is no folder")


def test_contests_are_not_begun_with_data_that_cannot_be_played(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "wir"
    shutil.copytree(WIR_DATA, folder)
    players = ("-p", "greedy", "-p", "random", "-n", 1, "--lesson", "first_attack")
    run.fails("ladder", "wir", *players, "--data", tmp_path / "none", says="there is no folder")
    scenario = folder / "scenarios" / "case_blue.toml"
    text = scenario.read_text()
    scenario.write_text(text.replace("turns = ", "weeks = "))
    for command in (("ladder", "wir", *players), ("balance", "wir", "-n", 1, "--to", tmp_path / "report")):
        run.fails(*command, "--data", folder, says="scenarios/case_blue.toml:")
    assert not (tmp_path / "report").exists()
    scenario.write_text(text)
    cities = folder / "cities.csv"
    cities.write_text(cities.read_text().replace("Odessa,", "Ochakov,"))
    assert run("validate", folder).code == 1, "the manual names Odessa"
    assert "greedy" in run("ladder", "wir", *players, "--data", folder).out, "but another map may be played"


def test_bench_measures(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "bench", "--seconds", "0.1", "--no-peers"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert re.search(r"The Russian Portfolio \(Python\) +[\d,]+", capfd.readouterr().out)


# -- the server ----------------------------------------------------------------------------------------


@dataclass
class Running:
    process: subprocess.Popen[str]
    address: str

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out


def start(*args: object) -> Running:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = subprocess.Popen(
        [sys.executable, "-m", "rasputitsa.cli", *map(str, args)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+/", line)
    assert found, line + process.communicate()[0]
    return Running(process, found.group())


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--limit", "nothing=3", "there is no limit 'nothing'"),
        ("--limit", "requests=many", "the limit requests needs a number"),
        ("--limit", "requests=-1", "a number from 0 up"),
        ("--behind-proxy", "proxy.example", "'proxy.example' does not appear to be an IPv4 or IPv6 network"),
    ],
)
def test_a_server_is_not_started_with_settings_that_make_no_sense(
    run: Command, tmp_path: Path, option: str, value: str, says: str
) -> None:
    run.fails("serve", "--port", 0, "--data", tmp_path, option, value, says=says)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_play_starts_stops_and_keeps_matches(tmp_path: Path) -> None:
    server = start("play", "--no-browser", "--port", 0, "--data", tmp_path)
    assert json.loads(server.get("api/matches")) == []
    assert "<html" in server.get("")
    second = subprocess.run(
        [sys.executable, "-m", "rasputitsa.cli", "play", "--no-browser", "--data", tmp_path],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert second.returncode == 0
    assert f"already running at {server.address}" in second.stdout
    code, out = server.stop()
    assert (code, out.splitlines()[-1]) == (0, "Stopped.")
    again = start("play", "--port", 0, "--data", tmp_path)
    assert again.process.stdout is not None
    assert "Matches are kept in" in again.process.stdout.readline()
    assert again.process.stdout.readline() == "Open this address in a browser.\n"
    again.stop(signal.SIGTERM)


def test_play_takes_another_port_when_its_own_is_taken(tmp_path: Path, taken: int) -> None:
    server = start("play", "--no-browser", "--port", taken, "--data", tmp_path)
    assert f":{taken}/" not in server.address
    assert server.get("api/games")
    server.stop()


def test_serve_keeps_to_its_port(run: Command, tmp_path: Path, taken: int) -> None:
    run.fails("serve", "--port", taken, "--data", tmp_path, says="is taken; choose another with --port")
    run.fails("serve", "--host", "203.0.113.1", "--data", tmp_path, says="cannot serve on 203.0.113.1")


def test_no_trouble_with_the_data_passes_for_one_with_the_port(run: Command, tmp_path: Path, taken: int) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "matches.db").write_text("")
    for data, says in (("file", "a file is in its way"), ("empty", "is empty (0 bytes)"), ("file/x", "a file is in")):
        for how in (("serve",), ("play", "--no-browser")):
            run.fails(*how, "--port", taken, "--data", tmp_path / data, says=re.escape(says))


def test_a_second_server_hears_of_the_first_and_not_of_its_port(run: Command, tmp_path: Path) -> None:
    first = start("serve", "--port", 0, "--data", tmp_path)
    port = first.address.rstrip("/").rpartition(":")[2]
    run.fails("serve", "--port", port, "--data", tmp_path, says=f"already running at {first.address}")
    first.stop()


def test_a_database_that_cannot_be_used_is_refused_in_a_line(run: Command, tmp_path: Path) -> None:
    config = ServerConfig(data=tmp_path)
    Store(config.database).close()
    content = bytearray(config.database.read_bytes())
    content[100:4096] = b"\xa5" * 3996
    config.database.write_bytes(content)
    run.fails("play", "--no-browser", "--port", 0, "--data", tmp_path, says="damaged")
    run.fails("export", "--data", tmp_path, says="damaged")


# -- lessons -------------------------------------------------------------------------------------------


def test_lessons_are_listed_and_begun(run: Command, tmp_path: Path) -> None:
    listed = run("lessons")
    assert listed.code == 0
    assert "first_attack" in listed.out
    begun = run("lessons", "first_attack", "--data", tmp_path)
    assert begun.code == 0
    assert "Orsha" in begun.out
    assert "First attack" in run("export", "--data", tmp_path).out
    run.fails("lessons", "tea", says="no lesson 'tea'")
    run.fails("lessons", "winter", "--opponent", "nobody", "--data", tmp_path, says="nobody")


def test_the_history_of_the_war_is_told_with_sources(run: Command) -> None:
    told = run("history", "wir", "--scenario", "uranus")
    assert told.code == 0
    assert "November 1942 (turns 1 to 3)" in told.out and "Kalach" in told.out
    assert "Moscow to Stalingrad" in told.out and "(the accounts agree)" in told.out
    assert "January 1943" not in told.out, "the scenario ends before"
    assert "1 to 20 August 1941" in run("history").out
    run.fails("history", "wir", "--scenario", "tea", says="no scenario 'tea'")
    run.fails("history", "tea", says="no game 'tea'")


def test_bots_play_a_lesson(run: Command, tmp_path: Path) -> None:
    result = run("simulate", "-n", 2, "--lesson", "first_attack", "--saves", tmp_path)
    assert result.code == 0
    assert "goal" in result.out
    saves = sorted(tmp_path.iterdir())
    assert [path.name for path in saves] == ["portfolio-first_attack-1.jsonl", "portfolio-first_attack-2.jsonl"]
    assert run("replay", saves[0], "--quiet").code == 0
    run.fails("simulate", "--lesson", "winter", "--scenario", "june22", says="brings its own")


def test_a_save_keeps_no_command_of_a_program_that_played(run: Command, tmp_path: Path) -> None:
    outside = f"axis=external:{sys.executable} examples/bots/first.py"
    saves, data = tmp_path / "saves", tmp_path / "data"
    result = run("simulate", "-n", 1, "--lesson", "first_attack", "--player", outside, "--saves", saves)
    assert result.code == 0, result.err
    (path,) = saves.iterdir()
    assert "first.py" not in path.read_text()
    assert run("import", path, "--data", data).code == 0


# -- contests ------------------------------------------------------------------------------------------


def test_a_ladder_is_played_and_gone_on_with(run: Command, tmp_path: Path) -> None:
    results = tmp_path / "ladder.jsonl"
    line = ("ladder", "portfolio", "-p", "random", "-p", "greedy", "--lesson", "first_attack", "--results", results)
    first = run(*line, "-n", 1)
    assert first.code == 0
    assert "greedy" in first.out
    assert "Elo" in first.out
    before = results.read_text(encoding="utf-8")
    assert before.count("\n") == 3
    assert run(*line, "-n", 1).code == 0
    assert results.read_text(encoding="utf-8") == before
    assert run(*line, "-n", 2).code == 0
    assert results.read_text(encoding="utf-8").startswith(before)
    assert results.read_text(encoding="utf-8").count("\n") == 5
    run.fails(*line, "--bot-seconds", 3, says="another ladder")
    run.fails(*line, "--clock", "cpu", says="another ladder")
    told = run(*line, "-n", 2, "--markdown").out
    assert "| player | against | games | score | drawn | 95 % | as axis | as soviet |" in told
    assert re.search(r"^\| \w+ \| \w+ \| 4 \| \d+% \| \d \| \d+%-\d+% \| \d of 2 \| \d of 2 \|$", told, re.MULTILINE)


def test_what_a_ladder_refuses(run: Command) -> None:
    run.fails("ladder", "portfolio", "-p", "random", says="at least two")
    run.fails("ladder", "portfolio", "-p", "random", "-p", "nobody", says="no computer player 'nobody'")
    run.fails("ladder", "chess", says="no game 'chess'")
    with pytest.raises(CommandError, match="no exploits of duel"):
        exploit_names("duel")
    run.fails("ladder", "portfolio", "-p", "random", "-p", "greedy", "--clock", "sun", says="no clock 'sun'")
    outside = ("-p", "random", "-p", "external:cat", "--clock", "cpu")
    run.fails("ladder", "portfolio", *outside, says="processor time")


def test_a_balance_report_has_pictures_and_compares_edited_data(run: Command, tmp_path: Path) -> None:
    edited = tmp_path / "edited"
    edited.mkdir()
    folder = tmp_path / "report"
    line = ("balance", "portfolio", "june22", "-p", "random", "-n", 2, "--to", folder, "--data", edited)
    result = run(*line)
    assert result.code == 0, result.err
    report = (folder / "report.md").read_text(encoding="utf-8")
    for words in ("Who wins", "| shipped | soviet |", "| edited | soviet |", "22 June 1941", "The historical line"):
        assert words in report
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", report)
    assert len(pictures) >= 6
    assert all((folder / name).stat().st_size > 500 for name in pictures)
    rows = [row for row in report.splitlines() if row.startswith("| shipped | ")]
    assert [row.replace("shipped", "edited") for row in rows] == [
        row for row in report.splitlines() if row.startswith("| edited | ")
    ]
    games = (folder / "games-shipped.jsonl").read_text(encoding="utf-8")
    assert run(*line).code == 0
    assert (folder / "games-shipped.jsonl").read_text(encoding="utf-8") == games
    run.fails("balance", "portfolio", "june99", says="no scenario")
    run.fails("balance", "portfolio", "june22", "--clock", "sun", says="no clock 'sun'")


# -- files of others -----------------------------------------------------------------------------------


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
