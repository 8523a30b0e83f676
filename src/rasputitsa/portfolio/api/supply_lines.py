"""The line by which a unit is supplied, and the hexes whose loss would cut it: judged by the rules of supply."""

from __future__ import annotations

from rasputitsa.core.marks import figured
from rasputitsa.core.shapes import SupplyLine
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.logistics import supply


def supply_line(s: State, unit: Unit) -> SupplyLine:
    """How a unit is supplied, in words and hexes, and where an enemy would cut it off by taking one hex (XIV.A)."""
    side, names = s.rules.roster.side[unit], s.rules.grid.names
    supplied = _supplied(s, side, unit)
    way = line(s, unit) if supplied else ()
    return {
        "unit": s.rules.units[unit].id,
        "supplied": supplied,
        "text": _words(s, side, unit, way, supplied=supplied),
        "hexes": [names[h] for h in way],
        "cut": [
            names[h]
            for h in dict.fromkeys((*way, *_keys_of_seas(s, side, way)))
            if h != s.pos[unit] and not _supplied_without(s, side, unit, h)
        ],
    }


def _supplied(s: State, side: Side, unit: Unit) -> bool:
    return not supply.unsupplied_units(s, side) >> unit & 1


def _supplied_without(s: State, side: Side, unit: Unit, lost: Hex) -> bool:
    """Whether a unit is still in supply when the enemy has taken one more hex."""
    after = s.copy()
    after.control = s.control & ~(1 << lost) if side == AXIS else s.control | 1 << lost
    return _supplied(after, side, unit)


def _keys_of_seas(s: State, side: Side, way: tuple[Hex, ...]) -> list[Hex]:
    """The cities by which a side holds the seas that a line crosses (XV.B)."""
    at_sea = any(not s.rules.map.ground[1].land >> h & 1 for h in way)
    return [h for zone in supply.open_seas(s, side) for h in members(s.rules.sea_keys[zone])] if at_sea else []


def line(s: State, unit: Unit) -> tuple[Hex, ...]:
    """The hexes from a unit over a town to a source at the map edge; empty where no line supplies it.

    A line that leaves the map goes on where it comes back, if that is not yet its nation's own edge.
    """
    side, here = s.rules.roster.side[unit], s.pos[unit]
    own = s.rules.supply_edge(s.rules.units[unit].nation)
    net, towns = supply.network(s, side, own)
    if not net >> here & 1 or not towns:
        return ()
    behind = supply.joined_behind(s, side) & net
    found = _way(s, side, towns, 1 << here, net)
    if found:
        found += _way(s, side, (own | behind) & net, 1 << found[-1], net)[1:]
        if not own >> found[-1] & 1:
            found += _way(s, side, own & net, behind, net)
    return found


def _way(s: State, side: Side, start: HexBits, goal: HexBits, net: HexBits) -> tuple[Hex, ...]:
    """The shortest way through a network from one of some hexes to one of others; empty where there is none."""
    closed = supply.barriers(s, side)
    rings = [start]
    reached = start
    while not reached & goal:
        ring = closed.spread(rings[-1]) & net & ~reached
        if not ring:
            return ()
        rings.append(ring)
        reached |= ring
    way = members(reached & goal)[:1]
    for ring in reversed(rings[:-1]):
        near = s.rules.grid.adjacent[way[-1]] & ring
        way.append(next(h for h in members(near) if closed.spread(1 << h) >> way[-1] & 1))
    return tuple(way)


def _words(s: State, side: Side, unit: Unit, way: tuple[Hex, ...], *, supplied: bool) -> str:
    fuel = ", but without fuel" if supply.fuel_shortage(s, side) >> unit & 1 else ""
    if way:
        return f"in supply from the map edge, {figured(len(way) - 1, 'hex', 'hexes')} off{fuel}"
    if supplied:
        return f"fed by the city or fortress it stands in{fuel}"
    pocket = next((p for p in supply.pockets(s, side) if p >> unit & 1), 0)
    if not pocket:
        return "out of supply"
    return f"out of supply; its pocket loses {figured(supply.half_strength(s, pocket), 'attack factor')}"
