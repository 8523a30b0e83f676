"""The choice of a week's plan: many are tried in the same worlds, weak ones dropped early, good ones crossed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from rasputitsa.ai.wir.picture import Picture
from rasputitsa.ai.wir.search.drill import Drill
from rasputitsa.ai.wir.search.leanings import LEANINGS, USUAL, Leaning, at_stake, campaigner
from rasputitsa.ai.wir.search.orders import Plan, read
from rasputitsa.ai.wir.search.trial import Trial
from rasputitsa.wir.state import OFF

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

TEMPER = 0.45
"""How far the leaning of a new plan strays from that of a good one."""
NEW, DRILLED = 0.25, 0.35
"""Shares of the challengers that are planned afresh, and that are the best plan drilled once more; the others are
crossed from two plans."""
CLEARLY = 1.0
"""A plan takes the lead when it is ahead by so many standard errors: luck in the mind is no merit."""
LEAST_SPREAD = 25.0
RADII = (2, 3, 4, 6, 9)
"""How far a crossing reaches around a group."""


@dataclass(frozen=True)
class Effort:
    """How much is tried when there is time enough."""

    plans: int = 10
    """Plans made at first."""
    worlds: int = 12
    """Worlds a plan must do well in."""
    first: int = 2
    """Worlds in which every plan is tried."""
    challengers: int = 400
    """New plans that may challenge the best one."""
    patience: int = 120
    """Challengers in a row that may fail before the search is over."""
    weeks: int = 2
    """Weeks played out after the present one."""
    drill: int = 3000
    """Changes tried on the plots of the usual plan."""
    light: int = 200
    """The same for each other plan."""
    again: int = 300
    """The same when the best plan is drilled once more."""


class Time(NamedTuple):
    """Whether there is time left to drill the usual plan, to make others, and to compare them."""

    to_drill: Callable[[], bool]
    to_plan: Callable[[], bool]
    to_try: Callable[[], bool]


@dataclass
class Contender:
    """A plan, and what it led to in each world it was tried in."""

    label: str
    leaning: Leaning
    plan: Plan
    values: list[float] = field(default_factory=list)
    opened: State | None = None

    def ahead(self, other: Contender) -> float:
        """By how much it leads in the same worlds, in standard errors of that."""
        gaps = [a - b for a, b in zip(self.values, other.values, strict=False)]
        if len(gaps) < 2:
            return 0.0
        mean = sum(gaps) / len(gaps)
        spread = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        return mean / sqrt(max(spread, LEAST_SPREAD) / len(gaps))

    def mean(self, worlds: int = 99) -> float:
        """The lead it promises, on average over the first few worlds."""
        seen = self.values[:worlds]
        return sum(seen) / len(seen) if seen else 0.0


class Contest:
    """The search for one week's orders."""

    def __init__(self, s: State, side: int, effort: Effort, rng: random.Random, time: Time) -> None:
        """``s`` holds the enemy as he is believed to be."""
        self.s = s
        self.side = side
        self.effort = effort
        self.rng = rng
        self.time = time
        self.trial = Trial(s, side, rng.randrange(1 << 30), time.to_try, effort.weeks)
        self.field: list[Contender] = []
        self.tried = 0
        self.won: list[str] = []
        """Labels of the challengers that took the lead."""

    def decide(self, usual: Contender) -> Contender:
        """The best plan found; the usual one if there was no time to compare."""
        self.field = [usual]
        self.muster()
        if len(self.field) > 1:
            self.heats()
            self.defend(usual)
            self.challenge()
        return self.field[0]

    def muster(self) -> None:
        """The plans to begin with: the usual one, and lighter ones with all sorts of leanings."""
        for leaning in LEANINGS[1 : max(1, self.effort.plans)]:
            if not self.time.to_plan():
                return
            self.join(self.made(leaning))

    def join(self, contender: Contender) -> bool:
        """Take a plan into the field, unless it is there already."""
        if any(not contender.plan.differing(other.plan) for other in self.field):
            return False
        self.field.append(contender)
        return True

    def defend(self, usual: Contender) -> None:
        """The usual plan keeps the lead where the best of the others is not clearly ahead."""
        best = self.field[0]
        if best is usual:
            return
        if not self.run(usual, len(best.values)) or best.ahead(usual) < CLEARLY:
            self.field.remove(usual)
            self.field.insert(0, usual)

    def made(self, leaning: Leaning) -> Contender:
        """A plan made with a leaning."""
        work = campaigner(self.s, self.side, leaning, self.rng, self.time.to_try, self.effort.light)
        return Contender(leaning.name, leaning, read(work.plan()))

    # ------------------------------------------------------------------ comparing

    def run(self, contender: Contender, worlds: int) -> bool:
        """Try a contender in so many worlds in all; False if time ran out."""
        if contender.opened is None:
            contender.opened = contender.plan.carried_out(self.s).s
        while len(contender.values) < worlds:
            value = self.trial.value(contender.opened, len(contender.values)) if self.time.to_try() else None
            if value is None:
                return False
            contender.values.append(value)
            self.tried += 1
        return True

    def heats(self) -> None:
        """All in a few worlds, the better half in more, and so on; the field is then in order of merit."""
        running = list(self.field)
        worlds = self.effort.first
        while all(self.run(contender, worlds) for contender in running):
            running.sort(key=lambda c: -c.mean(worlds))
            if worlds >= self.effort.worlds:
                break
            if len(running) > 1:
                running = running[: (len(running) + 1) // 2]
            worlds = min(self.effort.worlds, 2 * worlds)
        self._rank()

    def _rank(self) -> None:
        """By the average over the worlds seen by all who have come far; who fell out or has not run comes after."""
        most = max(len(c.values) for c in self.field)
        if not most:
            return
        far = [c for c in self.field if 2 * len(c.values) > most]
        worlds = min(len(c.values) for c in far)
        far.sort(key=lambda c: -c.mean(worlds))
        rest = [c for c in self.field if 2 * len(c.values) <= most]
        self.field = far + sorted(rest, key=lambda c: (-len(c.values), -c.mean()))

    def beats(self, challenger: Contender) -> bool:
        """Whether a challenger does better than the best in the same worlds."""
        best = self.field[0]
        for worlds in range(1, self.effort.worlds + 1):
            if not self.run(best, worlds) or not self.run(challenger, worlds):
                return False
            if worlds >= self.effort.first and challenger.mean(worlds) <= best.mean(worlds):
                return False
        return challenger.ahead(best) >= CLEARLY

    # ------------------------------------------------------------------ new plans

    def challenge(self) -> None:
        """New plans against the best one, dropped as soon as they fall behind."""
        failed = 0
        for _ in range(self.effort.challengers):
            if failed >= self.effort.patience or not self.time.to_try():
                return
            challenger = self.offspring()
            failed += 1
            if challenger is not None and self.beats(challenger):
                self.field.insert(0, challenger)
                self.won.append(challenger.label)
                failed = 0

    def offspring(self) -> Contender | None:
        """A new plan out of what has done well."""
        best, draw = self.field[0], self.rng.random()
        if draw < NEW:
            return self.made(self.rng.choice((best.leaning, USUAL)).strayed(self.rng, TEMPER))
        if draw < NEW + DRILLED:
            return self.drilled(best)
        return self.crossed(best, self.rng.choice(self.field[1:]))

    def drilled(self, best: Contender) -> Contender | None:
        """The best plan, its plots rehearsed once more in new worlds."""
        assert best.opened is not None
        picture = Picture(best.opened, self.side)
        mood = campaigner(self.s, self.side, best.leaning, self.rng, self.time.to_try, 0).mood
        mood = at_stake(best.opened, self.side, mood)
        drill = Drill(best.opened, self.side, picture, mood, self.rng, self.trial.pulls)
        before = dict(drill.plots)
        plots = drill.better(self.time.to_try, self.effort.again)
        changed = [g for g in picture.own if plots.get(g, 0) != before.get(g, 0)]
        if not changed:
            return None
        return Contender("drilled", best.leaning, best.plan.plotted(plots, changed))

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
        return Contender("crossed", best.leaning, plan)
