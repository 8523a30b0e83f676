"""Periodically checks which standing orders have something to answer: after a start, and when somebody leaves."""

from __future__ import annotations

import logging
from typing import ClassVar

from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.matches.watches.watching import Watch
from rasputitsa.server.store import StoreError

log = logging.getLogger(__name__)


class StandingWatch(Watch):
    """Wakes the matches in which a seat with standing orders is asked, once for each question and each absence."""

    seconds: ClassVar[float] = 5.0
    failing: ClassVar[str] = "no standing order is looked at for now"

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._woken: dict[int, tuple[int, bool]] = {}
        """By match, how many entries it had when it was woken last, and whether the player was away."""

    async def begin(self) -> None:
        """What the server has not answered before it ended, it answers now."""
        await self.look()

    async def look(self) -> None:
        """Look once."""
        waiting = await self._rooms.in_thread(self._rooms.store.awaiting_standing)
        now = {found.match_id: (found.entries, self._rooms.is_away(found.match_id, found.seat)) for found in waiting}
        before, self._woken = self._woken, now
        for match_id, mark in now.items():
            if before.get(match_id) != mark:
                try:
                    self._rooms.play_bots(await self._rooms.open(match_id))
                except (ApiError, StoreError) as problem:
                    log.error("match %d: its standing orders cannot be followed: %s", match_id, problem)
                except Exception:
                    log.exception("match %d: its standing orders cannot be followed", match_id)  # and the others go on
