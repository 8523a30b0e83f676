"""Servers to be cut off: ``python -m tests.server.powercut.serve``, with the recorder preloaded.

For each line ``ROOT LOG SYNCHRONOUS`` on its input it forks a server that keeps its data in ``ROOT/a/data`` and whose
changes below ROOT are recorded in LOG. It prints the process id, the port once the data are open, and the wait
status when the server is dead. ``SYNCHRONOUS`` is SQLite's setting: FULL as the program has it; with a weaker one
something must get lost, or the record is no good. ``unsynced`` leaves out the syncing of folders.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store, commit_mark, connecting, data_folder

STRENGTH = {"OFF": 0, "NORMAL": 1, "FULL": 2}


def main() -> None:
    uvicorn.Config(FastAPI(), ws="none").load()  # imports what servers need, once
    from alembic import command  # noqa: F401

    gc.freeze()
    for line in sys.stdin:
        root, log, synchronous = line.split()
        pid = os.fork()
        if pid == 0:
            os.environ["POWERCUT_ROOT"], os.environ["POWERCUT_LOG"] = root, log
            weaken(synchronous)
            try:
                serve(Path(root) / "a" / "data")
            except Exception as problem:
                print(repr(problem), file=sys.stderr)
            os._exit(1)
        print(pid, flush=True)
        print(os.waitpid(pid, 0)[1], flush=True)


def weaken(synchronous: str) -> None:
    """Give up some of the safety."""
    if synchronous == "unsynced":
        vars(data_folder)["sync_folder"] = vars(commit_mark)["sync_folder"] = lambda _folder: None
    else:
        vars(connecting)["_SYNCHRONOUS"] = synchronous
        vars(connecting)["_SYNCHRONOUS_FULL"] = STRENGTH[synchronous]
    if synchronous != "FULL":
        vars(commit_mark)["SYNC_SECONDS"] = 0  # it is a second behind at most; these servers die sooner


def serve(data: Path) -> None:
    """Answer until killed."""
    config = ServerConfig(data=data, local=True, client=data, bot_workers=1)
    app = create_app(config, Store(config.database))
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none")).run(sockets=[listener])


if __name__ == "__main__":
    main()
