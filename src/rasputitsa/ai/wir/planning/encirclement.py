"""Pincers: fast groups march behind the enemy by strategic movement, so that the ways home are closed.

The enemy has plotted before they come, and a group that stands in their zones can march no farther: the groups
that follow attack groups that have no way out.
"""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.situation import UNREACHABLE, Situation, homes
from rasputitsa.ai.wir.planning.assault import AttackPolicy
from rasputitsa.hexes.grid import BIT, members
from rasputitsa.wir.model.indices import Group, Hex, HexBits, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import KIND, MECHANIZED, groups_of
from rasputitsa.wir.rules.execution import casualties, retreat
from rasputitsa.wir.rules.movement import movement, strategic_move

SIGHT = 6
"""Enemies this near to own groups may be cut off."""
CUT, DETOUR, LONG = 0.55, 0.25, 8
"""What an enemy that is cut off is worth of its strength, one that has to go far around, and how far is far."""
LEAST = 70.0
"""What a march behind the enemy has to bring."""
FRESH, WORST = 28, 78
"""A group more fatigued than this, or with a unit more fatigued than that after the march, stays with the others."""
UNSUPPLIED = 0.08
"""What it costs of a group's strength to be out of the depots' reach."""
DEEP = 2
"""Hexes beyond the depots' reach that a group dares to go."""
MOST_PASSES = 2
"""Passes over all groups, at most, each of which may improve the march of every group once."""


class Encirclement:
    """Chooses marches that together take the most ways home from the enemy."""

    def __init__(self, s: State, side: Side, situation: Situation, policy: AttackPolicy) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.situation = situation
        self.policy = policy
        self.targets: dict[Hex, float] = {}
        for group in situation.enemies:
            here = s.hex[group]
            if situation.to_own[here] <= SIGHT:
                self.targets[here] = self.targets.get(here, 0.0) + situation.stock[group]
        self.own = s.on_map(groups_of(side))
        self.stands = sum(1 << h for h in self.targets)
        self.homes = homes(s, self.enemy) & ~s.occ[side]
        self.land = s.rules.map.passable & ~s.occ[side]
        deep = situation.supplied_hexes
        for _ in range(DEEP):
            deep |= s.rules.grid.spread(deep)
        self.deep = deep

    def plan(self) -> dict[Group, Hex]:
        """For each group that marches the hex it goes to."""
        options = {g: found for g in self.situation.own if (found := self._options(g))}
        if not options or not self.targets:
            return {}
        base = self._homeward(self._zone({}))
        chosen: dict[Group, Hex] = {}
        value = 0.0
        for _ in range(MOST_PASSES):
            changed = False
            for group in sorted(options, key=lambda g: -self.situation.power[g]):
                best, place = value, chosen.get(group, -1)
                for hex_, _price in options[group]:
                    if hex_ != place and sum(h == hex_ for h in chosen.values()) < 1:
                        trial = self._value({**chosen, group: hex_}, base, options)
                        if trial > best + (LEAST if group not in chosen else 1.0):
                            best, place = trial, hex_
                if place != chosen.get(group, -1):
                    chosen[group], value, changed = place, best, True
            if not changed:
                break
        for group in sorted(chosen):
            without = {g: h for g, h in chosen.items() if g != group}
            left = self._value(without, base, options)
            if left > value - LEAST / 2:
                chosen, value = without, left
        return chosen

    def _options(self, group: Group) -> list[tuple[Hex, float]]:
        """Where a group can march to behind the enemy, and what it costs."""
        s, situation = self.s, self.situation
        here = s.hex[group]
        if KIND[group] != MECHANIZED or not s.group_units[group] or situation.to_enemy[here] > SIGHT or s.plot[group]:
            return []
        if movement.has_acted(s, group):
            return []
        units = s.group_units[group]
        worst = max(s.fatigue[u] for u in units)
        if sum(s.fatigue[u] for u in units) > FRESH * len(units):
            return []
        found = []
        for hex_, march in strategic_move.marches(s, group).items():
            if worst + march.fatigue > WORST or not self.deep >> hex_ & 1:
                continue
            if situation.to_enemy[hex_] <= 2 and situation.to_own[hex_] >= 1:
                price = situation.strain[group] * march.fatigue / 100 * self.policy.wear + self._risk(group, hex_)
                found.append((hex_, price))
        return found

    def _risk(self, group: Group, hex_: Hex) -> float:
        """What the group may lose there before the next week is over."""
        situation = self.situation
        power = situation.power[group]
        odds = 0.8 * situation.threat(hex_, self.enemy) / max(1.0, power + situation.defence(hex_, self.side))
        losses, flight = self.s.rules.losses, self.s.rules.flight
        loss = (casualties.defender_percent(odds, losses) + retreat.chance(odds, flight)) / 100
        return power * (min(1.0, loss) + (0.0 if situation.supplied_hexes >> hex_ & 1 else UNSUPPLIED))

    def _zone(self, chosen: dict[Group, Hex]) -> HexBits:
        """Hexes in this side's zones once the marches are made."""
        held = 0
        for group in self.own:
            held |= BIT[chosen.get(group, self.s.hex[group])]
        return self.s.zoc_around(held)

    def _homeward(self, zone: HexBits) -> dict[Hex, int]:
        """For each hex with enemies the steps from home on a way that avoids zones; UNREACHABLE when there is none.

        An evaluation and no rule: it measures how far around an enemy is driven. Who retreats where (7.7) and what
        depots may enter (5.2) is the rules' to say.
        """
        spread = self.s.rules.grid.spread
        free = self.land & ~zone
        found: dict[Hex, int] = {}
        wave, reached, steps, left = self.homes, self.homes, 0, self.stands
        while wave and left:
            around = spread(wave) | wave
            for hex_ in members(around & left):
                found[hex_] = steps
            left &= ~around
            wave = around & free & ~reached
            reached |= wave
            steps += 1
        for hex_ in members(left):
            found[hex_] = UNREACHABLE
        return found

    def _value(
        self, chosen: dict[Group, Hex], base: dict[Hex, int], options: dict[Group, list[tuple[Hex, float]]]
    ) -> float:
        """What some marches together are worth."""
        after = self._homeward(self._zone(chosen))
        value = 0.0
        for hex_, stock in self.targets.items():
            if after[hex_] >= UNREACHABLE and base[hex_] < UNREACHABLE:
                value += CUT * stock
            elif base[hex_] < UNREACHABLE:
                value += DETOUR * stock * min(1.0, max(0, after[hex_] - base[hex_]) / LONG)
        return value - sum(dict(options[g])[h] for g, h in chosen.items())
