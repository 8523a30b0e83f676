"""The planner of War in Russia: army groups, marches behind the enemy, lessons, last weeks, edited data."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rasputitsa.ai.players import player
from rasputitsa.ai.wir.campaigns.campaigns import SteadyClock
from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.geography import geography
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import sectors as armies
from rasputitsa.ai.wir.planning.artillery import ArtilleryPlanner
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of
from rasputitsa.ai.wir.planning.crowding import without_room
from rasputitsa.ai.wir.planning.encirclement import Encirclement
from rasputitsa.ai.wir.planning.line import AWAY, Line
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner, line_policy_of
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.production import MECH, PZ, RIFLE, Production
from rasputitsa.ai.wir.players.levels import EasyPlanner
from rasputitsa.ai.wir.players.planner import PhasePlayer
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.plot import BOMBARD, hexes, read, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import ELITE_ENTRY, FINE, RAIN
from rasputitsa.wir.model.theatre import AIRCRAFT, ARTILLERY, AXIS, SOVIET, VEHICLE
from rasputitsa.wir.rules.adjustment.recruits import entry_of
from tests.unit.wir.board import GAME, board, h, inf, rifles, tanks

STRONG = ["1 INF 70 70 0"] * 4


def test_a_player_needs_all_three_phases() -> None:
    class Half(PhasePlayer):
        def adjust(self, s: Any, side: int) -> list[Any]:
            return []

    with pytest.raises(TypeError, match="abstract"):
        Half(GAME, {})  # type: ignore[abstract]


# ---------------------------------------------------------------------- production

FULL = {"infantry": 1000, "vehicle": 2550, "artillery": 100, "aircraft": 0, "factories": 1}


def orders(s: State, side: int) -> list[tuple[str, int]]:
    """What a side's production does with its points."""
    return [(order.verb, order.args[0]) for order in Production(s, side, Situation(s, side)).plan() if order.args]


@pytest.mark.parametrize(("scenario", "name"), [("barbarossa", RIFLE), ("case_blue", MECH)])
def test_spare_vehicles_make_mechanized_corps_from_1942(scenario: str, name: str) -> None:
    """In 1941 its recruits know little more than riflemen (20 and 10); later they have an experience of 70."""
    s = board({80: rifles("2016"), 12: inf("1016")}, scenario=scenario, phase="adjust", side="soviet",
              pools={"soviet": FULL})  # fmt: skip
    assert {n for verb, n in orders(s, SOVIET) if verb == "type"} == {entry_of(s, SOVIET, name)}


def test_recruits_are_saved_up_for_a_mechanized_corps() -> None:
    """Riflemen are not raised instead, unless there are no vehicles."""
    for vehicles, built in ((2550, []), (0, [RIFLE])):
        pools = {**FULL, "infantry": 190, "vehicle": vehicles}
        s = board({80: rifles("2016"), 12: inf("1016")}, scenario="case_blue", phase="adjust", side="soviet",
                  pools={"soviet": pools})  # fmt: skip
        entries = {n for verb, n in orders(s, SOVIET) if verb == "type"}
        assert entries == {entry_of(s, SOVIET, name) for name in built}


@pytest.mark.parametrize(("scenario", "name"), [("case_blue", PZ), ("zitadelle", ELITE_ENTRY)])
def test_divisions_that_are_ready_at_once_come_first(scenario: str, name: str) -> None:
    """From 1943 all other German recruits have an experience of 10."""
    s = board({80: rifles("2016"), 12: inf("1016")}, scenario=scenario, phase="adjust", pools={"axis": FULL})
    assert next(n for verb, n in orders(s, AXIS) if verb == "type") == entry_of(s, AXIS, name)


@pytest.mark.parametrize(
    ("pools", "works"), [({}, ARTILLERY), ({"vehicle": 500}, VEHICLE), ({"artillery": 2000}, AIRCRAFT)]
)
def test_works_are_built_for_what_is_short(pools: dict[str, int], works: int) -> None:
    """A pool that is full takes no more (8.5)."""
    s = board({80: rifles("2016"), 12: inf("1016")}, scenario="barbarossa_short", phase="adjust", side="soviet",
              pools={"soviet": {**FULL, **pools}})  # fmt: skip
    assert [n for verb, n in orders(s, SOVIET) if verb == "works"] == [works]


@pytest.mark.parametrize(("there", "built"), [(250, True), (254, True), (255, False)])
def test_works_are_built_as_long_as_a_city_has_room(there: int, built: bool) -> None:
    """8.5: a city holds 255 factories of a kind."""
    s = board({80: rifles("2016"), 12: inf("0116")}, scenario="barbarossa_short", phase="adjust", side="soviet",
              pools={"soviet": FULL})  # fmt: skip
    s.values[ARTILLERY][:] = bytes([there] * len(s.values[ARTILLERY]))
    assert any(verb == "works" and n == ARTILLERY for verb, n in orders(s, SOVIET)) is built


def test_the_axis_spares_its_strength_in_the_first_winter() -> None:
    """In cold weather it fights as in rain until the spring of 1942, and next winter no longer."""
    first = board(scenario="barbarossa", weather="cold", turn=26)
    second = board(scenario="case_blue", weather="cold", turn=26)
    assert attack_policy_of(first, AXIS).least > 1.4 * attack_policy_of(second, AXIS).least


# ---------------------------------------------------------------------- army groups


def test_groups_are_lent_to_the_sector_where_the_enemy_stands() -> None:
    """All Soviets stand in the south, four of five Axis groups in the centre."""
    axis = {
        n: inf(hex_, *STRONG) for n, hex_ in zip(range(12, 17), ("1016", "1017", "1018", "1118", "1022"), strict=True)
    }
    enemies = {
        n: rifles(hex_, *["1 RIFLE 90 60 0"] * 5)
        for n, hex_ in zip(range(80, 84), ("1322", "1323", "1321", "1422"), strict=True)
    }
    s = board({**axis, **enemies})
    situation = Situation(s, AXIS)
    before = [armies.sector(situation, s.hex[g]) for g in axis]
    homes = armies.homes(situation)
    assert before.count(3) == 1
    assert list(homes.values()).count(3) > 1
    assert armies.shares(situation)[3] == max(armies.shares(situation))
    assert sum(armies.shares(situation)) == pytest.approx(1.0)


def test_the_south_is_given_more_than_the_centre_for_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    s = board({12: inf("1018", *STRONG), 13: inf("1022", *STRONG), 80: rifles("1218"), 81: rifles("1222")})
    situation = Situation(s, AXIS)
    with monkeypatch.context() as patch:
        patch.setattr(armies, "geography", lambda: geography()._replace(sector_weights=(1.0,) * 5))
        even = armies.shares(situation)
    leaning = armies.shares(situation)
    assert leaning[3] / leaning[2] == pytest.approx(1.3 * even[3] / even[2])
    assert sum(leaning) == pytest.approx(1.0)


def test_a_place_in_another_sector_costs() -> None:
    s = board({12: inf("1018", *STRONG), 13: inf("1022", *STRONG), 80: rifles("1218"), 81: rifles("1222")})
    situation = Situation(s, AXIS)
    line = Line(s, AXIS, situation, line_policy_of(s, AXIS)._replace(sectors=True))
    line.homes = {12: 2, 13: 3}
    post = next(p for p in line.posts() if armies.sector(situation, p.hex) == 2)
    way = line._way(12)
    at_home = line._benefit(12, post, way)
    line.homes[12] = 3
    assert at_home - line._benefit(12, post, way) == pytest.approx(AWAY)


def test_a_superior_soviet_side_closes_up_to_the_enemy() -> None:
    """It moves its line towards an enemy whom it outweighs, but not in rain."""
    for corps in (12, 2):
        many = ["1 GDS RIFLE 110 80 0"] * (corps // 2)
        groups = {12: inf("1922", *STRONG), 80: rifles("2222", *many), 81: rifles("2223", *many)}
        s = board(groups, scenario="zitadelle", side="soviet")
        assert (line_policy_of(s, SOVIET).push > 0) == (corps == 12)
        s.weather = RAIN
        assert line_policy_of(s, SOVIET).push == 0


# ---------------------------------------------------------------------- encirclements


def ring() -> dict[int, dict[str, Any]]:
    """A strong Soviet group and Axis infantry west of it; the way east is open."""
    groups = {n: inf(hex_, *STRONG) for n, hex_ in zip((12, 13), ("1821", "1822"), strict=True)}
    return {**groups, 80: rifles("1922", *["1 RIFLE 90 60 0"] * 5)}


def test_a_panzer_group_closes_the_way_home() -> None:
    s = board({**ring(), 1: tanks("1920", *["1 PZ 150 70 0"] * 3), 81: rifles("2626")})
    s.supplied |= 1 << 1
    situation = Situation(s, AXIS)
    situation.supplied_hexes = s.rules.map.passable
    found = Encirclement(s, AXIS, situation, attack_policy_of(s, AXIS)).plan()
    assert set(found) == {1}
    zones = sum({1 << s.hex[g] for g in (12, 13)}) | 1 << found[1]
    closed = zones
    for hex_ in members(zones):
        closed |= s.rules.map.reach[hex_]
    assert not s.rules.map.reach[h(s, "1922")] & ~closed


def test_tired_panzers_stay() -> None:
    s = board({**ring(), 1: tanks("1920", *["1 PZ 150 70 45"] * 3), 81: rifles("2626")})
    s.supplied |= 1 << 1
    situation = Situation(s, AXIS)
    situation.supplied_hexes = s.rules.map.passable
    assert Encirclement(s, AXIS, situation, attack_policy_of(s, AXIS)).plan() == {}


def test_weariness_counts_more_the_more_there_is() -> None:
    costs = []
    for fatigue in (0, 30, 60):
        s = board({12: inf("1922", f"1 INF 70 70 {fatigue}"), 80: rifles("2626")})
        costs.append(Situation(s, AXIS).strain[12])
    assert costs[0] < costs[1] < costs[2]


# ---------------------------------------------------------------------- lessons and last weeks


@pytest.mark.parametrize("name", ["depots", "pocket"])
def test_the_planner_plays_for_the_goal_of_a_lesson(name: str) -> None:
    info = next(info for info in GAME.lessons() if info.id == name)
    other = "soviet" if info.seat == "axis" else "axis"

    def reached(seed: int) -> bool:
        s, dice = GAME.load_position(GAME.lesson(name)), SeededDice(seed)
        minds = {info.seat: player("planner", GAME, {}, seed), other: player("greedy", GAME, {}, seed)}
        while (decision := GAME.decision(s)) is not None:
            mind = minds[decision.seat]
            GAME.apply(s, mind.choose(GAME.view_of(s, decision.seat), decision, SteadyClock(10)), dice)
        assert s.outcome is not None
        return s.outcome.winner == info.seat

    assert any(reached(seed) for seed in range(3))


def test_what_a_side_wants_in_a_lesson() -> None:
    s = GAME.load_position(GAME.lesson("pocket"))
    hexes = {s.hex[g] for g in (66, 85, 86)}
    assert set(members(lesson.wanted(s, AXIS))) == hexes
    assert lesson.to_keep(s, SOVIET) == lesson.to_remove(s, AXIS) == 1 << 66 | 1 << 85 | 1 << 86
    s = GAME.load_position(GAME.lesson("hold"))
    tula = h(s, "1816")
    assert lesson.lacking(s, AXIS) == lesson.wanted(s, AXIS) == 1 << tula
    assert not lesson.lacking(s, SOVIET)
    situation = Situation(s, AXIS)
    assert situation.worth[tula] == max(situation.worth.values())
    assert situation.pull[tula] == max(situation.pull)
    assert lesson.progress(s, SOVIET) == -lesson.progress(s, AXIS) > 0


def test_without_a_lesson_the_enemys_cities_are_wanted() -> None:
    s = GAME.setup("barbarossa_short", {})
    assert lesson.wanted(s, AXIS) == s.city_hexes[SOVIET] == Situation(s, AXIS).wanted


def test_in_the_last_weeks_places_count_more_and_losses_less() -> None:
    s = GAME.setup("barbarossa_short", {})
    s.weather, s.turn = FINE, s.rules.turns - 8
    usual = attack_policy_of(s, AXIS)
    s.turn = s.rules.turns
    last = attack_policy_of(s, AXIS)
    assert last.prize > usual.prize
    assert last.own_loss < usual.own_loss
    assert last.wear < usual.wear


# ---------------------------------------------------------------------- edited data, levels


def test_figures_are_those_of_the_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    s = board({12: inf("1922", *STRONG), 80: rifles("1921", *["1 RIFLE 90 60 0"] * 2, entrench=2)})

    def odds() -> float:
        return (
            Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
            .weigh(h(s, "1921"), [(12, h(s, "1922"))], 0)
            .odds
        )

    usual = odds()
    monkeypatch.setattr(s.rules, "entrenchment", s.rules.entrenchment._replace(defence=(1.0, 3.0, 6.0, 7.0, 8.0, 9.0)))
    assert odds() < usual / 3


def test_the_easy_planner_is_distinguished_from_the_usual_one() -> None:
    assert isinstance(player("planner-easy", GAME, {}), EasyPlanner)


# ---------------------------------------------------------------------- artillery


def bombarded(s: State) -> str:
    """The hex that group 12 is told to bombard without an assault."""
    order_list = OrderList(s)
    ArtilleryPlanner(order_list, AXIS, Situation(s, AXIS)).plan()
    plot = unpack(order_list.s.plot[12])
    if not plot.first or plot.ending != BOMBARD:
        return ""
    return s.rules.grid.names[s.rules.map.step[s.hex[12]][plot.first]]


def gunners(guns: int, pool: int, **more: Any) -> State:
    """A group with guns, weak enemies to its north and strong ones south of it."""
    enemies = {80: rifles("1921", "1 RIFLE 30 30 0"), 81: rifles("1923", *["1 RIFLE 90 45 0"] * 5, **more)}
    pools = {"axis": {"artillery": pool}}
    return board(
        {12: inf("1922", *["1 INF 70 70 0"] * 2, artillery=guns, entrench=5, supplied=True), **enemies}, pools=pools
    )


def test_idle_guns_fire_where_they_destroy_most() -> None:
    assert bombarded(gunners(200, 2000)) == "1923"


def test_guns_are_saved_where_shells_are_short_or_would_do_little() -> None:
    assert bombarded(gunners(200, 2000)) and not bombarded(gunners(20, 2000))
    assert not bombarded(gunners(100, 30, entrench=5))


def test_the_easy_planner_leaves_its_guns_silent() -> None:
    s = gunners(200, 2000)
    for unit in s.group_units[12]:
        s.fatigue[unit] = 95
    for name, fires in (("planner", True), ("planner-easy", False)):
        mind = player(name, GAME, {}, 1)
        assert isinstance(mind, PhasePlayer)
        orders = mind.move(s, AXIS, lambda: True)
        plots = [unpack(order.args[0]).ending for order in orders if order.verb == "plot"]
        assert (BOMBARD in plots) is fires


def test_groups_that_do_not_fire_add_guns() -> None:
    s = gunners(20, 2000)
    order_list = OrderList(s)
    ArtilleryPlanner(order_list, AXIS, Situation(s, AXIS)).plan()
    assert order_list.s.artillery[12] == 20 + s.rules.guns.step


# ---------------------------------------------------------------------- room (6.7)

PANZERS = ["1 PZ 90 80 0"] * 4


def plotted(groups: dict[int, tuple[str, str]]) -> State:
    """A map with groups and their plots, and a weak enemy."""
    s = board({n: tanks(where, *PANZERS) for n, (where, _) in groups.items()} | {76: rifles("1921")})
    for n, (_, plot) in groups.items():
        s.plot[n] = read(plot) if plot else 0
    return s


def test_three_groups_of_an_attack_do_not_pass_through_one_hex() -> None:
    s = board({1: tanks("1015", *PANZERS), 2: tanks("1015", *PANZERS), 3: tanks("1016", *PANZERS), 76: rifles("1215")})
    assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    assault.plan()
    ways = [hexes(s.rules.map.step, s.hex[group], plot) for group, plot in assault.plots.items()]
    assert len(ways) == 3
    assert max(Counter(way[0] for way in ways).values()) <= s.rules.stack_limit


def test_a_group_finds_no_room_behind_two_others() -> None:
    assert without_room(plotted({1: ("1823", "2"), 2: ("1924", "1"), 3: ("2025", "1")}), AXIS) == []
    assert without_room(plotted({1: ("1823", "2"), 2: ("1924", "1"), 3: ("1922", "4")}), AXIS) == [3]
    assert without_room(plotted({1: ("1823", "2"), 2: ("1924", "1"), 3: ("1922", "4S")}), AXIS) == []
    assert without_room(plotted({1: ("1823", "2"), 2: ("1924", "")}), AXIS) == []


def test_who_attacks_or_goes_on_makes_room() -> None:
    """Group 1 leaves its hex by an attack of the first round; it is entered in the second."""
    standing = plotted({1: ("1922", ""), 2: ("1922", ""), 3: ("1924", "11")})
    assert without_room(standing, AXIS) == [3]
    leaving = plotted({1: ("1922", "1"), 2: ("1922", ""), 3: ("1924", "11")})
    assert without_room(leaving, AXIS) == []
    staying = plotted({1: ("1922", "1S"), 2: ("1922", ""), 3: ("1924", "11")})
    assert without_room(staying, AXIS) == [3]


def test_the_planner_takes_back_what_finds_no_room() -> None:
    s = plotted({1: ("1823", "2"), 2: ("1924", "1"), 3: ("1922", "4")})
    planner = MovementPlanner(s, AXIS, random.Random(1))
    planner.order_list.s.plot[:] = s.plot
    planner._make_room()
    assert without_room(planner.s, AXIS) == []
    assert [n for n in (1, 2, 3) if planner.s.plot[n]] == [1, 2]
