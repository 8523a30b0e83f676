"""What the server checks periodically."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar

from rasputitsa.server.store import StoreError

log = logging.getLogger(__name__)


class Watch(ABC):
    """Looks again and again; what fails is noted in the log, and tried again at the next look."""

    seconds: ClassVar[float]
    """Between two looks, and before the first: windows that were open come back meanwhile."""
    failing: ClassVar[str]
    """What does not happen while it fails, for the log."""
    seen_at = 0.0
    """When the last look ended or the wait for the next began, by a clock that only rises; 0 before the start."""

    async def run(self) -> None:
        """Look until cancelled."""
        await self.careful(self.begin)
        while True:
            self.seen_at = time.monotonic()
            await asyncio.sleep(self.seconds)
            await self.careful(self.look)

    async def careful(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something that may fail."""
        try:
            await work()
        except StoreError as problem:
            log.warning("%s: %s", self.failing, problem)
        except Exception:
            log.exception("%s", self.failing)

    @abstractmethod
    async def begin(self) -> None:
        """The server has started."""

    @abstractmethod
    async def look(self) -> None:
        """Look once."""
