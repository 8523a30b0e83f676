"""8.4 Rain: it brings all rates of movement down, strategic and tactical alike."""

from __future__ import annotations

from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import RAIN


def slowed(s: State, rate: int) -> int:
    """What the present weather leaves of a rate of movement, in hexes a turn."""
    return min(rate, s.rules.march.rain) if s.weather == RAIN else rate


def holds(s: State, rate: int) -> bool:
    """Whether it is rain that lets a group move so few hexes and no more."""
    return s.weather == RAIN and rate >= s.rules.march.rain
