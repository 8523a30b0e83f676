"""What learners are offered, how often they are asked, and whom they play against."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy as np

from rasputitsa.ai import players
from rasputitsa.ai.players import WorkClock, known_player, player_names
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.core.registry import get_game
from rasputitsa.envs import SeatEnv, aec_env, seat_env
from rasputitsa.envs.table import Table

GAMES = ("portfolio", "wir")


def staller(table: Table) -> int:
    """A learner that takes back what it can, begins what it can, and ends nothing."""
    assert table.decision is not None
    options = table.decision.options
    undone = [o for o in options if o.verb in table.encoder.take_backs]
    begun = [o for o in options if o.verb in ("move", "get", "attack", "divide")]
    return table.index.number((undone or begun or list(options))[0])


@pytest.mark.parametrize(("game", "lesson"), [("portfolio", "winter"), ("wir", "pocket"), ("wir", "hold")])
def test_a_learner_cannot_stall_by_taking_back(game: str, lesson: str) -> None:
    for take_backs in (True, False):
        table = Table(game, lesson=lesson, take_backs=take_backs)
        table.deal(1)
        steps = 0
        while not table.over and steps < 1500:
            table.play(staller(table))
            steps += 1
        assert table.over != take_backs


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_chosen_twice_in_one_position(game: str, seed: int) -> None:
    """Whatever a learner does, also in copies that were sent to other processes."""
    table, chooser = Table(game, take_backs=False, without=sorted(get_game(game).early_ends)), random.Random(seed)
    table.deal(seed)
    seen: set[tuple[object, object]] = set()
    for step in range(900):
        if table.decision is None:
            break
        undone = [o for o in table.decision.options if o.verb in table.encoder.take_backs]
        action = chooser.choice(undone if undone and chooser.random() < 0.5 else list(table.decision.options))
        choice = (table.state.key(), action)
        assert choice not in seen
        seen.add(choice)
        table.play(table.index.number(action))
        if step % 300 == 299:
            table = pickle.loads(pickle.dumps(copy.deepcopy(table)))
    assert len(seen) > 500


def test_what_is_left_out_is_refused_in_words() -> None:
    table = Table("wir", lesson="pocket", take_backs=False)
    table.deal(1)
    assert table.decision is not None
    got = next(o for o in table.decision.options if o.verb == "get")
    table.play(table.index.number(got))
    (halt,) = table.game.parse(table.state, "halt")
    assert halt not in table.decision.options
    with pytest.raises(IllegalAction, match=r"'halt' .* is left out of this environment"):
        table.play(table.index.number(halt))


def test_verbs_are_left_out_where_there_are_others() -> None:
    table = Table("wir", without=["end_game", "level", "done"])
    table.deal(1)
    for _ in range(50):
        assert table.decision is not None
        verbs = {option.verb for option in table.decision.options}
        assert not verbs & {"end_game", "level"} and ("done" not in verbs or len(verbs) == 1)
        table.play(table.index.number(table.decision.options[0]))
    for wrong in (["end_game", "resign"], "done"):
        with pytest.raises(SetupError, match="without takes a list of verbs of wir"):
            Table("wir", without=wrong)


def test_own_decisions_count_and_no_others() -> None:
    env = seat_env("wir", "axis", scenario="barbarossa_short", max_decisions=30)
    _, info = env.reset(seed=1)
    cut = False
    while not cut:
        assert info["decisions"] < 30
        legal = np.flatnonzero(env.action_masks())
        _, _, over, cut, info = env.step(int(legal[0]))  # the first is to end the phase
        assert not over
    assert info["decisions"] == 30
    agents = aec_env("wir", scenario="barbarossa_short", max_decisions=5)
    agents.reset(seed=1)
    made = dict.fromkeys(agents.possible_agents, 0)
    while not any(agents.truncations.values()):
        agent = agents.agent_selection
        made[agent] += 1
        agents.step(int(np.flatnonzero(agents.observe(agent)["action_mask"])[0]))
    assert max(made.values()) == 5


# ---------------------------------------------------------------- opponents


def proposed(env: SeatEnv, seed: int) -> bool:
    """Whether a learner ends a game by proposing to stop, three times."""
    env.reset(seed=seed)
    (proposal,) = env.table.game.parse(env.table.state, "end_game")
    number = env.table.index.number(proposal)
    for _ in range(3):
        if env.table.over:
            return True
        if not env.action_masks()[number]:
            break
        env.step(number)
    return env.table.over


def test_the_opponent_does_not_agree_to_stop() -> None:
    usual, chance = (seat_env("wir", "axis", *names, scenario="barbarossa_short") for names in ((), ("random",)))
    assert not any(proposed(usual, seed) for seed in range(8))
    assert any(proposed(chance, seed) for seed in range(8))


def test_random_games_last() -> None:
    """Without early ends, games of chance against chance go on for months and are decided on the map."""
    game = get_game("portfolio")
    env = seat_env("portfolio", "axis", without=sorted(game.early_ends))
    rng = np.random.default_rng(1)
    for seed in range(2):
        env.reset(seed=seed)
        last = 0
        while not env.table.over:
            last = env.table.state.turn
            env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        assert last >= 8, game.outcome(env.table.state)


def test_chance_that_plays_on_is_known_and_offered_to_nobody() -> None:
    for game in GAMES:
        assert known_player("steady", game) and "steady" not in player_names(game)


# ---------------------------------------------------------------- clocks


def fits_of_slowness() -> Callable[[], float]:
    """A clock on the wall of a machine that stands still now and then."""
    chooser, now = random.Random(1), itertools.count()
    gone = [0.0]

    def read() -> float:
        next(now)
        gone[0] += chooser.choice((0.0001, 0.001, 0.3))
        return gone[0]

    return read


def game_of(clock: str) -> list[tuple[float, bytes]]:
    """What comes of a game against an opponent that thinks as long as it is given."""
    env = seat_env(
        "portfolio", "soviet", "search", lesson="pocket", opponent_seconds=0.5, opponent_clock=clock, take_backs=False
    )
    rng = np.random.default_rng(3)
    observation, _ = env.reset(seed=4)
    found = []
    for _ in range(12):
        if env.table.over:
            break
        observation, reward, *_ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        found.append((reward, observation["planes"].tobytes()))
    return found


def test_results_do_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = game_of("work")
    slow = fits_of_slowness()
    monkeypatch.setattr(players, "TIMERS", dict.fromkeys(players.TIMERS, slow))
    monkeypatch.setattr(time, "monotonic", slow)
    assert game_of("work") == usual
    assert game_of("wall") != usual


def test_the_clock_of_work_runs_out() -> None:
    clock = WorkClock(0.5)
    left = [clock.left() for _ in range(150)]
    assert 0.4 < left[0] < 0.5 and left == sorted(left, reverse=True) and left[-1] == 0
    with pytest.raises(SetupError, match="no clock 'sun'; known: wall, cpu, work"):
        seat_env("wir", opponent_clock="sun")


def test_all_is_kept_in_copies() -> None:
    env: Any = seat_env("wir", "axis", lesson="pocket", take_backs=False, max_decisions=40)
    env.reset(seed=2)
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(60):
        number = staller(env.table)
        assert np.array_equal(env.action_masks(), twin.action_masks())
        ended = [one.step(number)[2:4] for one in (env, twin)]
        assert ended[0] == ended[1]
        if any(ended[0]):
            break
