"""Strength and odds hex by hex, and who has no way to retreat: tables for the layers of a map."""

from __future__ import annotations

from rasputitsa.core.marks import counted, listed
from rasputitsa.core.shapes import HexFigure, HexFigures, Trapped, TrappedUnit
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.combat import special_results
from rasputitsa.portfolio.rules.combat.eligibility import attackable, fighters
from rasputitsa.portfolio.rules.combat.odds import defence_of, odds, ratios
from rasputitsa.portfolio.rules.combat.retreat import FORCED, ability


def strengths(s: State) -> HexFigures:
    """The units of each hex: attack factors, and defence factors with the ground; rivers and lines apart."""
    found: list[HexFigure] = []
    for hex_, units in sorted(s.at.items()):
        if units:
            attack, defence = sum(s.rules.roster.af[u] for u in units), defence_of(s, hex_, 0).total
            side = SIDES[s.rules.roster.side[units[0]]]
            found.append(
                {"hex": s.rules.grid.names[hex_], "side": side, "value": float(defence), "text": f"{attack}-{defence}"}
            )
    return {"hexes": found}


def best_column(s: State, hex_: Hex) -> int:
    """The column of an attack on a hex by all of the side to move that could attack it; below 0 where none can."""
    units = tuple(unit for unit in members(fighters(s, s.side)) if attackable(s, unit) >> hex_ & 1)
    columns = odds(s, (hex_,), units).columns
    return columns[0] if columns else -1


def all_odds(s: State) -> HexFigures:
    """The odds against each hex of the other side, if all of the side to move attack it that could."""
    found: list[HexFigure] = []
    for hex_ in members(s.occ[1 - s.side]):
        column = best_column(s, hex_)
        if column >= 0:
            text, (more, less) = s.rules.columns[column], ratios(s.rules)[column]
            hex_name, side = s.rules.grid.names[hex_], SIDES[1 - s.side]
            found.append({"hex": hex_name, "side": side, "value": more / less, "text": text})
    return {"hexes": found}


def trapped(s: State) -> Trapped:
    """The units that cannot retreat far enough, no matter who attacks, and what that means for them."""
    found: list[TrappedUnit] = []
    fatal = listed(special_results.fatal())
    threatened = [_threatened(s, side) for side in (0, 1)]
    for unit, here in enumerate(s.pos):
        if here >= 0 and (reach := ability(s, unit, 0, FORCED)) < special_results.LEAST_RETREAT:
            way = "no way to retreat" if not reach else f"a way of only {counted(reach, 'hex', 'hexes')} to retreat"
            text = f"Has {way}: {fatal} eliminate it"
            pressed = bool(threatened[s.rules.roster.side[unit]] >> here & 1)
            found.append({"unit": s.rules.units[unit].id, "text": text, "rule": "XIII.D.6", "pressed": pressed})
    return {"units": found}


def _threatened(s: State, side: Side) -> HexBits:
    """The hexes of a side that units of the other could attack from where they stand."""
    found = 0
    for unit, here in enumerate(s.pos):
        if here >= 0 and s.rules.roster.side[unit] != side:
            found |= attackable(s, unit)
    return found
