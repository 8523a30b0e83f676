"""A little room on the disk kept for the day it is full: without it not even a deletion can be written."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from rasputitsa.server.store import data_folder

SPARE_BYTES = 6 * 1024 * 1024
"""More than SQLite lets the newest changes grow before it moves them to their place, and a deletion as well."""
_ENOUGH = 4 * SPARE_BYTES
"""It is laid by only where at least so much is free."""


def spare_of(path: Path) -> Path:
    """The file that belongs to a database."""
    return path.with_name("matches.spare")


def is_scarce(path: Path) -> bool:
    """Whether the disk has too little room to lay some by."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free < _ENOUGH
    return True


def lay_by(path: Path) -> None:
    """Take the room, where there is plenty and it is not taken yet; that it cannot be done is no trouble."""
    file = spare_of(path)
    with contextlib.suppress(OSError):
        if file.is_symlink() or (file.exists() and file.stat().st_size == SPARE_BYTES):
            return
        if is_scarce(path):
            return
        file.unlink(missing_ok=True)
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, data_folder.FILE_MODE)
        try:
            with os.fdopen(opened, "wb") as writing:
                writing.write(os.urandom(SPARE_BYTES))  # zeros might take no room
                writing.flush()
                os.fsync(writing.fileno())
        except OSError:
            file.unlink(missing_ok=True)


def release(path: Path) -> bool:
    """Give the room back; whether there was any."""
    try:
        spare_of(path).unlink()
    except OSError:
        return False
    return True
