"""Masked PPO with sb3-contrib, for those who have PyTorch.

    uv sync --group learn          # or: pip install sb3-contrib torch
    python examples/sb3_maskable.py --steps 20000

``seat_env`` keeps sb3-contrib's contract: a dictionary of arrays to observe, ``action_masks()`` for the legal actions.
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rasputitsa.envs import Rewards, SeatEnv, seat_env


class Maskless(gymnasium.ObservationWrapper):
    """Leaves the mask out of what the network sees: sb3-contrib asks for it by itself."""

    def __init__(self, env: SeatEnv) -> None:
        super().__init__(env)
        self._seat_env = env
        space = env.observation_space
        assert isinstance(space, spaces.Dict)
        self.observation_space = spaces.Dict({name: box for name, box in space.spaces.items() if name != "action_mask"})

    def observation(self, observation: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
        """All but the mask."""
        return {name: array for name, array in observation.items() if name != "action_mask"}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions."""
        return self._seat_env.action_masks()


def train(lesson: str = "river_and_city", seat: str = "axis", opponent: str = "random", steps: int = 20_000) -> float:
    """Learn for a number of decisions; gives the share of twenty games won afterwards."""
    from sb3_contrib import MaskablePPO

    env = Maskless(
        seat_env(
            "portfolio", seat, opponent, lesson=lesson, rewards=Rewards(points=0.5, losses=0.02), max_decisions=150
        )
    )
    model = MaskablePPO("MultiInputPolicy", env, n_steps=min(512, steps), batch_size=64, verbose=0, seed=0)
    model.learn(steps)
    won = 0
    for game in range(20):
        observation, info = env.reset(seed=game)
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks())
            observation, _, ended, cut, info = env.step(int(action))
            over = ended or cut
        won += info.get("winner") == seat
    return won / 20


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Masked PPO with sb3-contrib.")
    parser.add_argument("--lesson", default="river_and_city")
    parser.add_argument("--seat", default="axis")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=20_000)
    print(f"won {train(**vars(parser.parse_args())):.0%} of twenty games")


if __name__ == "__main__":
    main()
