"""Supply: where the depots go, so that the front is supplied and rested, and which hex becomes rail."""

from __future__ import annotations

from typing import cast

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    COMBAT_BITS,
    DEPOT,
    KIND,
    MECHANIZED,
    SUPPLY_POOL,
    groups_of,
)
from rasputitsa.wir.model.theatre import SOVIET
from rasputitsa.wir.rules.execution.combat import UNIT
from rasputitsa.wir.rules.supply import depots, supply
from rasputitsa.wir.rules.supply.supply import Depot

FRONT = 4
"""Groups this near to the enemy are the front."""
REAR_WEIGHT = 0.45
"""Weight of supplying a group farther from the enemy than ``FRONT``; one at the front has 1."""
LESSON_WEIGHT = 20.0
"""Weight of supplying a group that the goal of a lesson wants in supply; others at the front have 1."""
IN_SUPPLY = 12.0
"""What bringing a group into supply is worth, in points of combat strength."""
AIR_IN_SUPPLY = 12.0
"""The same for an air group."""
LEAST_FATIGUE = 3
"""Fatigue, in points, from which a depot counts as relieving a unit; less is not worth one."""
SCARCITY, PLENTY = 2.0, 250
"""Combat strength that a supply point has to give back when there are none left, and how many are enough."""
AHEAD = 3
"""Rail is laid with an eye on where the front will be this many hexes on."""
SERVED = (0.9, 0.73, 0.65, 0.58, 0.52)
"""What supply over this many penalty hexes is worth, as far as depots go: the more of them, the less fatigue they take
off. The last one stands for more."""
BEYOND = (0.3, 0.24, 0.18, 0.12, 0.07, 0.03)
"""The same for hexes that depots come to only when rail is laid on: one penalty hex too many, two and so on."""


class Supplier:
    """Plans the supply phase of a side."""

    def __init__(self, s: State, side: Side, situation: Situation, points: int = 0) -> None:
        """``points``: the supply points there should be."""
        self.order_list = OrderList(s)
        self.order_list.s.pools[side][SUPPLY_POOL] = points
        self.side = side
        self.situation = situation
        self.hungry = self._hungry()

    def plan(self) -> list[Action]:
        """All orders of the phase."""
        order_list = self.order_list
        rail = self._rail_target()
        while order_list.kind == "depot":
            frame = cast("Depot", order_list.s.stack[-1])
            if rail >= 0 and order_list.s.rail_order[self.side] == OFF and self._mark(frame, rail):
                continue
            self._send(cast("Depot", order_list.s.stack[-1]))
        return order_list.actions

    # ------------------------------------------------------------------ relief

    def _hungry(self) -> dict[Group, float]:
        """For each group what its place at the front makes its supply worth."""
        s, side = self.order_list.s, self.side
        asked = lesson.to_supply(s, side)
        found: dict[Group, float] = {}
        for group in groups_of(side):
            if s.hex[group] == OFF or KIND[group] == DEPOT:
                continue
            near = self.situation.to_enemy[s.hex[group]]
            found[group] = 1.0 if near <= FRONT else REAR_WEIGHT
            if asked >> group & 1:
                found[group] = LESSON_WEIGHT
        return found

    def _worth(self, s: State) -> dict[Hex, tuple[float, float, float]]:
        """For each hex what a depot there is worth: for bringing into supply, the combat strength that all rest would
        give back, and the supply points this takes."""
        found: dict[Hex, tuple[float, float, float]] = {}
        for group, weight in self.hungry.items():
            here = s.hex[group]
            if here == OFF:
                continue
            bit = 1 << group
            combat = COMBAT_BITS[self.side] & bit
            reach = 0.0 if s.supplied & bit else (IN_SUPPLY * self._reserve(group) if combat else AIR_IN_SUPPLY)
            tired = cost = 0.0
            if combat and not s.relieved & bit:
                for unit in s.group_units[group]:
                    if s.fatigue[unit] >= LEAST_FATIGUE:
                        tired += s.strength[unit] * s.experience[unit] * min(80, s.fatigue[unit]) / UNIT
                        cost += s.rules.types[s.utype[unit]].supply
            if not reach and not tired:
                continue
            for hex_ in s.rules.supply_area_list[here]:
                a, b, c = found.get(hex_, (0.0, 0.0, 0.0))
                found[hex_] = (a + reach * weight, b + tired * weight, c + cost)
        return found

    def _reserve(self, group: Group) -> float:
        """A group that is on the move needs supply; one that is entrenched can wait."""
        return (1.5 if KIND[group] == MECHANIZED else 1.0) * (0.5 if self.order_list.s.entrench[group] >= 2 else 1.0)

    def _send(self, frame: Depot) -> None:
        """Send a depot where it helps most, with an eye on the supply points there are."""
        s, order_list = self.order_list.s, self.order_list
        land, stops = depots.ground(s, self.side), depots.stops(s, self.side)
        worth = self._worth(s)
        pool = s.pools[self.side][SUPPLY_POOL]
        price = SCARCITY * max(0.0, 1 - pool / PLENTY)
        best, target = 0.0, -1
        for extra, wave in enumerate(depots.waves(s, frame.here, frame.penalty, land)):
            percent = depots.relief_percent(s, self.side, frame.penalty + extra) / 100
            for hex_ in members(wave):
                if hex_ in worth and (stops >> hex_ & 1 or hex_ == frame.here):
                    reached, tired, cost = worth[hex_]
                    rest = tired * percent * (min(1.0, pool / cost) if cost else 0.0) - price * min(cost, pool)
                    if reached + rest > best:
                        best, target = reached + rest, hex_
        if target < 0:
            order_list.give("skip")
        elif target == frame.here or order_list.give("depot", target):
            order_list.give("supply")
        else:
            order_list.give("skip")

    # ------------------------------------------------------------------ rail

    def _mark(self, frame: Depot, rail: Hex) -> bool:
        """Mark a hex for rail with this depot if it gets there."""
        order_list = self.order_list
        if frame.here != rail and not order_list.give("depot", rail):
            return False
        if order_list.give("rail"):
            return True
        order_list.give("abort")
        return False

    def _rail_target(self) -> Hex:
        """The hex in which rail brings the front nearest to its depots, all groups taken together."""
        s, side = self.order_list.s, self.side
        land = depots.ground(s, side)
        start = sum({1 << s.rules.depot_hex[d] for d in groups_of(side, DEPOT) if depots.usable(s, d)})
        line = s.rules.grid.flood(s.rules.grid.spread(start) & land.line, land.line) | start
        sites = s.rules.grid.spread(line) & land.penalty
        legal = [h for h in members(sites & depots.stops(s, side)) if supply.why_not_rail(s, side, h) is None]
        demand = self._demand()
        now = self._served(demand, self._waves(line, land))
        best, target = 0.0, -1
        for hex_ in legal:
            bit = 1 << hex_
            reached = line | bit
            reached |= s.rules.grid.flood(s.rules.grid.spread(bit) & land.line, land.line)
            value = self._served(demand, self._waves(reached, land)) - now
            if value > best + 1e-6:
                best, target = value, hex_
        return target

    def _demand(self) -> list[tuple[HexBits, float]]:
        """The hexes in which a depot supplies each group at the front, and what its supply is worth."""
        s, situation = self.order_list.s, self.situation
        near = [g for g in situation.own if situation.to_enemy[s.hex[g]] <= 6]
        pull = sum(situation.pull[s.hex[g]] for g in near) / len(near) if near else 1.0
        found = []
        for group in near:
            here = s.hex[group]
            weight = (situation.power[group] + 40) * (1.6 if KIND[group] == MECHANIZED else 1.0)
            weight *= max(0.4, min(2.0, situation.pull[here] / max(1.0, pull)))
            if lesson.to_supply(s, self.side) >> group & 1:
                weight *= LESSON_WEIGHT
            found.append((s.rules.supply_area[here], weight))
            found.append((s.rules.supply_area[self._ahead(here)], weight))
        return found

    def _ahead(self, here: Hex) -> Hex:
        """Where a group of the front will be in some weeks: up the way that the enemy's cities draw it."""
        s = self.order_list.s
        if self.side == SOVIET and s.year == 1941:
            return here
        for _ in range(AHEAD):
            here = max((here, *s.rules.map.reach_list[here]), key=lambda h: (self.situation.pull[h], -h))
        return here

    def _waves(self, line: HexBits, land: depots.Ground) -> list[HexBits]:
        """Hexes that depots on a line reach at 0, 1, 2 .. penalty hexes, and those that they would if they went on."""
        s = self.order_list.s
        return depots.waves_from(s, line, s.rules.relief.most_penalty + len(BEYOND), land)

    def _served(self, demand: list[tuple[HexBits, float]], waves: list[HexBits]) -> float:
        """How well the front is supplied."""
        worth = [SERVED[min(n, len(SERVED) - 1)] for n in range(len(waves) - len(BEYOND))] + [*BEYOND]
        total = 0.0
        for near, weight in demand:
            for share, wave in zip(worth, waves, strict=True):
                if wave & near:
                    total += weight * share
                    break
        return total
