"""8.9, 9 Automatic ends, points and levels of victory."""

from __future__ import annotations

import csv
import json
import re

import pytest

from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.ruleset import ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, POPULATION, SOVIET, SUPPLY
from rasputitsa.wir.rules.turn.setup import initial_state
from rasputitsa.wir.rules.victory import victory
from tests.unit.wir.field import RULES, empty, kinds, play, said


@pytest.mark.parametrize(
    ("difference", "level", "winner"),
    [
        (1000, "Soviet decisive", "soviet"), (5000, "Soviet decisive", "soviet"),
        (999, "Soviet substantive", "soviet"), (500, "Soviet substantive", "soviet"),
        (499, "Soviet marginal", "soviet"), (100, "Soviet marginal", "soviet"), (99, "Draw", None), (0, "Draw", None),
        (-99, "Draw", None), (-100, "Axis marginal", "axis"), (-499, "Axis marginal", "axis"),
        (-500, "Axis substantive", "axis"), (-999, "Axis substantive", "axis"), (-1000, "Axis decisive", "axis"),
        (-4000, "Axis decisive", "axis"),
    ],
)  # fmt: skip
def test_levels_of_victory(difference: int, level: str, winner: str | None) -> None:
    assert victory.level_of(difference, RULES.sheet["victory"]) == level
    assert victory.winner_of(difference, RULES.sheet["victory"]) == winner


def bare(scenario: str = "barbarossa", **options: str) -> State:
    """All cities Soviet and without people or supply."""
    s = empty(scenario, **options)
    for city in range(len(s.owner)):
        s.take_city(city, SOVIET)
        s.values[POPULATION][city] = s.values[SUPPLY][city] = 0
    return s


def test_points_for_people_supply_and_cities() -> None:
    s = bare()
    cities = sum(city.scores for city in s.rules.map.cities)
    kiev = s.rules.city("Kiev")
    s.take_city(kiev, AXIS)
    s.values[POPULATION][kiev], s.values[SUPPLY][kiev] = 7, 3
    s.months = 4
    assert victory.points_of(s, AXIS) == {
        "population": 7, "supply": 3, "cities": 20, "months": 200, "handicap": 0, "total": 230,
    }  # fmt: skip
    assert victory.points_of(s, SOVIET) == {
        "population": 0, "supply": 0, "cities": 20 * (cities - 1), "months": 0, "handicap": 150,
        "total": 20 * (cities - 1) + 150,
    }  # fmt: skip


def test_germany_and_the_urals_bring_nothing() -> None:
    s = bare()
    before = victory.points_of(s, AXIS)["total"]
    for name in ("Germany", "Urals"):
        city = s.rules.city(name)
        s.take_city(city, AXIS)
        s.values[POPULATION][city] = s.values[SUPPLY][city] = 100
    assert victory.points_of(s, AXIS)["total"] == before == 0


@pytest.mark.parametrize(
    ("scenario", "axis", "soviet"),
    [("barbarossa_short", 300, 0), ("case_blue_short", 0, 150), ("barbarossa", 0, 150), ("case_blue", 0, 150),
     ("zitadelle", 0, 150)],
)  # fmt: skip
def test_handicaps(scenario: str, axis: int, soviet: int) -> None:
    s = bare(scenario)
    assert [victory.points_of(s, side)["handicap"] for side in (AXIS, SOVIET)] == [axis, soviet]
    doubled = bare(scenario, handicap_doubled="yes")
    factor = 2 if scenario.endswith("short") else 1
    assert [victory.points_of(doubled, side)["handicap"] for side in (AXIS, SOVIET)] == [axis * factor, soviet * factor]


def test_short_games_double_the_points() -> None:
    s = bare("barbarossa_short")
    kiev = s.rules.city("Kiev")
    s.take_city(kiev, AXIS)
    s.values[POPULATION][kiev], s.values[SUPPLY][kiev] = 7, 3
    assert victory.points_of(s, AXIS) == {
        "population": 14, "supply": 6, "cities": 40, "months": 0, "handicap": 300, "total": 360,
    }  # fmt: skip


def test_a_tally_is_plain_data() -> None:
    s = initial_state(ruleset("case_blue", {}, DATA))
    found = victory.tally(s)
    json.dumps(found)
    assert found["difference"] == found["soviet"]["total"] - found["axis"]["total"]
    assert found["level"] == victory.level_of(found["difference"], RULES.sheet["victory"])


def conquests() -> list[tuple[str, str, int]]:
    """When each city changed hands in the war, from the notes of the city table."""
    rows = csv.DictReader((DATA / "cities.csv").read_text(encoding="utf-8").splitlines())
    return sorted(
        (day, row["name"], AXIS if who == "Axis" else SOVIET)
        for row in rows
        for who, day in re.findall(r"(Axis|Soviet) (\d{4}-\d\d-\d\d)", row["note"])
    )


@pytest.mark.parametrize(
    ("scenario", "until", "months", "difference"),
    [("barbarossa_short", "1942-03-29", 0, -44), ("case_blue_short", "1943-03-28", 3, 28),
     ("zitadelle", "1944-10-31", 22, 91)],
)  # fmt: skip
def test_the_war_as_it_went_is_a_draw(scenario: str, until: str, months: int, difference: int) -> None:
    s = initial_state(ruleset(scenario, {}, DATA))
    start = s.rules.start.isoformat()
    for day, name, side in conquests():
        if start <= day <= until:
            s.capture(s.rules.city(name), side)
    s.months = months
    assert victory.tally(s)["difference"] == difference
    assert victory.tally(s)["level"] == "Draw"


# ---------------------------------------------------------------------- ends


def hold(s: State, side: int, *names: str) -> None:
    for name in names:
        s.take_city(s.rules.city(name), side)


def test_the_axis_wins_at_once_with_three_cities() -> None:
    s = bare()
    hold(s, AXIS, "Riga", "Moscow", "Gorki")
    victory.check(s, play())
    assert s.outcome is None
    hold(s, AXIS, "Kuybyshev")
    p = play()
    victory.check(s, p)
    assert s.outcome is not None
    assert (s.outcome.winner, s.outcome.level, s.outcome.rule) == ("axis", "Axis decisive", "8.9")
    assert victory.ending(s) == s.outcome.reason == "the Axis holds Moscow, Gorki and Kuybyshev"
    assert all(said(s, p))


@pytest.mark.parametrize(
    ("held", "over"),
    [
        (("Riga", "Brest", "Konigsberg"), True), (("Riga", "Brest", "Bucharest"), True), (("Riga", "Brest"), False),
        (("Riga", "Konigsberg", "Bucharest"), False), (("Brest", "Konigsberg", "Bucharest"), False),
        (("Riga", "Brest", "Konigsberg", "Bucharest"), True),
    ],
)  # fmt: skip
def test_the_soviets_end_the_game_and_the_score_decides(held: tuple[str, ...], over: bool) -> None:
    s = bare()
    for city in range(len(s.owner)):
        s.take_city(city, AXIS)
    hold(s, SOVIET, "Moscow", *held)
    p = play()
    victory.check(s, p)
    assert (s.outcome is not None) == over
    if s.outcome:
        assert s.outcome.winner == "axis"  # by points: they hold nearly all cities
        assert s.outcome.rule == "8.9"
        assert victory.ending(s) == "the Soviets hold Riga, Brest, and Konigsberg or Bucharest"
        assert all(said(s, p))


def test_months_the_axis_survives() -> None:
    s = bare()
    hold(s, AXIS, "Riga")
    for turn in range(1, s.rules.turns + 1):
        s.turn = turn
        s.outcome = None
        victory.check(s, play())
    assert s.months == 28  # January 1943 to April 1945: the last month is not over


def test_the_first_months_that_count() -> None:
    s = bare()
    hold(s, AXIS, "Riga")
    counted = [s.rules.month(turn) for turn in range(1, s.rules.turns + 1) if victory.month_over(s.rules, turn)]
    assert counted[:3] == ["1943-01", "1943-02", "1943-03"]
    assert len(counted) == len(set(counted))


def test_short_case_blue_counts_three_months() -> None:
    rules = ruleset("case_blue_short", {}, DATA)
    assert sum(victory.month_over(rules, turn) for turn in range(1, rules.turns + 1)) == 3


def test_a_month_in_which_the_game_ends_by_conquest_is_not_survived() -> None:
    s = bare()
    s.turn = next(turn for turn in range(1, s.rules.turns) if victory.month_over(s.rules, turn))
    hold(s, AXIS, "Warsaw")
    victory.check(s, play())  # the Soviets hold all they need
    assert s.outcome is not None and s.months == 0


def test_the_last_turn_ends_the_game() -> None:
    s = bare("barbarossa_short")
    hold(s, AXIS, "Riga")
    s.turn = s.rules.turns - 1
    victory.check(s, play())
    assert s.outcome is None
    s.turn += 1
    p = play()
    victory.check(s, p)
    assert s.outcome is not None
    assert (s.outcome.winner, s.outcome.level) == ("soviet", "Soviet decisive")
    assert victory.ending(s) == "the last turn is over"
    assert kinds(p) == ["final_score"] and all(said(s, p))


def test_an_end_by_agreement() -> None:
    s = bare()
    victory.finish(s, play(), victory.BOTH_AGREED, "4.11")
    assert s.outcome is not None and s.outcome.rule == "4.11"
    assert s.outcome.reason.startswith("both players agreed to end the game; Soviet less Axis points: ")
    assert victory.ending(s) == "both players agreed to end the game"
