"""What the goal of a lesson or an evening asks for, in words, and how far it is met."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.core.lessons.goal import share
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, SIDES
from rasputitsa.wir.rules.turn.goal import parts


def asked(s: State, side: Side, hex_: Hex) -> str:
    """What the goal has to do with a hex that a side goes to or attacks; nothing where it has nothing."""
    mine = s.goal is not None and side == s.goal.side
    if any(s.hex[group] == hex_ for group in members(lesson.to_remove(s, side))):
        return "the goal is about this group" if mine else "the enemy's goal needs this group"
    if lesson.places(s) >> hex_ & 1:
        return "the goal asks for this hex" if mine else "the enemy's goal asks for this hex"
    return ""


def standing(s: State) -> float:
    """How things stand for the Axis where a goal decides, from 0 to 1: who has won, or how much of it is met."""
    assert s.goal is not None
    if s.outcome is not None:
        return float(s.outcome.winner == SIDES[AXIS])
    met = 0.1 + 0.8 * share(parts(s, s.goal))
    return met if s.goal.side == AXIS else 1 - met
