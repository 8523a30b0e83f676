"""Turns at something there is one of: those who wait are called, and those who go away pass the turn on."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from typing import Generic, TypeVar

PlaceT = TypeVar("PlaceT")
Called = asyncio.Future[None]


class Turns(ABC, Generic[PlaceT]):
    """One turn at a time; those who wait have a place each, by which the next one is chosen."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: dict[Called, PlaceT] = {}

    @abstractmethod
    def _choose(self, waiting: Mapping[Called, PlaceT]) -> Called:
        """Who is next among those who wait, in the order in which they came; there is at least one."""

    @contextlib.asynccontextmanager
    async def turn(self, place: PlaceT) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        if self._busy:
            await self._wait(place)
        self._busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, place: PlaceT) -> None:
        called = asyncio.get_running_loop().create_future()
        self._waiting[called] = place
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._next()  # it was our turn, and we are gone
            raise
        finally:
            del self._waiting[called]

    def _next(self) -> None:
        asking = {called: place for called, place in self._waiting.items() if not called.done()}
        self._busy = bool(asking)
        if asking:
            self._choose(asking).set_result(None)
