"""X.A, X.D Terrain and borders: where units may go at all, and across which hex-sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rasputitsa.portfolio.theatre import SOVIET, Ground

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State


def ground(s: State) -> Ground:
    """The terrain in the present weather."""
    return s.rules.map.ground[s.weather.freezes]


def zoc(s: State, side: int) -> int:
    """III: the hexes in the zones of control of a side."""
    if s.rules.options["zoc_barriers"] == "respect":
        return ground(s).barrier.spread(s.active[side])
    return s.rules.grid.spread(s.active[side])


def strong_zoc(s: State, side: int) -> int:
    """The hexes in the zones of control of German armies or Soviet fronts."""
    if s.rules.options["zoc_barriers"] == "respect":
        return ground(s).barrier.spread(s.strong[side])
    return s.rules.grid.spread(s.strong[side])


def forbidden(s: State, units: Sequence[int]) -> int:
    """Hexes that treaty or the first turn close to these units (X.D.2, XVI.B.5)."""
    rules = s.rules
    closed = 0
    for unit in units:
        nation = rules.units[unit].nation
        closed |= rules.barred_country.get(nation, 0)
        for pair in rules.charts["forbidden"]["sharing"]:
            if nation in pair:
                other = pair[1] if nation == pair[0] else pair[0]
                closed |= _hexes_of(s, rules.roster.of_nation[other])
        if nation in waiting_nations(s):
            closed |= rules.home[SOVIET]
    return closed


def waiting_nations(s: State) -> tuple[str, ...]:
    """Nations that may not yet enter or attack into the Soviet Union (XVI.B.5)."""
    if not s.first_turn():
        return ()
    waiting = list(s.rules.charts["first_turn"]["axis_allies_wait"])
    if "FI" in waiting and s.germans_in_finland:
        waiting.remove("FI")
    return tuple(waiting)


def _hexes_of(s: State, units: int) -> int:
    hexes = 0
    for unit in s.members(units):
        if s.pos[unit] >= 0:
            hexes |= 1 << s.pos[unit]
    return hexes


def side_barred(s: State, unit: int, a: int, b: int) -> tuple[str, str] | None:
    """Why a unit may not attack or retreat from a across to the adjacent b, with the paragraph; None if it may."""
    land = ground(s)
    if not land.enterable >> b & 1:
        return "no unit enters sea, open lake or neutral land", "X.A.1"
    if land.closed.between(a, b):
        return "an all-sea hex-side is impassable", "X.A.1"
    if s.rules.roster.no_strait >> unit & 1 and land.straits.between(a, b):
        return "armor, mechanized units and cavalry do not cross lakes, Kerch or to Kronshtadt in battle", "X.B.4"
    return None
