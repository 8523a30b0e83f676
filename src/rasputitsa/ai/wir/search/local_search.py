"""A plan's plots improved by simulating the week over and over, against an enemy whose orders are not known either."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import AttackPolicy
from rasputitsa.ai.wir.planning.simulation import LEAST_GAIN, RESTED_SHARE, Simulation
from rasputitsa.ai.wir.search.common_random_numbers import WorldDice
from rasputitsa.ai.wir.search.enemy import Enemy
from rasputitsa.wir.model.indices import CityNumber, Group, Hex, PlotNumber, Side
from rasputitsa.wir.model.plot import ADVANCE, Plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import group_side
from rasputitsa.wir.rules.execution import combat, execution

WORLDS, MOST_WORLDS = 8, 32
"""Worlds a change is tried in: each has its own dice, and its own orders of the enemy. Twice as many after each climb
that leads no higher, to see smaller gains. After one, two, four ... of them a change that has done harm so far is
dropped."""
REDRAWN_AFTER = 200
"""Changes tried before the worlds are made again, to avoid overfitting."""
MIN_GAIN_IN_STANDARD_ERRORS = 1.0
"""How much better a change has to be than none to be taken."""
PATIENCE = 1000
"""Changes refused in a row that end a climb."""
RANDOM_CHANGES = 6
"""Changes made at random to the best plan found so far before the next climb begins there."""
PROOF = 96
"""Worlds in which the plans of two climbs are compared."""
MOST_FAILED_CLIMBS = 3
"""Climbs in a row that lead no higher and end the search."""
DROP, MASS, JOIN = 0.12, 0.24, 0.45
"""Shares, added up, of the changes that call an attack off, that attack a hex with all there is, and that send one
more group into an attack; the others give any group any plot."""
SIEGE = 0.3
"""Part of a city's worth that it brings to wear down all who defend it: entrenchments and walls forbid a retreat (7.7),
so that it takes more than a week."""
ALONG = 0.75
"""How likely each neighbour of a hex is to take part in an attack with all there is."""


World = tuple[int, "State"]
"""A seed for the dice, and a position in which the enemy has given orders."""


class LocalSearch(Simulation):
    """Iterated local search: climbs from the planner's plots, then from random changes to the best plan."""

    def __init__(self, s: State, side: Side, situation: Situation, policy: AttackPolicy, rng: random.Random) -> None:
        super().__init__(s, side, situation, policy, rng, 0)
        self.enemy = Enemy(s, 1 - side, rng)
        self.active = self._active()
        self.sieges = self._sieges()
        self.tried = self.kept = 0
        self.worlds = WORLDS

    def new_worlds(self, count: int, going: Callable[[], bool] = lambda: True) -> list[World]:
        """New worlds; in the first the enemy does as usual."""
        return [(self.rng.randrange(1 << 30), position) for position in self.enemy.positions(count, going)]

    def outcome(self, plots: dict[Group, PlotNumber], world: World) -> float:
        """What the week brings with some plots in one world."""
        seed, position = world
        t = position.copy()
        for group in self.situation.own:
            t.plot[group] = plots.get(group, 0)
        execution.begin(t, WorldDice(t, seed).context)
        return self.judge(t)

    def better(self, going: Callable[[], bool], tries: int) -> dict[Group, PlotNumber]:
        """Change plots for as long as it helps, some number of times at most; returns the plots."""
        if not self.active:
            return self.plots

        def on() -> bool:
            return self.tried < tries and going()

        self._climb(on)
        best, value, failed = self.plots, 0.0, 0
        proof: list[World] = []
        while on() and failed < MOST_FAILED_CLIMBS:
            if not proof:
                proof = self.new_worlds(PROOF, on)
                value = self.mean(best, proof)
            self.plots = best
            for _ in range(RANDOM_CHANGES):
                self.plots = self.changed()
            self._climb(on)
            found = self.mean(self.plots, proof)
            if found > value:
                best, value, failed = self.plots, found, 0
            else:
                failed += 1
                self.worlds = min(MOST_WORLDS, 2 * self.worlds)
        self.plots = best
        return best

    def mean(self, plots: dict[Group, PlotNumber], worlds: Sequence[World]) -> float:
        """What the week brings with some plots, on average over worlds."""
        return sum(self.outcome(plots, world) for world in worlds) / len(worlds)

    def _climb(self, going: Callable[[], bool]) -> None:
        """Change one thing at a time until nothing more is found."""
        worlds: list[World] = []
        known: list[float] = []
        refused = number = 0
        while going() and refused < PATIENCE:
            if number % REDRAWN_AFTER == 0:
                worlds = self.new_worlds(self.worlds, going)
                known = [self.outcome(self.plots, world) for world in worlds]
            number += 1
            trial = self.changed()
            if trial == self.plots:
                refused += 1
                continue
            self.tried += 1
            values = self._compared(trial, worlds, known)
            if values:
                self.plots, known, refused = trial, values, 0
                self.kept += 1
            else:
                refused += 1

    def _compared(self, trial: dict[Group, PlotNumber], worlds: Sequence[World], known: Sequence[float]) -> list[float]:
        """What a change leads to in each world if it is for the better, else nothing."""
        values: list[float] = []
        ahead, look = 0.0, 1
        for world, before in zip(worlds, known, strict=True):
            values.append(self.outcome(trial, world))
            ahead += values[-1] - before
            if len(values) == look:
                if ahead < 0:
                    return []
                look *= 2
        count = len(values)
        mean = ahead / count
        spread = sum((a - b - mean) ** 2 for a, b in zip(values, known, strict=True)) / (count - 1)
        return values if mean > LEAST_GAIN and mean > MIN_GAIN_IN_STANDARD_ERRORS * sqrt(spread / count) else []

    # ------------------------------------------------------------------ cities

    def _sieges(self) -> list[tuple[CityNumber, Hex, float, float]]:
        """The enemy's cities that own groups are adjacent to: number, hex, worth, and how strongly each is held."""
        s, found = self.s, []
        for city in s.rules.map.cities:
            if s.owner[city.number] != self.side and s.rules.map.near[city.hex] & s.occ[self.side]:
                held = self._held(s, city.hex)
                if held > 0:
                    found.append((city.number, city.hex, self.situation.worth[city.hex], held))
        return found

    def _held(self, t: State, hex_: Hex) -> float:
        """The strength of the enemy in a hex, entrenchments and all."""
        total = 0.0
        for group in t.at.get(hex_, ()):
            if group_side(group) != self.side:
                power = 0.0
                for unit in t.group_units[group]:
                    power += t.strength[unit] * t.experience[unit] * RESTED_SHARE[t.fatigue[unit]]
                total += combat.entrenched(t, power, t.entrench[group])
        return total

    def judge(self, t: State) -> float:
        """The position from this side's point of view; enemy cities under attack count for a part."""
        total = super().judge(t)
        for city, hex_, worth, held in self.sieges:
            if t.owner[city] != self.side:
                total += SIEGE * self.policy.prize * worth * max(-0.5, 1 - self._held(t, hex_) / held)
        return total

    # ------------------------------------------------------------------ changes

    def changed(self) -> dict[Group, PlotNumber]:
        """The plots with one thing changed."""
        trial, draw = dict(self.plots), self.rng.random()
        if draw < DROP:
            self._drop(trial)
        elif draw < MASS:
            self._mass(trial)
        elif draw < JOIN:
            self._attack(trial, self.rng.choice(self.active))
        else:
            group = self.rng.choice(self.active)
            number = self.rng.choice(self._choices(group))
            trial.pop(group, None)
            if number:
                trial[group] = number
        return trial

    def _enemies(self, group: Group) -> list[tuple[int, Hex]]:
        """The enemy hexes adjacent to a group, each with its direction."""
        around = self.s.rules.map.step[self.s.hex[group]]
        enemy = self.s.occ[1 - self.side]
        return [(d, around[d]) for d in range(1, 7) if around[d] >= 0 and enemy >> around[d] & 1]

    def _drop(self, trial: dict[Group, PlotNumber]) -> None:
        """Call the attack of a group off, with all who attack the same hex."""
        fighters = [g for g in self.active if g in trial and self._target(g, trial[g]) >= 0]
        if fighters:
            target = self._target(leader := self.rng.choice(fighters), trial[leader])
            for group in fighters:
                if self._target(group, trial[group]) == target:
                    del trial[group]

    def _mass(self, trial: dict[Group, PlotNumber]) -> None:
        """Attack a hex with most groups adjacent to it."""
        enemies = self._enemies(self.rng.choice(self.active))
        if enemies:
            target = self.rng.choice(enemies)[1]
            for group in self.active:
                for direction, hex_ in self._enemies(group):
                    if hex_ == target and self.rng.random() < ALONG:
                        trial[group] = Plot(direction, 0, ADVANCE).number

    def _attack(self, trial: dict[Group, PlotNumber], group: Group) -> None:
        """Send a group into an attack, with those who attack already where there are any."""
        enemies = self._enemies(group)
        taken = {self._target(g, n) for g, n in trial.items()}
        joined = [pair for pair in enemies if pair[1] in taken] or enemies
        if joined:
            trial[group] = Plot(self.rng.choice(joined)[0], 0, ADVANCE).number
