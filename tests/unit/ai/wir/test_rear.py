"""Behind the line: guards for what a raider may reach, and cities that nobody holds."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import rear
from rasputitsa.ai.wir.planning.production import NUMBERS_LEFT, Production
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, groups_of
from rasputitsa.wir.model.theatre import AXIS
from tests.unit.wir.board import board, h, inf, rifles

WEAK = "1 INF 30 60 0"
TANK = "1 TANK 60 50 20"


def behind(raider: str, groups: dict[int, dict[str, Any]], **fields: Any) -> State:
    """Some Axis groups in Hungary and Romania, and a Soviet tank group; the front is far away at the Dnieper."""
    front = {50: inf("1323"), 110: rifles("1422")}
    return board({64: {"hex": raider, "units": [TANK]}, **front, **groups}, scenario="zitadelle", turn=20, **fields)


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


# ---------------------------------------------------------------------- small garrisons

POOLS = {"axis": {"infantry": 40, "vehicle": 0, "artillery": 0, "aircraft": 0, "construction": 0}}


def raised(s: State) -> list[tuple[str, int]]:
    """Where groups are raised, and with how many points."""
    orders = Production(s, AXIS, Situation(s, AXIS)).plan()
    places = [s.rules.grid.names[order.args[0]] for order in orders if order.verb == "build"]
    return list(zip(places, (order.args[0] for order in orders if order.verb == "strength"), strict=True))


def test_people_are_armed_in_an_empty_city_before_a_rider_is_there() -> None:
    s = behind("0727", {}, phase="adjust", pools=POOLS)
    assert ("0629", 10) in raised(s)


def test_a_few_cities_a_week_are_held_before_they_have_to_be() -> None:
    s = behind("0925", {}, phase="adjust", pools=POOLS)
    weeks = {call.hex: call.weeks for call in rear.calls(s, Situation(s, AXIS)) if s.city_hexes[AXIS] >> call.hex & 1}
    later = [s.rules.grid.names[hex_] for hex_, left in weeks.items() if left > 1.5]
    assert len(later) > rear.AHEAD
    assert [place for place, _ in raised(s) if place in later] == later[: rear.AHEAD]


def test_nobody_is_armed_where_somebody_stands() -> None:
    assert "0629" not in dict(raised(behind("0727", {12: inf("0629", WEAK)}, phase="adjust", pools=POOLS)))


def test_group_numbers_are_left_for_others() -> None:
    numbers = groups_of(AXIS, INFANTRY)
    places = [f"{column:02}{row}" for column in range(2, 7) for row in range(19, 27)]
    for spare in (NUMBERS_LEFT, NUMBERS_LEFT + 1):
        used = zip(numbers[: len(numbers) - 1 - spare], places, strict=False)  # one is at the front
        s = behind("0727", {g: inf(place, f"{g} INF 70 60 0") for g, place in used}, phase="adjust", pools=POOLS)
        assert sum(s.hex[g] < 0 for g in numbers) == spare
        assert raised(s) == [("0629", 10)] * (spare > NUMBERS_LEFT)


def test_where_none_can_be_raised_one_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A city that was taken has no people left; a garrison for it is raised at the nearest station, and goes."""
    home = ("0629", "0826", "0125", "0221", "0319")
    held = {12 + n: inf(place, f"{n + 1} INF 90 60 0") for n, place in enumerate(home)}
    waiting = {23: inf("0118", "40 INF 10 60 0")}
    s, later = (behind("0925", {**held, **more}, phase="adjust", pools=POOLS) for more in ({}, waiting))
    station = 1 << h(s, "0221")
    assert rear.stations(s, Situation(s, AXIS), 0) == []
    assert rear.stations(s, Situation(s, AXIS), station) == [h(s, "0221")] * rear.AHEAD
    monkeypatch.setattr(rear, "AHEAD", 99)
    fewer = len(rear.stations(s, Situation(s, AXIS), station)) - len(
        rear.stations(later, Situation(later, AXIS), station)
    )
    assert fewer == 1
    assert sent(behind("0925", {**held, **waiting}), 23)[23] not in ("0118", *home)


def test_a_garrison_stays_whoever_else_is_sent() -> None:
    few = "1 INF 20 60 0"
    assert sent(behind("1125", {12: inf("0629", few)}), 12) == {12: "0629"}
    assert sent(behind("1125", {12: inf("0629", WEAK)}), 12) == {}
    assert rear.is_garrison(behind("1125", {12: inf("0629", few)}), 12)
    assert not rear.is_garrison(behind("1125", {12: inf("0728", few)}), 12)
