"""The search player: the planner's plans, played out in many imagined worlds and judged by the fitted value."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.players import Clock, TimedClock
from rasputitsa.ai.portfolio.planning import battle
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, Plan
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController
from rasputitsa.ai.portfolio.players.planner import MARGIN_SECONDS, PlannerPlayer
from rasputitsa.ai.portfolio.search.answers import ASKED, better, candidates, tried
from rasputitsa.ai.portfolio.search.racing import LIGHT, AttackRace, Effort, PlanRace, Time
from rasputitsa.ai.portfolio.search.rollout import Rollout
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.portfolio.model.indices import Side, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

SHARE = 0.75
"""Share of the time left that one plan may take; reserves and battles are still to come."""
ORDERS = 0.3
"""Share of the time left that may be spent on the list of attacks."""
PLANNING = 0.3
"""Share of that time that may go by before plans are compared."""
AMPLE = 6.0
"""Seconds left from which on plans are better chosen by trial than by the planner alone."""
ANSWER = 0.06
"""Share of the time left for a question of a battle: the usual answer is seldom bettered, and people wait for it."""
WORLDS = 18
"""Worlds in which answers to such a question are tried."""


class SearchingSeat(SeatController):
    """A seat controller whose attacks, too, are chosen by trial."""

    def __init__(self, side: Side, player: SearchPlayer) -> None:
        super().__init__(side, player.level, player.rng, player.plan)
        self.player = player

    def answer(self, s: State, decision: Decision) -> Action:
        """One of the options; those of a battle by trial."""
        usual = super().answer(s, decision)
        return self.player.best_answer(s, self.side, decision, usual) if decision.kind in ASKED else usual

    def _announce(self, s: State, decision: Decision) -> Action:
        key = (s.turn, s.side, s.reserve)
        if self.orders is None or self.orders_key != key:
            self.given_up = set()
            may_declare = Action("offensive") in decision.options
            self.orders = self.player.orders(s, self.side, self.mine(s, decision), may_declare)
            self.orders_key = key
        return battle.announce(s, list(decision.options), self.orders, self.given_up)


class SearchPlayer(PlannerPlayer):
    """Simulates many plans before it moves."""

    def __init__(
        self,
        game: Game[Any],
        options: Mapping[str, str],
        seed: int | None = None,
        level: Level | None = None,
        effort: Effort | None = None,
    ) -> None:
        super().__init__(game, options, seed, level)
        self.effort = effort or Effort()
        self.clock: Clock = TimedClock(0)
        self.time = Time(lambda: False, lambda: False)
        self.race: PlanRace | None = None
        """The choice of the latest plan, as far as it has come."""

    def _choose(self, s: State, decision: Decision, clock: Clock) -> Action:
        controller = self.controllers.get(decision.seat)
        if controller is None:
            side = SOVIET if decision.side == "soviet" else AXIS
            controller = self.controllers[decision.seat] = SearchingSeat(side, self)
        self.clock = clock
        self.time = self._time(clock, SHARE)
        controller.going = self.time.to_try
        return controller.answer(s, decision)

    def plan(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        """The plan of a movement phase."""
        hurried = self.clock.left() <= AMPLE
        if hurried and not s.reserve:
            self.race = None
            return super()._plan(s, side, mine, going)
        rng = random.Random(self.rng.getrandbits(64))
        self.race = PlanRace(s, side, mine, LIGHT if hurried else self.level, self.effort, rng, self.time)
        chosen = self.race.decide().plan
        assert chosen is not None
        return chosen

    def orders(self, s: State, side: Side, mine: UnitBits, may_declare: bool = False) -> battle.Announcements:
        """The attacks of a phase."""
        limit = self._time(self.clock, ORDERS)
        usual = battle.Deliberation(s, side, mine, self.level, self.rng, limit.to_try).decide(may_declare)
        rng = random.Random(self.rng.getrandbits(64))
        lists = [usual]
        planned = self.race.field[0].opening if self.race is not None else None
        if planned is not None and planned.orders is not None and planned.state.pos == s.pos:
            lists.append(planned.orders)
        return AttackRace(s, side, self.effort, rng, limit).decide(lists)

    def best_answer(self, s: State, side: Side, decision: Decision, usual: Action) -> Action:
        """The usual answer to a question of a battle, or one that proves better in simulation."""
        options = candidates(s, decision, usual)
        limit = self._time(self.clock, ANSWER)
        if len(options) < 2 or not limit.to_try():
            return usual
        trial = Rollout(s, side, self.rng.getrandbits(30), limit.to_try)
        return options[better(tried(trial, options, WORLDS), trial.odds(s))]

    @staticmethod
    def _time(clock: Clock, share: float) -> Time:
        left = clock.left()
        seconds = share * (left - MARGIN_SECONDS)
        plan, end = left - PLANNING * seconds, left - seconds
        return Time(lambda: clock.left() > plan, lambda: clock.left() > end)
