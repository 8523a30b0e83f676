"""A server to be killed, again and again: ``python -m tests.server.crash_server DATA_DIRECTORY``.

It prints its port. For each line ``STEP NUMBER`` on its input it forks a server that kills itself when it comes
to that step of the store for the NUMBERth time (``- 0``: never), prints its process id, and, when it is dead,
its wait status. The listening socket stays open all the while.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store

PATIENCE = 600
"""Seconds for which a connection stays open: one that ends is the end of a server."""


def main() -> None:
    data = Path(sys.argv[1])
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    uvicorn.Config(FastAPI(), ws="none").load()  # imports what servers need, once
    gc.freeze()
    print(listener.getsockname()[1], flush=True)
    for line in sys.stdin:
        step, _, number = line.strip().rpartition(" ")
        pid = os.fork()
        if pid == 0:
            serve(data, listener, step, int(number))
            os._exit(0)
        print(pid, flush=True)
        print(os.waitpid(pid, 0)[1], flush=True)


def serve(data: Path, listener: socket.socket, fatal: str, number: int) -> None:
    left = number

    def step(name: str) -> None:
        nonlocal left
        if name == fatal:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    config = ServerConfig(data=data, local=True, client=data, bot_workers=1)
    app = create_app(config, Store(config.database, step))
    kept = uvicorn.Config(app, log_level="critical", ws="none", timeout_keep_alive=PATIENCE)
    uvicorn.Server(kept).run(sockets=[listener])


if __name__ == "__main__":
    main()
