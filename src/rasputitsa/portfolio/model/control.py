"""XV Control of the land and of the seas."""

from __future__ import annotations

from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.frames import Context
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET


def gain(s: State, side: Side, hexes: HexBits, context: Context) -> None:
    """XV.A: a side takes control of the hexes one of its units enters.

    Ruling: entry by advance, retreat or arrival counts as much as by operational movement. A captured factory never
    works again (IX.A.1.b.3).
    """
    taken = without(hexes, s.controlled(side))
    if not taken:
        return
    board = s.rules.map
    if side == AXIS:
        s.control |= taken
        s.captured |= taken & board.victory_cities
        s.factories_lost |= taken & board.factories
    else:
        s.control = without(s.control, taken)
    for hex_ in members(taken & board.towns):
        context.note(Captured(side, hex_))


def holder(s: State, hex_: Hex) -> Side:
    """The side that controls a hex."""
    return AXIS if s.control & BIT[hex_] else SOVIET


def sea_holder(s: State, zone: str) -> Side | None:
    """XV.B: the side that controls a sea, or None when its key cities are in different hands."""
    keys = s.rules.sea_keys.get(zone)
    if keys is None:
        return None
    held = keys & s.control
    if held == keys:
        return AXIS
    return None if held else SOVIET


@event("captured", "XV.A", "side", "hex")
class Captured(Event):
    """A city has changed hands."""

    side: Side
    hex: Hex

    def words(self, s: State) -> str:
        return f"{SIDE_NAMES[self.side]} forces take {s.rules.map.places[self.hex].name} {hex_mark(s, self.hex)}"
