"""Baselines: players in the learner's seat of the lessons, counted, and the same on every machine."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.contests.baselines import Baselines
from rasputitsa.ai.contests.contest import play_contest
from rasputitsa.ai.contests.ladder import LadderError
from rasputitsa.core.registry import get_game

PLAN = Baselines("portfolio", ("steady", "greedy"), ("random",), 2, lessons=("winter",))


def game(player: str, seed: int, winner: str | None, **more: Any) -> dict[str, Any]:
    return {
        "id": f"winter|{player}|random|{seed}", "winner": winner, "forfeited": "",
        "seconds": {"soviet": 3.0, "axis": 90.0}, "player_turns": {"soviet": 2, "axis": 1}, **more,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["portfolio", "wir"])
def test_the_learner_sits_where_the_lesson_has_its_goal(name: str) -> None:
    plan = Baselines(name, ("greedy",), ("steady", "planner"), 3, seed=5)
    jobs = plan.jobs()
    lessons = get_game(name).lessons()
    assert list(jobs) == [(lesson.id, o, "greedy") for lesson in lessons for o in ("steady", "planner")]
    for (lesson, opponent, _), made in jobs.items():
        seat = next(info.seat for info in lessons if info.id == lesson)
        assert [job.seed for job in made] == [5, 6, 7]
        for job in made:
            assert job.lesson == lesson and job.players[seat] == "greedy"
            assert set(job.players.values()) == {"greedy", opponent}
    ids = [job.id for made in jobs.values() for job in made]
    assert len(set(ids)) == len(ids) == 3 * len(jobs)


def test_games_are_counted_for_the_learner() -> None:
    played = [
        game("greedy", 1, "soviet"), game("greedy", 2, None), game("greedy", 3, "soviet"),
        game("steady", 1, "axis", forfeited="soviet"),
    ]  # fmt: skip
    cells = PLAN.cells(played)
    greedy, steady = cells["winter", "random", "greedy"], cells["winter", "random", "steady"]
    assert (greedy.wins, greedy.draws, greedy.games, greedy.score) == (1, 1, 2, 0.75), "seed 3 is not in the plan"
    assert greedy.turn_seconds == 1.5
    assert (steady.score, steady.forfeits) == (0.0, 1)
    assert greedy.interval[0] < 0.75 < greedy.interval[1]
    assert PLAN.cells([]) == {}


def test_the_same_game_is_played_whatever_the_machine_does() -> None:
    plan = replace(PLAN, players=("planner",), against=("greedy",), games=1)
    [[job]] = plan.jobs().values()
    first, second = play_contest(job), play_contest(job)
    for result in (first, second):
        result.seconds, result.slowest = {}, {}
    assert first == second
    assert not any(first.overruns.values())


def test_the_published_table_has_every_lesson() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "baselines.md").read_text(encoding="utf-8")
    for name in ("portfolio", "wir"):
        game = get_game(name)
        own = text.split(f"## {game.title}\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (\w+) \| (\w+) \| (\w+) \|(?: \d+% \(\d+% to \d+%\) \|){4}$", own, re.MULTILINE)
        assert rows == [(i.id, i.seat, other) for i in game.lessons() for other in ("steady", "greedy", "planner")]


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(LadderError, match=r"no lesson 'nothing' of portfolio; known: first_attack"):
        replace(PLAN, lessons=("winter", "nothing")).seats()
