"""XII Stacking: how many units a hex holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


def room_for(s: State, units: Sequence[int]) -> int:
    """Hexes (of any kind) where these one or two units of a side could stand together.

    Own units already there are counted, the moving units themselves are not looked at in their own hex.
    """
    roster = s.rules.roster
    side = roster.side[units[0]]
    mask = 0
    for unit in units:
        mask |= 1 << unit
    if len(units) > 1 or mask & roster.front:
        room = ~s.occ[side]
    else:
        room = ~s.full[side]
        if mask & roster.above_corps:
            room &= ~s.big[side]
    armor = mask & roster.armor_type
    if armor:
        rough = s.rules.map.ground[0].rough
        room &= ~rough if armor & (armor - 1) else ~(rough & s.armored[side])
    return room


def surplus(s: State, units: Sequence[int], hex_: int) -> bool:
    """Whether a group of units standing in one hex breaks the limits."""
    roster = s.rules.roster
    mask = 0
    for unit in units:
        mask |= 1 << unit
    if len(units) > 2 or (mask & roster.above_corps).bit_count() > 1:
        return True
    if mask & roster.front and len(units) > 1:
        return True
    rough = s.rules.map.ground[0].rough >> hex_ & 1
    return bool(rough) and (mask & roster.armor_type).bit_count() > 1


def why_no_room(s: State, units: Sequence[int], hex_: int) -> str:
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
