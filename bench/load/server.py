"""The server that is measured, in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

SOURCE = Path(__file__).resolve().parents[2] / "src"
ADDRESS = re.compile(r"http://[^\s/]+:\d+")
NO_LIMIT = (
    "connections", "address_connections", "requests", "costly_at_once", "windows", "match_windows", "matches",
    "matches_week",
)  # fmt: skip
STARTING_LINES = 50
STOP_SECONDS = 20


class ServerError(Exception):
    """The server does not start."""


def no_limits(source: Path) -> list[str]:
    """Arguments that let one address ask for as much as it likes, which a checkout from before there were limits lacks.

    It is the server that is to be measured, not its patience.
    """
    if not any((source / "rasputitsa/server").rglob("limits.py")):
        return []
    return [argument for name in NO_LIMIT for argument in ("--limit", f"{name}=0")]


class ServerProcess:
    """``rasputitsa serve`` on an empty data directory; what it says goes into a file next to it."""

    def __init__(self, source: Path, folder: Path, *, limited: bool = False) -> None:
        """``source`` is the ``src`` folder of the checkout that is measured; ``limited``: strangers have limits."""
        self._log: IO[str] = (folder / "server.log").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "rasputitsa.cli", "serve", "--host", "127.0.0.1", "--port", "0",
                "--data", str(folder / "data"), *([] if limited else no_limits(source)),
            ],
            stdout=subprocess.PIPE, stderr=self._log, text=True, cwd=folder,
            env=os.environ | {"PYTHONPATH": str(source), "COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.url = self._address()

    def _address(self) -> str:
        assert self._process.stdout is not None
        for _ in range(STARTING_LINES):
            line = self._process.stdout.readline()
            if found := ADDRESS.search(line):
                return found[0]
            if not line:
                break
        self.stop()
        raise ServerError(f"the server did not start:\n{self.complaints()}")

    def complaints(self) -> str:
        """What it wrote to its error output, the last of it."""
        self._log.seek(0)
        return "".join(self._log.readlines()[-20:])

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def memory(self) -> float:
        """Resident memory in MiB; 0 where the system does not tell."""
        return resident(self._process.pid)

    def processor_time(self) -> float:
        """Processor seconds used so far; 0 where the system does not tell."""
        return processor_time(self._process.pid)

    def stop(self) -> None:
        """End it, gently first."""
        if self.alive:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def resident(process: int) -> float:
    """Memory of a process in MiB; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def processor_time(process: int) -> float:
    """Processor seconds a process has used so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Place:
    """A folder for a server's data that is removed afterwards."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rasputitsa-load-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)

    def clear(self) -> None:
        """Remove it."""
        self._folder.cleanup()
