"""What a side of War in Russia learns of the enemy from its own attacks."""

from __future__ import annotations

import random

import pytest

from rasputitsa.ai.wir.evaluation.engagements import Fight, fights
from rasputitsa.ai.wir.evaluation.opponent_model import Estimate, OpponentModel
from rasputitsa.ai.wir.evaluation.simulation import Simulation
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import EVEN, Assault, mood_of
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS
from rasputitsa.wir.rules.execution import combat, execution
from tests.unit.wir.board import board, h, inf, rifles
from tests.unit.wir.field import AVERAGE, play

NORTH = Plot(1, 0, ADVANCE).number
FOUR = ["1 INF 70 70 0"] * 4


def attack(*foes: str, entrench: int = 0, plot: int = NORTH) -> State:
    """Four divisions south of some riflemen, about to attack them."""
    s = board({12: inf("1922", *FOUR), 80: rifles("1921", *foes, entrench=entrench)})
    s.plot[12] = plot
    return s


def fought(s: State) -> State:
    """The position after the week's execution, with average dice in combat."""
    t = s.copy()
    execution.begin(t, play(first=1, combat=AVERAGE, retreat=100, advance=100))
    return t


def the_fight(s: State) -> Fight:
    (found,) = fights(s, AXIS)
    return found


@pytest.mark.parametrize("entrench", [0, 3, 5])
def test_own_losses_tell_how_strong_the_enemy_was(entrench: int) -> None:
    """10 % of the attackers at even odds, more against works (7.10)."""
    s = attack(*["1 RIFLE 90 45 0"] * 4, entrench=entrench)
    truth = combat.reckon(s, [12], h(s, "1921")).defence
    assert the_fight(s).defence(fought(s)) == pytest.approx(truth, rel=0.25)


def test_nothing_is_learnt_from_an_attack_that_was_not_made() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4, plot=NORTH)
    fight = the_fight(s)
    bombed = s.copy()
    for unit in bombed.crew[12]:
        bombed.strength[unit] -= 7
    assert fight.toll(bombed) == {} and fight.odds(bombed) == fight.defence(bombed) == 0


def test_a_group_driven_from_its_place_tells_nothing_of_those_it_was_to_attack() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    t = fought(s)
    t.place(12, h(s, "1923"))
    assert the_fight(s).toll(t) == {}


def test_losses_of_two_fights_count_half() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    once = fought(s)
    twice = once.copy()
    for unit in twice.crew[12]:
        twice.experience[unit] = s.rules.losses.lessons[0][twice.experience[unit]]
    fight = the_fight(s)
    assert fight.toll(twice)[12] == pytest.approx(fight.toll(once)[12] / 2)


@pytest.mark.parametrize(("believed", "stronger"), [(20.0, True), (250.0, False)])
def test_a_wrong_guess_is_mended_by_a_fight(believed: float, stronger: bool) -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4)
    beliefs = OpponentModel(AXIS)
    beliefs.update(s)
    beliefs.guesses[80] = Estimate(h(s, "1921"), 4, believed, 45, 0, 0)
    before, truth = beliefs.guesses[80].power(), combat.strength(s, 80) / combat.UNIT
    beliefs.fights = fights(s, AXIS)
    t = fought(s)
    t.turn += 1
    beliefs.update(t)
    after = beliefs.guesses[80].power()
    assert (after > before) is stronger
    assert abs(after - truth) < abs(before - truth)


def test_a_group_that_proved_stronger_is_less_weary_first_then_larger() -> None:
    tired = Estimate(0, 4, 60, 80, 60, 0)
    tired.scale(2.0, 90)
    assert [tired.units, tired.strength, tired.fatigue] == pytest.approx([4, 60, 20])
    small = Estimate(0, 4, 60, 80, 10, 0)
    small.scale(3.0, 75)
    assert [small.units, small.strength, small.fatigue] == pytest.approx([6, 75, 10])


# ---------------------------------------------------------------------- hopeless attacks


def test_nobody_attacks_below_even_odds_however_little_is_at_stake() -> None:
    """A handful of men destroys a level of works (7.7); that is no reason to send them."""
    s = board({12: inf("1922", "1 INF 6 70 0"), 80: rifles("1921", *["1 RIFLE 90 70 0"] * 6, entrench=5)})
    assault = Assault(s, AXIS, Situation(s, AXIS), mood_of(s, AXIS))
    assert assault.weigh(h(s, "1921"), [(12, h(s, "1922"))], 0).odds < EVEN
    assault.plan()
    assert assault.plots == {}


def test_the_works_of_the_enemy_are_no_prize_in_a_rehearsal() -> None:
    s = attack(*["1 RIFLE 90 45 0"] * 4, entrench=5)
    rehearsal = Simulation(s, AXIS, Situation(s, AXIS), mood_of(s, AXIS), random.Random(1))
    razed = s.copy()
    razed.entrench[80] = 4
    assert rehearsal.judge(razed) == rehearsal.judge(s)
