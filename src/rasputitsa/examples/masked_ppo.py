"""Masked PPO on a lesson, with nothing but NumPy: a small network scores every legal action by what it is about.

    python -m rasputitsa.examples.masked_ppo     # a few minutes; learns a lesson, is compared with random play
    python -m rasputitsa.examples.masked_ppo --lesson winter --seat soviet --updates 200

An action is described by its verb, by the row of its unit in the table of units, and by the planes at its hex and
around it. So the policy has a few thousand weights instead of one row for each of 18,935 actions, and what it learns
about one hex it knows about all. Only legal actions are scored: there is nothing to mask out and nothing illegal to
unlearn. For large networks use PyTorch: ``sb3_maskable`` does the same with sb3-contrib.
"""

from __future__ import annotations

import argparse
import io
import math
import struct
import time
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.format import read_array_header_1_0, read_magic
from numpy.typing import NDArray

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import write_bytes
from rasputitsa.envs import Rewards, SeatEnv, seat_env
from rasputitsa.envs.table import Table

Array = NDArray[np.float64]
HIDDEN = 32
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
EPOCHS, BATCH = 4, 64
ENTROPY = 0.01
MOST_BYTES_OF_TEXT = 1000
EVEN = ((0, 1), (0, -1), (1, 0), (1, -1), (-1, 0), (-1, -1))
ODD = ((0, 1), (0, -1), (1, 1), (1, 0), (-1, 1), (-1, 0))


_UNREADABLE = (
    OSError, LookupError, ValueError, EOFError, RuntimeError, SyntaxError, struct.error, tokenize.TokenError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What damaged archives and heads of arrays lead to."""


class PolicyError(RasputitsaError):
    """A file that holds no weights."""


def read_array(kept: zipfile.ZipFile, name: str, shape: tuple[int, ...]) -> Array:
    """An array of an .npz file: numbers, or one short text. Nothing is unpacked before its kind and size are known,
    and no objects are made, which could run anything."""
    with kept.open(f"{name}.npy") as file:
        if read_magic(file) != (1, 0):
            raise ValueError(f"{name} is of another format")
        found, _, kind = read_array_header_1_0(file)
        text = not shape and kind.kind == "U" and kind.itemsize <= MOST_BYTES_OF_TEXT
        if found != shape or not (text or kind == np.float64):
            raise ValueError(f"{name} is {kind} of shape {found}")
        array = np.frombuffer(file.read(kind.itemsize * math.prod(shape)), kind).reshape(shape).copy()
    if not text and not np.isfinite(array).all():
        raise ValueError(f"{name} is not finite")
    return array


class Describer:
    """Turns an observation and the numbers of its legal actions into a table of features, a row an action."""

    def __init__(self, table: Table) -> None:
        index, encoder = table.index, table.encoder
        self._columns = encoder.columns
        self._verb = np.zeros(index.size, dtype=int)
        self._unit = np.full(index.size, -1)
        self._hex = np.full(index.size, -1)
        hexes = encoder.rows * encoder.columns
        for place, block in enumerate(index.blocks):
            numbers = np.arange(block.start, block.start + block.size)
            self._verb[numbers] = place
            rest = numbers - block.start
            for kind, values in reversed(list(zip(block.kinds, block.values, strict=True))):
                rest, at = np.divmod(rest, len(values))
                if kind == "unit":
                    self._unit[numbers] = at
                elif kind == "hex" and len(values) == hexes:
                    self._hex[numbers] = at
        self._verbs = len(index.blocks)
        planes, units, loose = len(encoder.planes), len(encoder.features), len(encoder.globals)
        self.size = self._verbs + units + 2 * planes
        self.loose = loose + planes

    def actions(self, observation: dict[str, Any], numbers: NDArray[Any]) -> Array:
        """A row an action: verb, unit, hex, and the mean of the hexes around it."""
        verbs = np.eye(self._verbs)[self._verb[numbers]]
        units = np.where(self._unit[numbers, None] >= 0, observation["units"][self._unit[numbers]], 0.0)
        rows, columns = np.divmod(self._hex[numbers], self._columns)
        known = (self._hex[numbers] >= 0)[:, None]
        planes = observation["planes"]
        padded = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
        here = planes[:, rows, columns].T
        around = np.zeros_like(here)
        for even, odd in zip(EVEN, ODD, strict=True):
            down, across = (np.where(rows % 2 == 1, odd[n], even[n]) for n in (0, 1))
            around += padded[:, rows + down + 1, columns + across + 1].T / 6
        return np.concatenate([verbs, units, np.where(known, here, 0), np.where(known, around, 0)], axis=1)

    def whole(self, observation: dict[str, Any]) -> Array:
        """The position as one row: the single numbers and the mean of each plane."""
        means = observation["planes"].mean(axis=(1, 2), dtype=np.float64)
        return np.concatenate([observation["globals"].astype(np.float64), 10 * means])


class Step(NamedTuple):
    """One decision, as it was made."""

    features: Array
    whole: Array
    chosen: int
    chance: float
    value: float


class Policy:
    """Scores actions with one hidden layer, and positions with a line; Adam does the rest."""

    def __init__(self, describer: Describer, seed: int, rate: float = 4e-3) -> None:
        rng = np.random.default_rng(seed)
        self.weights = {
            "in": rng.normal(0, describer.size**-0.5, (describer.size, HIDDEN)), "bias": np.zeros(HIDDEN),
            "out": np.zeros(HIDDEN), "value": np.zeros(describer.loose + 1),
        }  # fmt: skip
        self._rate = rate
        self._means = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._squares = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self._time = 0

    def chances(self, features: Array) -> tuple[Array, Array]:
        """The chance of each action, and the hidden layer."""
        hidden = np.tanh(features @ self.weights["in"] + self.weights["bias"])
        scores = hidden @ self.weights["out"]
        exp = np.exp(scores - scores.max())
        return exp / exp.sum(), hidden

    def save(self, path: Path, table: Table) -> None:
        """Write the weights, with the layout of what they were learned from, whole or not at all."""
        content = io.BytesIO()
        np.savez(content, layout=np.array(str(table.layout)), **self.weights)  # type: ignore[arg-type]  # names of arrays
        write_bytes(path, content.getvalue())

    def load(self, path: Path, table: Table) -> None:
        """Read weights; raises ``LayoutError`` for those of other observations or actions, and ``PolicyError`` for a
        file that does not hold weights of this policy: it may come from elsewhere, and hold anything."""
        if not path.is_file():
            raise PolicyError(f"{path} is no file")
        try:
            with zipfile.ZipFile(path) as kept:
                table.layout.check(str(read_array(kept, "layout", ())) if "layout.npy" in kept.namelist() else "")
                weights = {name: read_array(kept, name, array.shape) for name, array in self.weights.items()}
        except _UNREADABLE as problem:
            raise PolicyError(f"{path} holds no weights of this policy: {problem}") from problem
        self.weights = weights

    def value(self, whole: Array) -> float:
        """How good a position is expected to be."""
        return float(whole @ self.weights["value"][:-1] + self.weights["value"][-1])

    def slopes(self, steps: list[Step], gained: Array, goals: Array) -> dict[str, Array]:
        """The slopes of the clipped objective, of the entropy and of the value's error, for a batch of steps.

        The actions of all steps stand in one table; ``starts`` says where each step's begin.
        """
        sizes = np.array([len(step.features) for step in steps])
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        features = np.concatenate([step.features for step in steps])
        hidden = np.tanh(features @ self.weights["in"] + self.weights["bias"])
        scores = hidden @ self.weights["out"]
        exp = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        chances = exp / np.repeat(np.add.reduceat(exp, starts), sizes)
        chosen = starts + np.array([step.chosen for step in steps])
        ratio = chances[chosen] / np.array([step.chance for step in steps])
        free = np.where(gained > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = ratio * gained * free
        score = -chances * np.repeat(pull, sizes)
        score[chosen] += pull
        logs = np.log(chances + 1e-12)
        score -= ENTROPY * chances * (logs - np.repeat(np.add.reduceat(chances * logs, starts), sizes))
        inner = score[:, None] * self.weights["out"] * (1 - hidden**2)
        wholes = np.stack([np.append(step.whole, 1.0) for step in steps])
        errors = goals - wholes @ self.weights["value"]
        count = len(steps)
        return {
            "in": features.T @ inner / count, "bias": inner.sum(axis=0) / count, "out": hidden.T @ score / count,
            "value": errors @ wholes / count,
        }  # fmt: skip

    def climb(self, slopes: dict[str, Array]) -> None:
        """One step of Adam, upwards."""
        self._time += 1
        for name, slope in slopes.items():
            mean, square = self._means[name], self._squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            scaled = mean / (1 - 0.9**self._time) / (np.sqrt(square / (1 - 0.999**self._time)) + 1e-8)
            self.weights[name] += self._rate * scaled


def episode(
    env: SeatEnv, describer: Describer, policy: Policy, rng: np.random.Generator
) -> tuple[list[Step], list[float], bool]:  # fmt: skip
    """Play one game; gives the steps, their rewards, and whether it was won."""
    observation, info = env.reset(seed=int(rng.integers(2**31)))
    steps, rewards, over = [], [], False
    while not over:
        numbers = np.flatnonzero(observation["action_mask"])
        features, whole = describer.actions(observation, numbers), describer.whole(observation)
        chances, _ = policy.chances(features)
        chosen = int(rng.choice(len(numbers), p=chances))
        steps.append(Step(features, whole, chosen, float(chances[chosen]), policy.value(whole)))
        observation, reward, ended, cut, info = env.step(int(numbers[chosen]))
        # a game broken off counts as lost, or putting off the end would pay
        rewards.append(reward + (env.table.rewards.loss if cut else 0.0))
        over = ended or cut
    return steps, rewards, info.get("winner") == env.table.side[env.seat]


def advantages(steps: list[Step], rewards: list[float]) -> list[float]:
    """Generalised advantage estimates; the game ends with the last step."""
    found, running, after = [], 0.0, 0.0
    for step, reward in zip(reversed(steps), reversed(rewards), strict=True):
        running = reward + GAMMA * after - step.value + GAMMA * LAMBDA * running
        after = step.value
        found.append(running)
    return found[::-1]


def improve(policy: Policy, played: list[tuple[list[Step], list[float]]], rng: np.random.Generator) -> None:
    """One PPO update from some games."""
    steps = [step for game, _ in played for step in game]
    gained = np.array([a for game, rewards in played for a in advantages(game, rewards)])
    goals = gained + np.array([step.value for step in steps])
    gained = (gained - gained.mean()) / (gained.std() + 1e-8)
    for _ in range(EPOCHS):
        order = rng.permutation(len(steps))
        for start in range(0, len(steps), BATCH):
            some = order[start : start + BATCH]
            policy.climb(policy.slopes([steps[n] for n in some], gained[some], goals[some]))


def train(
    lesson: str = "river_and_city", seat: str = "axis", opponent: str = "random", updates: int = 40, games: int = 32,
    most: int = 150, seed: int = 0, quiet: bool = False,
) -> list[float]:  # fmt: skip
    """Learn; gives the share of games won at each update."""
    return learn(lesson, seat, opponent, updates, games, most, seed, quiet)[1]


def learn(
    lesson: str, seat: str, opponent: str, updates: int, games: int, most: int, seed: int, quiet: bool
) -> tuple[Policy, list[float]]:
    """Learn; gives the policy, and the share of games won at each update."""
    # a little for enemy strength destroyed and for each part of the goal, or the first win is long in coming
    weights = Rewards(points=0.5, losses=0.02)
    env = seat_env("portfolio", seat, opponent, lesson=lesson, rewards=weights, max_decisions=most)
    describer = Describer(env.table)
    policy, rng = Policy(describer, seed), np.random.default_rng(seed)
    won = []
    for update in range(updates):
        played = [episode(env, describer, policy, rng) for _ in range(games)]
        won.append(sum(victory for _, _, victory in played) / games)
        if not quiet:
            reward = np.mean([sum(rewards) for _, rewards, _ in played])
            length = np.mean([len(steps) for steps, _, _ in played])
            print(
                f"update {update + 1:3}: won {won[-1]:4.0%}, reward {reward:+.2f}, {length:.0f} decisions", flush=True
            )
        improve(policy, [(steps, rewards) for steps, rewards, _ in played], rng)
    return policy, won


def measure(
    policy: Policy | None, lesson: str, seat: str, opponent: str, games: int, most: int, seed: int = 1_000_000
) -> int:
    """How many games a policy wins without learning any more; None plays at random."""
    env = seat_env("portfolio", seat, opponent, lesson=lesson, max_decisions=most)
    describer, rng = Describer(env.table), np.random.default_rng(seed)
    player = policy or Policy(describer, seed)  # before it has learned anything, every action is equally likely
    return sum(episode(env, describer, player, rng)[2] for _ in range(games))


def interval(won: int, games: int) -> str:
    """The share won, and its 95 % interval (Wilson)."""
    share, z = won / games, 1.96
    middle, width = share + z * z / 2 / games, z * (share * (1 - share) / games + (z / 2 / games) ** 2) ** 0.5
    low, high = ((middle + sign * width) / (1 + z * z / games) for sign in (-1, 1))
    return f"{won} of {games} games, {share:.1%} ({low:.1%} to {high:.1%})"


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Masked PPO on a lesson, in NumPy.")
    parser.add_argument("--lesson", default="river_and_city")
    parser.add_argument("--seat", default="axis")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--games", type=int, default=32, help="games an update")
    parser.add_argument("--most", type=int, default=150, help="decisions after which a game is broken off")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="write what was learned to this file")
    parser.add_argument("--load", type=Path, help="measure what was learned before instead of learning")
    parser.add_argument("--measure", type=int, default=400, help="games to measure what was learned; 0 for none")
    given = parser.parse_args()
    start = time.monotonic()
    table = Table("portfolio", lesson=given.lesson)
    if given.load:
        policy = Policy(Describer(table), given.seed)
        try:
            policy.load(given.load, table)
        except RasputitsaError as problem:
            parser.error(str(problem))
    else:
        policy, _ = learn(
            given.lesson, given.seat, given.opponent, given.updates, given.games, given.most, given.seed, quiet=False
        )
        print(f"learned in {time.monotonic() - start:.0f} s")
    if given.save:
        policy.save(given.save, table)
    if given.measure:
        for opponent in dict.fromkeys(("random", given.opponent)):
            for name, player in (("the policy", policy), ("chance", None)):
                won = measure(player, given.lesson, given.seat, opponent, given.measure, given.most)
                print(f"{name} against {opponent}: {interval(won, given.measure)}", flush=True)


if __name__ == "__main__":
    main()
