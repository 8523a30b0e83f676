"""How a game of War in Russia is going to end: the lead in victory points to be expected, fitted to many games."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from rasputitsa.ai.wir.search.features import NAMES, features
from rasputitsa.wir import victory
from rasputitsa.wir.theatre import AXIS, SIDES

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

DECIDED = 3000.0
"""The lead of a side that has won by its conquests, or reached the goal of a lesson."""


@cache
def weights() -> tuple[float, ...]:
    """The weights that come with the program."""
    data = json.loads((files(__package__) / "outlook.json").read_text(encoding="utf-8"))
    return tuple(data["weights"][name] for name in NAMES)


def lead(s: State) -> float:
    """The lead of the Axis to be expected, in victory points."""
    if s.outcome is not None and (s.goal is not None or s.outcome.level == victory.VICTORY["worst"]):
        return DECIDED if s.outcome.winner == SIDES[AXIS] else -DECIDED
    now = -float(victory.tally(s)["difference"])
    if s.outcome is not None:
        return now
    return now + sum(w * x for w, x in zip(weights(), features(s), strict=True))
