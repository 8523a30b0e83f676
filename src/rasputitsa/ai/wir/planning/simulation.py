"""Plans played out in simulation: the week's execution with dice of one's own, and plots changed where that helps."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.wir.evaluation import lesson
from rasputitsa.ai.wir.evaluation.situation import MECHANIZED_MULTIPLE, RAW_STRENGTH, Situation, homes
from rasputitsa.ai.wir.planning.assault import EVEN, Assault, AttackPolicy, attack_policy_of
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.indices import Group, Hex, HexBits, PlotNumber, Side
from rasputitsa.wir.model.plot import ADVANCE, STOP, Plot, unpack
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import KIND, MECHANIZED, group_side
from rasputitsa.wir.rules.execution import execution
from rasputitsa.wir.rules.execution.combat import UNIT, weather_multiple
from rasputitsa.wir.rules.execution.retreat import open_hexes, stands
from rasputitsa.wir.rules.movement import movement, plot_ways

TIRED, WORN = 0.35, 0.002
"""Part of a group's fatigue that is held against it, and more for its square: a little is slept off, much is not."""
RESTED_SHARE = tuple(max(0.0, 100 - TIRED * n - WORN * n * n) for n in range(256))
FORWARD = 0.25
"""Weight of the pull of the hexes where groups stand."""
FULL_PULL_STRENGTH = 300.0
"""Strength, in points of combat strength, from which the pull of its hex counts in full for a group; below it, in
proportion."""
LEAST_GAIN = 0.5
"""The least improvement, in points of combat strength, for which a change is accepted."""
TURNED_DOWN = 60
"""This many changes refused in a row end the search."""


class Simulation:
    """Improves the plots of one side in the position after its orders."""

    def __init__(
        self, s: State, side: Side, situation: Situation, policy: AttackPolicy, rng: random.Random, runs: int = 3
    ) -> None:
        self.s = s
        self.side = side
        self.situation = situation
        self.policy = policy
        self.rng = rng
        self.seeds = [rng.randrange(1 << 30) for _ in range(runs)]
        self.others = [rng.randrange(1 << 30) for _ in range(runs)]
        """Dice with which a change that looks good has to prove itself."""
        self.plots = {g: s.plot[g] for g in situation.own if s.plot[g]}
        self.replies: dict[Group, PlotNumber] = {}
        """What the enemy is taken to plot."""
        self.homes = [homes(s, n) for n in (0, 1)]
        self.prizes = [(city.number, situation.worth[city.hex]) for city in s.rules.map.cities]

    def _replies(self) -> dict[Group, PlotNumber]:
        """What the enemy may have plotted."""
        s, enemy = self.s, 1 - self.side
        assault = Assault(s, enemy, Situation(s, enemy), attack_policy_of(s, enemy))
        assault.plan()
        return {g: plot.number for g, plot in assault.plots.items()}

    # ------------------------------------------------------------------ playing it out

    def value(self, plots: dict[Group, PlotNumber], seeds: list[int]) -> float:
        """What the week brings with some plots, on average over the same dice."""
        total = 0.0
        for seed in seeds:
            t = self.s.copy()
            for group in self.situation.own:
                t.plot[group] = plots.get(group, 0)
            for group, number in self.replies.items():
                t.plot[group] = number
            execution.begin(t, Context(SeededDice(seed)))
            total += self.judge(t)
        return total / len(seeds)

    def judge(self, t: State) -> float:
        """The position from this side's point of view."""
        total, policy = 0.0, self.policy
        strength, experience, fatigue = t.strength, t.experience, t.fatigue
        zones = (t.zoc(0), t.zoc(1))
        reached = (self._reached(t, 0, zones[1]), self._reached(t, 1, zones[0]))
        pull = self.situation.pull
        for group in self.situation.power:
            here = t.hex[group]
            if here == OFF:
                continue
            worth = 0.0
            for unit in t.group_units[group]:
                worth += strength[unit] * (experience[unit] * RESTED_SHARE[fatigue[unit]] / UNIT + RAW_STRENGTH)
            mine = group_side(group) == self.side
            worth *= 1 + (policy.entrenchment if mine else policy.enemy_entrenchment) * t.entrench[group]
            close = zones[1 - group_side(group)] >> here & 1 and not stands(t, here, t.entrench[group])
            if close and not open_hexes(t, group):
                worth *= 1 - policy.caught
            elif not reached[group_side(group)] >> here & 1:
                worth *= 1 - policy.ring
            if mine:
                if not self.situation.supplied_hexes >> here & 1:
                    worth *= 1 - policy.hunger
                total += worth * policy.own_loss + FORWARD * policy.pull * pull[here] * min(
                    1.0, worth / FULL_PULL_STRENGTH
                )
            else:
                total -= worth * policy.enemy_loss
        for city, worth in self.prizes:
            if t.owner[city] == self.side:
                total += worth * policy.prize
        return total if t.goal is None else total + lesson.progress(t, self.side)

    def _reached(self, t: State, side: Side, zone: HexBits) -> HexBits:
        """Hexes that are not cut off from a side's depots by enemy groups and their zones.

        An evaluation and no rule: a group in a ring at the end of the week is worth less, over whatever ground the way
        home leads. What depots may enter and how far they supply (5.2) is the rules' to say.
        """
        grid = t.rules.grid
        land = t.rules.map.passable & ~zone & ~t.occ[1 - side]
        found = grid.flood(self.homes[side] & land, land)
        return grid.spread(found) | found

    # ------------------------------------------------------------------ looking for better

    def improve(self, going: Callable[[], bool], tries: int) -> dict[Group, PlotNumber]:
        """Change plots one by one as long as it helps; returns the plots."""
        active = self._active()
        if not active:
            return self.plots
        self.replies = self._replies()
        best, proof, refused = self.value(self.plots, self.seeds), self.value(self.plots, self.others), 0
        for _ in range(tries):
            if refused >= TURNED_DOWN or not going():
                break
            group = self.rng.choice(active)
            choices = [n for n in self._choices(group) if n != self.plots.get(group, 0)]
            if not choices:
                continue
            trial = dict(self.plots)
            number = self.rng.choice(choices)
            if number:
                trial[group] = number
            else:
                trial.pop(group, None)
            value = self.value(trial, self.seeds)
            proved = self.value(trial, self.others) if value > best + LEAST_GAIN else -1e9
            if proved > proof + LEAST_GAIN:
                best, proof, self.plots, refused = value, proved, trial, 0
            else:
                refused += 1
        return self.plots

    def _active(self) -> list[Group]:
        s, found, bound = self.s, [], lesson.to_supply(self.s, self.side)
        for group in self.situation.own:
            here = s.hex[group]
            if here == OFF or bound >> group & 1 or not movement.may_plot_move(s, group):
                continue
            near = self.situation.to_enemy[here]
            if near <= 1 or (near == 2 and plot_ways.goes_twice(s, group)):
                found.append(group)
        return found

    def _choices(self, group: Group) -> list[PlotNumber]:
        """Plots that a group may sensibly be given."""
        s = self.s
        board, here = s.rules.map, s.hex[group]
        enemy = s.occ[1 - self.side]
        open_ = board.passable & ~sum(1 << h for h in members(board.near[here] & enemy) if not self._even(group, h))
        found, twice = [0], plot_ways.goes_twice(s, group)
        for plot, _, end in plot_ways.ways(s, group, open_):
            attack = not plot.second and enemy >> end & 1
            if attack:
                found.append(Plot(plot.first, 0, STOP).number)
            found.append(plot.number)
            if attack and twice:
                found.append(Plot(0, plot.first, ADVANCE).number)
        return found

    def _even(self, group: Group, target: Hex) -> bool:
        """Whether a group and those who attack a hex already come up to even odds, should the enemy stay there, and to
        better ones than an attack that has failed.

        What the enemy is taken to plot is a guess: no group walks into a strong group because it is expected to leave.
        """
        power = self._might(group, target)
        power += sum(
            self._might(g, target) for g, n in self.plots.items() if g != group and self._target(g, n) == target
        )
        least = max(EVEN, self.situation.repulsed.get(target, 0.0))
        return power >= least * self.situation.defence(target, 1 - self.side)

    def _might(self, group: Group, target: Hex) -> float:
        """About the strength with which a group attacks a hex."""
        cover = self.situation.cover(self.s.hex[group], target) * weather_multiple(self.s, self.side)
        return self.situation.power[group] * cover * (MECHANIZED_MULTIPLE if KIND[group] == MECHANIZED else 1.0)

    def _target(self, group: Group, number: PlotNumber) -> Hex:
        """The enemy hex adjacent to a group that a plot attacks first, -1 for none."""
        plot = unpack(number)
        direction = plot.first or plot.second
        there = self.s.rules.map.step[self.s.hex[group]][direction] if direction else -1
        return there if there >= 0 and self.s.occ[1 - self.side] >> there & 1 else -1
