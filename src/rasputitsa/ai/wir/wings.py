"""Air groups: strikes for the attacks on the ground, and moves to keep up with the front or out of danger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.wir.assault import Assault, Attack
from rasputitsa.ai.wir.marches import ways
from rasputitsa.ai.wir.picture import Picture
from rasputitsa.ai.wir.script import Script
from rasputitsa.hexes.grid import members
from rasputitsa.wir import airplot, march
from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import AIR, groups_of
from rasputitsa.wir.theatre import AXIS

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

CLOSE, BEST, DISTANT = 2, 3, 5
"""Steps from the enemy: nearer than the first is dangerous, the second is where fields should be."""
FEW = 12
"""Groups with fewer aircraft stay at home."""


class Wings:
    """Plans the air groups of a side."""

    def __init__(self, script: Script, side: int, picture: Picture, assault: Assault) -> None:
        self.script = script
        self.side = side
        self.picture = picture
        self.assault = assault
        self.strikes: dict[int, int] = {}

    @property
    def s(self) -> State:
        """The position after the orders so far."""
        return self.script.s

    def support(self) -> None:
        """Choose targets: the attacks that gain most by it."""
        s = self.s
        effect = s.rules.raids.weather[s.weather] / (1.0 if self.side == AXIS else s.rules.raids.soviet_bombers)
        if effect < 0.4:
            return
        for group in s.on_map(groups_of(self.side, AIR)):
            if not airplot.may_strike(s, group) or s.aircraft[group] < FEW:
                continue
            reach = airplot.ground_targets(s, group)
            best, choice = 1.0, None
            for attack in self.assault.attacks:
                if not reach >> attack.target & 1 or not attack.defence:
                    continue
                gain = self._gain(attack, s.aircraft[group] * effect)
                if s.rules.grid.distance(s.hex[group], attack.target) > 2:
                    gain *= 0.8
                if gain > best:
                    best, choice = gain, attack
            if choice is not None:
                self.strikes[group] = choice.target
                air = self.assault.air
                air[choice.target] = air.get(choice.target, 0.0) + s.aircraft[group] * effect

    def _gain(self, attack: Attack, points: float) -> float:
        """What a strike adds to the value of an attack."""
        starts = []
        for group, plot in attack.plots.items():
            here = self.s.hex[group]
            if attack.segment == 1 and plot.first:
                here = self.s.rules.map.step[here][plot.first]
            starts.append((group, here))
        now = self.assault.weigh(attack.target, starts, attack.segment).value
        air = self.assault.air
        before = air.get(attack.target, 0.0)
        air[attack.target] = before + points
        then = self.assault.weigh(attack.target, starts, attack.segment).value
        air[attack.target] = before
        return then - now - 0.01 * points

    def fly(self) -> None:
        """Give the orders: strikes, and moves for the rest."""
        for group in self.s.on_map(groups_of(self.side, AIR)):
            if group in self.strikes:
                if self.script.orders(group):
                    self.script.give("ground", self.strikes[group])
                continue
            self._move(group)
        self.script.put_down()

    def _move(self, group: int) -> None:
        s, near = self.s, self.picture.to_enemy
        here = s.hex[group]
        if here == OFF or s.halted >> group & 1 or (CLOSE < near[here] <= DISTANT):
            return
        if near[here] <= CLOSE and self._guarded(here):
            return
        rail = march.rail_targets(s, group) if march.rail_moves_left(s, self.side) else 0
        fit = [h for h in members(rail) if CLOSE < near[h] <= DISTANT]
        if fit and (near[here] <= CLOSE or near[here] > DISTANT + 1):
            field = min(
                fit, key=lambda h: (abs(near[h] - BEST - 1), -self.picture.pull[h], s.rules.grid.distance(here, h))
            )
            if self.script.orders(group) and self.script.give("railmove", field):
                return
        found = ways(s, group)
        end = min(found, key=lambda h: (abs(near[h] - BEST - 1), len(found[h])))
        if end != here and abs(near[end] - BEST - 1) < abs(near[here] - BEST - 1) and self.script.orders(group):
            for direction in found[end]:
                if not self.script.give("step", direction):
                    break

    def _guarded(self, here: int) -> bool:
        """Whether the ground groups around make the field safe."""
        held = self.picture.defence(here, self.side)
        return held > 0.5 * self.picture.threat(here, 1 - self.side)
