"""Masked PPO with sb3-contrib, for those who have PyTorch.

    pip install sb3-contrib torch          # in a checkout: uv sync --group learn
    python -m rasputitsa.examples.sb3_maskable --steps 20000

``seat_env`` keeps sb3-contrib's contract: a dictionary of arrays to observe, ``action_masks()`` for the legal actions.
But a lesson takes place in a corner of the map with a few units, and a policy that looks at the whole of it and knows
every action of the game is large and slow. So ``Corner`` shows what can matter in the lesson, and numbers the actions
that can.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rasputitsa.envs import Rewards, SeatEnv, seat_env

MARGIN = 2
"""How many hexes around units and goals belong to the corner."""


class Corner(gymnasium.Wrapper):
    """A lesson as one row of numbers, with the actions about its own units and hexes.

    The last action stands for the first legal one about anything else, so that there always is one.
    """

    def __init__(self, env: SeatEnv, margin: int = MARGIN) -> None:
        super().__init__(env)
        self._seat_env = env
        whole, _ = env.reset(seed=0)
        encoder = env.table.encoder
        features, planes = encoder.features, encoder.planes
        self._units = np.flatnonzero(whole["units"][:, features.index("present")])
        spots = np.argwhere(
            whole["planes"][[planes.index(name) for name in planes if name.startswith(("units_", "goal"))]]
        )
        low, high = spots[:, 1:].min(axis=0) - margin, spots[:, 1:].max(axis=0) + margin + 1
        self._rows = slice(max(0, low[0]), min(encoder.rows, high[0]))
        self._columns = slice(max(0, low[1]), min(encoder.columns, high[1]))
        window = whole["planes"][:, self._rows, self._columns].reshape(len(planes), -1)
        first_moving = planes.index("control_axis")
        still = np.arange(len(planes)) < first_moving
        self._planes = np.flatnonzero(~still | (window.min(axis=1) != window.max(axis=1)))
        self._numbers = self._known_actions()
        self.observation_space = spaces.Box(0.0, 1.0, self.observation(whole).shape, np.float32)
        self.action_space = spaces.Discrete(len(self._numbers) + 1)

    def _known_actions(self) -> NDArray[np.intp]:
        """The numbers of the actions about these units and hexes."""
        encoder, index = self._seat_env.table.encoder, self._seat_env.table.index
        board = np.zeros((encoder.rows, encoder.columns), dtype=bool)
        board[self._rows, self._columns] = True
        here = set(np.flatnonzero(board).tolist())
        known = {"unit": set(self._units.tolist()), "hex": here, "number": set(range(8))}
        found: list[int] = []
        for block in index.blocks:
            places = np.arange(block.size)
            keep = np.ones(block.size, dtype=bool)
            for kind, values in reversed(list(zip(block.kinds, block.values, strict=True))):
                places, at = np.divmod(places, len(values))
                keep &= np.isin(at, list(known[kind]))
            found += (block.start + np.flatnonzero(keep)).tolist()
        return np.array(found)

    def observation(self, whole: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
        """The corner of the planes, the lesson's units, and the single numbers."""
        planes = whole["planes"][self._planes, self._rows, self._columns]
        row = np.concatenate([planes.ravel(), whole["units"][self._units].ravel(), whole["globals"]])
        return row.astype(np.float32, copy=False)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions; the last one only where no other is."""
        mask = np.append(self._seat_env.action_masks()[self._numbers], False)
        mask[-1] = not mask.any()
        return mask

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A fresh game."""
        whole, info = self._seat_env.reset(seed=seed, options=options)
        return self.observation(whole), info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of the seat."""
        if action == len(self._numbers):
            number = int(np.flatnonzero(self._seat_env.action_masks())[0])
        else:
            number = int(self._numbers[action])
        whole, reward, ended, cut, info = self._seat_env.step(number)
        return self.observation(whole), reward, ended, cut, info


def make(lesson: str, seat: str, opponent: str) -> Corner:
    """A lesson to learn, without take-backs."""
    weights = Rewards(points=0.5, losses=0.02)
    return Corner(
        seat_env("portfolio", seat, opponent, lesson=lesson, rewards=weights, max_decisions=150, take_backs=False)
    )


def train(lesson: str = "river_and_city", seat: str = "axis", opponent: str = "random", steps: int = 20_000) -> float:
    """Learn for a number of decisions; gives the share of a hundred games won afterwards."""
    from sb3_contrib import MaskablePPO

    env = make(lesson, seat, opponent)
    model = MaskablePPO("MlpPolicy", env, n_steps=min(2048, steps), batch_size=256, n_epochs=4, verbose=0, seed=0)
    start = time.monotonic()
    model.learn(steps)
    print(f"{model.num_timesteps / (time.monotonic() - start):.0f} steps/s")
    won = 0
    for game in range(100):
        observation, info = env.reset(seed=game)
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks())
            observation, _, ended, cut, info = env.step(int(action))
            over = ended or cut
        won += info.get("winner") == seat
    return won / 100


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Masked PPO with sb3-contrib.")
    parser.add_argument("--lesson", default="river_and_city")
    parser.add_argument("--seat", default="axis")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=20_000)
    print(f"won {train(**vars(parser.parse_args())):.0%} of a hundred games")


if __name__ == "__main__":
    main()
