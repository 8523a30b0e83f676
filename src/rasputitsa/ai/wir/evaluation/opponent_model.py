"""What a player believes of enemy groups, whose inside he never sees: the order of battle that everybody knows at
the start, and what time, marching and his own attacks make of it. An account is kept of the enemy's replacements, which
cannot exceed what his people bring forth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rasputitsa.ai.wir.evaluation.engagements import Fight
from rasputitsa.wir.model.state import OFF
from rasputitsa.wir.model.tables import (
    AIR,
    COMBAT_BITS,
    GROUPS,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    POOL_MOST,
    POOLS,
    UNITS_PER_SIDE,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.end_of_turn import economy
from rasputitsa.wir.rules.execution.casualties import defender_percent

if TYPE_CHECKING:
    from rasputitsa.wir.model.state import State

SECONDS = {(AXIS, INFANTRY): "INF", (AXIS, MECHANIZED): "PZ", (SOVIET, INFANTRY): "RIFLE", (SOVIET, MECHANIZED): "TANK"}
"""The kind of unit that stands for an unknown one."""
FRESH_UNITS = {(AXIS, INFANTRY): 4.0, (AXIS, MECHANIZED): 3.5, (SOVIET, INFANTRY): 5.0, (SOVIET, MECHANIZED): 3.0}
FULL_UNITS = {(AXIS, INFANTRY): 4.3, (AXIS, MECHANIZED): 4.0, (SOVIET, INFANTRY): 4.3, (SOVIET, MECHANIZED): 3.5}
RETREAT_LOSS, RETREAT_WEAR = 0.782, 35.0
FIGHT_WEAR = 12.0
CONTACT = 0.985
"""What a week leaves of a group that touches the other side."""
DRILL, SEASONED = 0.5, 80
"""Experience that groups in contact gain in a week, and the most they gain it to."""
MARCH_WEAR = 8.0
REST = (0.84, 0.7)
"""Share of its fatigue that a group of a side keeps from week to week: the Axis is far from its railheads."""
SCHOOL = (5.0, 3.7)
"""Experience that green groups of a side gain in a week."""
NEW_UNITS, DILUTED = 0.15, (0.25, 0.6)
"""Units a week that a group short of them is given, and how much recruits lower the experience of others, by side."""
FILLING = 0.25
"""Share of its gaps that replacements fill in a week."""
SPENT = (0.95, 0.75)
"""Share of a side's replacements that reach units in the field."""
TRUST, LEAST_TRUE, MOST_TRUE = 0.7, 0.3, 5.0
"""How far the defence that own losses speak of is believed: dice have a part in it (7.10)."""
RESTED, UNITS_PER_GROUP = 15.0, 6
"""Bounds of what a group may be believed to be that has proved stronger than it was thought."""
WORKS_A_WEEK = 0.5
MOST_WORKS = 5.0
STRONGEST = 250
"""A unit is not imagined stronger than this."""
FAR = 3
"""A group that turns up farther away than this has come by rail, or is another one with the same number."""


@dataclass(slots=True)
class Estimate:
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

    def scale(self, ratio: float, most: float) -> None:
        """Make it so many times as strong: less weary first, then of more units, then of stronger ones."""
        if ratio > 1:
            rested = min(ratio, max(1.0, (100 - RESTED) / (100 - self.fatigue)))
            self.fatigue = 100 - (100 - self.fatigue) * rested
            ratio /= rested
            more = max(1.0, min(ratio, UNITS_PER_GROUP / self.units)) if self.units else 1.0
            self.units *= more
            ratio /= more
        self.strength = min(most, self.strength * ratio)


class OpponentModel:
    """The guesses of one side about all groups of the other."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.enemy = 1 - side
        self.turn = 0
        self.guesses: dict[int, Estimate] = {}
        self.fights: list[Fight] = []
        """The attacks of this side in the week that is over."""
        self.pool = 0.0
        """Infantry points the enemy may have."""

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
        self.pool = float(s.rules.scenario["pools"][SIDES[self.enemy]][POOLS[INF_POOL]])
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY):
            lines = [line for line in s.rules.lines if line.group == group]
            if lines and lines[0].hex == s.hex[group]:
                n = len(lines)
                self.guesses[group] = Estimate(
                    lines[0].hex, n, sum(u.strength for u in lines) / n, sum(u.experience for u in lines) / n,
                    sum(u.fatigue for u in lines) / n, lines[0].entrenched,
                )  # fmt: skip
        for base in s.rules.map.bases:
            if base.side == self.enemy and base.kind == "air":
                points = base.points[s.rules.year_index]
                self.guesses[base.group] = Estimate(s.hex[base.group], 0, 0, 0, 0, 0, points)

    def _fresh(self, s: State, group: int) -> Estimate:
        """A group never seen before: newly built in the first summer, else of the average of its date."""
        kind = KIND[group]
        if kind == AIR:
            return Estimate(s.hex[group], 0, 0, 0, 0, 0, 30)
        unit = s.rules.type_named[SECONDS[self.enemy, kind]]
        most = s.rules.most[s.year][unit]
        recruit = s.rules.recruits[s.year][unit]
        seasoned = s.turn <= 2 or self.turn == 0
        experience = max(recruit, 45 if seasoned else 15)
        return Estimate(s.hex[group], FRESH_UNITS[self.enemy, kind], most * 0.85, experience, 15, 0)

    def _week(self, s: State) -> None:
        """What a week does to every group: fights, marches, rest, replacements, schooling, digging."""
        income = economy.forecast(s, self.enemy)[POOLS[INF_POOL]] * SPENT[self.enemy]
        self.pool = min(float(POOL_MOST[INF_POOL]), self.pool + income)
        touching = s.zoc(self.side)
        fought = self._learn(s)
        for group, guess in self.guesses.items():
            here = s.hex[group]
            if here == OFF:
                continue
            if KIND[group] == AIR:
                guess.aircraft = guess.aircraft * 0.95 + 3
                continue
            self._use(s, group, guess, fought.get(group, 0.0))
            if touching >> here & 1:
                guess.strength *= CONTACT
                if guess.experience < SEASONED:
                    guess.experience += DRILL
            guess.fatigue = min(90.0, guess.fatigue * REST[self.enemy])
            if guess.experience < 50:
                guess.experience += SCHOOL[self.enemy]
        self._fill(s)
        self.fights = []

    def _learn(self, s: State) -> dict[int, float]:
        """Set the guesses of defenders right by what this side has lost; returns the odds for each that has fought."""
        odds: dict[int, float] = {}
        for fight in self.fights:
            met = fight.defence(s)
            if not met:
                continue
            there = (*fight.planned.at.get(fight.target, ()), *s.at.get(fight.target, ()))
            foes = {g for g in there if group_side(g) == self.enemy and KIND[g] != AIR and g in self.guesses}
            odds.update(dict.fromkeys(foes, fight.odds(s)))
            works = s.rules.works.defence
            believed = sum(self.guesses[g].power() * works[int(self.guesses[g].works)] for g in foes)
            if believed > 0:
                ratio = max(LEAST_TRUE, min(MOST_TRUE, met / believed)) ** TRUST
                for group in foes:
                    self.guesses[group].scale(ratio, self._most(s, group))
        return odds

    def _use(self, s: State, group: int, guess: Estimate, odds: float) -> None:
        """Fights, marches and digging."""
        here = s.hex[group]
        gone = s.rules.grid.distance(here, guess.hex) if here != guess.hex else 0
        if gone > FAR:
            guess.hex = here
        elif odds and gone:
            guess.strength *= RETREAT_LOSS
            guess.fatigue += RETREAT_WEAR
        elif odds:
            guess.strength *= 1 - defender_percent(odds, s.rules.losses) / 100
            guess.fatigue += FIGHT_WEAR
            guess.works = max(0.0, guess.works * 0.7 + WORKS_A_WEEK)
        elif gone:
            guess.fatigue += MARCH_WEAR
        else:
            guess.works = min(MOST_WORKS, guess.works + WORKS_A_WEEK)

    def _fill(self, s: State) -> None:
        """Replacements and new units, as far as there are points for them; they bring recruits' experience."""
        wanted: dict[int, tuple[float, float]] = {}
        for group, guess in self.guesses.items():
            if KIND[group] == AIR or s.hex[group] == OFF:
                continue
            units = NEW_UNITS if guess.units < FULL_UNITS[self.enemy, KIND[group]] else 0.0
            wanted[group] = (
                max(0.0, self._most(s, group) - guess.strength) * FILLING * guess.units + units * guess.strength,
                units,
            )
        needed = sum(points for points, _ in wanted.values())
        share = min(1.0, self.pool / needed) if needed > 0 else 0.0
        self.pool -= needed * share
        for group, (points, units) in wanted.items():
            guess = self.guesses[group]
            recruits = s.rules.recruits[s.year][s.rules.type_named[SECONDS[self.enemy, KIND[group]]]]
            had, come = guess.strength * guess.units, points * share
            if come > 0:
                guess.units += units * share
                guess.strength = (had + come) / guess.units
                if recruits < guess.experience:
                    guess.experience += (recruits - guess.experience) * come / (had + come) * DILUTED[self.enemy]

    def _most(self, s: State, group: int) -> int:
        """Greatest strength of the units that are taken to be in a group."""
        return s.rules.most[s.year][s.rules.type_named[SECONDS[self.enemy, KIND[group]]]]

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
            strength = min(STRONGEST, max(1, round(guess.strength * guess.units / n)))
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
