"""Digests of passwords (Argon2id), made and compared one at a time, by turns, and out of the way of the games."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from rasputitsa.server.errors import ApiError
from rasputitsa.server.workers.fair_queue import FairQueue

T = TypeVar("T")

MOST_WAITING = 40
MOST_OF_NETWORK = 10
"""Of those who wait: one network does not fill the line."""
PATIENCE_SECONDS = 10.0
NICE = 5
HASHER = PasswordHasher(time_cost=2, memory_cost=46 * 1024, parallelism=1)
"""More than OWASP asks for at least; it takes about a tenth of a second."""

ONCE = "once "
"""Before the digest of a password that the host has set: it is good for taking another one, and for nothing else."""


def once(password: str) -> str:
    """What is kept of a password that is good once."""
    return ONCE + HASHER.hash(_bytes(password))


def is_once(kept: str) -> bool:
    """Whether a password is good once."""
    return kept.startswith(ONCE)


class PasswordDesk:
    """Where passwords are looked at: one at a time, in a thread with less claim to the machine than the games.

    Networks take turns, so that one that asks much does not keep others waiting long.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="password", initializer=_give_way)
        self._queue = FairQueue()
        self._waiting: Counter[str] = Counter()
        self._nobody = ""

    async def digest(self, password: str, network: str) -> str:
        """What is kept of a password; raises ``ApiError`` 503."""
        return await self._in_turn(network, lambda: HASHER.hash(_bytes(password)))

    async def fits(self, kept: str | None, password: str, network: str) -> bool:
        """Whether a password is the one of which a digest is kept; takes as long where none is, or nobody is known.

        Raises:
            ApiError: 503, too many wait.
        """
        return await self._in_turn(network, lambda: self._compare(kept, password))

    def _compare(self, kept: str | None, password: str) -> bool:
        if not kept and not self._nobody:
            self._nobody = HASHER.hash(secrets.token_bytes(16))
        try:
            return HASHER.verify((kept or self._nobody).removeprefix(ONCE), _bytes(password)) and bool(kept)
        except (VerificationError, InvalidHashError):
            return False

    async def _in_turn(self, network: str, work: Callable[[], T]) -> T:
        if self._waiting.total() >= MOST_WAITING or self._waiting[network] >= MOST_OF_NETWORK:
            raise _busy()
        self._waiting[network] += 1
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), self._queue.turn(network):
                return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except TimeoutError:
            raise _busy() from None
        finally:
            self._waiting -= Counter({network: 1})

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(cancel_futures=True)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


def _busy() -> ApiError:
    return ApiError(503, "busy", "many people are signing in just now; please try again", retry_after=10)


def _give_way() -> None:
    """Linux alone has a priority for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
