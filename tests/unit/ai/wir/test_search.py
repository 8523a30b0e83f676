"""The search player of War in Russia: what it believes, how it rehearses a week, how it uses its time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.wir.evaluation.engagements import attackers
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import attack_policy_of
from rasputitsa.ai.wir.search import local_search as drilling
from rasputitsa.ai.wir.search.common_random_numbers import WorldDice
from rasputitsa.ai.wir.search.enemy import Enemy
from rasputitsa.ai.wir.search.expected_attacks import expected
from rasputitsa.ai.wir.search.local_search import LocalSearch
from rasputitsa.ai.wir.search.player import TRIES, SearchPlayer
from rasputitsa.ai.wir.search.searched_movement import SearchedMovement, at_stake
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.model.plot import ADVANCE, Plot, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import UNITS_PER_SIDE, groups_of
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.execution.combat import Fought
from tests.support import AMPLE
from tests.unit.wir.board import GAME, board, change_what_is_hidden, h, inf, rifles, tanks

LITTLE = 12
"""Changes that a player in a hurry tries."""
STRONG = ["1 INF 70 70 0"] * 4


class Ticking:
    """A clock on which every look takes a while: no real time has to pass."""

    def __init__(self, seconds: float, tick: float) -> None:
        self.seconds = seconds
        self.tick = tick
        self.looks_after_the_end = 0

    def left(self) -> float:
        self.looks_after_the_end += self.seconds <= 0
        self.seconds -= self.tick
        return max(0.0, self.seconds)

    def report(self, done: int, total: int, text: str) -> None:
        """Nobody waits."""


def marching(scenario: str = "barbarossa_short", side: int = AXIS, **options: str) -> State:
    """The first position in which a side moves."""
    s, dice = GAME.setup(scenario, options), SeededDice(1)
    while (decision := GAME.decision(s)) is not None:
        if decision.kind == "movement" and decision.seat == ("axis", "soviet")[side]:
            break
        verb = {"depot": "auto_supply"}.get(decision.kind, "done")
        GAME.apply(s, Action(verb), dice)
    return s


# ---------------------------------------------------------------------- worlds


def fought(target: int) -> Fought:
    """A fight for a hex."""
    return Fought(target, (12,), 1000, (80,), 0, 0)


def test_a_fight_meets_the_same_luck_whatever_else_is_fought() -> None:
    s = board({12: inf("1922"), 80: rifles("1921")})
    rolls = []
    for others in (0, 3):
        dice = WorldDice(s, 5)
        for number in range(others):
            dice.context.note(fought(100 + number))
            dice.roll("retreat", 1000)
        dice.context.note(fought(h(s, "1921")))
        rolls.append([dice.roll("retreat", 1000) for _ in range(3)])
    assert rolls[0] == rolls[1]
    assert len(set(rolls[0])) > 1


def test_the_dice_of_worlds_are_fair_and_do_not_hang_together() -> None:
    """Of three thousand pairs of throws a quarter each is high-high, high-low, low-high, low-low."""
    s = board({})
    pairs: dict[tuple[bool, bool], int] = {}
    for seed in range(3000):
        dice = WorldDice(s, seed * 7919)
        dice.context.note(fought(seed % 7))
        pair = dice.roll("retreat", 100) > 50, dice.roll("retreat", 100) > 50
        pairs[pair] = pairs.get(pair, 0) + 1
    assert all(650 < count < 850 for count in pairs.values()) and len(pairs) == 4


# ---------------------------------------------------------------------- rehearsing


def drill(s: State, side: int = AXIS, seed: int = 1) -> LocalSearch:
    policy = at_stake(s, side, attack_policy_of(s, side))
    return LocalSearch(s, side, Situation(s, side), policy, random.Random(seed))


def test_a_drill_finds_the_attack_that_needs_two() -> None:
    groups = {12: inf("1922", *STRONG), 13: inf("1821", *STRONG)}
    s = board({**groups, 80: rifles("1921", *["1 RIFLE 80 45 0"] * 2)})
    work = drill(s)
    plots = work.better(lambda: True, 120)
    hit = [g for g, n in plots.items() if s.rules.map.step[s.hex[g]][unpack(n).first] == h(s, "1921")]
    assert hit and work.tried > 50
    worlds = work.new_worlds(4)
    assert work.mean(plots, worlds) > work.mean({}, worlds)


def test_a_drill_calls_a_hopeless_attack_off() -> None:
    s = board({12: inf("1922"), 80: rifles("1921", *["1 RIFLE 90 70 0"] * 6, entrench=5)})
    s.plot[12] = Plot(1, 0, ADVANCE).number
    plots = drill(s).better(lambda: True, 80)
    s.plot[12] = plots.get(12, 0)
    assert not attackers(s, AXIS)


def test_drilled_plots_hold_good_in_worlds_they_were_not_made_in() -> None:
    work = drill(marching(), seed=3)
    before = dict(work.plots)
    after = work.better(lambda: True, 150)
    assert work.kept > 0 and after != before
    worlds = work.new_worlds(8)
    assert work.mean(after, worlds) > work.mean(before, worlds)


def test_a_drill_climbs_again_from_the_best_plan_and_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drilling, "PATIENCE", 60)
    groups = {12: inf("1922", *STRONG), 13: inf("1821", *STRONG)}
    s = board({**groups, 80: rifles("1921", *["1 RIFLE 80 45 0"] * 2)})
    work = drill(s)
    tops = []

    def climb(going: Callable[[], bool]) -> None:
        LocalSearch._climb(work, going)
        tops.append(dict(work.plots))

    monkeypatch.setattr(work, "_climb", climb)
    best = work.better(lambda: True, 10**6)
    assert len(tops) > drilling.MOST_FAILED_CLIMBS and work.tried < 10**5
    assert work.worlds == drilling.MOST_WORLDS, "the last climbs that led no higher looked closer"
    assert best in tops
    worlds = work.new_worlds(40)
    assert work.mean(best, worlds) >= work.mean(tops[0], worlds) - 1


def test_a_drill_tries_no_more_than_it_may() -> None:
    work = drill(marching())
    work.better(lambda: True, 40)
    assert work.tried == 40


def orders(t: State, side: int) -> tuple[tuple[int, int], ...]:
    """Where a side's groups stand, and what they plot."""
    return tuple((t.hex[g], t.plot[g]) for g in groups_of(side))


def test_worlds_differ_in_what_the_enemy_does() -> None:
    work = drill(marching("case_blue_short", SOVIET), SOVIET)
    assert len({orders(t, AXIS) for _, t in work.new_worlds(8)}) > 1


def test_an_enemy_whose_movement_phase_is_to_come_marches_in_the_simulation() -> None:
    s = marching("barbarossa_short", SOVIET)
    for t in Enemy(s, AXIS, random.Random(1)).positions(3):
        assert sum(t.hex[g] != s.hex[g] for g in groups_of(AXIS)) > 5
        assert sum(t.plot[g] > 0 for g in groups_of(AXIS)) > 5
        assert orders(t, SOVIET) == orders(s, SOVIET)


def test_an_enemy_who_has_marched_only_plots() -> None:
    s = marching("barbarossa_short", AXIS)
    for t in Enemy(s, SOVIET, random.Random(1)).positions(3):
        assert all(t.hex[g] == s.hex[g] for g in groups_of(SOVIET))
        assert orders(t, AXIS) == orders(s, AXIS)


@pytest.mark.parametrize("side", [AXIS, SOVIET])
def test_how_strong_the_enemy_is_nobody_knows_and_the_enemy_knows_as_little(side: int) -> None:
    s = marching("case_blue_short", side)
    first, *others = Enemy(s, 1 - side, random.Random(1)).positions(12)
    mine, theirs = (slice(n * UNITS_PER_SIDE, (n + 1) * UNITS_PER_SIDE) for n in (side, 1 - side))
    assert first.strength == s.strength
    assert all(t.strength[mine] == s.strength[mine] for t in others), "one's own are what they are, after all"
    sums = [sum(t.strength[theirs]) / sum(s.strength[theirs]) for t in others]
    assert all(t.strength[theirs] != s.strength[theirs] for t in others)
    assert min(sums) > 0.8 and max(sums) < 1.25 and min(sums) < 1 < max(sums)
    assert len({orders(t, 1 - side) for t in others}) > 4


def test_in_an_open_game_everybody_knows_who_is_how_strong() -> None:
    s = marching("case_blue_short", SOVIET, fog="open")
    assert all(t.strength == s.strength for t in Enemy(s, AXIS, random.Random(1)).positions(4))


def test_campaigns_of_the_enemy_are_thought_out_once() -> None:
    enemy = Enemy(marching("zitadelle", SOVIET), AXIS, random.Random(1))
    first = enemy.positions(4)
    assert all(t in enemy.known for t in first)
    again = enemy.positions(40)
    assert len(again) == 40 and len(enemy.known) < 24
    assert again[0] is first[0]


def test_who_is_in_a_hurry_thinks_of_one_campaign_of_the_enemy() -> None:
    enemy = Enemy(marching("zitadelle", SOVIET), AXIS, random.Random(1))
    assert len(enemy.positions(8, lambda: False)) == 8
    assert len(enemy.known) == 1


def test_the_weaker_side_minds_its_losses_more() -> None:
    s = board({12: inf("1922", *STRONG), 80: rifles("1720")})
    strong, weak = (at_stake(s, side, attack_policy_of(s, side)) for side in (AXIS, SOVIET))
    assert strong.own_loss / strong.enemy_loss < 1 < weak.own_loss / weak.enemy_loss


def test_cities_count_the_more_the_nearer_the_end() -> None:
    s = board({12: inf("1922", *STRONG), 80: rifles("1720")})
    prizes = []
    for left in (40, 20, 10, 6, 2):
        s.turn = s.rules.turns - left
        prizes.append(at_stake(s, AXIS, attack_policy_of(s, AXIS)).prize)
    assert prizes == sorted(prizes)
    assert prizes[0] < prizes[2] < prizes[3] == prizes[4]


def test_wearing_a_city_down_is_worth_something() -> None:
    s = board({12: inf("1621", *STRONG), 80: rifles("1722", entrench=5), 81: rifles("1724", entrench=5)})
    work = drill(s)
    before = work.judge(s)
    s.entrench[81] = 3
    elsewhere = work.judge(s) - before
    s.entrench[80] = 3
    assert work.judge(s) - before - elsewhere > 4 * elsewhere > 0


def test_works_and_supply_count_and_a_closed_ring_counts_little() -> None:
    """In a whole game a pocket is as often broken open as it is reduced; in a lesson it may be all that matters."""
    s = board({12: inf("1922", *STRONG), 80: rifles("1720")})
    usual, looking_back = attack_policy_of(s, AXIS), at_stake(s, AXIS, attack_policy_of(s, AXIS))
    assert looking_back.caught < usual.caught and looking_back.ring == 0
    assert (
        looking_back.entrenchment > usual.entrenchment
        and looking_back.enemy_entrenchment > 0
        and looking_back.hunger > usual.hunger
    )
    s.goal = GAME.load_position(GAME.lesson(GAME.lessons()[-1].id)).goal
    assert at_stake(s, AXIS, usual).caught == usual.caught


def test_what_is_expected_of_attacks_is_computed_from_the_plots() -> None:
    s = board({12: inf("1922", *STRONG), 1: tanks("1924", "1 PZ 150 70 0"), 80: rifles("1921"), 81: rifles("2023")})
    s.plot[12] = Plot(1, 0, ADVANCE).number
    s.plot[1] = Plot(1, 0, ADVANCE).number
    assert set(attackers(s, AXIS)) == {h(s, "1921")}
    found = expected(s, AXIS)[h(s, "1921")]
    assert found.groups == [12] and found.odds > 3 and found.clear > 0.5


# ---------------------------------------------------------------------- the player


def choices(mind: SearchPlayer, s: State, seat: str, clock: Any, most: int = 400) -> list[Action]:
    """What a player does in a phase, seeing only what its side sees."""
    view, dice, found = GAME.view_of(s, seat), SeededDice(1), list[Action]()
    view.legal = None
    while (decision := GAME.decision(view)) is not None and decision.seat == seat and len(found) < most:
        action = mind.choose(view.copy(), decision, clock)
        assert action in decision.options
        found.append(action)
        if action == Action("done"):
            break
        GAME.apply(view, action, dice)
    return found


def searcher(seed: int = 4, tries: int = LITTLE) -> SearchPlayer:
    return SearchPlayer(GAME, {}, seed, tries)


def test_the_same_seed_gives_the_same_orders_when_there_is_time() -> None:
    first, again = (choices(searcher(), marching(), "axis", TimedClock(3600)) for _ in range(2))
    assert first == again and len(first) > 40


@pytest.mark.parametrize("seat", ["axis", "soviet"])
def test_it_decides_the_same_whatever_the_enemy_hides(seat: str) -> None:
    side, told = SIDES.index(seat), []
    for changed in (False, True):
        s = marching(side=side)
        if changed:
            change_what_is_hidden(s, 1 - side)
        told.append(choices(searcher(), s, seat, TimedClock(3600)))
    assert told[0] == told[1]


@pytest.mark.parametrize("seconds", [0.0, 3.0, 10.0])
def test_it_uses_its_time_and_no_more(seconds: float) -> None:
    mind = searcher(tries=TRIES)
    clock = Ticking(seconds, 0.02)
    s = marching()
    decision = GAME.decision(s)
    assert decision is not None
    assert mind.choose(GAME.view_of(s, "axis"), decision, clock) in decision.options
    assert mind.failures == []
    assert clock.seconds < max(0.0, 0.2 * seconds)
    assert clock.looks_after_the_end < 12


def test_more_time_means_more_trials() -> None:
    tried = []
    for seconds in (0.0, 2.0, 6.0):
        mind, s = searcher(tries=TRIES), marching()
        decision = GAME.decision(s)
        assert decision is not None
        mind.choose(GAME.view_of(s, "axis"), decision, Ticking(seconds, 0.02))
        assert mind.work is not None
        tried.append(mind.work.local_search.tried if mind.work.local_search else 0)
    assert tried[0] == 0 < tried[1] < tried[2]


@pytest.mark.parametrize("scenario", ["barbarossa_short", "case_blue", "zitadelle"])
def test_weeks_of_legal_orders(scenario: str) -> None:
    s, dice = GAME.setup(scenario, {}), SeededDice(2)
    minds = {seat: searcher(n) for n, seat in enumerate(("axis", "soviet"))}
    while s.turn < 2 and (decision := GAME.decision(s)) is not None:
        action = minds[decision.seat].choose(GAME.view_of(s, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        GAME.apply(s, action, dice)
        dice.drawn.clear()
    assert s.turn == 2
    assert [mind.failures for mind in minds.values()] == [[], []]


def test_it_is_on_the_list_with_levels_by_time() -> None:
    for name in ("search", "search-quick", "search-patient"):
        assert isinstance(player(name, GAME, {}, 1), SearchPlayer)


class Errands(SearchedMovement):
    """Gives two groups a plot before all others."""

    def missions(self) -> None:
        for group in self.situation.own:
            if self.apart.bit_count() < 2 and self.order_list.orders(group) and self.order_list.give("plot", 10):
                self.apart |= 1 << group


def test_groups_with_a_task_of_their_own_keep_their_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalSearch, "better", lambda self, going, tries: {})
    work = Errands(marching(), AXIS, random.Random(1), lambda: True, 5)
    work.plan()
    plotted = sum(1 << group for group in work.situation.own if work.s.plot[group])
    assert plotted == work.apart
    assert work.apart.bit_count() == 2
