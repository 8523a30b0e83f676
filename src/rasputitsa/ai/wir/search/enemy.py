"""What the enemy may have and do: positions in which orders have been given, each with other strengths and
another risk profile."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.wir.evaluation.opponent_model import STRONGEST
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.search.quick_reply import Pulls, QuickReply
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.model.frames import Context
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, UNITS_PER_SIDE, groups_of
from rasputitsa.wir.rules.turn import sequence

SPREAD = 0.35
"""How far the enemy's daring deviates from the usual."""
DOUBT = 0.4
"""How far the strength of a group deviates from what is believed of it: standard deviation of its logarithm, counted in
games of the planner against itself."""
MOST, AT_ONCE, MORE = 48, 12, 2
"""Campaigns of the enemy that are thought out at most, in one go, and more each time; they take much time."""


def marches_later(s: State, side: Side) -> bool:
    """Whether a side's movement phase is still to come this week: the Soviet side's is the first (3.3)."""
    return sequence.PHASES.index(sequence.phase_of(s)) < sequence.PHASES.index((sequence.MOVEMENT, side))


class Enemy:
    """Imagines the enemy's orders in a position in which the own ones, but for plots, are given.

    An enemy that has already moved can only plot. One that moves later brings up fresh groups first, so its whole
    movement phase is worked out.
    """

    def __init__(self, s: State, side: Side, rng: random.Random) -> None:
        """``side`` is the enemy's."""
        self.s = s
        self.side = side
        self.rng = rng
        self.pulls: Pulls = {}
        self.later = marches_later(s, side)
        self.hidden = s.rules.options["fog"] != "open"
        self.known: list[State] = []

    def positions(self, count: int, going: Callable[[], bool] = lambda: True) -> list[State]:
        """This many positions with the enemy's orders; the first holds the usual ones. Repeated where time is up."""
        if not self.later:
            return [self._position(number) for number in range(count)]
        wanted = min(MOST, max(len(self.known) + MORE, min(count, AT_ONCE)))
        while len(self.known) < wanted and (not self.known or going()):
            self.known.append(self._position(len(self.known)))
        others = self.rng.sample(self.known[1:], min(count, len(self.known)) - 1)
        found = [self.known[0], *others]
        return found + self.rng.choices(self.known, k=count - len(found))

    def _position(self, number: int) -> State:
        """The first position is as believed. In the others the enemy's groups are stronger or weaker than that, and the
        enemy knows as little of those it fights, unless the game is played open."""
        t = self.s.copy()
        others = slice((1 - self.side) * UNITS_PER_SIDE, (2 - self.side) * UNITS_PER_SIDE)
        true = bytes(t.strength[others])
        if number and self.hidden:
            for side in (0, 1):
                self._mistake(t, side)
        profile = self._risk_profile(number)
        t = self._marched(t, *profile) if self.later else self._plotted(t, *profile)
        t.strength[others] = true
        return t

    def _mistake(self, t: State, side: Side) -> None:
        """Make each group of a side stronger or weaker by chance."""
        for group in groups_of(side, MECHANIZED, INFANTRY):
            if t.hex[group] != OFF:
                factor = self.rng.lognormvariate(-DOUBT * DOUBT / 2, DOUBT)
                for unit in t.group_units[group]:
                    t.strength[unit] = max(1, min(STRONGEST, round(t.strength[unit] * factor)))

    def _risk_profile(self, number: int) -> tuple[float, float]:
        """Greed and caution compared with the usual."""
        if not number:
            return 1.0, 1.0
        return self.rng.lognormvariate(0.0, SPREAD), self.rng.lognormvariate(0.0, SPREAD)

    def _plotted(self, t: State, boldness: float, caution: float) -> State:
        quick = QuickReply(self.side, self.pulls, boldness, caution)
        for group, number in quick.plots(t, quick.glance(t)).items():
            t.plot[group] = number
        return t

    def _marched(self, t: State, boldness: float, caution: float) -> State:
        t.stack, t.legal = t.stack[:1], None
        sequence.begin_phase(t, sequence.PHASES.index((sequence.MOVEMENT, self.side)), Context(SeededDice(0)))
        movement_planner = MovementPlanner(t, self.side, self.rng)
        movement_planner.policy = QuickReply(self.side, self.pulls, boldness, caution).policy(t)
        movement_planner.simulations = 0
        movement_planner.plan()
        return movement_planner.s
