"""What a side of War in Russia learns of the enemy from its own attacks."""

from __future__ import annotations

import random
from math import exp

import pytest

from rasputitsa.ai.wir.evaluation.estimate import AVERAGE as NO_NEWS
from rasputitsa.ai.wir.evaluation.estimate import ORDER_OF_BATTLE, Estimate
from rasputitsa.ai.wir.evaluation.opponent_model import USUAL_DOUBT, OpponentModel
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.evaluation.week_report import Sighting, WeekReport
from rasputitsa.ai.wir.planning.assault import EVEN, Assault, attack_policy_of
from rasputitsa.ai.wir.planning.simulation import Simulation
from rasputitsa.core.events import Event
from rasputitsa.wir.api import position
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.execution import combat, execution
from rasputitsa.wir.rules.turn.secrecy import GroupAppeared
from tests.unit.wir.board import GAME, board, change_what_is_hidden, h, inf, rifles
from tests.unit.wir.field import AVERAGE, play

NORTH = Plot(1, 0, ADVANCE).number
FOUR = ["1 INF 70 70 0"] * 4


def attack(*enemies: str, entrench: int = 0, plot: int = NORTH) -> State:
    """Four divisions south of some riflemen, about to attack them."""
    s = board({12: inf("1922", *FOUR), 80: rifles("1921", *enemies, entrench=entrench)})
    s.plot[12] = plot
    return s


def fought(s: State, losses: int = AVERAGE) -> tuple[State, list[Event]]:
    """The position after the week's execution, and what the Axis is told of it."""
    t, p = s.copy(), play(first=1, combat=losses, retreat=100, advance=100)
    execution.begin(t, p)
    t.turn += 1
    return t, [event for event in p.events if GAME.is_visible(t, event, "axis")]


def meeting(s: State, believed: float, works: float = 0.0) -> OpponentModel:
    """The Axis, that believes something of the riflemen."""
    beliefs = OpponentModel(AXIS)
    beliefs.start(GAME.view_of(s, "axis"))
    beliefs.guesses[80] = Estimate(h(s, "1921"), 4, believed, 45, 0, works, doubt=0.3)
    return beliefs


def power(s: State, group: int) -> float:
    return combat.strength(s, group) / combat.UNIT


def surprise(s: State, beliefs: OpponentModel, losses: int = AVERAGE) -> float:
    """How many times as strong as believed the report says that the riflemen were."""
    _, events = fought(s, losses)
    heard: list[Sighting] = []
    WeekReport(
        GAME.view_of(s, "axis"), AXIS, beliefs.guesses, lambda *_: Estimate(0, 0, 0, 0, 0, 0), heard.append
    ).read(events)
    (sighting,) = heard
    return exp(sighting.surprise)


@pytest.mark.parametrize("losses", [1, AVERAGE, 101])
@pytest.mark.parametrize(("believed", "entrench"), [(20.0, 0), (200.0, 0), (40.0, 3), (150.0, 5)])
def test_reported_odds_give_the_strength_of_the_enemy(believed: float, entrench: int, losses: int) -> None:
    """Whatever the dice did to the losses (7.10): the odds of the report are exact."""
    s = attack(*["1 RIFLE 90 45 0"] * 4, entrench=entrench)
    beliefs = meeting(s, believed, entrench)
    assert surprise(s, beliefs, losses) == pytest.approx(90 / believed, rel=0.15)


def test_who_is_attacked_learns_the_strength_of_the_attacker() -> None:
    s = board({12: inf("1922", *FOUR, entrench=2), 80: rifles("1921", *["1 RIFLE 90 45 0"] * 4)})
    s.plot[80] = Plot(4, 0, ADVANCE).number
    assert surprise(s, meeting(s, 30.0)) == pytest.approx(3.0, rel=0.1)


@pytest.mark.parametrize("believed", [30.0, 250.0])
def test_a_wrong_guess_is_mended_by_a_fight(believed: float) -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    beliefs, (t, events) = meeting(s, believed), fought(s)
    beliefs.take(GAME.view_of(s, "axis"), events, GAME.view_of(t, "axis"))
    assert beliefs.guesses[80].power() == pytest.approx(power(t, 80), rel=0.5)


def test_doubt_is_dispelled_by_a_fight_and_comes_back() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    beliefs = meeting(s, 60.0)
    t, events = fought(s)
    beliefs.take(GAME.view_of(s, "axis"), events, GAME.view_of(t, "axis"))
    fresh = beliefs.guesses[80].doubt
    assert fresh < 0.3
    low, high = beliefs.guesses[80].bounds(beliefs.common)
    assert low < power(t, 80) < high
    quiet = OpponentModel(AXIS)
    quiet.read(beliefs.to_json())
    quiet.guesses[80].doubt = 0.01
    for week in range(30):
        later = t.copy()
        later.turn += week + 1
        quiet.take(later, (), later)
    assert quiet.guesses[80].doubt == pytest.approx(USUAL_DOUBT, rel=0.1)


def test_nothing_hidden_of_the_enemy_has_a_part_in_beliefs() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    t, events = fought(s)
    found = []
    for changed in (False, True):
        before, after = s.copy(), t.copy()
        if changed:
            change_what_is_hidden(before)
            change_what_is_hidden(after)
        beliefs = meeting(before, 60.0)
        beliefs.take(GAME.view_of(before, "axis"), events, GAME.view_of(after, "axis"))
        found.append(beliefs.to_json())
    assert found[0] == found[1]


# ---------------------------------------------------------------------- decoys


def test_a_group_divided_from_another_adds_nothing() -> None:
    """4.3: what the new group has, the old one had before."""
    s = board({80: rifles("1921", *["1 RIFLE 90 45 0"] * 5)})
    beliefs = meeting(s, 90.0)
    before = beliefs.guesses[80].points()
    split = s.copy()
    split.place(81, h(s, "1921"))
    split.turn += 1
    beliefs.pool = 0.0
    beliefs.take(GAME.view_of(s, "axis"), [GroupAppeared(81, h(s, "1921"))], GAME.view_of(split, "axis"))
    assert beliefs.guesses[80].points() + beliefs.guesses[81].points() == pytest.approx(before, rel=0.15)


def test_six_decoys_of_ten_points_do_not_work() -> None:
    """Groups that appear in cities are believed to hold what the people bring forth, not five full corps each."""
    s = GAME.setup("case_blue_short", {})
    free = s.on_map(groups_of(SOVIET, INFANTRY))[:6]
    for group in free:
        s.dissolve(group)
    view = GAME.view_of(s, "axis")
    beliefs = OpponentModel(AXIS)
    beliefs.start(view)
    beliefs.pool = 300.0
    before = {group: guess.power() for group, guess in beliefs.guesses.items()}
    usual = sum(before.values()) / sum(power > 0 for power in before.values())
    t = s.copy()
    places = [city.hex for city in t.rules.map.cities if t.owner[city.number] == SOVIET and not t.at.get(city.hex)][:6]
    assert len(places) == 6
    for group, place in zip(free, places, strict=True):
        t.place(group, place)
    told = [GroupAppeared(group, t.hex[group]) for group in free]
    t.turn += 1
    beliefs.take(view, told, GAME.view_of(t, "axis"))
    decoys = [beliefs.guesses[group].power() for group in free]
    assert max(decoys) < 0.5 * usual
    assert sum(decoys) < 1.5 * usual
    low, _ = beliefs.guesses[free[0]].bounds(beliefs.common)
    assert low < 0.1 * usual, "it may be hardly anything"


def test_a_surprise_is_put_down_to_rest_first_and_to_no_more_than_there_can_be() -> None:
    tired = Estimate(0, 4, 60, 80, 60, 0)
    before = tired.power()
    tired.shift(0.5, 90, 6)
    assert tired.power() == pytest.approx(before * exp(0.5))
    assert tired.fatigue < 60
    small = Estimate(0, 4, 60, 40, 10, 0)
    small.shift(3.0, 75, 6)
    assert (small.units, small.strength, small.experience) == (6, 75, 95)
    smaller = Estimate(0, 4, 60, 40, 10, 0)
    smaller.shift(3.0, 75, 5)
    assert (smaller.units, smaller.strength, smaller.experience) == (5, 75, 95)


# ---------------------------------------------------------------------- hopeless attacks


def test_nobody_attacks_below_even_odds_however_little_is_at_stake() -> None:
    """A handful of men destroys a level of works (7.7); that is no reason to send them."""
    s = board({12: inf("1922", "1 INF 6 70 0"), 80: rifles("1921", *["1 RIFLE 90 70 0"] * 6, entrench=5)})
    assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    assert assault.weigh(h(s, "1921"), [(12, h(s, "1922"))], 0).odds < EVEN
    assault.plan()
    assert assault.plots == {}


def test_the_works_of_the_enemy_are_no_prize_in_a_rehearsal() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4, entrench=5)
    simulation = Simulation(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS), random.Random(1))
    razed = s.copy()
    razed.entrench[80] = 4
    assert simulation.judge(razed) == simulation.judge(s)


# ---------------------------------------------------------------------- the start of a scenario

EVENINGS = [info.id for info in GAME.scenarios() if position.OPENING in GAME.setup(info.id, {}).rules.scenario]


@pytest.mark.parametrize("side", [AXIS, SOVIET])
@pytest.mark.parametrize("scenario", EVENINGS)
def test_the_order_of_battle_of_an_evening_is_known(scenario: str, side: int) -> None:
    """EVENING.Start lays out groups of its own, which both sides read in the scenario."""
    s = GAME.setup(scenario, {})
    beliefs = OpponentModel(side)
    beliefs.start(GAME.view_of(s, SIDES[side]))
    enemies = s.on_map(groups_of(1 - side, MECHANIZED, INFANTRY))
    assert enemies
    for group in enemies:
        guess = beliefs.guesses[group]
        assert guess.source == ORDER_OF_BATTLE
        assert guess.entrenchment == s.entrench[group]
        assert guess.power() == pytest.approx(power(s, group), rel=0.1)


def test_a_group_that_has_moved_since_the_start_is_not_read_off_the_order_of_battle() -> None:
    """As in a position of its own that builds on an evening."""
    s = GAME.setup("kursk_south", {})
    moved = s.on_map(groups_of(SOVIET, MECHANIZED))[0]
    s.dissolve(moved)
    s.place(moved, h(s, "1310"))
    beliefs = OpponentModel(AXIS)
    beliefs.start(GAME.view_of(s, "axis"))
    assert beliefs.guesses[moved].source == NO_NEWS
