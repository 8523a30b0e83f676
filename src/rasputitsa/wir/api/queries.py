"""Read-only questions of clients, bots and tools: reach, supply, odds, production, why not.

A question is answered from what the asking seat may know, so it gives away nothing hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rasputitsa.core import queries
from rasputitsa.core.errors import NotationError
from rasputitsa.core.game import Game
from rasputitsa.core.queries import Args
from rasputitsa.core.shapes import Front, Hexes, HexFigures, SupplyLine, Trapped, Why
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api import (
    air_preview,
    auto_orders_preview,
    hypothetical,
    known,
    labels,
    strengths,
    supply_lines,
)
from rasputitsa.wir.api.answers import (
    Building,
    Caution,
    DepotReach,
    Menus,
    PlainOdds,
    Plots,
    Rail,
    Reach,
    Route,
    StaffWork,
    Strikes,
    Supply,
    TerrainOf,
)
from rasputitsa.wir.api.notation import read_group, read_hex
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.marks import side_name
from rasputitsa.wir.model.shapes import Tally
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, DEPOT, FACTORIES, KIND, POOLS, group_side, groups_of
from rasputitsa.wir.model.theatre import SIDES, TERRAIN_NAMES
from rasputitsa.wir.rules.adjustment import build, menus
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution import combat, joint
from rasputitsa.wir.rules.movement import air_plots, entrenchment, fatigue, movement, strategic_move
from rasputitsa.wir.rules.supply import depots, supply
from rasputitsa.wir.rules.turn import sequence
from rasputitsa.wir.rules.victory import victory


def answer(game: Game[State], s: State, seat: str | None, kind: str, args: Args) -> Mapping[str, Any]:
    """Answer a question; raises ``NotationError`` for one that cannot be read."""
    if kind == "why":
        return _why(game, s, seat, args)
    asker = KINDS.get(kind)
    if asker is None:
        raise queries.unknown(kind, KINDS)
    return asker(known.view_of(s, seat), args)


def _side(s: State, args: Args) -> Side:
    return queries.side_of(args, SIDES, s.side)


def _group(s: State, args: Args) -> Group:
    group = read_group(str(args.get("unit") or args.get("group") or ""))
    if s.hex[group] < 0 or KIND[group] == DEPOT:
        raise NotationError(f"group {group} is not on the map")
    return group


def _groups(args: Args) -> list[Group]:
    value = args.get("units") or args.get("groups") or []
    parts = value.replace("+", ",").split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) > queries.MOST_NAMES:
        raise NotationError("units is a short list of group numbers")
    return [read_group(str(part).strip()) for part in parts]


def _hex(s: State, args: Args, name: str) -> Hex:
    return read_hex(s.rules, str(args.get(name, "")))


def _why(game: Game[State], s: State, seat: str | None, args: Args) -> Why:
    """Whether a line of notation could be played now, and if not, why not; for the seat that is asked alone."""
    decision = game.decision(s)
    if decision is not None and decision.seat != seat and s.rules.options["fog"] == "manual":
        return {"legal": False, "reason": "the other side gives its orders in secret", "rule": "3.3"}
    return queries.why(game, s, args)


# ---------------------------------------------------------------------- movement


def _reach(s: State, args: Args) -> Reach:
    """Hexes within strategic movement with the fatigue of the way that costs least, and where that move ends."""
    group = _group(s, args)
    ways = strategic_move.marches(s, group)
    worn = {h for h, found in ways.items() if fatigue.wears_out(s, group, found.fatigue)}
    return {
        "units": [str(group)],
        "origin": s.rules.grid.names[s.hex[group]],
        "plain": [
            {
                "hex": s.rules.grid.names[h], "cost": len(found.way), "fatigue": found.fatigue,
                "worn_out": h in worn,
            }
            for h, found in sorted(ways.items())
        ],
        "dispersed": [],
        "stops": [s.rules.grid.names[h] for h, found in sorted(ways.items()) if found.stops],
        "wears_out": {"text": labels.worn_out(s.rules), "rule": "8.1"} if worn else None,
        "rail": s.rules.grid.names_of(strategic_move.rail_targets(s, group)),
        "plot": s.rules.grid.names_of(movement.plot_hexes(s, group)),
        "status": movement.status(s, group),
    }  # fmt: skip


def _route(s: State, args: Args) -> Route:
    """The way of a move, and the line of notation that carries it out: on foot where that will do, else by rail. Or why
    there is none."""
    group, target = _group(s, args), _hex(s, args, "to")
    found = strategic_move.marches(s, group).get(target)
    if found:
        way = found.way
        line = "; ".join(f"step {d}" for d in strategic_move.directions_of(s, group, way))
        return {"hexes": [s.rules.grid.names[h] for h in way], "cost": len(way), "line": line}
    if strategic_move.rail_targets(s, group) >> target & 1:
        name = s.rules.grid.names[target]
        return {"hexes": [name], "cost": 1, "line": f"railmove {name}"}
    problem = strategic_move.why_not_march(s, group, target)
    return {"hexes": [], "cost": 0, "line": "", "reason": problem.reason, "rule": problem.rule}


def _plots(s: State, args: Args) -> Plots:
    """The plots a group may be given; asked for a hex, also why none leads there."""
    group = _group(s, args)
    problem = movement.why_not_plot_to(s, group, _hex(s, args, "to")) if args.get("to") else None
    legal = [n for n in plot.legal_plots(KIND[group]) if movement.why_not_plot(s, group, n) is None]
    found: Plots = {"unit": str(group), "plots": [plot.text(n) for n in legal], "present": plot.text(s.plot[group])}
    return found | {"reason": problem.reason, "rule": problem.rule} if problem else found


def _strikes(s: State, args: Args) -> Strikes:
    group = _group(s, args)
    if KIND[group] != AIR:
        raise NotationError(f"group {group} is no air group")
    able = air_plots.may_strike(s, group)
    found: Strikes = {
        "unit": str(group),
        "reach": s.rules.grid.names_of(air_plots.within(s, group)),
        "range": s.rules.raids.range[group_side(group)],
        "escort_range": s.rules.raids.escort,
        "escort": s.rules.grid.names_of(air_plots.with_escort(s, group)),
        "bomb": s.rules.grid.names_of(air_plots.bomb_targets(s, group)) if able else [],
        "ground": s.rules.grid.names_of(air_plots.ground_targets(s, group)) if able else [],
    }
    return {"outlook": air_preview.outlook(s, group, _hex(s, args, "target")), **found} if args.get("target") else found


# ---------------------------------------------------------------------- supply


def _supply(s: State, args: Args) -> Supply:
    """5.4: which groups have not received supplies this turn."""
    side = _side(s, args)
    here = [g for g in s.on_map(groups_of(side)) if KIND[g] != DEPOT]
    return {
        "told": sequence.scan(s, side),
        "supplied": s.rules.grid.names_of(sum({1 << s.hex[g] for g in here if s.supplied >> g & 1})),
        "unsupplied_units": [str(g) for g in here if not s.supplied >> g & 1],
        "depots": [
            {"id": str(d), "hex": s.rules.grid.names[h], "hexes": s.rules.grid.names_of(s.rules.supply_area[h])}
            for d, h in s.rules.depot_hex.items()
            if group_side(d) == side and depots.usable(s, d)
        ],
    }


def _depot(s: State, args: Args) -> DepotReach:
    """Where a depot can stop, by the number of penalty hexes, and the relief it then brings."""
    top = s.stack[-1] if s.stack else None
    if isinstance(top, supply.Depot):
        side, here, spent = top.side, top.here, top.penalty
    else:
        number = read_group(str(args.get("depot", "")))
        if KIND[number] != DEPOT:
            raise NotationError(f"{number} is no depot")
        side, here, spent = group_side(number), s.rules.depot_hex[number], 0
    waves, stops = depots.waves(s, here, spent, depots.ground(s, side)), depots.stops(s, side)
    return {
        "origin": s.rules.grid.names[here],
        "penalty": spent,
        "waves": [s.rules.grid.names_of(wave & stops) for wave in waves],
        "relief": [depots.relief_percent(s, side, n) for n in range(spent, spent + len(waves))],
        "supplies": s.rules.grid.names_of(s.rules.supply_area[here]),
    }


def _area(s: State, args: Args) -> Hexes:
    """What a depot in a hex supplies (5.2)."""
    return {"hexes": s.rules.grid.names_of(s.rules.supply_area[_hex(s, args, "hex")])}


def _rail(s: State, args: Args) -> Rail:
    side = _side(s, args)
    return {
        "hexes": s.rules.grid.names_of(s.rail[side]),
        "open": s.rules.grid.names_of(strategic_move.rail_way(s, side)),
        "zone": "south" if supply.zone_is_south(s) else "north",
        "where": supply.zone_of(s, side),
        "south_from_row": s.rules.relief.south_from_row,
        "moves_left": strategic_move.rail_moves_left(s, side),
    }


# ---------------------------------------------------------------------- the rest


def attack_asked(s: State, args: Args) -> tuple[list[Group], Hex]:
    """The groups and the target of the attack that a question is about; raises ``NotationError``.

    With ``join`` the one group named is joined by those that are plotted to attack the same hex at the same time. Where
    it comes there by way of another hex, the position is moved on to that attack.
    """
    attackers, target = _groups(args), _hex(s, args, "target")
    if args.get("join") and len(attackers) == 1:
        attackers = joint.bring_together(s, attackers[0], target)
    if not attackers or len({group_side(g) for g in attackers}) > 1:
        raise NotationError("units are groups of one side")
    for group in attackers:
        if not s.combat_group(group) or not s.rules.map.direction(s.hex[group], target):
            raise NotationError(f"group {group} is not adjacent to {s.rules.grid.names[target]}")
    return attackers, target


def suppose(s: State, args: Args, hidden: list[Group]) -> None:
    """Fill hidden groups of a view as the asking player supposes them; raises ``NotationError``."""
    supposed = hypothetical.read(str(args.get("assume", "")), s.rules.entrenchment.most)
    hypothetical.fill(s, (guess for guess in supposed if guess.group in hidden))


def _odds(s: State, args: Args) -> PlainOdds:
    """What an attack would come to; what is neither known nor supposed of the defender counts as nothing."""
    attackers, target = attack_asked(s, args)
    defenders = combat.defenders_in(s, target, 1 - group_side(attackers[0]))
    unknown = hypothetical.hidden(s, defenders)
    suppose(s, args, unknown)
    left = hypothetical.hidden(s, defenders)
    return {
        "units": [str(g) for g in attackers],
        "known": not unknown,
        "unknown": [str(g) for g in unknown],
        "supposed": bool(unknown) and not left,
        "digging": _digging(s, defenders),
        **combat.preview(s, attackers, target),
    }


def _digging(s: State, defenders: Sequence[Group]) -> Caution | None:
    """6.8: whether defenders that stay may gain entrenchment before the execution of this week."""
    side = group_side(defenders[0]) if defenders else s.side
    if not sequence.has_yet_to_move(s, side) or not any(entrenchment.may_gain(s, group) for group in defenders):
        return None
    odds = f"{entrenchment.chance(s, side)} %, up to level {s.rules.entrenchment.most}"
    told = f"{side_name(side)} orders come later this week: groups that stay may dig in a level deeper ({odds})"
    return {"text": told, "rule": "6.8"}


def _building(s: State, args: Args) -> Building:
    """4.9: where units can be built, and if nowhere, why not in the largest city that could hold them."""
    side = _side(s, args)
    sites = build.building_sites(s, side)
    hex_, problem = (-1, None) if sites else menus.nowhere_to_build(s, side)
    return {
        "hexes": s.rules.grid.names_of(sites),
        "hex": s.rules.grid.names[hex_] if problem and hex_ >= 0 else "",
        "reason": problem.reason if problem else "",
        "rule": problem.rule if problem else "",
    }


def _menus(s: State, args: Args) -> Menus:
    """4.0: why the menus of group adjustment that offer nothing do so."""
    closed = menus.closed(s, _side(s, args))
    return {"closed": {name: {"text": problem.reason, "rule": problem.rule} for name, problem in closed.items()}}


def _zoc(s: State, args: Args) -> Hexes:
    return {"hexes": s.rules.grid.names_of(s.zoc(_side(s, args)))}


def _control(s: State, args: Args) -> Hexes:
    held = s.control if _side(s, args) == 0 else ~s.control
    return {"hexes": s.rules.grid.names_of(held & s.rules.map.land)}


def _front(s: State, args: Args) -> Front:
    """Pairs of adjacent hexes held by different sides."""
    land = s.rules.map.land
    return queries.front(s.rules.grid, s.control & land, land & ~s.control)


def _terrain(s: State, args: Args) -> TerrainOf:
    hex_ = _hex(s, args, "hex")
    return {
        "hex": s.rules.grid.names[hex_],
        "terrain": TERRAIN_NAMES[s.terrain(hex_)],
        "beneath": TERRAIN_NAMES[s.rules.map.base[hex_]],
        "rail": next((SIDES[n] for n in (0, 1) if s.rail[n] >> hex_ & 1), None),
        "rivers": [s.rules.map.direction(hex_, h) for h in members(s.rules.map.river.beyond.get(hex_, 0))],
        "fatigue": {
            "strategic": s.rules.march.step[fatigue.STRATEGIC][fatigue.rough(s, hex_)],
            "tactical": s.rules.march.step[fatigue.TACTICAL][fatigue.rough(s, hex_)],
            "weather": [fatigue.weather_factor(s, side) for side in (0, 1)],
        },
    }


def _forecast(s: State, args: Args) -> dict[str, int]:
    """8.5: what the next production adds to the pools, as far as it does not depend on pools that are not displayed."""
    gains = economy.forecast(s, _side(s, args))
    if not known.ledger_shown(s):
        for pool in (*known.UNLISTED, FACTORIES):
            del gains[POOLS[pool]]
    return gains


def _staff(s: State, args: Args) -> StaffWork:
    """What the staff would do with an automatic order, and what it would leave undone."""
    proposal = auto_orders_preview.proposal(s, str(args.get("what", "")))
    return {"does": proposal.does, "leaves": proposal.leaves}


def _line(s: State, args: Args) -> SupplyLine:
    return supply_lines.supply_line(s, _group(s, args))


def _strengths(s: State, args: Args) -> HexFigures:
    return strengths.strengths(s)


def _all_odds(s: State, args: Args) -> HexFigures:
    return strengths.all_odds(s, _side(s, args))


def _trapped(s: State, args: Args) -> Trapped:
    return strengths.trapped(s)


def _victory(s: State, args: Args) -> Tally:
    return victory.tally(s)


KINDS: Mapping[str, Callable[[State, Args], Mapping[str, Any]]] = {
    "reach": _reach,
    "plots": _plots,
    "supply": _supply,
    "depot": _depot,
    "area": _area,
    "line": _line,
    "strengths": _strengths,
    "all_odds": _all_odds,
    "trapped": _trapped,
    "rail": _rail,
    "odds": _odds,
    "building": _building,
    "menus": _menus,
    "zoc": _zoc,
    "control": _control,
    "terrain": _terrain,
    "strike": _strikes,
    "route": _route,
    "front": _front,
    "forecast": _forecast,
    "staff": _staff,
    "victory": _victory,
}
"""What answers each kind of question, in the shapes that ``api.shapes`` lists."""
