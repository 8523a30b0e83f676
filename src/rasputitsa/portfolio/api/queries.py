"""Read-only questions of clients, bots and tools: reach, way, odds, supply, why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rasputitsa.core import queries
from rasputitsa.core.errors import NotationError
from rasputitsa.core.game import Game
from rasputitsa.core.queries import Args
from rasputitsa.core.shapes import Front, Hexes, HexFigures, SupplyLine, Trapped
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api import strengths, supply_lines, whole_advances, whole_attacks
from rasputitsa.portfolio.api.attack_preview import attack_preview
from rasputitsa.portfolio.api.notation import read_hex, read_unit
from rasputitsa.portfolio.api.shapes import Advances, Losses, Odds, Reach, Route, SideLosses, UnitState
from rasputitsa.portfolio.model.indices import Side, Unit
from rasputitsa.portfolio.model.moves import MovingStack
from rasputitsa.portfolio.model.shapes import Pools, Rail, Supply, Victory
from rasputitsa.portfolio.model.stacking import room_for
from rasputitsa.portfolio.model.state import LOCKED, POOL, SETUP, State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.portfolio.rules.logistics import replacements, supply
from rasputitsa.portfolio.rules.movement import movement
from rasputitsa.portfolio.rules.movement.reach import factors, moving_stack, reach
from rasputitsa.portfolio.rules.movement.route import leg
from rasputitsa.portfolio.rules.turn import victory

ALL = "all"
"""In the place of attackers: everybody who can join."""


def answer(game: Game[State], s: State, kind: str, args: Args) -> Mapping[str, Any]:
    """Answer a question; raises ``NotationError`` for one that cannot be read."""
    if kind == "why":
        return queries.why(game, s, args)
    asker = KINDS.get(kind)
    if asker is None:
        raise queries.unknown(kind, KINDS)
    return asker(s, args)


def _list(args: Args, name: str) -> list[str]:
    value = args.get(name, [])
    if isinstance(value, str):
        value = [part for part in value.replace("+", ",").split(",") if part.strip()]
    if (
        not isinstance(value, list)
        or not all(isinstance(part, str) for part in value)
        or len(value) > queries.MOST_NAMES
    ):
        raise NotationError(f"{name} is a short list of names")
    return [part.strip() for part in value]


def _units(s: State, args: Args, name: str = "units") -> tuple[Unit, ...]:
    found = tuple(read_unit(s.rules, text) for text in _list(args, name) or _list(args, "unit"))
    if not found:
        raise NotationError(f"{name} is missing")
    return found


def _side(s: State, args: Args) -> Side:
    return queries.side_of(args, SIDES, s.side)


def _group(s: State, args: Args) -> tuple[tuple[Unit, ...], MovingStack]:
    """The group asked about: the one on the move if it is among the units, else as it would start."""
    units = _units(s, args)
    if any(s.pos[u] < 0 for u in units) or len({s.pos[u] for u in units}) != 1 or len(units) > 2:
        raise NotationError("units are one or two units in the same hex of the map")
    top = s.stack[-1] if s.stack else None
    if isinstance(top, movement.Moving) and set(units) <= set(top.units):
        return top.units, top.moving_stack(s)
    return units, moving_stack(s, units, 0, 0)


def _reach(s: State, args: Args) -> Reach:
    units, m = _group(s, args)
    plain, dispersing = reach(s, m)
    return {
        "units": [s.rules.units[u].id for u in units],
        "origin": s.rules.grid.names[m.here],
        "plain": [{"hex": s.rules.grid.names[h], "cost": leg(s, m, h).cost} for h in members(plain)],
        "dispersed": [{"hex": s.rules.grid.names[h], "cost": leg(s, m, h).cost} for h in members(dispersing)],
        "factor": m.basic,
        "bonus": m.total - m.basic,
        "left": max(0, m.basic - m.steps),
        "bonus_left": m.total - max(m.basic, m.steps),
    }


def _route(s: State, args: Args) -> Route:
    _, m = _group(s, args)
    target = read_hex(s.rules, str(args.get("to", "")))
    plain, dispersing = reach(s, m)
    if not (plain | dispersing) >> target & 1:
        raise NotationError(f"{s.rules.grid.names[target]} is not within reach")
    way = leg(s, m, target)
    return {
        "hexes": [s.rules.grid.names[h] for h in way.hexes],
        "cost": way.cost,
        "rivers": way.rivers,
        "dispersed": way.dispersed,
        "stops": way.entered_zone,
    }


def _odds(s: State, args: Args) -> Odds:
    targets = tuple(read_hex(s.rules, text) for text in _list(args, "targets"))
    if not targets:
        raise NotationError("targets is missing")
    units = whole_attacks.everybody(s, targets) if args.get("units") == ALL else _units(s, args)
    if not units:
        raise NotationError("nobody can attack there now")
    return {"units": [s.rules.units[u].id for u in units], **attack_preview(s, targets, units)}


def _zoc(s: State, args: Args) -> Hexes:
    return {"hexes": s.rules.grid.names_of(zoc(s, _side(s, args)))}


def _control(s: State, args: Args) -> Hexes:
    return {"hexes": s.rules.grid.names_of(s.controlled(_side(s, args)) & s.rules.map.ground[0].land)}


def _front(s: State, args: Args) -> Front:
    """Pairs of adjacent hexes held by different sides."""
    land = s.rules.map.ground[0].land
    return queries.front(s.rules.grid, s.controlled(AXIS) & land, s.controlled(SOVIET) & land)


def _unit(s: State, args: Args) -> UnitState:
    """One unit: its factors now, and whether it is in supply."""
    (unit,) = _units(s, args)[:1]
    basic, total = factors(s, unit)
    side = s.rules.roster.side[unit]
    return {
        "id": s.rules.units[unit].id,
        "factor": basic,
        "bonus": total - basic,
        "supplied": not supply.unsupplied_units(s, side) >> unit & 1,
        "fuel": not supply.fuel_shortage(s, side) >> unit & 1,
        "room": s.rules.grid.names_of(room_for(s, (unit,)) & s.rules.map.land) if args.get("room") else [],
    }


def _line(s: State, args: Args) -> SupplyLine:
    """How a unit is supplied, and where it could be cut off."""
    (unit,) = _units(s, args)[:1]
    if s.pos[unit] < 0:
        raise NotationError(f"{s.rules.units[unit].id} is not on the map")
    return supply_lines.supply_line(s, unit)


def _losses(s: State, args: Args) -> Losses:
    """What each side has lost, in attack factors on and off the map."""
    return {"axis": _side_losses(s, AXIS), "soviet": _side_losses(s, SOVIET)}


def _side_losses(s: State, side: Side) -> SideLosses:
    units = [u for u in s.rules.units if u.side == side]
    gone = [u for u in units if s.pos[u.number] < 0 and (u.setup >= 0 or s.pos[u.number] != POOL)]
    return {
        "on_map": sum(u.af for u in units if s.pos[u.number] >= 0),
        "units_on_map": sum(s.pos[u.number] >= 0 for u in units),
        "units_lost": [u.id for u in gone if s.pos[u.number] not in (LOCKED, SETUP)],
    }


def _advance(s: State, args: Args) -> Advances:
    return whole_advances.as_answer(s)


def _strengths(s: State, args: Args) -> HexFigures:
    return strengths.strengths(s)


def _all_odds(s: State, args: Args) -> HexFigures:
    return strengths.all_odds(s)


def _trapped(s: State, args: Args) -> Trapped:
    return strengths.trapped(s)


def _supply(s: State, args: Args) -> Supply:
    return supply.supply_query(s, _side(s, args))


def _rail(s: State, args: Args) -> Rail:
    return replacements.rail_query(s, _side(s, args))


def _pools(s: State, args: Args) -> Pools:
    return replacements.pools_query(s, _side(s, args))


def _victory(s: State, args: Args) -> Victory:
    return victory.copy_of(victory.tally(s))


KINDS: Mapping[str, Callable[[State, Args], Mapping[str, Any]]] = {
    "reach": _reach,
    "route": _route,
    "odds": _odds,
    "advance": _advance,
    "zoc": _zoc,
    "control": _control,
    "front": _front,
    "unit": _unit,
    "losses": _losses,
    "line": _line,
    "strengths": _strengths,
    "all_odds": _all_odds,
    "trapped": _trapped,
    "supply": _supply,
    "rail": _rail,
    "pools": _pools,
    "victory": _victory,
}
"""What answers each kind of question, in the shapes that ``api.shapes`` lists."""
