"""War in Russia, chapter 4: groups, transfers, aircraft, building, factories, ships."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.actions import HALT, PARAGRAPHS, VERBS
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    AIR_POOL,
    CONSTRUCTION,
    DEPOT,
    FACTORIES,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    VEH_POOL,
    groups_of,
)
from rasputitsa.wir.model.theatre import ARTILLERY, AXIS, INDUSTRY, POPULATION, VEHICLE
from rasputitsa.wir.rules.adjustment.adjust import AircraftSent, GunsSent
from rasputitsa.wir.rules.adjustment.build import FactoriesDismantled
from rasputitsa.wir.rules.adjustment.recruits import free_elite
from rasputitsa.wir.rules.execution.air import Intercepted
from rasputitsa.wir.rules.supply.supply import GroupsSupplied
from tests.unit.wir.board import GAME, at, base, board, give, h, inf, kind, refused, rifles, tanks, unit, verbs


def adjusting(groups: Any = None, side: str = "axis", **fields: Any) -> State:
    return board(groups, phase="adjust", side=side, **fields)


def rich(**pools: int) -> dict[str, Any]:
    return {"pools": {name: {"infantry": 2000, "vehicle": 2000, **pools} for name in ("axis", "soviet")}}


@pytest.mark.parametrize(
    ("side", "group_kind", "first", "last"),
    [
        (0, MECHANIZED, 1, 11), (0, INFANTRY, 12, 51), (0, AIR, 52, 57), (0, DEPOT, 58, 63),
        (1, MECHANIZED, 64, 75), (1, INFANTRY, 76, 115), (1, AIR, 116, 121), (1, DEPOT, 122, 127),
    ],
)  # fmt: skip
def test_group_numbers_are_the_manuals(side: int, group_kind: int, first: int, last: int) -> None:
    assert groups_of(side, group_kind) == tuple(range(first, last + 1))
    assert KIND[first] == KIND[last] == group_kind


class TestDividing:
    def test_a_new_group_takes_the_lowest_unused_number_of_its_type(self) -> None:
        units = ("1 INF 70 70 0", "2 INF 60 70 0", "3 INF 50 70 0")
        s = adjusting({12: inf("1922", *units, artillery=90), 13: inf("2626")})
        give(s, "divide 12 inf: 1 3 guns 40")
        assert at(s, 14) == "1922"
        assert [s.strength[u] for u in s.group_units[14]] == [50, 70]
        assert [s.strength[u] for u in s.group_units[12]] == [60]
        assert (s.artillery[12], s.artillery[14]) == (50, 40)
        assert kind(s) == "adjust"

    def test_a_group_that_loses_all_units_is_removed(self) -> None:
        s = adjusting({1: tanks("1922")})
        give(s, "divide 1 inf: 1")
        assert at(s, 1) == "" and at(s, 12) == "1922"

    def test_a_division_ends_by_itself_only_when_something_is_sent(self) -> None:
        """Its end is called what it comes to, and one that forms no group is never what is usually answered."""
        s = adjusting({12: inf("1922", "1 INF 70 70 0", "2 INF 70 70 0"), 20: inf("2626"), 21: inf("2626")})

        def told() -> tuple[str, str]:
            return GAME.label(s, HALT), GAME.gives_up(s, HALT)

        give(s, "divide 12", "form 2")
        assert told() == ("Do not divide the group", "no unit is sent yet, so no group is formed")
        give(s, "send 1")
        assert told() == ("End the division", "")
        give(s, "halt", "transfer 20 21")
        assert told() == ("End the transfer", "")

    def test_a_stacked_group_does_not_divide(self) -> None:
        s = adjusting({12: inf("1922"), 13: inf("1922", "2 INF 70 70 0")})
        assert refused(s, "divide 12").rule == "4.3"
        assert "divide 12" not in verbs(s, "divide")

    def test_infantry_does_not_go_into_a_mechanized_group(self) -> None:
        s = adjusting({1: tanks("1922"), 12: inf("1922", "5 PZ 100 70 0", "1 INF 70 70 0")})
        give(s, "transfer 12 1")
        assert verbs(s, "send") == ["1"]
        assert refused(s, "send 2").rule == "4.1"

    def test_the_italian_motorized_division_stays_with_the_infantry(self) -> None:
        s = adjusting({1: tanks("1922"), 12: inf("1922", "1C IT MOT 80 40 0")})
        assert refused(s, "transfer 12 1").rule == "4.1"

    def test_nothing_divides_when_all_numbers_of_the_type_are_in_use(self) -> None:
        s = adjusting({12: inf("1922", "1 INF 70 70 0", "2 INF 70 70 0")})
        free = iter(members(s.rules.map.passable & s.control & ~s.city_hexes[1]))
        for number in groups_of(0, INFANTRY):
            if number != 12:
                s.place(number, next(free))
        assert refused(s, "divide 12").rule == "4.3"


class TestTransferring:
    def test_units_and_guns_change_groups_in_a_hex(self) -> None:
        units = ("1 INF 70 70 0", "2 INF 60 70 0")
        s = adjusting({12: inf("1922", *units, artillery=200), 13: inf("1922", artillery=200)})
        told = give(s, "transfer 12 13: 1 guns 150", "transfer 12 13: guns 50")
        assert len(s.group_units[13]) == 2
        assert s.artillery[13] == 400
        assert [event.args for event in told if event.kind == "guns_sent"] == [(0, 12, 13, 150), (0, 12, 13, 50)]

    def test_six_units_are_the_most(self) -> None:
        full = [f"{n} INF 70 70 0" for n in range(1, 7)]
        s = adjusting({12: inf("1922", "9 INF 70 70 0"), 13: inf("1922", *full)})
        assert refused(s, "transfer 12 13").rule == "4.4"
        assert verbs(s, "transfer") == ["13 12"]

    def test_the_last_unit_takes_its_group_off_the_map(self) -> None:
        s = adjusting({12: inf("1922"), 13: inf("1922", "2 INF 70 70 0")})
        give(s, "transfer 12 13: 1")
        assert at(s, 12) == "" and len(s.group_units[13]) == 2

    def test_groups_in_different_hexes_exchange_nothing(self) -> None:
        assert refused(adjusting({12: inf("1922"), 13: inf("2626")}), "transfer 12 13").rule == "4.4"


class TestAircraft:
    def test_fifty_points_a_turn_those_from_the_pool_included(self) -> None:
        s = adjusting({52: base("1922", 100), 53: base("2626", 10)}, pools={"axis": {"aircraft": 40}})
        (told,) = give(s, "aircraft R 53 30")
        assert (told.kind, told.args) == ("aircraft_sent", (0, 0, 53, 30))
        give(s, "aircraft 52 53")
        assert verbs(s, "points")[-1] == "20"
        give(s, "points 20")
        assert (s.aircraft[52], s.aircraft[53], s.pools[0][AIR_POOL]) == (80, 60, 10)
        assert refused(s, "reinforce 53").rule == "4.5"

    def test_a_group_holds_255(self) -> None:
        s = adjusting({52: base("1922", 100), 53: base("2626", 250)})
        give(s, "aircraft 52 53")
        assert verbs(s, "points") == ["1", "2", "3", "4", "5"]
        give(s, "points 5")
        assert refused(s, "aircraft 52 53").rule == "4.2"


class TestBuildingUnits:
    @pytest.mark.parametrize(
        ("side", "form", "order", "points", "infantry", "vehicle"),
        [
            ("axis", "inf", "INF", 70, 70, 0),
            ("axis", "mech", "PZ", 150, 150, 150),
            ("soviet", "inf", "RIFLE", 90, 90, 0),
            ("soviet", "mech", "TANK", 60, 60, 60),
            ("soviet", "mech", "MECH", 90, 180, 90),
        ],
    )
    def test_costs(self, side: str, form: str, order: str, points: int, infantry: int, vehicle: int) -> None:
        s = adjusting(side=side, **rich())
        where = "Germany" if side == "axis" else "Gorki"
        dice = [100] if order in ("INF", "RIFLE") else []
        give(s, f"build {where} {form} {order} {points}", dice=dice)
        number = 0 if side == "axis" else 1
        assert s.pools[number][INF_POOL] == 2000 - infantry
        assert s.pools[number][VEH_POOL] == 2000 - vehicle

    def test_the_menu_tells_the_costs(self) -> None:
        s = adjusting(**rich())
        give(s, "build Germany", "form 2")
        told = [GAME.label(s, action) for action in GAME.legal(s) if action.verb == "type"]
        assert told == [
            "PZ: Panzer division, at most 150 points at 1 infantry and 1 vehicle each, experience 70",
            "INF: Infantry division, at most 70 points at 1 infantry each, experience 70",
            "SS elite: Elite SS motorized division, at most 140 points at 2 infantry and 1 vehicle each, experience 90",
        ]

    def test_an_elite_ss_division_costs_two_infantry_and_a_vehicle_point(self) -> None:
        s = adjusting(scenario="zitadelle", **rich())
        give(s, "build Germany mech SS elite 200")
        assert (s.pools[0][INF_POOL], s.pools[0][VEH_POOL]) == (1600, 1800)
        assert s.unit_label(unit(s, 1)).startswith("LAH")
        assert s.experience[unit(s, 1)] == 90

    def test_the_elite_divisions_by_date(self) -> None:
        assert free_elite(adjusting()) == ["LAH", "D.R", "TOT", "WIK"]
        assert free_elite(adjusting(scenario="zitadelle"))[4:] == ["HOH", "FRU", "H.J"]
        assert free_elite(GAME.setup("barbarossa", {})) == []
        without = adjusting({1: tanks("1922", "LAH SS MOT 100 90 0", "WIK SS MOT 100 90 0")}, scenario="case_blue")
        assert free_elite(without) == ["D.R", "TOT"]

    @pytest.mark.parametrize(
        ("scenario", "order", "experience", "most"),
        [
            ("barbarossa", "inf INF", 70, 70), ("zitadelle", "inf INF", 10, 90),
            ("barbarossa", "mech PZ", 70, 150), ("zitadelle", "mech PZ", 10, 150),
        ],
    )  # fmt: skip
    def test_german_experience_and_strength(self, scenario: str, order: str, experience: int, most: int) -> None:
        s = adjusting(scenario=scenario, **rich())
        form, name = order.split()
        menu = {"PZ": 1, "INF": 2}
        give(s, "build Germany", f"form {1 if form == 'mech' else 2}", f"type {menu[name]}")
        assert verbs(s, "strength") == [str(n) for n in range(10, most + 1, 10)]
        assert refused(s, f"strength {most + 10}").rule == "4.9"
        assert refused(s, "strength 15").rule == "4.9"
        dice = [] if name == "PZ" and scenario == "barbarossa" else [100]
        give(s, f"strength {most}", dice=dice)
        built = next(u for g in (1, 12) for u in s.group_units[g])
        assert (s.strength[built], s.experience[built]) == (most, experience)

    @pytest.mark.parametrize(("year", "tank", "mech"), [("barbarossa", 60, 90), ("case_blue", 120, 150)])
    def test_soviet_armor_grows_in_1942(self, year: str, tank: int, mech: int) -> None:
        s = adjusting(side="soviet", scenario=year, **rich())
        most = s.rules.most[s.year]
        assert (most[s.rules.type_named["TANK"]], most[s.rules.type_named["MECH"]]) == (tank, mech)

    def test_a_rifle_order_of_1941_may_turn_out_cavalry(self) -> None:
        s = adjusting(side="soviet", **rich())
        give(s, "build Gorki inf RIFLE 90", dice=[15])
        corps = unit(s, 76)
        assert s.unit_label(corps) == "1 CAV"
        assert s.strength[corps] == 60, "no more than its kind allows"
        assert s.pools[1][INF_POOL] == 1940, "and no more is paid"

    def test_an_infantry_order_of_1943_may_turn_out_ss_cavalry(self) -> None:
        s = adjusting(scenario="zitadelle", **rich())
        give(s, "build Germany inf INF 90", dice=[30])
        assert s.unit_label(unit(s, 12)) == "F.G SS CAV"

    def test_several_units_go_into_one_new_group(self) -> None:
        s = adjusting(**rich())
        give(s, "build Warsaw inf INF 70, INF 50, PZ 10", dice=[100, 100])
        assert [s.strength[u] for u in s.group_units[12]] == [70, 50, 10]

    def test_where_nothing_is_built(self) -> None:
        s = adjusting({12: inf("0319"), 76: rifles("0419")}, **rich())
        assert refused(s, "build 1817").rule == "4.9", "no city"
        assert "control" in refused(s, "build Moscow").reason
        assert "adjacent" in refused(s, "build Warsaw").reason
        s = adjusting(**rich())
        s.values[POPULATION][s.rules.city("Warsaw")] = 0
        assert "population" in refused(s, "build Warsaw").reason

    def test_a_third_group_would_be_too_many(self) -> None:
        s = adjusting({12: inf("0319"), 13: inf("0319", "5 INF 70 70 0")}, **rich())
        assert refused(s, "build Warsaw").rule == "6.7"

    def test_empty_pools_build_nothing(self) -> None:
        s = adjusting(pools={"axis": {"infantry": 9, "vehicle": 500}})
        assert verbs(s, "build") == []
        assert refused(s, "build Warsaw").rule == "4.9"

    def test_a_form_is_refused_for_the_pools_and_what_is_no_form_for_that(self) -> None:
        s = adjusting(pools={"axis": {"infantry": 500, "vehicle": 0}})
        give(s, "build Warsaw")
        assert verbs(s, "form") == ["2"]
        assert "pools do not suffice" in GAME.refusal(s, Action("form", (1,))).reason
        assert GAME.refusal(s, Action("form", (3,))).reason == "form 1 a mechanized or 2 an infantry group, or back"

    def test_the_reason_that_holds_is_given_where_no_group_can_be_formed(self) -> None:
        poor = "the pools do not suffice for 10 points"
        s = adjusting(pools={"axis": {"infantry": 500, "vehicle": 0}})
        for group in groups_of(0, INFANTRY):
            s.place(group, h(s, "1922"))
        told = f"all numbers of infantry groups are in use, and {poor} of a unit for any other group"
        assert refused(s, "build Warsaw").reason == told
        s.pools[0][INF_POOL] = 9
        assert refused(s, "build Warsaw").reason == poor
        s.pools[0][INF_POOL] = s.pools[0][VEH_POOL] = 500
        for group in groups_of(0, MECHANIZED):
            s.place(group, h(s, "2626"))
        assert refused(s, "build Warsaw").reason == "all numbers of mechanized and infantry groups are in use"

    def test_199_units_are_the_most(self) -> None:
        s = adjusting(**rich())
        s.utype[:199] = bytes([1] * 199)
        assert refused(s, "build Warsaw").rule == "4.9"

    def test_a_unit_that_may_not_be_built_is_refused_for_what_it_is_as_long_as_there_is_room(self) -> None:
        s = adjusting({12: inf("0319")}, **rich())
        give(s, "build Warsaw", "form 2")
        s.utype[0] = 0
        assert s.free_slot(0) == 0
        assert "199" not in refused(s, "type 17").reason
        s.utype[:199] = bytes([1] * 199)
        assert "199" in refused(s, "type 17").reason


class TestFactories:
    def test_the_pool_pays_for_each(self) -> None:
        s = adjusting(side="soviet", pools={"soviet": {"factories": 2}})
        gorki = s.rules.city("Gorki")
        before = [s.values[n][gorki] for n in (INDUSTRY, VEHICLE, ARTILLERY)]
        give(s, "factory Gorki vehicle", "factory Gorki artillery")
        assert [s.values[n][gorki] for n in (INDUSTRY, VEHICLE, ARTILLERY)] == [before[0], before[1] + 1, before[2] + 1]
        assert s.pools[1][FACTORIES] == 0
        assert refused(s, "factory Gorki").rule == "4.8"

    def test_a_city_holds_255_of_a_type(self) -> None:
        s = adjusting(pools={"axis": {"factories": 1}}, cities={"Germany": {"aircraft": 255}})
        give(s, "factory Germany")
        assert verbs(s, "works") == ["1", "2", "3"]
        assert refused(s, "works 4").rule == "8.5"

    def test_dismantling_turns_factories_into_one_to_five_points_each(self) -> None:
        s = adjusting(side="soviet", pools={"soviet": {"construction": 10}}, cities={"Gomel": {"industry": 3}})
        give(s, "dismantle Gomel", dice=[75, 4, 76, 1, 1])
        assert s.values[INDUSTRY][s.rules.city("Gomel")] == 1
        assert s.pools[1][CONSTRUCTION] == 15
        assert refused(s, "dismantle Kiev").rule == "4.8", "one city a turn"

    def test_dismantling_at_five_points_each(self) -> None:
        s = adjusting(side="soviet", options={"dismantle": "five"}, pools={"soviet": {"construction": 0}})
        give(s, "dismantle Gomel", dice=[1, 1])
        assert s.pools[1][CONSTRUCTION] == 10

    def test_each_factory_is_tried_in_percent_and_pays_by_a_die_of_five(self) -> None:
        s = adjusting(side="soviet", pools={"soviet": {"construction": 0}})
        dice = SeededDice(1)
        GAME.apply(s, GAME.parse(s, "dismantle Gomel")[0], dice)
        assert {draw.sides for draw in dice.drawn} == {100, 5}

    def test_a_city_without_factories_has_nothing_to_dismantle(self) -> None:
        assert refused(adjusting(side="soviet"), "dismantle Brest").rule == "4.8"


class TestNavalMovement:
    def test_one_unit_sails_between_ports_of_a_sea(self) -> None:
        units = ("1 RIFLE 90 30 0", "2 TANK 60 30 0")
        s = adjusting({76: rifles("1127", *units), 77: rifles("1530")}, "soviet")
        give(s, "naval 76 77")
        assert s.stack[-1].prompt(s) == "Which unit sails? One a turn may sail on the Black Sea"
        assert verbs(s, "send") == ["1"]
        assert refused(s, "send 2").rule == "4.10"
        give(s, "send 1")
        assert [len(s.group_units[g]) for g in (76, 77)] == [1, 2]
        assert refused(s, "naval 77 76").rule == "4.10", "one a turn"

    def test_the_soviets_never_sail_on_the_baltic(self) -> None:
        s = adjusting({76: rifles("0612"), 77: rifles("0708")}, "soviet", cities={"Helsinki": {"owner": "soviet"}})
        assert refused(s, "naval 76 77").rule == "4.10"

    @pytest.mark.parametrize("weather", ["clear", "rain", "cold", "very cold"])
    def test_the_white_sea_is_closed_by_frost(self, weather: str) -> None:
        s = adjusting({76: rifles("1402"), 77: rifles("1905")}, "soviet", weather=weather)
        assert bool(verbs(s, "naval")) is (weather in ("clear", "rain"))

    def test_only_infantry_groups_and_no_finns(self) -> None:
        s = adjusting({1: tanks("0316"), 12: inf("0708", "1 FIN INF 110 80 0"), 13: inf("0316", "2 INF 70 70 0")})
        assert refused(s, "naval 1 12").rule == "4.10"
        assert refused(s, "naval 12 13").rule == "4.10"
        give(s, "naval 13 12: 1")
        assert at(s, 13) == "" and len(s.group_units[12]) == 2

    @pytest.mark.parametrize("lost", ["Odessa", "Sevastopol"])
    def test_a_group_in_a_port_of_the_enemy_neither_sends_nor_receives(self, lost: str) -> None:
        s = adjusting({76: rifles("1127"), 77: rifles("1530")}, "soviet")
        assert verbs(s, "naval")
        s.take_city(s.rules.city(lost), AXIS)
        s.legal = None
        assert not verbs(s, "naval")
        assert refused(s, "naval 76 77").rule == "4.10"

    def test_ports_of_different_seas(self) -> None:
        assert refused(adjusting({12: inf("0708"), 13: inf("1922")}), "naval 12 13").rule == "4.10"


class TestTalks:
    def test_the_level_of_play_changes_when_both_agree(self) -> None:
        s = adjusting()
        give(s, "level 2")
        decision = GAME.decision(s)
        assert decision is not None and decision.seat == "soviet" and decision.rule == "10.0"
        give(s, "decline")
        assert s.level == 3
        give(s, "level 1", "agree")
        assert s.level == 1
        assert refused(s, "level 1").rule == "10.0"

    def test_both_may_agree_to_end_the_game(self) -> None:
        s = adjusting()
        give(s, "end_game", "agree")
        assert s.outcome is not None and s.outcome.rule == "4.11"


@pytest.mark.parametrize(
    ("phase", "line", "title", "rule"),
    [
        ("adjust", "get 12", "Movement and tactical plot", "4.0"), ("adjust", "auto", "Supply", "5.2"),
        ("adjust", "depot 1116", "Supply", "5.2"), ("adjust", "rail", "Supply", "5.3"),
        ("adjust", "replace 1 10", "Movement and tactical plot", "6.4"),
        ("adjust", "artillery", "Movement and tactical plot", "6.5"),
        ("adjust", "plot 2B", "Movement and tactical plot", "6.6"),
        ("movement", "transfer 12 13", "Group adjustment and building", "4.4"), ("movement", "rail", "Supply", "5.3"),
        ("supply", "divide 12", "Group adjustment and building", "4.3"),
        ("supply", "get 12", "Movement and tactical plot", "6.1"),
    ],
)  # fmt: skip
def test_an_order_of_another_phase_is_told_where_it_belongs(phase: str, line: str, title: str, rule: str) -> None:
    s = board({12: inf("1922"), 13: inf("1922")}, phase=phase)
    problem = refused(s, line)
    assert problem.rule == rule and problem.reason == f"that is ordered in another phase: {title}"


@pytest.mark.parametrize(
    ("begun", "line", "rule"),
    [
        ("", "step 3", "6.2"), ("", "form 1", "4.3"), ("", "send 1", "4.4"), ("", "points 3", "4.5"),
        ("", "works 1", "4.8"), ("", "strength 50", "4.9"), ("", "agree", "4.11"), ("", "halt", "4.0"),
        ("transfer 12 13", "divide 12", "4.3"), ("transfer 12 13", "points 3", "4.5"),
        ("divide 14", "guns 10", "4.4"), ("reinforce 52", "send 1", "4.4"), ("reinforce 52", "points 99", "4.5"),
        ("naval 14 15", "send 9", "4.10"), ("naval 14 15", "level 2", "10.0"),
    ],
)  # fmt: skip
def test_an_order_out_of_place_names_its_own_paragraph(begun: str, line: str, rule: str) -> None:
    groups = {12: inf("1922", "1 INF 70 70 0", "2 INF 70 70 0"), 13: inf("1922"), 52: base("1921")}
    ports = {14: inf("0316", "3 INF 70 70 0", "5 INF 70 70 0"), 15: inf("0708", "4 INF 70 70 0")}
    s = board({**groups, **ports}, phase="adjust", pools={"axis": {"aircraft": 30}})
    give(s, *filter(None, [begun]))
    assert refused(s, line).rule == rule


def test_every_order_has_its_paragraph() -> None:
    """What is left ends or leaves what was begun."""
    assert VERBS.keys() - PARAGRAPHS.keys() == {"done", "halt", "back"}


def test_one_point_is_counted_as_one() -> None:
    s = adjusting({12: inf("1922")})
    assert GunsSent(0, 12, 13, 1).words(s) == "Axis: one artillery point goes from group 12 to group 13"
    assert AircraftSent(0, 0, 53, 1).words(s) == "Axis: one aircraft point goes from the pool to air group 53"
    assert "one factory of" in FactoriesDismantled(0, 0, 1, 1).words(s)
    assert Intercepted(52, 0, (118,), 1, 2).words(s).endswith(": one point lost against two points")
    assert GroupsSupplied(0, s.hex[12], 1, 1).words(s).endswith(": one group in supply, one supply point consumed")
