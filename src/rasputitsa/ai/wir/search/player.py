"""The search player of War in Russia: the planner's plans, the week simulated over and over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.ai.wir.players.planner import MARGIN_SECONDS, PlannerPlayer
from rasputitsa.ai.wir.search.searched_movement import SearchedMovement
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.wir.model.indices import Side
from rasputitsa.wir.model.state import State

SHARE = 0.9
"""Share of the time left that the movement phase may take."""
TRIES = 30_000
"""Changes of plots that are tried in a week at most."""


class SearchPlayer(PlannerPlayer):
    """Uses all its time to better the planner's plan in simulation."""

    def __init__(
        self, game: Game[Any], options: Mapping[str, str], seed: int | None = None, tries: int = TRIES
    ) -> None:
        super().__init__(game, options, seed)
        self.tries = tries
        self.clock: Clock | None = None
        self.work: SearchedMovement | None = None
        """Who made the last plan of a movement phase."""

    def _plan(self, s: State, decision: Decision, clock: Clock) -> list[Action]:
        self.clock = clock
        return super()._plan(s, decision, clock)

    def move(self, s: State, side: Side, going: Callable[[], bool]) -> list[Action]:
        self.work = SearchedMovement(s, side, self.rng, self._going(), self.tries)
        return self.work.plan()

    def _going(self) -> Callable[[], bool]:
        """Whether there is time left to try more."""
        assert self.clock is not None
        clock = self.clock
        whole = clock.left()
        limit = whole - max(0.0, whole - MARGIN_SECONDS) * SHARE
        return lambda: clock.left() > limit
