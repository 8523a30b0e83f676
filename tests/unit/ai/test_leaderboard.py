"""A leaderboard takes a submission that is whole and true, and no other."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.contests.contest import play_contest
from rasputitsa.ai.contests.leaderboard import Board, Standing, SubmissionError, check, line_of, ranked
from rasputitsa.core.errors import SetupError

BOARD = Board("portfolio", "greedy", "plum", lesson="first_attack", games=8)
Lines = list[dict[str, Any]]


def submitted(board: Board, bot: str = "random", name: str = "a bot") -> Lines:
    """An honest submission."""
    return [{**board.header(), "name": name}, *(line_of(play_contest(job)) for job in board.jobs(bot))]


@pytest.fixture(scope="module")
def honest() -> str:
    return json.dumps(submitted(BOARD))


def checked(tmp_path: Path, lines: Lines, board: Board = BOARD) -> Standing:
    path = tmp_path / "submission.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return check(board, path)


def test_what_was_played_is_confirmed(honest: str, tmp_path: Path) -> None:
    lines = json.loads(honest)
    found = checked(tmp_path, lines)
    won = [line["winner"] == line["id"].partition("|")[2] for line in lines[1:]]
    assert (found.name, found.games, found.wins, found.faults) == ("a bot", 8, sum(won), 0)
    assert found.wins == sum(found.by_side.values())
    turned = checked(tmp_path, [lines[0], *reversed(lines[1:])])
    assert replace(turned, digest=found.digest) == found


def test_each_seed_is_played_with_both_sides() -> None:
    jobs = BOARD.jobs("random")
    assert [job.seed for job in jobs[::2]] == [job.seed for job in jobs[1::2]] == BOARD.seeds()
    assert {tuple(job.players.items()) for job in jobs} == {
        (("axis", "random"), ("soviet", "greedy")), (("soviet", "random"), ("axis", "greedy"))
    }  # fmt: skip
    assert len(set(BOARD.seeds())) == 4
    assert not set(BOARD.seeds()) & set(Board("portfolio", "greedy", "pear", lesson="first_attack", games=8).seeds())


def won_by(line: dict[str, Any]) -> str:
    return str(line["id"].partition("|")[2])


def turned(lines: Lines) -> None:
    """A game that was lost is called won."""
    lost = next(line for line in lines[1:] if line["winner"] != won_by(line))
    lost["winner"] = won_by(lost)


def shortened(lines: Lines) -> None:
    lines[2]["answers"].pop()


def prolonged(lines: Lines) -> None:
    lines[2]["answers"].append("done")


def renamed(lines: Lines) -> None:
    lines[1]["id"] = "9|axis"


def half_a_character(lines: Lines) -> None:
    lines[1]["id"] = "\ud800"


def half_a_character_twice(lines: Lines) -> None:
    lines[1]["id"] = lines[2]["id"] = "\ud800"


def half_an_answer(lines: Lines) -> None:
    lines[1]["answers"][0] = "to \ud800"


def repeated(lines: Lines) -> None:
    lines[2] = lines[4]


def chosen(lines: Lines) -> None:
    """The worst game is left away."""
    lines.pop(1)


def illegal(lines: Lines) -> None:
    lines[1]["answers"][0] = "to A1"


def nonsense(lines: Lines) -> None:
    lines[1]["answers"][0] = "x" * 1000


def other_seeds(lines: Lines) -> None:
    lines[0]["word"] = "apple"


def easier(lines: Lines) -> None:
    lines[0]["opponent"] = "random"


def earlier(lines: Lines) -> None:
    lines[0]["rules"] = "1-0123456789ab"


def nameless(lines: Lines) -> None:
    lines[0]["name"] = "a | b"


def excused(lines: Lines) -> None:
    """A game that was played to its end is called broken off."""
    lines[1]["fault"] = "crash"


def strange(lines: Lines) -> None:
    lines[1]["winner"] = "napoleon"


def not_a_list(lines: Lines) -> None:
    lines[1]["answers"] = "done"


def headless(lines: Lines) -> None:
    lines.pop(0)


@pytest.mark.parametrize(
    ("cheat", "says"),
    [
        (turned, r"played again, .*game \d\|\w+ was won by \w+, not by \w+"),
        (shortened, r"game 0\|soviet is cut short"),
        (prolonged, r"game 0\|soviet at answer \d+ of \d+ comes after the end"),
        (renamed, r"not asked for: 9\|axis"),
        (half_a_character, "not asked for: \ufffd$"),
        (half_a_character_twice, "game \ufffd is there twice"),
        (half_an_answer, r"game 0\|axis at answer 1 of \d+ \("),
        (repeated, r"line 5: game 1\|soviet is there twice"),
        (chosen, r"1 of 8 games are missing: 0\|axis"),
        (illegal, r"game 0\|axis at answer 1 of \d+ \("),
        (nonsense, r"game 0\|axis at answer 1 of \d+ \("),
        (other_seeds, r"word is 'apple'; this board asks for 'plum'"),
        (easier, r"opponent is 'random'; this board asks for 'greedy'"),
        (earlier, r"rules is '1-0123456789ab'; this board asks for"),
        (nameless, r"name is a text of at most 60"),
        (excused, r"game 0\|axis does not end in a fault"),
        (strange, r"line 2: winner or answers cannot be that"),
        (not_a_list, r"line 2: answers cannot be that"),
        (headless, r"this is no submission"),
    ],
)
def test_what_is_not_true_is_refused(cheat: Callable[[Lines], None], says: str, honest: str, tmp_path: Path) -> None:
    lines = json.loads(honest)
    cheat(lines)
    with pytest.raises(SubmissionError) as refused:
        checked(tmp_path, lines)
    assert re.search(says, str(refused.value)), refused.value
    assert str(refused.value).isprintable()


def test_a_bot_that_breaks_down_has_lost_that_game(tmp_path: Path) -> None:
    board = Board("portfolio", "greedy", "plum", lesson="first_attack", games=2)
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, sys\n"
        "print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'brittle'}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    if told['type'] == 'observe':\n"
        "        options, n = told['decision']['options'], told['id']\n"
        "        if n > 2:\n"
        "            sys.exit(1)\n"
        "    if told['type'] == 'go':\n"
        "        print(json.dumps({'type': 'bestaction', 'id': n, 'action': options[0]}), flush=True)\n",
        encoding="utf-8",
    )
    lines = submitted(board, f"external:{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
    assert [line["fault"] for line in lines[1:]] == ["crash", "crash"]
    assert [len(line["answers"]) for line in lines[1:]] == [2, 2]
    found = checked(tmp_path, lines, board)
    assert (found.wins, found.faults) == (0, 2)
    lines[1]["winner"] = "axis"
    with pytest.raises(SubmissionError, match=r"game 0\|axis was won by soviet, not by axis"):
        checked(tmp_path, lines, board)


def test_games_with_secrets_are_played_again_alike(tmp_path: Path) -> None:
    board = Board("wir", "greedy", "plum", lesson="first_attack", games=2)
    assert checked(tmp_path, submitted(board, "steady"), board).games == 2


def test_the_best_stand_first() -> None:
    def bot(name: str, wins: int, draws: int) -> Standing:
        return Standing(wins, draws, 10, name, 0, {}, "")

    assert [one.name for one in ranked([bot("c", 4, 0), bot("b", 5, 2), bot("a", 6, 0), bot("d", 9, 0)])] == [*"dabc"]


def test_a_board_has_two_sides_and_a_start_that_there_is() -> None:
    with pytest.raises(SetupError, match="no lesson 'nothing'"):
        Board("portfolio", "greedy", "plum", lesson="nothing").sides()
    with pytest.raises(SetupError, match="nothing"):
        Board("portfolio", "greedy", "plum", scenario="nothing").sides()
