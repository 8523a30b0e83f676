"""Where groups can march by strategic movement, how long they take, and the orders for it."""

from __future__ import annotations

from collections.abc import Sequence

from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.movement import strategic_move


def ways(s: State, group: Group) -> dict[Hex, tuple[Hex, ...]]:
    """Each hex a group can march to this week, its own first, with the hexes of the way that tires it least (6.2)."""
    found: dict[Hex, tuple[Hex, ...]] = {s.hex[group]: ()}
    for hex_, march in strategic_move.marches(s, group).items():
        found[hex_] = march.way
    return found


def weeks(s: State, kind: int, steps: int) -> float:
    """Weeks that a kind of group marches over some hexes if the weather stays; UNREACHABLE if it cannot march."""
    pace = strategic_move.pace(s, kind)
    return steps / pace if pace else UNREACHABLE


def march(order_list: OrderList, group: Group, way: Sequence[Hex]) -> None:
    """Order a group, which is being given orders, along a way, as far as it gets."""
    for direction in strategic_move.directions_of(order_list.s, group, way):
        if not order_list.give("step", direction):
            return
