"""One enemy group as it is believed to be: what is likeliest, how far that may be wrong, and where it is known from."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import Final

from rasputitsa.wir.model.indices import Hex
from rasputitsa.wir.rules.execution.combat import adjusted

LEAST_BELIEVED_FATIGUE = 5.0
"""Least fatigue, in points, that a fight can make a group be believed to have."""
BELIEVED_FATIGUE = 90.0
BELIEVED_EXPERIENCE = 95.0
"""Most fatigue and experience that a group is believed to have: less than the rules allow."""
TIREDNESS = 0.4
"""Share of a surprise, in logarithms, that is put down to fatigue; the rest is strength."""
MOST_LIKELY_80 = 1.2816
"""Standard deviations to each side that hold four fifths of a normal distribution."""

ORDER_OF_BATTLE: Final = "order of battle"
AVERAGE: Final = "average"
NEW: Final = "new"
DIVIDED: Final = "divided"
FIGHT: Final = "fight"
"""Where an estimate is from: the start of the game, the average of the date, a new group or one divided from another,
a fight whose odds were reported."""


@dataclass(slots=True)
class Estimate:
    """One enemy group as it is believed to be."""

    hex: Hex
    units: float
    strength: float
    """Of one unit."""
    experience: float
    fatigue: float
    entrenchment: float
    aircraft: float = 0.0
    doubt: float = 0.0
    """Variance of the logarithm of its power, what all groups have in common left out."""
    shared: float = 1.0
    """How much of the error common to all groups it has, from 0 to 1: little after it was met in a fight."""
    source: str = ORDER_OF_BATTLE
    """The last news of it."""
    turn: int = 0
    """When that was."""
    odds: int = 0
    """The odds that were reported of a fight, in thousandths."""

    def power(self) -> float:
        """Its combat strength in the points of the rules (7.6)."""
        return self.units * adjusted(self.strength, self.experience, self.fatigue)

    def points(self) -> float:
        """Its strength points."""
        return self.units * self.strength

    def shift(self, surprise: float, most: float, full: int) -> None:
        """Make it stronger, or weaker, by a surprise in logarithms.

        ``most`` is the strength of a full unit, ``full`` the number of units of a full group.
        """
        fresh = (100 - self.fatigue) * exp(surprise * TIREDNESS)
        wanted = self.power() * exp(surprise)
        self.fatigue = min(BELIEVED_FATIGUE, max(LEAST_BELIEVED_FATIGUE, 100 - fresh))
        if not self.power():
            return
        self.strength *= wanted / self.power()
        if self.strength > most:
            more = min(max(1.0, full / self.units), self.strength / most)
            self.units *= more
            self.strength = most
            self.experience = min(BELIEVED_EXPERIENCE, self.experience * wanted / self.power())

    def bounds(self, common: float) -> tuple[float, float]:
        """What its power is between with a likelihood of four in five; ``common`` is the variance of the common
        error."""
        width = exp(MOST_LIKELY_80 * sqrt(self.doubt + self.shared * self.shared * common))
        middle = self.power()
        return middle / width, middle * width
