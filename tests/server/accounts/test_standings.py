"""Ratings are honest: they find who is stronger, know which side is favored, and say how sure they are."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasputitsa.server.ratings import standings
from rasputitsa.server.ratings.standings import (
    MEAN,
    PROVISIONAL_SPREAD,
    SPREAD,
    Ratings,
    SideWorth,
    Standing,
    Standings,
)
from rasputitsa.server.store import Result
from rasputitsa.server.store.people.rated import GONE
from tests.support import PATIENCE


def result(number: int, first: str, second: str, score: float, scenario: str = "short") -> Result:
    return Result(number, "duel", scenario, first, second, score, 0)


def played(strengths: Sequence[float], games: int, seed: int, side: float = 0.0) -> list[Result]:
    """Results between people of these strengths, the first side having some points more."""
    dice = random.Random(seed)
    found = []
    for number in range(1, games + 1):
        one, other = dice.sample(range(len(strengths)), 2)
        ahead = strengths[one] + side - strengths[other]
        won = dice.random() < 1 / (1 + 10 ** (-ahead / 400))
        found.append(result(number, str(one), str(other), float(won)))
    return found


def counted(results: Sequence[Result]) -> Standings:
    standings = Standings()
    standings.count(results)
    return standings


@pytest.mark.parametrize("side", [0.0, 150.0])
def test_the_interval_holds_the_strength_about_as_often_as_it_says(side: float) -> None:
    held = games = 0
    for seed in range(20):
        dice = random.Random(1000 + seed)
        strengths = [dice.gauss(MEAN, 200) for _ in range(12)]
        middle = sum(strengths) / len(strengths)
        standings = counted(played(strengths, 300, seed, side))
        for number, strength in enumerate(strengths):
            known = standings.players[str(number)]
            games += 1
            held += known.low <= strength - middle + MEAN <= known.high
    assert 0.85 <= held / games <= 1.0


def test_it_finds_which_side_is_favored() -> None:
    found = [counted(played([MEAN] * 8, 600, seed, side=120.0)).sides["short"] for seed in range(8)]
    assert all(worth.games == 600 and worth.points > 2 * worth.spread for worth in found)
    assert abs(sum(worth.points for worth in found) / len(found) - 120) < 40


def test_winning_with_the_favored_side_tells_less() -> None:
    before = counted(played([MEAN] * 8, 600, 3, side=200.0))
    favored, other = Standings(sides=dict(before.sides)), Standings(sides=dict(before.sides))
    favored.count([result(1, "a", "b", 1.0)])
    other.count([result(1, "a", "b", 0.0)])
    assert other.players["b"].rating > favored.players["a"].rating + 20


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("efgh"), st.sampled_from([0.0, 0.5, 1.0]))))
def test_ratings_stay_within_reason_and_nobody_gets_less_sure_than_a_stranger(
    pairs: list[tuple[str, str, float]],
) -> None:
    results = [result(n, first, second, score) for n, (first, second, score) in enumerate(pairs, start=1)]
    standings = counted(results)
    assert sum(known.games for known in standings.players.values()) == 2 * len(results)
    for known in standings.players.values():
        assert 0 < known.rating < 3000 and 0 < known.spread <= SPREAD
    one_by_one = Standings()
    for found in results:
        one_by_one.count([found])
    assert one_by_one == standings, "it makes no difference when ratings were asked for"


def test_a_stranger_is_provisional_and_a_regular_is_not() -> None:
    assert (round(Standing().low), round(Standing().high)) == (814, 2186)
    assert (round(SideWorth(50, 10, 9).low), round(SideWorth(50, 10, 9).high)) == (30, 70)
    assert Standing().provisional
    assert not counted(played([MEAN] * 4, 200, 1)).players["0"].provisional


def test_a_regular_may_have_learned_since_and_is_never_quite_sure() -> None:
    pairs = [("a", "b"), ("b", "a")] * 150
    draws = [result(number, one, other, 0.5) for number, (one, other) in enumerate(pairs, start=1)]
    assert 40 < counted(draws).players["a"].spread < PROVISIONAL_SPREAD


def test_a_match_that_tells_nothing_leaves_a_stranger_as_unsure_as_before() -> None:
    standings = Standings({"weak": Standing(rating=MEAN - 5000, spread=10.0)})
    standings.count([result(1, "strange", "weak", 1.0)])
    assert standings.players["strange"].spread == SPREAD


def test_results_are_read_once() -> None:
    results, asked = played([MEAN, MEAN], 5, 1), list[int]()

    def after(game: str, number: int) -> list[Result]:
        asked.append(number)
        return [found for found in results if found.id > number]

    ratings = Ratings(after)
    assert ratings.of("duel").counted == 5 and ratings.of("duel").counted == 5
    assert asked == [0, 5]


def test_all_counts_again_when_somebody_who_was_counted_is_gone() -> None:
    lasting, asked = played([MEAN, MEAN], 5, 1), list[int]()
    results = lasting[:3]

    def after(game: str, number: int) -> list[Result]:
        asked.append(number)
        return [found for found in results if found.id > number]

    ratings = Ratings(after)
    assert set(ratings.of("duel").players) == {"0", "1"}
    gone = {"0": GONE + "0", "1": "1"}
    results = [replace(found, first=gone[found.first], second=gone[found.second]) for found in lasting]
    for found in (ratings.of("duel"), Ratings(after).of("duel")):
        assert found == counted(results) and set(found.players) == {GONE + "0", "1"}
    assert asked == [0, 3, 0, 0], "a player who was gone at the first count makes nothing count again"


def test_what_somebody_reads_does_not_change_while_others_play() -> None:
    results = played([MEAN, MEAN], 6, 1)
    known = results[:5]
    ratings = Ratings(lambda game, number: [found for found in known if found.id > number])
    before = ratings.of("duel")
    for _ in before.players:
        known = results
        assert ratings.of("duel").counted == 6
    assert before.counted == 5 and len(before.changes) == 5


def test_a_long_count_holds_up_nobody_who_knows_earlier_ratings_nor_another_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(standings, "PATIENCE", 0.01)
    results = played([MEAN, MEAN], 6, 1)
    asked, go_on = threading.Event(), threading.Event()

    def after(game: str, number: int) -> list[Result]:
        if game == "duel" and number:
            asked.set()
            assert go_on.wait(PATIENCE)
            return results[5:]
        return results[:5]

    ratings = Ratings(after)
    before = ratings.of("duel")
    with ThreadPoolExecutor(1) as other:
        counting = other.submit(ratings.of, "duel")
        assert asked.wait(PATIENCE)
        assert ratings.of("duel") is before and ratings.of("wir").counted == 5
        go_on.set()
        assert counting.result().counted == 6
