"""Who looks at a match, and who has left it only just now: closing a page for a moment is not being away."""

from __future__ import annotations

from collections.abc import Callable

AWAY_MS = 30_000
"""A player who has had no window open and in sight for so long is away; so is, after a start, one who does not come
back."""

Window = tuple[int, str]
"""A match, and a seat in it."""


class Presence:
    """When the last windows were closed or went out of sight."""

    def __init__(self, now: Callable[[], int]) -> None:
        """``now``: for how many milliseconds the server has been up."""
        self._now, self._began = now, now()
        self._left: dict[Window, int] = {}

    def left(self, window: Window) -> None:
        """A window was closed, or nobody sees it any more."""
        now = self._now()
        self._left = {known: at for known, at in self._left.items() if now - at < AWAY_MS} | {window: now}

    def is_away(self, window: Window) -> bool:
        """Whether none has been there for a while; asked of those with none in sight now."""
        return self._now() - self._left.get(window, self._began) >= AWAY_MS
