"""``baselines``: one command from nothing to the table."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.cli.command import Command


def test_a_table_of_lessons_is_played_and_gone_on_with(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    line = ("baselines", "portfolio", "--lesson", "first_attack", "--against", "steady", "--to", folder)
    told = run(*line, "-p", "greedy", "-n", 1).out
    assert re.search(r"^\| first_attack \| axis \| steady \| \d+% \(\d+% to \d+%\) \|$", told, re.MULTILINE)
    assert "1 games each, seeds from 1, 1 s of work a player-turn, data " in told
    results = folder / "portfolio.jsonl"
    before = results.read_text(encoding="utf-8")
    assert before.count("\n") == 2
    more = run(*line, "-p", "greedy", "-p", "random", "-n", 2).out
    assert results.read_text(encoding="utf-8").startswith(before) and "| greedy | random |" in more
    assert results.read_text(encoding="utf-8").count("\n") == 5
    assert (folder / "baselines.md").read_text(encoding="utf-8").strip() in more
    run.fails(*line, "--clock", "cpu", says="clock was 'work', not 'cpu'")


def test_what_baselines_refuse(run: Command, tmp_path: Path) -> None:
    to = ("--to", tmp_path / "none")
    run.fails("baselines", "chess", *to, says="no game 'chess'")
    run.fails("baselines", "-p", "nobody", *to, says="no computer player 'nobody'")
    run.fails("baselines", "wir", "--lesson", "nothing", *to, says="no lesson 'nothing' of wir")
    run.fails("baselines", "--clock", "sun", *to, says="no clock 'sun'")
    assert not (tmp_path / "none").exists()
    (tmp_path / "portfolio.jsonl").write_text('{"format": "rasputitsa-ladder"}\n', encoding="utf-8")
    run.fails("baselines", "portfolio", "--to", tmp_path, says="holds no results")
