"""Playing a plan out in simulation: own phase, the enemy's answer, and what the position is worth then."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from rasputitsa.ai.portfolio.planning.battle import Announcements
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, PhasePlanner, Plan, RiskProfile
from rasputitsa.ai.portfolio.planning.seat_controller import SeatController
from rasputitsa.ai.portfolio.search.value import axis_chance, hope
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import DIE, Draw, SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.portfolio.model.combat import RESOLVED
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.indices import Hex, Side, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET

QUICK = Level(tries=100, rounds=0, sweeps=1, candidates=6, polish=0, plans=1)
"""How hard the enemy thinks in a simulation."""
CAREFUL = replace(QUICK, tries=300)
"""How hard is thought about the own attacks, once for each plan."""
MAX_ROLLOUT_STEPS = 4000
"""Answers and dice of one simulation, which ends long before."""
ORDERS = tuple(permutations(range(1, DIE + 1)))
"""The orders in which a throw may show its numbers in a set of worlds."""


class WorldDice:
    """The dice of one imagined world: the attack on a hex meets the same luck, whatever else is done.

    Worlds come in sets of six: in each a throw shows every number once (a Latin hypercube), so that much of the luck is
    gone from the mean of a set.
    """

    def __init__(self, s: State, seed: int, world: int) -> None:
        self.s = s
        self.set, self.place = divmod(world, DIE)
        self.dice = SeededDice(seed * 1009 + self.set)
        self.drawn: list[Draw] = []
        self.phase: tuple[int, ...] = ()
        self.fought: set[Hex] = set()

    def roll(self, stream: str, sides: int = DIE) -> int:
        """A throw that depends on the phase and the hexes fought for."""
        s = self.s
        phase = (s.turn, s.side, s.reserve)
        if phase != self.phase:
            self.phase, self.fought = phase, set()
        targets: tuple[Hex, ...] = ()
        for number, attack in enumerate(s.attacks):
            if attack.state == RESOLVED and number not in self.fought:
                self.fought.add(number)
                targets = attack.targets
        name = f"{stream} {phase} {targets}"
        if sides == DIE:
            value = ORDERS[self.dice.roll(name, len(ORDERS)) - 1][self.place]
        else:
            value = self.dice.roll(f"{name} {self.place}", sides)
        self.drawn.append(Draw(stream, value))
        return value


class QuickController(SeatController):
    """Who acts for a side in a simulation: quick plans, replacements as usual, and Reserves Phases only on request."""

    def __init__(self, side: Side, rng: random.Random) -> None:
        super().__init__(side, QUICK, rng)
        self.idle_reserves = True

    def quick_plan(self, s: State, side: Side, mine: UnitBits, going: Going) -> Plan:
        """A plan without second thoughts."""
        return PhasePlanner(s, side, mine, self.level, RiskProfile(), self.rng, going).plan()

    def instruct(self, s: State, plan: Plan | None, orders: Announcements | None) -> None:
        """What to do in the present phase."""
        phase = s.turn, s.side, s.reserve
        if plan is not None:
            self.plan = Plan(phase, dict(plan.moves), plan.scheme, [])
            self.idle_reserves = False
        if orders is not None:
            self.orders, self.orders_key = orders, phase


class Opening(NamedTuple):
    """Where a plan has led before the first die is cast, and what its side means to do then."""

    state: State
    orders: Announcements | None
    given_up: set[Hex]


class Rollout:
    """Trials of what a side might do from one position."""

    def __init__(self, s: State, side: Side, seed: int, going: Going) -> None:
        self.s = s
        self.side = side
        self.seed = seed
        self.going = going

    def controllers(self, world: int) -> tuple[QuickController, QuickController]:
        """Who acts in one world."""
        axis, soviet = (QuickController(side, random.Random(f"{self.seed} {side} {world}")) for side in (AXIS, SOVIET))
        return axis, soviet

    def opening(self, plan: Plan | None, orders: Announcements | None = None) -> Opening | None:
        """Carry a plan out, or announce attacks, up to the first die; None if time ran out."""
        s = self.s
        controllers = self.controllers(-1)
        own = controllers[self.side]
        own.level = CAREFUL
        phase = s.turn, s.side, s.reserve
        own.instruct(s, plan, orders)
        s = s.copy()
        dice = WorldDice(s, self.seed, 0)
        for _ in range(MAX_ROLLOUT_STEPS):
            if s.outcome is not None or (s.turn, s.side, s.reserve) != phase or s.stack[-1].kind == "resolve":
                break
            if not self.going():
                return None
            before = s.copy()
            self.step(s, controllers, dice)
            if dice.drawn:
                return Opening(before, own.orders, own.given_up)
        return Opening(s, own.orders, own.given_up)

    def value(self, opening: Opening, world: int) -> float | None:
        """This side's odds of winning in one world, as a logarithm, judged at its next Initial Movement Phase."""
        s = opening.state.copy()
        controllers = self.controllers(world)
        controllers[self.side].instruct(self.s, None, opening.orders)
        controllers[self.side].given_up = set(opening.given_up)
        return self.finish(s, controllers, WorldDice(s, self.seed, world))

    def option(self, action: Action, world: int) -> float | None:
        """The same for one answer to the question at hand."""
        s = self.s.copy()
        controllers = self.controllers(world)
        dice = WorldDice(s, self.seed, world)
        self.carry_out(s, action, dice)
        return self.finish(s, controllers, dice)

    def finish(self, s: State, controllers: tuple[QuickController, QuickController], dice: WorldDice) -> float | None:
        """Play on to this side's next Initial Movement Phase; None if time ran out."""
        begun = self.s.turn, self.s.side
        for _ in range(MAX_ROLLOUT_STEPS):
            over = (
                (s.turn, s.side) != begun and s.side == self.side and not s.reserve and s.stack[-1].kind == "movement"
            )
            if s.outcome is not None or over:
                break
            if not self.going():
                return None
            self.step(s, controllers, dice)
        return self.odds(s)

    def odds(self, s: State) -> float:
        """How a position stands for this side."""
        odds = hope(axis_chance(s))
        return odds if self.side == AXIS else -odds

    def step(self, s: State, controllers: tuple[QuickController, QuickController], dice: WorldDice) -> None:
        """One decision."""
        frame = s.stack[-1]
        options = s.legal if s.legal is not None else frame.options(s)
        action = options[0]
        if len(options) > 1:
            seat = s.rules.seats[frame.seat(s)]
            decision = Decision(seat.id, SIDES[seat.side], frame.kind, frame.rule, "", options)
            action = controllers[seat.side].answer(s, decision)
        self.carry_out(s, action, dice)

    @staticmethod
    def carry_out(s: State, action: Action, dice: WorldDice) -> None:
        """Make a choice, and go on to the next."""
        context = Context(dice)
        frame = s.stack[-1]
        s.legal = None
        frame.apply(s, action, context)
        settle(s, context)
