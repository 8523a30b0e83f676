"""A week of War in Russia as a seat reads of it: its events, taken in one by one on what was seen and believed before.

Both sides learn the exact odds and losses of each fight (7.6, 7.10). A side that knows its own strength in
one knows that of the other, as it was at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import NamedTuple

from rasputitsa.ai.wir.evaluation.estimate import BELIEVED_FATIGUE, Estimate
from rasputitsa.core.events import Event
from rasputitsa.wir.model.figures import half_up
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, group_side
from rasputitsa.wir.rules.execution import casualties, combat, retreat
from rasputitsa.wir.rules.execution.air import AirDestroyed, Intercepted
from rasputitsa.wir.rules.execution.casualties import GunsHit
from rasputitsa.wir.rules.execution.combat import Fought
from rasputitsa.wir.rules.execution.retreat import Retreated, Surrendered
from rasputitsa.wir.rules.movement.enter_hex import Advanced, Moved
from rasputitsa.wir.rules.movement.fatigue import TACTICAL, march_points
from rasputitsa.wir.rules.turn.secrecy import GroupAppeared, GroupRedeployed, GroupVanished

MOST_TOLD = 100.0
"""Odds above this are those against next to nothing, and say little."""
DROPPED = 0.4
"""Of a level of entrenchment a fraction is lost in every assault (7.7); so much on average."""


class Sighting(NamedTuple):
    """What a fight has shown: the strength that some enemy groups had together."""

    shares: dict[Group, float]
    """The share of each in what was believed of them."""
    surprise: float
    """Logarithm of the true strength over what was believed."""
    attacked: bool
    """Whether it was the enemy who attacked."""
    odds: int
    """The reported odds, in thousandths."""


Heard = Callable[[Sighting], None]


class WeekReport:
    """Goes through the events of a week. ``mirror`` is the position as the seat saw it before, and is moved on."""

    def __init__(
        self,
        mirror: State,
        side: Side,
        guesses: dict[Group, Estimate],
        meet: Callable[[State, Group], Estimate],
        heard: Heard,
    ) -> None:
        self.mirror = mirror
        self.side = side
        self.guesses = guesses
        self.meet = meet
        self.heard = heard
        self.fought: set[Group] = set()
        """Enemy groups that were in a fight, or driven from their place."""
        self.marched: set[Group] = set()

    def read(self, events: Sequence[Event]) -> None:
        """Take in the events in their order."""
        for event in events:
            match event:
                case Fought(target, attackers, odds, defenders, own_loss, loss):
                    self._fight(target, attackers, odds, defenders, own_loss, loss)
                case GunsHit(hex_, groups, percent):
                    self._blast(hex_, groups, percent)
                case Moved(group, here, there) | Advanced(group, here, there):
                    self._goes(group, here, there)
                case Retreated(group, here, there):
                    self._retreats(group, here, there)
                case GroupRedeployed(group, here, there):
                    self._redeployed(group, here, there)
                case GroupAppeared(group, there):
                    self._appeared(group, there)
                case Surrendered(group) | GroupVanished(group) | AirDestroyed(group):
                    self._lost(group)
                case Intercepted(group, target, interceptors, lost, enemy_lost):
                    self._intercepted(group, target, interceptors, lost, enemy_lost)
                case _:
                    pass

    # -- where groups go -------------------------------------------------------------------------------

    def _place(self, group: Group, there: Hex) -> None:
        mirror = self.mirror
        if mirror.hex[group] != there and len(mirror.at.get(there, ())) <= mirror.rules.limits.stack:
            mirror.place(group, there)
        mirror.entrench[group] = 0

    def _goes(self, group: Group, here: Hex, there: Hex) -> None:
        guess = self.guesses.get(group)
        if guess is not None:
            guess.fatigue = min(
                BELIEVED_FATIGUE, guess.fatigue + march_points(self.mirror, group, here, there, TACTICAL)
            )
            guess.entrenchment, guess.hex = 0.0, there
            self.marched.add(group)
        self._place(group, there)

    def _redeployed(self, group: Group, here: Hex, there: Hex) -> None:
        guess = self.guesses.get(group)
        if guess is not None:
            guess.entrenchment, guess.hex = 0.0, there
            self.marched.add(group)
        self._place(group, there)

    def _appeared(self, group: Group, there: Hex) -> None:
        self._place(group, there)
        if group_side(group) != self.side:
            self.meet(self.mirror, group)

    def _lost(self, group: Group) -> None:
        if group_side(group) == self.side:
            self.mirror.dissolve(group)
            return
        self.guesses.pop(group, None)
        self.mirror.lift(group)

    def _retreats(self, group: Group, here: Hex, there: Hex) -> None:
        guess = self.guesses.get(group)
        if guess is not None:
            side = group_side(group)
            fatigue = retreat.retreat_fatigue(self.mirror, side, round(guess.experience))
            fatigue += march_points(self.mirror, group, here, there, TACTICAL)
            guess.fatigue = min(BELIEVED_FATIGUE, guess.fatigue + fatigue)
            guess.entrenchment, guess.hex = 0.0, there
            self.fought.add(group)
        self._place(group, there)

    # -- fights ----------------------------------------------------------------------------------------

    def _fight(
        self, target: Hex, attackers: tuple[Group, ...], odds: int, defenders: tuple[Group, ...], own: int, loss: int
    ) -> None:
        told = odds / 1000
        attacked = group_side(attackers[0]) != self.side
        defenders = tuple(g for g in defenders if KIND[g] != AIR)
        for group in attackers if attacked else defenders:
            if group not in self.guesses:
                self.meet(self.mirror, group)
        if 0 < told < MOST_TOLD:
            defence = self._defence(defenders)
            attack = self._attack(attackers, target, defence)
            theirs, known = (
                (attack, sum(defence.values()) * told) if attacked else (defence, sum(attack.values()) / told)
            )
            believed = sum(theirs.values())
            if believed > 0 and known > 0:
                shares = {group: power / believed for group, power in theirs.items()}
                self.heard(Sighting(shares, log(known / believed), attacked, odds))
        self._suffer(attackers, own / 1000, attacker=True)
        self._suffer(defenders, loss / 1000, attacker=False)
        rules = self.mirror.rules.entrenchment
        left = 1 - casualties.destroyed(told, rules) / 100
        for group in defenders:
            guess = self.guesses.get(group)
            if guess is None:
                self.mirror.entrench[group] = casualties.entrenchment_left(self.mirror.entrench[group], told, rules)
            else:
                guess.entrenchment = max(0.0, guess.entrenchment * left - DROPPED)

    def _power(self, group: Group) -> float:
        guess = self.guesses.get(group)
        return combat.strength(self.mirror, group) / combat.UNIT if guess is None else guess.power()

    def _defence(self, defenders: Sequence[Group]) -> dict[Group, float]:
        """The strength of each defender, entrenchments included (7.9)."""
        s, found = self.mirror, {}
        for group in defenders:
            guess, power = self.guesses.get(group), self._power(group)
            level = s.entrench[group] if guess is None else guess.entrenchment
            low = min(int(level), s.rules.entrenchment.most)
            weak = combat.entrenched(s, power, low)
            strong = combat.entrenched(s, power, min(low + 1, s.rules.entrenchment.most))
            found[group] = weak + (strong - weak) * (level - low)
        return found

    def _attack(self, attackers: Sequence[Group], target: Hex, defence: Mapping[Group, float]) -> dict[Group, float]:
        """The strength of each attacker, with terrain and weather (7.6, 8.3, 8.4)."""
        s, side = self.mirror, group_side(attackers[0])
        terrain, weather = combat.ground(s, target), combat.weather_multiple(s, side)
        share = combat.defence_of(s, [(group, self._power(group), 0) for group in defence]).mechanized
        engines = combat.mechanized_multiple(s, side, terrain, share)
        return {
            group: self._power(group)
            * combat.attack_multiple(s, group, s.hex[group], target, terrain, weather, engines)
            for group in attackers
        }

    def _suffer(self, groups: Sequence[Group], share: float, *, attacker: bool) -> None:
        """Losses, fatigue and lessons of a fight (7.10, 8.1, 8.2)."""
        s = self.mirror
        fatigue = sum(s.rules.losses.fatigue) // 2 * (casualties.attack_fatigue(s) if attacker else 1)
        for group in groups:
            lessons = casualties.lessons_of(s, group_side(group))
            guess = self.guesses.get(group)
            if guess is not None:
                guess.strength *= 1 - share
                guess.fatigue = min(BELIEVED_FATIGUE, guess.fatigue + fatigue)
                known = min(int(guess.experience), len(lessons) - 1)
                guess.experience += lessons[known] - known
                self.fought.add(group)
                continue
            for unit in s.group_units[group]:
                s.strength[unit] = max(0, s.strength[unit] - half_up(s.strength[unit] * share))
                s.experience[unit] = lessons[s.experience[unit]]
                s.fatigue[unit] = min(s.rules.march.most, s.fatigue[unit] + fatigue)

    def _blast(self, target: Hex, groups: tuple[Group, ...], tenths: int) -> None:
        """A bombardment or air attack, whose effect without cover is reported (7.1, 7.5)."""
        del target
        s, most = self.mirror, self.mirror.rules.entrenchment.most
        lost = casualties.wrecked(s, casualties.points_of(s, tenths / 10))
        for group in groups:
            guess = self.guesses.get(group)
            level = s.entrench[group] if guess is None else min(int(guess.entrenchment), most)
            effect = casualties.behind_entrenchment(s, tenths / 10, level)
            share = min(1.0, effect / 100)
            if guess is not None:
                guess.strength *= 1 - share
                guess.fatigue = min(BELIEVED_FATIGUE, guess.fatigue + effect)
                guess.aircraft = max(0.0, guess.aircraft - lost)
                continue
            for unit in s.group_units[group]:
                s.strength[unit] = max(0, s.strength[unit] - half_up(s.strength[unit] * share))
                s.fatigue[unit] = min(s.rules.march.most, s.fatigue[unit] + half_up(effect))

    # -- in the air ------------------------------------------------------------------------------------

    def _intercepted(self, raider: Group, target: Hex, enemies: tuple[Group, ...], lost: int, shot: int) -> None:
        del target
        for groups, points in (((raider,), lost), (enemies, shot)):
            known = [self.guesses[group] for group in groups if group in self.guesses]
            flying = sum(guess.aircraft for guess in known)
            for guess in known:
                guess.aircraft = max(0.0, guess.aircraft - points * guess.aircraft / flying) if flying else 0.0
