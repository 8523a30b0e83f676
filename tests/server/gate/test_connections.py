"""How long a connection may wait for its next request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from rasputitsa.server.gate.connections import Connections, WatchedHttp
from rasputitsa.server.limits import Limits
from tests.server.gate.test_one_packet import Wire, answer

REQUEST = b"GET / HTTP/1.1\r\nhost: here\r\n\r\n"


async def asked(protocol: WatchedHttp) -> None:
    """A request comes, and is answered."""
    protocol.data_received(REQUEST)
    while not protocol.cycle.response_complete:
        await asyncio.sleep(0)


def idle(then: Callable[[WatchedHttp], None]) -> Wire:
    """What is on the wire when a request comes after a look at a connection whose time has run out."""
    limits = Limits(idle_seconds=20)

    async def run() -> Wire:
        config = Config(answer, log_config=None, server_header=False, date_header=False)
        config.load()
        protocol, wire = Connections(limits, local=True).http(config, ServerState(), {}), Wire()
        protocol.connection_made(wire)
        await asked(protocol)
        assert protocol.waiting_since is not None
        protocol.look(protocol.waiting_since + limits.idle_seconds)
        protocol.look(late := protocol.waiting_since + limits.idle_seconds + 1)
        assert not wire.closed
        then(protocol)
        if not wire.closed:
            await asked(protocol)
            protocol.look(late)
        return wire

    return asyncio.run(run())


def test_a_request_that_came_while_the_server_stood_still_is_answered() -> None:
    """The clock of the idle connection has run out meanwhile, and is looked at first."""
    wire = idle(lambda _: None)
    assert len(wire.written) == 2 and not wire.closed


@pytest.mark.parametrize("seconds", [0.5, 100])
def test_a_connection_on_which_nothing_comes_is_closed_at_the_second_look(seconds: float) -> None:
    wire = idle(lambda protocol: protocol.look((protocol.waiting_since or 0) + 21 + seconds))
    assert len(wire.written) == 1 and wire.closed
