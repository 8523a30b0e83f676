"""``ladder`` and ``balance``: what they print, keep and refuse."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rasputitsa.ai.contests import workers
from rasputitsa.ai.contests.contest import play_contest
from rasputitsa.cli.console import CommandError
from rasputitsa.cli.contests import exploit_names
from rasputitsa.wir.api.validate import DATA_DIR as WIR_DATA
from tests.unit.cli.command import Command


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


@pytest.mark.parametrize(
    ("contest", "to"),
    [
        (("ladder", "portfolio", "--lesson", "first_attack", "-p", "random", "-p", "greedy"), "--results"),
        (("baselines", "portfolio", "--lesson", "first_attack", "--against", "steady", "-p", "greedy"), "--to"),
    ],
)
def test_fewer_games_than_asked_for_are_reported(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contest: tuple[str, ...], to: str
) -> None:
    """Also where the file holds more games, which were asked for another time."""
    line = (*contest, to, tmp_path / "kept")
    assert "only" not in run(*line, "-p", "steady", "-n", 2).err
    monkeypatch.setattr(workers, "play_all", lambda jobs, *_: map(play_contest, jobs[:-1]))
    asked = 10 if contest[0] == "ladder" else 5
    assert f"only {asked - 1} of {asked} games were played" in run(*line, "-n", 5).err


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
