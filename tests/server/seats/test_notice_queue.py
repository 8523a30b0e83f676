"""Notices that wait to go out: none holds up another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from rasputitsa.server.config import NoticeSettings
from rasputitsa.server.limits import Limits
from rasputitsa.server.notices import notifier
from rasputitsa.server.store.people.notices import Due, NoticeWay
from tests.support import PATIENCE


class Waiting:
    """Rooms and store of a server that has notices to send."""

    def __init__(self, due: list[Due]) -> None:
        self.store, self._due = self, due

    async def in_thread(self, work: Callable[[], Any]) -> Any:
        return work()

    def watched(self) -> set[tuple[int, str]]:
        return set()

    def answering(self) -> set[tuple[int, str]]:
        return set()

    def note_asked(self, watched: object) -> None:
        """Nobody is asked."""

    def due_notices(self) -> list[Due]:
        return self._due

    def notices_sent(self, together: object) -> None:
        """Nothing is written."""

    def notices_failed(self, together: list[Due], trouble: str, *, for_good: bool) -> None:
        """Nothing is written."""


def due(number: int, address: str, tries: int = 0) -> Due:
    return Due(number, number, "red", "Friday", "1", False, tries, NoticeWay("json", address, "stop", "", ""))


def looked(waiting: list[Due], monkeypatch: pytest.MonkeyPatch, deliver: Callable[[str], Awaitable[None]]) -> None:
    """A server looks once, and what is delivered goes to the given function."""
    monkeypatch.setattr(notifier, "deliver", lambda address, *_, **__: deliver(address))
    asyncio.run(notifier.Notifier(cast(Any, Waiting(waiting)), NoticeSettings("https://games.example")).look())


def test_addresses_that_one_caller_has_named_hold_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long they are silent."""
    told = asyncio.Event()

    async def deliver(address: str) -> None:
        if address == "z":
            told.set()
        async with asyncio.timeout(PATIENCE):
            await told.wait()

    silent = [due(number, f"a{number}") for number in range(int(Limits().notices))]
    looked([*silent, due(99, "z")], monkeypatch, deliver)
    assert told.is_set()


def test_who_did_not_answer_before_waits_for_those_who_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "AT_ONCE", 1)
    order: list[str] = []

    async def deliver(address: str) -> None:
        order.append(address)

    looked([due(1, "a", tries=2), due(2, "b"), due(3, "c", tries=1), due(4, "d")], monkeypatch, deliver)
    assert order == ["b", "d", "c", "a"]


def test_a_notice_that_fails_as_nobody_foresaw_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    failed: list[tuple[str, bool]] = []

    async def deliver(address: str) -> None:
        if address == "a":
            raise IndexError
        await asyncio.sleep(0)
        told.append(address)

    def note(_: object, known: list[Due], trouble: str, *, for_good: bool) -> None:
        failed.append((known[0].way.address, for_good))

    monkeypatch.setattr(Waiting, "notices_failed", note)
    looked([due(1, "a"), due(2, "b"), due(3, "c")], monkeypatch, deliver)
    assert told == ["b", "c"] and failed == [("a", True)]
