"""The strengths at which computer players can be had, and the clock they think by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rasputitsa.ai import players
from rasputitsa.ai.players import TimedClock, WorkClock, find, known_player, pace, player, player_names
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.players.levels import EASY
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.ai.wir.players.levels import LEFT_OUT, EasyPlanner
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import get_game


@pytest.mark.parametrize("game_id", ["portfolio", "wir"])
def test_every_name_makes_a_player_and_other_names_make_none(game_id: str) -> None:
    game = get_game(game_id)
    offered = player_names(game_id)
    assert {"random", "greedy", "planner", "planner-easy"} <= set(offered)
    assert len(set(offered)) == len(offered)
    for name in offered:
        assert known_player(name, game_id)
        assert player(name, game, {}, 1) is not None
    for wrong in ("planner-normal", "planner-", "planner-none", "greedy-easy", "easy", ""):
        assert not known_player(wrong, game_id)
        with pytest.raises(SetupError):
            player(wrong, game, {})


@pytest.mark.parametrize("game_id", ["portfolio", "wir"])
def test_the_level_of_a_first_game_is_one_of_those_to_choose_from(game_id: str) -> None:
    for info in players.players(game_id):
        assert info.first in {level.id for level in info.levels or (players.USUAL,)}


def wins(winner: str, minds: dict[str, str], tries: int) -> int:
    """How many of a number of games of an evening a side wins."""
    game = get_game("portfolio")
    won = 0
    for seed in range(1, tries + 1):
        state, dice = game.setup("leningrad_1941", {}), SeededDice(seed)
        seats = {seat: player(name, game, {}, seed) for seat, name in minds.items()}
        while (decision := game.decision(state)) is not None:
            view = game.view_of(state, decision.seat)
            game.apply(state, seats[decision.seat].choose(view, decision, WorkClock(1.0)), dice)
        outcome = game.outcome(state)
        assert outcome is not None
        won += outcome.winner == winner
    return won


def test_a_novice_beats_the_opponent_of_a_first_game_in_three_tries() -> None:
    assert wins("soviet", {"axis": "planner-beginner", "soviet": "greedy"}, 3) > 0
    assert wins("axis", {"axis": "planner-easy", "soviet": "planner-beginner"}, 3) > 0


def test_a_level_is_made_by_its_own_maker_and_the_bare_name_is_the_normal_one() -> None:
    easy = player("planner-easy", get_game("portfolio"), {}, 1)
    usual = player("planner", get_game("portfolio"), {}, 1)
    assert isinstance(easy, PlannerPlayer) and isinstance(usual, PlannerPlayer)
    assert easy.level == EASY != usual.level
    assert isinstance(player("planner-easy", get_game("wir"), {}, 1), EasyPlanner)
    found = find("planner", "portfolio")
    assert found is not None and found[1].id == "normal"
    assert pace("planner-easy", "portfolio") < pace("planner", "portfolio") == pace("nobody", "portfolio") == 1


def test_the_easy_planner_of_war_in_russia_does_without_aircraft_and_replacements() -> None:
    game = get_game("wir")
    verbs = set()
    for name in ("planner", "planner-easy"):
        state, dice = game.setup("barbarossa_short", {}), SeededDice(3)
        minds = {seat.id: player(name, game, {}, 5) for seat in game.seats({})}
        while (decision := game.decision(state)) is not None and state.turn < 2:
            view = game.view_of(state, decision.seat)
            action = minds[decision.seat].choose(view, decision, WorkClock(1))
            assert action in decision.options
            if action.verb in LEFT_OUT:
                verbs.add(name)
            game.apply(state, action, dice)
    assert verbs == {"planner"}


def test_a_clock_tells_of_the_time_for_a_player_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "TELL_SECONDS", 0.0)
    told: list[tuple[int, int, str]] = []
    clock = TimedClock(5.0, report=lambda *news: told.append(news))
    clock.left()
    assert len(told) == 1 and 0 <= told[0][0] < told[0][1]
    clock.report(3, 7, "the third of seven")
    clock.left()
    assert told[1:] == [(3, 7, "the third of seven")]


def test_a_planner_in_the_middle_of_its_plan_can_be_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has work for days, and time to look at its clock six thousand times; it is hurried at the fiftieth look."""
    game = get_game("portfolio")
    state = game.setup("june22", {})
    mind = PlannerPlayer(game, {}, 1, replace(Level(), tries=10**9))
    while (decision := game.decision(state)) is not None and decision.kind != "movement":
        game.apply(state, mind.choose(state.copy(), decision, WorkClock(1.0)), SeededDice(1))
    assert decision is not None
    looks = [0]

    def tenths() -> float:
        looks[0] += 1
        return looks[0] / 10

    monkeypatch.setitem(players.TIMERS, players.WALL, tenths)
    clock = TimedClock(600.0, lambda: looks[0] >= 50)
    assert mind.choose(game.view_of(state, decision.seat), decision, clock) in decision.options
    assert 50 <= looks[0] < 100
