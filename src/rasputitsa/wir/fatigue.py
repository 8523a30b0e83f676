"""8.1 Fatigue: what marching costs, and what happens to units that are worn out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.core.frames import Play
from rasputitsa.wir import groups
from rasputitsa.wir.tables import COLD, FINE, KIND, MECHANIZED, VERY_COLD, group_side
from rasputitsa.wir.theatre import AXIS, CITY, CLEAR, FORTIFIED, MOUNTAIN, RAIL, SWAMP

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

MOST = 95
STOPPED = 94
"""A group with a unit above this does not move (6.2, 8.1)."""
STRATEGIC, TACTICAL = 0, 1
STEP = ((5, 25), (10, 50))
"""Points for open and for rough ground, by manner of movement."""
RIVER = (20, 10)
WEATHER_FACTOR = (1, 2, 3, 4)
VERY_COLD_AXIS_1941 = 5
EASY = (CLEAR, CITY, FORTIFIED, RAIL)


def tire(s: State, unit: int, points: int, play: Play, *, strain: bool = False) -> None:
    """Add fatigue, up to 95; a unit already there loses a quarter of its strength instead.

    ``strain``: tactical movement and retreats, after which a unit above 94 does not recover this turn.
    """
    if points <= 0 or not s.utype[unit]:
        return
    old = s.fatigue[unit]
    if old >= MOST:
        s.strength[unit] -= (s.strength[unit] + 2) // 4  # a quarter, halves rounded up
        if not s.strength[unit]:
            groups.lose_unit(s, unit, play)
            return
    s.fatigue[unit] = min(MOST, old + points)
    if strain and s.fatigue[unit] > STOPPED:
        s.strained |= 1 << unit


def tire_group(s: State, group: int, points: int, play: Play, *, strain: bool = False) -> None:
    """Add the same fatigue to all units of a group."""
    for unit in s.crew[group]:
        tire(s, unit, points, play, strain=strain)


def worn_out(s: State, group: int) -> bool:
    """Whether a unit of the group has more than 94 fatigue, so that the group may not move."""
    tired = s.fatigue
    for unit in s.crew[group]:  # noqa: SIM110 - a generator would cost more than the loop: asked at every decision
        if tired[unit] > STOPPED:
            return True
    return False


def weather_factor(s: State, side: int) -> int:
    """How many times the normal fatigue marching costs in the present weather."""
    if s.weather == VERY_COLD and side == AXIS and s.year == 1941:
        return VERY_COLD_AXIS_1941
    return WEATHER_FACTOR[s.weather]


def rough(s: State, hex_: int) -> bool:
    """Swamp that is not frozen, or mountain."""
    kind = s.terrain(hex_)
    return kind == MOUNTAIN or (kind == SWAMP and not s.frozen)


def march_points(s: State, group: int, here: int, there: int, manner: int, *, out_of_zoc: bool = False) -> int:
    """Fatigue of one step. ``manner`` is STRATEGIC or TACTICAL; ``out_of_zoc``: the step leaves an enemy zone.

    Ruling: the points for a river are additional, so neither weather nor engines change them.
    """
    points = STEP[manner][rough(s, there)] * weather_factor(s, group_side(group))
    if manner == TACTICAL and KIND[group] == MECHANIZED and s.weather in (FINE, COLD) and s.terrain(there) in EASY:
        points //= 2
    if not s.frozen and s.rules.map.river.between(here, there) and (manner == TACTICAL or out_of_zoc):
        points += RIVER[manner]
    return points
