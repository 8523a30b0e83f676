"""VIII Strategic movement: who may move so at all, by rail or by sea."""

from __future__ import annotations

from rasputitsa.hexes.grid import without
from rasputitsa.portfolio.model.indices import Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SOVIET
from rasputitsa.portfolio.rules.logistics.arrivals import Reason


def able_units(s: State, side: Side) -> UnitBits:
    """Units that may move strategically at all: on the map, neither Spent nor Dispersed, not caught unprepared."""
    roster = s.rules.roster
    ready = without(s.present & roster.of_side[side], s.spent | s.dispersed | roster.front)
    if side == SOVIET and ready and s.first_turn():
        ready = without(ready, s.units_in(s.rules.frozen_at_start))
    return ready


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
