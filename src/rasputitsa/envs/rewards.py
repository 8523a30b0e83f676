"""What an agent is rewarded for: winning, and if wanted small steps on the way.

Rewards are given to seats; all seats of a side get the same. At the end the winning side gets ``win``, the other
``loss``, everybody ``draw`` when nobody wins. On the way, each change of the two scores counts:

    points  x (change of the own side's victory score, in shares of what victory needs)
    losses  x (change of the own strength on the map - change of the enemy's, in attack factors)

Both are differences, so a whole game sums up to the difference between its ends: with ``points=0.3``, going from 2 to
5 of 6 points gives 0.3 x (5 - 2) / 6 = +0.15 to the Axis and -0.15 to the Soviets, whatever lay between. With
``losses=0.002``, an exchange of a 4-factor Soviet army for a 3-factor corps gives 0.002 x (4 - 3) = +0.002 to the
Axis and -0.002 to the Soviets. What a seat may not see earns it nothing: where the enemy's strength is hidden,
``losses`` counts the own side's alone. Where all is seen every reward is zero-sum between the sides when
``loss = -win``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rasputitsa.core.game import SeatInfo


@dataclass(frozen=True)
class Score:
    """How one side stands: what shaping looks at."""

    points: float
    """Victory score, in shares of what victory needs."""
    strength: float
    """Strength on the map, in attack factors."""


Looks = Mapping[str, Mapping[str, Score]]
"""For each seat the scores of the sides, as far as the seat may know them."""


@dataclass(frozen=True)
class Rewards:
    """The weights."""

    win: float = 1.0
    loss: float = -1.0
    draw: float = 0.0
    points: float = 0.0
    losses: float = 0.0

    @property
    def shaped(self) -> bool:
        """Whether anything but the end counts."""
        return bool(self.points or self.losses)

    def step(self, side: str, before: Mapping[str, Score], after: Mapping[str, Score]) -> float:
        """The shaping reward of a side between two looks at the scores."""
        reward = 0.0
        for name, now in after.items():
            then = before[name]
            sign = 1 if name == side else -1
            reward += sign * (self.points * (now.points - then.points) + self.losses * (now.strength - then.strength))
        return reward

    def end(self, side: str, winner: str | None) -> float:
        """The reward of a side for the outcome."""
        if winner is None:
            return self.draw
        return self.win if side == winner else self.loss

    def all_of(
        self, seats: list[SeatInfo], before: Looks, after: Looks, over: bool, winner: str | None
    ) -> dict[str, float]:
        """The rewards of every seat for one step, from the scores as each of them knows them."""
        if not over and not self.shaped:
            return {seat.id: 0.0 for seat in seats}
        found = {}
        for seat in seats:
            reward = self.step(seat.side, before[seat.id], after[seat.id]) if self.shaped else 0.0
            found[seat.id] = reward + (self.end(seat.side, winner) if over else 0.0)
        return found
