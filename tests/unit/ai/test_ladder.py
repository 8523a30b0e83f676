"""Contests, ladders and ratings."""

from __future__ import annotations

import json
import math
import os
import random
import shlex
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from rasputitsa.ai.contests.contest import Job, play_contest
from rasputitsa.ai.contests.ladder import Ladder, LadderError, Record, Results, pairings, side_wins, standings
from rasputitsa.ai.contests.ratings import Meeting, rate, wilson
from rasputitsa.ai.contests.workers import ClusterError, play_all
from rasputitsa.ai.players import TIMERS
from rasputitsa.core.errors import RasputitsaError, SetupError
from rasputitsa.core.registry import game_with_data

PYTHON = shlex.quote(sys.executable)
SIDES = ("axis", "soviet")


def job(axis: str = "random", soviet: str = "random", **more: Any) -> Job:
    return Job("x", "portfolio", {"axis": axis, "soviet": soviet}, 1, lesson="first_attack", **more)


def script(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text, encoding="utf-8")
    return f"external:{PYTHON} {path}"


# ---------------------------------------------------------------- one game


def test_a_game_is_played_and_counted() -> None:
    played = play_contest(job())
    assert (played.winner, played.level) == ("soviet", "goal")
    assert played.ending == "the goal was not reached" and played.reason.startswith(played.ending)
    assert played.player_turns["axis"] == 1
    assert played.decisions > 2
    assert not played.fault
    assert json.loads(json.dumps(played.to_json())) == played.to_json()


def test_thinking_time_can_be_counted_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    from rasputitsa.ai.random_player import RandomPlayer

    left: list[float] = []
    passed = {"wall": 0.0, "cpu": 0.0}
    assert {"wall": time.monotonic, "cpu": time.process_time} == TIMERS
    for kind in passed:
        monkeypatch.setitem(cast("dict[str, Any]", TIMERS), kind, partial(passed.__getitem__, kind))

    def sleepy(self: Any, state: Any, decision: Any, clock: Any) -> Any:
        if not left:
            passed["wall"] += 0.5  # the processor rests meanwhile
        left.append(clock.left())
        return decision.options[-1]

    monkeypatch.setattr(RandomPlayer, "choose", sleepy)
    slept = play_contest(job(clock="wall", seconds=0.4))
    assert left[0] == 0.0
    assert sum(slept.seconds.values()) == 0.5
    left.clear()
    rested = play_contest(job(clock="cpu", seconds=0.4))
    assert left[0] == 0.4
    assert sum(rested.seconds.values()) == 0.0


@pytest.mark.parametrize("clock", ["cpu", "work"])
def test_what_is_outside_this_process_has_no_processor_time_here(clock: str) -> None:
    with pytest.raises(SetupError, match="processor time"):
        play_contest(job(axis="external:cat", clock=clock))


def test_work_is_counted_through_a_whole_player_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    from rasputitsa.ai.random_player import RandomPlayer

    left: list[tuple[str, float]] = []

    def patient(self: Any, state: Any, decision: Any, clock: Any) -> Any:
        left.append((decision.side, clock.left()))
        time.sleep(0.002)
        return decision.options[0]

    monkeypatch.setattr(RandomPlayer, "choose", patient)
    played = play_contest(job(clock="work", seconds=0.01))
    own = [seconds for side, seconds in left if side == "axis"]
    assert played.player_turns["axis"] == 1 and own[:4] == [0.005, 0.0, 0.0, 0.0], "two looks, however long they take"
    assert not any(played.overruns.values())


def test_a_ladder_by_another_clock_is_another_ladder(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    by_wall = Ladder("portfolio", ("random", "greedy"), 1).header()
    Results(path, {key: value for key, value in by_wall.items() if key != "clock"}, SIDES).close()
    Results(path, by_wall, SIDES).close()
    with pytest.raises(LadderError, match="clock"):
        Results(path, Ladder("portfolio", ("random", "greedy"), 1, clock="cpu").header(), SIDES)


def test_the_same_job_gives_the_same_game() -> None:
    def told() -> tuple[Any, ...]:
        played = play_contest(job(samples=True))
        return played.winner, played.reason, played.decisions, played.samples

    assert told() == told()


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("raise SystemExit('no')", "crash"),
        ("import time; time.sleep(9)", "timeout"),
        ("print('good morning', flush=True)", "protocol"),
    ],
)
def test_a_bot_that_fails_forfeits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, fault: str) -> None:
    monkeypatch.setattr("rasputitsa.ai.external.HELLO_SECONDS", 0.6 if fault == "timeout" else 30.0)
    played = play_contest(job(axis=script(tmp_path, body)))
    assert (played.winner, played.level) == ("soviet", "forfeit")
    assert (played.fault, played.forfeited) == (fault, "axis")


def test_a_player_that_breaks_or_cheats_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    from rasputitsa.ai.random_player import RandomPlayer

    with monkeypatch.context() as patch:
        patch.setattr(RandomPlayer, "choose", lambda *args: 1 / 0)
        assert play_contest(job()).fault == "error"
    with monkeypatch.context() as patch:
        patch.setattr(RandomPlayer, "choose", lambda *args: ("dance", ()))
        played = play_contest(job())
        assert (played.fault, played.forfeited, played.winner) == ("illegal", "axis", "soviet")


def test_an_overrun_is_counted_once_a_player_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasputitsa.ai.contests.contest.OVERRUN_SECONDS", 0.0)
    played = play_contest(job(seconds=0.0))
    assert played.overruns["axis"] == played.player_turns["axis"] == 1
    assert played.slowest["axis"] <= played.seconds["axis"] + 0.001


def test_samples_tell_the_course_of_a_game() -> None:
    played = play_contest(Job("x", "portfolio", {"axis": "random", "soviet": "random"}, 3, "june22", samples=True))
    first = played.samples[0]
    assert first["turn"] == 1
    assert first["points"] == 0
    assert set(first["strength"]) == set(first["unsupplied"]) == set(SIDES)
    assert first["standing"]["axis"] > 30
    assert "Q1" in first["control"]["axis"]
    turns = [sample["turn"] for sample in played.samples]
    assert turns == sorted(turns)


# ---------------------------------------------------------------- many games


def test_games_in_processes_are_the_games_at_home() -> None:
    jobs = Ladder("portfolio", ("random", "greedy"), 2, lesson="first_attack").jobs()
    home = {played.id: (played.winner, played.decisions) for played in play_all(jobs)}
    abroad = {played.id: (played.winner, played.decisions) for played in play_all(jobs, processes=2)}
    assert home == abroad
    assert len(home) == 4


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    once = tmp_path / "died"
    killer = script(
        tmp_path,
        f"import os, pathlib, signal\np = pathlib.Path({str(once)!r})\n"
        "if not p.exists():\n    p.touch()\n    os.kill(os.getppid(), signal.SIGKILL)\n",
    )
    jobs = [job(axis=killer)]
    (played,) = play_all(jobs, processes=2)
    assert once.exists()
    assert played.fault == "crash"  # the second time the bot merely ends


def test_a_game_that_kills_every_process_is_given_up(tmp_path: Path) -> None:
    killer = script(tmp_path, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    with pytest.raises(RasputitsaError, match="died 3 times"):
        list(play_all([job(axis=killer)], processes=2))


def test_without_ray_a_cluster_is_refused_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"rasputitsa\[cluster\]"):
        list(play_all([job()], cluster="auto"))


def test_a_cluster_plays_the_same_games() -> None:
    """Also when there are more of them than it plays at a time."""
    jobs = Ladder("portfolio", ("random", "greedy"), 10, lesson="first_attack").jobs()
    assert len(jobs) > 2 * (os.cpu_count() or 1)
    home = {played.id: (played.winner, played.decisions) for played in play_all(jobs)}
    assert {played.id: (played.winner, played.decisions) for played in play_all(jobs, cluster="local")} == home


# ---------------------------------------------------------------- the ladder


def test_every_pairing_is_played_with_either_side_on_the_same_seeds() -> None:
    plan = Ladder("portfolio", ("a", "b", "c"), 2, seed=5)
    jobs = plan.jobs()
    assert len(jobs) == len({job.id for job in jobs}) == 12
    assert {job.seed for job in jobs} == {5, 6}
    met = [(job.players["axis"], job.players["soviet"]) for job in jobs if job.seed == 5]
    assert sorted(met) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")]


def test_results_are_gone_on_with(tmp_path: Path) -> None:
    plan = Ladder("portfolio", ("random", "greedy"), 1, lesson="first_attack")
    path = tmp_path / "results.jsonl"
    jobs = plan.jobs()
    file = Results(path, plan.header(), SIDES)
    file.add(play_contest(jobs[0]))
    file.close()
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + '{"id": "cut sho', encoding="utf-8")
    again = Results(path, plan.header(), SIDES)
    assert again.ids() == {jobs[0].id}
    again.add(play_contest(jobs[1]))
    again.close()
    assert Results(path, plan.header(), SIDES).ids() == {job.id for job in jobs}
    assert path.read_text(encoding="utf-8").startswith(whole)


def test_results_of_another_ladder_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Results(path, Ladder("portfolio", ("random", "greedy"), 1).header(), SIDES).close()
    with pytest.raises(LadderError, match="seconds was 10"):
        Results(path, Ladder("portfolio", ("random", "greedy"), 1, seconds=3.0).header(), SIDES)
    more = Ladder("portfolio", ("random", "greedy", "planner"), 9)
    Results(path, more.header(), SIDES).close()  # more players and games are no other ladder
    path.write_text('{"format": "rasputitsa-game"}\n', encoding="utf-8")
    with pytest.raises(LadderError, match="no results"):
        Results(path, more.header(), SIDES)


def line(first: str, second: str, winner: str | None, **more: Any) -> dict[str, Any]:
    even = dict.fromkeys(SIDES, 1)
    return {
        "players": dict(zip(SIDES, (first, second), strict=True)), "winner": winner, "fault": "", "forfeited": "",
        "seconds": {"axis": 4.0, "soviet": 2.0}, "player_turns": {"axis": 2, "soviet": 4}, "slowest": even,
        "overruns": even, **more,
    }  # fmt: skip


def test_the_table_counts_what_happened() -> None:
    games = [
        line("a", "b", "axis"), line("b", "a", "soviet"), line("a", "b", "axis"),
        line("b", "a", "soviet", fault="crash", forfeited="axis"), line("a", "b", "soviet"),
    ]  # fmt: skip
    (best, worst), ratings = standings(games, SIDES, rounds=20)
    assert (best.player, worst.player) == ("a", "b")
    assert best.record == Record(4, 0, 5, {"axis": (2, 3), "soviet": (2, 2)})
    assert best.overruns == 5
    assert best.turn_seconds == pytest.approx((3 * 4.0 + 2 * 2.0) / (3 * 2 + 2 * 4))
    assert worst.faults == {"crash": 1}
    assert best.low <= best.elo <= best.high
    assert set(ratings.players) == {"a", "b"}
    wins = side_wins(games)
    assert {side: won for side, (won, _, _) in wins.items()} == {"axis": 2, "soviet": 3}


def test_each_pair_is_reported_by_itself() -> None:
    games = [line("a", "b", "axis"), line("b", "a", "soviet"), line("a", "b", "soviet"), line("c", "a", "axis")]
    found = {(p.player, p.opponent): p for p in pairings(games, SIDES, ["c", "a", "b"])}
    assert list(found) == [("c", "a"), ("a", "b")]
    pair = found["a", "b"]
    assert pair.record == Record(2, 0, 3, {"axis": (1, 2), "soviet": (1, 1)})
    low, high = pair.record.interval
    assert 0 < low < 2 / 3 < high < 1


def test_a_draw_is_half_a_game() -> None:
    games = [line("a", "b", "axis"), line("b", "a", None), line("a", "b", None), line("b", "a", "soviet")]
    (pair,) = pairings(games, SIDES, ["a", "b"])
    assert (pair.record.games, pair.record.wins, pair.record.draws, pair.record.score) == (4, 2, 2, 0.75)
    (best, _), _ = standings(games, SIDES, rounds=20)
    assert best.player == "a" and best.record.score == 0.75
    low, high = pair.record.interval
    assert low < 0.75 < high


@pytest.mark.parametrize(("won", "drawn", "lost"), [(12, 8, 4), (3, 30, 3), (30, 9, 1), (15, 2, 15)])
def test_intervals_of_scores_hold_the_truth_at_least_as_often_as_they_say(won: int, drawn: int, lost: int) -> None:
    """Drawn again many times, with the chances of each result known; without draws it is Wilson's interval."""
    dice, results = random.Random(5), [1.0] * won + [0.5] * drawn + [0.0] * lost
    games, truth, held = len(results), sum(results) / len(results), 0
    for _ in range(2000):
        again = dice.choices(results, k=games)
        low, high = wilson(again.count(1.0), games, again.count(0.5))
        held += low <= truth <= high
    assert held / 2000 > 0.93
    low, high = wilson(won, games, drawn)
    assert high - low < 1.02 * (wilson(round(games * truth), games)[1] - wilson(round(games * truth), games)[0])


# ---------------------------------------------------------------- ratings


def test_a_known_difference_is_found_again() -> None:
    dice = random.Random(1)
    strength = {"a": 200.0, "b": 0.0, "c": -200.0}
    edge = 100.0
    games = []
    for _ in range(600):
        for first in strength:
            for second in strength:
                if first != second:
                    chance = 1 / (1 + 10 ** ((strength[second] - strength[first] - edge) / 400))
                    games.append(Meeting(first, second, float(dice.random() < chance)))
    table = rate(games, rounds=60)
    for name, elo in strength.items():
        assert table.players[name].elo == pytest.approx(1500 + elo, abs=30)
        assert table.players[name].low - 12 < 1500 + elo < table.players[name].high + 12
        assert table.players[name].high - table.players[name].low < 80
    assert table.advantage.elo == pytest.approx(edge, abs=30)


def test_two_players_have_the_elo_of_their_score() -> None:
    games = [Meeting("a", "b", 1.0)] * 300 + [Meeting("a", "b", 0.0)] * 100
    games += [Meeting("b", "a", 0.0)] * 300 + [Meeting("b", "a", 1.0)] * 100
    table = rate(games, rounds=10)
    assert table.players["a"].elo - table.players["b"].elo == pytest.approx(400 * math.log10(3), abs=2)
    assert table.advantage.elo == pytest.approx(0, abs=1)


def test_a_player_that_never_lost_is_finite_and_uncertain() -> None:
    table = rate([Meeting("a", "b", 1.0), Meeting("b", "a", 0.0)] * 5)
    assert 1500 < table.players["a"].elo < 2200
    assert table.players["a"].high - table.players["a"].low > 200


def test_more_games_make_narrower_intervals_and_the_same_games_the_same_table() -> None:
    few = [Meeting("a", "b", 1.0)] * 6 + [Meeting("a", "b", 0.0)] * 4 + [Meeting("b", "a", 0.5)] * 10
    wide, narrow = (rate(games).players["a"] for games in (few, few * 20))
    assert narrow.high - narrow.low < (wide.high - wide.low) / 3
    assert rate(few) == rate(few)


# ---------------------------------------------------------------- edited data


def test_games_with_edited_data(tmp_path: Path) -> None:
    from rasputitsa.portfolio.model.data_folder import DATA

    text = (DATA / "lessons" / "first_attack.toml").read_text(encoding="utf-8")
    (tmp_path / "lessons").mkdir()
    edited = text.replace("Q12 soviet", "").replace('hold = ["Q12"]', 'hold = ["Q10"]')
    (tmp_path / "lessons" / "first_attack.toml").write_text(edited, encoding="utf-8")
    assert play_contest(job()).winner == "soviet"
    assert play_contest(job(data=str(tmp_path))).winner == "axis"
    with pytest.raises(SetupError, match="no data folder"):
        play_contest(job(data=str(tmp_path / "nowhere")))


def test_a_game_without_data_files_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Other:
        pass

    monkeypatch.setattr("rasputitsa.core.registry.get_game", lambda name: Other())
    with pytest.raises(SetupError, match="cannot be played with edited data"):
        game_with_data("other", tmp_path)
