"""Chances in percent, and several small ones read from one draw."""

from __future__ import annotations

from math import comb
from typing import Final

from rasputitsa.core.frames import Context

TOGETHER: Final = 4
"""Percent dice that are read from one draw."""
FINE_DIE: Final = 1_000_000


def percent(context: Context, stream: str, chance: float) -> bool:
    """Whether a chance comes off. What is certain or impossible is not drawn for."""
    if chance <= 0:
        return False
    return chance >= 100 or context.roll(stream, 10_000) <= round(chance * 100)


def percents(context: Context, stream: str, number: int) -> list[int]:
    """Several percent dice (1-100), four from each draw."""
    found: list[int] = []
    while number > 0:
        together = min(TOGETHER, number)
        value = context.roll(stream, 100**together) - 1
        for _ in range(together):
            value, digit = divmod(value, 100)
            found.append(digit + 1)
        number -= together
    return found


def between(context: Context, stream: str, low: int, high: int) -> int:
    """A whole number from low to high."""
    return low - 1 + context.roll(stream, high - low + 1)


def successes(context: Context, stream: str, trials: int, chance: int) -> int:
    """How many of some independent trials of the same percent chance succeed, from one draw."""
    if trials <= 0 or chance <= 0:
        return 0
    drawn = context.roll(stream, FINE_DIE)
    whole, below = 100**trials, 0
    for k in range(trials):
        below += comb(trials, k) * chance**k * (100 - chance) ** (trials - k)
        if drawn * whole <= below * FINE_DIE:
            return k
    return trials
