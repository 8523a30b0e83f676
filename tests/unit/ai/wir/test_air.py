"""What the planner of War in Russia does with aircraft, and when it lets the enemy come."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.air import AirPlanner
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of, on_the_defensive, superior
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import FINE, RAIN
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from rasputitsa.wir.rules.movement import air_plots
from tests.unit.wir.board import GAME, base, board, h, inf, rifles

STRONG, WEAK = ["1 RIFLE 90 60 0"] * 5, ["1 RIFLE 60 50 0"]
SUMMER = [
    ("barbarossa", SOVIET, True), ("barbarossa", AXIS, False), ("case_blue", SOVIET, True), ("case_blue", AXIS, False),
]  # fmt: skip


def flown(s: State, group: int = 53) -> str:
    """The hex that an air group is sent against."""
    order_list = OrderList(s)
    situation = Situation(s, AXIS)
    air = AirPlanner(order_list, AXIS, situation, Assault(s, AXIS, situation, attack_policy_of(s, AXIS)))
    air.support()
    air.fly()
    strike = air_plots.strike_of(order_list.s, group)
    return s.rules.grid.names[strike[0]] if strike else ""


def moved(s: State, group: int = 53) -> str:
    """Where an air group goes."""
    order_list = OrderList(s)
    situation = Situation(s, AXIS)
    AirPlanner(order_list, AXIS, situation, Assault(s, AXIS, situation, attack_policy_of(s, AXIS))).rebase()
    return s.rules.grid.names[order_list.s.hex[group]]


def sky(where: str = "1922", aircraft: int = 80, enemies: list[str] = STRONG, **more: Any) -> State:
    groups = {12: inf("1922"), 53: base(where, aircraft, supplied=True), 80: rifles("1920", *enemies)}
    return board({**groups, 81: rifles("2021", "1 RIFLE 20 20 0"), **more.pop("also", {})}, **more)


def test_idle_aircraft_strike_where_it_hurts_most() -> None:
    assert flown(sky()) == "1920"


def test_a_handful_of_aircraft_stays_at_home() -> None:
    assert flown(sky(aircraft=8)) == ""


def test_aircraft_are_not_sent_where_too_many_would_meet_them() -> None:
    assert flown(sky(enemies=WEAK)) == "1920"
    fighters = {116: base("1919", 250, supplied=True)}
    assert flown(sky(enemies=WEAK, also=fighters)) != "1920"


def test_nobody_is_met_by_fighters_that_cannot_fly() -> None:
    """7.1: without supply an air group stays on the ground."""
    grounded = {116: base("1919", 250, supplied=False)}
    assert flown(sky(enemies=WEAK, also=grounded)) == "1920"


def test_in_rain_little_is_to_be_gained() -> None:
    assert flown(sky(enemies=WEAK, weather="rain")) == ""


def test_an_air_group_left_behind_follows_the_front() -> None:
    s = sky("2530")
    distance = s.rules.grid.distance
    before = distance(h(s, "2530"), h(s, "1920"))
    assert distance(h(s, moved(s)), h(s, "1920")) < before


def test_an_air_group_with_targets_in_reach_stays() -> None:
    s = sky()
    assert moved(s) == "1922"


@pytest.mark.parametrize(("scenario", "side", "weaker"), SUMMER)
def test_the_weaker_side_lets_the_enemy_come_in_summer(scenario: str, side: int, weaker: bool) -> None:
    s = GAME.setup(scenario, {})
    assert s.weather == FINE
    assert on_the_defensive(s, side) is weaker
    assert attack_policy_of(s, side).stay is weaker


def test_in_winter_nobody_waits() -> None:
    s = GAME.setup("case_blue", {})
    s.weather = FINE + 1
    assert not on_the_defensive(s, SOVIET)


def test_the_axis_waits_once_it_is_the_weaker() -> None:
    s = GAME.setup("zitadelle", {})
    for unit in s.units_of(AXIS):
        s.strength[unit] //= 2
    assert on_the_defensive(s, AXIS) and not on_the_defensive(s, SOVIET)
    assert attack_policy_of(s, AXIS).stay and not attack_policy_of(s, SOVIET).stay


def test_a_superior_red_army_presses_on_from_1942() -> None:
    s = GAME.setup("case_blue", {})
    assert not superior(s) and attack_policy_of(s, SOVIET).stay
    for unit in s.units_of(AXIS):
        s.strength[unit] //= 2
    assert superior(s)
    assert attack_policy_of(s, SOVIET).pull > 1 and not attack_policy_of(s, SOVIET).stay
    s.weather = RAIN
    assert attack_policy_of(s, SOVIET).stay
