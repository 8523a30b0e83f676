"""Beliefs kept like a ledger: the enemy's replacements cannot exceed what his people bring forth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.wir.belief import Beliefs, Guess
from rasputitsa.wir import economy
from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import AIR, INF_POOL, KIND, POOL_MOST, POOLS
from rasputitsa.wir.theatre import SIDES

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SPENT = 0.75
"""Share of the replacements that reach units in the field."""
FOUGHT, CONTACT = 0.92, 0.985
"""What is left each week of a group that was attacked, beside what the planner reckons, and of one that touches the
other side."""
DRILL, SEASONED = 0.35, 80
"""Experience that groups in contact gain in a week, and the most they gain it to."""


class Ledger(Beliefs):
    """Beliefs with an account of the enemy's replacements."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.pool = 0.0
        """Infantry points the enemy may have."""
        self.share = 1.0
        """Of the gaps that would be filled, the share that there are replacements for."""

    def _begin(self, s: State) -> None:
        super()._begin(s)
        if s.turn == 1:
            self.pool = float(s.rules.scenario["pools"][SIDES[self.enemy]][POOLS[INF_POOL]])

    def _week(self, s: State) -> None:
        income = economy.forecast(s, self.enemy)[POOLS[INF_POOL]] * SPENT
        self.pool = min(float(POOL_MOST[INF_POOL]), self.pool + income)
        touching = s.zoc(self.side)
        before = {g: (guess.strength, guess.units) for g, guess in self.guesses.items() if KIND[g] != AIR}
        fought = {g for g in before if self.guesses[g].hex in self.attacked}
        for group in before:
            guess, here = self.guesses[group], s.hex[group]
            if group in fought:
                guess.strength *= FOUGHT
            if here != OFF and touching >> here & 1:
                guess.strength *= CONTACT
                if guess.experience < SEASONED:
                    guess.experience += DRILL
        worn = {g: self.guesses[g].strength for g in before}
        super()._week(s)
        self._pay(worn, before)

    def _pay(self, worn: dict[int, float], before: dict[int, tuple[float, float]]) -> None:
        """What was added costs points; where they do not suffice less is added."""
        added = {g: self._added(self.guesses[g], before[g][1], worn[g]) for g in before if g in self.guesses}
        wanted = sum(added.values())
        self.share = min(1.0, self.pool / wanted) if wanted > 0 else 1.0
        self.pool = max(0.0, self.pool - wanted)
        for group, points in added.items():
            guess = self.guesses[group]
            if points > 0 and guess.units > 0:
                guess.strength -= points * (1 - self.share) / guess.units

    @staticmethod
    def _added(guess: Guess, units: float, worn: float) -> float:
        """Strength that a week has added to a group, new units included."""
        return max(0.0, guess.strength * guess.units - worn * units)
