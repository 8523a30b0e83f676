"""Positions as a seat may know them."""

from __future__ import annotations

from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS


def may_see_secret(s: State, seat: str | None) -> bool:
    """Whether a seat knows the number picked for the roulette."""
    for known in s.rules.seats:
        if known.id == seat:
            return known.side == AXIS
    return False


def view_of(s: State, seat: str | None) -> State:
    """A copy in which whatever the seat may not know is blank."""
    seen = s.copy()
    if not may_see_secret(s, seat):
        seen.secret = 0
    return seen
