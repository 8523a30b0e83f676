"""War in Russia, chapter 5: depots, relief, supply points, rail building."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.wir.model.frames import Context, replace
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COLD, FINE, RAIN, SUPPLY_POOL, VERY_COLD
from rasputitsa.wir.model.theatre import CLEAR, MOUNTAIN, SWAMP
from rasputitsa.wir.rules.supply import depots
from rasputitsa.wir.rules.supply.supply import Depot, lay_rail, supply_orders, why_not_rail
from tests.unit.wir.board import GAME, base, board, give, h, inf, kind, refused, rifles, tanks, unit, verbs

LINE = ["0215", "0216", "0317", "0318"]
"""From the entry of depot 58 to the city of Warsaw (0319); the hexes 0417, 0517, 0617, 0717 beside it are clear."""


def supplying(groups: Any = None, side: str = "axis", *, enemy_rail: tuple[str, ...] = (), **fields: Any) -> State:
    """A supply phase with too few vehicles in the Axis pool to make depots better."""
    rail = {"only": True, "axis": LINE, "soviet": list(enemy_rail)}
    pools = dict(fields.pop("pools", {}))
    pools["axis"] = {"vehicle": 500, **pools.get("axis", {})}
    return board(groups, phase="supply", side=side, rail=rail, pools=pools, **fields)


def depot(s: State) -> Depot:
    """The depot on the move."""
    top = s.stack[-1]
    assert isinstance(top, Depot)
    return top


def test_the_ground_of_these_tests() -> None:
    s = supplying()
    for name in ("0417", "0517", "0617", "0717", "0816"):
        assert s.terrain(h(s, name)) == CLEAR
    assert s.terrain(h(s, "0818")) == SWAMP and s.terrain(h(s, "0222")) == MOUNTAIN


@pytest.mark.parametrize(("penalty", "percent"), [(0, 50), (1, 33), (2, 25), (3, 20), (4, 17), (5, 14), (6, 12)])
def test_relief_by_penalty_hexes(penalty: int, percent: int) -> None:
    assert depots.relief_percent(board(pools={"axis": {"vehicle": 0}}), 0, penalty) == percent


@pytest.mark.parametrize(
    ("weather", "scenario", "side", "percent"),
    [
        (FINE, "barbarossa", 0, 33), (COLD, "barbarossa", 0, 33), (RAIN, "barbarossa", 0, 20),
        (VERY_COLD, "barbarossa", 0, 20), (VERY_COLD, "case_blue", 0, 33), (RAIN, "case_blue", 0, 20),
        (RAIN, "barbarossa", 1, 33), (VERY_COLD, "barbarossa", 1, 33),
    ],
)  # fmt: skip
def test_bad_weather_counts_two_hexes_more_for_the_axis(weather: int, scenario: str, side: int, percent: int) -> None:
    s = board(scenario=scenario, pools={name: {"vehicle": 0} for name in ("axis", "soviet")})
    s.weather = weather
    assert depots.relief_percent(s, side, 1) == percent


@pytest.mark.parametrize(
    ("vehicles", "penalty", "relief", "percent"),
    [(999, 2, "formula", 25), (1000, 2, "formula", 33), (2550, 2, "formula", 50), (1000, 0, "formula", 100),
     (1000, 0, "table", 50)],
)  # fmt: skip
def test_each_thousand_vehicles_counts_a_hex_less(vehicles: int, penalty: int, relief: str, percent: int) -> None:
    s = board(pools={"axis": {"vehicle": vehicles}}, options={"relief": relief})
    assert depots.relief_percent(s, 0, penalty) == percent


class TestDepots:
    def test_the_lowest_number_comes_first_and_each_finishes_before_the_next(self) -> None:
        s = supplying()
        seen = []
        while kind(s) == "depot":
            decision = GAME.decision(s)
            assert decision is not None and decision.seat == "axis"
            seen.append(decision.prompt.split()[2].rstrip(","))
            give(s, "skip")
        assert seen == ["58", "59", "60", "61", "62", "63"]

    def test_a_depot_whose_entry_hex_the_enemy_holds_is_not_used(self) -> None:
        s = supplying({76: rifles("0215")})
        decision = GAME.decision(s)
        assert decision is not None and "59" in decision.prompt
        s = supplying(cities={"Budapest": {"owner": "soviet"}})
        for _ in range(3):
            give(s, "skip")
        decision = GAME.decision(s)
        assert decision is not None and "62" in decision.prompt

    def test_rail_and_friendly_cities_are_free_and_clear_hexes_count(self) -> None:
        s = supplying()
        give(s, "depot Warsaw")
        assert depot(s).penalty == 0
        give(s, "abort", "depot 0317", "step 3")
        assert (depot(s).here, depot(s).penalty) == (h(s, "0417"), 1)

    def test_enemy_rail_counts_as_clear_does(self) -> None:
        s = supplying(enemy_rail=("0417",))
        give(s, "depot 0417")
        assert depot(s).penalty == 1

    def test_four_penalty_hexes_are_the_most(self) -> None:
        s = supplying()
        assert "0717" in verbs(s, "depot") and "0816" not in verbs(s, "depot")
        assert refused(s, "depot 0816").rule == "5.2"
        give(s, "depot 0717")
        assert depot(s).penalty == 4
        assert refused(s, "step 2").rule == "5.2"

    def test_no_enemy_zone_of_control_is_entered(self) -> None:
        s = supplying({76: rifles("0517")})
        assert "0417" not in verbs(s, "depot")
        assert "zone" in refused(s, "depot 0417").reason and refused(s, "depot 0417").rule == "5.2"

    def test_forest_swamp_and_mountain_are_closed_unless_railed(self) -> None:
        s = supplying()
        for name in ("0818", "0222", "0616"):
            assert name not in verbs(s, "depot")
            assert refused(s, f"depot {name}").rule == "5.2"
        railed = supplying(enemy_rail=("0616",))
        assert "0616" in verbs(railed, "depot"), "rail takes the place of the forest"

    def test_the_move_may_be_started_over(self) -> None:
        s = supplying()
        give(s, "depot 0417", "abort")
        assert (depot(s).here, depot(s).penalty, depot(s).route) == (h(s, "0215"), 0, ())
        assert refused(s, "abort").rule == "5.2"

    def test_auto_move_retraces_the_last_move_to_the_first_hex_off_the_line(self) -> None:
        s = supplying(routes={"58": ["0216", "0317", "0417", "0517"]})
        give(s, "auto")
        assert depot(s).route == tuple(h(s, name) for name in ("0216", "0317", "0417"))
        give(s, "supply")
        assert s.depot_route[58] == tuple(h(s, name) for name in ("0216", "0317", "0417"))

    def test_auto_move_ends_before_an_enemy_zone(self) -> None:
        s = supplying({76: rifles("0517")}, routes={"58": ["0216", "0317", "0417"]})
        give(s, "auto")
        assert depot(s).here == h(s, "0317")


class TestDistribution:
    def test_everyone_within_two_hexes_is_supplied(self) -> None:
        s = supplying({12: inf("0216"), 13: inf("0317"), 14: inf("0417"), 53: base("0217")})
        give(s, "supply")
        assert [g for g in (12, 13, 14, 53) if s.supplied >> g & 1] == [12, 13, 53]

    def test_neither_water_nor_the_enemy_keeps_supplies_away(self) -> None:
        s = supplying({12: inf("0414")})
        give(s, "supply")
        assert s.supplied >> 12 & 1, "from 0215 across the bay"
        s = supplying({12: inf("0517"), 76: rifles("0617")})
        give(s, "supply 0317")
        assert s.supplied >> 12 & 1

    def test_fatigue_falls_by_the_percentage_and_costs_one_or_two_points(self) -> None:
        groups = {
            1: tanks("0317", "1 PZ 150 70 40", "3 MOT 90 70 41", "4 PZ 150 70 0"),
            12: inf("0317", "1 INF 70 70 30", "2 INF 70 70 1"),
        }
        s = supplying(groups, pools={"axis": {"supply": 100}}, options={"depot_stops": "allowed"})
        give(s, "supply 0317")
        assert [s.fatigue[u] for u in s.group_units[1]] == [20, 20, 0]
        assert [s.fatigue[u] for u in s.group_units[12]] == [15, 0]
        assert s.pools[0][SUPPLY_POOL] == 100 - 2 - 2 - 1 - 1

    def test_an_empty_pool_supplies_without_relief(self) -> None:
        s = supplying({12: inf("0215", "1 INF 70 70 30")}, pools={"axis": {"supply": 0}})
        give(s, "supply")
        assert s.supplied >> 12 & 1 and s.fatigue[unit(s, 12)] == 30

    def test_the_last_point_still_relieves_a_panzer_division(self) -> None:
        s = supplying({1: tanks("0215", "1 PZ 150 70 40")}, pools={"axis": {"supply": 1}})
        give(s, "supply")
        assert s.fatigue[unit(s, 1)] == 20 and s.pools[0][SUPPLY_POOL] == 0

    def test_a_group_is_relieved_once_a_turn(self) -> None:
        s = supplying({12: inf("0217", "1 INF 70 70 40")})
        give(s, "supply", "supply")
        assert s.fatigue[unit(s, 12)] == 20

    def test_the_scan_of_who_is_not_supplied(self) -> None:
        s = supplying({12: inf("0215"), 13: inf("1922")})
        give(s, "supply")
        answer = GAME.query(s, "axis", "supply", {})
        assert answer["unsupplied_units"] == ["13"] and answer["supplied"] == ["0215"]


class TestRailBuilding:
    def test_the_axis_begins_in_the_south_and_alternates(self) -> None:
        s = supplying(turn=1)
        give(s, "depot 0417")
        assert refused(s, "rail").rule == "5.3" and "south" in refused(s, "rail").reason
        s = supplying(turn=2)
        give(s, "depot 0417", "rail")
        assert s.rail_order[0] == h(s, "0417")

    @pytest.mark.parametrize(("turn", "builds"), [(1, True), (2, False), (3, True)])
    def test_the_south_is_below_hexrow_21(self, turn: int, builds: bool) -> None:
        s = supplying(turn=turn, cities={"Kharkov": {"owner": "axis"}})
        kharkov = h(s, "1722")
        found = why_not_rail(s, 0, s.rules.map.step[kharkov][4])
        assert (found is None) is builds
        assert (why_not_rail(s, 0, h(s, "1921")) is None) is not builds, "row 21 itself is in the north"

    def test_the_depot_goes_back_and_may_still_supply(self) -> None:
        s = supplying({12: inf("0215")}, turn=2)
        give(s, "depot 0417", "rail")
        assert (depot(s).depot, depot(s).here) == (58, h(s, "0215"))
        give(s, "supply")
        assert s.supplied >> 12 & 1

    def test_only_the_last_designation_counts_and_enemy_rail_changes_sides(self) -> None:
        s = supplying(turn=2, enemy_rail=("0417",))
        give(s, "depot 0416", "rail", "depot 0417", "rail")
        assert lay(s) == ["rail_built"]
        assert s.rail[0] >> h(s, "0417") & 1 and not s.rail[1] >> h(s, "0417") & 1
        assert not s.rail[0] >> h(s, "0416") & 1

    def test_rain_stops_the_work(self) -> None:
        s = supplying(turn=2)
        give(s, "depot 0417", "rail")
        s.weather = RAIN
        assert lay(s) == ["rail_rained_off"]
        assert not s.rail[0] >> h(s, "0417") & 1
        s.weather = FINE
        assert lay(s) == [], "and is not done later"

    def test_friendly_rail_and_cities_need_none(self) -> None:
        s = supplying(turn=2)
        assert "rail already" in refused(s, "rail").reason
        give(s, "depot Warsaw")
        assert "city" in refused(s, "rail").reason

    def test_the_soviets_build_in_either_part(self) -> None:
        s = supplying(side="soviet", turn=1, enemy_rail=("1905", "1805"))
        assert why_not_rail(s, 1, h(s, "1921")) is None
        assert why_not_rail(s, 1, h(s, "1922")) is None


def lay(s: State) -> list[str]:
    """Start of a turn: the kinds of event when rail hexes are laid."""
    play = Context(ScriptedDice([]))
    lay_rail(s, play)
    return [event.kind for event in play.events]


class TestToAndFro:
    def test_a_depot_turns_back_often_but_not_without_end(self) -> None:
        s = supplying()
        most, home = 10 * s.rules.map.passable.bit_count(), depot(s).here
        there = s.rules.map.step[home][3]
        replace(s, Depot(0, 58, home, 0, (there, home) * (most // 2 - 1)))
        s.legal = None
        give(s, "step 3")
        give(s, "step 6")
        assert len(depot(s).route) == most and depot(s).penalty == 0
        left = {action.verb for action in GAME.legal(s)}
        assert not {"step", "depot"} & left and {"supply", "abort", "skip"} <= left
        for line in ("step 3", "step 6", "depot 0216"):
            problem = refused(s, line)
            assert (problem.rule, str(most) in problem.reason) == ("5.2", True)
        fresh = s.copy()
        give(fresh, "abort")
        assert depot(fresh).route == () and depot(fresh).here == home
        give(fresh, "step 3")
        give(s, "supply")
        assert len(s.depot_route[58]) == most

    def test_a_clear_hex_counts_each_time(self) -> None:
        s = supplying()
        give(s, "depot Warsaw")
        for n in range(4):
            assert verbs(s, "step")
            give(s, "step 3" if n % 2 == 0 else "step 6")
        assert depot(s).penalty == 2


class TestStaff:
    def test_its_orders_are_orders_the_player_could_give(self) -> None:
        s = GAME.setup("barbarossa", {})
        for _ in range(2):
            give(s, "done")
        assert kind(s) == "depot"
        by_hand = s.copy()
        orders = supply_orders(s)
        for action in orders:
            assert action in GAME.legal(by_hand)
            GAME.apply(by_hand, action, ScriptedDice([]))
        give(s, "auto_supply")
        assert s == by_hand
        assert kind(s) == "movement" and s.supplied.bit_count() > 30


def test_the_staff_supplies_from_no_full_hex_that_a_depot_passes() -> None:
    """6.7: 0318 alone is near all four groups, and full."""
    s = board(
        {1: tanks("0318"), 2: tanks("0318"), 3: tanks("0519"), 4: tanks("0117")},
        phase="supply", turn=3, rail={"only": True, "axis": ["0218", "0318"]},
    )  # fmt: skip
    give(s, "skip", "depot 0218", "step 2")
    while s.stack and isinstance(s.stack[-1], Depot):
        order = supply_orders(s)[0]
        assert order in GAME.legal(s)
        GAME.apply(s, order, ScriptedDice([]))


def test_supplying_nobody_is_said_beforehand() -> None:
    far, near = supplying({22: inf("0717")}), supplying({22: inf("0216")})
    nobody = "no group that still needs supply is in reach of the depot here"
    assert depot(far).gives_up(far, Action("supply")) == nobody
    assert not depot(near).gives_up(near, Action("supply"))


def test_leaving_a_depot_unused_is_said_to_give_its_use_up_while_it_could_supply_somebody() -> None:
    near, far, nowhere = supplying({22: inf("0318")}), supplying({22: inf("0717")}), supplying({22: inf("1519")})
    for s in (near, far):
        assert depot(s).gives_up(s, Action("skip")) == "the depot could still supply groups that have none"
    assert not depot(nowhere).gives_up(nowhere, Action("skip"))
    near.supplied |= 1 << 22
    assert not depot(near).gives_up(near, Action("skip"))


def test_supplying_groups_that_have_supply_gives_the_depot_up_too() -> None:
    s = supplying({22: inf("0216")})
    s.supplied |= 1 << 22
    assert depot(s).gives_up(s, Action("supply"))
