"""VIII.B Strategic movement by sea, from port to port."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.core.caching import cached_up_to, kept_of_rules
from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import counted, listed
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.control import sea_holder
from rasputitsa.portfolio.model.frames import Context, pop, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import forbidden
from rasputitsa.portfolio.model.theatre import SEA_TITLES
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
from rasputitsa.portfolio.rules.logistics.strategic import why_not_able


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
    """For each group of waters at a coast: where a ship could sail, and the ports there, no matter in whose hands.

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
    """Ports, no matter in whose hands, that a ship could sail to from the unit's hex with the capacity left."""
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
        most = counted(s.rules.units_per_sea, "unit")
        where = "in all" if s.rules.options["sea_capacity"] == "total" else "on each sea"
        return f"Choose the port where {s.rules.units[self.unit].name} lands; {most} a turn may sail {where}{risk}"

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
