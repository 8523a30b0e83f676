"""Bot workers with flaws, run in place of the real one."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

from rasputitsa.ai.players import Clock
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.server.workers import analysis_jobs, bots


def die(pipe: Connection) -> None:
    """Gone before the first answer."""
    os._exit(1)


class _Slow:
    """Thinks until the clock runs out, then takes the last option; says so all the while."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        while clock.left() > 0:
            clock.report(1, 60, "thinking")
            time.sleep(0.02)
        return decision.options[-1]


class _Cheat:
    """Takes what is not offered."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        return Action("win", (1,))


class _Peek:
    """Guesses what it sees."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        wanted = Action("guess", (state.secret,))
        return wanted if wanted in decision.options else decision.options[0]


def slow(pipe: Connection) -> None:
    """A worker whose bots take all the time there is."""
    _serve_with(_Slow, pipe)


def cheat(pipe: Connection) -> None:
    """A worker whose bots break the rules."""
    _serve_with(_Cheat, pipe)


def peek(pipe: Connection) -> None:
    """A worker whose bots look for secrets."""
    _serve_with(_Peek, pipe)


def _serve_with(kind: type[Any], pipe: Connection) -> None:
    def player(name: str, game: Game[Any], options: Mapping[str, str], seed: int | None = None) -> Any:
        return kind()

    vars(bots)["player"] = player
    bots.serve(pipe)


def slow_analysis(pipe: Connection) -> None:
    """An analyst that begins every task and ends none."""
    while True:
        pipe.recv()
        pipe.send(("progress", 1, 3, "thinking"))


def faulty_analysis(pipe: Connection) -> None:
    """An analyst with a fault of the program."""

    def fail(*_: Any) -> Any:
        raise AttributeError("'Grid' object has no attribute 'names'")

    vars(analysis_jobs)["_hint"] = fail
    analysis_jobs.serve(pipe)


def echo(pipe: Connection) -> None:
    """Says everything back."""
    while True:
        pipe.send(pipe.recv())


class _Pause:
    """Takes a moment and the last option."""

    def choose(self, state: Any, decision: Decision, clock: Clock) -> Action:
        time.sleep(0.25)
        return decision.options[-1]


def pause(pipe: Connection) -> None:
    """A worker whose bots take a moment."""
    _serve_with(_Pause, pipe)
