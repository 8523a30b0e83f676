"""When the interpreter looks for garbage: never for long while players wait.

Python's own full collection goes through every object there is, which takes half a second with a thousand matches in
memory, and stops everybody meanwhile. What a match leaves behind has no cycles and is freed at once; so a full
collection can wait until nobody asks for anything, and for some minutes where that never happens.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

YOUNG, YOUNG_ROUNDS, NEVER = 5_000, 10, 1_000_000_000
"""Objects between two collections of young ones; so many of these before those that outlived one are looked at."""
ENOUGH = 4
"""So many of the latter before a full collection is worth while."""
QUIET_SECONDS = 1.0
LONGEST_SECONDS = 300.0


class Collector:
    """Carries full collections out when they suit; ``tick`` is to be called some times a second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, collect: Callable[[], object] = gc.collect) -> None:
        self._clock, self._collect = clock, collect
        self._served = 0
        self._busy = self._collected = clock()

    def begin(self) -> None:
        """Set the interpreter up; what has been loaded so far stays, and is never looked through again."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, YOUNG_ROUNDS, NEVER)

    def tick(self, served: int) -> None:
        """``served``: requests there have been so far."""
        now = self._clock()
        if served != self._served:
            self._served, self._busy = served, now
        if gc.get_count()[2] < ENOUGH:
            return
        if now - self._busy >= QUIET_SECONDS or now - self._collected >= LONGEST_SECONDS:
            self._collect()
            self._collected = self._clock()
