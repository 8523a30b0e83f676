"""Whether the server can be played on now: its store takes writes, and what works on matches does its work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.matches.watches.watching import Watch
from rasputitsa.server.store import Store, StoreError
from rasputitsa.server.store.database import is_up_to_date

KEPT_SECONDS = 5.0
"""How long an answer is good, so that frequent checks make no more work."""
PATIENCE_SECONDS = 5.0
"""What takes longer than this counts as not working."""
STUCK_SECONDS = 300.0
"""A watch that has not come round for so long stands still; sending notices may take minutes."""


class WriteWatch(Watch):
    """Writes something each minute, so that a disk that fails is noticed although nobody plays."""

    seconds: ClassVar[float] = 60.0
    failing: ClassVar[str] = "a trial write has failed"

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def begin(self) -> None:
        """The start has written already."""

    async def look(self) -> None:
        """Note for how long the server has been up."""
        await self._rooms.in_thread(self._rooms.store.note_up)


class Readiness:
    """Looks whether the server is ready, once in a while for however many ask."""

    def __init__(
        self, rooms: Rooms, watches: Sequence[Watch] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rooms, self._watches, self._clock = rooms, watches, clock
        self._looking = asyncio.Lock()
        self._found: tuple[float, str] | None = None
        self._trying: asyncio.Future[str] | None = None

    async def trouble(self) -> str:
        """What stands in the way, in plain words without any name or path; empty where the server is ready."""
        async with self._looking:
            if self._found is None or self._clock() - self._found[0] >= KEPT_SECONDS:
                self._found = self._clock(), await self._look()
            return self._found[1]

    async def _look(self) -> str:
        if any(watch.seen_at and self._clock() - watch.seen_at > STUCK_SECONDS for watch in self._watches):
            return "what looks after clocks, orders and notices stands still"
        if self._trying is None or self._trying.done():  # one that hangs is not joined by another
            self._trying = asyncio.ensure_future(self._rooms.in_thread(lambda: _of_store(self._rooms.store)))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await asyncio.shield(self._trying)
        except TimeoutError:
            return "the threads that work on matches, or the disk, do not answer"


def _of_store(store: Store) -> str:
    try:
        store.disk.check()
        store.note_up()
    except StoreError:
        return "nothing can be written; the log of the server says why"
    try:
        return "" if is_up_to_date(store.engine, store.path) else "the database is not up to date"
    except StoreError:
        return "the database cannot be read; the log of the server says why"
