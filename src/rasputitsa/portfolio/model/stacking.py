"""XII Stacking: how many units a hex holds; none outside the part of the map in play."""

from __future__ import annotations

from collections.abc import Sequence

from rasputitsa.core.marks import counted
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.units import ARMORED, BIG, FULL


def room_for(s: State, units: Sequence[Unit]) -> HexBits:
    """Hexes (of any kind) where these units of a side could stand together.

    Own units already there are counted, the moving units themselves are not looked at in their own hex.
    """
    if not s.rules.room_by_sets:
        return _room_by_count(s, units)
    if len(units) == 1:
        return room_for_one(s, units[0])
    if len(units) > s.rules.stack_limit:
        return 0
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


def _room_by_count(s: State, units: Sequence[Unit]) -> HexBits:
    """The same with other limits than the sets of a position are made for: stack by stack."""
    rules = s.rules
    side = rules.roster.side[units[0]]
    empty = without(rules.map.zone, s.occ[side])
    rough = rules.map.ground[0].rough
    found = without(empty, rough) if not _too_many(s, units, False) else 0
    if not _too_many(s, units, True):
        found |= empty & rough
    for hex_ in members(s.occ[side] & rules.map.zone):
        if not surplus(s, [*(u for u in s.at[hex_] if u not in units), *units], hex_):
            found |= BIT[hex_]
    return found


def room_for_one(s: State, unit: Unit) -> HexBits:
    """Hexes (of any kind) where a unit could stand, as far as stacking goes."""
    if not s.rules.room_by_sets:
        return _room_by_count(s, (unit,))
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


def fits(s: State, unit: Unit, others: Sequence[Unit], hex_: Hex) -> bool:
    """Whether a unit could stand in a hex together with others of its side.

    With the limits as they ship this is ``surplus`` written out for two units, since planners ask it for every unit and
    hex of every plan they try.
    """
    if not others:
        return True
    rules = s.rules
    if not rules.room_by_sets:
        return not surplus(s, [*others, unit], hex_)
    if len(others) > 1:
        return False
    roster, both = rules.roster, BIT[unit] | BIT[others[0]]
    if both & roster.front or both & roster.above_corps == both:
        return False
    return both & roster.armor_type != both or not rules.map.ground[0].rough & BIT[hex_]


def surplus(s: State, units: Sequence[Unit], hex_: Hex) -> bool:
    """Whether a group of units standing in one hex breaks the limits (XII, TEC.Swamp, TEC.Mountains)."""
    return _too_many(s, units, s.rules.map.ground[0].rough & BIT[hex_] != 0)


def _too_many(s: State, units: Sequence[Unit], rough: bool) -> bool:
    """The same for a kind of ground."""
    roster, limits = s.rules.roster, s.rules.stacking
    mask = 0
    for unit in units:
        mask |= BIT[unit]
    if len(units) > limits.units or (mask & roster.above_corps).bit_count() > limits.above_corps:
        return True
    if mask & roster.front and len(units) > limits.front:
        return True
    return rough and (mask & roster.armor_type).bit_count() > limits.armor_in_rough


def why_no_room(s: State, units: Sequence[Unit], hex_: Hex) -> str:
    """In words, which limit of a hex the units would break."""
    roster, limits = s.rules.roster, s.rules.stacking
    here = [u for u in s.at.get(hex_, ()) if u not in units]
    everyone = [*here, *units]
    mask = sum(1 << u for u in everyone)
    if mask & roster.front and len(everyone) > limits.front:
        most = limits.front
        return "a front stands alone in its hex" if most == 1 else f"a hex with a front holds {counted(most, 'unit')}"
    if len(everyone) > limits.units:
        return f"a hex holds {counted(limits.units, 'unit')} at most"
    if (mask & roster.above_corps).bit_count() > limits.above_corps:
        large = counted(limits.above_corps, "unit larger than a corps", "units larger than a corps")
        return f"a hex holds only {large}"
    return f"a swamp or mountain hex holds only {counted(limits.armor_in_rough, 'armor-type unit')}"
