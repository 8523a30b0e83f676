"""One server to a data directory: a second would not hear of the first one's changes."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import stat
import tempfile
from pathlib import Path

from rasputitsa.server.store import UnsafeStoreError
from rasputitsa.server.store.connecting import translated
from rasputitsa.server.store.data_folder import FILE_MODE, in_words, prepare_folder, sweep

_ADDRESS = re.compile(r"http://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}/")
_ADDRESS_BYTES = 300


class InUseError(Exception):
    """Another server works in the directory; ``address`` is where it answers, if it said so."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f" at {address}" if address else ""
        super().__init__(f"rasputitsa is already running{where} with the data in {folder}")
        self.address = address


class DataLock:
    """Held as long as the process lives, however it ends: a file lock on a small database.

    Raises:
        InUseError: another process holds it.
        StoreError: nothing can be locked there.
    """

    def __init__(self, folder: Path) -> None:
        self._address = folder / "server.address"
        prepare_folder(folder, begun=(folder / "matches.db").is_file())
        self._lock = _locked(folder)
        with contextlib.suppress(OSError):
            self._address.unlink(missing_ok=True)  # left by a server that was killed
        sweep(folder)

    def tell(self, address: str) -> None:
        """Leave the address for a process that comes later; a name put there by others is replaced, never followed."""
        with contextlib.suppress(OSError):  # only a convenience
            handle, name = tempfile.mkstemp(dir=self._address.parent, prefix=".address-")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(address)
            Path(name).replace(self._address)

    def release(self) -> None:
        """Let others in."""
        with contextlib.suppress(OSError):
            self._address.unlink(missing_ok=True)
        self._lock.close()


def _locked(folder: Path) -> sqlite3.Connection:
    path = folder / "server.lock"
    try:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
        ordinary = stat.S_ISREG(path.lstat().st_mode)
    except OSError as problem:
        raise in_words(problem, path) from problem
    if not ordinary:  # a link would lock, and a pipe stop, something of another's choosing
        raise UnsafeStoreError(f"{path} is no ordinary file; move it away")
    with translated():
        lock = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as problem:
            lock.close()
            if problem.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
                raise UnsafeStoreError(f"{path} is not the lock file this program makes; move it away") from problem
            if problem.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise InUseError(folder, _read_address(folder / "server.address")) from problem
            raise
    return lock


def _read_address(path: Path) -> str:
    """What the other server left, if it is an address: it is shown and opened in a browser."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with contextlib.suppress(OSError):
        file = os.open(path, flags)
        try:
            text = os.read(file, _ADDRESS_BYTES).decode("utf-8", "replace").strip()
        finally:
            os.close(file)
        if _ADDRESS.fullmatch(text):
            return text
    return ""
