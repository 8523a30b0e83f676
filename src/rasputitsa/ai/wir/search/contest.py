"""The choice of a week's plan: many are tried in the same imagined worlds, good ones drilled on and crossed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from rasputitsa.ai.wir.assault import mood_of
from rasputitsa.ai.wir.picture import Picture
from rasputitsa.ai.wir.search.drill import Drill
from rasputitsa.ai.wir.search.leanings import LEANINGS, USUAL, Drilled, Leaning, at_stake, campaigner
from rasputitsa.ai.wir.search.orders import Plan, read
from rasputitsa.wir.state import OFF

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

TEMPER = 0.45
"""How far the leaning of a new plan strays from that of a good one."""
DRILLED, CROSSED = 0.6, 0.8
"""Shares, added up, of the challengers that are the best plan drilled on, and that are crossed from two plans; the
others are planned afresh."""
RADII = (2, 3, 4, 6, 9)
"""How far a crossing reaches around a group."""
CLEARLY = 1.0
"""A plan takes the lead when it is ahead by so many standard errors: luck in the mind is no merit."""
LEAST_SPREAD = 1.0


@dataclass(frozen=True)
class Effort:
    """How much is tried when there is time enough."""

    plans: int = len(LEANINGS)
    """Plans made at first."""
    light: int = 250
    """Changes tried on the plots of each."""
    again: int = 400
    """The same when the best plan is drilled on."""
    worlds: int = 16
    """Worlds in which plans are compared."""
    challengers: int = 80
    """New plans that may challenge the best one."""
    patience: int = 25
    """Challengers in a row that may fail before the search is over."""


class Time(NamedTuple):
    """Whether there is time left to make plans to begin with, and to go on with them."""

    to_plan: Callable[[], bool]
    to_try: Callable[[], bool]


@dataclass
class Contender:
    """A plan, and what it led to in each world."""

    label: str
    leaning: Leaning
    plan: Plan
    opened: State
    """The position after its orders."""
    values: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """What it is worth on average."""
        return sum(self.values) / len(self.values) if self.values else 0.0

    def ahead(self, other: Contender) -> float:
        """By how much it leads in the same worlds, in standard errors of that."""
        gaps = [a - b for a, b in zip(self.values, other.values, strict=True)]
        if len(gaps) < 2:
            return sum(gaps)
        mean = sum(gaps) / len(gaps)
        spread = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        return mean / sqrt(max(spread, LEAST_SPREAD) / len(gaps))


class Contest:
    """The search for one week's orders."""

    def __init__(self, s: State, side: int, effort: Effort, rng: random.Random, time: Time) -> None:
        """``s`` holds the enemy as he is believed to be."""
        self.s = s
        self.side = side
        self.effort = effort
        self.rng = rng
        self.time = time
        mood = at_stake(s, side, mood_of(s, side))
        self.bench = Drill(s, side, Picture(s, side), mood, rng, {})
        """Where plans are compared."""
        self.field: list[Contender] = []
        self.work: Drilled | None = None
        """Who made the usual plan."""
        self.tried = 0
        self.won: list[str] = []
        """Labels of the plans that took the lead."""

    def decide(self) -> Contender:
        """The best plan found; the usual one if there was no time for others."""
        self.field = [self.made(USUAL, self.time.to_try)]
        for leaning in LEANINGS[1 : max(1, self.effort.plans)]:
            if not self.time.to_plan():
                break
            self.field.append(self.made(leaning, self.time.to_plan))
        if self.time.to_try():
            self.compare()
            self.challenge()
        return self.field[0]

    def made(self, leaning: Leaning, going: Callable[[], bool]) -> Contender:
        """A plan made with a leaning, and drilled a little."""
        work = campaigner(self.s, self.side, leaning, self.rng, going, self.effort.light)
        plan = read(work.plan())
        self.work = self.work or work
        return Contender(leaning.name, leaning, plan, work.s if leaning is USUAL else plan.carried_out(self.s).s)

    # ------------------------------------------------------------------ comparing

    def run(self, contender: Contender) -> None:
        """Try a contender in all worlds."""
        contender.values = [self.bench.fought(contender.opened.copy(), w) for w in range(len(self.bench.worlds))]
        self.tried += 1

    def compare(self) -> None:
        """All plans in the same new worlds, the best first; the usual one keeps the lead if none is clearly ahead."""
        self.bench.afresh(self.effort.worlds)
        leader = self.field[0]
        for contender in self.field:
            self.run(contender)
        self.field.sort(key=lambda c: -c.mean)
        if self.field[0].ahead(leader) < CLEARLY:
            self.field.remove(leader)
            self.field.insert(0, leader)
        elif self.field[0] is not leader:
            self.won.append(self.field[0].label)

    def challenge(self) -> None:
        """New plans against the best one."""
        failed = 0
        for _ in range(self.effort.challengers):
            if failed >= self.effort.patience or not self.time.to_try():
                return
            challenger = self.offspring()
            failed += 1
            if challenger is None:
                continue
            self.run(challenger)
            if challenger.ahead(self.field[0]) >= CLEARLY:
                self.field.insert(0, challenger)
                self.won.append(challenger.label)
                failed = 0

    # ------------------------------------------------------------------ new plans

    def offspring(self) -> Contender | None:
        """A new plan out of what has done well."""
        best, draw = self.field[0], self.rng.random()
        if draw < DRILLED or len(self.field) < 2:
            return self.drilled(best)
        if draw < CROSSED:
            return self.crossed(best, self.rng.choice(self.field[1:]))
        return self.made(self.rng.choice((best.leaning, USUAL)).strayed(self.rng, TEMPER), self.time.to_try)

    def drilled(self, best: Contender) -> Contender | None:
        """The best plan, its plots rehearsed on in other worlds."""
        bench = self.bench
        drill = Drill(best.opened, self.side, bench.picture, bench.mood, self.rng, bench.pulls)
        before = dict(drill.plots)
        plots = drill.better(self.time.to_try, self.effort.again)
        changed = [g for g in bench.picture.own if plots.get(g, 0) != before.get(g, 0)]
        if not changed:
            return None
        plan = best.plan.plotted(plots, changed)
        return Contender("drilled", best.leaning, plan, plan.carried_out(self.s).s)

    def crossed(self, best: Contender, other: Contender) -> Contender | None:
        """The best plan, but on one stretch of the front the other."""
        s = self.s
        differing = [g for g in best.plan.differing(other.plan) if s.hex[g] != OFF]
        if not differing:
            return None
        centre, radius = s.hex[self.rng.choice(differing)], self.rng.choice(RADII)
        grid = s.rules.grid

        def theirs(group: int) -> bool:
            return s.hex[group] != OFF and grid.distance(s.hex[group], centre) <= radius

        plan = best.plan.crossed(other.plan, theirs)
        return Contender("crossed", best.leaning, plan, plan.carried_out(s).s)
