"""What a line of a file of campaigns holds, and whether one that was read does."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from pydantic import TypeAdapter

from rasputitsa.ai.shapes import misfit
from rasputitsa.ai.wir.campaigns.pools_report import SHOWN
from rasputitsa.core.caching import cached
from rasputitsa.wir.model.theatre import SIDES

BANDS = (("Pskov", 11, 13), ("Moscow", 14, 17), ("Orel", 18, 20), ("Kharkov", 21, 24), ("Donbass", 25, 27))
"""Sectors of the front: name, first and last row of the map."""


@dataclass
class Side:
    """How a side stands."""

    groups: int
    units: int
    strength: int
    power: int
    fatigue: float
    supplied: int
    lost: int
    surrendered: int
    pools: dict[str, int] = field(default_factory=dict)
    """Campaigns of earlier versions do not tell."""


@dataclass
class Stand:
    """How the war stands on a day."""

    turn: int
    date: str
    axis_cities: list[str]
    front: dict[str, float]
    difference: int
    axis: Side
    soviet: Side


@dataclass
class Campaign:
    """One campaign."""

    scenario: str
    seed: int
    axis: str
    soviet: str
    options: dict[str, str]
    weeks: int
    winner: str | None
    level: str
    reason: str
    turn: int
    difference: int
    taken: list[tuple[int, str, str]]
    samples: list[Stand]
    seconds: dict[str, float]
    slowest: dict[str, float]


@cached
def _reader() -> TypeAdapter[Campaign]:
    return TypeAdapter(Campaign)


def wrong_in(line: object) -> str:
    """What keeps a value from being such a line; empty if it is one."""
    if problem := misfit(_reader(), line):
        return problem
    read = cast(dict[str, Any], line)
    for name in ("seconds", "slowest"):
        if set(read[name]) != set(SIDES):
            return f"{name}: these are not the sides {' and '.join(SIDES)}"
    if not read["samples"]:
        return "samples: there are none"
    for stand in read["samples"]:
        try:
            date.fromisoformat(stand["date"])
        except ValueError:
            return f"samples: {stand['date']!r:.40} is no date"
        if lacking := [name for name, _, _ in BANDS if name not in stand["front"]]:
            return f"samples: front {lacking[0]} is missing"
        pools = [stand[side].get("pools", {}) for side in SIDES]
        if any(pools) and (lacking := [name for name in SHOWN for found in pools if name not in found]):
            return f"samples: pool {lacking[0]} is missing"
    if wrong := [turn for turn, _, _ in read["taken"] if not 1 <= turn <= read["turn"]]:
        return f"taken: there was no turn {wrong[0]!r:.20}"
    return ""
