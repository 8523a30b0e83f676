"""The computer players of War in Russia: legal to the last order, the same again with the same seed, blind to what
their side does not see, and sensible where the best plan is plain."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock, player, players
from rasputitsa.ai.wir.campaigns import campaigns as campaign
from rasputitsa.ai.wir.campaigns import history_report as annals
from rasputitsa.ai.wir.evaluation.opponent_model import OpponentModel
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning import hunting
from rasputitsa.ai.wir.planning.assault import Assault, attack_policy_of
from rasputitsa.ai.wir.planning.assembly import Assembly
from rasputitsa.ai.wir.planning.assignment import assign
from rasputitsa.ai.wir.planning.line import Line, LinePolicy, Post
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.ai.wir.players.greedy import GreedyPlayer
from rasputitsa.ai.wir.players.planner import PhasePlayer, PlannerPlayer
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.wir.model.plot import unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    GROUPS,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    SUPPLY_POOL,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, POPULATION, SOVIET
from tests.support import AMPLE
from tests.unit.wir.board import GAME, Groups, board, change_what_is_hidden, h, inf, rifles, tanks

Played = list[tuple[str, Action]]


def war(minds: dict[str, Any], seed: int, scenario: str, weeks: int) -> tuple[State, Played]:
    """Some weeks between two players; every answer is checked to be an option."""
    s, dice = GAME.setup(scenario, {}), SeededDice(seed)
    last, played = s.turn + weeks, Played()
    while s.outcome is None and s.turn < last:
        decision = GAME.decision(s)
        assert decision is not None
        action = minds[decision.seat].choose(GAME.view_of(s, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        played.append((decision.seat, action))
        GAME.apply(s, action, dice)
        dice.drawn.clear()
    return s, played


def made(name: str, seed: int) -> dict[str, Any]:
    """A player of a kind for each side."""
    return {seat: player(name, GAME, {}, seed + n) for n, seat in enumerate(("axis", "soviet"))}


@pytest.mark.parametrize("scenario", ["barbarossa_short", "case_blue", "zitadelle"])
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_weeks_of_legal_orders(name: str, scenario: str) -> None:
    minds = made(name, 5)
    s, played = war(minds, 5, scenario, 3)
    assert s.turn >= 4
    assert len(played) > 100
    for mind in minds.values():
        assert isinstance(mind, PhasePlayer)
        assert mind.failures == []


def test_the_same_seed_plays_the_same_game() -> None:
    first = war(made("planner", 3), 9, "barbarossa_short", 3)
    again = war(made("planner", 3), 9, "barbarossa_short", 3)
    assert first == again


def test_both_players_are_offered() -> None:
    names = {info.id for info in players("wir")}
    assert {"random", "greedy", "planner"} <= names
    assert isinstance(player("planner", GAME, {}), PlannerPlayer)
    assert isinstance(player("greedy", GAME, {}), GreedyPlayer)


def test_a_blind_player_decides_the_same_whatever_the_enemy_hides() -> None:
    """Everything the view blanks is changed; the orders stay the same."""
    told = []
    for changed in (False, True):
        s = GAME.setup("barbarossa_short", {})
        if changed:
            change_what_is_hidden(s)
        mind = PlannerPlayer(GAME, {}, 4)
        orders: list[Action] = []
        view = GAME.view_of(s, "axis")
        view.legal = None
        while (decision := GAME.decision(view)) is not None and decision.seat == "axis" and len(orders) < 400:
            action = mind.choose(view.copy(), decision, TimedClock(AMPLE))
            orders.append(action)
            if action == Action("done"):
                break
            GAME.apply(view, action, SeededDice(1))
        told.append(orders)
    assert told[0] == told[1]
    assert len(told[0]) > 3


def a_week(beliefs: OpponentModel, s: State) -> None:
    """A week goes by of which nothing is told."""
    before = s.copy()
    s.turn += 1
    beliefs.take(before, (), s)


def test_beliefs_start_with_the_order_of_battle_and_learn_of_marches() -> None:
    s = GAME.setup("barbarossa_short", {})
    beliefs = OpponentModel(AXIS)
    view = GAME.view_of(s, "axis")
    assert not any(view.group_units[g] for g in groups_of(SOVIET))
    beliefs.start(view)
    seen = beliefs.imagine(view)
    assert sum(len(seen.group_units[g]) for g in groups_of(SOVIET)) == sum(
        len(s.group_units[g]) for g in groups_of(SOVIET)
    )
    entrenchment = beliefs.guesses[97].entrenchment
    assert entrenchment == s.entrench[97] == 1
    after = s.copy()
    after.turn = 2
    after.place(97, h(s, "1125"))
    assert beliefs.imagine(GAME.view_of(after, "axis")).entrench[97] == 0, "seen before the week is over"
    beliefs.take(view, (), GAME.view_of(after, "axis"))
    assert beliefs.guesses[97].entrenchment < 1
    assert beliefs.guesses[88].entrenchment > 1


def believed(beliefs: OpponentModel) -> float:
    return sum(g.units * g.strength for n, g in beliefs.guesses.items() if KIND[n] != AIR)


def test_an_enemy_without_people_gets_no_replacements() -> None:
    """Depleted groups stay so; with recruits they are filled."""
    found = {}
    for people in (True, False):
        s = GAME.setup("case_blue_short", {})
        if not people:
            s.values[POPULATION][:] = bytes(len(s.owner))
        beliefs = OpponentModel(AXIS)
        beliefs.start(s)
        beliefs.pool = 0.0
        for guess in beliefs.guesses.values():
            guess.strength *= 0.5
        a_week(beliefs, s)
        found[people] = believed(beliefs)
    assert found[False] < 0.98 * found[True]


def test_replacements_are_paid_for() -> None:
    s = GAME.setup("case_blue_short", {})
    beliefs = OpponentModel(AXIS)
    beliefs.start(s)
    had = beliefs.pool
    assert had == s.pools[SOVIET][INF_POOL]
    strength = believed(beliefs)
    a_week(beliefs, s)
    assert beliefs.pool >= 0
    assert believed(beliefs) - strength <= had + 600


def test_recruits_lower_the_experience_of_a_veteran_enemy() -> None:
    s = GAME.setup("case_blue_short", {})
    beliefs = OpponentModel(AXIS)
    beliefs.start(s)
    for guess in beliefs.guesses.values():
        guess.experience, guess.strength = 85.0, 40.0
    beliefs.pool = 2500.0
    a_week(beliefs, s)
    infantry = [g.experience for n, g in beliefs.guesses.items() if KIND[n] == INFANTRY]
    assert max(infantry) < 85


def test_a_failing_plan_falls_back_on_the_staff() -> None:
    class Broken(PlannerPlayer):
        def move(self, *args: Any) -> Any:
            raise RuntimeError("no plan")

    minds = {"axis": Broken(GAME, {}, 1), "soviet": Broken(GAME, {}, 2)}
    s, played = war(minds, 1, "barbarossa_short", 1)
    assert s.turn == 2
    assert ("axis", Action("auto_all")) in played
    assert len(minds["axis"].failures) == 1


def test_the_level_of_play_is_the_other_players_choice() -> None:
    mind = player("planner", GAME, {}, 1)
    decision = Decision("soviet", "soviet", "proposal", "10.0", "?", [Action("agree"), Action("decline")])
    assert mind.choose(GAME.setup("barbarossa_short", {}), decision, TimedClock(AMPLE)) == Action("agree")


@pytest.mark.parametrize(
    ("seat", "turn", "answer"), [("soviet", 30, "agree"), ("axis", 30, "decline"), ("soviet", 3, "decline")]
)
def test_the_end_is_agreed_to_by_the_winner_alone(seat: str, turn: int, answer: str) -> None:
    s = GAME.setup("barbarossa_short", {})
    s.turn = turn
    decision = Decision(seat, seat, "proposal", "4.11", "?", [Action("agree"), Action("decline")])
    assert player("planner", GAME, {}, 1).choose(s, decision, TimedClock(AMPLE)) == Action(answer)


def test_proposals_are_declined() -> None:
    mind = PlannerPlayer(GAME, {}, 1)
    options = [Action("agree"), Action("decline")]
    decision = Decision("soviet", "soviet", "proposal", "4.11", "?", options)
    assert mind.choose(GAME.setup("barbarossa_short", {}), decision, TimedClock(AMPLE)) == Action("decline")


@pytest.mark.parametrize(
    ("cost", "least"),
    [
        ([[4, 1, 3], [2, 0, 5], [3, 2, 2]], 5),
        ([[7, 5, 1, 8]], 1),
        ([[1], [0], [5]], 0),
        ([[-5, 0], [-6, -4]], -9),
    ],
)
def test_matching_is_cheapest(cost: list[list[float]], least: float) -> None:
    found = assign(cost)
    assert sum(cost[row][column] for row, column in enumerate(found) if column >= 0) == least
    used = [column for column in found if column >= 0]
    assert len(used) == len(set(used)) == min(len(cost), len(cost[0]))


# ---------------------------------------------------------------------- positions with a plain best plan


def planned(groups: Groups, side: int, **fields: Any) -> tuple[State, MovementPlanner]:
    """The position after the movement orders of a side that knows the enemy, as planned before they are rehearsed."""
    s = board(groups, side=("axis", "soviet")[side], **fields)
    movement_planner = MovementPlanner(s, side, PlannerPlayer(GAME, {}, 1).rng)
    movement_planner.simulations = 0
    movement_planner.plan()
    return movement_planner.s, movement_planner


def test_a_weak_neighbour_is_attacked_together() -> None:
    """Neither group alone has the odds; both together do."""
    groups = {12: inf("1922", *["1 INF 70 70 0"] * 3), 13: inf("1821", *["2 INF 70 70 0"] * 3)}
    s, movement_planner = planned({**groups, 80: rifles("1921", *["1 RIFLE 80 45 0"] * 2)}, AXIS)
    assert {len(attack.groups) for attack in movement_planner.assault.attacks} == {2}
    assert movement_planner.assault.attacks[0].odds > 3
    for group in (12, 13):
        plot = unpack(s.plot[group])
        assert s.rules.map.step[s.hex[group]][plot.first] == h(s, "1921")


def test_a_strong_neighbour_is_left_alone() -> None:
    _, movement_planner = planned({12: inf("1922"), 80: rifles("1921", *["1 RIFLE 90 70 0"] * 6, entrench=5)}, AXIS)
    assert movement_planner.assault.attacks == []


def test_works_are_broken_by_infantry_first_and_by_panzers_later_in_the_week() -> None:
    """At these odds works of two levels forbid a retreat; what a first attack leaves of them does not."""
    foot = {n: inf(hex_, *["1 INF 70 70 0"] * 4) for n, hex_ in zip((12, 13), ("1821", "1822"), strict=True)}
    panzers = tanks("1923", *["1 PZ 150 75 0"] * 3)
    s = board({**foot, 1: panzers, 80: rifles("1922", *["1 RIFLE 90 45 0"] * 6, entrench=2)})
    assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    assault.plan()
    first, second = assault.attacks
    assert (first.target, first.segment) == (h(s, "1922"), 0)
    assert (second.target, second.segment, second.groups) == (h(s, "1922"), 1, [1])
    assert first.clear == 0
    assert second.clear > 0.3
    assert (assault.plots[1].first, assault.plots[1].second > 0) == (0, True)


def test_factories_are_saved_only_where_the_enemy_is_the_stronger() -> None:
    """In week 1 Soviet corps stand near Krakow, and an army between; at Kharkov nobody helps the garrison."""
    s = GAME.setup("barbarossa_short", {})
    assert "dismantle" not in {order.verb for order in Production(s, AXIS, Situation(s, AXIS)).plan()}
    army = {n: inf(hex_, *["1 INF 70 70 0"] * 4) for n, hex_ in zip((12, 13), ("1621", "1622"), strict=True)}
    for helpers in (0, 3):
        friends = {
            n: rifles(hex_, *["1 RIFLE 90 50 0"] * 6)
            for n, hex_ in zip(range(81, 81 + helpers), ("1822", "1821", "1823"), strict=False)
        }
        s = board({**army, 80: rifles("1722"), **friends}, phase="adjust", side="soviet")
        orders = Production(s, SOVIET, Situation(s, SOVIET)).plan()
        assert ("dismantle" in {order.verb for order in orders}) == (not helpers)


def test_surrender_counts_more_than_retreat() -> None:
    """Of two equal enemies the one who cannot retreat is worth more."""
    around = {
        n: inf(hex_) for n, hex_ in zip(range(12, 18), ("2021", "2022", "1923", "1822", "1821", "1920"), strict=True)
    }
    s = board({**around, 80: rifles("1922"), 81: rifles("2626"), 20: inf("2625")})
    assault = Assault(s, AXIS, Situation(s, AXIS), attack_policy_of(s, AXIS))
    caught = assault.weigh(h(s, "1922"), [(14, h(s, "1923"))], 0)
    free = assault.weigh(h(s, "2626"), [(20, h(s, "2625"))], 0)
    assert not assault.ways_out(h(s, "1922"))
    assert assault.ways_out(h(s, "2626"))
    assert caught.odds == pytest.approx(free.odds, rel=0.2)
    assert caught.value > free.value


def test_an_empty_city_is_entered() -> None:
    """Orel lies open before a panzer group."""
    s, movement_planner = planned({1: tanks("1617"), 80: rifles("1816")}, AXIS)
    ends = set()
    for group in (1,):
        here = s.hex[group]
        plot = unpack(s.plot[group])
        for step in (plot.first, plot.second):
            here = s.rules.map.step[here][step] if step else here
            ends.add(here)
    cities = {city.hex for city in s.rules.map.cities if s.owner[city.number] == SOVIET}
    assert ends & cities, movement_planner.assault.plots


def test_a_gap_in_the_line_is_filled() -> None:
    """A reserve stands behind three hexes of front of which the middle one is empty."""
    groups = {12: inf("1820", *["1 INF 70 70 0"] * 4), 13: inf("1822", *["2 INF 70 70 0"] * 4)}
    enemies = {80: rifles("1920", *["1 RIFLE 90 60 0"] * 4), 81: rifles("1922", *["2 RIFLE 90 60 0"] * 4)}
    s = board({**groups, 14: inf("1621", *["3 INF 70 70 0"] * 4), **enemies})
    line = Line(s, AXIS, Situation(s, AXIS), LinePolicy())
    posts = line.assign([14], {h(s, "1820"): 1, h(s, "1822"): 1})
    assert posts[14].hex in {h(s, name) for name in ("1821", "1820", "1721", "1722")}


def test_a_lone_enemy_in_the_rear_is_hunted() -> None:
    """Also when it is the last of its army; one before the front is left to those who stand there."""
    front = {n: inf(f"12{n}", "1 INF 90 70 0") for n in range(12, 22)}
    for hex_, hunted in (("0515", True), ("1817", False)):
        s = board({**front, 80: rifles(hex_, "1 RIFLE 40 20 0")}, control={"axis": ["0112-1324"], "cities": True})
        found = hunting.hunters(s, Situation(s, AXIS), list(front))
        movement_planner = MovementPlanner(s, AXIS, random.Random(1))
        movement_planner.plan()
        beside = s.rules.grid.adjacent[h(s, hex_)]
        assert bool(found) == hunted
        assert all(beside >> goal & 1 for goal in found.values())
        assert all(movement_planner.posts[group].hex == goal for group, goal in found.items())


def test_cities_that_the_enemy_has_left_are_taken() -> None:
    for enemies, taken in (({}, True), ({12: inf("0614", "1 INF 70 70 0")}, False)):
        s = board({80: rifles("0915", "1 RIFLE 90 60 0"), **enemies}, side="soviet")
        riga = next(city for city in s.rules.map.cities if city.name == "Riga")
        s.take_city(riga.number, AXIS)
        movement_planner = MovementPlanner(s, SOVIET, random.Random(1))
        movement_planner.plan()
        assert (movement_planner._deserted([80]) == {80: Post(riga.hex, 0.0, 0.0)}) == taken
        assert (movement_planner.posts[80].hex == riga.hex) or not taken


def test_depots_feed_the_front() -> None:
    s = GAME.setup("barbarossa_short", {})
    minds = made("planner", 1)
    s, _ = war(minds, 1, "barbarossa_short", 2)
    supplied = [g for g in range(1, GROUPS) if s.supplied >> g & 1 and s.hex[g] >= 0 and g < 52]
    assert len(supplied) >= 30
    assert sum(KIND[g] == MECHANIZED for g in supplied) >= 6


def test_the_planner_beats_the_greedy_player() -> None:
    """In two games of ten weeks the Axis planner takes more than the greedy Axis, both against a greedy enemy."""
    taken = {"greedy": 0, "planner": 0}
    for name in taken:
        for seed in (2, 3):
            minds = {"axis": player(name, GAME, {}, 1), "soviet": player("greedy", GAME, {}, 2)}
            s, _ = war(minds, seed, "barbarossa_short", 10)
            taken[name] += sum(s.owner[c.number] == AXIS and c.owner[0] == SOVIET for c in s.rules.map.cities)
    assert taken["planner"] > taken["greedy"]


# ---------------------------------------------------------------------- marching up, supply, whole campaigns


def test_the_greedy_player_enters_a_city_left_open() -> None:
    """Cities beside a panzer group are empty; no march leads into one, but a plot does (8.8)."""
    s = board({1: tanks("1617"), 80: rifles("2626")})
    plotted = [a.args[0] for a in GreedyPlayer(GAME, {}).move(s, AXIS, lambda: True) if a.verb == "plot"]
    assert len(plotted) == 1
    assert s.city_hexes[SOVIET] >> s.rules.map.step[h(s, "1617")][unpack(int(plotted[0])).first] & 1


def test_the_greedy_player_is_held_by_stronger_enemies_alone() -> None:
    """A panzer group passes a weak corps, and stays before six strong ones."""
    for corps, goes in ((["1 RIFLE 10 10 0"], True), (["1 RIFLE 90 80 0"] * 6, False)):
        s = board({1: tanks("1421"), 80: rifles("1621", *corps)})
        orders = GreedyPlayer(GAME, {}).move(s, AXIS, lambda: True)
        assert ("step" in {order.verb for order in orders}) == goes


def test_groups_march_up_to_attack_together_next_week() -> None:
    """Both reserves end the week beside an enemy out of reach whom neither outweighs alone."""
    strong = ["1 INF 70 70 0"] * 4
    groups = {12: inf("1622", *strong), 13: inf("1623", *strong), 20: inf("1520")}
    foe = {80: rifles("1922", *["1 RIFLE 90 55 0"] * 3)}
    s = board({**groups, **foe})
    for group in groups:
        s.supplied |= 1 << group
    situation = Situation(s, AXIS)
    situation.supplied_hexes = -1
    assault = Assault(s, AXIS, situation, attack_policy_of(s, AXIS))
    assault.plan()
    assert assault.attacks == []
    posts = Assembly(assault, Line(s, AXIS, situation, LinePolicy()), {}, [12, 13, 20]).plan()
    target = s.rules.map.reach[h(s, "1922")]
    assert {12, 13} <= set(posts)
    assert all(target >> post.hex & 1 for group, post in posts.items() if group != 20)


def test_nobody_marches_up_to_an_enemy_who_is_too_strong() -> None:
    s = board({12: inf("1622"), 80: rifles("1922", *["1 RIFLE 90 70 0"] * 6, entrench=5)})
    situation = Situation(s, AXIS)
    situation.supplied_hexes = -1
    assault = Assault(s, AXIS, situation, attack_policy_of(s, AXIS))
    assert Assembly(assault, Line(s, AXIS, situation, LinePolicy()), {}, [12]).plan() == {}


def test_a_full_pool_makes_losses_cheaper() -> None:
    s = board({12: inf("1922"), 80: rifles("2626")})
    s.pools[AXIS][INF_POOL] = 0
    empty = attack_policy_of(s, AXIS).own_loss
    s.pools[AXIS][INF_POOL] = s.rules.limits.pools[INF_POOL]
    assert attack_policy_of(s, AXIS).own_loss < 0.6 * empty


def test_the_stronger_side_minds_its_losses_less() -> None:
    strong = {n: inf(hex_, *["1 INF 70 70 0"] * 4) for n, hex_ in zip((12, 13), ("1821", "1822"), strict=True)}
    s = board({**strong, 80: rifles("1922")})
    policies = [attack_policy_of(s, side) for side in (AXIS, SOVIET)]
    s = board({12: inf("1821"), 80: rifles("1922", *["1 RIFLE 90 70 0"] * 6)})
    turned = [attack_policy_of(s, side) for side in (AXIS, SOVIET)]
    assert policies[AXIS].own_loss < turned[AXIS].own_loss
    assert policies[AXIS].least < turned[AXIS].least
    assert policies[SOVIET].own_loss > turned[SOVIET].own_loss


def test_hidden_supply_points_are_counted() -> None:
    """The planner is not shown its supply pool (5.2), and knows it all the same."""
    minds = made("planner", 2)
    s, dice = GAME.setup("barbarossa_short", {}), SeededDice(2)
    onlookers = MemoryTracker(GAME, {}, s)
    onlookers.introduce(minds)
    counted = set()
    while s.turn <= 4:
        decision = GAME.decision(s)
        assert decision is not None
        mind, side = minds[decision.seat], ("axis", "soviet").index(decision.seat)
        truth = s.pools[side][SUPPLY_POOL]
        view = GAME.view_of(s, decision.seat)
        assert view.pools[side][SUPPLY_POOL] == 0
        action = mind.choose(view, decision, TimedClock(AMPLE))
        if decision.kind == "depot" and (s.turn, side) not in counted:
            assert mind.memories[side].stores.left == truth
            counted.add((s.turn, side))
        onlookers.apply(s, action, dice)
        dice.drawn.clear()
    assert len(counted) == 8


def test_the_history_of_a_city() -> None:
    assert [annals.held("Kiev", date(year, 10, 1)) for year in (1941, 1942, 1943, 1944)] == [
        "axis", "axis", "axis", "soviet"
    ]  # fmt: skip
    assert annals.held("Kiev", date(1941, 9, 1)) == "soviet"
    assert annals.historical_front(date(1942, 6, 29)) == pytest.approx((12.3, 15.2, 17.7, 18.2, 18.7), abs=0.1)


def test_campaigns_go_on_where_they_were_left(tmp_path: Path) -> None:
    """What is in the file is not played again, and a line that was not finished is."""
    file = tmp_path / "campaigns.jsonl"
    jobs = [campaign.Job("barbarossa", seed, "greedy", "greedy", weeks=3) for seed in (1, 2)]
    first = list(campaign.run(jobs, cache_file=file))
    whole = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text(whole[0] + whole[1][:40], encoding="utf-8")
    again = list(campaign.run(jobs, cache_file=file))
    assert [line["seed"] for line in again] == [1, 2]
    assert again[0] == first[0]
    assert again[1]["samples"] == first[1]["samples"]
    assert all(line["axis"] == "greedy" and line["turn"] == 3 for line in again)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2


def test_losses_are_reported_by_slot_and_name() -> None:
    tally = campaign.Tally()
    tally.count({(3, 7): 70, (4, 8): 60, (200, 1): 90}, {(3, 7): 50, (4, 9): 60, (200, 1): 95})
    assert tally.strength == {"axis": 80, "soviet": 0}
