"""The planner of War in Russia: a computer opponent that plans each phase of its week as a whole.

``PhasePlayer`` is the part that any such player shares: it has a phase planned as a list of orders and gives them one
by one, whatever chance does to them in between.
"""

from __future__ import annotations

import logging
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.depots import Supplier
from rasputitsa.ai.wir.planning.movement_planner import MovementPlanner
from rasputitsa.ai.wir.planning.order_list import closing
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.victory import victory

log = logging.getLogger(__name__)
MOST_PLANS = 6
"""Times a phase is planned again when chance has upset the orders."""
MOST_ANSWERS = 900
"""Answers in one phase, after which only closing ones are given."""
MARGIN_SECONDS = 0.2
"""Seconds kept in reserve before a share of the time left is given to a plan."""
SEED_BITS = 63
SHORT_OF_TIME, HURRIED_SIMULATIONS = 4.0, 12
"""With fewer seconds left than the first only the second number of changes of plots is tried; else the number would
depend on the clock."""
LEVEL_RULE = "10.0"
LEAST_WEEKS = 8
"""Before this nobody is taken to have given up."""


class PhasePlayer(ABC):
    """Gives the orders of a planned phase one by one; knows only what its side sees."""

    def __init__(self, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> None:
        self.seed = random.getrandbits(SEED_BITS) if seed is None else seed
        self.rng = random.Random(self.seed)
        """For one plan; each has its own, so that it depends on nothing but the game."""
        self.memories: dict[Side, SeatMemory] = {}
        self.orders: list[Action] = []
        self.phase: tuple[object, ...] = ()
        self.plans = 0
        self.answers = 0
        self.planned = 0
        """Plans made in all."""
        self.leisure = 0.0
        """Seconds there were for the movement phase when it began."""
        self.failures: list[str] = []
        self.upset: list[str] = []
        """Orders that were no longer possible when their turn came."""

    def remember(self, memory: SeatMemory) -> None:
        """Think with a memory that others keep."""
        self.memories[memory.side] = memory

    def notes(self) -> dict[str, Any]:
        """The plan in hand, as plain JSON values."""
        return {
            "phase": list(self.phase), "plans": self.plans, "answers": self.answers,
            "orders": [[order.verb, *order.args] for order in self.orders],
        }  # fmt: skip

    def take_up(self, notes: Mapping[str, Any], given: Sequence[Action]) -> None:
        """Go on with the plan of some notes, of which some answers have been given since."""
        self.phase, self.plans, self.answers = tuple(notes["phase"]), notes["plans"], notes["answers"]
        self.orders = [Action(verb, tuple(args)) for verb, *args in notes["orders"]]
        for action in given:
            if self.orders and self.orders[0] == action:
                self.orders.pop(0)
            self.answers += 1

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        """The next order; whatever goes wrong, a legal one."""
        options = list(decision.options)
        if len(options) == 1:
            if self.orders and self.orders[0] == options[0]:
                self.orders.pop(0)
            return options[0]
        if decision.kind == "proposal":
            answer = Action("agree" if self._agrees(state, decision) else "decline")
            return answer if answer in options else closing(options)
        phase = (state.turn, decision.side, _phase(decision.kind))
        if phase != self.phase:
            self.phase, self.orders, self.plans, self.answers = phase, [], 0, 0
        self.answers += 1
        try:
            action = self._next(state, decision, options, clock)
        except Exception as problem:  # a player must never fail the game
            log.exception("the planner failed at %s in turn %d", decision.kind, state.turn)
            self.failures.append(f"{decision.kind}: {problem!r}")
            self.orders, self.plans = [], MOST_PLANS
            action = None
        return action if action is not None and action in options else self._fallback(decision, options)

    def _agrees(self, s: State, decision: Decision) -> bool:
        """The level of play is for the other player to choose (10.0); the end, when it leaves the victory here."""
        if decision.rule == LEVEL_RULE:
            return True
        return s.turn > LEAST_WEEKS and _ahead(s) == decision.side

    def _next(self, s: State, decision: Decision, options: list[Action], clock: Clock) -> Action | None:
        if self.answers > MOST_ANSWERS:
            return None
        if self.orders and self.orders[0] in options:
            return self.orders.pop(0)
        if self.orders:
            self.upset.append(f"{decision.kind}: {self.orders[0]}")
        self.orders = []
        if decision.kind not in ("adjust", "depot", "movement") or self.plans >= MOST_PLANS:
            return None
        self.plans += 1
        self.planned += 1
        self.orders = self._plan(s, decision, clock)
        if self.orders and self.orders[0] in options:
            return self.orders.pop(0)
        return None

    def _plan(self, s: State, decision: Decision, clock: Clock) -> list[Action]:
        """The orders of a phase, made on the position as it is believed to be."""
        side = SIDES.index(decision.side)
        memory = self.memories.setdefault(side, SeatMemory(side))
        memory.look(s)
        imagined = memory.enemy.imagine(s)
        self.rng = random.Random(f"{self.seed} {side} {s.turn} {decision.kind} {self.plans}")
        if decision.kind == "adjust":
            return self.adjust(imagined, side)
        if decision.kind == "depot":
            points = memory.stores.open(s)
            return self.supply(imagined, side, points)
        self.leisure = clock.left()
        rest = self.leisure - max(0.0, self.leisure - MARGIN_SECONDS) * 0.5
        return self.move(imagined, side, lambda: clock.left() > rest)

    @abstractmethod
    def adjust(self, s: State, side: Side) -> list[Action]:
        """The orders of the adjustment phase (4)."""

    @abstractmethod
    def supply(self, s: State, side: Side, points: int) -> list[Action]:
        """The orders of the supply phase (5), with the supply points there should be."""

    @abstractmethod
    def move(self, s: State, side: Side, going: Callable[[], bool]) -> list[Action]:
        """The orders of the movement phase (6)."""

    def _fallback(self, decision: Decision, options: list[Action]) -> Action:
        """Staff work where nothing better is known, and the way out of every question."""
        verb = {"depot": "auto_supply", "movement": "auto_all"}.get(decision.kind, "")
        if verb and self.answers <= MOST_ANSWERS and self.plans <= MOST_PLANS:
            self.plans = MOST_PLANS + 1
            staff = Action(verb)
            if staff in options:
                return staff
        return closing(options)


class PlannerPlayer(PhasePlayer):
    """Plays either side, each phase planned as a whole."""

    def adjust(self, s: State, side: Side) -> list[Action]:
        return Production(s, side, Situation(s, side)).plan()

    def supply(self, s: State, side: Side, points: int) -> list[Action]:
        return Supplier(s, side, Situation(s, side), points).plan()

    def move(self, s: State, side: Side, going: Callable[[], bool]) -> list[Action]:
        movement_planner = self.planner(s, side, going)
        if side in self.memories and s.goal is None:  # there is no later week for which to spare oneself
            movement_planner.repulsed = self.memories[side].repulses.least()
        if self.leisure < SHORT_OF_TIME:
            movement_planner.simulations = HURRIED_SIMULATIONS
        return movement_planner.plan()

    def planner(self, s: State, side: Side, going: Callable[[], bool]) -> MovementPlanner:
        """What plans the movement phase."""
        return MovementPlanner(s, side, self.rng, going)


def _phase(kind: str) -> str:
    """The phase a question belongs to."""
    if kind == "depot":
        return "supply"
    return "movement" if kind in ("movement", "orders") else "adjust"


def _ahead(s: State) -> str | None:
    """Who would win if the war ended now."""
    return victory.winner_of(victory.tally(s)["difference"], s.rules.sheet["victory"])
