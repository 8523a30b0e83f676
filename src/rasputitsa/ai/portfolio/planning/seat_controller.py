"""One side's thinking from decision to decision: plans for a phase, announced attacks, logistics."""

from __future__ import annotations

import random
from collections.abc import Callable

from rasputitsa.ai.portfolio.planning import battle
from rasputitsa.ai.portfolio.planning.default_policy import DefaultPolicy, by_verb, fallback
from rasputitsa.ai.portfolio.planning.logistics import LogisticsPlanner
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.core.actions import Action
from rasputitsa.core.frames import asked
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.indices import Hex, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.movement.movement import Moving
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach

LOGISTICS = {
    "replacement", "replace", "reinforce", "rail", "sea", "displace", "displace_to", "deployment", "deploying",
}  # fmt: skip
Planner = Callable[["State", Side, UnitBits, Going], Plan]


def always() -> bool:
    """There is always time."""
    return True


class SeatController:
    """Answers every decision of one seat; how a phase is planned can be put in from outside."""

    def __init__(self, side: Side, level: Level, rng: random.Random, planner: Planner | None = None) -> None:
        self.side = side
        self.level = level
        self.rng = rng
        self.planner = planner or self.quick_plan
        self.plan: Plan | None = None
        self.orders: battle.Announcements | None = None
        self.orders_key: tuple[int, ...] = ()
        self.logistics: LogisticsPlanner | None = None
        self.given_up: set[Hex] = set()
        self.moving_to: tuple[Unit, Hex] | None = None
        self.going: Going = always
        self.idle_logistics = False
        """Leave out logistics (when looking ahead)."""
        self.idle_reserves = False
        """Leave out reserves phases (when looking ahead)."""

    def quick_plan(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        """A plan without looking ahead."""
        return PhasePlanner(s, side, mine, self.level, RiskProfile(), self.rng, going).plan()

    def answer(self, s: State, decision: Decision) -> Action:
        """One of the options."""
        action = self._think(s, decision)
        if action is None or action not in decision.options:
            action = DefaultPolicy(s, decision).answer()
        return action if action in decision.options else fallback(decision.options)

    def _think(self, s: State, decision: Decision) -> Action | None:
        kind = decision.kind
        if kind == "movement":
            return self._movement(s, decision)
        if kind == "moving":
            return self._moving(s, decision)
        if kind in LOGISTICS:
            if self.idle_logistics:
                return None
            return self._plan_logistics(s, decision)
        if kind == "attack":
            return self._announce(s, decision)
        if kind == "pick":
            return self.rng.choice(list(decision.options))
        return self._fight(s, decision)

    def mine(self, s: State, decision: Decision) -> UnitBits:
        """Units of the seat that is asked."""
        return next(seat.units for seat in s.rules.seats if seat.id == decision.seat)

    # ------------------------------------------------------------------ movement

    def _movement(self, s: State, decision: Decision) -> Action:
        if s.reserve and self.idle_reserves:
            return Action("done")
        key = (s.turn, s.side, s.reserve)
        if self.plan is None or self.plan.key != key:
            self.plan = self.planner(s, self.side, self.mine(s, decision), self.going)
            self.plan.key = key
        return self._next_move(s, decision) or Action("done")

    def _next_move(self, s: State, decision: Decision) -> Action | None:
        """A planned move that can be made now."""
        assert self.plan is not None
        movable = {a.args[0] for a in by_verb(decision.options, "move")}
        for unit, target in list(self.plan.moves.items()):
            if unit not in movable or s.pos[unit] == target:
                del self.plan.moves[unit]
                continue
            found = reach(s, moving_stack(s, (unit,), 0, 0))
            if found.plain >> target & 1:
                del self.plan.moves[unit]
                self.moving_to = unit, target
                return Action("move", (unit,))
        return None

    def _moving(self, s: State, decision: Decision) -> Action:
        frame = asked(s, Moving)
        unit = frame.units[0]
        if self.moving_to is not None and self.moving_to[0] == unit:
            action = Action("to", (self.moving_to[1],))
            self.moving_to = None
            if action in decision.options:
                return action
        return Action("halt") if Action("halt") in decision.options else Action("back")

    # ------------------------------------------------------------------ attacks

    def _announce(self, s: State, decision: Decision) -> Action:
        key = (s.turn, s.side, s.reserve)
        if self.orders is None or self.orders_key != key:
            self.given_up = set()
            may_declare = Action("offensive") in decision.options
            mine = self.mine(s, decision)
            self.orders = battle.Deliberation(s, self.side, mine, self.level, self.rng, self.going).decide(may_declare)
            self.orders_key = key
        return battle.announce(s, list(decision.options), self.orders, self.given_up)

    def _fight(self, s: State, decision: Decision) -> Action | None:
        fight = battle.Fight(s, decision, self.side)
        kind = decision.kind
        if kind == "build_attack":
            if hasattr(s.stack[-1], "origin"):
                return fight.build_breakthrough(self.given_up)
            return battle.build(s, list(decision.options), self.orders, self.given_up)
        if kind == "breakthrough":
            return fight.breakthrough(self.given_up)
        answers = {
            "resolve": fight.resolve, "advance": fight.advance, "advance_step": fight.advance_step,
            "window": fight.voluntary_retreat, "no_retreat": fight.no_retreat,
            "retreat": fight.retreat_choice, "retreat_length": fight.retreat_choice,
        }  # fmt: skip
        return answers[kind]() if kind in answers else None

    # ------------------------------------------------------------------ logistics

    def _plan_logistics(self, s: State, decision: Decision) -> Action | None:
        key = (s.turn, self.side)
        if self.logistics is None or self.logistics.key != key:
            self.logistics = LogisticsPlanner(key, self.side, self.level, self.rng)
        return self.logistics.answer(s, decision, self.going)
