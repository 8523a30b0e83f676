"""VIII Strategic movement: by rail over the land a side holds, and by sea from port to port."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.core.caching import cached, cached_up_to, kept_of_rules
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import listed
from rasputitsa.hexes.grid import BIT, Flood, members, one_of, without
from rasputitsa.portfolio.model.control import sea_holder
from rasputitsa.portfolio.model.frames import Context, pop, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.rail import RailNet
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.shapes import Rail
from rasputitsa.portfolio.model.stacking import room_for_one
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden, zoc
from rasputitsa.portfolio.model.theatre import SEA_TITLES, SOVIET, Theatre
from rasputitsa.portfolio.rules.logistics.arrivals import (
    ChooseHex,
    Reason,
    arrival_hexes,
    arrive,
    can_arrive,
    forbidden_rule,
    why_not_arrive,
)
from rasputitsa.portfolio.rules.logistics.reduction import off_map_place

# ---------------------------------------------------------------- by rail


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


def able_units(s: State, side: Side) -> UnitBits:
    """Units that may move strategically at all: on the map, neither Spent nor Dispersed, not caught unprepared."""
    roster = s.rules.roster
    ready = without(s.present & roster.of_side[side], s.spent | s.dispersed | roster.front)
    if side == SOVIET and ready and s.first_turn():
        ready = without(ready, s.units_in(s.rules.frozen_at_start))
    return ready


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


def why_not_able(s: State, unit: Unit) -> Reason | None:
    """Why a unit may not move strategically at all."""
    name = s.rules.units[unit].name
    if s.pos[unit] < 0:
        return f"{name} is not on the map", "VIII"
    if s.dispersed >> unit & 1:
        return f"{name} is Dispersed", "VIII"
    if s.spent >> unit & 1:
        return f"{name} is Spent", "VIII"
    side = s.rules.roster.side[unit]
    if side == SOVIET and s.first_turn() and s.rules.frozen_at_start >> s.pos[unit] & 1:
        return f"{name} stands {s.rules.beyond_border()} and may not move yet", "XVI.B.3"
    return None


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


# ---------------------------------------------------------------- by sea


@kept_of_rules
def _kerch_gate(rules: Ruleset) -> HexBits:
    """The hexes by the Kerch Straits."""
    return sum(1 << rules.map.named(name) for name in rules.charts["sea"]["kerch"]["hexes"])


def _group_left(s: State, group: str) -> bool:
    """Whether the sea capacity of this turn allows one more voyage on these waters."""
    if not s.sea_used:
        return s.rules.units_per_sea > 0
    used = len(s.sea_used) if s.rules.options["sea_capacity"] == "total" else s.sea_used.count(group)
    return used < s.rules.units_per_sea


Ways = dict[str, tuple[str, ...]]
"""The zones a ship can reach from a coast, each with the zones it sails through."""


def _departures(s: State, side: Side, here: Hex) -> tuple[tuple[str, Ways, HexBits], ...]:
    """For each group of waters at a coast: where a ship could sail, and the ports there in whosever hands.

    The Kerch Straits are open to a side that controls all the land by them (VIII.B).
    """
    gate = _kerch_gate(s.rules)
    kerch = gate & s.controlled(side) == gate
    return _ways(s.rules, here, s.weather.closed_seas, kerch)


def _parted(rules: Ruleset, zones: Iterable[str]) -> bool:
    """Whether the Kerch Straits lie between these seas."""
    return any(rules.map.coast[zone] & _kerch_gate(rules) for zone in zones)


def _waters(rules: Ruleset) -> list[str]:
    """The seas that are sailed on."""
    return [zone for zones in rules.charts["sea"]["waters"].values() for zone in zones]


def _titles(seas: list[str]) -> list[str]:
    return [SEA_TITLES.get(sea, sea) for sea in seas]


@cached_up_to(4096)
def _ways(rules: Ruleset, here: Hex, closed: tuple[str, ...], kerch: bool) -> tuple[tuple[str, Ways, HexBits], ...]:
    board = rules.map
    found = []
    for group, zones in rules.charts["sea"]["waters"].items():
        open_ = kerch or not _parted(rules, zones)
        sailable = [zone for zone in zones if zone not in closed]
        start = [zone for zone in sailable if board.coast[zone] >> here & 1]
        if not start:
            continue
        ways: Ways = {zone: (zone,) for zone in start}
        for zone in sailable:
            if zone not in ways and open_:
                ways[zone] = (start[0], zone)
        ports = 0
        for zone in ways:
            ports |= board.ports[zone]
        found.append((group, ways, without(ports, BIT[here])))
    return tuple(found)


def sea_targets(s: State, unit: Unit) -> HexBits:
    """VIII.B: the ports where a unit could land now."""
    side = s.rules.roster.side[unit]
    ports = sea_reach(s, unit) & s.controlled(side)
    if ports:
        ports = without(ports, forbidden(s, (unit,)))
    return arrival_hexes(s, unit, ports) if ports else 0


def sea_reach(s: State, unit: Unit) -> HexBits:
    """Ports, in whosever hands, that a ship could sail to from the unit's hex with the capacity left."""
    found = 0
    for group, _, ports in _departures(s, s.rules.roster.side[unit], s.pos[unit]):
        if _group_left(s, group):
            found |= ports
    return found


def voyage(s: State, unit: Unit, port: Hex) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
    """The waters of the safest voyage to a port: their group, the zones, and the die numbers that sink."""
    side = s.rules.roster.side[unit]
    found = []
    for group, ways, _ in _departures(s, side, s.pos[unit]):
        if _group_left(s, group):
            for zone, way in ways.items():
                if s.rules.map.ports[zone] >> port & 1:
                    found.append((group, way, sinking_numbers(s, side, way)))
    return min(found, key=lambda item: (len(item[2]), len(item[1])))


def sinking_numbers(s: State, side: Side, zones: tuple[str, ...]) -> tuple[int, ...]:
    """VIII.B: the numbers that sink a ship: every odd one if any of the waters is the enemy's, else a 1."""
    chart = s.rules.charts["sea"]
    hostile = any(sea_holder(s, zone) == 1 - side for zone in zones)
    return tuple(chart["submarine_enemy" if hostile else "submarine_friendly"])


def sea_units(s: State, side: Side, able: UnitBits) -> UnitBits:
    """Of the units able to move, those that may go somewhere by sea now."""
    coasts = 0
    for group, coast in s.rules.waters.items():
        if _group_left(s, group):
            coasts |= coast
    able = without(able, s.entered)
    coasts &= s.occ[side]
    if not able or not coasts:
        return 0
    held = s.controlled(side)
    found = 0
    for unit in [u for h in members(coasts) for u in s.at[h] if able & BIT[u]]:
        ports = sea_reach(s, unit) & held
        if ports:
            ports = without(ports, forbidden(s, (unit,)))
        if ports and can_arrive(s, unit, ports):
            found |= BIT[unit]
    return found


def why_no_sea(s: State, unit: Unit) -> Reason | None:
    """Why a unit may not go by sea now, or None if it may."""
    rules = s.rules
    side = rules.roster.side[unit]
    reason = why_not_able(s, unit)
    if reason:
        return reason
    if rules.roster.front >> unit & 1:
        return "fronts do not go by sea", "VIII.B"
    if s.entered >> unit & 1:
        return "it was not on that coast when the phase began", "VIII.B"
    departures = _departures(s, side, s.pos[unit])
    if not departures:
        closed = [zone for zone in _waters(rules) if rules.map.coast[zone] >> s.pos[unit] & 1]
        if closed:
            are = "is" if len(closed) == 1 else "are"
            return f"the {listed(_titles(closed))} {are} closed in {s.weather.title}", "VI.B.2"
        return f"it does not stand on the coast of the {listed(_titles(_waters(rules)), 'or the')}", "VIII.B"
    if not any(_group_left(s, group) for group, _, _ in departures):
        return "the sea capacity of this turn is used up", "VIII.B"
    ports = sea_reach(s, unit) & s.controlled(side)
    if not ports:
        return "no friendly port on the same sea can be reached", "VIII.B"
    if not ports & ~forbidden(s, (unit,)):
        port = (ports & -ports).bit_length() - 1
        return "its nation may not enter the ports it could reach", forbidden_rule(s, unit, port)
    if not sea_targets(s, unit):
        return "every port it could reach has had its arrival or has no room", "IX.A"
    return None


@question
class Embarked(ChooseHex):
    """Where does the unit land?"""

    unit: Unit

    kind = "sea"
    rule = "VIII.B"

    def prompt(self, s: State) -> str:
        sinking = {voyage(s, self.unit, port)[2] for port in members(sea_targets(s, self.unit))}
        die = [str(number) for number in max(sinking, key=len, default=())]
        risk = f"; a submarine die of {listed(die, 'or')} sinks it{' at worst' * (len(sinking) > 1)}" if die else ""
        return f"Choose the port where {s.rules.units[self.unit].name} lands{risk}"

    def hexes(self, s: State) -> HexBits:
        return sea_targets(s, self.unit)

    def choose(self, s: State, hex_: Hex, context: Context) -> None:
        group, _, sinking = voyage(s, self.unit, hex_)
        s.sea_used = (*s.sea_used, group)
        die = context.roll("submarine")
        context.note(Sailed(self.unit, s.pos[self.unit], hex_, die))
        if die in sinking:
            pop(s)
            s.lift(self.unit, off_map_place(s, self.unit))
            context.note(Sunk(self.unit))
        else:
            arrive(s, self.unit, hex_, context)

    def why_not(self, s: State, hex_: Hex) -> Reason:
        if hex_ == s.pos[self.unit]:
            return "it is there already", "VIII.B"
        if not any(s.rules.map.ports[zone] >> hex_ & 1 for zone in s.rules.sea_keys):
            return f"that hex is not a port of the {listed(_titles(_waters(s.rules)), 'or the')}", "VIII.B"
        if not s.controlled(s.rules.roster.side[self.unit]) >> hex_ & 1:
            return "the port is not under friendly control", "VIII.B"
        if not sea_reach(s, self.unit) >> hex_ & 1:
            return self._why_no_way(s, hex_)
        if forbidden(s, (self.unit,)) >> hex_ & 1:
            return "its nation may not enter that hex", forbidden_rule(s, self.unit, hex_)
        return why_not_arrive(s, self.unit, hex_) or ("that port is closed to it", "VIII.B")

    def _why_no_way(self, s: State, hex_: Hex) -> Reason:
        board = s.rules.map
        here = s.pos[self.unit]
        for group, zones in s.rules.charts["sea"]["waters"].items():
            ours = any(board.coast[zone] >> here & 1 for zone in zones)
            ports = [zone for zone in zones if board.ports[zone] >> hex_ & 1]
            if ours and ports:
                if not _group_left(s, group):
                    return "the sea capacity of this turn is used up", "VIII.B"
                if all(zone in s.weather.closed_seas for zone in ports):
                    return f"the {listed(_titles(ports))} is closed in {s.weather.title}", "VI.B.2"
                return "the enemy controls a hex by the Kerch Straits", "VIII.B"
        return "the port lies on another sea", "VIII.B"


def rail_query(s: State, side: Side) -> Rail:
    """Strategic movement of a side as plain values, for clients."""
    names, units, net = s.rules.grid.names, s.rules.units, rail_net(s, side)
    able = able_units(s, side)
    return {
        "net": [names[h] for h in members(net.hexes)],
        "termini": [names[h] for h in members(net.hexes & s.rules.map.towns & ~s.arrived)],
        "rail_units": [units[u].id for u in members(rail_units(s, side, able))],
        "sea_units": [units[u].id for u in members(sea_units(s, side, able))],
        "capacity": {"used": s.rail_used, "limit": s.rules.rail_capacity[side]},
        "sea_used": list(s.sea_used),
        "arrived": [names[h] for h in members(s.arrived)],
    }


@event("railed", "VIII.A", "unit", "hex", "hex")
class Railed(Event):
    """A unit goes by rail."""

    unit: Unit
    origin: Hex
    destination: Hex

    def words(self, s: State) -> str:
        way = f"from {hex_mark(s, self.origin)} to {hex_mark(s, self.destination)}"
        return f"{unit_mark(s, self.unit)} goes by rail {way}"


@event("sailed", "VIII.B", "unit", "hex", "hex", "number")
class Sailed(Event):
    """A unit goes by sea."""

    unit: Unit
    origin: Hex
    destination: Hex
    die: int

    def words(self, s: State) -> str:
        way = f"from {hex_mark(s, self.origin)} to {hex_mark(s, self.destination)}"
        return f"{unit_mark(s, self.unit)} sails {way}; submarine die {self.die}"


@event("sunk", "VIII.B", "unit")
class Sunk(Event):
    """A unit is sunk at sea."""

    unit: Unit

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)} is sunk"
