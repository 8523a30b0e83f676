"""What a player believes of enemy groups, whose inside he never sees: the order of battle that everybody knows at
the start, and what time, marching and his own attacks make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rasputitsa.wir.state import OFF
from rasputitsa.wir.tables import (
    AIR,
    COMBAT_BITS,
    GROUPS,
    INFANTRY,
    KIND,
    MECHANIZED,
    UNITS_PER_SIDE,
    group_side,
    groups_of,
)
from rasputitsa.wir.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SECONDS = {(AXIS, INFANTRY): "INF", (AXIS, MECHANIZED): "PZ", (SOVIET, INFANTRY): "RIFLE", (SOVIET, MECHANIZED): "TANK"}
"""The kind of unit that stands for an unknown one."""
FRESH_UNITS = {(AXIS, INFANTRY): 4.0, (AXIS, MECHANIZED): 3.5, (SOVIET, INFANTRY): 5.0, (SOVIET, MECHANIZED): 3.0}
FULL_UNITS = {(AXIS, INFANTRY): 4.3, (AXIS, MECHANIZED): 4.0, (SOVIET, INFANTRY): 4.3, (SOVIET, MECHANIZED): 3.5}
RETREAT_LOSS, RETREAT_WEAR = 0.85, 35.0
FIGHT_LOSS, FIGHT_WEAR = 0.93, 12.0
MARCH_WEAR = 8.0
REST = (0.84, 0.7)
"""Share of its fatigue that a group of a side keeps from week to week: the Axis is far from its railheads."""
SCHOOL = (5.0, 2.4)
"""Experience that green groups of a side gain in a week, recruits taken into account."""
FILLING = 0.12
"""Share of its gaps that replacements fill in a week."""
WORKS_A_WEEK = 0.5
MOST_WORKS = 5.0
FAR = 3
"""A group that turns up farther away than this has come by rail, or is another one with the same number."""


@dataclass(slots=True)
class Guess:
    """One enemy group as it is believed to be."""

    hex: int
    units: float
    strength: float
    """Of one unit."""
    experience: float
    fatigue: float
    works: float
    aircraft: float = 0.0

    def power(self) -> float:
        """Its combat strength in the points of the rules (7.6)."""
        return self.units * self.strength * self.experience * (100 - self.fatigue) / 10_000


class Beliefs:
    """The guesses of one side about all groups of the other."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.enemy = 1 - side
        self.turn = 0
        self.guesses: dict[int, Guess] = {}
        self.attacked: set[int] = set()
        """Hexes this side has attacked in the week that is over."""

    def update(self, s: State) -> None:
        """Take in the position as this side sees it."""
        if self.turn == 0:
            self._begin(s)
        elif s.turn != self.turn:
            self._week(s)
        self.turn = s.turn
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY, AIR):
            here = s.hex[group]
            if here == OFF:
                self.guesses.pop(group, None)
                continue
            guess = self.guesses.get(group)
            if guess is None:
                self.guesses[group] = self._fresh(s, group)
            elif guess.hex != here:
                guess.works = 0.0
                guess.hex = here

    def _begin(self, s: State) -> None:
        """At the start of a scenario both sides know the order of battle; later there are only averages."""
        if s.turn > 1:
            return
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY):
            lines = [line for line in s.rules.lines if line.group == group]
            if lines and lines[0].hex == s.hex[group]:
                n = len(lines)
                self.guesses[group] = Guess(
                    lines[0].hex, n, sum(u.strength for u in lines) / n, sum(u.experience for u in lines) / n,
                    sum(u.fatigue for u in lines) / n, lines[0].entrenched,
                )  # fmt: skip
        for base in s.rules.map.bases:
            if base.side == self.enemy and base.kind == "air":
                points = base.points[s.rules.year_index]
                self.guesses[base.group] = Guess(s.hex[base.group], 0, 0, 0, 0, 0, points)

    def _fresh(self, s: State, group: int) -> Guess:
        """A group never seen before: newly built in the first summer, else of the average of its date."""
        kind = KIND[group]
        if kind == AIR:
            return Guess(s.hex[group], 0, 0, 0, 0, 0, 30)
        unit = s.rules.type_named[SECONDS[self.enemy, kind]]
        most = s.rules.most[s.year][unit]
        recruit = s.rules.recruits[s.year][unit]
        seasoned = s.turn <= 2 or self.turn == 0
        experience = max(recruit, 45 if seasoned else 15)
        return Guess(s.hex[group], FRESH_UNITS[self.enemy, kind], most * 0.85, experience, 15, 0)

    def _week(self, s: State) -> None:
        """What a week does to every group: fights, marches, rest, replacements, schooling, digging."""
        for group, guess in self.guesses.items():
            here = s.hex[group]
            if here == OFF:
                continue
            if KIND[group] == AIR:
                guess.aircraft = guess.aircraft * 0.95 + 3
                continue
            fought = guess.hex in self.attacked
            gone = s.rules.grid.distance(here, guess.hex) if here != guess.hex else 0
            if gone > FAR:
                guess.hex = here
            elif fought and gone:
                guess.strength *= RETREAT_LOSS
                guess.fatigue += RETREAT_WEAR
            elif fought:
                guess.strength *= FIGHT_LOSS
                guess.fatigue += FIGHT_WEAR
                guess.works = max(0.0, guess.works * 0.7 + WORKS_A_WEEK)
            elif gone:
                guess.fatigue += MARCH_WEAR
            else:
                guess.works = min(MOST_WORKS, guess.works + WORKS_A_WEEK)
            self._rest(s, group, guess)
        self.attacked = set()

    def _rest(self, s: State, group: int, guess: Guess) -> None:
        key = (self.enemy, KIND[group])
        most = s.rules.most[s.year][s.rules.type_named[SECONDS[key]]]
        guess.fatigue = min(90.0, guess.fatigue * REST[self.enemy])
        guess.strength += max(0.0, most - guess.strength) * FILLING
        if guess.experience < 50:
            guess.experience += SCHOOL[self.enemy]
        if guess.units < FULL_UNITS[key]:
            guess.units += 0.15

    def power(self, group: int) -> float:
        """Believed combat strength of an enemy group."""
        guess = self.guesses.get(group)
        return guess.power() if guess else 0.0

    def imagine(self, s: State) -> State:
        """A complete position: what is seen, with the enemy's groups filled by belief."""
        t = s.copy()
        slot = self.enemy * UNITS_PER_SIDE
        last = slot + UNITS_PER_SIDE
        for group in range(1, GROUPS):
            guess = self.guesses.get(group)
            if guess is None or t.hex[group] == OFF or group_side(group) != self.enemy:
                continue
            if KIND[group] == AIR:
                t.aircraft[group] = min(255, int(guess.aircraft))
                t.supplied |= 1 << group
                continue
            if t.crew[group]:
                continue  # the game is played open
            unit = t.rules.type_named[SECONDS[self.enemy, KIND[group]]]
            n = max(1, min(6, round(guess.units)))
            strength = min(250, max(1, round(guess.strength * guess.units / n)))
            for _ in range(n):
                if slot >= last:
                    break
                t.enlist(
                    slot, unit, 1, strength, min(99, max(1, round(guess.experience))), min(94, round(guess.fatigue))
                )
                t.join(slot, group)
                slot += 1
            t.entrench[group] = min(5, int(guess.works + 0.3))
        t.supplied |= COMBAT_BITS[self.enemy]
        t.legal = None
        return t
