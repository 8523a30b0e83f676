"""An answer is written at once, head and body, and nothing of it is kept back or comes out of order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.types import Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from rasputitsa.server.gate.connections import Connections
from rasputitsa.server.gate.one_packet import MAX_COPIED_BYTES, OnePacket
from rasputitsa.server.limits import Limits

HEAD, BODY = b"HTTP/1.1 200 OK\r\n\r\n", b"body"


class Wire(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__({"peername": ("10.0.0.1", 5000), "sockname": ("10.0.0.2", 80)})
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed
        self.written.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def written(work: Callable[[OnePacket, Any], Awaitable[None]]) -> Wire:
    """What is on the wire after a piece of work."""

    async def run() -> Wire:
        wire, cycle = Wire(), cast(Any, SimpleNamespace(response_started=False))
        await work(OnePacket(cycle, wire), cycle)
        await asyncio.sleep(0)
        return wire

    return asyncio.run(run())


def test_head_and_body_are_written_together() -> None:
    async def work(packet: OnePacket, cycle: Any) -> None:
        cycle.response_started = True
        packet.write(HEAD)
        packet.write(BODY)
        packet.write(BODY)

    assert written(work).written == [HEAD + BODY, BODY]


def test_a_head_does_not_wait_for_a_late_body() -> None:
    async def work(packet: OnePacket, cycle: Any) -> None:
        cycle.response_started = True
        packet.write(HEAD)
        await asyncio.sleep(0)
        packet.write(BODY)

    assert written(work).written == [HEAD, BODY]


def test_a_long_body_is_not_copied() -> None:
    long = b"x" * (MAX_COPIED_BYTES + 1)

    async def work(packet: OnePacket, cycle: Any) -> None:
        cycle.response_started = True
        packet.write(HEAD)
        packet.write(long)

    assert written(work).written == [HEAD, long]


def test_who_is_told_to_go_on_does_not_wait() -> None:
    async def work(packet: OnePacket, cycle: Any) -> None:
        packet.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        cycle.response_started = True
        packet.write(HEAD)
        packet.write(BODY)

    assert written(work).written == [b"HTTP/1.1 100 Continue\r\n\r\n", HEAD + BODY]


def test_what_was_written_goes_out_before_the_connection_is_closed() -> None:
    async def work(packet: OnePacket, cycle: Any) -> None:
        cycle.response_started = True
        packet.write(HEAD)
        packet.close()
        assert packet.is_closing()

    wire = written(work)
    assert wire.written == [HEAD] and wire.closed


def test_nothing_is_written_to_a_connection_that_is_gone() -> None:
    async def work(packet: OnePacket, cycle: Any) -> None:
        cycle.response_started = True
        packet.write(HEAD)
        packet._transport.close()

    assert written(work).written == []


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-length", b"4")]
    start: Message = {"type": "http.response.start", "status": 200, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": BODY})


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("last", [False, True])
def test_the_server_writes_eachanswer_once(method: str, last: bool) -> None:
    async def run() -> Wire:
        config = Config(answer, log_config=None, server_header=False, date_header=False)
        config.load()
        protocol = Connections(Limits(), local=True).http(config, ServerState(), {})
        wire = Wire()
        protocol.connection_made(wire)
        end = "Connection: close\r\n" if last else ""
        protocol.data_received(f"{method} / HTTP/1.1\r\nHost: here\r\n{end}\r\n".encode())
        while not protocol.cycle.response_complete:
            await asyncio.sleep(0)
        return wire

    wire = asyncio.run(run())
    assert len(wire.written) == 1 and wire.closed == last
    assert wire.written[0].endswith(b"\r\n\r\n" + (BODY if method == "GET" else b""))
