"""One server to a data directory: a second would not hear of the first one's changes."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path


class InUseError(Exception):
    """Another server works in the directory; ``address`` is where it answers, if it said so."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f" at {address}" if address else ""
        super().__init__(f"rasputitsa is already running{where} with the data in {folder}")
        self.address = address


class DataLock:
    """Held as long as the process lives, however it ends: a file lock on a small database."""

    def __init__(self, folder: Path) -> None:
        self._address = folder / "server.address"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = sqlite3.connect(folder / "server.lock", timeout=0, isolation_level=None)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            self._lock.close()
            raise InUseError(folder, self._read_address()) from problem

    def tell(self, address: str) -> None:
        """Leave the address for whoever comes second."""
        self._address.write_text(address, encoding="utf-8")

    def release(self) -> None:
        """Let others in."""
        self._address.unlink(missing_ok=True)
        self._lock.close()

    def _read_address(self) -> str:
        with contextlib.suppress(OSError):
            return self._address.read_text(encoding="utf-8").strip()
        return ""
