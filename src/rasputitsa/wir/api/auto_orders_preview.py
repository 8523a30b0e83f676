"""What automatic orders would come to now, and what they would leave to the player."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import NotationError
from rasputitsa.core.frames import Context
from rasputitsa.core.marks import figured
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import DEPOT, INFANTRY, KIND, MECHANIZED, groups_of
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.movement import movement
from rasputitsa.wir.rules.supply import auto_orders, depots, supply


class Proposal(NamedTuple):
    """What the orders do, and what they leave undone, in plain words."""

    does: list[str]
    leaves: list[str]


def proposal(s: State, what: str) -> Proposal:
    """What the line ``auto supply``, ``auto replace`` or ``auto all`` comes to now; raises ``NotationError``."""
    top = s.stack[-1] if s.stack else None
    if what == "supply" and isinstance(top, supply.Depot):
        return _depots(s, top.side)
    if what in ("replace", "all") and isinstance(top, movement.Movement):
        return _replacements(s, top.side, guns=what == "all")
    raise NotationError("what is supply, in the supply phase, or replace or all, in the movement phase")


def _depots(s: State, side: Side) -> Proposal:
    after = s.copy()
    orders = supply.supply_orders(s)
    auto_orders.carry_out(after, orders, Context(ScriptedDice([])))
    sent = sum(action.verb == "supply" for action in orders)
    groups = [g for g in s.on_map(groups_of(side)) if KIND[g] != DEPOT]
    supplied = sum(after.supplied >> g & 1 for g in groups)
    does = [f"{figured(sent, 'depot')} to hand out supplies; then {supplied} of {len(groups)} groups are supplied"]
    leaves = []
    short = [g for g in groups if not after.supplied >> g & 1]
    if short:
        leaves.append(f"out of reach (5.2): {_groups(short)}")
    if s.rail_order[side] == OFF and _could_build(s, side):
        leaves.append("no rail hex is marked this week (5.3)")
    return Proposal(does, leaves)


def _could_build(s: State, side: Side) -> bool:
    """Whether some depot could mark a hex where rail may be built."""
    land, stops = depots.ground(s, side), depots.stops(s, side)
    return any(
        supply.why_not_rail(s, side, hex_) is None
        for depot, here in s.rules.depot_hex.items()
        if depot in groups_of(side) and depots.usable(s, depot)
        for wave in depots.waves(s, here, 0, land)
        for hex_ in members(wave & stops)
    )


def _replacements(s: State, side: Side, *, guns: bool) -> Proposal:
    orders = auto_orders.all_orders(s, side) if guns else auto_orders.replacement_orders(s, side)
    points = sum(action.args[1] for action in orders if action.verb == "replace")
    filled = sum(action.verb == "replace" for action in orders)
    armed = _with_guns(orders)
    does = [
        f"{figured(points, 'point')} of replacements for {figured(filled, 'unit')} (6.4)"
        if filled else "no replacements: no unit can take any (6.4)"
    ]  # fmt: skip
    if guns:
        entrenched = auto_orders.entrenched_only(s)
        stay, they, their = ("stays", "it is", "its") if len(armed) == 1 else ("stay", "they are", "their")
        where = f"in {their} entrenchments" if entrenched else f"where {they}"
        state = "is entrenched" if entrenched else "has no plot"
        does.append(
            f"artillery for {_groups(armed)}, which {stay} {where} this week (6.5)"
            if armed else f"no artillery: no group that {state} and is in contact can add any (6.5)"
        )  # fmt: skip
    on_map = s.on_map(groups_of(side, MECHANIZED, INFANTRY))
    short = [g for g in on_map if reinforce.barred(s, g) == "unsupplied"]
    leaves = [f"not in supply, so nothing for {_groups(short)} (6.4)"] if short else []
    if not guns:
        leaves.append("artillery (6.5)")
    leaves.append("marches, attacks and air strikes are yours to order (6.1, 6.6, 6.9)")
    return Proposal(does, leaves)


def _with_guns(orders: list[Action]) -> list[Group]:
    found, group = [], 0
    for action in orders:
        if action.verb == "get":
            group = action.args[0]
        elif action.verb == "artillery":
            found.append(group)
    return found


def _groups(groups: list[Group]) -> str:
    return ("group " if len(groups) == 1 else "groups ") + ", ".join(map(str, groups))
