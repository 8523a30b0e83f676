"""Supply: where the depots go, so that the front is fed and rested, and which hex becomes rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rasputitsa.ai.wir.picture import FAR, Picture
from rasputitsa.ai.wir.script import Script
from rasputitsa.core.actions import Action
from rasputitsa.hexes.grid import members
from rasputitsa.wir import depots, supply
from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import COMBAT_BITS, DEPOT, KIND, MECHANIZED, RAIN, groups_of
from rasputitsa.wir.theatre import AXIS

if TYPE_CHECKING:
    from rasputitsa.wir.state import State
    from rasputitsa.wir.supply import Depot

FRONT = 4
"""Groups this near to the enemy are the front."""
IN_SUPPLY = 30.0
"""What bringing a group into supply is worth, in points of fatigue of a unit."""
AIR_IN_SUPPLY = 60.0


class Supplier:
    """Plans the supply phase of a side."""

    def __init__(self, s: State, side: int, picture: Picture) -> None:
        self.script = Script(s)
        self.side = side
        self.picture = picture
        self.hungry = self._hungry()

    def plan(self) -> list[Action]:
        """All orders of the phase."""
        script = self.script
        rail = self._rail_target()
        while script.kind == "depot":
            frame = cast("Depot", script.s.stack[-1])
            if rail >= 0 and script.s.rail_order[self.side] == OFF and self._mark(frame, rail):
                continue
            self._send(cast("Depot", script.s.stack[-1]))
        return script.actions

    # ------------------------------------------------------------------ relief

    def _hungry(self) -> dict[int, float]:
        """For each group what its place at the front makes its supply worth."""
        s, side = self.script.s, self.side
        found: dict[int, float] = {}
        for group in groups_of(side):
            if s.hex[group] == OFF or KIND[group] == DEPOT:
                continue
            near = self.picture.to_enemy[s.hex[group]]
            place = 1.0 if near <= FRONT else 0.45
            found[group] = place * (1.5 if KIND[group] == MECHANIZED else 1.0)
        return found

    def _worth(self, s: State) -> dict[int, tuple[float, float]]:
        """For each hex what a depot there is worth: for bringing into supply, and for each percent of relief."""
        found: dict[int, tuple[float, float]] = {}
        for group, weight in self.hungry.items():
            here = s.hex[group]
            if here == OFF:
                continue
            bit = 1 << group
            combat = COMBAT_BITS[self.side] & bit
            reach = 0.0 if s.supplied & bit else (IN_SUPPLY * (1 + len(s.crew[group]) / 3) if combat else AIR_IN_SUPPLY)
            tired = 0.0
            if combat and not s.relieved & bit:
                tired = sum(min(80, s.fatigue[u]) for u in s.crew[group])
            if not reach and not tired:
                continue
            for hex_ in s.rules.map.near_list[here]:
                a, b = found.get(hex_, (0.0, 0.0))
                found[hex_] = (a + reach * weight, b + tired * weight)
        return found

    def _send(self, frame: Depot) -> None:
        """Send a depot where it helps most."""
        s, script = self.script.s, self.script
        land = depots.ground(s, self.side)
        worth = self._worth(s)
        best, target = 0.0, -1
        for extra, wave in enumerate(depots.waves(s, frame.here, frame.penalty, land)):
            percent = depots.relief_percent(s, self.side, frame.penalty + extra) / 100
            for hex_ in members(wave):
                if hex_ in worth:
                    reached, tired = worth[hex_]
                    value = reached + tired * percent
                    if value > best:
                        best, target = value, hex_
        if target < 0:
            script.give("skip")
        elif target == frame.here or script.give("depot", target):
            script.give("supply")
        else:
            script.give("skip")

    # ------------------------------------------------------------------ rail

    def _mark(self, frame: Depot, rail: int) -> bool:
        """Mark a hex for rail with this depot if it gets there."""
        script = self.script
        if frame.here != rail and not script.give("depot", rail):
            return False
        if script.give("rail"):
            return True
        script.give("abort")
        return False

    def _rail_target(self) -> int:
        """The hex in which rail shortens the way to the front most: on the way that depots take to the most."""
        s, side = self.script.s, self.side
        if s.weather == RAIN and s.rules.month(s.turn) in ("1941-10", "1941-04"):
            pass  # it may not rain next week
        land = depots.ground(s, side)
        start = 0
        for depot in groups_of(side, DEPOT):
            if depots.usable(s, depot):
                start |= 1 << s.rules.depot_hex[depot]
        line = s.rules.grid.flood(s.rules.grid.spread(start) & land.line, land.line) | start
        cost, came = self._penalties(line, land)
        votes: dict[int, float] = {}
        for group in self.picture.own:
            here = s.hex[group]
            if self.picture.to_enemy[here] > 6:
                continue
            reach = [h for h in s.rules.map.near_list[here] if cost[h] < FAR]
            if not reach:
                continue
            end = min(reach, key=lambda h: (cost[h], self.picture.to_enemy[h]))
            if not cost[end]:
                continue
            weight = self.picture.power[group] * (2.0 if KIND[group] == MECHANIZED else 1.0)
            weight += self.picture.pull[here] * (1.0 if side == AXIS else 0.3)
            for hex_ in self._first_steps(end, cost, came):
                votes[hex_] = votes.get(hex_, 0.0) + weight
        legal = [h for h in votes if supply.why_not_rail(s, side, h) is None]
        return max(legal, key=lambda h: (votes[h], -h), default=-1)

    def _first_steps(self, end: int, cost: list[int], came: dict[int, int]) -> list[int]:
        """The hexes of a way that are no line yet and next to the line."""
        place, found = end, -1
        while place in came:
            if cost[place] == 1 and cost[came[place]] == 0:
                found = place
            place = came[place]
        return [found] if found >= 0 else []

    def _penalties(self, line: int, land: depots.Ground) -> tuple[list[int], dict[int, int]]:
        """For each hex the penalty hexes on the best way from the line, and the hex before it on that way."""
        s = self.script.s
        board = s.rules.map
        cost = [FAR] * s.rules.grid.size
        came: dict[int, int] = {}
        wave = members(line)
        for hex_ in wave:
            cost[hex_] = 0
        penalty = 0
        while wave:
            coming: list[int] = []
            index = 0
            while index < len(wave):
                here = wave[index]
                index += 1
                for there in board.reach_list[here]:
                    if cost[there] < FAR:
                        continue
                    if land.line >> there & 1:
                        cost[there] = penalty
                        came[there] = here
                        wave.append(there)
                    elif land.penalty >> there & 1:
                        coming.append(there)
                        if there not in came:
                            came[there] = here
            penalty += 1
            wave = []
            for there in coming:
                if cost[there] == FAR:
                    cost[there] = penalty
                    wave.append(there)
        return cost, came
