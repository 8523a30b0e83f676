"""8.1 Fatigue: what marching costs, and what happens to units that are worn out."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.frames import Context
from rasputitsa.wir.model import groups
from rasputitsa.wir.model.indices import Group, Hex, Side, Unit
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND, MECHANIZED, group_side
from rasputitsa.wir.model.theatre import MOUNTAIN, SWAMP

STRATEGIC: Final = 0
TACTICAL: Final = 1
"""Manners of movement."""


def tire(s: State, unit: Unit, points: int, context: Context, *, strain: bool = False) -> None:
    """Add fatigue, up to the most; a unit already there loses a quarter of its strength instead.

    ``strain``: tactical movement and retreats, after which a unit that must not move does not recover this turn.
    """
    if points <= 0 or not s.utype[unit]:
        return
    old, rules = s.fatigue[unit], s.rules.march
    if old >= rules.most:
        s.strength[unit] -= (s.strength[unit] * rules.overstrain + 50) // 100
        if not s.strength[unit]:
            groups.lose_unit(s, unit, context)
            return
    s.fatigue[unit] = min(rules.most, old + points)
    if strain and s.fatigue[unit] > rules.stopped:
        s.overfatigued |= 1 << unit


def tire_group(s: State, group: Group, points: int, context: Context, *, strain: bool = False) -> None:
    """Add the same fatigue to all units of a group."""
    for unit in s.group_units[group]:
        tire(s, unit, points, context, strain=strain)


def worn_out(s: State, group: Group) -> bool:
    """Whether a unit of the group is too tired for the group to move."""
    tired, most = s.fatigue, s.rules.march.stopped
    for unit in s.group_units[group]:  # noqa: SIM110 - a generator would cost more than the loop: asked at every decision
        if tired[unit] > most:
            return True
    return False


def wears_out(s: State, group: Group, points: int) -> bool:
    """Whether this much more fatigue leaves a unit of the group too tired for the group to move."""
    tired = max((s.fatigue[unit] for unit in s.group_units[group]), default=0)
    return min(s.rules.march.most, tired + points) > s.rules.march.stopped


def weather_factor(s: State, side: Side) -> int:
    """How many times the normal fatigue marching costs in the present weather."""
    if s.bitter_winter(side):
        return s.rules.march.first_winter
    return s.rules.march.weather[s.weather]


def rough(s: State, hex_: Hex) -> bool:
    """Swamp that is not frozen, or mountain."""
    kind = s.terrain(hex_)
    return kind == MOUNTAIN or (kind == SWAMP and not s.frozen)


def march_points(s: State, group: Group, here: Hex, there: Hex, manner: int, *, out_of_zoc: bool = False) -> int:
    """Fatigue of one step. ``manner`` is STRATEGIC or TACTICAL; ``out_of_zoc``: the step leaves an enemy zone.

    Ruling: the points for a river are additional, so neither weather nor engines change them.
    """
    rules = s.rules.march
    points = rules.step[manner][rough(s, there)] * weather_factor(s, group_side(group))
    eased = manner == TACTICAL and KIND[group] == MECHANIZED and s.weather in rules.half_weather
    if eased and s.terrain(there) in rules.half_terrain:
        points //= 2
    if (manner == TACTICAL or out_of_zoc) and s.across_river(here, there):
        points += rules.river[manner]
    return points
