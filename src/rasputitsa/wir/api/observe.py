"""What a seat may know. Everything sent to a client, a bot or a file for one seat passes through here.

The map shows where groups stand and of which kind; a look at a group (4.6) shows only one's own. So the enemy's units,
strengths, entrenchments, artillery, aircraft, plots, strikes, pools and supply are blank, unless the game is
played open.
"""

from __future__ import annotations

from rasputitsa.core.events import Event
from rasputitsa.core.shapes import outcome
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.known import BOTH, FACTORY_KINDS, UNLISTED, ledger_shown, shown_to, side_seen
from rasputitsa.wir.api.order_of_battle import origin
from rasputitsa.wir.api.shapes import City, GroupUnit, Limits, Observation, Partisans, Transfer
from rasputitsa.wir.api.shapes import Depot as DepotShape
from rasputitsa.wir.api.shapes import Group as GroupShape
from rasputitsa.wir.model import groups, plot
from rasputitsa.wir.model.groups import GroupDisbanded, UnitLost
from rasputitsa.wir.model.indices import CityNumber, Group, Side, Unit
from rasputitsa.wir.model.ruleset import short_date
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    DEPOT,
    KIND,
    KIND_NAMES,
    POOLS,
    WEATHER_IDS,
    WEATHER_NAMES,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, POPULATION, SIDES, SOVIET, SUPPLY
from rasputitsa.wir.rules.adjustment import adjust, naval
from rasputitsa.wir.rules.adjustment.adjust import AircraftSent, GunsSent, UnitSent
from rasputitsa.wir.rules.adjustment.build import FactoriesDismantled, FactoryBuilt, GroupFormed
from rasputitsa.wir.rules.adjustment.naval import UnitSailed
from rasputitsa.wir.rules.adjustment.recruits import UnitBuilt
from rasputitsa.wir.rules.end_of_turn import partisans
from rasputitsa.wir.rules.end_of_turn.economy import NoProduction, Produced
from rasputitsa.wir.rules.end_of_turn.events import GuardsNamed, SiberiansWait, TypeRedesignated
from rasputitsa.wir.rules.end_of_turn.lendlease import (
    ConvoyMissed,
    LendLeaseArrived,
    LendLeaseCancelled,
    LendLeaseForwarded,
    LendLeaseLost,
    LendLeaseWaits,
)
from rasputitsa.wir.rules.execution import cancelled, combat
from rasputitsa.wir.rules.execution.cancelled import PlotCancelled
from rasputitsa.wir.rules.movement import movement, plot_ways, strategic_move
from rasputitsa.wir.rules.movement.air_plots import BOMB, StrikePlotted, strike_of
from rasputitsa.wir.rules.movement.movement import MarchAborted
from rasputitsa.wir.rules.movement.strategic_move import Entrained, Marched
from rasputitsa.wir.rules.supply.depots import relief_percent
from rasputitsa.wir.rules.supply.supply import Depot, GroupsSupplied, RailMarked, RailRainedOff
from rasputitsa.wir.rules.turn import goal, sequence
from rasputitsa.wir.rules.turn.loss_report import LossesOfWeek
from rasputitsa.wir.rules.turn.secrecy import GroupAppeared, GroupRedeployed, GroupVanished
from rasputitsa.wir.rules.victory import victory

OF_A_SIDE = (
    UnitSent, GunsSent, AircraftSent, UnitBuilt, UnitSailed, FactoryBuilt, FactoriesDismantled, RailMarked,
    GroupsSupplied, Produced, NoProduction, LossesOfWeek, RailRainedOff,
)  # fmt: skip
"""Events that only their side may read while the game goes on."""
OF_A_GROUP = (
    UnitLost, GuardsNamed, PlotCancelled, StrikePlotted, ConvoyMissed, GroupFormed, GroupDisbanded, Marched, Entrained,
    MarchAborted,
)  # fmt: skip
"""Events for the owner of their group."""
NEWS = (GroupRedeployed, GroupAppeared, GroupVanished)
"""Events for those who did not see the orders: what has become of a group."""
AXIS_ONLY = (TypeRedesignated,)
SOVIET_ONLY = (
    LendLeaseArrived, LendLeaseCancelled, LendLeaseWaits, LendLeaseLost, LendLeaseForwarded, SiberiansWait,
)  # fmt: skip


def is_visible(s: State, event: Event, seat: str | None) -> bool:
    """Whether a seat may read an event."""
    if isinstance(event, OF_A_SIDE):
        return event.side in side_seen(s, seat)
    if isinstance(event, OF_A_GROUP):
        return group_side(event.group) in side_seen(s, seat)
    if isinstance(event, NEWS):
        return group_side(event.group) not in side_seen(s, seat)
    if isinstance(event, AXIS_ONLY):
        return AXIS in side_seen(s, seat)
    return not isinstance(event, SOVIET_ONLY) or SOVIET in side_seen(s, seat)


def observe(s: State, seat: str | None, *, everything: bool = False) -> Observation:
    """All that a seat may know (None: an onlooker), or all there is, as plain JSON values; the map among it (4.7)."""
    seen = BOTH if everything else side_seen(s, seat)
    s = shown_to(s, seen)
    rules = s.rules
    names = rules.grid.names
    phase, side = sequence.phase_of(s)
    phase_id, phase_title, phase_rule = sequence.TITLES[phase]  # the sequence of play is public (3.3)
    if s.face is not None and side not in seen:
        phase_title = sequence.unseen_title(s)
    ledger = everything or ledger_shown(s)
    return {
        "turn": {
            "number": s.turn, "label": rules.date_text(s.turn), "short": short_date(rules.dates[s.turn - 1]),
            "weather": WEATHER_IDS[s.weather], "weather_title": WEATHER_NAMES[s.weather].capitalize(),
            "last": rules.turns, "first": 1,
        },
        "phase": {"id": phase_id, "label": phase_title, "rule": phase_rule, "side": SIDES[side], "reserve": 0},
        "order": [SIDES[1], SIDES[0]],
        "scan": {SIDES[n]: sequence.scan(s, n) for n in BOTH},
        "first": SIDES[s.first] if s.first >= 0 else None,
        "level": s.level,
        "units": [_group(s, g, seen) for g in (*groups_of(0), *groups_of(1)) if KIND[g] != DEPOT and s.hex[g] != OFF],
        "selected": _selected(s, seen),
        "depot": _depot(s, seen),
        "transfer": _transfer(s, seen),
        "control": {"axis": [names[h] for h in members(s.control & rules.map.land)]},
        "rail": {SIDES[n]: [names[h] for h in members(s.rail[n])] for n in BOTH},
        "rail_order": {
            SIDES[n]: names[s.rail_order[n]] if n in seen and s.rail_order[n] != OFF else None for n in BOTH
        },
        "cities": [_city(s, n, seen) for n in range(len(rules.map.cities))],
        "pools": {SIDES[n]: _pools(s, n, ledger) if n in seen else None for n in BOTH},
        "limits": {SIDES[n]: _limits(s, n) if n in seen else None for n in BOTH},
        "lend": {"vehicle": s.lend[0], "aircraft": s.lend[1]} if 1 in seen else None,
        "partisans": _partisans(s) if AXIS in seen else None,
        "attacks": [],
        "victory": victory.tally(s),
        "goal": goal.show(s, s.goal, seen) if s.goal else None,
        "outcome": outcome(s.outcome),
    }  # fmt: skip


def _partisans(s: State) -> Partisans:
    """8.7: how often they try this week, at what chance with the security forces there are, and on how much rail."""
    return {
        "tries": partisans.attacks_in(s), "percent": round(partisans.chance(s)),
        "hexes": partisans.targets(s).bit_count(),
    }  # fmt: skip


def _pools(s: State, side: Side, ledger: bool) -> dict[str, int]:
    return {name: s.pools[side][pool] for pool, name in enumerate(POOLS) if ledger or pool not in UNLISTED}


def _limits(s: State, side: Side) -> Limits:
    """What a side may still do this turn."""
    return {
        "rail_moves": strategic_move.rail_moves_left(s, side),
        "air_moves": adjust.moves_left(s, side),
        "seas": [name for sea, (name, _) in enumerate(naval.ports(s.rules)) if naval.closed(s, side, sea) is None],
        "dismantle": not s.dismantled >> side & 1,
    }


def _group(s: State, group: Group, seen: tuple[Side, ...]) -> GroupShape:
    side = group_side(group)
    found: GroupShape = {
        "id": str(group), "hex": s.rules.grid.names[s.hex[group]], "where": "map", "side": SIDES[side],
        "type": KIND_NAMES[KIND[group]], "known": side in seen,
    }  # fmt: skip
    if side not in seen:
        return found
    strike = strike_of(s, group)
    found |= {
        "status": movement.status(s, group), "waits": movement.waits(s, group),
        "supplied": bool(s.supplied >> group & 1),
        "moved": bool(s.moved >> group & 1),
        "steps": s.steps[group],
        "plot": plot.text(s.plot[group]),
        "strike": None if strike is None else {
            "hex": s.rules.grid.names[strike[0]], "manner": "bomb" if strike[1] == BOMB else "ground",
        },
    }  # fmt: skip
    if KIND[group] == AIR:
        return found | {"aircraft": s.aircraft[group]}
    if (end := plot_ways.rained_off_in(s, group)) >= 0:
        found["plot_ends"] = {
            "text": cancelled.no_farther(s, group, end, "rain"), "rule": "8.4", "hex": s.rules.grid.names[end],
        }  # fmt: skip
    if (met := plot_ways.meets_in(s, group)) >= 0:
        found["plot_meets"] = s.rules.grid.names[met]
    above = origin(s, group)
    return found | {
        "artillery": s.artillery[group], "added_artillery": bool(s.added_artillery >> group & 1),
        "entrench": s.entrench[group],
        "strength": groups.strength(s, group), "power": round(combat.strength(s, group) / combat.UNIT),
        "formation": above.formation, "army": above.army, "command": above.command,
        "units": [_unit(s, n, u) for n, u in enumerate(s.group_units[group], start=1)],
    }  # fmt: skip


def _unit(s: State, n: int, unit: Unit) -> GroupUnit:
    kind = s.rules.types[s.utype[unit]]
    return {
        "n": n, "label": s.unit_label(unit), "name": s.rules.name(s.uname[unit]), "type": kind.id,
        "nation": kind.nation, "strength": s.strength[unit],
        "most": s.rules.most[s.year][kind.number], "experience": s.experience[unit], "fatigue": s.fatigue[unit],
    }  # fmt: skip


def _city(s: State, city: CityNumber, seen: tuple[Side, ...]) -> City:
    """Population and supply centres score for all to see; factories are listed to the owner alone (4.8)."""
    owner = s.owner[city]
    industry, vehicle, artillery, aircraft = (s.values[kind][city] if owner in seen else None for kind in FACTORY_KINDS)
    place = s.rules.map.cities[city]
    return {
        "name": place.name, "hex": s.rules.grid.names[place.hex], "owner": SIDES[owner],
        "population": s.values[POPULATION][city], "industry": industry, "vehicle": vehicle, "artillery": artillery,
        "aircraft": aircraft, "supply": s.values[SUPPLY][city],
    }  # fmt: skip


def _selected(s: State, seen: tuple[Side, ...]) -> str | None:
    """The group that is being given orders, for its owner."""
    top = s.stack[-1] if s.stack else None
    if isinstance(top, movement.Orders) and group_side(top.group) in seen:
        return str(top.group)
    return None


def _depot(s: State, seen: tuple[Side, ...]) -> DepotShape | None:
    """The depot on the move, for its owner."""
    top = s.stack[-1] if s.stack else None
    if not isinstance(top, Depot) or top.side not in seen:
        return None
    return {
        "id": str(top.depot), "side": SIDES[top.side], "hex": s.rules.grid.names[top.here], "penalty": top.penalty,
        "relief": relief_percent(s, top.side, top.penalty),
        "route": [s.rules.grid.names[h] for h in top.route],
    }  # fmt: skip


def _transfer(s: State, seen: tuple[Side, ...]) -> Transfer | None:
    """Between which groups something is being transferred, for their owner."""
    top = s.stack[-1] if s.stack else None
    if not isinstance(top, adjust.Transferring | adjust.Aircraft | naval.Sailing) or group_side(top.target) not in seen:
        return None
    return {"source": str(top.source) if top.source else None, "target": str(top.target)}
