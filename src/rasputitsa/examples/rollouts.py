"""A player that thinks ahead without peeking: it tries its answers in games that it cannot tell from the true one.

    python -m rasputitsa.examples.rollouts     # some minutes; compared with random play
    python -m rasputitsa.examples.rollouts --game wir --lesson first_attack --games 1

``resample`` draws what the seat may not know: strengths, orders and reserves of the enemy, and the dice to come. Each
answer is tried in the same draws, played on at random for some decisions, and the answer that earns most is chosen.
"""

from __future__ import annotations

import argparse

import numpy as np

from rasputitsa.envs import Rewards, SeatEnv, seat_env

SEEDS = 2**31


def earned(env: SeatEnv, action: int, depth: int, rng: np.random.Generator) -> float:
    """What an action and random play after it earn."""
    _, total, over, cut, _ = env.step(action)
    for _ in range(depth):
        if over or cut:
            break
        _, reward, over, cut, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        total += reward
    return float(total)


def choose(
    env: SeatEnv, rng: np.random.Generator, draws: int = 2, depth: int = 12, candidates: int = 6
) -> int:  # fmt: skip
    """The action that earns most on average; of many legal ones some are drawn. The game stands as it stood."""
    legal = np.flatnonzero(env.action_masks())
    tried = rng.permutation(legal)[:candidates]
    if len(tried) == 1:
        return int(tried[0])
    here, totals = env.snapshot(), np.zeros(len(tried))
    drawn = [env.resample(int(rng.integers(SEEDS))) for _ in range(draws)]
    for game in drawn:
        luck = int(rng.integers(SEEDS))
        for place, action in enumerate(tried):  # alike for all, so that their differences are their own
            env.restore(game)
            totals[place] += earned(env, int(action), depth, np.random.default_rng(luck))
    env.restore(here)
    return int(tried[totals.argmax()])


def reached(env: SeatEnv, seed: int, thinking: bool, rng: np.random.Generator) -> bool:
    """Whether the goal is reached in one game, by thinking ahead or by chance."""
    env.reset(seed=seed)
    over = cut = False
    info: dict[str, object] = {}
    while not over and not cut:
        legal = np.flatnonzero(env.action_masks())
        _, _, over, cut, info = env.step(choose(env, rng) if thinking else int(rng.choice(legal)))
    return info.get("winner") == env.table.side[env.seat]


def compare(
    game: str = "portfolio", lesson: str = "river_and_city", seat: str = "axis", games: int = 10
) -> tuple[int, int]:
    """How many games are won by thinking ahead and by chance, with the same seeds."""
    env = seat_env(
        game, seat, "steady", lesson=lesson, rewards=Rewards(points=0.5, losses=0.01), take_backs=False,
        max_decisions=300, copy=False,
    )  # fmt: skip
    rng = np.random.default_rng(0)
    thinking, chance = (sum(reached(env, seed, way, rng) for seed in range(games)) for way in (True, False))
    return thinking, chance


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description="A player that thinks ahead in positions drawn by its knowledge.")
    parser.add_argument("--game", default="portfolio")
    parser.add_argument("--lesson", default="river_and_city")
    parser.add_argument("--seat", default="axis")
    parser.add_argument("--games", type=int, default=10)
    asked = parser.parse_args()
    thinking, chance = compare(**vars(asked))
    print(f"{asked.lesson}: {thinking} of {asked.games} games won by thinking ahead, {chance} by chance")


if __name__ == "__main__":
    main()
