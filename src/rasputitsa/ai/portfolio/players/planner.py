"""The planner: a computer opponent that plans each phase as a whole and plays its plans out in simulation."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.portfolio.planning.default_policy import DefaultPolicy, fallback
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, Plan
from rasputitsa.ai.portfolio.planning.plan_selection import PlanSelection
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.portfolio.model.indices import Side, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET

log = logging.getLogger(__name__)
MARGIN_SECONDS = 0.3
"""Seconds kept in reserve before a share of the time left is given to a plan."""
SHARE = 0.6
"""Share of the time left that one decision may take."""
MOST_REPEATS = 4
"""How often the same action may be given in the same position; after that it counts as going in circles."""


class PlannerPlayer:
    """Plans attacks and places together, and fights its battles by expected results."""

    def __init__(
        self, game: Game[Any], options: Mapping[str, str], seed: int | None = None, level: Level | None = None
    ) -> None:
        self.level = level or Level()
        self.rng = random.Random(seed)
        self.controllers: dict[str, SeatController] = {}
        self.failures: list[str] = []
        self.opened: Counter[tuple[object, ...]] = Counter()

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The answer; whatever goes wrong, a legal one."""
        options = decision.options
        if len(options) == 1:
            return options[0]
        try:
            action = self._choose(state, decision, clock)
            if action in options and not self._circling(state, decision, action):
                return action
        except Exception as problem:  # a player must never fail the game
            log.exception("the planner failed at %s in turn %d", decision.kind, state.turn)
            self.failures.append(f"{decision.kind}: {problem!r}")
        try:
            action = DefaultPolicy(state, decision).answer()
        except Exception as problem:  # likewise
            log.exception("the planner's default policy failed at %s in turn %d", decision.kind, state.turn)
            self.failures.append(f"default policy, {decision.kind}: {problem!r}")
            action = fallback(options)
        if action not in options or self._circling(state, decision, action):
            action = fallback(options)
        return action

    def _circling(self, s: State, decision: Decision, action: Action) -> bool:
        """Whether the same thing has been begun and dropped again and again in this phase."""
        key = (s.turn, s.side, s.reserve, decision.kind, action, s.moved, s.attacked, s.attacks)
        self.opened[key] += 1
        if len(self.opened) > 5000:
            self.opened.clear()
        return self.opened[key] > MOST_REPEATS

    def _choose(self, s: State, decision: Decision, clock: Clock) -> Action:
        controller = self.controllers.get(decision.seat)
        if controller is None:
            side = SOVIET if decision.side == "soviet" else AXIS
            controller = self.controllers[decision.seat] = SeatController(side, self.level, self.rng, self._plan)
        controller.going = self._timer(clock)
        return controller.answer(s, decision)

    def _plan(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        return PlanSelection(s, side, mine, self.level, self.rng, going).decide()

    def _timer(self, clock: Clock) -> Going:
        left = clock.left()
        rest = left - (left - MARGIN_SECONDS) * SHARE
        return lambda: clock.left() > rest
