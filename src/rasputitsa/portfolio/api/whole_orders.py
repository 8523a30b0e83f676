"""A line of notation in a position: whole orders, whose single actions depend on it, and all others."""

from __future__ import annotations

from rasputitsa.core.actions import Action
from rasputitsa.portfolio.api import notation, typed_moves, whole_advances, whole_attacks
from rasputitsa.portfolio.model.state import State


def parse(s: State, text: str) -> list[Action]:
    """The actions that a line stands for.

    Raises:
        NotationError: it cannot be read.
        IllegalAction: a whole order that cannot be carried out.
    """
    rules = s.rules
    if move := notation.move_order(rules, text):
        return typed_moves.as_typed(s, move)
    if attack := notation.all_order(rules, text):
        return whole_attacks.by_all(s, attack).done
    if advance := notation.advance_order(rules, text):
        return whole_advances.as_ordered(s, advance)
    return notation.parse(rules, text)
