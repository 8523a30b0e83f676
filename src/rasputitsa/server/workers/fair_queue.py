"""Taking turns at something there is one of, so that whoever asks much does not keep others waiting long."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator


class FairQueue:
    """Those who wait stand in groups; the groups take turns, whatever their length.

    Somebody from another group waits for one turn of each group at most.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def turn(self, group: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        if self._busy:
            await self._wait(group)
        self._busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, group: str) -> None:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(group, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._next()  # it was our turn, and we are gone
            raise

    def _next(self) -> None:
        """Call the first of the group that has waited longest for a turn."""
        while self._waiting:
            group, line = next(iter(self._waiting.items()))
            called = line.popleft()
            del self._waiting[group]
            if line:
                self._waiting[group] = line  # at the end of the groups
            if not called.done():
                called.set_result(None)
                return
        self._busy = False
