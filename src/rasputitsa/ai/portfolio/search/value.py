"""The value of a position: how likely the Axis is to win, fitted to the results of many games."""

from __future__ import annotations

import json
from importlib.resources import files
from math import exp, log
from typing import NamedTuple

from rasputitsa.ai.portfolio.search.features import NAMES, features
from rasputitsa.core.caching import cached
from rasputitsa.core.files import FileError
from rasputitsa.portfolio.model.goal import Goal
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES
from rasputitsa.portfolio.rules.turn import goal

MOST_EXPONENT = 30.0
"""Bound of the exponent in the logistic function, which would overflow without one."""
MAX_WEIGHT = 1e6
"""Bound of the size of a weight read from a file."""
MOST_LOG_ODDS = 8.0
"""Bound of the logarithm of the odds, which a game that is won has; one that is lost has the same below zero."""
GOAL = 0.9
"""What the goal of a lesson counts for, against the game at large."""


class Weights(NamedTuple):
    """A logistic forecast: one weight for each feature, and a constant."""

    constant: float
    of: tuple[float, ...]

    def chance(self, numbers: list[float]) -> float:
        """The chance that the Axis wins."""
        total = self.constant + sum((w * x for w, x in zip(self.of, numbers, strict=True)), 0.0)
        return 1.0 / (1.0 + exp(-max(-MOST_EXPONENT, min(MOST_EXPONENT, total))))


@cached
def weights() -> Weights:
    """The weights that come with the program."""
    return read_weights((files(__package__) / "value.json").read_text(encoding="utf-8"))


def read_weights(text: str) -> Weights:
    """The weights that a text of ``fit`` holds; raises ``FileError``."""
    try:
        data = json.loads(text)
        found = [data["constant"], *(data["weights"][name] for name in NAMES)]
    except (ValueError, RecursionError, LookupError, TypeError) as problem:
        raise FileError(f"these are no weights of positions: {type(problem).__name__} {problem!s:.80}") from problem
    if not all(type(number) in (int, float) and abs(number) <= MAX_WEIGHT for number in found):
        raise FileError(f"the weights of positions are numbers of at most {MAX_WEIGHT:g}")
    return Weights(float(found[0]), tuple(map(float, found[1:])))


def hope(chance: float) -> float:
    """A chance as the logarithm of its odds, within bounds."""
    if chance <= 0.0 or chance >= 1.0:
        return MOST_LOG_ODDS if chance > 0.5 else -MOST_LOG_ODDS
    return max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, log(chance / (1.0 - chance))))


def chance_of(odds: float) -> float:
    """The other way round."""
    return 1.0 / (1.0 + exp(-odds))


def axis_chance(s: State) -> float:
    """How likely the Axis is to win, 0 to 1."""
    if s.outcome is not None:
        return 0.5 if s.outcome.winner is None else float(s.outcome.winner == SIDES[AXIS])
    chance = weights().chance(features(s))
    return chance if s.goal is None else _lesson(s, s.goal, chance)


def _lesson(s: State, objective: Goal, chance: float) -> float:
    """In a lesson: how far its goal is reached, and a little of how the game at large stands."""
    parts = [part for part in goal.parts(s, objective) if part.needed]
    share = sum((min(1.0, part.done / part.needed) for part in parts), 0.0) / max(1, len(parts))
    return GOAL * (share if objective.side == AXIS else 1.0 - share) + (1.0 - GOAL) * chance
