"""What the players of War in Russia assume follows the rules and the data folder: speeds, plots, prices."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.wir.evaluation.geography import geography
from rasputitsa.ai.wir.evaluation.opponent_model import OpponentModel
from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, VICTORY_POINT_WORTH, Situation
from rasputitsa.ai.wir.planning import deep_raids, rear, strategic_moves
from rasputitsa.ai.wir.planning.air import AIRCRAFT, AirPlanner
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of
from rasputitsa.ai.wir.planning.depots import BEYOND, SERVED, Supplier
from rasputitsa.ai.wir.planning.exploitation import Exploitation
from rasputitsa.ai.wir.planning.line import Line, LinePolicy
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.ai.wir.planning.simulation import Simulation
from rasputitsa.ai.wir.players import greedy
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api import hypothetical
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.plot import ADVANCE, hexes, legal_plots, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import DEPOT, FINE, INFANTRY, KIND, MECHANIZED, RAIN, groups_of
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET, SWAMP
from rasputitsa.wir.rules.execution import air, casualties, combat, retreat
from rasputitsa.wir.rules.movement import air_plots, movement, plot_ways
from rasputitsa.wir.rules.supply import depots
from tests.unit.wir.board import GAME, base, h, inf, rifles, tanks


def edited(folder: Path, *changes: tuple[str, str]) -> WirGame:
    """The game with other figures in its tables."""
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "tables.toml").write_text(text, encoding="utf-8")
    return WirGame(folder)


def position(game: WirGame, groups: dict[int, dict[str, Any]], **more: Any) -> State:
    """A position with these groups and no others."""
    table = {str(group): value for group, value in groups.items()}
    return game.load_position({"empty": True, "phase": "movement", "side": "axis", "groups": table, **more})


# ---------------------------------------------------------------------- speeds

CORPS = {1: tanks("1922"), 12: inf("1822"), 80: rifles("2518")}
SLOW = (("mechanized = 4\n", "mechanized = 3\n"), ("infantry = 2\nair = 1\n", "infantry = 1\nair = 1\n"))


def way_of(s: State, group: int) -> float:
    """Weeks that the line allows for six hexes off the rails."""
    return Line(s, AXIS, Situation(s, AXIS), LinePolicy()).weeks(group, 6, h(s, "2526"))


def rear_way(s: State, kind: int) -> float:
    """The same behind the line."""
    return rear.weeks(s, Situation(s, AXIS), h(s, "1922"), h(s, "2526"), 6, kind)


@pytest.mark.parametrize("weather", ["clear", "rain"])
def test_marches_take_as_long_as_the_tables_say(tmp_path: Path, weather: str) -> None:
    for game in (GAME, edited(tmp_path, *SLOW, ("rain = 1\nfatigue_limit", "rain = 2\nfatigue_limit"))):
        s = position(game, CORPS, weather=weather)
        march = s.rules.march
        for group in (1, 12):
            kind = KIND[group]
            most = min(march.rain, march.allowance[kind]) if s.weather == RAIN else march.allowance[kind]
            assert way_of(s, group) == rear_way(s, kind) == 6 / most


def test_a_kind_that_cannot_march_is_never_there(tmp_path: Path) -> None:
    game = edited(tmp_path, ("infantry = 2\nair = 1\n", "infantry = 0\nair = 1\n"))
    assert strategic_moves.weeks(position(game, CORPS), INFANTRY, 6) == UNREACHABLE


# ---------------------------------------------------------------------- plots


def ways_by_the_list(s: State, group: int, within: int) -> set[tuple[int, int]]:
    """The plots of the manual's list that only go forward through some hexes, and where they end."""
    found = set()
    for plot in map(unpack, legal_plots(KIND[group])):
        way = hexes(s.rules.map.step, s.hex[group], plot)
        whole = len(way) == bool(plot.first) + bool(plot.second) and s.hex[group] not in way
        forward = plot.ending == ADVANCE and plot.first and not (s.weather == RAIN and plot.second)
        if forward and whole and all(within >> hex_ & 1 for hex_ in way):
            found.add((plot.number, way[-1]))
    return found


@pytest.mark.parametrize("weather", [FINE, RAIN])
@pytest.mark.parametrize("group", [1, 12])
def test_ways_are_the_plots_that_go_forward(group: int, weather: int) -> None:
    s = position(GAME, CORPS)
    s.weather = weather
    within = s.rules.map.passable & ~s.rules.map.reach[h(s, "2021")]
    found = plot_ways.ways(s, group, within)
    assert {(way.plot.number, way.end) for way in found} == ways_by_the_list(s, group, within)
    assert len(found) == len(set(found)) and plot_ways.goes_twice(s, group) is (group == 1 and weather != RAIN)


def test_players_ask_the_rules_how_far_plots_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, CORPS)
    situation = Situation(s, AXIS)
    policy = attack_policy_of(s, AXIS)

    def longest() -> list[int]:
        ride = max(bool(way.plot.second) for way in deep_raids.plots(s, situation, 1))
        exploit = Exploitation(Assault(s, AXIS, situation, policy))._paths(1, s.hex[1])
        tried = Simulation(s, AXIS, situation, policy, random.Random(1))._choices(1)
        return [
            1 + ride, 1 + max(bool(plot.second) for _, plot, _ in exploit),
            1 + max(bool(unpack(number).second) for number in tried), rear.pace(s),
        ]  # fmt: skip

    assert longest() == [2] * 4
    monkeypatch.setattr(plot_ways, "most_steps", lambda s, kind: min(1, kind == MECHANIZED))
    assert longest() == [1] * 4


def test_an_attack_leads_through_a_hex_that_has_room_by_the_tables(tmp_path: Path) -> None:
    groups = {1: tanks("1922"), 12: inf("2021"), 13: inf("2021"), 80: rifles("2121")}
    through = []
    for game in (GAME, edited(tmp_path, ("stack = 2\n", "stack = 3\n"))):
        s = position(game, groups)
        assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
        through.append(h(s, "2021") in assault._bridges(s.hex[1], h(s, "2121")))
    assert through == [False, True]


# ---------------------------------------------------------------------- aircraft

SKY = {12: inf("1922"), 53: base("1922", 80, supplied=True), 80: rifles("1920"), 116: base("1919", 90, supplied=True)}


def price(s: State) -> float:
    """What the planner fears to lose in a strike."""
    situation = Situation(s, AXIS)
    planner = AirPlanner(OrderList(s), AXIS, situation, Assault(s, AXIS, situation, attack_policy_of(s, AXIS)))
    return planner._price(53, h(s, "1920"))


def test_the_price_of_a_strike_is_that_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, SKY)
    lost, inflicted = air.expected_losses(s, AXIS, 80, 90, escort=True)
    assert price(s) == pytest.approx(AIRCRAFT * (lost - inflicted))
    monkeypatch.setattr(air, "combat_losses", lambda *args, **more: (30.0, 10.0))
    assert price(s) == pytest.approx(AIRCRAFT * (30.0 - 10.0 + 80 * sum(s.rules.raids.flak) / 200))


def test_strikes_cost_about_what_is_expected() -> None:
    lost = inflicted = 0
    for seed in range(60):
        s = position(GAME, SKY)
        s.strike[53] = air_plots.encode(h(s, "1920"), air_plots.GROUND)
        air.strikes(s, Context(SeededDice(seed)))
        lost, inflicted = lost + 80 - s.aircraft[53], inflicted + 90 - s.aircraft[116]
    expected = air.expected_losses(s, AXIS, 80, 90, escort=air.escorted(s, 53, h(s, "1920")))
    assert (lost / 60, inflicted / 60) == pytest.approx(expected, abs=1.5)


# ---------------------------------------------------------------------- retreats


def test_planned_moves_close_the_ways_out() -> None:
    """The ways out of a hex are those of the rules in the position in which the groups on their way have arrived."""
    army, arrived = {12: inf("1920"), 80: rifles("1922"), 81: rifles("1923", entrench=2)}, {14: inf("2022")}
    s, later = position(GAME, army), position(GAME, {**army, **arrived})
    target, assault = h(s, "1922"), Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    before = assault.ways_out(target)
    assert before == retreat.open_hexes(s, 80)
    assault.coming[h(s, "2022")] = 1
    assert assault.ways_out(target) == retreat.open_hexes(later, 80)
    assert before & ~assault.ways_out(target) & ~(1 << h(s, "2022")), "a zone closes hexes too"
    assert assault.ways_out(target) >> h(s, "1923") & 1, "an entrenched group keeps its hex open"


# ---------------------------------------------------------------------- terrain


def test_terrain_and_rivers_take_from_an_attack_what_the_rules_take() -> None:
    """8.3, by kind of terrain attacked from and into, with and without a river between."""
    s = position(GAME, {})
    board, names = s.rules.map, s.rules.grid.names
    pairs: dict[tuple[int, int, bool], tuple[int, int]] = {}
    for here in members(board.passable):
        for there in board.reach_list[here]:
            kinds = combat.ground(s, here), combat.ground(s, there), board.river.between(here, there)
            pairs.setdefault(kinds, (here, there))
    assert any(out_of == SWAMP != into for out_of, into, _ in pairs)
    for here, there in pairs.values():
        fight = position(GAME, {12: inf(names[here]), 80: rifles(names[there])})
        (left,) = combat.compute_odds(fight, [12], there).factors
        assert Situation(fight, AXIS).cover(here, there) == pytest.approx(left), (names[here], names[there])


# ---------------------------------------------------------------------- guns


def test_attacks_are_weighed_by_the_guns_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, {12: inf("1822"), 80: rifles("1922", entrench=2)})
    assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    attackers, target = [(12, h(s, "1822"))], h(s, "1922")
    shelter, plain = s.rules.entrenchment.shelter[2] / 100, assault.weigh(target, attackers, 0)
    monkeypatch.setattr(casualties, "blast_effect", lambda s, points: 50.0)
    hit = assault.weigh(target, attackers, 0)
    assert hit.odds > plain.odds
    assert hit.loss == pytest.approx(casualties.defender_percent(hit.odds, s.rules.losses) / 100 + 0.5 * shelter)


# ---------------------------------------------------------------------- who may still plot


@pytest.mark.parametrize("why", ["", "moved", "halted", "added_artillery", "worn", "stranded"])
def test_groups_that_may_not_move_are_given_no_plot(why: str) -> None:
    """Of every reason of the rules not to plot a move, 10.0 included, all that plan plots know."""
    s = position(GAME, {12: inf("1822"), 80: rifles("1922")})
    if why in ("moved", "halted", "added_artillery"):
        setattr(s, why, 1 << 12)
    elif why == "worn":
        for unit in s.group_units[12]:
            s.fatigue[unit] = s.rules.march.stopped + 1
    elif why == "stranded":
        s.level, s.supplied, s.unsupplied_moves[12] = 1, 0, 2
    situation, policy = Situation(s, AXIS), attack_policy_of(s, AXIS)
    assert movement.may_plot_move(s, 12) == (not why)
    assert Assault(s, AXIS, situation, policy).able == ([] if why else [12])
    assert Simulation(s, AXIS, situation, policy, random.Random(1))._active() == ([] if why else [12])
    assert greedy._fit(s, 12) == (not why)


# ---------------------------------------------------------------------- supply


@pytest.mark.parametrize("radius", [1, 2, 3, 4])
def test_depots_are_taken_to_supply_as_far_as_the_tables_say(tmp_path: Path, radius: int) -> None:
    s = edited(tmp_path, ("radius = 2\n", f"radius = {radius}\n")).setup("zitadelle", {})
    land, expected = depots.ground(s, AXIS), 0
    for depot in groups_of(AXIS, DEPOT):
        if depots.usable(s, depot):
            for hex_ in {h for wave in depots.waves(s, s.rules.depot_hex[depot], 0, land) for h in members(wave)}:
                expected |= s.rules.supply_area[hex_]
    assert Situation(s, AXIS).supplied_hexes == expected


@pytest.mark.parametrize("most", [2, 4, 6])
def test_rail_is_laid_for_depots_that_go_as_far_as_the_tables_say(tmp_path: Path, most: int) -> None:
    s = edited(tmp_path, ("most_penalty = 4\n", f"most_penalty = {most}\n")).setup("barbarossa", {})
    supplier = Supplier(s, AXIS, Situation(s, AXIS))
    waves = [1 << n for n in range(len(supplier._waves(0, depots.ground(s, AXIS))))]
    worth = [supplier._served([(wave, 1.0)], waves) for wave in waves]
    within = [SERVED[min(n, len(SERVED) - 1)] for n in range(most + 1)]
    assert worth == [*within, *BEYOND]


# ---------------------------------------------------------------------- units and cities

POOLS = {"infantry": 1000, "vehicle": 2550, "artillery": 100, "aircraft": 0}
MENUS = (
    ('axis = ["PZ", "INF", "SS elite"]', 'axis = ["SS elite", "INF", "PZ"]'),
    ('soviet = ["MECH", "TANK", "RIFLE"]', 'soviet = ["RIFLE", "MECH", "TANK"]'),
)


@pytest.mark.parametrize(
    ("scenario", "side", "name"),
    [("case_blue", SOVIET, "MECH"), ("barbarossa", SOVIET, "RIFLE"), ("case_blue", AXIS, "PZ"),
     ("barbarossa", AXIS, "INF"), ("zitadelle", AXIS, "SS elite")],
)  # fmt: skip
def test_units_are_ordered_by_their_names_in_the_menu(tmp_path: Path, scenario: str, side: int, name: str) -> None:
    for game in (GAME, edited(tmp_path, *MENUS)):
        s = position(game, {80: rifles("2016"), 12: inf("1016")}, scenario=scenario, phase="adjust",
                     side=SIDES[side], pools={SIDES[side]: POOLS})  # fmt: skip
        orders = Production(s, side, Situation(s, side)).plan()
        first = next(order.args[0] for order in orders if order.verb == "type")
        assert s.rules.recruiting.menus[side][first - 1] == name


def test_a_corps_costs_what_the_tables_say(tmp_path: Path) -> None:
    cheap = ('"Mechanized corps"\nnation = "SU"\ninfantry = 2', '"Mechanized corps"\nnation = "SU"\ninfantry = 1')
    built = []
    for game in (GAME, edited(tmp_path, cheap)):
        s = position(game, {80: rifles("2016"), 12: inf("1016")}, scenario="case_blue", phase="adjust",
                     side="soviet", pools={"soviet": {**POOLS, "infantry": 260}})  # fmt: skip
        orders = Production(s, SOVIET, Situation(s, SOVIET)).plan()
        built.append([order.args[0] for order in orders if order.verb == "strength"])
    assert built == [[130], [150, 110]]


def test_one_table_says_what_stands_for_unknown_units(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(GAME, CORPS)
    kinds, most = s.rules.type_named, s.rules.most[s.year]
    assert hypothetical.typical(s.rules, 80) == kinds["RIFLE"]
    monkeypatch.setitem(hypothetical.TYPICAL, (SOVIET, INFANTRY), "GDS RIFLE")
    assert OpponentModel(AXIS)._most(s, 80) == most[kinds["GDS RIFLE"]] != most[kinds["RIFLE"]]


def test_cities_that_end_the_war_are_prized(tmp_path: Path) -> None:
    worth = []
    for game in (GAME, edited(tmp_path, ('"Gorki", "Kuybyshev"]', '"Smolensk", "Kuybyshev"]'))):
        s = position(game, CORPS)
        place = {name: s.rules.map.cities[s.rules.city(name)].hex for name in ("Gorki", "Smolensk", "Moscow")}
        worth.append({name: Situation(s, AXIS).worth[hex_] for name, hex_ in place.items()})
    change = {name: worth[1][name] - worth[0][name] for name in worth[0]}
    prize = geography().any_decisive
    assert change == {"Gorki": -prize, "Smolensk": prize, "Moscow": 0}


def test_a_city_is_worth_the_points_that_the_tables_give(tmp_path: Path) -> None:
    """9.1: twenty more of them are worth twenty points, wherever a city counts."""
    before, after = (position(game, CORPS) for game in (GAME, edited(tmp_path, ("city = 20\n", "city = 40\n"))))
    old, new = Situation(before, AXIS).worth, Situation(after, AXIS).worth
    gained = {city.name: new[city.hex] - old[city.hex] for city in before.rules.map.cities}
    assert gained["Minsk"] == pytest.approx(20 * VICTORY_POINT_WORTH)
    assert gained["Germany"] == 0
