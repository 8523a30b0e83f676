"""How many changes were confirmed, kept apart from the database.

SQLite starts without complaint when its write-ahead log was cut, deleted or left behind by a copy, and shows an
older state. The mark tells that it is older. It is written after the change itself is on disk, so it is never ahead
of a sound database.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

SLOT_BYTES = 512
"""One sector: a write that is torn spoils one of the two slots at most."""

SYNC_SECONDS = 1.0

_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Neither follow a link nor wait for a pipe that somebody put in its place."""


@dataclass(frozen=True, slots=True)
class StoreProgress:
    """How far a store has come: ``store`` is its identity, ``changes`` counts its committed transactions."""

    store: str
    changes: int
    changed_ms: int


class Mark:
    """The file; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._file: int | None = None
        self._reached: StoreProgress | None = None
        self._synced = 0.0
        self._complained = False

    def read(self) -> StoreProgress | None:
        """What the file tells, or None where there is none that can be read."""
        try:
            file = os.open(self.path, os.O_RDONLY | _PLAIN)
            try:
                content = os.read(file, 2 * SLOT_BYTES)
            finally:
                os.close(file)
        except OSError:
            return None
        slots = [_decode(content[start : start + SLOT_BYTES]) for start in (0, SLOT_BYTES)]
        return max((slot for slot in slots if slot is not None), key=lambda slot: slot.changes, default=None)

    def replace(self, reached: StoreProgress) -> None:
        """Start the file over; raises ``OSError``."""
        with self._lock:
            self._close()
            fresh = self.path.with_name(f"{self.path.name}.new")
            fresh.unlink(missing_ok=True)
            file = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(file, _encode(reached) * 2)
            os.fsync(file)
            os.close(file)
            fresh.replace(self.path)
            sync_folder(self.path.parent)
            self._reached = reached

    def raise_to(self, reached: StoreProgress) -> None:
        """Remember a change that is on disk. It is there, so trouble here goes to the log only."""
        with self._lock:
            if self._reached is not None and reached.changes <= self._reached.changes:
                return
            try:
                if self._file is None:
                    self._file = os.open(self.path, os.O_RDWR | _PLAIN)
                _write_at(self._file, _encode(reached), SLOT_BYTES * (reached.changes % 2))
                # syncing each time would cost as much as the change itself, and gain a second at most
                if time.monotonic() - self._synced > SYNC_SECONDS:
                    os.fsync(self._file)
                    self._synced = time.monotonic()
                self._complained = False
            except OSError as problem:
                if not self._complained:
                    log.warning("the mark %s cannot be written: %s", self.path, problem.strerror)
                self._complained = True
            self._reached = reached

    def close(self) -> None:
        """Bring everything to disk and let go of the file."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
            self._file = None


def count_change(connection: sqlite3.Connection, now_ms: int) -> StoreProgress:
    """Count the transaction under way; ``Mark.raise_to`` is to hear of it once it is on disk."""
    counted = "UPDATE store_state SET changes = changes + 1, changed_ms = ? RETURNING store, changes, changed_ms"
    return StoreProgress(*connection.execute(counted, (now_ms,)).fetchall()[0])


def sync_folder(folder: Path) -> None:
    """Bring names made or removed in a folder to disk, on systems where this can be asked for."""
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _encode(reached: StoreProgress) -> bytes:
    text = f"rasputitsa-mark 1 {reached.store} {reached.changes} {reached.changed_ms}".encode()
    return b"%s %08x" % (text, zlib.crc32(text)) + b"\n".rjust(SLOT_BYTES - len(text) - 9)


def _decode(slot: bytes) -> StoreProgress | None:
    words = slot.split()
    if len(words) != 6 or words[:2] != [b"rasputitsa-mark", b"1"]:
        return None
    text = b" ".join(words[:5])
    if words[5] != b"%08x" % zlib.crc32(text):
        return None
    return StoreProgress(words[2].decode(), int(words[3]), int(words[4]))


def _write_at(file: int, content: bytes, offset: int) -> None:
    os.lseek(file, offset, os.SEEK_SET)  # not pwrite, which not every system has
    os.write(file, content)
