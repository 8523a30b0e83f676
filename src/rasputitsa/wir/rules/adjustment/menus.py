"""4.0 The menus of group adjustment that offer nothing, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import permutations
from typing import Final

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import IllegalAction
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, FACTORIES, INFANTRY, groups_of
from rasputitsa.wir.rules.adjustment import adjust, agreements, build, naval


def closed(s: State, side: Side) -> dict[str, IllegalAction]:
    """Why a side is offered nothing by each menu of which it is offered nothing."""
    offered = {action.verb for action in adjust.Adjust(side).options(s)}
    return {name: why(s, side) for name, (verbs, why) in MENUS.items() if offered.isdisjoint(verbs)}


def nowhere_to_build(s: State, side: Side) -> tuple[Hex, IllegalAction]:
    """The largest city that could hold new units, and why none can be built there; -1 without such a city."""
    people = build.populated(s, side)
    largest = max(members(people & ~s.full[side] or people), default=-1, key=partial(build.people_in, s))
    problem = None if largest < 0 else build.why_not(s, side, Action("build", (largest,)))
    return largest, problem or IllegalAction("no city under your control has people", "4.9")


def _no_building(s: State, side: Side) -> IllegalAction:
    return nowhere_to_build(s, side)[1]


def _no_factory(s: State, side: Side) -> IllegalAction:
    if not s.pools[side][FACTORIES]:
        return IllegalAction("the pool of completed factories is empty", "4.8")
    return IllegalAction(f"no city with people has fewer than {s.rules.limits.factories} factories of a type", "8.5")


def _no_dismantling(s: State, side: Side) -> IllegalAction:
    if s.dismantled >> side & 1:
        return IllegalAction("one city a turn may dismantle factories", "4.8")
    return IllegalAction("no city under your control has factories", "4.8")


def _no_transfer(s: State, side: Side) -> IllegalAction:
    own = s.on_map(groups_of(side, *adjust.COMBAT))
    if len({s.hex[group] for group in own}) == len(own):
        return IllegalAction("no two of your groups are in one hex", "4.4")
    return IllegalAction("groups in one hex have no room for each other's units", "4.4")


def _no_division(s: State, side: Side) -> IllegalAction:
    if any(len(s.at[s.hex[group]]) == 1 for group in s.on_map(groups_of(side, *adjust.COMBAT))):
        return IllegalAction("no group number of a fitting type is unused", "4.3")
    return IllegalAction("each of your groups is stacked with another group", "4.3")


def _no_aircraft(s: State, side: Side) -> IllegalAction:
    if not adjust.moves_left(s, side):
        return IllegalAction(f"{s.rules.raids.moves} aircraft points have been transferred this turn", "4.5")
    bases = s.on_map(groups_of(side, AIR))
    if not bases:
        return IllegalAction("none of your air groups is on the map", "4.5")
    if all(s.aircraft[group] >= s.rules.aircraft_limit for group in bases):
        return IllegalAction("none of your air groups has room for more aircraft", "4.5")
    return IllegalAction("neither the pool nor another air group has aircraft to send", "4.5")


def _no_voyage(s: State, side: Side) -> IllegalAction:
    barred = [naval.closed(s, side, sea) for sea in range(len(naval.ports(s.rules)))]
    if all(barred):
        return IllegalAction("; ".join(problem.reason for problem in barred if problem), "4.10")
    infantry = [g for g in s.on_map(groups_of(side, INFANTRY)) if s.city_hexes[side] >> s.hex[g] & 1]
    for (_, harbours), problem in zip(naval.ports(s.rules), barred, strict=True):
        here = [group for group in infantry if not problem and s.hex[group] in harbours]
        for source, target in permutations(here, 2):
            if s.hex[source] != s.hex[target] and (found := naval.why_not(s, side, source, target)):
                return found
    return IllegalAction("no two of your infantry groups are in two friendly ports of an open sea", "4.10")


def _no_proposal(s: State, side: Side) -> IllegalAction:
    return agreements.why_not(s, Action("level", (s.level,)))


MENUS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[State, Side], IllegalAction]]]] = {
    "build": (("build",), _no_building), "factory": (("factory",), _no_factory),
    "dismantle": (("dismantle",), _no_dismantling), "transfer": (("transfer",), _no_transfer),
    "divide": (("divide",), _no_division), "aircraft": (("aircraft", "reinforce"), _no_aircraft),
    "naval": (("naval",), _no_voyage), "agree": (agreements.VERBS, _no_proposal),
}  # fmt: skip
"""For each menu the orders in it, and why there are none."""
