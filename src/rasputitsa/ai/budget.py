"""Thinking time: a fixed budget per player-turn, however many decisions it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rasputitsa.ai.players import TimedClock
from rasputitsa.core.game import Decision, Game


class TurnBudget:
    """The time of one computer player, given out again with each player-turn."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turn: tuple[object, ...] = ()
        self._used = 0.0

    @contextmanager
    def clock(
        self,
        game: Game[Any],
        state: Any,
        decision: Decision,
        hurried: Callable[[], bool] = lambda: False,
        report: Callable[[int, int, str], None] = lambda done, total, text: None,
    ) -> Iterator[TimedClock]:
        """A clock for one decision, showing what is left for the player-turn."""
        seen = game.observe(state, decision.seat)
        turn = ((seen.get("turn") or {}).get("number"), (seen.get("phase") or {}).get("side"))
        if turn != self._turn:
            self._turn, self._used = turn, 0.0
        begun = time.monotonic()
        yield TimedClock(max(0.0, self._seconds - self._used), hurried, report)
        self._used += time.monotonic() - begun
