"""Environments gone on with in games that the agent cannot tell from the true one."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy as np

from rasputitsa.ai.players import player
from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import get_game
from rasputitsa.envs import Rewards, SeatEnv, aec_env, seat_env

CASES = [("portfolio", "winter"), ("wir", "hold")]


def need_copies_of_players(opponent: str, game: str) -> None:
    """A compiled computer player cannot be copied, and is refused: see test_snapshots."""
    if opponent != "steady" and not hasattr(player(opponent, get_game(game), {}), "__dict__"):
        pytest.skip("a compiled computer player cannot be copied")


def seen(env: SeatEnv) -> tuple[Any, ...]:
    """All that the agent is shown."""
    observation = env.table.observation(env.seat)
    return {name: array.tobytes() for name, array in observation.items()}, env.table.info(env.seat), env.table.asked


def played(env: SeatEnv, steps: int, seed: int) -> list[float]:
    """What random steps earn."""
    rng, earned = np.random.default_rng(seed), []
    for _ in range(steps):
        _, reward, over, cut, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        earned.append(float(reward))
        if over or cut:
            break
    return earned


@pytest.mark.parametrize("opponent", ["steady", "greedy"])
@pytest.mark.parametrize(("game", "lesson"), CASES)
def test_the_agent_sees_no_difference(game: str, lesson: str, opponent: str) -> None:
    need_copies_of_players(opponent, game)
    env = seat_env(
        game, opponents=opponent, lesson=lesson, take_backs=False, max_decisions=400, rewards=Rewards(points=1.0)
    )
    env.reset(seed=2)
    compared, different = 0, 0
    for _ in range(12):
        if env.table.over:
            break
        before, kept, state = seen(env), env.snapshot(), env.table.game.fingerprint(env.table.state)
        dice = env.table.dice.seed
        ends = []
        for seed in (5, 5, 6):
            env.restore(kept)
            env.restore(env.resample(seed))
            assert seen(env) == before
            assert env.table.dice.seed != dice
            different += env.table.game.fingerprint(env.table.state) != state
            ends.append((env.table.game.fingerprint(env.table.state), played(env, 10, 1), seen(env)))
        assert ends[0] == ends[1]
        env.restore(kept)
        assert seen(env) == before and env.table.game.fingerprint(env.table.state) == state
        compared += 1
        played(env, 5, compared)
    assert compared > 5
    assert different == (3 * compared if game == "wir" else 0)  # in winter the board game hides nothing


@pytest.mark.parametrize(("game", "lesson"), CASES)
def test_every_agent_can_ask_for_a_draw(game: str, lesson: str) -> None:
    env = aec_env(game, lesson=lesson)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        kept, asked = env.snapshot(), env.agent_selection
        for agent in env.possible_agents:
            before = {name: array.tobytes() for name, array in env.observe(agent).items()}
            env.restore(env.resample(agent, 7))
            assert env.agent_selection == asked
            assert {name: array.tobytes() for name, array in env.observe(agent).items()} == before
            env.step(int(rng.choice(np.flatnonzero(env.observe(asked)["action_mask"]))))
            env.restore(kept)
        env.step(int(rng.choice(np.flatnonzero(env.observe(asked)["action_mask"]))))


def test_what_an_opponent_intends_is_not_drawn_upon() -> None:
    """Two games that differ in the plan of the enemy give the same draws."""
    need_copies_of_players("greedy", "wir")
    env = seat_env("wir", "axis", "greedy", lesson="hold")
    env.reset(seed=1)
    played(env, 3, 1)
    kept = env.snapshot()
    ends = []
    for _ in range(2):
        env.restore(env.resample(3))
        ends.append(played(env, 40, 1))
        env.restore(kept)
        env._players["soviet"] = env._opponents(env.table.state, lambda: 99)[0]["soviet"]
    assert ends[0] == ends[1]


def test_an_agent_is_never_offered_what_it_was_not() -> None:
    env = seat_env("wir", lesson="hold", without=["auto_all"], take_backs=False)
    env.reset(seed=1)
    for step in range(40):
        before = env.action_masks().tobytes()
        kept = env.snapshot()
        env.restore(env.resample(step))
        assert env.action_masks().tobytes() == before
        env.restore(kept)
        played(env, 1, step)


def test_programs_of_their_own_cannot_be_drawn_upon() -> None:
    env = seat_env("portfolio", opponents="external:true", lesson="winter")
    with pytest.raises(SetupError, match="cannot be copied"):
        env.resample(1)


def test_draws_are_of_the_game_itself() -> None:
    env = seat_env("wir", lesson="hold")
    env.reset(seed=1)
    drawn = env.resample(1).table.state
    game = get_game("wir")
    assert game.observe(drawn, "axis") == game.observe(env.table.state, "axis")
    assert game.observe(drawn, "soviet") != game.observe(env.table.state, "soviet")
