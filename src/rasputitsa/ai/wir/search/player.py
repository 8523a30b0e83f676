"""The search player of War in Russia: the planner's plans, rehearsed over and over."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.wir.planner import MARGIN, PlannerPlayer
from rasputitsa.ai.wir.search.contest import Contender, Contest, Effort, Time
from rasputitsa.ai.wir.search.leanings import USUAL
from rasputitsa.ai.wir.search.ledger import Ledger
from rasputitsa.ai.wir.search.promise import targets
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.wir.theatre import SIDES

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

SHARE = 0.9
"""Share of the time left in the movement phase that the search may take."""
PLANNING = 0.5
"""Share of that time that may go by before plans are compared."""


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
        rng = random.Random(self.rng.getrandbits(64))
        self.contest = contest = Contest(s, side, self.effort, rng, self._time())
        self.chosen = chosen = contest.decide()
        self.after = chosen.opened
        if chosen.leaning is USUAL and chosen.label == USUAL.name and contest.work is not None:
            return contest.work.script.actions, contest.work.attacked
        script = chosen.plan.carried_out(s)
        return script.finish(), targets(script.s, side)

    def _time(self) -> Time:
        assert self.clock is not None
        clock = self.clock
        whole = clock.left()
        seconds = max(0.0, whole - MARGIN) * SHARE
        return Time(_before(clock, whole - seconds * PLANNING), _before(clock, whole - seconds))


def _before(clock: Clock, limit: float) -> Callable[[], bool]:
    """Whether more than so many seconds are left."""
    return lambda: clock.left() > limit
