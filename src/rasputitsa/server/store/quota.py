"""Room for what is kept: how many bytes an address has taken, and how many the disk has left."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from pathlib import Path

from sqlalchemy import Connection, func, select

from rasputitsa.server.store.errors import LowDiskError, QuotaError
from rasputitsa.server.store.history import JournalRow, SnapshotRow
from rasputitsa.server.store.people.tokens import digest
from rasputitsa.server.store.schema import held, matches
from rasputitsa.server.wall_clock import now_ms

ASKING: ContextVar[str] = ContextVar("asking", default="")
"""The address whose request is being worked on, and whose computer player answers it; empty where nobody counts."""
ROW_BYTES = 64
"""What a row takes in addition to its texts."""
HELD_MS = 7 * 24 * 3600 * 1000
"""A match counts for an address until it has written nothing to it for so long; then the address is forgotten."""
LONG_KNOWN_MS = 60 * 60_000
_LOOK_SECONDS = 1.0
_MEGABYTE = 1024 * 1024


def size_of(lines: Sequence[JournalRow], kept: Sequence[SnapshotRow] = ()) -> int:
    """About how many bytes of the database entries and positions take."""
    texts = sum(len(row.line) + len(row.place or "") + len(row.events or "") + ROW_BYTES for row in lines)
    return texts + sum(len(row.body) + ROW_BYTES for row in kept)


def note_held(connection: sqlite3.Connection, match_id: int, who: str, size: int, now: int) -> None:
    """Count bytes that were written to a match for an address."""
    if who:
        connection.execute(
            "INSERT INTO held (match_id, who, bytes, written_ms) VALUES (?, ?, ?, ?) ON CONFLICT (match_id, who)"
            " DO UPDATE SET bytes = bytes + excluded.bytes, written_ms = excluded.written_ms",
            (match_id, who, size, now),
        )


class DiskRoom:
    """What the disk has left, looked at once a second."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.reserve = 0
        """Bytes that are to stay free; 0 for no care."""
        self._folder = folder
        self._clock = clock
        self._seen = (-_LOOK_SECONDS, 0)

    def check(self) -> None:
        """Raise ``LowDiskError`` if less is free than is to stay free."""
        if not self.reserve:
            return
        seen, free = self._seen
        if self._clock() - seen >= _LOOK_SECONDS:
            free = shutil.disk_usage(self._folder).free
            self._seen = self._clock(), free
        if free < self.reserve:
            raise LowDiskError(
                f"the disk of the server has less than {self.reserve // _MEGABYTE} megabytes left: nothing new is kept "
                "until there is more room. Matches can be looked at, saved and deleted; nothing was changed"
            )


class RoomStore(ABC):
    """The part of the store that knows who has taken how much room."""

    disk: DiskRoom
    quota = 0
    """Bytes that one address may have kept; 0 for no limit."""

    _salt: str
    _sums: dict[str, int]
    _sums_lock: threading.Lock

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def _asking(self) -> str:
        """The address that is asking, as it is kept: a digest, which goes with the row; empty where nobody counts."""
        return self._kept_name(ASKING.get())

    def _kept_name(self, address: str) -> str:
        return digest(f"{self._salt} {address}") if address else ""

    def has_played(self, address: str) -> bool:
        """Whether somebody at an address has written within seven days to a match that is more than an hour old."""
        before = now_ms() - LONG_KNOWN_MS
        own = (held.c.who == self._kept_name(address)) & (matches.c.created_ms < before)
        query = select(held.c.match_id).join(matches, matches.c.id == held.c.match_id).where(own).limit(1)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def require_room(self, size: int = 0) -> None:
        """Raise ``LowDiskError`` or ``QuotaError`` where nothing of this size may be kept for the one who asks."""
        self.disk.check()
        who = self._asking()
        if not who or not self.quota:
            return
        taken = self._sums.get(who)
        if taken is None or taken + size >= self.quota:  # some of it may be deleted by now
            taken = self.held_by(who)
            with self._sums_lock:
                self._sums[who] = taken
        if taken + size >= self.quota:
            raise QuotaError(
                f"matches played from your address fill the {self.quota // _MEGABYTE or 1} megabytes that one address "
                "may have kept here; delete some that are no longer needed, or ask the host of the server"
            )

    def held_by(self, who: str) -> int:
        """How many bytes an address, given as it is kept, has in matches that are there and that it wrote to lately."""
        with self._reading() as connection:
            query = select(func.coalesce(func.sum(held.c.bytes), 0)).where(held.c.who == who)
            return int(connection.execute(query).scalar_one())

    def _count_held(self, who: str, size: int) -> None:
        """Keep the sum in memory near the truth, so that it is not added up for each action."""
        with self._sums_lock:
            if who in self._sums:
                self._sums[who] += size
            if len(self._sums) > 10_000:
                self._sums.clear()
