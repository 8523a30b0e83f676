"""What a player notices while strangers elsewhere ask too much: how long an action takes meanwhile.

The strangers have other addresses of this machine (127.0.0.3 and on, which Linux has without asking), and the server
its usual limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from bench.load.phases import Plan, Result, Say, Table
from bench.load.players import Client
from bench.load.server import Place, ServerProcess
from rasputitsa.core.record.new import new_session

PLAYER, FIRST_STRANGER = "127.0.0.2", 3
PACE = 10.0
"""Actions a second of the player: well within what one address may ask for."""
IMPORTS, IMPORT_BYTES, ENTRY_BYTES = 4, 3_000_000, 160
HALF_SENT, HALF_SENT_ADDRESSES = 1100, 10
MATCHES, MATCHES_OF_ONE = 505, 29
PLAN = Plan("one player", 1, 0, 0.0)

Trouble = Callable[[str], AbstractAsyncContextManager[str]]
"""What strangers do to a server at an address, as long as it is open; it is told in words."""


async def measure(source: Path, seconds: float, say: Say) -> list[tuple[str, Result]]:
    """How long actions take when all is quiet, and during each kind of trouble; each in the words of what was done."""
    place = Place()
    server = ServerProcess(source, place.path, limited=True)
    client = Client(server.url, PLAYER)
    found: list[tuple[str, Result]] = []
    try:
        table = Table(client, PLAN, 1)
        await table.start()
        await _play(table, 2.0)
        troubles: tuple[Trouble, ...] = (quiet, imports, half_sent, matches, matches_at_once)
        for trouble in troubles:
            say(f"what a player notices: {trouble.__name__}")
            async with trouble(server.url) as words:
                found.append((words, await _play(table, seconds)))
        found[-1][1].problems.extend(await table.player.wrong())
    finally:
        await client.close()
        server.stop()
        place.clear()
    return found


async def _play(table: Table, seconds: float) -> Result:
    result, begun = Result(0, seconds), time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds:
        result.times.append(await table.step())
        result.actions += 1
        await asyncio.sleep(max(0.0, result.actions / PACE - passed))
    return result


@asynccontextmanager
async def quiet(url: str) -> AsyncIterator[str]:
    """Nobody else."""
    yield "nobody else there"


@asynccontextmanager
async def imports(url: str) -> AsyncIterator[str]:
    """Saved games of three megabytes, sent at once and again and again, each from another address."""
    save = saved_game(IMPORT_BYTES)
    async with _working([_import(url, save, FIRST_STRANGER + number) for number in range(IMPORTS)]):
        yield f"{IMPORTS} imports of {len(save) / 1e6:.0f} MB at once"


async def _import(url: str, save: bytes, stranger: int) -> None:
    async with _session(stranger) as session:
        while True:
            head = {"content-type": "application/x-ndjson"}
            async with session.post(f"{url}/api/import", data=save, headers=head) as answer:
                await answer.read()
            await asyncio.sleep(0.2)


@asynccontextmanager
async def half_sent(url: str) -> AsyncIterator[str]:
    """Requests whose heads never end, as many as are to be open all the time."""
    address, loop = urlsplit(url), asyncio.get_running_loop()
    peers: list[socket.socket] = []
    try:
        for number in range(HALF_SENT):
            peer = socket.socket()
            peers.append(peer)
            peer.setblocking(False)
            peer.bind((f"127.0.0.{FIRST_STRANGER + number % HALF_SENT_ADDRESSES}", 0))
            await loop.sock_connect(peer, (address.hostname, address.port))
            await loop.sock_sendall(peer, b"POST /api/matches HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        yield f"{HALF_SENT:,} half-sent requests"
    finally:
        for peer in peers:
            peer.close()


@asynccontextmanager
async def matches(url: str) -> AsyncIterator[str]:
    """Matches that nobody plays, started one after the other from as many addresses as their limits demand."""
    addresses = -(-MATCHES // MATCHES_OF_ONE)
    async with _working([_start(url, range(addresses))]):
        yield f"{MATCHES} anonymous matches, one by one"


@asynccontextmanager
async def matches_at_once(url: str) -> AsyncIterator[str]:
    """As many again, from other addresses that all ask at the same time."""
    addresses = -(-MATCHES // MATCHES_OF_ONE)
    async with _working([_start(url, [addresses + number]) for number in range(addresses)]):
        yield f"{MATCHES} more, from {addresses} addresses at once"


async def _start(url: str, addresses: Iterable[int]) -> None:
    new = {"game": PLAN.game, "scenario": PLAN.scenario}
    for address in addresses:
        async with _session(100 + address) as session:
            for _ in range(MATCHES_OF_ONE):
                async with session.post(f"{url}/api/matches", json=new) as answer:
                    await answer.read()


def _session(stranger: int) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(local_addr=(f"127.0.0.{stranger}", 0)))


@asynccontextmanager
async def _working(works: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, aiohttp.ClientError, OSError):
                await task


def saved_game(size: int) -> bytes:
    """A saved game of about this many bytes: at every entry somebody else takes a seat."""
    session = new_session(PLAN.game, PLAN.scenario, {}, seed=1, title="", controllers={})
    seat = session.game.seats(session.header.options)[0].id
    for number in range(size // ENTRY_BYTES):
        session.set_controller(seat, f"human {number:0110d}")
    return session.save().encode()
