"""War in Russia, chapter 6: strategic and rail movement, replacements, artillery, entrenchment."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ART_POOL, COLD, FINE, INF_POOL, RAIN, VEH_POOL, VERY_COLD
from rasputitsa.wir.model.theatre import CLEAR, MOUNTAIN, SWAMP
from rasputitsa.wir.rules.movement import entrenchment, fatigue
from tests.unit.wir.board import GAME, at, base, board, give, h, inf, refused, rifles, tanks, unit, verbs

NO_RAIL = {"only": True}


def moving(groups: Any = None, side: str = "axis", rail: Any = None, **fields: Any) -> State:
    return board(groups, side=side, rail=NO_RAIL if rail is None else {"only": True, **rail}, **fields)


def steps(s: State, group: int) -> list[int]:
    """The directions open to a group."""
    trial = s.copy()
    trial.legal = None
    give(trial, f"get {group}")
    return [int(d) for d in verbs(trial, "step")]


def test_the_ground_of_these_tests() -> None:
    s = moving()
    around = ["1921", "2021", "2022", "1923", "1822", "1821"]
    assert [s.rules.grid.names[i] for i in s.rules.map.step[h(s, "1922")][1:]] == around, "directions 1 to 6"
    assert all(s.terrain(h(s, name)) == CLEAR for name in ("1922", *around))
    assert not s.rules.map.river.any >> h(s, "1922") & 1


class TestStrategicMovement:
    @pytest.mark.parametrize(
        ("group", "placed", "most"),
        [
            (1, tanks("1922", supplied=True), 4), (12, inf("1922", supplied=True), 2),
            (52, base("1922", supplied=True), 1), (1, tanks("1922"), 1), (12, inf("1922"), 1), (52, base("1922"), 1),
        ],
    )  # fmt: skip
    def test_hexes_by_type_and_supply(self, group: int, placed: dict[str, Any], most: int) -> None:
        s = moving({group: placed})
        give(s, f"get {group}")
        for n in range(most):
            give(s, f"step {1 if n % 2 else 4}")
        assert s.steps[group] == most
        problem = refused(s, "step 1")
        assert problem.rule == "6.2" and verbs(s, "step") == []

    def test_in_rain_one_hex(self) -> None:
        s = moving({1: tanks("1922", supplied=True)}, weather="rain")
        give(s, "get 1", "step 1")
        assert refused(s, "step 1").rule == "8.4"

    def test_a_group_that_begins_on_friendly_rail_counts_as_supplied(self) -> None:
        s = moving({12: inf("1922")}, rail={"axis": ["1922"]})
        give(s, "move 12 1", "move 12 4")
        assert s.steps[12] == 2
        s = moving({12: inf("1922")}, rail={"axis": ["1921"]})
        give(s, "move 12 1")
        assert "12" not in verbs(s, "get"), "rail on the way does not help"

    def test_an_enemy_zone_ends_the_move(self) -> None:
        s = moving({1: tanks("1922", supplied=True), 76: rifles("1920")})
        give(s, "get 1", "step 1")
        assert refused(s, "step 4").rule == "6.2"
        assert "ended" in refused(s, "step 4").reason

    def test_from_zone_to_zone_only_to_an_entrenched_group(self) -> None:
        groups = {12: inf("1922", supplied=True), 76: rifles("1921"), 13: inf("2021", "2 INF 70 70 0", entrench=1)}
        s = moving(groups)
        assert 2 in steps(s, 12) and 6 not in steps(s, 12)
        give(s, "get 12")
        assert refused(s, "step 6").rule == "6.10"
        give(s, "halt")
        s.entrench[13] = 0
        assert steps(s, 12) == [3, 4, 5]

    def test_swamp_and_mountain_end_the_move_unless_frozen(self) -> None:
        s = moving({1: tanks("0717", supplied=True), 2: tanks("0422", "2 PZ 150 70 0", supplied=True)})
        swamp, mountain = h(s, "0818"), h(s, "0323")
        assert s.terrain(swamp) == SWAMP and s.terrain(mountain) == MOUNTAIN
        assert fatigue.rough(s, swamp) and fatigue.rough(s, mountain)
        s.weather = COLD
        assert not fatigue.rough(s, swamp) and fatigue.rough(s, mountain)

    def test_entering_swamp_stops(self) -> None:
        s = moving({1: tanks("0718", supplied=True)})
        way = s.rules.map.direction(h(s, "0718"), h(s, "0818"))
        assert way
        give(s, "get 1", f"step {way}")
        assert s.fatigue[unit(s, 1)] >= 25 and verbs(s, "step") == []

    def test_artillery_goes_to_the_pool_and_works_are_left(self) -> None:
        s = moving({12: inf("1922", supplied=True, artillery=90, entrench=4)}, pools={"axis": {"artillery": 10}})
        give(s, "move 12 1")
        assert (s.artillery[12], s.entrench[12], s.pools[0][ART_POOL]) == (0, 0, 100)

    def test_the_move_can_be_taken_back(self) -> None:
        s = moving({12: inf("1922", supplied=True, artillery=90, entrench=4)}, pools={"axis": {"artillery": 10}})
        before = s.copy()
        give(s, "get 12", "step 1", "step 1", "abort", "halt")
        assert s == before
        give(s, "get 12")
        assert refused(s, "abort").rule == "6.1"

    def test_a_move_from_a_rail_line_can_be_taken_back(self) -> None:
        s = moving({12: inf("1922")}, rail={"axis": ["1922"]})
        give(s, "get 12")
        before = s.copy()
        give(s, "step 1", "abort")
        assert s == before

    def test_a_worn_out_group_stays_and_one_that_becomes_so_stops(self) -> None:
        tired = inf("1922", "1 INF 70 70 95", supplied=True)
        s = moving({12: tired, 1: tanks("2626", "1 PZ 150 70 88", supplied=True)})
        give(s, "get 12")
        assert refused(s, "step 1").rule == "6.2"
        give(s, "halt", "get 1", "step 1", "step 4")
        assert s.fatigue[unit(s, 1)] == 95
        assert refused(s, "step 1").rule == "6.2"

    def test_where_no_group_goes(self) -> None:
        groups = {
            12: inf("1722", supplied=True), 13: inf("1820"), 14: inf("1820", "5 INF 70 70 0"), 76: rifles("1721"),
        }  # fmt: skip
        s = moving(groups, cities={"Kharkov": {"owner": "axis"}})
        give(s, "get 12")
        assert "attacks are plotted" in refused(s, "step 1").reason
        s = moving({12: inf("1821", supplied=True)})
        where = s.rules.map.direction(h(s, "1821"), h(s, "1722"))
        if where:
            give(s, "get 12")
            assert refused(s, f"step {where}").rule == "8.8"

    def test_an_enemy_city_is_not_entered(self) -> None:
        s = moving({12: inf("1813", supplied=True)})
        give(s, "get 12")
        assert refused(s, "step 4").rule == "8.8"

    def test_two_groups_fill_a_hex(self) -> None:
        s = moving({12: inf("1922"), 13: inf("1921", "2 INF 70 70 0"), 14: inf("1921", "3 INF 70 70 0")})
        give(s, "get 12")
        assert refused(s, "step 1").rule == "6.7"

    def test_air_groups_avoid_forest_and_unguarded_zones(self) -> None:
        s = moving({52: base("1922"), 76: rifles("1920")})
        give(s, "get 52")
        assert refused(s, "step 1").rule == "6.10"
        give(s, "halt")
        guarded = moving({52: base("1922"), 76: rifles("1920"), 12: inf("1921", entrench=1)})
        assert 1 in steps(guarded, 52)
        woods = moving({52: base("1511")})
        give(woods, "get 52")
        for way in range(1, 7):
            there = woods.rules.map.step[h(woods, "1511")][way]
            if woods.terrain(there) == 1:
                assert refused(woods, f"step {way}").rule == "6.2"

    def test_levels_1_and_2_strand_german_groups_after_two_turns(self) -> None:
        s = moving({12: inf("1922", wandered=2)}, level=2)
        give(s, "get 12")
        assert refused(s, "step 1").rule == "10.0"
        assert refused(s, "plot 1").rule == "10.0"
        give(s, "plot 1S")
        assert steps(moving({12: inf("1922", wandered=2)}, level=3), 12)


class TestFatigue:
    @pytest.mark.parametrize(
        ("weather", "scenario", "factor"),
        [
            (FINE, "barbarossa", (1, 1)), (COLD, "barbarossa", (2, 2)), (RAIN, "barbarossa", (4, 4)),
            (VERY_COLD, "barbarossa", (5, 3)), (VERY_COLD, "case_blue", (3, 3)),
        ],
    )  # fmt: skip
    def test_weather(self, weather: int, scenario: str, factor: tuple[int, int]) -> None:
        s = board(scenario=scenario)
        s.weather = weather
        assert (fatigue.weather_factor(s, 0), fatigue.weather_factor(s, 1)) == factor

    def test_points_by_terrain(self) -> None:
        s = moving({12: inf("1922"), 1: tanks("1922")})
        here, there = h(s, "1922"), h(s, "1921")
        assert fatigue.march_points(s, 12, here, there, fatigue.STRATEGIC) == 5
        assert fatigue.march_points(s, 12, here, there, fatigue.TACTICAL) == 10
        assert fatigue.march_points(s, 1, here, there, fatigue.TACTICAL) == 5, "half for mechanized groups"
        swamp = h(s, "0818")
        assert fatigue.march_points(s, 1, h(s, "0718"), swamp, fatigue.STRATEGIC) % 5 == 0
        s.weather = RAIN
        assert fatigue.march_points(s, 12, here, there, fatigue.STRATEGIC) == 20
        assert fatigue.march_points(s, 1, here, there, fatigue.TACTICAL) == 40, "no relief for engines in rain"

    def test_rivers(self) -> None:
        s = moving({12: inf("2021")})
        here = h(s, "2021")
        across = next(there for there in s.rules.map.reach_list[here] if s.rules.map.river.between(here, there))
        points = fatigue.march_points
        assert points(s, 12, here, across, fatigue.STRATEGIC) == 5
        assert points(s, 12, here, across, fatigue.STRATEGIC, out_of_zoc=True) == 25
        assert points(s, 12, here, across, fatigue.TACTICAL) == 20
        s.weather = RAIN
        assert points(s, 12, here, across, fatigue.STRATEGIC, out_of_zoc=True) == 40, "the river is not multiplied"
        s.weather = COLD
        assert points(s, 12, here, across, fatigue.TACTICAL) == 20, "frozen: two times ten, no river"

    def test_ninety_five_is_the_most_and_then_a_quarter_is_lost(self) -> None:
        s = moving({12: inf("1922", "1 INF 70 70 90")})
        division, play = unit(s, 12), Context(ScriptedDice([]))
        fatigue.tire(s, division, 10, play)
        assert (s.fatigue[division], s.strength[division]) == (95, 70)
        fatigue.tire(s, division, 1, play, strain=True)
        assert (s.fatigue[division], s.strength[division]) == (95, 52)
        assert s.overfatigued >> division & 1


class TestRailMovement:
    LINE = ("1922", "1921", "1920", "1919")

    def line(self, groups: Any, **fields: Any) -> State:
        return moving(groups, rail={"axis": list(self.LINE)}, **fields)

    def test_any_distance_without_fatigue_and_then_no_more(self) -> None:
        s = self.line({12: inf("1922", artillery=30, entrench=2)})
        give(s, "rail 12 1919")
        assert (at(s, 12), s.fatigue[unit(s, 12)], s.artillery[12], s.entrench[12]) == ("1919", 0, 0, 0)
        assert "12" not in verbs(s, "get")

    def test_three_groups_a_turn(self) -> None:
        s = self.line({12 + n: inf(self.LINE[n // 2], f"{n + 1} INF 70 70 0") for n in range(4)})
        give(s, "rail 12 1920", "rail 13 1920", "rail 14 1919", "get 15")
        assert verbs(s, "railmove") == []
        assert refused(s, "railmove 1919").rule == "6.3"

    def test_no_zone_no_gap_no_overstack(self) -> None:
        s = self.line({12: inf("1922"), 76: rifles("2020")})
        give(s, "get 12")
        assert verbs(s, "railmove") == []
        assert refused(s, "railmove 1920").rule == "6.3", "in an enemy zone"
        assert refused(s, "railmove 1919").rule == "6.3", "cut off"
        s = self.line({12: inf("1922"), 13: inf("1921", "2 INF 1 1 0"), 14: inf("1921", "3 INF 1 1 0")})
        give(s, "get 12")
        assert refused(s, "railmove 1921").rule == "6.7"
        assert "1920" in verbs(s, "railmove"), "but groups pass through"

    def test_it_begins_where_the_group_stands_on_own_rail(self) -> None:
        s = self.line({12: inf("1923", supplied=True)})
        give(s, "get 12")
        assert refused(s, "railmove 1919").rule == "6.3"
        give(s, "step 1")
        assert refused(s, "railmove 1919").rule == "6.3"
        enemy = moving({12: inf("1922")}, rail={"soviet": list(self.LINE)})
        give(enemy, "get 12")
        assert refused(enemy, "railmove 1919").rule == "6.3"


class TestReplacements:
    def supplied(self, *units: str, pools: Any = None, **fields: Any) -> State:
        groups = {12: inf("1922", *units, supplied=True)}
        pools = {"infantry": 500, "vehicle": 300, "artillery": 100} | (pools or {})
        return moving(groups, pools={"axis": pools}, **fields)

    def test_cost_and_experience(self) -> None:
        s = self.supplied("1 PZ 100 90 0")
        give(s, "get 12", "replace 1 50")
        division = unit(s, 12)
        assert s.strength[division] == 150
        assert s.experience[division] == 83, "100 at 90 and 50 at 70"
        assert (s.pools[0][INF_POOL], s.pools[0][VEH_POOL]) == (450, 250)

    def test_recruits_of_1943_weigh_more(self) -> None:
        s = self.supplied("1 INF 60 90 0", scenario="zitadelle")
        give(s, "replace 12 1 30")
        assert (s.strength[unit(s, 12)], s.experience[unit(s, 12)]) == (90, 63), "60 at 90 and 30 at 10"

    def test_replacements_cost_a_point_even_where_they_are_better(self) -> None:
        s = self.supplied("1 INF 60 40 0")
        give(s, "replace 12 1 10")
        assert s.experience[unit(s, 12)] == 39

    def test_limits(self) -> None:
        s = self.supplied("1 INF 50 70 0", "2 PZ 100 70 0", pools={"vehicle": 25})
        give(s, "get 12")
        assert verbs(s, "replace") == ["1 10", "1 20", "2 10", "2 20"]
        assert refused(s, "replace 1 30").rule == "4.9"
        assert refused(s, "replace 1 15").rule == "6.4"
        assert refused(s, "replace 2 30").rule == "6.4"
        assert refused(s, "replace 3 10").rule == "6.4"

    def test_an_elite_ss_point_costs_two_and_one(self) -> None:
        s = self.supplied("LAH SS MOT 100 90 0")
        give(s, "get 12", "replace 1 20")
        assert (s.pools[0][INF_POOL], s.pools[0][VEH_POOL]) == (460, 280)

    def test_order_of_events(self) -> None:
        s = self.supplied("1 INF 50 70 0")
        give(s, "get 12", "plot 1", "replace 1 10", "unplot", "artillery")
        assert refused(s, "replace 1 10").rule == "6.4", "not after artillery"
        s = self.supplied("1 INF 50 70 0")
        give(s, "get 12", "step 1")
        assert refused(s, "replace 1 10").rule == "6.4", "not after strategic movement"
        s = moving({12: inf("1922", "1 INF 50 70 0")}, pools={"axis": {"infantry": 100}})
        give(s, "get 12")
        assert refused(s, "replace 1 10").rule == "6.4", "not out of supply"

    def test_the_staff_fills_the_weakest_first(self) -> None:
        s = self.supplied("1 INF 60 70 0", "2 INF 20 70 0", pools={"infantry": 45})
        give(s, "auto replace")
        assert [s.strength[u] for u in s.group_units[12]] == [60, 60]


class TestArtillery:
    def guns(self, artillery: int = 0, pool: int = 100, **fields: Any) -> State:
        groups = {12: inf("1922", supplied=True, artillery=artillery)}
        return moving(groups, pools={"axis": {"artillery": pool}}, **fields)

    @pytest.mark.parametrize(("has", "pool", "gets"), [(0, 100, 30), (0, 12, 12), (210, 100, 30)])
    def test_thirty_points_or_the_rest_of_the_pool(self, has: int, pool: int, gets: int) -> None:
        s = self.guns(has, pool)
        give(s, "artillery 12")
        assert (s.artillery[12], s.pools[0][ART_POOL]) == (has + gets, pool - gets)

    def test_the_manuals_key(self) -> None:
        s = self.guns()
        give(s, "get 12", "r 6")
        assert s.artillery[12] == 30

    def test_once_a_turn_and_then_nothing_else(self) -> None:
        s = self.guns()
        give(s, "get 12", "artillery")
        assert refused(s, "artillery").rule == "6.5"
        assert refused(s, "step 1").rule == "6.5"
        assert refused(s, "plot 1B").rule == "6.5"

    def test_standing_plots_by_option(self) -> None:
        s = self.guns(options={"gun_plots": "standing"})
        give(s, "get 12", "artillery")
        assert sorted(verbs(s, "plot")) == sorted(f"{d}{e}" for d in range(1, 7) for e in "SB")
        assert refused(s, "plot 1").rule == "6.5"

    def test_when_none_is_added(self) -> None:
        s = self.guns(artillery=211)
        give(s, "get 12")
        assert refused(s, "artillery").rule == "8.10"
        s = self.guns(pool=0)
        give(s, "get 12")
        assert refused(s, "artillery").rule == "6.5"
        s = self.guns()
        give(s, "get 12", "plot 1")
        assert refused(s, "artillery").rule == "6.5"


class TestEntrenchment:
    def dig(self, s: State, *dice: int, side: int = 0) -> None:
        scripted = ScriptedDice(dice)
        entrenchment.attempt(s, side, Context(scripted))
        assert scripted.left == 0

    def test_one_chance_in_two_for_the_next_level(self) -> None:
        s = moving({12: inf("1922", supplied=True, entrench=4), 13: inf("2626", "2 INF 70 70 0", entrench=2)})
        self.dig(s, 50, 51)
        assert (s.entrench[12], s.entrench[13]) == (5, 2)
        self.dig(s, 50)
        assert (s.entrench[12], s.entrench[13]) == (5, 3), "level 5 is the last"

    @pytest.mark.parametrize(
        ("level", "supplied", "tries"), [(2, False, 1), (3, False, 0), (4, False, 0), (3, True, 1)]
    )
    def test_out_of_supply_up_to_level_3(self, level: int, supplied: bool, tries: int) -> None:
        s = moving({12: inf("1922", supplied=supplied, entrench=level)})
        self.dig(s, *[1] * tries)
        assert s.entrench[12] == level + tries

    @pytest.mark.parametrize("plot", ["1", "1S", "1B"])
    def test_not_for_groups_that_moved_or_plotted(self, plot: str) -> None:
        mover = inf("2626", "2 INF 70 70 0", supplied=True)
        s = moving({12: inf("1922", supplied=True, plot=plot), 13: mover})
        give(s, "move 13 1")
        self.dig(s)

    def test_a_bombarding_group_may_dig_by_option(self) -> None:
        s = moving({12: inf("1922", supplied=True, plot="1B")}, options={"bombard_entrench": "yes"})
        self.dig(s, 1)

    @pytest.mark.parametrize(("level", "chance"), [(1, 80), (2, 65), (3, 50), (4, 50)])
    def test_soviet_spades_by_level(self, level: int, chance: int) -> None:
        s = moving({76: rifles("1922")}, level=level)
        assert entrenchment.chance(s, 1) == chance and entrenchment.chance(s, 0) == 50
        self.dig(s, chance, side=1)
        self.dig(s, chance + 1, side=1)
        assert s.entrench[76] == 1

    def test_it_comes_at_the_end_of_the_phase(self) -> None:
        s = moving({76: rifles("1922", supplied=True)}, side="soviet")
        give(s, "done", dice=[("entrench", 1)])
        assert s.entrench[76] == 1
        decision = GAME.decision(s)
        assert decision is not None and decision.seat == "axis"
