"""An alarm in the log when nothing can be written for minutes although it is asked for."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator

from rasputitsa.server.store.errors import (
    DuplicateRequestError,
    StaleVersionError,
    StoreError,
    UnknownMatchError,
)

log = logging.getLogger(__name__)

ALARM_SECONDS = 300.0
_REFUSALS = (DuplicateRequestError, StaleVersionError, UnknownMatchError)
"""What the caller did wrong, not the disk."""


class WriteAlarm:
    """Watches writes of all threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failing_since: float | None = None
        self._told = 0.0
        self._written = clock()
        self._under_way: dict[object, float] = {}
        """When each write that has not ended began."""

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """One write; its errors pass through."""
        token = object()
        with self._lock:
            self._under_way[token] = self._clock()
        try:
            yield
        except _REFUSALS:
            raise
        except StoreError as problem:
            self._failed(problem)
            raise
        finally:
            with self._lock:
                del self._under_way[token]
        self._worked()

    def since_written(self) -> float:
        """Seconds since something was written, or since the store was opened."""
        with self._lock:
            return self._clock() - self._written

    def wanting(self) -> float:
        """For how many seconds what should have been written was not: writes fail, or do not come to an end; else 0."""
        with self._lock:
            begun = [max(since, self._written) for since in self._under_way.values()]
            if self._failing_since is not None:
                begun.append(self._failing_since)
            return self._clock() - min(begun) if begun else 0.0

    def _failed(self, problem: StoreError) -> None:
        with self._lock:
            now = self._clock()
            if self._failing_since is None:
                self._failing_since = self._told = now
            if now - self._told < ALARM_SECONDS:
                return
            self._told = now
            minutes = (now - self._failing_since) / 60
        log.critical("ALARM: nothing could be written for %.0f minutes: %s", minutes, problem)

    def _worked(self) -> None:
        with self._lock:
            self._written = self._clock()
            since, self._failing_since = self._failing_since, None
            if since is None or self._told == since:
                return
            minutes = (self._clock() - since) / 60
        log.warning("writing works again after %.0f minutes", minutes)
