"""Whose new match is made next while strangers ask for very many. Time and turns are given out by the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.gate.creation_queue import KNOWN_AHEAD, CreationQueue, Place, network_key
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist

STAGES = 3
"""Turns that a match takes: the game is begun, packed, and kept."""
LITTLE = 2
"""Matches that go before who asks: one that is begun, and one that begins until the caller stands in the line."""


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Works:
    """Places one turn after the other is given to, and tells in which order matches were made."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.line = CreationQueue(clock)
        self.made: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, address: str, *, known: bool = False) -> asyncio.Task[None]:
        place = self.line.place(address, known=known)
        self.tasks.append(asyncio.create_task(self._make(address, place)))
        return self.tasks[-1]

    async def _make(self, address: str, place: Place) -> None:
        for _ in range(STAGES):
            async with self.line.turn(place):
                await asyncio.sleep(0)
        self.made.append(address)

    async def until_made(self, address: str) -> int:
        """How many matches of others were made before it."""
        while address not in self.made:
            await asyncio.sleep(0)
        return self.made.index(address)

    def stop(self) -> None:
        for task in self.tasks:
            task.cancel()


def run(work: Callable[[Works, Clock], Any]) -> None:
    async def inside() -> None:
        clock = Clock()
        works = Works(clock)
        try:
            await work(works, clock)
        finally:
            works.stop()
            await asyncio.gather(*works.tasks, return_exceptions=True)

    asyncio.run(asyncio.wait_for(inside(), 60))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.1.2.3", "10.1.2.0/24"), ("2001:db8:1:2::/64", "2001:db8:1::/48"), ("unknown", "unknown"),
    ],
)  # fmt: skip
def test_a_network_is_what_one_customer_has(address: str, network: str) -> None:
    assert network_key(address) == network


def test_a_stranger_who_asks_for_one_match_goes_before_all_of_a_flood_from_few_networks() -> None:
    """However many addresses a network has, it stands in the line as one."""

    async def work(works: Works, _: Clock) -> None:
        for number in range(2000):
            works.ask(f"2001:db8:{number % 10:x}:{number:x}::/64")
        for _step in range(50):
            await asyncio.sleep(0)
        before = len(works.made)
        works.ask("192.0.2.7")
        assert await works.until_made("192.0.2.7") <= before + LITTLE

    run(work)


def test_who_has_played_here_goes_before_a_flood_from_as_many_networks_as_there_are() -> None:
    async def work(works: Works, _: Clock) -> None:
        for number in range(500):
            works.ask(f"10.{number // 250}.{number % 250}.1")
        await asyncio.sleep(0)
        before = len(works.made)
        works.ask("192.0.2.7", known=True)
        for number in range(500):
            works.ask(f"11.{number // 250}.{number % 250}.1")
        assert await works.until_made("192.0.2.7") <= before + LITTLE

    run(work)


def test_of_a_flood_from_as_many_networks_as_there_are_the_newest_goes_first() -> None:
    """A line in the order of arrival would make everybody wait until it is too late for all."""

    async def work(works: Works, _: Clock) -> None:
        for number in range(500):
            works.ask(f"10.{number // 250}.{number % 250}.1")
        await asyncio.sleep(0)
        before = len(works.made)
        works.ask("192.0.2.7")
        assert await works.until_made("192.0.2.7") <= before + LITTLE

    run(work)


def test_what_is_begun_is_finished_before_anything_new_is_begun() -> None:
    async def work(works: Works, _: Clock) -> None:
        works.ask("10.0.0.1")
        await asyncio.sleep(0)
        for number in range(1, 50):
            works.ask(f"10.0.{number}.1", known=True)
        await works.until_made("10.0.0.1")
        assert works.made == ["10.0.0.1"]

    run(work)


def test_a_class_whose_school_has_played_before_goes_before_a_flood() -> None:
    async def work(works: Works, _: Clock) -> None:
        for number in range(500):
            works.ask(f"10.{number // 250}.{number % 250}.1")
        await asyncio.sleep(0)
        pupils = [works.ask("192.0.2.7", known=True) for _ in range(int(KNOWN_AHEAD))]
        await asyncio.gather(*pupils)
        assert len([address for address in works.made if address != "192.0.2.7"]) <= LITTLE

    run(work)


def test_who_asked_for_many_counts_as_anybody_else_after_a_while() -> None:
    async def work(works: Works, clock: Clock) -> None:
        line = works.line
        assert [line.place("10.0.0.1", known=False).asked for _ in range(3)] == [0, 1, 2]
        assert line.place("10.0.0.99", known=False).asked == 3, "the same network"
        clock.now = 120.0
        assert line.place("10.0.0.1", known=False).asked == 2
        clock.now = 100_000.0
        assert line.place("10.0.0.1", known=False).asked == 0
        for number in range(5000):
            clock.now += 60.0
            line.place(f"10.{number // 250}.{number % 250}.1", known=False)
        assert len(line._asked) < 2500, "networks that have not asked for long are forgotten"

    run(work)


def test_who_gives_up_waiting_loses_nobodys_turn() -> None:
    async def work(works: Works, _: Clock) -> None:
        tasks = [works.ask(f"10.0.{number}.1") for number in range(20)]
        await asyncio.sleep(0)
        for task in tasks[1:]:
            task.cancel()
        works.ask("192.0.2.7")
        assert await works.until_made("192.0.2.7") <= 1
        for task in [works.ask(f"10.1.{number}.1") for number in range(20)]:
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.sleep(0)
        works.ask("192.0.2.8")
        await works.until_made("192.0.2.8")
        assert not works.line._waiting and not works.line._busy

    run(work)


def test_who_has_played_a_match_for_an_hour_is_known(
    config: ServerConfig, duel_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new address is not, nor one that has only just asked for a match."""
    asked: list[float] = []
    place = CreationQueue.place

    def noted(line: CreationQueue, address: str, *, known: bool) -> Place:
        found = place(line, address, known=known)
        asked.append(found.asked)
        return found

    monkeypatch.setattr(CreationQueue, "place", noted)
    with connect(replace(config, local=False), "10.1.2.3") as here:
        guest = TestClient(here.app, base_url="http://127.0.0.1:8000", client=("10.9.9.9", 50000))
        guest.portal = here.portal
        duel = Duelist.between_two(here)
        Duelist.start(here)
        assert asked == [0, pytest.approx(1, abs=0.5)], "less a little for the time that has passed"
        duel.act("red", "hide 3")
        with rooms_of(here).store.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE matches SET created_ms = created_ms - 3700000")
        Duelist.start(here)
        Duelist.start(guest)
        assert asked[2] <= 2 - KNOWN_AHEAD and asked[3] == 0
