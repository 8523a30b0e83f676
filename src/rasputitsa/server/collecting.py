"""When the interpreter looks for garbage: never for long while players wait.

Python's own full collection goes through every object there is, which takes half a second with a thousand matches in
memory, and stops everybody meanwhile. What a match leaves behind has no cycles and is freed at once; so a full
collection can wait until nobody asks for anything, and for hours where that never happens. Meanwhile what has come
since the last look is looked through, seldom and briefly, and then set aside until the full one.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

YOUNG, YOUNG_ROUNDS, NEVER = 100_000, 2, 1_000_000_000
"""Objects between two collections of young ones; collections of those before older ones are looked at.

More than the views have that are being made at any moment: what is made and freed again cancels out then, while with
Python's own 700 (or with 5,000) every single view brings a collection on: a third of the time of a busy server.
"""
ENOUGH = 1
"""Collections of those before another look is worthwhile."""
QUIET_SECONDS = 1.0
EVERY_SECONDS, LONGEST_SECONDS = 600.0, 6 * 3600.0
"""Between two full collections: when it is quiet, and when it never is."""


def look() -> None:
    """Look through what has come since the last time, and set it aside."""
    gc.collect()
    gc.freeze()


def look_through_all() -> None:
    """A full collection."""
    gc.unfreeze()
    look()


class Collector:
    """Looks for garbage when it suits; ``tick`` is to be called some times a second."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        some: Callable[[], object] = look,
        everything: Callable[[], object] = look_through_all,
    ) -> None:
        self._clock, self._some, self._everything = clock, some, everything
        self._served = 0
        self._busy = self._collected = clock()
        self._set_aside = False

    def begin(self) -> None:
        """Set the interpreter up."""
        look()
        gc.set_threshold(YOUNG, YOUNG_ROUNDS, NEVER)

    def tick(self, served: int) -> None:
        """``served``: requests there have been so far."""
        now = self._clock()
        if served != self._served:
            self._served, self._busy = served, now
        if gc.get_count()[2] >= ENOUGH:
            self._some()
            self._set_aside = True
        since = now - self._collected
        quiet = now - self._busy >= QUIET_SECONDS and since >= EVERY_SECONDS
        if self._set_aside and (quiet or since >= LONGEST_SECONDS):
            self._everything()
            self._collected, self._set_aside = self._clock(), False
