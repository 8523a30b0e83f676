"""The search player of The Russian Portfolio: its value of positions, its trials, its choice."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.portfolio.planning.phase_planner import Level, Plan, RiskProfile
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.ai.portfolio.search import value
from rasputitsa.ai.portfolio.search.answers import MOST, better, candidates, tried, withdrawals
from rasputitsa.ai.portfolio.search.features import NAMES, features
from rasputitsa.ai.portfolio.search.player import SearchPlayer
from rasputitsa.ai.portfolio.search.racing import Contender, Effort, PlanRace, Race, Time
from rasputitsa.ai.portfolio.search.rollout import Rollout, WorldDice
from rasputitsa.ai.portfolio.search.selfplay import play as self_play
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.model.combat import OPEN, RESOLVED, Attack
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

SLOW = Level(tries=20, rounds=0, sweeps=0, candidates=2, polish=0, plans=1)
LITTLE = Effort(plans=2, worlds=2, first=1, challengers=2, patience=2, orders=1)
ALWAYS = Time(lambda: True, lambda: True)


def june() -> Any:
    return get_game("portfolio").setup("june22", {})


def marching() -> Any:
    """The first position in which somebody moves."""
    state, dice = june(), SeededDice(1)
    game = get_game("portfolio")
    while (decision := game.decision(state)) is not None and decision.kind != "movement":
        game.apply(state, decision.options[-1], dice)
    return state


def choices(seed: int, most: int) -> list[Action]:
    """What a search player of little effort does in either seat; every choice must be legal."""
    game = get_game("portfolio")
    state = game.setup("june22", {})
    minds = {seat.id: SearchPlayer(game, {}, seed + n, SLOW, LITTLE) for n, seat in enumerate(game.seats({}))}
    dice = SeededDice(seed)
    chosen: list[Action] = []
    while len(chosen) < most and (decision := game.decision(state)) is not None:
        action = minds[decision.seat].choose(game.view_of(state, decision.seat), decision, TimedClock(3600))
        assert action in decision.options
        chosen.append(action)
        game.apply(state, action, dice)
    assert [mind.failures for mind in minds.values()] == [[], []]
    return chosen


# ---------------------------------------------------------------- value


def test_every_feature_has_a_weight() -> None:
    assert len(features(june())) == len(NAMES) == len(value.weights().of)


def test_taking_moscow_is_good_for_the_axis_and_losing_warsaw_is_not() -> None:
    before = june()
    start = value.axis_chance(before)
    moscow, warsaw = (before.rules.grid.index(name) for name in ("Q19", "Q1"))
    taken = before.copy()
    for unit in list(taken.at.get(moscow, ())):
        taken.lift(unit, -2)
    army = next(u for u in taken.on_map(AXIS) if taken.rules.roster.above_corps >> u & 1)
    taken.place(army, moscow)
    taken.control |= 1 << moscow
    assert value.axis_chance(taken) > start + 0.02
    lost = before.copy()
    lost.control &= ~(1 << warsaw)
    assert value.axis_chance(lost) < start - 0.02


def test_a_lost_army_is_bad_for_its_side() -> None:
    state = june()
    for side, sign in ((AXIS, -1), (SOVIET, 1)):
        weaker = state.copy()
        for unit in weaker.on_map(side)[:10]:
            weaker.lift(unit, -2)
        assert sign * (value.axis_chance(weaker) - value.axis_chance(state)) > 0


def test_a_game_that_is_over_has_a_certain_value() -> None:
    game = get_game("portfolio")
    state = game.setup("june22", {})
    dice, rng = SeededDice(4), random.Random(4)
    while (decision := game.decision(state)) is not None:
        game.apply(state, rng.choice(list(decision.options)), dice)
    outcome = game.outcome(state)
    assert outcome is not None
    assert value.axis_chance(state) == float(outcome.winner == "axis")


def test_in_a_lesson_its_goal_counts() -> None:
    game = get_game("portfolio")
    state = game.load_position(game.lesson("first_attack"))
    goal = state.goal
    assert goal is not None and goal.side == AXIS and goal.hold
    reached = state.copy()
    reached.control |= goal.hold

    def gain(of: Any) -> float:
        before, after = state.copy(), reached.copy()
        before.goal = after.goal = of
        return value.axis_chance(after) - value.axis_chance(before)

    assert gain(goal) > 0.5 > 0.2 > gain(None)


# ---------------------------------------------------------------- trials


def test_in_one_world_an_attack_meets_the_same_luck_whatever_was_fought_before() -> None:
    state = june()
    first, second = state.rules.grid.index("N6"), state.rules.grid.index("Q8")

    def luck(world: int, *order: int) -> dict[int, int]:
        s = state.copy()
        s.attacks = tuple(Attack((target,), (), 0) for target in (first, second))
        dice = WorldDice(s, 7, world)
        found = {}
        for number in order:
            assert s.attacks[number].state == OPEN
            s.attacks = tuple(a._replace(state=RESOLVED) if n == number else a for n, a in enumerate(s.attacks))
            found[number] = dice.roll("combat")
        return found

    worlds = range(20)
    assert all(luck(w, 0, 1) == luck(w, 1, 0) for w in worlds)
    assert all(luck(w, 0, 1)[1] == luck(w, 1)[1] for w in worlds)
    assert len({tuple(luck(w, 0, 1).values()) for w in worlds}) > 5


def test_in_a_set_of_worlds_a_throw_shows_every_number_once() -> None:
    s = june()
    for begin in (0, 6, 12):
        dice = [WorldDice(s, 3, world) for world in range(begin, begin + 6)]
        for _ in range(3):
            assert sorted(d.roll("combat") for d in dice) == [1, 2, 3, 4, 5, 6]
    thrown = [[d.roll("combat") for _ in range(2)] for d in (WorldDice(s, 3, world) for world in range(60))]
    assert len({tuple(pair) for pair in thrown}) > 20


def test_a_trial_leaves_the_position_alone_and_repeats() -> None:
    state = marching()
    key = state.key()
    trial = Rollout(state, state.side, 5, lambda: True)
    opening = trial.opening(Plan())
    assert opening is not None
    values = [trial.value(opening, world) for world in (0, 1, 0)]
    assert state.key() == key
    assert values[0] == values[2] and all(v is not None and abs(v) <= value.MOST_LOG_ODDS for v in values)


def test_a_trial_stops_when_time_is_up() -> None:
    state = marching()
    assert Rollout(state, state.side, 5, lambda: False).opening(Plan()) is None


class Standing(TimedClock):
    """A clock that stands still."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def left(self) -> float:
        return self.seconds


# ---------------------------------------------------------------- choice


class Rigged(Race):
    """A race in which each contender is worth what its label says, give or take the luck of the world."""

    def run(self, contender: Contender, worlds: Iterable[int]) -> bool:
        for world in worlds:
            if world not in contender.values:
                self.tried += 1
                contender.values[world] = float(contender.label) + random.Random(world).random() * 0.2 - 1.0
        return True


def race(*labels: str) -> Rigged:
    found = Rigged(june(), AXIS, Effort(worlds=8, first=2), random.Random(1), ALWAYS)
    found.field = [Contender(label, RiskProfile()) for label in labels]
    return found


def test_the_best_wins_the_heats_and_the_worst_is_tried_least() -> None:
    found = race("0.2", "0.5", "0.1", "0.4")
    found.heats()
    assert [c.label for c in found.field[:2]] == ["0.5", "0.4"]
    tried = {c.label: len(c.values) for c in found.field}
    assert tried["0.5"] == 8 and tried["0.1"] == 2


def test_a_challenger_must_be_better_and_a_poor_one_is_dropped_early() -> None:
    found = race("0.5", "0.1")
    found.heats()
    better, worse = Contender("0.51", RiskProfile()), Contender("0.49", RiskProfile())
    assert found.beats(better) and len(better.values) == 8
    assert not found.beats(worse) and len(worse.values) == 2


def test_the_worlds_change_as_challenges_go_on() -> None:
    found = race("0.5")
    found.heats()
    begun = set(found.drawn())
    for _ in range(2 * found.effort.fresh):
        assert not found.beats(Contender("0.1", RiskProfile()))
    now = set(found.drawn())
    assert len(now) == len(begun) == 8 and not now & begun


def test_a_game_that_is_won_or_lost_needs_no_more_thought() -> None:
    assert [race_at(odds).decided() for odds in (-6.0, -3.0, 0.0, 3.0, 6.0)] == [True, False, False, False, True]
    assert not race("0.5").decided()


def race_at(odds: float) -> Rigged:
    found = race("0")
    found.field[0].values = dict.fromkeys(range(4), odds)
    return found


def test_without_time_the_usual_plan_is_taken_untried() -> None:
    state = marching()
    mine = state.rules.roster.of_side[state.side]
    never = Time(lambda: False, lambda: False)
    race = PlanRace(state, state.side, mine, SLOW, Effort(), random.Random(1), never)
    best = race.decide()
    assert (best.label, race.tried, len(race.field)) == ("usual", 0, 1)


def test_more_time_finds_no_worse_a_plan() -> None:
    state = marching()
    mine = state.rules.roster.of_side[state.side]
    race = PlanRace(state, state.side, mine, SLOW, LITTLE, random.Random(1), ALWAYS)
    best = race.decide()
    usual = next(c for c in race.field if c.label == "usual")
    assert race.chance(best, usual.values) >= race.chance(usual)
    assert race.tried >= 4


def test_crossing_takes_one_stretch_from_the_other_plan() -> None:
    state = marching()
    side = state.side
    units = state.on_map(side)
    race = PlanRace(state, side, state.rules.roster.of_side[side], SLOW, Effort(), random.Random(2), ALWAYS)
    stay = Contender("stay", RiskProfile(), Plan())
    go = Contender("go", RiskProfile(), Plan(moves={u: state.pos[u] + 1 for u in units}))
    for _ in range(20):
        child = race.crossed(stay, go)
        assert child is not None and child.plan is not None
        assert 0 < len(child.plan.moves) < len(units)
        assert all(go.plan.moves[u] == h for u, h in child.plan.moves.items() if go.plan)
    assert race.crossed(stay, Contender("same", RiskProfile(), Plan())) is None


# ---------------------------------------------------------------- questions of a battle


def test_an_answer_must_be_better_beyond_doubt() -> None:
    usual = [0.0, 0.5, -0.5, 0.2, -0.2, 0.1]
    a_little = [odds + luck for odds, luck in zip(usual, (0.9, -0.8, 0.9, -0.8, 0.5, -0.5), strict=True)]
    much = [odds + 1.0 for odds in usual]
    worse = [odds - 1.0 for odds in usual]
    assert better([usual, a_little, worse], 0.0) == 0
    assert better([usual, a_little, much], 0.0) == 2
    assert better([usual[:3], much[:3]], 0.0) == 0


def test_before_an_attack_units_that_are_pressed_may_withdraw() -> None:
    state, decision = asked("window")
    attacker = state.side
    found = withdrawals(state, decision.options)
    assert found
    for action in found:
        assert action in decision.options and action.verb == "retreat"
        assert state.rules.grid.spread(1 << state.pos[action.args[0]]) & state.active[attacker]
    usual = Action("stand")
    tried_out = candidates(state, decision, usual)
    assert tried_out[0] == usual and len(tried_out) <= MOST and set(tried_out[1:]) <= set(found)


def test_answers_are_tried_in_the_same_worlds() -> None:
    state, _ = asked("window")
    trial = Rollout(state, 1 - state.side, 3, lambda: True)
    stand = Action("stand")
    values = tried(trial, [stand, stand], 3)
    assert len(values[0]) == 3 and values[0] == values[1]
    assert tried(Rollout(state, 1 - state.side, 3, lambda: False), [stand, stand], 3) == [[], []]


def asked(kind: str) -> tuple[Any, Any]:
    """The first question of a kind in a game of quick planners."""
    game = get_game("portfolio")
    state, dice = june(), SeededDice(2)
    minds = {seat.id: PlannerPlayer(game, {}, n, SLOW) for n, seat in enumerate(game.seats({}))}
    while (decision := game.decision(state)) is not None:
        if decision.kind == kind:
            return state, decision
        game.apply(state, minds[decision.seat].choose(state, decision, TimedClock(3600)), dice)
    raise AssertionError(f"no {kind}")


# ---------------------------------------------------------------- the player


def test_the_same_seed_gives_the_same_game_when_there_is_time() -> None:
    assert choices(7, 60) == choices(7, 60)


def test_it_is_on_the_list_with_levels_by_time() -> None:
    game = get_game("portfolio")
    for name in ("search", "search-quick", "search-patient"):
        assert isinstance(player(name, game, {}, 1), SearchPlayer)


def test_a_hurried_player_answers_at_once_and_legally() -> None:
    game = get_game("portfolio")
    state = marching()
    decision = game.decision(state)
    assert decision is not None
    mind = SearchPlayer(game, {}, 1)
    assert mind.choose(state, decision, TimedClock(3600, hurried=lambda: True)) in decision.options
    assert mind.failures == [] and mind.race is None


def test_with_little_time_it_plans_as_the_planner_does() -> None:
    game = get_game("portfolio")
    state = marching()
    decision = game.decision(state)
    assert decision is not None
    clock = Standing(5.0)
    searcher, planner = SearchPlayer(game, {}, 1), PlannerPlayer(game, {}, 1)
    assert searcher.choose(state, decision, clock) == planner.choose(state, decision, clock)
    assert searcher.race is None and searcher.failures == []
    known = [mind.controllers[decision.seat].plan for mind in (searcher, planner)]
    assert known[0] is not None and known[1] is not None and known[0].moves == known[1].moves


def test_a_game_against_itself_is_noted_with_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from rasputitsa.ai.portfolio.search import selfplay

    monkeypatch.setattr(selfplay, "LEVELS", (SLOW,) * 3)
    found = self_play(3)
    assert len(found["rows"]) > 4 and all(len(row) == len(NAMES) for row in found["rows"])
    assert isinstance(found["axis_won"], bool)


def test_the_fit_finds_what_decides_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    from rasputitsa.ai.portfolio.search import fit

    rng = random.Random(1)
    decisive = NAMES.index("strength")
    games = tmp_path / "games.jsonl"
    with games.open("w", encoding="utf-8") as out:
        for seed in range(40):
            rows = [[rng.uniform(-1, 1) for _ in NAMES] for _ in range(5)]
            won = rng.random() < 0.5
            for row in rows:
                row[decisive] = (1 if won else -1) * rng.uniform(0.1, 1)
            out.write(json.dumps({"seed": seed, "axis_won": won, "rows": rows}) + "\n")
    target = tmp_path / "value.json"
    monkeypatch.setattr("sys.argv", ["fit", str(games), "--out", str(target)])
    fit.main()
    found = json.loads(target.read_text(encoding="utf-8"))
    assert max(found["weights"], key=lambda name: abs(found["weights"][name])) == "strength"
    assert found["games"] == 40 and found["positions"] == 200
    assert found["forecast_of_unseen_games"]["area_under_curve"] > 0.95
