"""The program as a player starts it, in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support import PATIENCE

ROOT = Path(__file__).parents[2]
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


class Server:
    """`rasputitsa play --no-browser` on a data directory; it can be killed and started again on its port.

    ``others``: `rasputitsa serve` instead, for which nobody is the owner of the machine.
    """

    def __init__(
        self, data: Path, bot_seconds: float = 0.15, *, others: bool = False, options: Sequence[str] = ()
    ) -> None:
        self._command = [*(["serve"] if others else ["play", "--no-browser"]), *options]
        self._data = data
        self._bot_seconds = bot_seconds
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.said: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """Where matches and accounts lie."""
        return self._data / "matches.db"

    def letter_file(self, code: str) -> Path:
        """Where a match by letters lies."""
        return self._data / "letters" / f"{code}.mail"

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "rasputitsa.cli", *self._command, "--port", str(self.port),
                "--data", str(self._data), "--bot-seconds", str(self._bot_seconds),
            ],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_copy, args=(self._process, lines, self.said), daemon=True).start()
        heard = ""
        while (found := ADDRESS.search(heard)) is None:
            try:
                line = lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"the server did not start in time: {heard}") from None
            assert line, f"the server ended at once: {heard}"
            heard += line
        self.port = int(found[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request to the programming interface."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api{path}", data, method=method)
        request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read().decode()
        return json.loads(text) if text.startswith(("{", "[")) and "\n{" not in text else text


def _copy(process: subprocess.Popen[str], lines: queue.Queue[str], said: list[str]) -> None:
    """Hand on what the process says, so that its pipe never fills; an empty line at the end."""
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        lines.put(line)
    lines.put("")
