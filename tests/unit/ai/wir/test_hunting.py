"""Far behind the line: raiders are hunted down, and own ones come home."""

from __future__ import annotations

from typing import Any

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import hunting
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from tests.unit.wir.board import board, h, inf, rifles, tanks

ARMY = ("1 INF 150 70 0", "2 INF 150 70 0")
WEAK = "1 TANK 60 50 60"
STRONG = [f"{n} INF 150 70 0" for n in range(40, 46)]
FRONT = {50: inf("1222", *STRONG), 51: inf("1221", *STRONG), 52: inf("1223", *STRONG),
         110: rifles("1422"), 111: rifles("1423")}  # fmt: skip


def behind(groups: dict[int, dict[str, Any]], **fields: Any) -> State:
    """Axis groups at the Dnieper, Soviet ones opposite, and more."""
    return board({**FRONT, **groups}, scenario="zitadelle", turn=20, **fields)


def sent(s: State, *free: int, side: int = AXIS) -> dict[int, str]:
    names = s.rules.grid.names
    return {g: names[hex_] for g, hex_ in hunting.hunters(s, Situation(s, side), list(free)).items()}


def raiders(s: State, side: int) -> list[tuple[int, ...]]:
    return [party.groups for party in hunting.raiders(s, Situation(s, AXIS), side)]


def around(s: State, name: str) -> set[str]:
    return {s.rules.grid.names[hex_] for hex_ in s.rules.map.reach_list[h(s, name)]}


def test_a_few_groups_far_behind_the_front_are_raiders() -> None:
    assert raiders(behind({64: tanks("0524", WEAK), 65: tanks("0623", WEAK)}), SOVIET) == [(64, 65)]
    assert raiders(behind({}), SOVIET) == []
    assert raiders(behind({64: tanks("1320", WEAK)}), SOVIET) == []  # beside its army
    army = {n: rifles(f"0{n - 71}24", f"{n} RIFLE 90 30 0") for n in range(76, 76 + hunting.PARTY + 1)}
    assert raiders(behind(army), SOVIET) == []  # that is another front


def test_an_army_goes_beside_a_raider() -> None:
    s = behind({12: inf("0422", *ARMY), 64: tanks("0324", WEAK)})
    assert sent(s, 12)[12] in around(s, "0324")


def test_a_raider_is_driven_out_of_a_city_it_has_taken() -> None:
    s = behind({12: inf("0422", *ARMY), 64: tanks("0221", WEAK)}, cities={"Krakow": {"owner": "soviet"}})
    assert sent(s, 12)[12] in around(s, "0221")


def test_two_go_when_one_is_too_weak_and_from_two_sides() -> None:
    pair = {12: inf("0523", "1 INF 90 70 0"), 13: inf("0422", "2 INF 90 70 0")}
    s = behind({**pair, 64: tanks("0324", "1 TANK 90 50 0")})
    found = sent(s, 12, 13)
    assert set(found) == {12, 13}
    assert len(set(found.values())) == 2 and set(found.values()) <= around(s, "0324")
    assert sent(s, 12) == {}


def test_no_more_go_than_are_needed_and_the_nearest_first() -> None:
    s = behind({12: inf("0623", *ARMY), 13: inf("0422", "3 INF 150 70 0", "4 INF 150 70 0"), 64: tanks("0324", WEAK)})
    assert list(sent(s, 12, 13)) == [13]


def test_who_is_too_far_away_or_holds_the_line_does_not_hunt() -> None:
    assert sent(behind({12: inf("0118", *ARMY), 64: tanks("0629", WEAK)}), 12) == {}
    s = behind({64: tanks("1021", WEAK)})
    assert sent(s, 51) == {}


def test_raiders_beside_a_hunter_do_not_get_past_it() -> None:
    s = behind({12: inf("0424", *ARMY), 64: tanks("0324", WEAK)})
    assert sent(s, 12) == {12: "0424"}


# ---------------------------------------------------------------------- own groups


def homeward(s: State) -> dict[int, str]:
    names = s.rules.grid.names
    return {g: names[hex_] for g, hex_ in hunting.homeward(s, Situation(s, AXIS)).items()}


def test_a_group_without_supply_comes_home() -> None:
    held = {112: rifles("2517"), 113: rifles("2719"), 114: rifles("2218")}
    s = behind({1: tanks("2520"), **held}, control={"axis": ["0116-1223"]})
    goal = homeward(s)[1]
    situation = Situation(s, AXIS)
    assert situation.supplied_hexes >> h(s, goal) & 1
    assert s.rules.grid.distance(h(s, goal), h(s, "1422")) < s.rules.grid.distance(h(s, "2520"), h(s, "1422"))


def test_a_ride_goes_on_to_an_open_city_nearby() -> None:
    s = behind({1: tanks("2517")}, control={"axis": ["0116-1223"]})
    assert homeward(s) == {}


def test_who_holds_a_city_or_is_in_supply_stays() -> None:
    s = behind({1: tanks("2517")}, control={"axis": ["0116-1223"]}, cities={"Penza": {"owner": "axis"}})
    assert homeward(s) == {}
