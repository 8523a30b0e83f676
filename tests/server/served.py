"""``rasputitsa serve`` in a process of its own, and strangers that knock at it from addresses of this machine."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.server.conftest import PLUGIN, ROOT
from tests.support import PATIENCE

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
JSON = b"content-type: application/json\r\n"


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list)
    reader: threading.Thread | None = None

    def last_words(self) -> str:
        """All that it has said, when it has ended in good order."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.reader is not None
        self.reader.join(PATIENCE)
        return "".join(self.said)

    def ask(
        self, method: str, path: str, body: Any = None, *, source: str = "127.0.0.1", headers: bytes = b""
    ) -> Answer:
        """One request on a connection of its own."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\nconnection: close\r\n".encode()
        if body is not None:
            head += JSON + f"content-length: {len(content)}\r\n".encode()
        return self.raw(head + headers + b"\r\n" + content, source=source)

    def raw(self, data: bytes, *, source: str = "127.0.0.1", seconds: float = PATIENCE) -> Answer:
        """Whatever comes back for these bytes, until the server closes the connection."""
        with self.connect(source, seconds) as peer:
            with contextlib.suppress(ConnectionError):
                peer.sendall(data)
            return read_answer(peer)

    def connect(self, source: str = "127.0.0.1", seconds: float = PATIENCE) -> socket.socket:
        """A connection from one of this machine's own addresses."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds, source_address=(source, 0))

    def files(self) -> int:
        """How many files and sockets the process has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def memory(self) -> int:
        """Its resident memory in bytes."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        return json.loads(self.body)


def read_answer(peer: socket.socket) -> Answer:
    """Read until the end; status 0 where nothing came."""
    begun = time.monotonic()
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := peer.recv(65536):
            data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = _joined(body)
    return Answer(int(first.split()[1]) if first else 0, headers, body, time.monotonic() - begun)


def _joined(chunks: bytes) -> bytes:
    body = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        body += rest[: int(size, 16)]
        chunks = rest[int(size, 16) + 2 :]
    return body


@contextlib.contextmanager
def serving(data: Path, *options: str, files: int | None = None) -> Iterator[Served]:
    """A server for others, with the game Duel; ``files``: how many files it may open at most."""
    command = [sys.executable, "-m", "rasputitsa.cli", "serve", "--port", "0", "--data", str(data), *options]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    paths = os.pathsep.join([str(PLUGIN), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"COLUMNS": "400", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "PYTHONPATH": paths}
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if found := ADDRESS.search(line):
                break
        else:
            raise AssertionError(f"the server did not start: {said}")
        reader = threading.Thread(target=said.extend, args=(process.stdout,), daemon=True)
        reader.start()
        yield Served(process, int(found[1]), said, reader)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.3)
