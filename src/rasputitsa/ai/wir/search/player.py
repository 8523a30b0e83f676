"""The search player of War in Russia: the planner's plans, played out in the mind over several weeks."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.wir.planner import MARGIN, PlannerPlayer
from rasputitsa.ai.wir.search.contest import Contender, Contest, Effort, Time
from rasputitsa.ai.wir.search.leanings import USUAL, made
from rasputitsa.ai.wir.search.ledger import Ledger
from rasputitsa.ai.wir.search.promise import targets
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.wir.theatre import SIDES

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SHARE = 0.9
"""Share of the time left in the movement phase that the search may take."""
DRILL, PLANNING = 0.5, 0.75
"""Shares of that time that may go by before other plans are made, and before plans are compared."""


class SearchPlayer(PlannerPlayer):
    """Tries many plans in the mind before it moves."""

    def __init__(
        self, game: Game[Any], options: Mapping[str, str], seed: int | None = None, effort: Effort | None = None
    ) -> None:
        super().__init__(game, options, seed)
        self.effort = effort or Effort()
        self.clock: Clock | None = None
        self.contest: Contest | None = None
        self.chosen: Contender | None = None
        self.after: State | None = None
        """The imagined position after the orders of the last plan."""

    def _plan(self, s: State, decision: Decision, clock: Clock) -> list[Action]:
        self.clock = clock
        side = SIDES.index(decision.side)
        self.beliefs.setdefault(side, Ledger(side))
        return super()._plan(s, decision, clock)

    def move(self, s: State, side: int, going: Callable[[], bool]) -> tuple[list[Action], set[int]]:
        limit = self._time()
        plan, work = made(s, side, USUAL, self.rng, limit.to_drill, self.effort.drill)
        usual = Contender(USUAL.name, USUAL, plan)
        rng = random.Random(self.rng.getrandbits(64))
        self.contest = Contest(s, side, self.effort, rng, limit)
        self.chosen = self.contest.decide(usual)
        if self.chosen is usual:
            self.after = work.script.s
            return work.script.actions, work.attacked
        script = self.chosen.plan.carried_out(s)
        self.after = script.s
        return script.finish(), targets(script.s, side)

    def _time(self) -> Time:
        assert self.clock is not None
        clock = self.clock
        whole = clock.left()
        seconds = max(0.0, whole - MARGIN) * SHARE
        shares = (DRILL, PLANNING, 1.0)
        return Time(*(_before(clock, whole - seconds * share) for share in shares))


def _before(clock: Clock, limit: float) -> Callable[[], bool]:
    """Whether more than so many seconds are left."""
    return lambda: clock.left() > limit
