"""Artillery: guns for groups that stay, and bombardments of the enemies adjacent to them."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.plot import BOMBARD, Plot
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import ART_POOL
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.execution import casualties, combat
from rasputitsa.wir.rules.movement import movement

NEAR = 2
"""Guns go to groups this near to the enemy."""
SCARCITY = 0.5
"""Strength that a gun point must destroy while the pool is empty; nothing while it is full."""
LEAST = 4.0
"""The least strength that a bombardment must destroy."""
DUG = 0.03
"""What a level of entrenchment that a group might dig instead is worth, in parts of its strength (6.8)."""


class ArtilleryPlanner:
    """Gives the artillery of a side its orders, once all others have theirs."""

    def __init__(self, order_list: OrderList, side: Side, situation: Situation) -> None:
        self.order_list = order_list
        self.side = side
        self.situation = situation

    @property
    def s(self) -> State:
        """The position after the orders so far."""
        return self.order_list.s

    def plan(self) -> None:
        """Bombard where it pays; other groups that stay add guns, most before fortresses and lines to be broken."""
        for group in self._idle():
            number = self._bombardment(group)
            if number and self.order_list.orders(group):
                self.order_list.give("plot", number)
        s = self.s
        offers = sorted(((self._need(g), g) for g in self._idle() if self._may_add(g)), reverse=True)
        for _, group in offers:
            if s.pools[self.side][ART_POOL] < s.rules.guns.step:
                break
            if self.order_list.orders(group):
                self.order_list.give("artillery")
        self.order_list.put_down()

    def _idle(self) -> list[Group]:
        """Groups near the enemy without orders."""
        s, near = self.s, self.situation.to_enemy
        return [
            g for g in self.situation.own
            if s.hex[g] != OFF and s.group_units[g] and not s.plot[g]
            and not movement.has_acted(s, g) and near[s.hex[g]] <= NEAR
        ]  # fmt: skip

    def _may_add(self, group: Group) -> bool:
        return not reinforce.why_no_guns(self.s, group)

    def _need(self, group: Group) -> float:
        s = self.s
        value = s.entrench[group] * 0.2 - s.artillery[group] / 200 - self.situation.to_enemy[s.hex[group]]
        return value + self.situation.threat(s.hex[group], 1 - self.side) / 400

    def _bombardment(self, group: Group) -> int:
        """The plot that destroys most, if it is worth the shells and the digging; 0 for none (7.5)."""
        s, guns = self.s, self.s.rules.guns
        points = s.artillery[group]
        if not points:
            return 0
        share = min(1.0, casualties.blast_effect(s, combat.shells(s, points)) / 100)
        around = s.rules.map.step[s.hex[group]]
        found = [(self.situation.exposed(around[d]) * share, d) for d in range(1, 7) if around[d] >= 0]
        best, direction = max(found)
        price = SCARCITY * (1 - s.pools[self.side][ART_POOL] / s.rules.limits.pools[ART_POOL])
        digging = DUG * self.situation.power[group] if s.entrench[group] < s.rules.entrenchment.most else 0.0
        if best < LEAST or best < points * guns.consumed / 100 * price + digging:
            return 0
        return Plot(direction, 0, BOMBARD).number
