"""The examples run, in a short form, and the examples in the documents say what is true."""

from __future__ import annotations

import doctest
import json
import os
import random
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from gymnasium import spaces

from rasputitsa.core.record.new import lesson_session, new_session
from rasputitsa.core.record.session import Session
from rasputitsa.envs import aec_env, seat_env
from rasputitsa.examples import league, masked_ppo, rollouts, sb3_maskable, self_play
from tests.property.test_wir_secrecy import scrambled

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "src" / "rasputitsa" / "examples"


@pytest.mark.parametrize("document", ["research.md", "reference/arrays.md", "bots.md", "cite.md", "models.md"])
def test_documents_speak_true(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs" / document), module_relative=False, optionflags=doctest.FAIL_FAST)
    assert found.failed == 0
    assert found.attempted > 5


def test_the_card_of_the_learned_value_says_what_its_file_says() -> None:
    kept = json.loads((files("rasputitsa.ai.portfolio.search") / "value.json").read_text(encoding="utf-8"))
    card = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    forecast = kept["forecast_of_unseen_games"]
    for said in (
        f"{len(kept['weights'])} numbers of a position",
        f"{kept['positions']} positions of {kept['games']} games", f"seeds from {kept['first_seed']}",
        f"the Axis won {kept['share_won_by_axis']:.1%}".replace("%", " %"), f"log loss {forecast['log_loss']}",
        f"({forecast['log_loss_knowing_nothing']} for", f"area under the curve {forecast['area_under_curve']}",
        kept["method"].rpartition(", C=")[0].removeprefix("logistic regression of game results on positions, "),
    ):  # fmt: skip
        assert said in card, said


def test_masked_ppo_runs_and_repeats() -> None:
    def short() -> list[float]:
        return masked_ppo.train(updates=2, games=3, most=20, quiet=True)

    assert short() == short()


def test_a_league_runs_repeats_and_keeps_its_members(tmp_path: Path) -> None:
    def short(keep: Path | None = None) -> dict[str, float]:
        return league.train(updates=2, games=2, trials=2, keep=keep, quiet=True)

    assert short(tmp_path) == short()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{seat}-{number:03}.npz" for seat in ("axis", "soviet") for number in range(3)
    ]
    table = seat_env("portfolio", "axis", lesson="winter").table
    kept = masked_ppo.Policy(masked_ppo.Describer(table), 9)
    kept.load(tmp_path / "axis-002.npz", table)


def test_members_of_a_league_learn_no_more_and_take_turns() -> None:
    env = seat_env("portfolio", "axis", lesson="winter")
    observation, _ = env.reset(seed=1)
    describer, rng = masked_ppo.Describer(env.table), np.random.default_rng(1)
    policy = masked_ppo.Policy(describer, 1)
    member = league.Member(describer, policy, rng)
    before = {name: array.copy() for name, array in member.policy.weights.items()}
    for array in policy.weights.values():
        array += 1
    assert all(np.array_equal(array, before[name]) for name, array in member.policy.weights.items())
    assert observation["action_mask"][member(observation)]
    pool = league.League(member)
    pool.members += [league.Member(describer, policy, rng) for _ in range(2)]
    drawn = []
    for _ in range(60):
        pool.draw(rng)
        drawn.append(pool.members.index(pool.on_duty))
    assert set(drawn) == {0, 1, 2} and drawn.count(2) > 30


def test_a_player_that_thinks_ahead_does_not_peek() -> None:
    """It chooses the same whatever is hidden, and leaves the game as it stood."""
    env = seat_env("wir", "axis", lesson="hold", take_backs=False)
    env.reset(seed=1)
    game, state = env.table.game, env.table.state
    before = game.fingerprint(state)
    chosen = set()
    for twin in (state, scrambled(state, 1, random.Random(1)), scrambled(state, 1, random.Random(2))):
        env.table.state = twin
        chosen.add(rollouts.choose(env, np.random.default_rng(3), draws=1, depth=6, candidates=6))
    assert len(chosen) == 1 and env.action_masks()[chosen.pop()]
    env.table.state = state
    assert game.fingerprint(state) == before


def test_thinking_ahead_is_counted_beside_chance() -> None:
    thinking, chance = rollouts.compare("portfolio", "first_attack", games=1)
    assert 0 <= chance <= 1 and 0 <= thinking <= 1


def test_the_slopes_of_the_policy_are_its_slopes() -> None:
    """Against differences of the objective, weight by weight."""
    env = seat_env("portfolio", "axis", lesson="first_attack")
    describer = masked_ppo.Describer(env.table)
    policy, rng = masked_ppo.Policy(describer, 1), np.random.default_rng(1)
    policy.weights["out"] = rng.normal(0, 0.5, masked_ppo.HIDDEN)
    steps, _, _ = masked_ppo.episode(env, describer, policy, rng)
    steps = steps[:5]
    gained = np.array([1.0, -0.5, 0.7, -1.0, 0.2])[: len(steps)]
    goals = np.linspace(-1, 1, len(steps))
    slopes = policy.slopes(steps, gained, goals)

    def objective() -> float:
        total = 0.0
        for step, gain, goal in zip(steps, gained, goals, strict=True):
            chances, _ = policy.chances(step.features)
            ratio = chances[step.chosen] / step.chance
            total += min(ratio * gain, np.clip(ratio, 1 - masked_ppo.CLIP, 1 + masked_ppo.CLIP) * gain)
            total -= masked_ppo.ENTROPY * float((chances * np.log(chances + 1e-12)).sum())
            total -= 0.5 * (goal - policy.value(step.whole)) ** 2
        return total / len(steps)

    for name, slope in slopes.items():
        for _ in range(6):
            spot = tuple(rng.integers(0, size) for size in slope.shape)
            before = policy.weights[name][spot]
            policy.weights[name][spot] = before + 1e-6
            above = objective()
            policy.weights[name][spot] = before - 1e-6
            below = objective()
            policy.weights[name][spot] = before
            assert slope[spot] == pytest.approx((above - below) / 2e-6, abs=1e-5)


def test_features_show_what_an_action_is_about() -> None:
    env = seat_env("portfolio", "axis", lesson="first_attack")
    observation, _ = env.reset(seed=1)
    describer = masked_ppo.Describer(env.table)
    index, game, state = env.table.index, env.table.game, env.table.state
    (action,) = game.parse(state, "to Q12")
    rows = describer.actions(observation, np.array([index.number(action)]))
    planes = len(env.table.encoder.planes)
    here, around = rows[0, -2 * planes : -planes], rows[0, -planes:]
    spot = env.table.encoder.planes.index("units_soviet")
    assert here[spot] == 0.5
    assert around[spot] == pytest.approx(0.5 / 6)  # the corps at Q13, one of six neighbours
    assert here[env.table.encoder.planes.index("goal")] == 1


def test_self_play_runs() -> None:
    won = self_play.train("first_attack", updates=1, games=2, trials=1, quiet=True)
    assert set(won) == {"axis", "soviet"}


def test_games_go_to_parquet_and_back(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from rasputitsa.examples import dataset

    sessions = {
        "whole": new_session("portfolio", "june22", seed=3),
        "lesson": lesson_session("portfolio", "pocket", seed=4),
    }
    chooser = random.Random(1)
    for session in sessions.values():
        session.set_controller("axis", "bot random")
        for _ in range(60):
            if (decision := session.decision()) is not None:
                session.play(session.game.format(session.state, chooser.choice(decision.options)))
    path = tmp_path / "games.parquet"
    assert dataset.write(sessions.items(), path) == 2 + sum(session.version for session in sessions.values())
    back = dict(dataset.read(path))
    assert {name: session.save() for name, session in back.items()} == {
        name: session.save() for name, session in sessions.items()
    }
    assert dataset.summary(path)["movement"] > 5


def test_rows_tell_what_was_legal_in_the_numbers_of_environments() -> None:
    pytest.importorskip("pyarrow")
    from rasputitsa.examples import dataset

    env = aec_env("portfolio", lesson="pocket")
    env.reset(seed=5)
    session = lesson_session("portfolio", "pocket", seed=5)
    head, *rows = dataset.rows("x", session)
    assert (head["layout"], rows) == (str(env.table.layout), [])
    for step in range(6):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        number = int(legal[7 * step % len(legal)])
        session.play(env.table.index.name(number))
        row = dataset.rows("x", session)[-1]
        assert (row["number"], row["legal"], row["ply"]) == (number, legal.tolist(), step)
        env.step(number)


def test_decisions_that_led_nowhere_are_marked() -> None:
    pytest.importorskip("pyarrow")
    from rasputitsa.examples import dataset

    session = lesson_session("portfolio", "pocket", seed=4)
    for text in ("move 39Pz", "back", "move 39Pz"):
        session.play(text)
        session.set_controller("soviet", f"bot {text.split()[0]}")
    assert [row["idle"] for row in dataset.rows("x", session)] == [None, True, None, True, None, False, None]
    session.play("back")
    assert [row["idle"] for row in dataset.rows("x", session)] == [None, True, None, True, None, True, None, True]


def test_a_key_belongs_to_one_game() -> None:
    pytest.importorskip("pyarrow")
    from rasputitsa.examples import dataset

    session, other = (lesson_session("portfolio", "pocket", seed=seed) for seed in (4, 5))
    key = dataset.key_of(session)
    assert key == dataset.key_of(Session.load(session.save())) != dataset.key_of(other)
    assert {row["game_key"] for row in dataset.rows("any name", session)} == {key}
    session.play("move 39Pz")
    assert dataset.key_of(session) != key


def test_a_damaged_row_cannot_go_unnoticed(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    from rasputitsa.core.errors import SaveError
    from rasputitsa.examples import dataset

    session = lesson_session("portfolio", "pocket", seed=4)
    session.play("move 39Pz")
    table: Any = pa.Table.from_pylist(
        [row | ({"action": "move 20A"} if row["ply"] == 0 else {}) for row in dataset.rows("x", session)],
        schema=dataset.SCHEMA,
    )
    pyarrow.parquet.write_table(table, tmp_path / "bad.parquet")
    with pytest.raises(SaveError):
        list(dataset.read(tmp_path / "bad.parquet"))


@pytest.mark.parametrize("name", ["../outside", ""])
def test_a_table_writes_no_file_elsewhere(name: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from rasputitsa.examples import dataset

    dataset.write([(name, new_session("portfolio", "june22", seed=1))], tmp_path / "games.parquet")
    line = ["read", tmp_path / "games.parquet", tmp_path / "a" / "b"]
    done = subprocess.run(
        [sys.executable, "-m", "rasputitsa.examples.dataset", *map(str, line)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is no name for a file" in done.stderr
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    "module", ["masked_ppo", "self_play", "league", "rollouts", "dataset", "sb3_maskable", "bots.first"]
)
def test_examples_explain_themselves(module: str) -> None:
    if module == "bots.first":
        text = (EXAMPLES / "bots" / "first.py").read_text(encoding="utf-8")
        assert text.startswith('"""')
        return
    told = subprocess.run(
        [sys.executable, "-W", "error", "-m", f"rasputitsa.examples.{module}", "--help"], cwd=ROOT, capture_output=True,
        text=True, env={**os.environ, "COLUMNS": "120"}, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert "usage" in told.stdout


@pytest.mark.parametrize("lesson", ["first_attack", "river_and_city", "winter"])
def test_the_corner_of_a_lesson_is_small_and_whole(lesson: str) -> None:
    """What sb3-contrib is given is a tenth of the whole, and every position has a legal action in it."""
    env, chooser = sb3_maskable.make(lesson, "axis", "random"), np.random.default_rng(1)
    whole = env.unwrapped.observation_space
    assert isinstance(whole, spaces.Dict) and isinstance(env.action_space, spaces.Discrete)
    assert spaces.flatdim(env.observation_space) < spaces.flatdim(whole) / 8
    assert env.action_space.n < 2500
    row, _ = env.reset(seed=3)
    others = 0
    for _ in range(300):
        assert env.observation_space.contains(row)
        legal = np.flatnonzero(env.action_masks())
        others += legal[0] == env.action_space.n - 1
        row, _, ended, cut, _ = env.step(int(chooser.choice(legal)))
        if ended or cut:
            row, _ = env.reset()
    assert others < 10


def test_sb3_contrib_learns_with_the_masks() -> None:
    pytest.importorskip("sb3_contrib")
    assert 0 <= sb3_maskable.train(steps=128) <= 1


def test_a_saved_game_of_a_bot_match_is_read(tmp_path: Path) -> None:
    """The command line of the dataset example, from saved games to a table and back."""
    pytest.importorskip("pyarrow")
    games, again = tmp_path / "games", tmp_path / "again"
    games.mkdir()
    session = lesson_session("portfolio", "first_attack", seed=2)
    while (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, decision.options[-1]))
    (games / "one.jsonl").write_text(session.save(), encoding="utf-8")
    for line in (["write", games, tmp_path / "t.parquet"], ["read", tmp_path / "t.parquet", again]):
        done = subprocess.run(
            [sys.executable, "-m", "rasputitsa.examples.dataset", *map(str, line)], cwd=ROOT, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert Session.load((again / "one.jsonl").read_text(encoding="utf-8")).save() == session.save()


def test_the_examples_are_in_the_package_and_listed() -> None:
    told = subprocess.run([sys.executable, "-m", "rasputitsa.examples"], capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in told.stdout.splitlines()]
    assert names == sorted(names) and {"masked_ppo", "rollouts", "bots.first"} <= set(names)
    table = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    assert [name for name in names if f"| `{name}` |" not in table] == []


def test_an_example_says_where_it_lies() -> None:
    def run(name: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "rasputitsa.examples", name]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    assert Path(run("bots.first").stdout.strip()).is_file()
    wrong = run("nothing")
    assert wrong.returncode == 1 and "there is no example 'nothing'; known: bots.first" in wrong.stderr
