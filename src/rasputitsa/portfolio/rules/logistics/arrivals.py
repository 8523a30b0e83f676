"""IX.A Arrivals: where a unit may come in, one a hex and turn, and who steps aside for it."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import (
    BIT,
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    members,
    without,
)
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.actions import AT, BACK, each
from rasputitsa.portfolio.model.frames import About, Context, Frame, pop, question, replace
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.stacking import room_for_one, surplus, why_no_room
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden, ground

Reason = tuple[str, str]
"""Why something is refused, and the paragraph that forbids it."""

HOMEWARD: Final = ((WEST, NORTH_WEST, SOUTH_WEST), (EAST, NORTH_EAST, SOUTH_EAST))
"""The directions toward each side's edge of the map."""


def arrival_hexes(s: State, unit: Unit, among: HexBits) -> HexBits:
    """Of some hexes, those where a unit may arrive now: not used this turn, with room or room to be made."""
    free = without(among, s.arrived)
    roomy = free & room_for_one(s, unit)
    crowded = (free ^ roomy) & s.occ[s.rules.roster.side[unit]]
    if crowded:
        for hex_ in members(crowded):
            if displaceable(s, unit, hex_):
                roomy |= BIT[hex_]
    return roomy


def can_arrive(s: State, unit: Unit, among: HexBits) -> bool:
    """Whether a unit may arrive in any of some hexes (no list of them is made)."""
    free = without(among, s.arrived)
    if free & room_for_one(s, unit):
        return True
    return any(displaceable(s, unit, hex_) for hex_ in members(free & s.occ[s.rules.roster.side[unit]]))


def displaceable(s: State, unit: Unit, hex_: Hex) -> list[Unit]:
    """Units in a full hex any one of which can step aside so that the arriving unit fits."""
    here = s.at.get(hex_, ())
    found = []
    for other in here:
        rest = [u for u in here if u != other]
        if not surplus(s, [*rest, unit], hex_) and aside_hexes(s, other):
            found.append(other)
    return found


def aside_hexes(s: State, unit: Unit) -> HexBits:
    """Where a displaced unit may go: one hex toward its own side of the map, land, legal and with room.

    Ruling: it displaces nobody in turn.
    """
    side = s.rules.roster.side[unit]
    here = s.pos[unit]
    around = s.rules.grid.neighbours[here]
    hexes = 0
    for direction in HOMEWARD[side]:
        if around[direction] >= 0:
            hexes |= BIT[around[direction]]
    hexes &= ground(s).barrier.near[here] & s.rules.map.ground[0].enterable & room_for_one(s, unit)
    hexes = without(hexes, s.occ[1 - side])
    return without(hexes, forbidden(s, (unit,))) if hexes else 0


def why_not_arrive(s: State, unit: Unit, hex_: Hex) -> Reason | None:
    """Why a unit may not arrive in a hex that is otherwise open to it."""
    if s.arrived >> hex_ & 1:
        return "a unit has already arrived in that hex this turn", "IX.A"
    if not room_for_one(s, unit) & BIT[hex_] and not displaceable(s, unit, hex_):
        return f"{why_no_room(s, (unit,), hex_)}, and no unit there can step aside to make room", "IX.A"
    return None


def arrive(s: State, unit: Unit, hex_: Hex, context: Context) -> None:
    """The top question is answered: the unit comes in, after room has been made if need be."""
    if room_for_one(s, unit) & BIT[hex_]:
        pop(s)
        settle_in(s, unit, hex_, context)
    else:
        replace(s, MakeRoom(unit, hex_))


def settle_in(s: State, unit: Unit, hex_: Hex, context: Context) -> None:
    """A replacement or a unit moved strategically is there, Dispersed (VII.B)."""
    s.place(unit, hex_)
    s.disperse(unit)
    s.arrived |= BIT[hex_]
    control.gain(s, s.rules.roster.side[unit], BIT[hex_], context)
    context.note(Arrived(unit, hex_))


@question
class ChooseHex(Frame):
    """Base of the questions where a unit goes: a hex, or back to the choice of a unit."""

    unit: Unit
    ask_single = True

    def hexes(self, s: State) -> HexBits:
        """Every hex that may be chosen."""
        raise NotImplementedError

    def why_not(self, s: State, hex_: Hex) -> Reason:
        """Why a hex may not be chosen."""
        raise NotImplementedError

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        """Carry out the choice."""
        raise NotImplementedError

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.unit]

    def seat(self, s: State) -> SeatNumber:
        return s.rules.owner(self.unit)

    def about(self, s: State) -> About:
        return About((self.unit,))

    def options(self, s: State) -> list[Action]:
        found = AT.pick(self.hexes(s))
        found.append(BACK)
        return found

    def apply(self, s: State, action: Action, context: Context) -> None:
        if action.verb == "back":
            pop(s)
        else:
            self.choose(s, action.args[0], context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb == "at":
            return IllegalAction(*self.why_not(s, action.args[0]))
        return Frame.refuse(self, s, action)


@question
class MakeRoom(Frame):
    """Which unit steps aside for the arriving one?"""

    unit: Unit
    hex: Hex

    kind = "displace"
    rule = "IX.A"

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.unit] | s.mask_at(self.hex)

    def seat(self, s: State) -> SeatNumber:
        return s.rules.owner(self.unit)

    def prompt(self, s: State) -> str:
        names = s.rules.grid.names
        return f"{names[self.hex]} is full: choose the unit that makes room for {s.rules.units[self.unit].name}"

    def about(self, s: State) -> About:
        return About((self.unit,), (self.hex,))

    def options(self, s: State) -> list[Action]:
        return each("displace", displaceable(s, self.unit, self.hex))

    def apply(self, s: State, action: Action, context: Context) -> None:
        replace(s, StepAside(action.args[0], self.unit, self.hex))

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb != "displace":
            return Frame.refuse(self, s, action)
        unit = action.args[0]
        if s.pos[unit] != self.hex:
            return IllegalAction("only a unit in the hex of arrival makes room", "IX.A")
        if not aside_hexes(s, unit):
            return IllegalAction("it has no hex to go to, one hex toward its own side of the map", "IX.A")
        return IllegalAction("if it left, the arriving unit would still not fit", "IX.A")


@question
class StepAside(Frame):
    """Where does the displaced unit go?"""

    unit: Unit
    newcomer: Unit
    hex: Hex

    kind = "displace_to"
    rule = "IX.A"

    def in_hand(self, s: State) -> UnitBits:
        return BIT[self.unit] | BIT[self.newcomer] | s.mask_at(self.hex)

    def seat(self, s: State) -> SeatNumber:
        return s.rules.owner(self.unit)

    def prompt(self, s: State) -> str:
        return f"Choose where {s.rules.units[self.unit].name} makes way to"

    def about(self, s: State) -> About:
        return About((self.unit,))

    def options(self, s: State) -> list[Action]:
        return AT.pick(aside_hexes(s, self.unit))

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        target = action.args[0]
        s.place(self.unit, target)
        s.disperse(self.unit)
        control.gain(s, s.rules.roster.side[self.unit], 1 << target, context)
        context.note(Displaced(self.unit, target))
        settle_in(s, self.newcomer, self.hex, context)

    def refuse(self, s: State, action: Action) -> IllegalAction:
        if action.verb != "at":
            return Frame.refuse(self, s, action)
        hex_ = action.args[0]
        side = s.rules.roster.side[self.unit]
        around = s.rules.grid.neighbours[self.hex]
        if hex_ not in (around[direction] for direction in HOMEWARD[side]):
            return IllegalAction("a displaced unit goes one hex toward its own side of the map", "IX.A")
        if s.occ[1 - side] >> hex_ & 1:
            return IllegalAction("an enemy unit is there", "XI.A.4")
        if not s.rules.map.ground[0].enterable >> hex_ & 1 or ground(s).barrier.between(self.hex, hex_):
            return IllegalAction("a displaced unit stays on land and crosses no sea, lake or strait", "IX.A")
        if forbidden(s, (self.unit,)) >> hex_ & 1:
            return IllegalAction("its nation may not enter that hex", forbidden_rule(s, self.unit, hex_))
        return IllegalAction(why_no_room(s, (self.unit,), hex_), "XII")


def forbidden_rule(s: State, unit: Unit, hex_: Hex) -> str:
    """The paragraph that closes a hex to a nation."""
    nation = s.rules.units[unit].nation
    shared = any(nation in pair for pair in s.rules.charts["forbidden"]["sharing"])
    barred = s.rules.barred_country.get(nation, 0) >> hex_ & 1
    return "X.D.2" if barred or (shared and hex_ in s.at) else "XVI.B.5"


@event("arrived", "IX.A", "unit", "hex")
class Arrived(Event):
    """A rebuilt unit arrives."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} arrives in {hex_mark(s, self.hex)}, Dispersed"


@event("displaced", "XII", "unit", "hex")
class Displaced(Event):
    """A unit makes room for an arrival."""

    unit: Unit
    hex: Hex

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} makes room, goes to {hex_mark(s, self.hex)} and is Dispersed"
