"""Group commit: changes that come in while another is being written share the next transaction."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import Engine

from rasputitsa.server.store.commit_mark import Mark, count_change
from rasputitsa.server.wall_clock import now_ms

MAX_BATCH = 64

Work = Callable[[sqlite3.Connection], None]


@dataclass(eq=False, slots=True)
class _Change:
    """A change on its way to the disk."""

    work: Work
    done: threading.Event = field(default_factory=threading.Event)
    leads: bool = False
    problem: BaseException | None = None


class Batches:
    """Writes on behalf of many threads.

    The thread that comes first writes for all that come while it waits for its turn; each call returns when its own
    change is on disk. Whatever else writes to the database takes ``alone`` meanwhile, so that nobody waits inside
    SQLite, where waiting is a sleep.
    """

    def __init__(self, engine: Engine, mark: Mark, step: Callable[[str], None]) -> None:
        self._engine = engine
        self._mark = mark
        self._step = step
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: list[_Change] = []
        self._led = False

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Nothing else is written meanwhile by this process."""
        with self._writing:
            yield

    def write(self, work: Work) -> None:
        """Carry a change out and commit it; when it raises, nothing of it is kept.

        ``work`` may be called a second time, after what it did first was rolled back.
        """
        change = _Change(work)
        with self._lock:
            self._waiting.append(change)
            change.leads, self._led = not self._led, True
        if not change.leads:
            change.done.wait()
        if change.leads:
            self._lead()
        if change.problem is not None:
            raise change.problem

    def _lead(self) -> None:
        """Write everything that waits, then let the first of those that came meanwhile take over."""
        with self._writing:
            with self._lock:
                batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            self._write_all(batch)
        with self._lock:
            follower = self._waiting[0] if self._waiting else None
            self._led = follower is not None
        if follower is not None:
            follower.leads = True
            follower.done.set()
        for change in batch:
            change.done.set()

    def _write_all(self, batch: list[_Change]) -> None:
        if len(batch) > 1:
            with contextlib.suppress(BaseException):
                self._transaction(batch)
                return
        for change in batch:  # one of several is at fault: each on its own
            try:
                self._transaction([change])
            except BaseException as problem:
                change.problem = problem

    def _transaction(self, batch: list[_Change]) -> None:
        pooled = self._engine.raw_connection()
        try:
            connection = pooled.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            connection.execute("BEGIN IMMEDIATE")
            try:
                for change in batch:
                    change.work(connection)
                reached = count_change(connection, now_ms())
                self._step("commit")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        finally:
            pooled.close()
        self._mark.raise_to(reached)
