"""Games that are gone back to, ids by which environments are made, and functions as opponents."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import gymnasium
import numpy as np

import rasputitsa
from rasputitsa.ai.players import player
from rasputitsa.core.actions import Action
from rasputitsa.core.errors import SetupError
from rasputitsa.core.registry import get_game
from rasputitsa.envs import SeatEnv, aec_env, seat_env
from rasputitsa.envs.gym import environments
from rasputitsa.envs.no_take_backs import NoTakeBacks
from tests.support import PATIENCE


def course(env: SeatEnv, steps: int, seed: int = 1) -> list[tuple[Any, ...]]:
    """What comes of some random steps."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(steps):
        if env.table.over or env.table.cut:
            break
        observation, *rest = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        found.append((*rest, {name: array.tobytes() for name, array in observation.items()}))
    return found


@pytest.mark.parametrize("opponent", ["steady", "planner"])
@pytest.mark.parametrize(("game", "lesson"), [("portfolio", "winter"), ("wir", "hold")])
def test_a_game_goes_on_from_a_snapshot_as_it_did(game: str, lesson: str, opponent: str) -> None:
    env = seat_env(game, opponents=opponent, lesson=lesson, take_backs=False, max_decisions=60, opponent_seconds=0.05)
    env.reset(seed=3)
    course(env, 4)
    if opponent == "planner" and not hasattr(player(opponent, env.table.game, {}), "__dict__"):
        with pytest.raises(SetupError, match="a compiled computer player cannot be copied"):
            env.snapshot()
        return
    kept = env.snapshot()
    first = course(env, 40)
    for _ in range(2):
        env.restore(kept)
        assert course(env, 40) == first
    assert len(first) > 10


def test_new_dice_are_drawn_where_a_seed_is_given() -> None:
    env = seat_env("portfolio", lesson="winter")
    env.reset(seed=3)
    kept = env.snapshot()
    fallen = []
    for seed in (None, None, 1, 1, 2):
        env.restore(kept, seed)
        fallen.append(tuple(env.table.dice.roll("combat") for _ in range(20)))
    assert fallen[0] == fallen[1] and fallen[2] == fallen[3] and len(set(fallen)) == 3


class Counted:
    """A mark of a position that counts how often it is looked at."""

    looks = 0

    def __hash__(self) -> int:
        Counted.looks += 1
        return id(self)


def test_what_a_snapshot_takes_does_not_grow_with_the_game() -> None:
    """Of all positions a learner has been in, which can be hundreds, none is looked at again."""
    forward = NoTakeBacks(SimpleNamespace(fingerprint=lambda _: Counted()), ())  # type: ignore[arg-type]  # no more is asked
    for step in range(50):
        forward.offered(step, "axis", [Action("done"), Action("step")])
        forward.chosen(Action("done"), False)
    before = Counted.looks
    kept = forward.snapshot()
    forward.restore(kept)
    assert Counted.looks == before
    forward.offered(50, "axis", [Action("done"), Action("step")])
    assert len(kept[2]) == 50, "what is remembered later is not in it"


def test_copies_of_a_random_player_choose_alike_and_apart() -> None:
    game = get_game("portfolio")
    decision = game.decision(game.setup("june22", {}))
    assert decision is not None
    for name in ("random", "steady"):
        one = player(name, game, {}, 5)

        def chosen(who: Any, count: int = 12) -> list[Any]:
            return [who.choose(None, decision, None) for _ in range(count)]

        chosen(one, 3)
        twin, other = copy.deepcopy(one), copy.deepcopy(copy.deepcopy(one))
        first = chosen(one)
        assert chosen(pickle.loads(pickle.dumps(twin))) == chosen(copy.deepcopy(other)) == first
        assert chosen(twin, 6) + chosen(copy.deepcopy(twin), 6) == first and chosen(other) == first


def test_agents_go_back_together() -> None:
    env = aec_env("wir", lesson="hold")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for step in range(60):
        if step == 20:
            kept, agent, state = env.snapshot(), env.agent_selection, get_game("wir").fingerprint(env.table.state)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert get_game("wir").fingerprint(env.table.state) != state
    env.restore(kept)
    assert (env.agent_selection, get_game("wir").fingerprint(env.table.state)) == (agent, state)
    assert env.infos[agent]["decisions"] == env.table.info(agent)["decisions"]


def test_programs_of_their_own_cannot_be_copied() -> None:
    env = seat_env("portfolio", opponents="external:true", lesson="winter")
    with pytest.raises(SetupError, match="cannot be copied"):
        env.snapshot()


def last(observation: dict[str, Any]) -> int:
    """The last of the legal actions, which is seldom to end anything."""
    return int(np.flatnonzero(observation["action_mask"])[-1])


@pytest.mark.parametrize(("game", "lesson"), [("portfolio", "winter"), ("wir", "hold")])
def test_a_function_is_an_opponent(game: str, lesson: str) -> None:
    seen: list[int] = []

    def told(observation: dict[str, Any]) -> int:
        seen.append(int(observation["action_mask"].sum()))
        return last(observation)

    env = seat_env(game, "axis", told, lesson=lesson, take_backs=False, max_decisions=60)
    games = []
    for _ in range(2):
        env.reset(seed=1)
        games.append(str(course(env, 40)))
    assert games[0] == games[1]
    assert seen and min(seen) > 0


def test_a_function_cannot_stall_without_end() -> None:
    env = seat_env("wir", "axis", last, lesson="hold", max_decisions=60)
    env.reset(seed=1)
    while not env.table.over and not env.table.cut:
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert env.table.cut and env.table.asked == "soviet"


# ---------------------------------------------------------------- ids


def test_every_lesson_and_scenario_has_an_id() -> None:
    known = environments()
    wanted = [
        f"rasputitsa/{name}-{start}-v1"
        for name, game in ((name, get_game(name)) for name in ("portfolio", "wir"))
        for start in (*[info.id for info in game.lessons()], *[info.id for info in game.scenarios()])
    ]
    assert sorted(wanted) == sorted(known)


def test_gymnasium_makes_them_without_an_import() -> None:
    """In a process that has imported nothing of ours."""
    text = (
        "import gymnasium, sys; env = gymnasium.make('rasputitsa.envs.gym:rasputitsa/wir-pocket-v1'); "
        "env.reset(seed=1); print(env.unwrapped.opponents, len(env.unwrapped.action_masks().nonzero()[0]))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("{'soviet': 'steady'} ")


@pytest.mark.parametrize("name", ["portfolio-winter", "wir-ring", "wir-zitadelle"])
def test_an_environment_by_its_id_keeps_the_contract(name: str) -> None:
    env: Any = gymnasium.make(f"rasputitsa/{name}-v1", opponents="greedy")
    observation, _ = env.reset(seed=2)
    assert observation in env.observation_space
    for _ in range(20):
        _, _, over, cut, _ = env.step(int(np.flatnonzero(env.unwrapped.action_masks())[-1]))
        if over or cut:
            break


def test_the_version_is_reported() -> None:
    assert rasputitsa.__version__.split(".")[0].isdigit()
