"""8.5, 8.11 Production, and the small dice helpers."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from rasputitsa.core import chance
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.ruleset import ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR_POOL,
    ART_POOL,
    CONSTRUCTION,
    FACTORIES,
    INF_POOL,
    POOLS,
    SUPPLY_POOL,
    VEH_POOL,
)
from rasputitsa.wir.model.theatre import AIRCRAFT, ARTILLERY, AXIS, INDUSTRY, POPULATION, SOVIET, SUPPLY, VEHICLE
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.end_of_turn.economy import (
    fails_chance,
    forecast,
    holdings,
    new_factories,
    produce,
    soviet_infantry,
)
from rasputitsa.wir.rules.turn.setup import initial_state
from tests.unit.wir.field import RULES, empty, kinds, noted, play, said

TABLE = RULES.sheet["production"]


def works(month: str, side: int = AXIS, **values: int) -> State:
    """A side with one city of these values and empty pools; the other side has nothing."""
    s = empty(month=month)
    for city in range(len(s.owner)):
        s.take_city(city, side)
        for row in s.values:
            row[city] = 0
    names = ("population", "industry", "vehicle", "artillery", "aircraft", "supply")
    for name, value in values.items():
        s.values[names.index(name)][3] = value
    s.pools = [[0] * len(POOLS), [0] * len(POOLS)]
    return s


@pytest.mark.parametrize(
    ("factory", "number", "pool", "points"),
    [
        ("vehicle", 5, VEH_POOL, 10), ("artillery", 10, ART_POOL, 10), ("aircraft", 20, AIR_POOL, 1),
        ("supply", 1, SUPPLY_POOL, 1), ("population", 10, INF_POOL, 10), ("industry", 10, CONSTRUCTION, 1),
    ],
)  # fmt: skip
def test_output(factory: str, number: int, pool: int, points: int) -> None:
    s = works("1941-07", **{factory: number})
    expected = [0] * len(POOLS)
    expected[pool] = points
    assert forecast(s, AXIS) == dict(zip(POOLS, expected, strict=True))
    p = play()
    produce(s, AXIS, p)
    assert s.pools[AXIS] == expected
    assert all(said(s, p))


def test_fractions_are_kept() -> None:
    s = works("1941-07", aircraft=30, industry=15)
    for week, (aircraft, construction) in enumerate([(1, 1), (3, 3), (4, 4), (6, 6)]):
        produce(s, AXIS, play())
        assert (s.pools[AXIS][AIR_POOL], s.pools[AXIS][CONSTRUCTION]) == (aircraft, construction), week


def test_pools_have_limits() -> None:
    assert RULES.limits.pools == (2550, 2550, 2550, 255, 255, 255, 255)
    s = works("1941-07", vehicle=200, artillery=200, aircraft=200, supply=200, population=200, industry=200)
    for _ in range(400):
        produce(s, AXIS, play())
    pools = s.pools[AXIS]
    assert [pools[n] for n in (INF_POOL, VEH_POOL, ART_POOL, AIR_POOL, SUPPLY_POOL)] == [2550, 2550, 2550, 255, 255]
    assert pools[FACTORIES] == 255
    assert pools[CONSTRUCTION] == 255


@pytest.mark.parametrize(
    ("month", "percent"),
    [
        ("1941-06", 333), ("1941-07", 333), ("1941-08", 83), ("1941-12", 83), ("1942-12", 83), ("1943-01", 67),
        ("1944-12", 67), ("1945-04", 67),
    ],
)  # fmt: skip
def test_soviet_infantry_by_month(month: str, percent: int) -> None:
    assert soviet_infantry(month, TABLE) == percent
    s = works(month, SOVIET, population=100)
    produce(s, SOVIET, play())
    assert s.pools[SOVIET][INF_POOL] == percent
    axis = works("1941-07", AXIS, population=100)
    produce(axis, AXIS, play())
    assert axis.pools[AXIS][INF_POOL] == 100


def test_the_reserves_are_four_times_the_normal_points_and_not_more() -> None:
    assert soviet_infantry("1941-07", TABLE) / soviet_infantry("1941-08", TABLE) == pytest.approx(4, abs=0.02)


def test_soviet_infantry_is_computed_on_the_sum() -> None:
    s = works("1943-05", SOVIET)
    for city in range(20):
        s.values[POPULATION][city] = 1
    produce(s, SOVIET, play())
    assert s.pools[SOVIET][INF_POOL] == 13  # 13.4, not 20 times 0


@pytest.mark.parametrize(("points", "built"), [(0, 0), (19, 0), (20, 1), (39, 1), (40, 2), (255, 12)])
def test_new_factories(points: int, built: int) -> None:
    assert new_factories(points, TABLE) == built
    s = works("1941-07")
    s.pools[AXIS][CONSTRUCTION] = points
    produce(s, AXIS, play())
    assert (s.pools[AXIS][FACTORIES], s.pools[AXIS][CONSTRUCTION]) == (built, points - 5 * built)


def test_construction_points_of_the_turn_count_for_its_factories() -> None:
    s = works("1941-07", industry=10)
    s.pools[AXIS][CONSTRUCTION] = 19
    assert forecast(s, AXIS)["factories"] == 1
    produce(s, AXIS, play())
    assert (s.pools[AXIS][FACTORIES], s.pools[AXIS][CONSTRUCTION]) == (1, 15)


@pytest.mark.parametrize(("year", "percent"), [(1941, 0), (1942, 0), (1943, 30), (1944, 50), (1945, 50)])
def test_axis_production_may_fail(year: int, percent: int) -> None:
    assert fails_chance(year, TABLE) == percent
    if not percent:
        return
    month = f"{year}-03"
    s = works(month, vehicle=5, supply=10)
    p = play(production=[percent * 100])
    produce(s, AXIS, p)
    assert s.pools[AXIS] == [0] * len(POOLS) and s.rest[AXIS] == [0] * len(POOLS)
    assert kinds(p) == ["no_production"] and all(said(s, p))
    produce(s, AXIS, play(production=[percent * 100 + 1]))
    assert s.pools[AXIS][VEH_POOL] == 10
    soviet = works(month, SOVIET, vehicle=5)
    produce(soviet, SOVIET, play())
    assert soviet.pools[SOVIET][VEH_POOL] == 10


def test_only_own_cities_produce() -> None:
    s = works("1941-07", vehicle=5)
    assert [holdings(s, side, VEHICLE) for side in (AXIS, SOVIET)] == [5, 0]
    s.take_city(3, SOVIET)
    assert [holdings(s, side, VEHICLE) for side in (AXIS, SOVIET)] == [0, 5]


def test_totals_of_the_scenarios() -> None:
    """The weekly output that the reconstruction of the cities gives."""
    s = initial_state(ruleset("barbarossa", {}, DATA))
    assert {name: forecast(s, AXIS)[name] for name in ("infantry", "vehicle", "artillery", "aircraft", "supply")} == {
        "infantry": 169, "vehicle": 94, "artillery": 118, "aircraft": 9, "supply": 165,
    }  # fmt: skip
    assert {name: forecast(s, SOVIET)[name] for name in ("infantry", "vehicle", "artillery", "aircraft", "supply")} == {
        "infantry": 1884, "vehicle": 186, "artillery": 242, "aircraft": 18, "supply": 181,
    }  # fmt: skip


def test_the_end_of_a_turn_produces_for_both_sides() -> None:
    s = initial_state(ruleset("barbarossa", {}, DATA))
    before = [row[:] for row in s.pools]
    p = Context(SeededDice(3))
    economy.end_of_turn(s, p)
    assert all(s.pools[side][VEH_POOL] > before[side][VEH_POOL] for side in (AXIS, SOVIET))
    told = {event.args[0]: event.args[1:] for event in noted(p, "production")}
    for side in (AXIS, SOVIET):
        gained = [s.pools[side][n] - before[side][n] for n in (INF_POOL, VEH_POOL, ART_POOL, AIR_POOL, FACTORIES)]
        assert list(told[side]) == gained
    assert any(line.startswith("Axis production: ") and " vehicle" in line for line in said(s, p))
    assert {POPULATION, INDUSTRY, VEHICLE, ARTILLERY, AIRCRAFT, SUPPLY} == set(range(6))


# ---------------------------------------------------------------------- dice


def test_percent_dice_are_exact_to_a_hundredth() -> None:
    assert chance.percent(play(x=[3750]), "x", 37.5)
    assert not chance.percent(play(x=[3751]), "x", 37.5)
    assert chance.percent(play(), "x", 100) and not chance.percent(play(), "x", 0)


def test_four_percent_dice_from_one_draw() -> None:
    drawn = 1 + (7 - 1) + (100 - 1) * 100 + (1 - 1) * 100**2 + (56 - 1) * 100**3
    assert chance.percents(play(x=[drawn, 42]), "x", 5) == [7, 100, 1, 56, 42]
    assert chance.percents(play(), "x", 0) == []


def test_number_of_successes_follows_the_binomial_distribution() -> None:
    trials, percent = 12, 10
    below = Fraction(0)
    for k in range(5):
        below += comb(trials, k) * Fraction(percent, 100) ** k * Fraction(100 - percent, 100) ** (trials - k)
        last = int(below * 1_000_000)
        assert chance.successes(play(x=[last]), "x", trials, percent) == k
        assert chance.successes(play(x=[last + 1]), "x", trials, percent) == k + 1
    assert chance.successes(play(), "x", 0, 10) == 0
    assert chance.successes(play(x=1_000_000), "x", 255, 10) > 25
    assert chance.between(play(x=[5]), "x", 8, 12) == 12
