"""What mechanized groups do with open ground: follow up a success, cut off a retreat, ride for a city."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasputitsa.ai.wir.assault import Assault, Attack
from rasputitsa.hexes.grid import members
from rasputitsa.wir import fatigue
from rasputitsa.wir.plot import ADVANCE, Plot
from rasputitsa.wir.tables import COMBAT_BITS, KIND, MECHANIZED, RAIN

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SURE = 0.6
"""A success this likely is followed up."""
LONE = 0.8
"""Weight of the danger in which a group puts itself."""


class Raids:
    """Adds second steps and marches into empty hexes to planned attacks."""

    def __init__(self, assault: Assault) -> None:
        self.assault = assault
        self.s: State = assault.s
        self.side = assault.side
        self.picture = assault.picture
        self.mood = assault.mood

    def plan(self) -> None:
        """Second steps for attackers that are likely to break through, then free groups."""
        for attack in self.assault.attacks:
            if attack.segment == 0 and attack.clear >= SURE and self.s.weather != RAIN:
                self._follow_up(attack)
        self._rides()

    # ------------------------------------------------------------------ follow-up

    def _follow_up(self, attack: Attack) -> None:
        """The second step of mechanized attackers, from the hex they have taken."""
        room = 2
        for group in sorted(attack.groups, key=lambda g: -self.picture.power[g]):
            plot = self.assault.plots[group]
            if KIND[group] != MECHANIZED or plot.ending != ADVANCE or plot.second or not room:
                continue
            room -= 1
            if self.assault.tiredness(group) > self.mood.tired - 8:
                continue
            best, way = 2.0, 0
            for direction in range(1, 7):
                there = self.s.rules.map.step[attack.target][direction]
                if there < 0 or not self.s.rules.map.passable >> there & 1:
                    continue
                value = attack.clear * self._second(group, attack, there)
                if value > best:
                    best, way = value, direction
            if way:
                self.assault.plots[group] = Plot(plot.first, way, ADVANCE)

    def _second(self, group: int, attack: Attack, there: int) -> float:
        s = self.s
        if s.occ[1 - self.side] >> there & 1:
            return self.assault.weigh(there, [(group, attack.target)], 1).value * 0.7 - 4
        if fatigue.rough(s, there) or there == s.hex[group] or s.full[self.side] >> there & 1:
            return 0.0
        return self.into(group, attack.target, there) - 5

    def into(self, group: int, here: int, there: int) -> float:
        """What it brings to stand in an empty hex."""
        s, picture = self.s, self.picture
        value = (picture.pull[there] - picture.pull[here]) * self.mood.pull
        if picture.wanted >> there & 1:
            value += picture.worth.get(there, 0.0) * self.mood.prize
        value += self._cut(there)
        threat = 0.6 * picture.threat(there, 1 - self.side)
        power = picture.power[group] * 0.85
        beside = picture.defence(there, self.side)
        odds = threat / max(1.0, power + beside)
        if odds > 1:
            value -= LONE * power * min(1.0, 0.25 * (odds - 1)) * (1.8 if picture.to_own[there] > 1 else 1.0)
        if not picture.fed >> there & 1:
            value -= 10.0
        friends = [
            g for h in s.rules.map.near_list[there] for g in s.at.get(h, ()) if g in picture.power and g != group
        ]
        if not any(COMBAT_BITS[self.side] >> g & 1 for g in friends):
            value -= 15.0
        return value

    def _cut(self, there: int) -> float:
        """Retreats this takes from the defenders of hexes under attack."""
        zone = self.s.rules.map.reach[there] | 1 << there
        value = 0.0
        for attack in self.assault.attacks:
            if not attack.clear:
                continue
            out = self.assault.ways_out(attack.target)
            if out and out & zone:
                left = out & ~zone
                share = 1.0 if not left else 0.35 * (out & zone).bit_count() / out.bit_count()
                value += attack.clear * attack.defence * (self.mood.trap - self.mood.rout) * share
        return value

    # ------------------------------------------------------------------ rides

    def _rides(self) -> None:
        """Free groups next to the enemy take empty hexes that are worth it."""
        free = [g for g in self.assault.able if g not in self.assault.plots]
        offers = []
        for group in free:
            here = self.s.hex[group]
            near = self.picture.to_enemy[here]
            if near > 2 or (near > 1 and KIND[group] != MECHANIZED):
                continue
            keep = self._keep(group)
            for value, plot, end in self._paths(group, here):
                if value - keep > 5.0:
                    offers.append((value - keep, group, plot, end))
        for _, group, plot, end in sorted(offers, key=lambda o: (-o[0], o[1])):
            if group in self.assault.plots:
                continue
            if self.assault.coming.get(end, 0) + len(self.s.at.get(end, ())) >= 2:
                continue
            if self._paths_value(group, plot, end) - self._keep(group) <= 5.0:
                continue
            self.assault.plots[group] = plot
            self.assault.coming[end] = self.assault.coming.get(end, 0) + 1

    def _paths_value(self, group: int, plot: Plot, end: int) -> float:
        return self.into(group, self.s.hex[group], end) - self._wear(group, plot)

    def _wear(self, group: int, plot: Plot) -> float:
        steps = 2 if plot.second else 1
        points = 5 if KIND[group] == MECHANIZED else 10
        factor = fatigue.weather_factor(self.s, self.side)
        return self.picture.strain[group] * steps * points * factor / 100 * self.mood.wear

    def _keep(self, group: int) -> float:
        """What the group is worth where it stands: works, and the hole it would leave."""
        s, here = self.s, self.s.hex[group]
        value = 0.06 * self.picture.power[group] * s.entrench[group] + 0.1 * s.artillery[group]
        mates = [g for g in s.at[here] if g != group and g in self.picture.power]
        if not mates:
            value += self.mood.hole if self.picture.to_enemy[here] <= 2 else 4.0
            if self.picture.kept >> here & 1:
                value += 0.4 * self.picture.worth[here]
        return value

    def _paths(self, group: int, here: int) -> list[tuple[float, Plot, int]]:
        s, board = self.s, self.s.rules.map
        closed = s.occ[1 - self.side] | s.full[self.side]
        found = []
        for first in range(1, 7):
            one = board.step[here][first]
            if one < 0 or not board.passable >> one & 1 or closed >> one & 1:
                continue
            plot = Plot(first, 0, ADVANCE)
            found.append((self.into(group, here, one) - self._wear(group, plot), plot, one))
            if KIND[group] != MECHANIZED or s.weather == RAIN or fatigue.rough(s, one):
                continue
            for second in range(1, 7):
                two = board.step[one][second]
                if two < 0 or two == here or not board.passable >> two & 1 or closed >> two & 1:
                    continue
                plot = Plot(first, second, ADVANCE)
                bonus = 0.0
                if self.picture.wanted >> one & 1:
                    bonus = self.picture.worth.get(one, 0.0) * self.mood.prize
                found.append((self.into(group, here, two) + bonus - self._wear(group, plot), plot, two))
        return found


def open_ground(s: State, side: int) -> int:
    """Hexes without any group."""
    return s.rules.map.passable & ~s.occ[side] & ~s.occ[1 - side]


__all__ = ["Raids", "members", "open_ground"]
