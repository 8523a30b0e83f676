"""The learning environments keep the contracts of PettingZoo and Gymnasium, and the rules of the game."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.envs import Rewards, aec_env, seat_env
from rasputitsa.envs.indices import ActionIndexError
from rasputitsa.envs.rewards import Score
from rasputitsa.envs.table import Table
from tests.support import GAME
from tests.unit.envs.env_advice import known_advice_only


@pytest.fixture(autouse=True)
def only_known_advice() -> Iterator[None]:
    with known_advice_only():
        yield


@pytest.mark.parametrize(
    "start",
    [{"lesson": "first_attack"}, {"lesson": "winter"}, {"scenario": "june22"}, {"options": {"players": "4"}}],
    ids=str,
)
def test_pettingzoo_contract(start: dict[str, Any]) -> None:
    api_test(aec_env(**start), num_cycles=60)


def test_the_same_seed_gives_the_same_games() -> None:
    seed_test(lambda: aec_env(lesson="winter"), num_cycles=60)
    seed_test(lambda: aec_env(options={"players": "4"}), num_cycles=60)


@pytest.mark.parametrize(
    ("seat", "start"),
    [("soviet", {"lesson": "winter"}), ("axis", {}), ("axis_north", {"options": {"players": "4"}})],
)
def test_gymnasium_contract(seat: str, start: dict[str, Any]) -> None:
    check_env(seat_env("portfolio", seat, **start), skip_render_check=True)


@pytest.mark.parametrize("lesson", [info.id for info in GAME.lessons()])
def test_every_masked_random_episode_is_legal(lesson: str) -> None:
    env = aec_env(lesson=lesson)
    rng = np.random.default_rng(1)
    for seed in range(2):
        env.reset(seed=seed)
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, over, cut, info = env.last()
            total[agent] += reward
            if over or cut:
                env.step(None)
                continue
            assert observation in env.observation_space(agent)
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        assert sorted(total.values()) == [-1.0, 1.0]
        assert total[str(info["winner"])] == 1.0


def test_a_whole_random_game_stays_within_the_tables() -> None:
    env = aec_env(rewards=Rewards(points=0.5, losses=0.002))
    for seed in (4, 5):
        env.reset(seed=seed)
        chooser = random.Random(seed)
        steps = 0
        while not env.table.over and steps < 2500:
            decision = env.table.decision
            assert decision is not None
            numbers = [env.table.index.number(action) for action in decision.options]
            if steps % 50 == 0:
                for agent in env.agents:
                    observation = env.observe(agent)
                    assert env.observation_space(agent).contains(observation)
                    mask = np.flatnonzero(observation["action_mask"]).tolist()
                    assert mask == (sorted(numbers) if agent == decision.seat else [])
            env.step(chooser.choice(numbers))
            steps += 1
        assert steps > 50


# ---------------------------------------------------------------- numbers of actions


def test_numbers_and_actions_are_one_to_one() -> None:
    index = Table("portfolio").index
    for number in (*range(0, index.size, 37), index.size - 1):
        action = index.action(number)
        assert index.number(action) == number
        (read,) = GAME.parse(GAME.setup("june22", {}), index.name(number))
        assert read == action
    starts = [(block.start, block.size) for block in index.blocks]
    assert starts[0][0] == 0
    assert all(a[0] + a[1] == b[0] for a, b in pairwise(starts))
    assert {block.verb for block in index.blocks} == set(GAME.verbs)


def test_the_numbers_of_this_map_are_for_good() -> None:
    """A change of this line breaks every trained model: append verbs, never move them."""
    index = Table("portfolio").index
    assert (index.size, index.digest) == (18935, "a0130b32e2fcfff5")
    assert index.blocks[-1][:3] == ("step", ("hex",), 17815)  # appended; the numbers before it are as they were
    assert Table("portfolio", lesson="winter").index.digest == index.digest
    assert Table("portfolio", options={"players": "4", "october": "track"}).index.digest == index.digest


def test_what_has_no_number_is_refused() -> None:
    index = Table("portfolio").index
    for number in (-1, index.size):
        with pytest.raises(ActionIndexError):
            index.action(number)
    with pytest.raises(ActionIndexError, match="beyond"):
        index.number(GAME.parse(GAME.setup("june22", {}), "resolve 500")[0])


# ---------------------------------------------------------------- strictness


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = aec_env(lesson="first_attack")
    env.reset(seed=1)
    before = GAME.fingerprint(env.table.state)
    illegal = env.table.index.number(GAME.parse(env.table.state, "move 20A")[0])
    with pytest.raises(IllegalAction, match=r"'move 20A'.*not legal for axis"):
        env.step(illegal)
    with pytest.raises(ValueError, match="None"):
        env.step(None)
    assert GAME.fingerprint(env.table.state) == before
    assert env.agent_selection == "axis"
    assert env.rewards == {"axis": 0.0, "soviet": 0.0}


def test_a_seat_env_refuses_the_same_way() -> None:
    env = seat_env("portfolio", "axis", lesson="first_attack")
    env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(env.table.index.number(GAME.parse(env.table.state, "move 20A")[0]))
    while not env.step(int(env.action_space.sample()))[2]:
        pass
    with pytest.raises(Exception, match="reset"):
        env.step(0)


def test_the_seat_sees_no_secret_and_no_mask_of_others() -> None:
    env = aec_env()
    env.reset(seed=1)
    env.table.state.secret = 5
    spot = env.table.encoder.globals.index("picked")
    assert env.observe("axis")["globals"][spot] == pytest.approx(5 / 6)
    assert env.observe("soviet")["globals"][spot] == 0
    assert not env.observe("soviet")["action_mask"].any()


def test_truncation() -> None:
    env = aec_env(max_decisions=7)
    env.reset(seed=1)
    steps = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        if over or cut:
            assert (over, cut) == (False, True)
            env.step(None)
            continue
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))
        steps[agent] += 1
    assert max(steps.values()) == 7


# ---------------------------------------------------------------- rewards


def test_the_worked_numbers_of_the_documentation() -> None:
    before = {"axis": Score(2 / 6, 100), "soviet": Score(0, 200)}
    points = Rewards(points=0.3)
    after = {"axis": Score(5 / 6, 100), "soviet": Score(0, 200)}
    assert points.step("axis", before, after) == pytest.approx(0.15)
    assert points.step("soviet", before, after) == pytest.approx(-0.15)
    losses = Rewards(losses=0.002)
    after = {"axis": Score(2 / 6, 97), "soviet": Score(0, 196)}
    assert losses.step("axis", before, after) == pytest.approx(0.002)
    assert losses.step("soviet", before, after) == pytest.approx(-0.002)
    assert (points.end("axis", "axis"), points.end("axis", "soviet"), points.end("axis", None)) == (1, -1, 0)


def test_shaping_adds_up_to_the_difference_between_the_ends() -> None:
    weights = Rewards(points=0.3, losses=0.01)
    env = seat_env("portfolio", "soviet", "random", lesson="winter", rewards=weights)
    env.reset(seed=3)
    first = env.table.encoder.scores(env.table.state, "soviet")
    # the opponent may have moved before: compare with the start of the observation, as the agent does
    total, over = 0.0, False
    info: dict[str, Any] = {}
    while not over:
        _, reward, over, _, info = env.step(int(env.action_space.sample()))
        total += reward
    last = env.table.encoder.scores(env.table.state, "soviet")
    end = 1.0 if info["winner"] == "soviet" else -1.0
    assert total == pytest.approx(weights.step("soviet", first, last) + end)


def test_the_last_reward_tells_who_won_whoever_moved_last() -> None:
    for seed in range(4):
        env = seat_env("portfolio", "soviet", "random", lesson="first_attack")
        env.reset(seed=seed)
        over = env.table.over
        while not over:
            _, reward, over, _, info = env.step(int(env.action_space.sample()))
        assert reward == (1.0 if info["winner"] == "soviet" else -1.0)


# ---------------------------------------------------------------- what the arrays show


def test_planes_lie_as_the_map_does() -> None:
    table = Table("portfolio", lesson="first_attack")
    table.deal(1)
    seen = table.observation("axis")
    planes = dict(zip(table.encoder.planes, seen["planes"], strict=True))
    row, column = ord("Q") - ord("A"), 12 - 1
    assert planes["units_soviet"][row, column] == 0.5
    assert planes["attack_soviet"][row, column] == pytest.approx(4 / 16)
    assert planes["goal"][row, column] == 1
    assert planes["goal"].sum() == 1
    assert planes["victory"][row, column + 1] == 0.5  # Smolensk
    assert planes["river_east"][row, column] == 1
    features = table.encoder.features
    units = seen["units"]
    mover = table.state.rules.roster.index["39Pz"]
    assert units[mover, features.index("asked")] == 1
    assert units[mover, features.index("mine")] == 1
    assert units[:, features.index("present")].sum() == 6
    table.play(table.index.number(GAME.parse(table.state, "move 39Pz")[0]))
    moved = table.observation("axis")
    assert moved["units"][mover, features.index("subject")] == 1
    assert moved["planes"][table.encoder.planes.index("asked")].sum() > 3
    assert units[mover, features.index("subject")] == 0  # the first observation was not written over


def test_sample_draws_legal_actions_only() -> None:
    env = seat_env("portfolio", "axis", lesson="first_attack")
    env.reset(seed=2)
    env.action_space.seed(0)
    legal = set(np.flatnonzero(env.action_masks()).tolist())
    assert {int(env.action_space.sample()) for _ in range(200)} == legal


def test_render() -> None:
    env = aec_env(lesson="first_attack", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert "20A" in text
    assert seat_env("portfolio", "axis").render() is None


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: aec_env(scenario="june22", lesson="winter"), "not several"),
        (lambda: aec_env(lesson="winter", options={"october": "mud"}), "own options"),
        (lambda: aec_env(lesson="tea"), "no lesson"),
        (lambda: seat_env("portfolio", "finland"), "no seat"),
        (lambda: seat_env("portfolio", "axis", {"nobody": "random"}), "opponents"),
    ],
)
def test_what_cannot_be_made_is_refused(make: Any, word: str) -> None:
    with pytest.raises(SetupError, match=word):
        make()


def test_edited_data_has_its_own_numbers_and_arrays(tmp_path: Any) -> None:
    from rasputitsa.portfolio.api.game import PortfolioGame
    from rasputitsa.portfolio.model.data_folder import DATA

    text = (DATA / "units.csv").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    (tmp_path / "units.csv").write_text("".join(lines[:-1]), encoding="utf-8")  # one counter fewer
    table = Table(PortfolioGame(tmp_path))
    assert table.index.digest != Table("portfolio").index.digest
    table.deal(1)
    assert table.observation("axis")["units"].shape[0] == len(lines) - 2


def test_copies_of_a_game_do_not_disturb_it() -> None:
    """Looking changes nothing, and draws no dice."""
    env = aec_env(lesson="winter")
    env.reset(seed=8)
    before = GAME.fingerprint(env.table.state)
    first = env.observe("soviet")
    second = env.observe("soviet")
    assert all(np.array_equal(first[key], second[key]) for key in first)
    assert GAME.fingerprint(env.table.state) == before
    assert isinstance(env.table.dice, SeededDice)
    assert env.table.dice.counts == {}


# ---------------------------------------------------------------- copies, and what would be ignored


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_environments_are_copied_and_sent_to_other_processes(game: str) -> None:
    env = seat_env(game, "axis", lesson="first_attack")
    env.reset(seed=5)
    twin, sent = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for _ in range(30):
        if env.table.over:
            break
        action = int(np.flatnonzero(env.action_masks())[0])
        expected = env.step(action)
        for other in (twin, sent):
            got = other.step(action)
            assert got[1:4] == expected[1:4]
            assert all((got[0][name] == expected[0][name]).all() for name in expected[0])


def test_unknown_render_modes_and_options_of_a_reset_are_refused() -> None:
    for make in (aec_env, seat_env):
        with pytest.raises(SetupError, match="no render mode 'film'; known: ansi, human, rgb_array"):
            make("portfolio", render_mode="film", lesson="first_attack")
    env = seat_env("portfolio", "axis", lesson="first_attack")
    with pytest.raises(SetupError, match="takes no options"):
        env.reset(options={"scenario": "july10"})
    seats = aec_env("portfolio", lesson="first_attack")
    with pytest.warns(UserWarning, match="takes no options"):
        seats.reset(options={"scenario": "july10"})
