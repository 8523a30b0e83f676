"""XII Stacking: how many units a hex holds; none outside the part of the map in play."""

from __future__ import annotations

from collections.abc import Sequence

from rasputitsa.hexes.grid import BIT, without
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.units import ARMORED, BIG, FULL


def room_for(s: State, units: Sequence[Unit]) -> HexBits:
    """Hexes (of any kind) where these one or two units of a side could stand together.

    Own units already there are counted, the moving units themselves are not looked at in their own hex.
    """
    if len(units) == 1:
        return room_for_one(s, units[0])
    roster = s.rules.roster
    side = roster.side[units[0]]
    taken = s.occ[side]
    mask = 0
    for unit in units:
        mask |= BIT[unit]
    armor = mask & roster.armor_type
    if armor:
        rough = s.rules.map.ground[0].rough
        taken |= rough if armor & (armor - 1) else rough & s.armored[side]
    return without(s.rules.map.zone, taken)


def room_for_one(s: State, unit: Unit) -> HexBits:
    """Hexes (of any kind) where a unit could stand, as far as stacking goes."""
    roster = s.rules.roster
    side = roster.side[unit]
    flags = roster.flags_dispersed[unit]
    if flags & FULL:
        taken = s.occ[side]
    else:
        taken = s.full[side]
        if flags & BIG:
            taken |= s.big[side]
    if flags & ARMORED:
        taken |= s.rules.map.ground[0].rough & s.armored[side]
    zone = s.rules.map.zone
    return zone ^ zone & taken  # ``without``, for what is asked more often than anything else


def surplus(s: State, units: Sequence[Unit], hex_: Hex) -> bool:
    """Whether a group of units standing in one hex breaks the limits."""
    roster = s.rules.roster
    mask = 0
    for unit in units:
        mask |= BIT[unit]
    large = mask & roster.above_corps
    if len(units) > 2 or large & (large - 1):
        return True
    if mask & roster.front and len(units) > 1:
        return True
    armor = mask & roster.armor_type
    return armor & (armor - 1) != 0 and s.rules.map.ground[0].rough & BIT[hex_] != 0


def why_no_room(s: State, units: Sequence[Unit], hex_: Hex) -> str:
    """In words, which limit of a hex the units would break."""
    roster = s.rules.roster
    here = [u for u in s.at.get(hex_, ()) if u not in units]
    everyone = [*here, *units]
    mask = sum(1 << u for u in everyone)
    if mask & roster.front and len(everyone) > 1:
        return "a front stands alone in its hex"
    if len(everyone) > 2:
        return "a hex holds two units at most"
    if (mask & roster.above_corps).bit_count() > 1:
        return "a hex holds only one unit larger than a corps"
    return "a swamp or mountain hex holds only one armor-type unit"
