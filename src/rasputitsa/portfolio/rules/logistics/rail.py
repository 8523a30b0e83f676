"""VIII.A Strategic movement by rail, over the land a side holds."""

from __future__ import annotations

from rasputitsa.core.caching import cached, cached_up_to
from rasputitsa.core.events import Event, event
from rasputitsa.hexes.grid import BIT, Flood, members, one_of, without
from rasputitsa.portfolio.model.frames import Context, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.rail import RailNet
from rasputitsa.portfolio.model.stacking import room_for_one
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden, zoc
from rasputitsa.portfolio.model.theatre import SOVIET, Theatre
from rasputitsa.portfolio.rules.logistics.arrivals import (
    ChooseHex,
    Reason,
    arrival_hexes,
    arrive,
    can_arrive,
    forbidden_rule,
    why_not_arrive,
)
from rasputitsa.portfolio.rules.logistics.strategic import why_not_able


@cached
def _flood(board: Theatre, hex_: Hex) -> Flood:
    return Flood(BIT[hex_], board.ground[0].barrier)


@cached_up_to(1024)
def _net(board: Theatre, within: HexBits, edge: HexBits) -> RailNet:
    # Ice carries no trains (VI.B.1), so the barriers are those of open water in any weather.
    barrier = board.ground[0].barrier
    parts = []
    hexes = 0
    rest = edge & within
    while rest:
        part = _flood(board, members(rest)[0]).fill(within)
        hexes |= part
        rest = without(rest, part)
        parts.append((part, part | barrier.spread(part)))
    return RailNet(hexes, tuple(parts))


def _open_to_trains(s: State, side: Side) -> HexBits:
    """Land a side holds outside enemy zones of control (VIII.A.1)."""
    return without(s.controlled(side) & s.rules.map.ground[0].land, zoc(s, 1 - side))


def rail_net(s: State, side: Side) -> RailNet:
    """VIII.A.1: the hexes from which a side's trains could reach the map edge now."""
    within = _open_to_trains(s, side)
    known = s.nets[side]
    if known is not None and known[0] == within:
        return known[1]
    found = _net(s.rules.map, within, s.rules.side_edge[side])
    s.nets[side] = (within, found)
    return found


def _net_of(s: State, unit: Unit, side: Side) -> RailNet:
    """The rail net for one unit: treaty and first-turn bans close hexes to some nations."""
    closed = forbidden(s, (unit,))
    if not closed:
        return rail_net(s, side)
    return _net(s.rules.map, without(_open_to_trains(s, side), closed), s.rules.side_edge[side])


def rail_units(s: State, side: Side, able: UnitBits) -> UnitBits:
    """VIII.A.2: of the units able to move, those that may go somewhere by rail now."""
    rules = s.rules
    roster = rules.roster
    if s.rail_used >= rules.rail_capacity[side]:
        return 0
    if side != SOVIET:
        able &= roster.corps
    if not able:
        return 0
    termini = without(rules.map.towns, s.arrived)
    found = 0
    for crowd in _by_nation(s, able):
        net = _net_of(s, one_of(crowd), side)
        for part, boarding in net.parts:
            here = without(crowd, found)
            if without(s.occ[side], boarding):
                here = _standing_in(s, here, boarding)
            if here:
                found |= _with_terminus(s, here, part & termini)
    return found


def _by_nation(s: State, units: UnitBits) -> list[UnitBits]:
    """A set of units split by nation."""
    roster = s.rules.roster
    if roster.side[one_of(units)] == SOVIET:
        return [units]
    return [units & own for own in roster.of_nation.values() if units & own]


def _standing_in(s: State, units: UnitBits, hexes: HexBits) -> UnitBits:
    """Those of some units on the map that stand in one of the hexes."""
    found = 0
    for unit in members(units):
        if hexes & BIT[s.pos[unit]]:
            found |= BIT[unit]
    return found


def _with_terminus(s: State, units: UnitBits, termini: HexBits) -> UnitBits:
    """Units of one nation that can arrive in one of these hexes other than the one they stand in."""
    found = 0
    for kind in s.rules.roster.alike:
        alike = units & kind
        if not alike:
            continue
        roomy = termini & room_for_one(s, one_of(alike))
        if roomy & (roomy - 1):
            found |= alike
            continue
        for unit in members(alike):
            if can_arrive(s, unit, without(termini, BIT[s.pos[unit]])):
                found |= BIT[unit]
    return found


def rail_targets(s: State, unit: Unit) -> HexBits:
    """VIII.A.3: the hexes where a unit could detrain now."""
    return arrival_hexes(s, unit, rail_reach(s, unit) & s.rules.map.towns)


def rail_reach(s: State, unit: Unit) -> HexBits:
    """Hexes of the rail net a unit could travel to, one at least from where it stands."""
    side = s.rules.roster.side[unit]
    here = s.pos[unit]
    reach = 0
    for part, boarding in _net_of(s, unit, side).parts:
        if boarding & BIT[here]:
            reach |= part
    return without(reach, BIT[here])


def why_no_rail(s: State, unit: Unit) -> Reason | None:
    """Why a unit may not go by rail now, or None if it may."""
    rules = s.rules
    side = rules.roster.side[unit]
    reason = why_not_able(s, unit)
    if reason:
        return reason
    if rules.roster.front >> unit & 1:
        return "fronts do not go by rail", "VIII.A.2"
    if side != SOVIET and rules.roster.above_corps >> unit & 1:
        return "the Axis moves only corps by rail", "VIII.A.2"
    limit = rules.rail_capacity[side]
    if s.rail_used >= limit:
        return f"the side's rail capacity of {limit} is used up", "VIII.A.2"
    reach = rail_reach(s, unit)
    if not reach:
        return "no rail line to the map edge begins there: it needs controlled land out of enemy zones", "VIII.A.1"
    if not reach & rules.map.towns:
        return "its rail line reaches no other city or town", "VIII.A.3"
    if not rail_targets(s, unit):
        return "every city and town it could reach has had its arrival or has no room", "IX.A"
    return None


@question
class Entrained(ChooseHex):
    """Where does the unit detrain?"""

    unit: Unit

    kind = "rail"
    rule = "VIII.A.3"

    def prompt(self, s: State) -> str:
        return f"Choose the city or town where {s.rules.units[self.unit].name} detrains"

    def hexes(self, s: State) -> HexBits:
        return rail_targets(s, self.unit)

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        s.rail_used += 1
        context.note(Railed(self.unit, s.pos[self.unit], hex_))
        arrive(s, self.unit, hex_, context)

    def why_not(self, s: State, hex_: Hex) -> Reason:
        side = s.rules.roster.side[self.unit]
        if hex_ == s.pos[self.unit]:
            return "it is there already", "VIII.A.1"
        if not s.rules.map.towns >> hex_ & 1:
            return "a unit detrains in a city or town", "VIII.A.3"
        if not s.controlled(side) >> hex_ & 1:
            return "the hex is not under friendly control", "VIII.A.3"
        if forbidden(s, (self.unit,)) >> hex_ & 1:
            return "its nation may not enter that hex", forbidden_rule(s, self.unit, hex_)
        if zoc(s, 1 - side) >> hex_ & 1:
            return "the hex is in an enemy zone of control", "VIII.A.1"
        if not rail_reach(s, self.unit) >> hex_ & 1:
            return "no rail line leads there over controlled land outside enemy zones of control", "VIII.A.1"
        return why_not_arrive(s, self.unit, hex_) or ("that hex is closed to it", "VIII.A")


@event("railed", "VIII.A", "unit", "hex", "hex")
class Railed(Event):
    """A unit goes by rail."""

    unit: Unit
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        way = f"from {hex_mark(s, self.origin)} to {hex_mark(s, self.destination)}"
        return f"{unit_mark(s, self.unit)} goes by rail {way}"
