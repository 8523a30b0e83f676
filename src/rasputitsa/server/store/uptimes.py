"""For how long a server has been up, all its times together: what silence is measured by.

A clock that tells the day can be set wrong for a moment, ahead or back, and while the server is off nobody can be
heard. So this clock goes on only while a server is up, and is asked for no day.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, select, update

from rasputitsa.server.store.schema import seats, store_state


class Uptime:
    """Milliseconds that a server was up: ``before`` it started this time, and since."""

    def __init__(self, before: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._before, self._clock, self._began = before, clock, clock()

    def ms(self) -> int:
        """The sum of both."""
        return self._before + int(1000 * (self._clock() - self._began))


class UptimeStore(ABC):
    """The part of the store that knows how long a seat has been quiet."""

    up: Uptime

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def note_up(self) -> None:
        """Keep how long the server has been up. What it was up after the last note does not count if it is killed."""
        with self._writing() as connection:
            connection.execute(update(store_state).values(up_ms=self.up.ms()))

    def quiet_ms(self, match_id: int, seat: str) -> int:
        """For how many milliseconds of a server that was up a seat has heard of nothing new and given no sign."""
        return self.up.ms() - self.stirred_ms(match_id, seat)

    def stirred_ms(self, match_id: int, seat: str) -> int:
        """How long the server had been up when a seat last heard of something new or gave a sign.

        Signs are orders, secret ones as well, keys it was given, and what was said from it to everybody.
        """
        query = select(seats.c.stirred_ms).where(seats.c.match_id == match_id, seats.c.seat == seat)
        with self._reading() as connection:
            return int(connection.execute(query).scalar_one())
