"""The planner: a computer opponent that plans each phase as a whole."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.portfolio import battle
from rasputitsa.ai.portfolio.habits import Habits, by_verb, fallback
from rasputitsa.ai.portfolio.operations import Level, Operations, Plan
from rasputitsa.ai.portfolio.staff import Staff
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.portfolio.reach import marcher, reach
from rasputitsa.portfolio.theatre import AXIS, SOVIET

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

RESERVE_SECONDS = 0.3


class PlannerPlayer:
    """Plans attacks and places together, and fights its battles by reckoning."""

    def __init__(
        self, game: Game[Any], options: Mapping[str, str], seed: int | None = None, level: Level | None = None
    ) -> None:
        self.level = level or Level()
        self.rng = random.Random(seed)
        self.plan: Plan | None = None
        self.orders: battle.Announcements | None = None
        self.orders_key: tuple[int, ...] = ()
        self.staff: Staff | None = None
        self.given_up: set[int] = set()
        self.moving_to: tuple[int, int] | None = None
        self.failures: list[str] = []

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The answer; whatever goes wrong, a legal one."""
        options = list(decision.options)
        if len(options) == 1:
            return options[0]
        try:
            action = self._choose(state, decision, clock)
        except Exception as problem:  # a player must never fail the game
            self.failures.append(f"{decision.kind}: {problem!r}")
            action = None
        if action is not None and action in options:
            return action
        try:
            action = Habits(state, decision).answer()
        except Exception as problem:
            self.failures.append(f"habit {decision.kind}: {problem!r}")
            action = fallback(options)
        return action if action in options else fallback(options)

    def _choose(self, s: State, decision: Decision, clock: Clock) -> Action | None:
        side = SOVIET if decision.side == "soviet" else AXIS
        kind = decision.kind
        going = self._timer(clock)
        seat = next(n for n, seat in enumerate(s.rules.seats) if seat.id == decision.seat)
        mine = s.rules.seats[seat].units
        if kind == "movement":
            return self._movement(s, decision, side, mine, going)
        if kind == "moving":
            return self._moving(s, decision)
        if kind in ("replacement", "replace", "reinforce", "rail", "sea", "displace", "displace_to"):
            return self._staff_work(s, decision, side, going)
        if kind in ("deployment", "deploying"):
            return self._staff_work(s, decision, side, going)
        if kind == "attack":
            return self._announce(s, decision, side, mine, going)
        if kind == "pick":
            return self.rng.choice(list(decision.options))
        return self._fight(s, decision, side)

    def _timer(self, clock: Clock) -> Callable[[], bool]:
        left = clock.left() - RESERVE_SECONDS
        end = time.monotonic() + left * 0.6
        return lambda: time.monotonic() < end

    # ------------------------------------------------------------------ movement

    def _movement(
        self, s: State, decision: Decision, side: int, mine: int, going: Callable[[], bool]
    ) -> Action | None:
        key = (s.turn, s.side, s.reserve)
        if self.plan is None or self.plan.key != key:
            self.plan = Operations(s, side, mine, self.level, self.rng, going).plan(key)
        action = self._next_move(s, decision)
        if action is None:
            return Action("done")
        return action

    def _next_move(self, s: State, decision: Decision) -> Action | None:
        """A planned move that can be made now."""
        assert self.plan is not None
        movable = {a.args[0] for a in by_verb(decision.options, "move")}
        for unit, target in list(self.plan.moves.items()):
            if unit not in movable or s.pos[unit] == target:
                del self.plan.moves[unit]
                continue
            found = reach(s, marcher(s, (unit,), 0, 0))
            if found.plain >> target & 1:
                del self.plan.moves[unit]
                self.moving_to = unit, target
                return Action("move", (unit,))
        return None

    def _moving(self, s: State, decision: Decision) -> Action:
        frame = s.stack[-1]
        unit = int(frame.units[0])  # type: ignore[attr-defined]
        if self.moving_to is not None and self.moving_to[0] == unit:
            target = self.moving_to[1]
            self.moving_to = None
            action = Action("to", (target,))
            if action in decision.options:
                return action
        return Action("halt") if Action("halt") in decision.options else Action("back")

    # ------------------------------------------------------------------ attacks

    def _announce(
        self, s: State, decision: Decision, side: int, mine: int, going: Callable[[], bool]
    ) -> Action | None:
        key = (s.turn, s.side, s.reserve)
        if self.orders is None or self.orders_key != key or not s.attacks:
            if self.orders_key != key:
                self.given_up = set()
            self.orders = battle.Announcements(s, side, mine, self.level, self.rng, going)
            self.orders_key = key
        return battle.announce(s, list(decision.options), self.orders, self.given_up)

    def _fight(self, s: State, decision: Decision, side: int) -> Action | None:
        fight = battle.Fight(s, decision, side)
        kind = decision.kind
        if kind == "build_attack":
            if hasattr(s.stack[-1], "origin"):
                return fight.build_breakthrough()
            return battle.build(s, list(decision.options), self.orders, self.given_up)
        table: dict[str, Callable[[], Action]] = {
            "resolve": fight.resolve, "breakthrough": fight.breakthrough, "advance": fight.advance,
            "advance_step": fight.advance_step, "window": fight.window, "retreat": fight.retreat_choice,
            "retreat_length": fight.retreat_choice,
        }  # fmt: skip
        return table[kind]() if kind in table else None

    # ------------------------------------------------------------------ staff work

    def _staff_work(self, s: State, decision: Decision, side: int, going: Callable[[], bool]) -> Action | None:
        key = (s.turn, side)
        if self.staff is None or self.staff.key != key:
            self.staff = Staff(key, side, self.level, self.rng)
        return self.staff.answer(s, decision, going)
