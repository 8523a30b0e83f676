"""What the players of War in Russia count with is what the rules say: strengths, guns, entrenchments, ways out."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rasputitsa.ai.wir.evaluation.estimate import Estimate
from rasputitsa.ai.wir.evaluation.geography import FILE, geography
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.evaluation.week_report import WeekReport
from rasputitsa.ai.wir.planning.assault import Assault, Attack, attack_policy_of
from rasputitsa.ai.wir.planning.encirclement import Encirclement
from rasputitsa.ai.wir.planning.exploitation import Exploitation
from rasputitsa.ai.wir.planning.line import Line, LinePolicy, Post
from rasputitsa.core.data.files import CONFIDENCE
from rasputitsa.core.data.folder import read_toml
from rasputitsa.core.events import Event
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.plot import ADVANCE, Plot, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, ROWS, SIDES
from rasputitsa.wir.rules.execution import casualties, combat
from rasputitsa.wir.rules.execution.casualties import GunsHit
from rasputitsa.wir.rules.execution.combat import Fought
from rasputitsa.wir.rules.movement import fatigue
from rasputitsa.wir.rules.victory import victory
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


# ---------------------------------------------------------------------- zones, marches, the air


def test_a_march_behind_the_enemy_is_helped_by_the_zones_of_air_groups() -> None:
    """6.10: zones of control reach around any group."""
    s = board({1: tanks("1922"), 53: base("2626"), 80: rifles("2016")})
    encirclement = Encirclement(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    assert encirclement._zone({}) == s.zoc(AXIS)
    moved = s.copy()
    moved.place(1, h(s, "2022"))
    assert encirclement._zone({1: h(s, "2022")}) == moved.zoc(AXIS)


def wear(s: State, number: int) -> float:
    """What the fatigue of a plot of group 1 counts for."""
    return Exploitation(assault_of(s))._wear(1, unpack(number))


@pytest.mark.parametrize("weather", ["clear", "rain"])
@pytest.mark.parametrize("start", ["2910", "2911"])
def test_a_ride_tires_as_much_as_the_rules_say(start: str, weather: str) -> None:
    """8.1: through forest and in rain nothing is halved, and rivers cost more."""
    s = board({1: tanks(start), 80: rifles("2016")}, weather=weather)
    strain = Situation(s, AXIS).strain[1] * attack_policy_of(s, AXIS).wear / 100
    here, around = s.hex[1], s.rules.map.step[s.hex[1]]
    for direction in range(1, 7):
        points = fatigue.march_points(s, 1, here, around[direction], fatigue.TACTICAL)
        assert wear(s, Plot(direction, 0, ADVANCE).number) == pytest.approx(strain * points)


def cut(others: dict[int, dict[str, object]], there: str) -> float:
    """What a ride to a hex counts for that bars ways out of 1922, which is under attack."""
    s = board({1: tanks("1921"), 80: rifles("1922", "1 RIFLE 10 10 0"), **others})
    assault = assault_of(s)
    assault.attacks = [Attack(h(s, "1922"), 0, [1], 10.0, 1.0, 5.0, 50.0)]
    return Exploitation(assault)._cut(h(s, there))


def test_a_ride_bars_ways_out_but_not_those_that_entrenched_friends_hold_open() -> None:
    """6.10: all that is left to 80 in a ring is 2021, and it stays open, since the corps there has dug in."""
    assert cut({}, "2023") > 0
    assert cut({}, "2526") == 0
    ring = {2: tanks("1923"), 3: tanks("1822"), 4: tanks("2023")}
    assert cut({**ring, 81: rifles("2021", entrench=1)}, "2022") == 0


# ---------------------------------------------------------------------- the map


def test_prizes_are_cities_of_the_map() -> None:
    rules, found = board().rules, geography()
    cities = {city.name for city in rules.map.cities}
    for side, prizes in enumerate(found.prizes):
        assert prizes.keys() <= cities and not prizes.keys() & set(victory.decisive_cities(rules, side))
    decisive = {name for side in range(len(SIDES)) for name in victory.decisive_cities(rules, side)}
    assert found.decisive.keys() <= decisive


def test_sectors_and_main_efforts_cover_the_map_from_north_to_south() -> None:
    found = geography()
    first_rows = [sector["first_row"] for sector in read_toml(FILE)["sectors"]["list"]]
    assert first_rows == [1, *found.sector_edges] == sorted(set(first_rows)) and first_rows[-1] <= ROWS
    assert len(found.sector_weights) == len(first_rows)
    assert (found.main_efforts[0][0], found.main_efforts[-1][1]) == (1, ROWS)
    assert all(first[1] + 1 == then[0] for first, then in pairwise(found.main_efforts))


def test_every_table_says_where_it_is_from() -> None:
    for table in read_toml(FILE).values():
        assert table["source"] and table["confidence"] in CONFIDENCE
