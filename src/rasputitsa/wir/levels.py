"""10.0: what the level of play changes. Level 3 is historical; the level in force may change during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rasputitsa.wir.tables import sheet

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

LEVELS = (1, 2, 3, 4)
_FIGURES: dict[str, Any] = sheet()["levels"]
COLD_ATTACK: tuple[float, ...] = (0.0, *(float(_FIGURES["cold_attack"][str(n)]) for n in LEVELS))
"""By level: the factor of Soviet attacks in very cold weather before 1943 (8.4)."""
EXPERIENCE: tuple[tuple[int, int], ...] = (
    (0, 0),
    *((int(pair[0]), int(pair[1])) for pair in (_FIGURES["experience"][str(n)] for n in LEVELS)),
)
"""By level: the percent chance that a green Soviet unit of foot or horse, or of tanks, learns by itself (8.2)."""
SIBERIANS: dict[int, tuple[str, str]] = {
    int(level): (str(sheet()["siberia"]["from"]), str(until)) for level, until in sheet()["siberia"]["until"].items()
}
"""By level: the first and the last month of the Siberian groups (8.14)."""


def faster(s: State) -> bool:
    """Whether the Soviets learn faster in combat: levels 1 and 2."""
    return s.level <= 2


def siberians_due(s: State) -> bool:
    """Whether a Siberian group is due at the end of this turn."""
    first, last = SIBERIANS.get(s.level, ("", ""))
    return bool(first) and first <= s.rules.month(s.turn) <= last
