"""The planner of The Russian Portfolio: journeys, gambles, deployment, lessons, whole games and the clock."""

from __future__ import annotations

from pathlib import Path
from re import sub
from string import ascii_uppercase
from types import SimpleNamespace
from typing import Any

import pytest

from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.portfolio.evaluation.valuation import valuation_of
from rasputitsa.ai.portfolio.planning.assault import Assault
from rasputitsa.ai.portfolio.planning.battle import Announcements, Deliberation, last_chance
from rasputitsa.ai.portfolio.planning.deployment import border_field
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.planning.siberia import call_siberia
from rasputitsa.ai.portfolio.planning.transport import Transport
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.options import OPTIONS
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics.siberia import safe_turn
from rasputitsa.portfolio.rules.turn import victory
from tests.support import AMPLE, GAME
from tests.unit.ai.portfolio.test_danger import edited

LIGHT = Level(tries=40, rounds=0, sweeps=1, candidates=4, polish=10, plans=1)
LATEST = 10
"""Looks at a clock that has run out, before the answer comes."""


def minds(options: dict[str, str], level: Level, seed: int) -> dict[str, PlannerPlayer]:
    """A planner for every seat."""
    return {seat.id: PlannerPlayer(GAME, options, seed + n, level) for n, seat in enumerate(GAME.seats(options))}


def play(
    scenario: str, options: dict[str, str], level: Level, seed: int, most: int = 100_000
) -> tuple[Any, list[Action]]:
    """A game of planners against each other, to its end or for a number of decisions; every choice must be legal."""
    state = GAME.setup(scenario, options)
    players, dice = minds(options, level, seed), SeededDice(seed)
    chosen: list[Action] = []
    while len(chosen) < most and (decision := GAME.decision(state)) is not None:
        view = GAME.view_of(state, decision.seat)
        action = players[decision.seat].choose(view, decision, TimedClock(AMPLE))
        assert action in decision.options
        chosen.append(action)
        GAME.apply(state, action, dice)
    assert [mind.failures for mind in players.values() if mind.failures] == []
    return state, chosen


def position(**table: Any) -> Any:
    return GAME.load_position({"empty": True, "turn": 3, "phase": "replacement", **table})


def asked(state: Any) -> Decision:
    decision = GAME.decision(state)
    assert decision is not None
    return decision


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize(
    ("scenario", "players", "free"),
    [("june22", "2", "historical"), ("june1", "4", "historical"), ("july10", "2", "free"), ("june22", "4", "free")],
)
def test_planners_play_whole_games_from_every_date(scenario: str, players: str, free: str) -> None:
    state, _ = play(scenario, {"players": players, "soviet_deployment": free}, LIGHT, 5)
    assert GAME.outcome(state) is not None


def test_planners_play_a_whole_game_with_every_other_option() -> None:
    other = {o.id: next(c.id for c in o.choices if c.id != o.default) for o in OPTIONS if o.id != "players"}
    state, _ = play("june22", {**other, "soviet_deployment": "historical"}, LIGHT, 6)
    assert GAME.outcome(state) is not None


# ---------------------------------------------------------------- the clock


def test_with_a_generous_clock_a_seed_gives_one_game() -> None:
    level = Level(tries=60, rounds=1, sweeps=1, candidates=4, polish=20, plans=2)
    assert play("june22", {}, level, 11, 260)[1] == play("june22", {}, level, 11, 260)[1]


class LooksClock:
    """Time that passes by looking at it: the same on every machine, however busy."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.late = 0
        """Looks after the time was up."""

    def left(self) -> float:
        self.looks -= 1
        self.late += self.looks < 0
        return max(0.0, self.looks / 1000)

    def report(self, done: int, total: int, text: str) -> None:
        pass


@pytest.mark.parametrize("looks", [0, 1, 3, 10])
def test_a_planner_stops_when_its_time_is_up(looks: int) -> None:
    """It answers at once; how long that is in seconds is measured by the benchmark."""
    state, dice = GAME.setup("june22", {}), SeededDice(4)
    players = minds({}, Level(), 4)
    latest = 0
    while state.turn < 3 and (decision := GAME.decision(state)) is not None:
        clock = LooksClock(looks)
        action = players[decision.seat].choose(GAME.view_of(state, decision.seat), decision, clock)
        latest = max(latest, clock.late)
        GAME.apply(state, action, dice)
    assert latest <= LATEST


# ---------------------------------------------------------------- trains and ships


def test_an_army_far_behind_goes_to_the_front_by_rail() -> None:
    state = position(side="soviet", units={"28A": "A25", "4AOK": "Q10", "20A": "Q13"})
    journey = Transport(state, SOVIET).best(asked(state), set())
    army = state.rules.roster.find("28A")
    assert journey is not None
    assert journey.action == Action("rail", (army,))
    front = Transport(state, SOVIET).front
    assert front[journey.target] < front[state.pos[army]]


def test_only_idle_units_travel_while_the_enemy_is_about_to_strike() -> None:
    """Who comes by rail is Dispersed; the side that operates first in the turn can make that good."""
    state = position(side="soviet", units={"28A": "A25", "20A": "Q13", "4AOK": "Q10"})
    stations, find = Transport(state, SOVIET), state.rules.roster.find
    assert stations.spare(find("28A"))
    assert not stations.spare(find("20A"))
    stations.first = True
    assert stations.spare(find("20A"))


def test_a_journey_that_was_decided_is_made() -> None:
    state = position(side="soviet", units={"28A": "A25", "4AOK": "Q10", "20A": "Q13"})
    mind, dice = PlannerPlayer(GAME, {}, 1, LIGHT), SeededDice(1)
    army = state.rules.roster.find("28A")
    for _ in range(2):
        GAME.apply(state, mind.choose(state, asked(state), TimedClock(AMPLE)), dice)
    assert state.rules.grid.names[state.pos[army]] != "A25"
    assert state.dispersed >> army & 1


# ---------------------------------------------------------------- odds


@pytest.mark.parametrize(
    ("columns", "least"),
    [(None, 6), ('columns = ["1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "10:1"]', 5)],
)
def test_a_hex_counts_as_won_from_three_to_one(tmp_path: Path, columns: str | None, least: int) -> None:
    rules = GAME.setup("june22", {}).rules
    if columns:
        sheet = (DATA / "charts.toml").read_text(encoding="utf-8")
        (tmp_path / "charts.toml").write_text(sub(r"(?m)^columns = \[.*", columns, sheet, count=1), encoding="utf-8")
        rules = ruleset("june22", {}, tmp_path)
    assault = Assault.__new__(Assault)
    assault.s, assault.struck, assault.striking = SimpleNamespace(rules=rules), 0b11, {0: [], 1: []}  # type: ignore[assignment]
    assault.arena = SimpleNamespace(targets={0: least - 1, 1: least}, odds=lambda target, _: (target, 0, 0))  # type: ignore[assignment]
    assert assault.likely() == 0b10


# ---------------------------------------------------------------- gambles


def test_siberia_is_called_when_it_is_safe() -> None:
    state = position(side="soviet", turn=10, units={"4AOK": "Q10", "20A": "Q13"})
    assert safe_turn(state) == 10
    assert call_siberia(state)


def test_siberia_is_not_risked_while_things_stand_well() -> None:
    state = GAME.setup("june22", {})
    assert not call_siberia(state)


def test_one_turn_early_siberia_is_risked_only_when_the_axis_is_about_to_win() -> None:
    state = GAME.setup("june22", {})
    state.turn = safe_turn(state) - 1
    assert not call_siberia(state)
    names = state.rules.grid.names
    # all is lost as far as Leningrad and Smolensk: five points of six
    state.control |= sum(1 << h for h, name in enumerate(names) if name and int(name.lstrip(ascii_uppercase)) < 16)
    assert victory.points_of(state, victory.linked_cities(state)) == 5
    assert call_siberia(state)


def test_the_secret_number_cannot_be_foreseen() -> None:
    state = GAME.setup("june22", {})
    options = [Action("pick", (n,)) for n in range(1, 7)]
    decision = Decision("axis", "axis", "pick", "IX.B.3", "", options)
    picked = {PlannerPlayer(GAME, {}, seed).choose(state, decision, TimedClock(AMPLE)) for seed in range(60)}
    assert picked == set(options)


def announcements(turn: int, units: dict[str, str]) -> Announcements:
    state = GAME.load_position({"empty": True, "turn": turn, "phase": "attack", "side": "soviet", "units": units})
    mind = PlannerPlayer(GAME, {}, 1, LIGHT)
    mine = state.rules.roster.of_side[SOVIET]
    return Deliberation(state, SOVIET, mine, LIGHT, mind.rng, lambda: True).decide(may_declare=True)


def test_the_winter_offensive_waits_for_attacks_worth_it() -> None:
    assert not announcements(9, {"1Shk": "P19", "4AOK": "P14"}).declare


def test_the_winter_offensive_begins_at_the_latest_when_three_turns_are_left() -> None:
    assert announcements(13, {"1Shk": "N18", "3Shk": "N17", "2Inf": "O17", "18AOK": "L12"}).declare


def test_when_the_winter_offensive_must_begin_follows_from_how_long_it_lasts(tmp_path: Path) -> None:
    game = edited(tmp_path, 'source = "VI.B.3"\nturns = 3', 'source = "VI.B.3"\nturns = 6')
    assert [last_chance(known.setup("june22", {}).rules) for known in (GAME, game)] == [13, 10]


# ---------------------------------------------------------------- deployment and lessons


def test_a_free_deployment_holds_the_cities_and_stands_back() -> None:
    state, _ = play("june22", {"soviet_deployment": "free"}, LIGHT, 3, 84)
    grid, roster = state.rules.grid, state.rules.roster
    for city in ("G15", "Q19"):
        assert any(roster.above_corps >> u & 1 for u in state.at.get(grid.index(city), ()))
    field = border_field(state.rules)
    standing = [field[state.pos[u]] for u in state.on_map(SOVIET)]
    historical = GAME.setup("june22", {})
    before = [field[historical.pos[u]] for u in historical.on_map(SOVIET)]
    assert sum(d <= 2 for d in standing) < sum(d <= 2 for d in before) / 2


def lesson_won(name: str, seed: int) -> bool:
    """Whether the planner in the pupil's place reaches the goal of a lesson."""
    info = next(info for info in GAME.lessons() if info.id == name)
    state, dice = GAME.load_position(GAME.lesson(name)), SeededDice(seed)
    pupil, opponent = PlannerPlayer(GAME, {}, seed), player(info.opponent, GAME, {}, seed)
    while (decision := GAME.decision(state)) is not None:
        mind = pupil if decision.seat == info.seat else opponent
        view = GAME.view_of(state, decision.seat)
        GAME.apply(state, mind.choose(view, decision, TimedClock(AMPLE)), dice)
    outcome = GAME.outcome(state)
    return outcome is not None and outcome.winner == info.seat


def test_the_planner_goes_for_the_goal_of_a_lesson() -> None:
    assert sum(lesson_won("first_attack", seed) for seed in range(6)) >= 4


def test_in_a_lesson_the_goal_counts_and_not_the_cities_of_the_whole_game() -> None:
    state = GAME.load_position(GAME.lesson("first_attack"))
    orsha, moscow = state.rules.grid.index("Q12"), state.rules.grid.index("Q19")
    gain = valuation_of(state, AXIS).gain
    assert gain[orsha] > 10.0 > gain[moscow]
