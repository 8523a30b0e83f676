"""When a server was there to hear the players: while it was off nobody was silent."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from sqlalchemy import Connection, delete, insert, select, update

from rasputitsa.server.store.schema import uptimes

GAP_MS = 2 * 3600 * 1000
"""A server tells every hour that it is there. After a longer silence it was off, or its clock was set."""
MOST = 1000


class UptimeStore(ABC):
    """The part of the store that knows when a server was up."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def note_up(self) -> None:
        """The server is there now."""
        now = _now_ms()
        newest = select(uptimes).order_by(uptimes.c.id.desc()).limit(1)
        with self._writing() as connection:
            last = connection.execute(newest).first()
            if last is not None and last.until_ms <= now <= last.until_ms + GAP_MS:
                connection.execute(update(uptimes).where(uptimes.c.id == last.id).values(until_ms=now))
                return
            connection.execute(insert(uptimes).values(began_ms=now, until_ms=now))
            if last is not None:
                connection.execute(delete(uptimes).where(uptimes.c.id <= last.id - MOST))

    def up_since_ms(self, since: int) -> int:
        """For how many milliseconds since a time a server was there; time before any is known of counts as such."""
        now = _now_ms()
        with self._reading() as connection:
            rows = connection.execute(select(uptimes).order_by(uptimes.c.id)).all()
        if not rows:
            return now - since
        spans = [(row.began_ms, row.until_ms) for row in rows]
        began, until = spans[-1]
        if until <= now <= until + GAP_MS:
            spans[-1] = began, now
        spans.insert(0, (0, min(began for began, _ in spans)))
        # where clocks were set spans may overlap, and nobody was heard twice
        total, reached = 0, since
        for begin, end in sorted(spans):
            total += max(0, min(end, now) - max(begin, reached))
            reached = max(reached, end)
        return total


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
