"""Reading the saved games of strangers: in a process of its own, within limits of time and memory.

A saved game that somebody sends is replayed by the rules here, entry by entry. The process is the only one that works
on it; nobody else waits, and when it is too much the process is ended and the saved game refused.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from rasputitsa.core.errors import RasputitsaError, SaveError
from rasputitsa.core.record.entries import Entry
from rasputitsa.core.record.session import Session
from rasputitsa.server.limits import Budget
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import Packed, pack
from rasputitsa.server.store import JournalRow
from rasputitsa.server.workers.fair_queue import FairQueue
from rasputitsa.server.workers.process import OwnProcess

log = logging.getLogger(__name__)

Report = Callable[[int, int], None]

NICE = 5
TELL_SECONDS = 0.3
READS_PER_PROCESS = 20
"""This many saved games are read by a process before another one takes its place, and what it holds is given back."""
MOST_WAITING, MOST_OF_ONE = 64, 8
"""This many saved games wait at most, and this many of one caller."""
PATIENCE = 4.0
"""How many times its budget of processor time a read may take by the clock, on a machine that is busy elsewhere."""
START_SECONDS = 30.0
ROWS_AT_ONCE = 500


def _unheard(done: int, total: int) -> None:
    """Nobody asks how far it has come."""


class BusyError(Exception):
    """Too many saved games wait to be read."""


class SaveReader:
    """The process that reads saved games, one after the other."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._process = OwnProcess("read")
        self._line = FairQueue()
        self._waiting: Counter[str] = Counter()
        self._reads = 0
        self._progress: dict[str, tuple[int, int]] = {}

    def progress(self, name: str | None) -> tuple[int, int] | None:
        """How many lines are read, of how many, of the saved game that was given that name; None if there is none."""
        return self._progress.get(name or "")

    async def read(self, content: bytes, name: str | None = None, group: str = "") -> Packed:
        """What is to be kept of a saved game; under its name ``progress`` tells how far it has come.

        Those who send many wait for those who send few: groups of callers take turns.

        Raises:
            SaveError: it is none, or asks too much.
            BusyError: too many are waiting already; nothing was begun.
        """
        if self._waiting.total() >= MOST_WAITING or self._waiting[group] >= MOST_OF_ONE:
            raise BusyError
        self._waiting[group] += 1
        report: Report = _unheard
        if name:
            self._progress[name] = 0, content.count(b"\n")

            def report(done: int, total: int) -> None:
                self._progress[name] = done, total

        try:
            async with self._line.turn(group):
                return await self._process.talk(lambda: self.read_now(content, report))
        finally:
            self._waiting -= Counter((group,))
            self._progress.pop(name or "", None)

    def read_now(self, content: bytes, report: Report = _unheard) -> Packed:
        """The same, waiting for it, with a function that hears how many lines are read; raises ``SaveError``."""
        fresh = self._process.pid is None
        pipe = self._process.pipe(serve)
        lines: list[JournalRow] = []
        until = time.monotonic() + self._budget.seconds * PATIENCE + (START_SECONDS if fresh else 0.0)
        try:
            pipe.send((content, self._budget))
            while pipe.poll(max(0.0, until - time.monotonic())):
                kind, *rest = pipe.recv()
                if kind == "rows":
                    lines += rest[0]
                    continue
                if kind == "read":
                    packed: Packed = replace(rest[0], lines=lines)
                    self._retire()
                    return packed
                if kind == "refused":
                    self._retire()
                    raise SaveError(rest[0])
                if kind == "exhausted":
                    break
                report(*rest)
        except (EOFError, OSError) as problem:
            log.warning("the process that reads saved games was lost: %r", problem)
        log.warning("a saved game of %d bytes was too much", len(content))
        self._process.stop()
        raise SaveError(_TOO_MUCH)

    def _retire(self) -> None:
        self._reads += 1
        if self._reads >= READS_PER_PROCESS:
            self._reads = 0
            self._process.stop()

    def close(self) -> None:
        """End the process."""
        self._process.close()


_TOO_MUCH = "reading the saved game takes more time or memory than this program gives it"


def serve(pipe: Connection) -> None:
    """The process: one saved game after the other until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(EOFError, OSError):
        while True:
            content, budget = pipe.recv()
            confine(budget)
            pipe.send(_answer(content, budget, pipe))


def confine(budget: Budget) -> None:
    """Let the system end this process when it takes more than its budget, where there is a way to say so."""
    if sys.platform == "win32":
        return
    import resource

    seconds = time.process_time() + 2 * budget.seconds + 1  # it should end by itself before that
    for kind, most in ((resource.RLIMIT_DATA, budget.megabytes * 2**20), (resource.RLIMIT_CPU, seconds)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (int(most), resource.getrlimit(kind)[1]))


def _answer(content: bytes, budget: Budget, pipe: Connection) -> tuple[Any, ...]:
    try:
        packed = packed_of(content, budget.seconds, lambda done, total: pipe.send(("progress", done, total)))
        for start in range(0, len(packed.lines), ROWS_AT_ONCE):  # unpacking all at once would hold the server up
            pipe.send(("rows", packed.lines[start : start + ROWS_AT_ONCE]))
        return "read", replace(packed, lines=[])
    except SaveError as problem:
        return "refused", str(problem)
    except MemoryError:
        return ("exhausted",)


def packed_of(content: bytes, seconds: float, report: Report = _unheard) -> Packed:
    """What is to be kept of a saved game, read in this process; raises ``SaveError``."""
    try:
        text = content.decode("utf-8-sig")
        session = _Reading(text.count("\n"), seconds, report).session().load(text)
        match_dice.go_on(session)
        return pack(session)
    except UnicodeDecodeError as problem:
        raise SaveError("the saved game is not UTF-8 text") from problem
    except SaveError:
        raise
    except RasputitsaError as problem:
        raise SaveError(str(problem)) from problem


class _Reading:
    """Counts the entries of a saved game while it is read, and ends it when the time is up."""

    def __init__(self, total: int, seconds: float, report: Report) -> None:
        self._total, self._report = total, report
        self._done = 0
        self._until = time.process_time() + seconds
        self._told = time.monotonic()

    def session(self) -> type[Session]:
        """A kind of session that says what it reads."""
        step = self._step

        class Watched(Session):
            def replay_entry(self, entry: Entry) -> None:
                step()
                super().replay_entry(entry)

        return Watched

    def _step(self) -> None:
        self._done += 1
        if time.process_time() > self._until:
            raise SaveError(_TOO_MUCH)
        now = time.monotonic()
        if now - self._told >= TELL_SECONDS:
            self._told = now
            self._report(min(self._done, self._total), self._total)
