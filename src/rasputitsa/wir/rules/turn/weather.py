"""8.4 Weather."""

from __future__ import annotations

from rasputitsa.core.frames import Context
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COLD, FINE, FIRST_WINTER, MONTHS, RAIN, VERY_COLD


def chances(month: str, rules: Ruleset) -> tuple[int, int, int]:
    """Percent of cold, very cold and rain in a month such as ``1941-10``; the rest is clear."""
    table, (first, last) = rules.sheet["weather"], rules.first_winter.months
    cold, very_cold, rain = table[FIRST_WINTER] if first <= month <= last else table[MONTHS[int(month[5:]) - 1]]
    return int(cold), int(very_cold), int(rain)


def adjust(s: State, context: Context) -> None:
    """Draw the weather of the turn that starts now, by the month in which it starts."""
    cold, very_cold, rain = chances(s.rules.month(s.turn), s.rules)
    if not cold + very_cold + rain:
        s.weather = FINE
        return
    die = context.roll("weather", 100)
    if die <= cold:
        s.weather = COLD
    elif die <= cold + very_cold:
        s.weather = VERY_COLD
    else:
        s.weather = RAIN if die <= cold + very_cold + rain else FINE
