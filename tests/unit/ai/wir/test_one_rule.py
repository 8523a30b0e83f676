"""What the players of War in Russia count with is what the rules say: strengths, guns, entrenchments, ways out."""

from __future__ import annotations

import pytest

from rasputitsa.ai.wir.evaluation.estimate import Estimate
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.evaluation.week_report import WeekReport
from rasputitsa.ai.wir.planning.assault import Assault, Attack, attack_policy_of
from rasputitsa.ai.wir.planning.line import Line, LinePolicy, Post
from rasputitsa.core.events import Event
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS
from rasputitsa.wir.rules.execution import casualties, combat
from rasputitsa.wir.rules.execution.casualties import GunsHit
from rasputitsa.wir.rules.execution.combat import Fought
from tests.unit.wir.board import base, board, h, inf, rifles, tanks


def line_of(s: State) -> Line:
    """The line of the Axis."""
    return Line(s, AXIS, Situation(s, AXIS), LinePolicy())


def assault_of(s: State) -> Assault:
    """The attacks of the Axis."""
    return Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))


def told(s: State, event: Event, guesses: dict[Group, Estimate]) -> State:
    """What the Axis makes of a report."""
    mirror = s.copy()
    WeekReport(mirror, AXIS, guesses, lambda *_: Estimate(0, 0, 0, 0, 0, 0), lambda _: None).read([event])
    return mirror


# ---------------------------------------------------------------------- strengths and guns


@pytest.mark.parametrize(("weather", "shelter"), [("clear", 2.0), ("cold", 1.0)])
def test_attacks_out_of_a_swamp_are_weaker_unless_it_is_frozen(weather: str, shelter: float) -> None:
    """8.3: what comes out of 0818, a swamp, is divided as what goes into one is."""
    s = board({80: rifles("0818"), 12: inf("0918")}, weather=weather)
    assert line_of(s).shelter(h(s, "0918")) == shelter


def odds(start: str, segment: int, artillery: int) -> float:
    """The odds that a panzer group at 1922, with artillery points, expects in an attack from some hex."""
    s = board({1: tanks("1922", artillery=artillery), 80: rifles("2021", *["1 RIFLE 90 40 0"] * 4)})
    return assault_of(s).weigh(h(s, "2021"), [(1, h(s, start))], segment).odds


def test_guns_fire_where_they_stand() -> None:
    """8.10: a group that moves leaves its guns behind, be it for an attack of this week or the next."""
    assert odds("2022", 0, 200) == odds("2022", 0, 0)
    assert odds("2022", 1, 200) == odds("2022", 1, 0)
    assert odds("1922", 0, 200) > odds("1922", 0, 0)


def test_guns_fire_after_a_pause_as_well() -> None:
    assert odds("1922", 1, 200) == odds("1922", 0, 200)


# ---------------------------------------------------------------------- entrenchments


@pytest.mark.parametrize("strength", [4.000001, 2.0, 6.5])
def test_a_first_attack_leaves_the_entrenchments_that_the_rules_leave(strength: float) -> None:
    s = board({12: inf("1922"), 80: rifles("1921", entrench=5)})
    assault = assault_of(s)
    after = assault._aftermath(Attack(h(s, "1921"), 0, [12], 0.0, 0.0, strength, 0.0))
    assert assault.entrenchment(80, after) == casualties.entrenchment_left(5, strength, s.rules.entrenchment)


@pytest.mark.parametrize(("thousandths", "left"), [(1500, 4), (6000, 2), (8000, 1), (8010, 0)])
def test_a_report_leaves_own_entrenchments_as_the_rules_do(thousandths: int, left: int) -> None:
    s = board({12: inf("1922", entrench=5), 80: rifles("1921")})
    fought = Fought(h(s, "1922"), (80,), thousandths, (12,), 10, 100)
    assert told(s, fought, {}).entrench[12] == left


def test_bombs_wreck_the_aircraft_on_a_field_that_the_report_stands_for() -> None:
    """7.1: 50 points destroy 10 percent of a unit, and 5 aircraft points, however many there are."""
    s = board({12: inf("1922"), 116: base("1919", 200)})
    guess = Estimate(h(s, "1919"), 0, 0, 0, 0, 0, aircraft=200.0)
    told(s, GunsHit(h(s, "1919"), (116,), 100), {116: guess})
    assert guess.aircraft == 195


# ---------------------------------------------------------------------- who is driven out


@pytest.mark.parametrize(("entrench", "strength", "stands"), [(0, 1.5, False), (3, 6.0, True), (5, 8.0, True)])
def test_a_line_expects_losses_alone_where_entrenchments_are_left(entrench: int, strength: float, stands: bool) -> None:
    """7.7: nobody retreats behind entrenchments that survive."""
    s = board({12: inf("1922"), 80: rifles("1920")})
    held = combat.entrenched(s, 100.0, entrench)
    peril = line_of(s).peril(100.0, entrench, Post(h(s, "1922"), 0.0, strength * held))
    lost = casualties.defender_percent(strength, s.rules.losses)
    assert peril == pytest.approx(lost) if stands else peril > lost
