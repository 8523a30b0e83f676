"""War in Russia as learning environments: the contracts of PettingZoo and Gymnasium, and what the arrays show."""

from __future__ import annotations

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

from rasputitsa.core.errors import IllegalAction
from rasputitsa.envs import Rewards, aec_env, seat_env
from rasputitsa.envs.table import Table
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from tests.unit.envs.env_advice import known_advice_only

GAME = WirGame()
LESSONS = [info.id for info in GAME.lessons()]


@pytest.fixture(autouse=True)
def only_known_advice() -> Iterator[None]:
    with known_advice_only():
        yield


@pytest.mark.parametrize("start", [{"lesson": "first_attack"}, {"lesson": "ring"}, {"scenario": "zitadelle"}], ids=str)
def test_pettingzoo_contract(start: dict[str, Any]) -> None:
    api_test(aec_env("wir", **start), num_cycles=60)


def test_the_same_seed_gives_the_same_games() -> None:
    seed_test(lambda: aec_env("wir", lesson="hold"), num_cycles=60)


@pytest.mark.parametrize(("seat", "start"), [("axis", {"lesson": "pocket"}), ("soviet", {"lesson": "winter"})])
def test_gymnasium_contract(seat: str, start: dict[str, Any]) -> None:
    check_env(seat_env("wir", seat, **start), skip_render_check=True)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_masked_random_episode_is_legal(lesson: str) -> None:
    env = aec_env("wir", lesson=lesson, max_decisions=4000)
    rng = np.random.default_rng(1)
    env.reset(seed=2)
    total, steps = dict.fromkeys(env.agents, 0.0), 0
    for agent in env.agent_iter():
        _, reward, over, cut, _ = env.last(observe=False)
        total[agent] += reward
        if over or cut:
            env.step(None)
            continue
        decision = env.table.decision
        assert decision is not None and decision.seat == agent
        numbers = [env.table.index.number(action) for action in decision.options]
        if steps % 40 == 0:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(numbers)
        # phases end sooner than chance would end them
        env.step(numbers[0] if rng.random() < 0.3 else int(rng.choice(numbers)))
        steps += 1
    assert env.table.over and sorted(total.values()) == [-1.0, 1.0]


def test_a_campaign_stays_within_the_tables() -> None:
    table, chooser = Table("wir", scenario="case_blue", rewards=Rewards(points=0.5, losses=0.001)), random.Random(3)
    table.deal(4)
    for step in range(6000):
        if table.decision is None:
            break
        numbers = [table.index.number(action) for action in table.decision.options]
        assert len(set(numbers)) == len(numbers)
        if step % 500 == 0:
            for seat in ("axis", "soviet"):
                seen = table.observation(seat)
                assert table.observation_space().contains(seen)
        verbs = {action.verb: n for action, n in zip(table.decision.options, numbers, strict=True)}
        quick = chooser.random() < 0.4 and ("done" in verbs or "halt" in verbs)
        table.play(verbs.get("done", verbs.get("halt", 0)) if quick else chooser.choice(numbers))
    assert table.state.turn > 5


def test_numbers_and_actions_are_one_to_one() -> None:
    index, start = Table("wir").index, GAME.setup("barbarossa", {})
    for number in (*range(0, index.size, 61), index.size - 1):
        action = index.action(number)
        assert index.number(action) == number
    for name in ("plot 34S", "replace 2 40", "aircraft 52 53", "transfer 12 13", "depot 0917", "step 6", "bomb 0917"):
        number = index.number(GAME.parse(start, name)[0])
        assert index.name(number) == name
    starts = [(block.start, block.size) for block in index.blocks]
    assert all(a[0] + a[1] == b[0] for a, b in pairwise(starts))
    assert {block.verb for block in index.blocks} == set(GAME.verbs)


def test_the_numbers_of_this_map_are_for_good() -> None:
    """A change of this line breaks every trained model: append verbs, never move them."""
    index = Table("wir").index
    assert (index.size, index.digest) == (27432, "e54979eefd7a2136")
    for scenario in GAME.scenarios():
        assert Table("wir", scenario=scenario.id).index.digest == index.digest
    assert Table("wir", lesson="ring").index.digest == index.digest


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = aec_env("wir", lesson="first_attack")
    env.reset(seed=1)
    before = GAME.fingerprint(env.table.state)
    with pytest.raises(IllegalAction, match=r"'get 85'.*not legal for axis"):
        env.step(env.table.index.number(GAME.parse(env.table.state, "get 85")[0]))
    assert GAME.fingerprint(env.table.state) == before
    assert env.agent_selection == "axis"


def test_arrays_lie_as_the_map_does_and_hide_the_enemy() -> None:
    table = Table("wir", lesson="first_attack")
    table.deal(1)
    own, other = table.observation("axis"), table.observation("soviet")
    encoder = table.encoder
    planes = dict(zip(encoder.planes, own["planes"], strict=True))
    theirs = dict(zip(encoder.planes, other["planes"], strict=True))
    brest, before = (19 - 1, 5 - 1), (18 - 1, 4 - 1)  # row and column of 0519 and 0418
    assert planes["city"][brest] == planes["goal"][brest] == planes["combat_soviet"][brest] * 2 == 1
    assert planes["goal"].sum() == 1 and planes["combat_axis"][before] == 1
    assert planes["strength_axis"][before] > 0 == planes["strength_soviet"][brest]
    assert theirs["strength_axis"][before] == 0 < theirs["strength_soviet"][brest]
    assert planes["depot_axis"].sum() == 6 and planes["river_north"].sum() == planes["river_south"].sum()
    features = encoder.features
    units = own["units"]
    assert units[6 - 1, features.index("mechanized")] == units[6 - 1, features.index("asked")] == 1
    assert units[6 - 1, features.index("strength_1")] == pytest.approx(130 / 255)
    assert units[85 - 1, features.index("strength_1")] == 0 < other["units"][85 - 1, features.index("strength_1")]
    assert units[:, features.index("present")].sum() == 6
    table.play(table.index.number(GAME.parse(table.state, "get 6")[0]))
    chosen = table.observation("axis")
    assert chosen["units"][6 - 1, features.index("subject")] == 1
    assert chosen["planes"][encoder.planes.index("subject")][before] == 1
    assert not table.observation("soviet")["units"][:, features.index("subject")].any()
    assert not table.observation("soviet")["action_mask"].any()


def test_scores_of_campaign_and_lesson() -> None:
    table = Table("wir", position={**GAME.lesson("pocket"), "options": {"fog": "open"}})
    before = table.encoder.scores(table.state, "axis")
    table.state.dissolve(85)
    after = table.encoder.scores(table.state, "axis")
    assert (before["axis"].points, after["axis"].points) == (0, 0.5)
    assert before["soviet"].strength - after["soviet"].strength == 105
    assert Rewards(points=0.4, losses=0.001).step("axis", before, after) == pytest.approx(0.2 + 0.105)
    campaign = Table("wir", scenario="barbarossa")
    start = campaign.encoder.scores(campaign.state, "axis")
    minsk = campaign.state.rules.map.city_named["Minsk"]
    lead = GAME.observe(campaign.state, None)["victory"]["difference"]
    assert start["axis"].points == -lead / 1000
    campaign.state.capture(minsk, 0)
    assert campaign.encoder.scores(campaign.state, "axis")["axis"].points > start["axis"].points


def secrets_changed(state: State, side: int) -> State:
    """The same position with other units, supply and works of a side."""
    other = state.copy()
    for group in other.on_map(groups_of(side, MECHANIZED, INFANTRY)):
        other.entrench[group] = 5 - other.entrench[group]
        other.supplied ^= 1 << group
    for unit in other.units_of(side):
        other.strength[unit] = max(1, other.strength[unit] // 2)
    return other


@pytest.mark.parametrize("lesson", [info.id for info in GAME.lessons()])
def test_the_secrets_of_the_enemy_earn_nothing(lesson: str) -> None:
    table = Table("wir", lesson=lesson, rewards=Rewards(points=0.5, losses=0.001))
    for side, seat in enumerate(("axis", "soviet")):
        other = secrets_changed(table.state, 1 - side)
        seen = [table.encoder.scores(GAME.view_of(s, seat), seat) for s in (table.state, other)]
        assert seen[0] == seen[1]
        mine = secrets_changed(table.state, side)
        assert table.encoder.scores(GAME.view_of(mine, seat), seat) != seen[0]


def test_the_end_of_a_hidden_game_does_not_pay_for_what_it_lays_open() -> None:
    table = Table("wir", lesson="first_attack", rewards=Rewards(win=0, loss=0, losses=0.001))
    for seed in range(3):
        table.deal(seed)
        earned = dict.fromkeys(table.side, 0.0)
        had = [sum(table.state.strength[u] for u in table.state.units_of(side)) for side in (0, 1)]
        chooser = random.Random(seed)
        while table.decision is not None:
            numbers = [table.index.number(action) for action in table.decision.options]
            for seat, reward in table.play(chooser.choice(numbers)).items():
                earned[seat] += reward
        left = [sum(table.state.strength[u] for u in table.state.units_of(side)) for side in (0, 1)]
        for side, seat in enumerate(("axis", "soviet")):
            assert earned[seat] == pytest.approx(0.001 * (left[side] - had[side]))


def test_render() -> None:
    env = aec_env("wir", lesson="first_attack", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None and "85" in text and "?" not in text


def test_nobody_can_count_the_decisions_of_the_other_side() -> None:
    env = aec_env("wir", scenario="barbarossa_short")
    env.reset(seed=1)
    while env.agent_selection == "axis":
        mask = env.observe("axis")["action_mask"]
        assert env.infos["soviet"]["decisions"] == 0
        legal = np.flatnonzero(mask)
        env.step(int(legal[1 if env.infos["axis"]["decisions"] < 20 and len(legal) > 1 else 0]))
    assert env.infos["axis"]["decisions"] > 1 and env.infos["soviet"]["decisions"] == 0
