"""A process of one's own: started when first needed, talked to through a pipe from a thread of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TypeVar

from rasputitsa.server import logs

ResultT = TypeVar("ResultT")


class OwnProcess:
    """A spawned process at the end of a pipe, and the one thread that talks to it.

    ``pipe`` and ``stop`` are for that thread; ``kill`` and ``close`` for any other.
    """

    def __init__(self, name: str) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self.closed = False

    @property
    def pid(self) -> int | None:
        """The process as the system knows it; None when there is none."""
        return self._process.pid if self._process else None

    @property
    def alive(self) -> bool | None:
        """Whether the process runs; None when there is none."""
        process = self._process
        return process.is_alive() if process else None

    async def talk(self, what: Callable[[], ResultT]) -> ResultT:
        """Do something in the thread, one thing after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)

    def pipe(self, serve: Callable[[Connection], None]) -> Connection:
        """The pipe to the process; where there is none, one is started that runs ``serve``."""
        if self._pipe is None:
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_begin, args=(serve, theirs, logs.chosen()), daemon=True)
            process.start()
            theirs.close()  # or its end would never be seen
            self._pipe, self._process = ours, process
            if self.closed:  # the one who closed it may have come too early to see it
                process.kill()
        return self._pipe

    def send_now(self, message: object) -> None:
        """Say something in between, while the thread waits for an answer."""
        pipe = self._pipe
        if pipe is not None:
            pipe.send(message)

    def kill(self) -> None:
        """End the process; the talking thread sees the end of the pipe."""
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the process and forget it; the next question starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def close(self) -> None:
        """End it for good."""
        self.closed = True
        self.kill()
        self._thread.shutdown()
        self.stop()


def _begin(serve: Callable[[Connection], None], pipe: Connection, log: logs.Choice | None) -> None:
    """In the new process: its log has the form that the server's has."""
    if log is not None:
        logs.log_to_terminal(*log)
    serve(pipe)
