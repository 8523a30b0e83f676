"""The figures of execution and of the end of a turn, read once."""

from __future__ import annotations

from typing import Any

from rasputitsa.wir.tables import WEATHER_NAMES, read_toml
from rasputitsa.wir.theatre import DATA, TERRAIN_NAMES

COMBAT: dict[str, Any] = read_toml(DATA / "combat.toml")


def by_weather(table: dict[str, float]) -> tuple[float, ...]:
    """A table of all kinds of weather, in their order."""
    return tuple(float(table[name]) for name in WEATHER_NAMES)


def by_terrain(table: dict[str, int], otherwise: int = 1) -> tuple[int, ...]:
    """A table of kinds of terrain, in their order, with a value for those not named."""
    return tuple(int(table.get(name, otherwise)) for name in TERRAIN_NAMES)


def half_up(value: float) -> int:
    """Rounded to the nearest whole number, halves upward."""
    return int(value + 0.5)
