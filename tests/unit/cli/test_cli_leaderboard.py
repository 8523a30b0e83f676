"""``submit`` and ``leaderboard``: from a bot to a table, by two commands."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.command import Command

PLACE = ("--lesson", "first_attack", "-n", 2, "--word", "plum")


def test_submissions_become_a_table(run: Command, tmp_path: Path) -> None:
    files = []
    for player in ("random", "greedy"):
        files.append(tmp_path / f"{player}.jsonl")
        told = run("submit", "portfolio", "-p", player, "--name", f"My {player}", "--to", files[-1], *PLACE)
        assert told.code == 0 and "2 games against greedy" in told.out
    board = tmp_path / "board.md"
    told = run("leaderboard", "portfolio", *files, *PLACE, "--to", board)
    assert told.code == 0, told.err
    assert "portfolio, first_attack: 2 games against greedy, word 'plum', 10 s a player-turn" in told.out
    assert "| My random |" in told.out and "| My greedy |" in told.out and "| 2 | " in told.out
    assert board.read_text(encoding="utf-8").strip() == told.out.strip()


def test_the_others_stay_when_one_is_refused(run: Command, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    run("submit", "portfolio", "-p", "random", "--name", "good", "--to", good, *PLACE)
    bad.write_text("".join(good.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    told = run("leaderboard", "portfolio", bad, good, tmp_path / "none.jsonl", *PLACE)
    assert told.code == 1
    assert "1 of 2 games are missing: 0|soviet" in told.err and "there is no such file" in told.err
    assert "refused: 2 of 3" in told.err and "| 1 | good |" in told.out


def test_what_they_refuse(run: Command, tmp_path: Path) -> None:
    line = ("submit", "portfolio", "-p", "random", "--name", "x", "--to", tmp_path / "x.jsonl")
    run.fails(*line, "-n", 3, says="give an even number")
    run.fails(*line, "--lesson", "nothing", says="no lesson 'nothing'")
    run.fails(*line, "--scenario", "june22", "--lesson", "winter", says="a lesson brings its own scenario")
    run.fails(*line, "--against", "external:true", says="a computer player of the game")
    run.fails("submit", "chess", *line[2:], says="no game 'chess'")
    assert not (tmp_path / "x.jsonl").exists()
