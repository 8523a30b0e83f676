"""IX.B.3 Positions that a seat cannot tell from the present one: the board game hides one number."""

from __future__ import annotations

import random

from rasputitsa.portfolio.api import known
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.logistics.siberia import Cast, numbers


def resampled(s: State, seat: str | None, rng: random.Random) -> State:
    """A position made of what a seat may know; a number that has been picked in secret is drawn."""
    t = known.view_of(s, seat)
    if not known.may_see_secret(t, seat) and t.outcome is None and isinstance(t.stack[-1], Cast):
        t.secret = rng.choice(numbers(t))
    return t
