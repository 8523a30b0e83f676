"""Weaker ways to play War in Russia, for those who are still learning it."""

from __future__ import annotations

from collections.abc import Callable

from rasputitsa.ai.wir.planning.line import LinePolicy
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.players.planner import PlannerPlayer
from rasputitsa.core.actions import Action
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.plot import BOMBARD, unpack
from rasputitsa.wir.model.state import State

LEFT_OUT = ("bomb", "ground", "replace", "artillery")
CAREFUL = 35.0
"""How much an attack must promise."""


class EasyPlanner(PlannerPlayer):
    """Attacks only where it is safe and without second thoughts, gathers nobody for next week, closes no pockets on
    purpose, leaves supply to the staff, fills no units up, neither adds nor fires artillery, and leaves air groups on
    the ground."""

    def supply(self, s: State, side: Side, points: int) -> list[Action]:
        del points
        order_list = OrderList(s)
        order_list.give("auto_supply")
        return order_list.actions

    def move(self, s: State, side: Side, going: Callable[[], bool]) -> list[Action]:
        movement_planner = MovementPlanner(s, side, self.rng, going)
        usual = movement_planner.policy
        movement_planner.policy = usual._replace(
            least=max(CAREFUL, 2 * usual.least),
            tired=usual.tired - 20,
            pull=usual.pull * 0.2,
            prize=usual.prize * 0.4,
            gather=False,
        )
        movement_planner.line_policy = LinePolicy(push=0)
        movement_planner.simulations = 0
        orders = movement_planner.plan()
        return [order for order in orders if order.verb not in LEFT_OUT and not _shells(order)]


def _shells(order: Action) -> bool:
    """Whether an order is to bombard without an assault."""
    return order.verb == "plot" and unpack(order.args[0]).ending == BOMBARD
