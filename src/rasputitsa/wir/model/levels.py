"""10.0: what the level of play changes. Level 3 is historical; the level in force may change during a game."""

from __future__ import annotations

from rasputitsa.wir.model.state import State


def faster(s: State) -> bool:
    """Whether the Soviets learn faster in combat."""
    return s.level in s.rules.losses.fast_levels


def siberians_due(s: State) -> bool:
    """Whether a Siberian group is due at the end of this turn (8.14)."""
    table = s.rules.sheet["siberia"]
    last = table["until"].get(str(s.level))
    return last is not None and str(table["from"]) <= s.rules.month(s.turn) <= str(last)
