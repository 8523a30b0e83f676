"""Attacks: which enemy hexes to attack with which groups together, by the values to be expected of the odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.groups import places_left
from rasputitsa.wir.model.indices import Group, GroupBits, Hex, HexBits, Side
from rasputitsa.wir.model.plot import ADVANCE, STOP, Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    COMBAT_BITS,
    FINE,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    RAIN,
    VERY_COLD,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, CITY, FORTIFIED, SOVIET
from rasputitsa.wir.rules.execution import casualties, combat, retreat
from rasputitsa.wir.rules.movement import fatigue, movement, plot_ways

ENTRENCHMENT = 0.06
"""What a destroyed level of entrenchment is worth, in parts of the strength behind it."""
ENOUGH = 0.85
"""A hex that is likely to be cleared at the first attempt is not attacked again in the same week."""
WORST = 88
"""No attack may tire a unit more than this: beyond the most it loses strength instead."""
EVEN = 1.0
"""Below these odds no attack is made: nobody can be driven out (7.7), and the attackers lose more than they destroy."""
MOST_ATTACKERS = 10
"""Groups considered for one attack."""
AIRFIELD = 25.0
"""What driving air groups from their field is worth."""


THRIFT = 0.6
"""By how much losses count less while the pool of recruits is full."""


SMOOTHING = 300.0
"""Strength added to both sides, so that ruins are not compared."""
LEAST_OWN_LOSS, MOST_OWN_LOSS, WEAR = 0.4, 1.1, 0.5
"""Bounds of what losses count for the stronger and the weaker side, and how much of this holds for fatigue."""
AXIS_RING, AXIS_HUNGER = 0.3, 0.01
"""``ring`` and ``hunger`` of the Axis, whose way home is long: what it deducts for being cut off and for no supply."""
FIRST_SPRING = "1942-04"
"""Until then the Axis spares its strength in bad weather, for the summer."""
SUPERIOR = 1.1
"""With this many times the enemy's strength the Soviet side presses on, and closes up to the enemy everywhere."""
LAST_WEEKS = 4
"""This many weeks before the end losses and fatigue begin to matter less, and places more."""


class AttackPolicy(NamedTuple):
    """How a side fights: what it risks for what."""

    enemy_loss: float = 1.0
    own_loss: float = 1.25
    wear: float = 0.35
    """What a point of strength lost to fatigue costs: it comes back with rest."""
    rout: float = 0.3
    """Share of a driven out defender's strength that counts as gain."""
    trap: float = 1.3
    """The same for a defender who has to surrender."""
    prize: float = 1.0
    """Weight of cities."""
    pull: float = 1.0
    """Weight of the way to the enemy's cities."""
    least: float = 4.0
    """An attack must promise at least this much."""
    tired: int = 62
    """Groups more fatigued than this rest."""
    hole: float = 20.0
    """What it costs to leave a hex of the front empty."""
    gather: bool = True
    """Groups march up to attack together next week."""
    ring: float = 0.0
    """Part of its worth that a group cut off from its depots is counted as having lost, on either side."""
    hunger: float = 0.0
    """The same for an own group beyond the reach of depots."""
    caught: float = 0.45
    """Part of its worth that a group without a way out is counted as having lost, on either side."""
    entrenchment: float = 0.05
    """What a level of entrenchment adds to an own group's strength."""
    enemy_entrenchment: float = 0.0
    """The same for an enemy's. It is worth nothing to a planner to break it for its own sake: every assault, be it of a
    handful, destroys a level (7.7), and the enemy digs it again."""
    stay: bool = False
    """Attackers hold their hexes instead of advancing, where they are alone."""


class Aftermath(NamedTuple):
    """What an attack may be expected to leave of the defenders that it does not drive out."""

    clear: float
    """Probability that they are gone."""
    left: float
    """Share of their strength that they keep."""
    odds: float
    """The odds of the attack, by which entrenchments are destroyed (7.7)."""


@dataclass(slots=True)
class Attack:
    """One joint attack."""

    target: Hex
    segment: int
    groups: list[Group]
    value: float
    clear: float
    """Probability that the defenders leave the hex."""
    odds: float
    defence: float
    """What the defenders are worth."""
    plots: dict[Group, Plot] = field(default_factory=dict)
    loss: float = 0.0
    """Share of their strength that the defenders lose."""
    second: Attack | None = None
    """What fast groups do later in the week against those that the first attack has not driven out."""

    def involved(self) -> set[Group]:
        """The groups of both attacks."""
        return {*self.groups, *(self.second.groups if self.second is not None else ())}

    def worth(self) -> float:
        """The value of both attacks."""
        return self.value + (self.second.value if self.second is not None else 0.0)


class Assault:
    """Plans the attacks of one side in one position."""

    def __init__(self, s: State, side: Side, situation: Situation, policy: AttackPolicy, barred: GroupBits = 0) -> None:
        self.s = s
        self.side = side
        self.enemy = 1 - side
        self.situation = situation
        self.policy = policy
        self.barred = barred
        """Groups that are not to attack."""
        self.attacks: list[Attack] = []
        self.plots: dict[Group, Plot] = {}
        self.air: dict[Hex, float] = {}
        """Aircraft points that will strike a hex."""
        self.weather = combat.weather_multiple(s, side)
        self.fatigue_cost = sum(s.rules.losses.fatigue) / 2 * casualties.attack_fatigue(s)
        self.able = [g for g in situation.own if self._able(g)]
        self.after: dict[Hex, Aftermath] = {}
        """What the first attack on a hex leaves for a second one in the same week."""
        self.coming: dict[Hex, int] = {}
        """Groups expected to stand in a hex after their moves."""

    # ------------------------------------------------------------------ who can

    def _able(self, group: Group) -> bool:
        s = self.s
        if self.barred >> group & 1 or s.plot[group] or not movement.may_plot_move(s, group):
            return False
        worst = max((s.fatigue[u] for u in s.group_units[group]), default=0)
        return worst + self.fatigue_cost <= WORST and self.tiredness(group) <= self.policy.tired

    def tiredness(self, group: Group) -> float:
        """Mean fatigue of a group's units."""
        units = self.s.group_units[group]
        return sum(self.s.fatigue[u] for u in units) / len(units) if units else 0.0

    def entrenchment(self, group: Group, after: Aftermath | None) -> int:
        """The entrenchment of a defender, or what a first attack has left of it."""
        level = self.s.entrench[group]
        return level if after is None else casualties.entrenchment_left(level, after.odds, self.s.rules.entrenchment)

    def _held(self, target: Hex, after: Aftermath | None = None) -> tuple[combat.Defence, list[Group]]:
        """What a hex is held with, and by which groups."""
        power, left = self.situation.power, 1.0 if after is None else after.left
        defenders = [group for group in self.s.at.get(target, ()) if group in power]
        held = [(group, power[group] * left, self.entrenchment(group, after)) for group in defenders]
        return combat.defence_of(self.s, held), defenders

    def _multiple(self, target: Hex, held: combat.Defence) -> float:
        """The multiple of mechanized groups in an attack on a hex."""
        return combat.mechanized_multiple(self.s, self.side, combat.ground(self.s, target), held.mechanized)

    def multiple(self, target: Hex) -> float:
        """The same for an attack on the hex as it is held now."""
        return self._multiple(target, self._held(target)[0])

    def factor(self, group: Group, here: Hex, target: Hex, multiple: float) -> float:
        """What terrain, weather and engines make of a group's attack."""
        s = self.s
        return combat.attack_multiple(s, group, here, target, combat.ground(s, target), self.weather, multiple)

    # ------------------------------------------------------------------ what it is worth

    def weigh(self, target: Hex, attackers: Iterable[tuple[Group, Hex]], segment: int) -> Attack:
        """What an attack by some groups, each from a hex, may be expected to bring."""
        s, policy, situation, losses = self.s, self.policy, self.situation, self.s.rules.losses
        after = self.after.get(target) if segment else None
        defence, defenders = self._held(target, after)
        level, multiple = defence.level, self._multiple(target, defence)
        stock = sum(situation.stock[g] for g in defenders)
        attack = strength = points = strain = 0.0
        groups = []
        for group, here in attackers:
            power = situation.power[group]
            groups.append(group)
            strength += power
            strain += situation.strain[group]
            attack += power * self.factor(group, here, target, multiple)
            points += combat.intrinsic_points(s, power) + (s.artillery[group] if here == s.hex[group] else 0)
        shells = casualties.blast_effect(s, combat.shells(s, points) + self.air.get(target, 0.0))
        effect = min(0.6, casualties.behind_entrenchment(s, shells, level) / 100)
        held = defence.total * (1 - effect) ** 2
        odds = min(60.0, attack / held) if held > 0.5 else 60.0
        own = casualties.attacker_percent(odds, level, held, losses) / 100
        loss = min(0.95, casualties.defender_percent(odds, losses) / 100 + effect)
        entrenchment = max(
            (casualties.entrenchment_left(self.entrenchment(g, after), odds, s.rules.entrenchment) for g in defenders),
            default=0,
        )
        if not defenders:
            clear = 1.0
        else:
            stay = retreat.stands(s, target, entrenchment)
            clear = 0.0 if stay else retreat.chance(odds, s.rules.flight) / 100
        clear = max(clear, loss if loss > 0.7 else 0.0)
        value = stock * loss * policy.enemy_loss + defence.plain * ENTRENCHMENT * (level - entrenchment)
        rout = policy.rout if self.ways_out(target) else policy.trap
        value += clear * (stock * rout + self.prize(target))
        if not clear and (retreat.stands(s, target) or situation.wanted >> target & 1):
            value += self.prize(target) * min(1.0, loss) * 0.8
        value -= strength * own * policy.own_loss + strain * self.fatigue_cost / 100 * policy.wear
        if after is not None:
            value *= 1 - after.clear
        return Attack(target, segment, groups, value, clear, odds, stock, loss=loss)

    def prize(self, target: Hex) -> float:
        """What entering a hex is worth by itself."""
        found = 0.0
        if self.situation.wanted >> target & 1:
            found += self.situation.worth.get(target, 0.0) * self.policy.prize
        back = self.situation.board.reach_list[target]
        own = [self.situation.pull[h] for h in back if self.s.occ[self.side] >> h & 1]
        if own:
            found += max(-10.0, self.situation.pull[target] - sum(own) / len(own)) * self.policy.pull
        found += self.situation.nuisance(target)
        if any(KIND[g] == AIR for g in self.s.at.get(target, ())):
            found += AIRFIELD
        return found

    def ways_out(self, target: Hex, coming: HexBits = 0) -> HexBits:
        """Where the defenders of a hex could retreat to, once the planned moves are made, and others to ``coming``."""
        for hex_ in self.coming:
            coming |= 1 << hex_
        return retreat.open_to(self.s, self.enemy, target, self.situation.own_zone, coming)

    # ------------------------------------------------------------------ choosing

    def plan(self) -> None:
        """Choose attacks one after the other, the most rewarding first."""
        best: dict[Hex, Attack | None] = {}
        targets = self._targets()
        while True:
            for target in targets:
                if target not in best:
                    best[target] = self._best(target)
            live = [a for a in best.values() if a is not None and a.worth() >= self.policy.least]
            if not live:
                return
            attack = max(live, key=Attack.worth)
            self._commit(attack)
            used = attack.involved()
            targets = [t for t in targets if t != attack.target]
            best.pop(attack.target)
            near = self.s.rules.map.near[attack.target]
            for target, other in list(best.items()):
                if near >> target & 1 or (other is not None and used & other.involved()):
                    del best[target]

    def _targets(self) -> list[Hex]:
        reach = 0
        for group in self.able:
            here = self.s.hex[group]
            reach |= self.s.rules.map.reach[here]
            if plot_ways.goes_twice(self.s, group):
                reach |= self.s.rules.map.near[here]
        return members(reach & self.s.occ[self.enemy])

    def _best(self, target: Hex) -> Attack | None:
        """The best attack on a hex with the groups that are free; a second one later in the week may follow it."""
        found = None
        fast = plot_ways.most_steps(self.s, MECHANIZED) > 1
        for segment, foot in ((0, False), (1, False), (0, True)) if fast else ((0, False),):
            now = self._wave(target, segment, foot=foot)
            if now is None:
                continue
            if segment == 0 and fast:
                now.second = self._second(target, now)
                if foot and now.second is None:
                    continue
            if found is None or now.worth() > found.worth():
                found = now
        return found

    def _second(self, target: Hex, first: Attack) -> Attack | None:
        """What fast groups may add to an attack that does not drive the defenders out for certain."""
        if first.clear > ENOUGH or not first.defence:
            return None
        self.after[target] = self._aftermath(first)
        found = self._wave(target, 1, without=set(first.groups))
        del self.after[target]
        return found if found is not None and found.value > 0 else None

    def _aftermath(self, first: Attack) -> Aftermath:
        rules = self.s.rules
        left = (1 - first.loss) * (1 - sum(rules.losses.fatigue) / 200)
        return Aftermath(first.clear, left, first.odds)

    def _wave(
        self, target: Hex, segment: int, *, foot: bool = False, without: set[Group] | None = None
    ) -> Attack | None:
        """The best attack on a hex in one segment; ``foot``: by infantry alone."""
        offers = [
            offer for offer in self._offers(target, segment)
            if not (foot and KIND[offer[1]] == MECHANIZED) and not (without and offer[1] in without)
        ]  # fmt: skip
        chosen: list[tuple[Group, Hex]] = []
        found: Attack | None = None
        least = max(EVEN, self.situation.repulsed.get(target, 0.0))
        for _, group, here in sorted(offers, reverse=True)[:MOST_ATTACKERS]:
            if any(g == group for g, _ in chosen) or self._no_bridge(group, here, chosen):
                continue
            chosen.append((group, here))
            trial = self.weigh(target, chosen, segment)
            if trial.odds >= least and (found is None or trial.value > found.value + 0.5):
                trial.plots = {g: self._plot(g, h, target, segment) for g, h in chosen}
                found = trial
        return found

    def _offers(self, target: Hex, segment: int) -> list[tuple[float, Group, Hex]]:
        """Groups that could attack a hex in a segment, with the hex they attack from, and how well they do it."""
        s = self.s
        multiple = self.multiple(target)
        found = []
        for group in self.able:
            if group in self.plots:
                continue
            here = s.hex[group]
            mobile = plot_ways.goes_twice(s, group)
            power = self.situation.power[group]
            if s.rules.map.reach[here] >> target & 1:
                if segment == 0 or mobile:
                    found.append((power * self.factor(group, here, target, multiple), group, here))
            elif segment == 1 and mobile:
                for there in self._bridges(here, target):
                    found.append((power * self.factor(group, there, target, multiple) * 0.93, group, there))
        return found

    def _bridges(self, here: Hex, target: Hex) -> list[Hex]:
        """Hexes through which a group two hexes away comes next to its target."""
        s = self.s
        reach = s.rules.map.reach
        between = reach[here] & reach[target] & plot_ways.open_hexes(s, self.side)
        return [
            h for h in members(between)
            if self.room(h) > 0 and not fatigue.rough(s, h)
        ]  # fmt: skip

    def _no_bridge(self, group: Group, here: Hex, others: list[tuple[Group, Hex]]) -> bool:
        """Whether others of the same attack leave a group no room where it would pass."""
        hexes = self.s.hex
        return here != hexes[group] and self.room(here) <= sum(hex_ == here != hexes[other] for other, hex_ in others)

    def room(self, hex_: Hex) -> int:
        """How many more groups find room in a hex, those counted that plots lead there."""
        return places_left(self.s, hex_) - self.coming.get(hex_, 0)

    def expect(self, hex_: Hex) -> None:
        """Keep room in a hex for a group that a plot leads there."""
        self.coming[hex_] = self.coming.get(hex_, 0) + 1

    def _plot(self, group: Group, here: Hex, target: Hex, segment: int) -> Plot:
        board = self.s.rules.map
        start = self.s.hex[group]
        last = board.direction(here, target)
        ending = ADVANCE
        if segment == 0:
            alone = len([g for g in self.s.at[start] if COMBAT_BITS[self.side] >> g & 1]) == 1
            if alone and (self.policy.stay or self._needed(start, target)):
                ending = STOP
            return Plot(last, 0, ending)
        return Plot(board.direction(start, here) if here != start else 0, last, ending)

    def _needed(self, here: Hex, target: Hex) -> bool:
        """Whether the only group of a hex should stay there: a city or fortress with other enemies near."""
        s = self.s
        others = s.rules.map.reach[here] & self.situation.enemy_combat & ~(1 << target)
        return bool(others) and s.terrain(here) in (CITY, FORTIFIED)

    def _commit(self, attack: Attack) -> None:
        self.attacks.append(attack)
        for group, plot in attack.plots.items():
            self.plots[group] = plot
            if attack.segment == 1 and plot.first:
                self.expect(self.s.rules.map.step[self.s.hex[group]][plot.first])
        if attack.second is not None:
            self.after[attack.target] = self._aftermath(attack)
            self._commit(attack.second)

    def summary(self) -> list[tuple[str, float, float, list[Group]]]:
        """The attacks in words for those who look on: hex, odds, chance of success, groups."""
        names = self.s.rules.grid.names
        return [(names[a.target], round(a.odds, 1), round(a.clear, 2), a.groups) for a in self.attacks]


def attack_policy_of(s: State, side: Side) -> AttackPolicy:
    """How a side fights at a date, in a weather, and with the recruits it has."""
    policy = _attack_policy(s, side)
    if side == AXIS:
        policy = policy._replace(ring=AXIS_RING, hunger=AXIS_HUNGER)
    odds = max(LEAST_OWN_LOSS, min(MOST_OWN_LOSS, power(s, 1 - side) / power(s, side)))
    thrift = 1 - THRIFT * s.pools[side][INF_POOL] / s.rules.limits.pools[INF_POOL]
    policy = policy._replace(
        own_loss=policy.own_loss * thrift * odds, wear=policy.wear * odds**WEAR, least=policy.least * odds
    )
    last = s.goal.last_turn if s.goal is not None else s.rules.turns
    left = last - s.turn
    if left < LAST_WEEKS:
        rest = left / LAST_WEEKS
        policy = policy._replace(
            own_loss=policy.own_loss * (0.2 + 0.8 * rest), wear=policy.wear * rest, prize=policy.prize * (3 - 2 * rest),
            least=policy.least * (0.3 + 0.7 * rest), tired=round(85 - (85 - policy.tired) * rest),
        )  # fmt: skip
    return policy


def on_the_defensive(s: State, side: Side) -> bool:
    """Whether a side lets the enemy come in summer: the Soviets in 1941, later the weaker side.

    Nobody does who loses by a goal if everything stays as it is.
    """
    if lesson.behind(s, side):
        return False
    return s.weather == FINE and (side == SOVIET if s.year == 1941 else power(s, side) < power(s, 1 - side))


def superior(s: State) -> bool:
    """Whether the Soviet side is so much the stronger that it need not wait."""
    return power(s, SOVIET) > SUPERIOR * power(s, AXIS)


def power(s: State, side: Side) -> float:
    """Combat strength of all groups of a side."""
    groups = s.on_map(groups_of(side, MECHANIZED, INFANTRY))
    return SMOOTHING + sum(combat.strength(s, group) for group in groups) / combat.UNIT


def _spares_itself(s: State) -> bool:
    """Whether the Axis keeps its strength for the summer of 1942: not where that lies beyond the last turn."""
    if s.goal is not None:
        return False
    return s.rules.month(s.turn) < FIRST_SPRING <= s.rules.month(s.rules.turns)


def _attack_policy(s: State, side: Side) -> AttackPolicy:
    very_cold = combat.bites(s)
    careful = AttackPolicy(
        own_loss=1.6, wear=0.8, prize=0.8, pull=0.2, least=12, tired=45, hole=30.0, gather=False, stay=True
    )
    if on_the_defensive(s, side):
        return careful._replace(own_loss=1.3, wear=0.5, pull=0.15, least=8, tired=50)
    if side == AXIS:
        if very_cold or s.weather == RAIN or (s.weather != FINE and _spares_itself(s)):
            return careful
        if s.weather != FINE:
            return AttackPolicy(own_loss=1.35, wear=0.5, pull=0.7, least=8, tired=50)
        return AttackPolicy(own_loss=1.1, wear=0.6, pull=2.5, rout=0.5, least=3, tired=52, hole=9.0)
    if very_cold:
        return AttackPolicy(own_loss=0.9, wear=0.3, pull=0.8, least=3, tired=70)
    if s.year > 1941 and s.weather not in (RAIN, VERY_COLD) and superior(s):
        return AttackPolicy(own_loss=0.8, wear=0.4, pull=2.0, rout=0.5, least=3, tired=56, hole=9.0)
    if s.weather == RAIN:
        return careful._replace(own_loss=1.4, wear=0.6, prize=1.0, least=10)
    return AttackPolicy(own_loss=1.0, wear=0.4, pull=0.7, least=6, tired=58)
