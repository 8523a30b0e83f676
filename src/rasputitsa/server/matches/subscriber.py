"""An open window on a match, as the room of the match knows it."""

from __future__ import annotations

import asyncio
from math import inf

from rasputitsa.server.matches.screens import Screen
from rasputitsa.server.shapes.live import ErrorMessage, LiveMessage
from rasputitsa.server.store import digest

WHOLE_SECONDS = 1.0
"""Between two whole views that one subscriber asks for, after the first few."""
WHOLE_BURST = 3
ASKED_FOR = ("seats", "talk", "map_notes")
"""Notices that say no more than that there is something to ask for."""
NOTICE_SECONDS, NOTICE_BURST = 1.0, 3
"""Between two of one kind to one subscriber, after the first few: nobody has others ask as often as they like."""


class Subscriber:
    """An open window on a match: woken when there is something new, and then sent only the newest."""

    def __init__(self, seat: str | None, key: str = "") -> None:
        self.seat = seat
        self.key = digest(key)
        self.wake = asyncio.Event()
        self.shown: Screen | None = None
        """What it was sent last, if that is still in memory."""
        self.tag = ""
        """The tag of what it was sent last."""
        self.due = True
        """Whether there may be something to show."""
        self.closed = False
        self.hidden = False
        """Whether the window is out of sight, as it says itself."""
        self.waits_for: tuple[str, int] | None = None
        """The seat whose bot was announced to it, and the version it had then."""
        self._notices: dict[str, LiveMessage] = {}
        self._held_back: set[str] = set()
        """Kinds of notices of which one is to come later."""
        self._next_notice: dict[str, float] = {}
        self._whole: asyncio.TimerHandle | None = None
        self._next_whole = -inf

    def notify(self, notice: LiveMessage | None = None) -> None:
        """Wake the subscriber, with a notice, or because there may be something to show."""
        if notice is None:
            self.due = True
            self.wake.set()
        elif notice["type"] in ASKED_FOR:
            self._notify_in_turn(notice)
        else:
            self._tell(notice)

    def _tell(self, notice: LiveMessage) -> None:
        self._notices[notice["type"]] = notice
        self._held_back.discard(notice["type"])
        self.wake.set()

    def _notify_in_turn(self, notice: LiveMessage) -> None:
        kind, loop = notice["type"], asyncio.get_running_loop()
        if kind in self._held_back:
            return
        now = loop.time()
        due = max(self._next_notice.get(kind, -inf), now - (NOTICE_BURST - 1) * NOTICE_SECONDS)
        self._next_notice[kind] = due + NOTICE_SECONDS
        if due <= now:
            self._tell(notice)
        else:
            self._held_back.add(kind)
            loop.call_at(due, self._tell, notice)

    def show_all(self) -> None:
        """Show the whole view again: a few times at once, then once a second, since it is long."""
        loop = asyncio.get_running_loop()
        if self._whole is None:
            self._next_whole = max(self._next_whole, loop.time() - WHOLE_BURST * WHOLE_SECONDS) + WHOLE_SECONDS
            self._whole = loop.call_at(self._next_whole, self._forget)

    def _forget(self) -> None:
        self._whole = None
        self.shown, self.tag = None, ""
        self.notify()

    def close(self, notice: ErrorMessage) -> None:
        """Show nothing any more, and say why."""
        self.closed = True
        self.notify(notice)

    def take_notices(self) -> list[LiveMessage]:
        """The newest notice of each kind, once."""
        notices, self._notices = list(self._notices.values()), {}
        return notices
