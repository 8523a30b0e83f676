"""Self-play through PettingZoo: one policy learns both seats of a lesson at once.

    python -m rasputitsa.examples.self_play                        # a few minutes

The loop is the whole recipe: the agent that is asked decides, each seat keeps its own steps, and what a seat has earned
is read from ``last()`` when it is asked again or the game is over. After some games the policy learns from both seats,
and every so often it is tried against random play, with each seat.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from rasputitsa.envs import Rewards, SeatsEnv, aec_env, seat_env
from rasputitsa.examples.masked_ppo import Describer, Policy, Step, episode, improve

MOST = 400


def self_play(
    env: SeatsEnv, describer: Describer, policy: Policy, rng: np.random.Generator
) -> tuple[list[tuple[list[Step], list[float]]], str | None]:  # fmt: skip
    """One game of the policy against itself; gives each seat's steps and rewards, and the side that won."""
    env.reset(seed=int(rng.integers(2**31)))
    steps: dict[str, list[Step]] = defaultdict(list)
    rewards: dict[str, list[float]] = defaultdict(list)
    winner = None
    for seat in env.agent_iter():
        observation, reward, ended, cut, info = env.last()
        if steps[seat]:
            rewards[seat].append(float(reward))  # what came of the seat's last step
        if ended or cut:
            winner = info.get("winner")
            env.step(None)
            continue
        numbers = np.flatnonzero(observation["action_mask"])
        features, whole = describer.actions(observation, numbers), describer.whole(observation)
        chances, _ = policy.chances(features)
        chosen = int(rng.choice(len(numbers), p=chances))
        steps[seat].append(Step(features, whole, chosen, float(chances[chosen]), policy.value(whole)))
        env.step(int(numbers[chosen]))
    return [(steps[seat], rewards[seat]) for seat in steps if steps[seat]], winner


def train(
    lesson: str = "winter", updates: int = 20, games: int = 8, trials: int = 10, seed: int = 0, quiet: bool = False
) -> dict[str, float]:
    """Learn from self-play; gives the share of games won against random play with each seat at the end."""
    weights = Rewards(points=0.5, losses=0.01)
    env = aec_env("portfolio", lesson=lesson, rewards=weights, max_decisions=MOST)
    against = {seat: seat_env("portfolio", seat, "random", lesson=lesson) for seat in env.possible_agents}
    describer = Describer(env.table)
    policy, rng = Policy(describer, seed), np.random.default_rng(seed)
    for update in range(updates):
        played: list[tuple[list[Step], list[float]]] = []
        winners = []
        for _ in range(games):
            told, winner = self_play(env, describer, policy, rng)
            played += told
            winners.append(winner)
        improve(policy, played, rng)
        if not quiet:
            shares = ", ".join(
                f"{side} {winners.count(side) / games:.0%}" for side in sorted(set(env.table.side.values()))
            )
            print(f"update {update + 1:3}: {shares}", flush=True)
    won = {}
    for seat, one in against.items():
        won[seat] = sum(episode(one, describer, policy, rng)[2] for _ in range(trials)) / max(1, trials)
        if not quiet:
            print(f"against random play as {seat}: {won[seat]:.0%}")
    return won


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Self-play through PettingZoo.")
    parser.add_argument("--lesson", default="winter")
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--games", type=int, default=8, help="games an update")
    parser.add_argument("--trials", type=int, default=10, help="games against random play at the end, each seat")
    parser.add_argument("--seed", type=int, default=0)
    train(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
