"""An honest greedy player of War in Russia.

Each group by itself does what looks best at this moment: it attacks a neighbour it outweighs, enters a city that is
left open, marches towards the nearest city of the enemy, or stays where it is. Nothing is coordinated; supply and
replacements are left to the staff.
"""

from __future__ import annotations

from collections.abc import Callable

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.ai.wir.planning.strategic_moves import march, ways
from rasputitsa.ai.wir.players.planner import PhasePlayer
from rasputitsa.core.actions import Action
from rasputitsa.wir.model.indices import Group, HexBits, Side
from rasputitsa.wir.model.plot import Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import COMBAT_BITS
from rasputitsa.wir.rules.execution import combat
from rasputitsa.wir.rules.movement import movement
from rasputitsa.wir.rules.supply import auto_orders

GOOD_ODDS = 2.0
"""Each group attacks by itself from these odds on."""
TIRED = 50


class GreedyPlayer(PhasePlayer):
    """One group at a time, each for itself."""

    def adjust(self, s: State, side: Side) -> list[Action]:
        production = Production(s, side, Situation(s, side))
        production.build()
        return production.order_list.finish()

    def supply(self, s: State, side: Side, points: int) -> list[Action]:
        del points
        order_list = OrderList(s)
        order_list.give("auto_supply")
        return order_list.actions

    def move(self, s: State, side: Side, going: Callable[[], bool]) -> list[Action]:
        order_list = OrderList(s)
        order_list.give("auto_replace")
        situation = Situation(order_list.s, side)
        wanted = lesson.wanted(order_list.s, side)
        field = situation.distances(wanted)
        for group in situation.own:
            if _attack(order_list, situation, group) or _enter(order_list, group, wanted & ~order_list.s.occ[1 - side]):
                continue
            if not _held(situation, group):
                _march(order_list, group, field)
        order_list.put_down()
        order_list.give("auto_replace")
        for order in auto_orders.artillery_orders(order_list.s, side, entrenched_only=False):
            order_list.give(order.verb, *order.args)
        return order_list.finish()


def _attack(order_list: OrderList, situation: Situation, group: Group) -> bool:
    """Plot the best attack of one group if its odds are good."""
    s = order_list.s
    if not _fit(s, group):
        return False
    best, choice = GOOD_ODDS, -1
    for there in s.rules.map.reach_list[s.hex[group]]:
        if s.occ[1 - situation.side] >> there & 1:
            odds = combat.compute_odds(s, (group,), there).odds
            if odds > best:
                best, choice = odds, there
    if choice < 0 or not order_list.orders(group):
        return False
    direction = s.rules.map.direction(s.hex[group], choice)
    return order_list.give("plot", Plot(direction, 0, 0).number)


def _enter(order_list: OrderList, group: Group, left_open: HexBits) -> bool:
    """Plot a group into a city of the enemy next to it where nobody is: no march leads into one (8.8)."""
    s = order_list.s
    for there in s.rules.map.reach_list[s.hex[group]]:
        if left_open >> there & 1 and _fit(s, group) and order_list.orders(group):
            return order_list.give("plot", Plot(s.rules.map.direction(s.hex[group], there), 0, 0).number)
    return False


def _fit(s: State, group: Group) -> bool:
    """Whether a group may make a tactical move, and is rested enough for it."""
    units = s.group_units[group]
    return movement.may_plot_move(s, group) and sum(s.fatigue[u] for u in units) <= TIRED * len(units)


def _held(situation: Situation, group: Group) -> bool:
    """Whether the enemies within reach are stronger, so that a line has to be kept."""
    s = situation.s
    enemies = COMBAT_BITS[1 - situation.side]
    near = [g for h in s.rules.map.near_list[s.hex[group]] for g in s.at.get(h, ()) if enemies >> g & 1]
    return sum(situation.power[g] for g in near) > situation.power[group]


def _march(order_list: OrderList, group: Group, field: list[int]) -> None:
    """March towards the nearest city of the enemy."""
    s = order_list.s
    here = s.hex[group]
    if (
        not s.group_units[group]
        or max(s.fatigue[u] for u in s.group_units[group]) > TIRED
        or field[here] >= UNREACHABLE
    ):
        return
    found = ways(s, group)
    end = min(found, key=lambda h: (field[h], len(found[h])))
    if field[end] < field[here] and order_list.orders(group):
        march(order_list, group, found[end])
