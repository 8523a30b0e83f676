"""Next week's attacks: groups that do not fight now march up to an enemy whom they will then outweigh together."""

from __future__ import annotations

from rasputitsa.ai.wir.planning.assault import Assault, Attack
from rasputitsa.ai.wir.planning.line import Line, Post
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND, MECHANIZED
from rasputitsa.wir.rules.movement import fatigue, strategic_move
from rasputitsa.wir.rules.movement.strategic_move import March

FARTHEST = 5
"""Enemies farther away than this are left for later."""
MOST = 8
"""Groups that gather for one attack."""
TARGET_REACH = 4
"""Steps from the nearest own group within which an enemy may be chosen as a target for next week."""
DELAY_DISCOUNT = 0.65
"""Share of its value that an attack a week away keeps: the enemy may leave, or be reinforced."""
LEAST_ODDS = 1.5
STAYING = March(0, (), False)
"""No march at all."""
EXPOSURE_WEIGHT = 0.7
"""Weight of what a group stands to lose in its new place before the attack."""


class Assembly:
    """Chooses the enemies to be attacked next week, and the groups that march up to them."""

    def __init__(self, assault: Assault, line: Line, taken: dict[Hex, int], free: list[Group]) -> None:
        self.assault = assault
        self.line = line
        self.s: State = assault.s
        self.situation = assault.situation
        self.policy = assault.policy
        self.taken = dict(taken)
        self.posts: dict[Group, Post] = {}
        self.marches = {group: self._reach(group) for group in free if self._fit(group)}
        for group in free:
            here = self.s.hex[group]
            self.taken[here] = self.taken.get(here, 0) + 1

    def _fit(self, group: Group) -> bool:
        s = self.s
        if not s.group_units[group] or fatigue.worn_out(s, group) or self.assault.barred >> group & 1:
            return False
        return self.assault.tiredness(group) <= self.policy.tired and self.situation.to_enemy[s.hex[group]] <= FARTHEST

    def _reach(self, group: Group) -> dict[Hex, March]:
        """Hexes where a group could be after this week, and the way there."""
        return {self.s.hex[group]: STAYING, **strategic_move.marches(self.s, group)}

    def plan(self) -> dict[Group, Post]:
        """Places adjacent to the enemies chosen."""
        done = {a.target for a in self.assault.attacks}
        targets = [
            h for h in members(self.situation.enemy_combat)
            if self.situation.to_own[h] <= TARGET_REACH and h not in done
        ]  # fmt: skip
        best: dict[Hex, tuple[float, Attack, dict[Group, Hex]] | None] = {}
        while True:
            for target in targets:
                if target not in best:
                    best[target] = self._best(target)
            live = [(found[0], target) for target, found in best.items() if found is not None]
            if not live:
                return self.posts
            _, target = max(live, key=lambda pair: (pair[0], -pair[1]))
            found = best.pop(target)
            targets.remove(target)
            assert found is not None
            used = found[2]
            for group, hex_ in used.items():
                self._place(group, hex_, target, found[0])
            for other, plan in list(best.items()):
                if plan is not None and (used.keys() & plan[2].keys() or set(used.values()) & set(plan[2].values())):
                    del best[other]

    def _place(self, group: Group, hex_: Hex, target: Hex, value: float) -> None:
        here = self.s.hex[group]
        self.taken[here] -= 1
        self.taken[hex_] = self.taken.get(hex_, 0) + 1
        del self.marches[group]
        self.posts[group] = Post(hex_, value, 0.0)

    def _best(self, target: Hex) -> tuple[float, Attack, dict[Group, Hex]] | None:
        """The attack on a hex that the free groups could make next week, each from a hex in its reach."""
        s, assault = self.s, self.assault
        around = s.rules.map.reach[target] & ~s.occ[assault.enemy] & self.situation.supplied_hexes
        if not around:
            return None
        multiple = assault.multiple(target)
        room = {h: s.rules.limits.stack - self.taken.get(h, 0) for h in members(around)}
        offers = []
        for group, reach in self.marches.items():
            here = s.hex[group]
            for hex_ in members(around):
                march = reach.get(hex_)
                if march is None or (march.way and room[hex_] <= 0):
                    continue
                power = self.situation.power[group] * assault.factor(group, hex_, target, multiple)
                price = self._price(group, march, hex_)
                offers.append((power - price, group, hex_, price, here))
        offers.sort(reverse=True)
        chosen: dict[Group, Hex] = {}
        price = 0.0
        found: tuple[float, Attack, dict[Group, Hex]] | None = None
        for _, group, hex_, cost, here in offers:
            if group in chosen or (hex_ != here and room[hex_] <= 0):
                continue
            chosen[group] = hex_
            room[hex_] -= hex_ != here
            price += cost
            attack = assault.weigh(target, list(chosen.items()), 0)
            value = attack.value * DELAY_DISCOUNT - price
            if attack.odds >= LEAST_ODDS and (found is None or value > found[0] + 0.5):
                found = (value, attack, dict(chosen))
            if len(chosen) >= MOST:
                break
        if found is None or found[0] < self.policy.least or not any(s.hex[g] != h for g, h in found[2].items()):
            return None
        return found

    def _price(self, group: Group, march: March, hex_: Hex) -> float:
        """What it costs to march there: fatigue, entrenchments left behind, a hole in the line, and the danger."""
        if not march.way:
            return 0.0
        s, here = self.s, self.s.hex[group]
        power = self.situation.power[group]
        price = self.situation.strain[group] * march.fatigue / 100 * self.policy.wear
        price += 0.06 * power * s.entrench[group] + 0.05 * s.artillery[group]
        if self.taken.get(here, 0) == 1 and self.situation.to_enemy[here] <= 2:
            price += self.policy.hole * 0.5
        if KIND[group] != MECHANIZED:
            price += 0.5 * len(march.way)
        held = power + self.situation.defence(hex_, self.assault.side)
        return (
            price + EXPOSURE_WEIGHT * self.line.peril(held, 0, Post(hex_, 0.0, self.line.threat(hex_))) * power / held
        )
