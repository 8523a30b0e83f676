"""X.A, X.D, TEC Terrain and borders: where units may go at all, and across which hex-sides."""

from __future__ import annotations

from collections.abc import Sequence

from rasputitsa.hexes.grid import BIT
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import OUT_OF_PLAY, SOVIET, Ground


def ground(s: State) -> Ground:
    """The terrain in the present weather."""
    return s.rules.map.ground[s.weather.freezes]


def zoc(s: State, side: Side) -> HexBits:
    """III.ZOC: the hexes in the zones of control of a side."""
    sources = s.active[side]
    if s.rules.zones_end_at_barriers:
        return ground(s).barrier.spread(sources)
    known = s.zones[side]
    if known[0] != sources:
        known = s.zones[side] = (sources, s.rules.grid.spread(sources))
    return known[1]


def strong_zoc(s: State, side: Side) -> HexBits:
    """The hexes in the zones of control of German armies or Soviet fronts."""
    if s.rules.zones_end_at_barriers:
        return ground(s).barrier.spread(s.strong[side])
    return s.rules.grid.spread(s.strong[side])


def forbidden(s: State, units: Sequence[Unit]) -> HexBits:
    """Hexes that treaty or the first turn close to these units (X.D.2, XVI.B.5)."""
    rules = s.rules
    nations = rules.roster.nation
    closed = 0
    for unit in units:
        nation = nations[unit]
        if nation in rules.barred_country:
            closed |= rules.barred_country[nation]
        if nation in rules.shunned:
            closed |= _hexes_of(s, rules.shunned[nation])
        if s.turn == rules.first_turn and nation in waiting_nations(s):
            closed |= rules.home[SOVIET]
    return closed


def waiting_nations(s: State) -> tuple[str, ...]:
    """Nations that may not yet enter or attack into the Soviet Union (XVI.B.5)."""
    if not s.first_turn():
        return ()
    waiting = s.rules.first_to_wait
    return tuple(nation for nation in waiting if nation != "FI") if s.germans_in_finland else waiting


def _hexes_of(s: State, units: UnitBits) -> HexBits:
    hexes = 0
    for unit in s.members(units & s.present):
        hexes |= BIT[s.pos[unit]]
    return hexes


def side_barred(s: State, unit: Unit, a: Hex, b: Hex) -> tuple[str, str] | None:
    """Why a unit may not attack or retreat from a across to the adjacent b, with the paragraph; None if it may.

    X.A.1, X.B.4, TEC.CrossLake, TEC.Kerch.
    """
    land = ground(s)
    if land.land >> b & 1 and not land.enterable >> b & 1:
        return "no unit leaves the part of the map that this scenario is played on", OUT_OF_PLAY
    if not land.enterable >> b & 1:
        return "no unit enters sea, open lake or neutral land", "X.A.1"
    if land.closed.between(a, b):
        return "an all-sea hex-side is impassable", "X.A.1"
    if s.rules.roster.no_strait >> unit & 1 and land.straits.between(a, b):
        barred = s.rules.roster.titles(lambda kind: not kind.crosses_water)
        return f"{barred} units do not cross lakes, Kerch or to Kronshtadt in battle", "X.B.4"
    return None
