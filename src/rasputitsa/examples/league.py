"""A league: each seat has a policy, which learns against all that the other's has been.

    python -m rasputitsa.examples.league                           # some minutes
    python -m rasputitsa.examples.league --keep league             # and leaves the weights of all members in a folder

An opponent in ``seat_env`` may be any function from what its seat observes to the number of an action. So a member of
the league is a policy that learns no more, and the league a function that asks the member who plays this game. Playing
against the latest alone, two policies chase each other in circles; against all of them what was learned has to last.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from rasputitsa.envs import Rewards, seat_env
from rasputitsa.examples.masked_ppo import Describer, Policy, episode, improve

MOST = 200
LATEST = 0.5
"""How often the latest member plays; else it is any of them."""


class Member:
    """A policy as it was at one time, as an opponent."""

    def __init__(self, describer: Describer, policy: Policy, rng: np.random.Generator) -> None:
        self.policy = Policy(describer, 0)
        self.policy.weights = {name: array.copy() for name, array in policy.weights.items()}
        self._describer, self._rng = describer, rng

    def __call__(self, observation: dict[str, Any]) -> int:
        numbers = np.flatnonzero(observation["action_mask"])
        chances, _ = self.policy.chances(self._describer.actions(observation, numbers))
        return int(self._rng.choice(numbers, p=chances))


class League:
    """The members for one seat; the one on duty plays."""

    def __init__(self, first: Member) -> None:
        self.members = [first]
        self.on_duty = first

    def draw(self, rng: np.random.Generator) -> None:
        """Decide who plays the next game."""
        place = -1 if rng.random() < LATEST else int(rng.integers(len(self.members)))
        self.on_duty = self.members[place]

    def __call__(self, observation: dict[str, Any]) -> int:
        return self.on_duty(observation)


def train(
    lesson: str = "winter", updates: int = 20, games: int = 8, trials: int = 20, seed: int = 0,
    keep: Path | None = None, quiet: bool = False,
) -> dict[str, float]:  # fmt: skip
    """Learn with both seats; gives the share of games that each wins against chance at the end."""
    rng, weights = np.random.default_rng(seed), Rewards(points=0.5, losses=0.01)
    chance = {seat: seat_env("portfolio", seat, lesson=lesson, max_decisions=MOST) for seat in ("axis", "soviet")}
    describers = {seat: Describer(env.table) for seat, env in chance.items()}
    policies = {seat: Policy(describer, seed) for seat, describer in describers.items()}
    leagues = {seat: League(Member(describers[seat], policies[seat], rng)) for seat in policies}
    envs = {
        seat: seat_env("portfolio", seat, leagues[other], lesson=lesson, rewards=weights, max_decisions=MOST)
        for seat, other in (("axis", "soviet"), ("soviet", "axis"))
    }
    for update in range(updates):
        shares = []
        for seat, env in envs.items():
            played = []
            for _ in range(games):
                leagues["soviet" if seat == "axis" else "axis"].draw(rng)
                played.append(episode(env, describers[seat], policies[seat], rng))
            improve(policies[seat], [(steps, rewards) for steps, rewards, _ in played], rng)
            shares.append(f"{seat} {sum(won for _, _, won in played) / games:.0%}")
        for seat, league in leagues.items():
            league.members.append(Member(describers[seat], policies[seat], rng))
        if not quiet:
            print(f"update {update + 1:3}: {', '.join(shares)}", flush=True)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        for seat, league in leagues.items():
            for number, member in enumerate(league.members):
                member.policy.save(keep / f"{seat}-{number:03}.npz", chance[seat].table)
    won = {
        seat: sum(episode(env, describers[seat], policies[seat], rng)[2] for _ in range(trials)) / max(1, trials)
        for seat, env in chance.items()
    }
    if not quiet:
        print("against chance: " + ", ".join(f"{seat} {share:.0%}" for seat, share in won.items()))
    return won


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="A league of policies for both seats of a lesson.")
    parser.add_argument("--lesson", default="winter")
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--games", type=int, default=8, help="games an update, with each seat")
    parser.add_argument("--trials", type=int, default=20, help="games against chance at the end, with each seat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for the weights of all members")
    train(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
