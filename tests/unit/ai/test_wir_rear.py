"""Behind the line: guards for what a rider may reach, and cities that nobody holds."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import rear
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS
from tests.unit.wir.board import board, h, inf, rifles

WEAK = "1 INF 30 60 0"
TANK = "1 TANK 60 50 20"


def behind(rider: str, groups: dict[int, dict[str, Any]], **fields: Any) -> State:
    """Some Axis groups in Hungary and Romania, and a Soviet tank group; the front is far away at the Dnieper."""
    front = {50: inf("1323"), 110: rifles("1422")}
    return board({64: {"hex": rider, "units": [TANK]}, **front, **groups}, scenario="zitadelle", turn=20, **fields)


def sent(s: State, *free: int) -> dict[int, str]:
    names = s.rules.grid.names
    return {group: names[hex_] for group, hex_ in rear.guards(s, Situation(s, AXIS), list(free)).items()}


def test_a_weak_group_goes_to_an_empty_city_in_time() -> None:
    s = behind("0727", {12: inf("0828", WEAK), 13: inf("0829", "1 INF 150 70 0", "2 INF 150 70 0")})
    calls = {call.hex: call.weeks for call in rear.calls(s, Situation(s, AXIS))}
    assert calls[h(s, "0629")] == 1.5
    assert sent(s, 12, 13)[12] == "0629"


def test_nobody_starts_as_long_as_next_week_is_early_enough() -> None:
    s = behind("1125", {12: inf("0729", WEAK)})
    calls = {call.hex: call.weeks for call in rear.calls(s, Situation(s, AXIS))}
    assert calls[h(s, "0629")] > 2
    assert "0629" not in sent(s, 12).values()


def test_nobody_starts_who_would_come_too_late() -> None:
    s = behind("0628", {12: inf("0322", WEAK)})
    assert "0629" not in sent(s, 12).values()


def test_a_guard_stays_and_a_strong_group_does_not_unless_the_rider_is_next() -> None:
    army = inf("0629", "1 INF 150 70 0", "2 INF 150 70 0", "3 INF 150 70 0")
    assert sent(behind("0727", {12: inf("0629", WEAK)}), 12) == {12: "0629"}
    assert sent(behind("0826", {12: army}), 12) == {}
    assert sent(behind("0627", {12: army}), 12) == {12: "0629"}


def test_of_two_in_a_city_the_weaker_one_is_its_guard() -> None:
    s = behind("0727", {12: inf("0629", "1 INF 90 70 0"), 13: inf("0629", WEAK)})
    assert sent(s, 12, 13) == {13: "0629"}
    assert sent(s, 12) == {}  # the other one has orders already, and stays or not as it likes


def test_who_holds_the_line_or_another_city_alone_is_not_sent() -> None:
    line = behind("0727", {12: inf("0728", WEAK)})
    assert sent(line, 12) == {}
    assert "0629" not in sent(behind("0628", {12: inf("0826", WEAK)}), 12).values()


@pytest.mark.parametrize(("weather", "weeks"), [("clear", 1.5), ("rain", 3.0)])
def test_in_rain_a_rider_needs_twice_as_long(weather: str, weeks: float) -> None:
    s = behind("0727", {}, weather=weather)
    assert {call.hex: call.weeks for call in rear.calls(s, Situation(s, AXIS))}[h(s, "0629")] == weeks


def test_the_homes_of_depots_are_guarded_too() -> None:
    s = behind("0325", {12: inf("0123", WEAK)})
    assert sent(s, 12) == {12: "0125"}


def test_in_a_lesson_nobody_is_sent_for_depots() -> None:
    goal = {"side": "axis", "text": "Hold Kiev.", "last_turn": 30, "hold": ["1122"]}
    assert sent(behind("0325", {12: inf("0123", WEAK)}, goal=goal), 12) == {}
