"""A side's own attacks: who is to attack what, and what its losses tell of the enemy afterwards."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.wir.model import levels
from rasputitsa.wir.model.plot import BOMBARD, unpack
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of, unit_side
from rasputitsa.wir.model.theatre import SOVIET
from rasputitsa.wir.rules.execution import combat

Starts = list[tuple[int, int]]
UNHURT = 0.3
"""Percent of losses below which odds cannot be told from those."""
MOST_FIGHTS = 4


class Fight(NamedTuple):
    """An attack as it is planned."""

    planned: State
    """The position after the orders, the enemy as he is believed to be."""
    target: int
    power: dict[int, float]
    """Combat strength of each attacking group, terrain and weather included."""
    level: int
    """Works of the defenders, as believed."""

    def toll(self, s: State) -> dict[int, float]:
        """The percentage of its strength that each group has lost, of those that have made their attack."""
        then, found = self.planned, {}
        for group in self.power:
            crew = s.crew[group]
            times = max((_times(then, s, unit) for unit in crew), default=0)
            if times and s.hex[group] in (then.hex[group], self.target):
                had = sum(then.strength[u] for u in then.crew[group])
                left = sum(s.strength[u] for u in crew)
                found[group] = 100 * max(0.0, 1 - left / had) / times
        return found

    def odds(self, s: State) -> float:
        """The odds that the losses speak of (7.10); 0 where nobody has fought."""
        toll, rules = self.toll(s), s.rules.losses
        if not toll:
            return 0.0
        power = sum(self.power[g] for g in toll)
        percent = sum(share * self.power[g] for g, share in toll.items()) / power if power else rules.attacker_most
        plain = rules.attacker * (100 + rules.per_entrenchment * self.level) / 100
        return plain / min(rules.attacker_most, max(UNHURT, percent))

    def defence(self, s: State) -> float:
        """The strength of the defenders, works included, that the losses speak of; 0 where nobody has fought."""
        odds = self.odds(s)
        return sum(self.power[g] for g in self.toll(s)) / odds if odds else 0.0


def _times(then: State, now: State, unit: int) -> int:
    """How often a unit of one's own has fought in a week: every fight teaches (8.2)."""
    lessons = now.rules.losses.lessons
    side = unit_side(unit) == SOVIET and levels.faster(now)
    known, times = then.experience[unit], 0
    while times < MOST_FIGHTS and now.experience[unit] not in (known, now.rules.recovery.taught[known]):
        known = lessons[side][known]
        times += 1
    return times


def attackers(s: State, side: int) -> dict[int, tuple[Starts, Starts]]:
    """The enemy hexes that a side's plots lead into, with the groups that come in each of the two rounds, each with the
    hex it comes from."""
    found: dict[int, tuple[Starts, Starts]] = {}
    enemy = s.occ[1 - side]
    for group in s.on_map(groups_of(side, MECHANIZED, INFANTRY)):
        if not s.plot[group]:
            continue
        plot, here = unpack(s.plot[group]), s.hex[group]
        for round_ in (0, 1):
            direction = plot.direction(round_)
            there = s.rules.map.step[here][direction] if direction else here
            if there < 0:
                break
            if enemy >> there & 1:
                if plot.ending_in(round_) != BOMBARD:
                    found.setdefault(there, ([], []))[round_].append((group, here))
                break
            here = there
    return found


def fights(s: State, side: int) -> list[Fight]:
    """The attacks that a side's plots lead to; the enemy as he is believed to be."""
    found = []
    for target, rounds in attackers(s, side).items():
        groups = [group for group, _ in rounds[0] + rounds[1] if s.crew[group]]
        if groups:
            sums = combat.reckon(s, groups, target)
            power = {g: combat.strength(s, g) * f / combat.UNIT for g, f in zip(groups, sums.factors, strict=True)}
            found.append(Fight(s, target, power, sums.level))
    return found
