"""The orders of a movement phase as one plan, group by group, so that plans can be changed and crossed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rasputitsa.ai.wir.script import Script
from rasputitsa.core.actions import Action

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

STRIKES = ("bomb", "ground")
PASSES = 3
"""Times a march is tried that finds its way blocked by friends."""


@dataclass(frozen=True, slots=True)
class Order:
    """What one group is ordered to do."""

    fills: tuple[tuple[int, int], ...] = ()
    """Units, by their number in the group, and the replacements for them."""
    way: tuple[int, ...] = ()
    """Directions of a march."""
    rail: int = -1
    """Where it goes by train."""
    plot: int = 0
    strike: tuple[str, int] | None = None
    guns: bool = False


@dataclass
class Plan:
    """All orders of a phase."""

    orders: dict[int, Order] = field(default_factory=dict)
    marches: list[int] = field(default_factory=list)
    """Groups that march or go by rail, those first who make room for others."""

    def differing(self, other: Plan) -> list[int]:
        """Groups that the other plan gives other orders."""
        groups = self.orders.keys() | other.orders.keys()
        return sorted(g for g in groups if self.orders.get(g) != other.orders.get(g))

    def crossed(self, other: Plan, theirs: Callable[[int], bool]) -> Plan:
        """This plan, with the other's orders for some groups."""
        orders = {g: order for g, order in self.orders.items() if not theirs(g)}
        orders |= {g: order for g, order in other.orders.items() if theirs(g)}
        marches = [g for g in self.marches if not theirs(g)] + [g for g in other.marches if theirs(g)]
        return Plan(orders, marches)

    def plotted(self, plots: dict[int, int], groups: Iterable[int]) -> Plan:
        """This plan with other plots for some groups."""
        orders = dict(self.orders)
        for group in groups:
            order = orders.get(group, Order())
            if order.plot != plots.get(group, 0):
                orders[group] = replace(order, plot=plots.get(group, 0))
        return Plan(orders, list(self.marches))

    def carried_out(self, s: State) -> Script:
        """The orders written down on a copy of a position; what is not possible there is left out."""
        script = Script(s)
        for group, order in self.orders.items():
            if order.fills and script.orders(group):
                for unit, points in order.fills:
                    script.give("replace", unit, points)
        waiting = self.marches
        for _ in range(PASSES):
            left = [g for g in waiting if not self._march(script, g)]
            if len(left) == len(waiting):
                break
            waiting = left
        for group, order in self.orders.items():
            if not (order.plot or order.strike or order.guns) or not script.orders(group):
                continue
            if order.plot:
                script.give("plot", order.plot)
            if order.strike is not None:
                script.give(*order.strike)
            if order.guns:
                script.give("artillery")
        script.put_down()
        return script

    def _march(self, script: Script, group: int) -> bool:
        """Whether a group is on its way."""
        order = self.orders[group]
        if not script.orders(group):
            return True
        if order.rail >= 0:
            return script.give("railmove", order.rail)
        for n, direction in enumerate(order.way):
            if not script.give("step", direction):
                return n > 0
        return True


def read(actions: Iterable[Action]) -> Plan:
    """The plan that a list of orders comes to."""
    plan, group = Plan(), 0
    for verb, args in actions:
        order = plan.orders.get(group, Order())
        if verb == "get":
            group = args[0]
            continue
        if verb == "replace":
            order = replace(order, fills=(*order.fills, (args[0], args[1])))
        elif verb == "step":
            order = replace(order, way=(*order.way, args[0]))
        elif verb == "railmove":
            order = replace(order, rail=args[0])
        elif verb in ("plot", "unplot"):
            order = replace(order, plot=args[0] if args else 0)
        elif verb in STRIKES:
            order = replace(order, strike=(verb, args[0]))
        elif verb == "artillery":
            order = replace(order, guns=True)
        else:
            continue
        if verb in ("step", "railmove") and group not in plan.marches:
            plan.marches.append(group)
        plan.orders[group] = order
    return plan
