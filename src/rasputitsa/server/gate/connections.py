"""Connections: how many there may be, and how long one may dawdle.

uvicorn waits forever for the rest of a request's head, for a reader that reads nothing, and for a closed connection
whose last bytes nobody fetches. The classes here add clocks and counts to its protocols. What a request may do once
its head is there is the business of the ``SecurityMiddleware``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from collections.abc import Iterable
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from rasputitsa.server.errors import ApiError, retry_headers
from rasputitsa.server.gate.one_packet import OnePacket
from rasputitsa.server.gate.security import SECURITY_HEADERS
from rasputitsa.server.limits import Counts, Limits, TokenBucket, address_key

SWEEP_SECONDS = 0.5
LINGER_SECONDS = 10.0
"""How long a closed connection may take to fetch its last bytes."""
WAITING_BYTES = 4 * 1024 * 1024
"""What may lie ready for one reader; a whole view is well below."""
SPARE_FILES = 200
"""Files the server needs for itself: database, processes, static files."""

BURST_SECONDS = 16.0
"""How long a window may save up what it does not say."""
MESSAGE_BYTES = 256
"""What a message of a window counts besides its bytes, for each is some work however short."""
MOST_PIECES = 64
_KEY = re.compile(rb"[A-Za-z0-9+/]{22}==")
UNLIMITED = 100_000


def raise_file_limit(connections: float) -> int:
    """Ask the system for as many open files as the connections need; gives how many connections it allows."""
    if sys.platform == "win32":
        return int(connections)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = int(connections) + SPARE_FILES
    if 0 <= soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
            soft = allowed
    return max(min(wanted, soft if soft >= 0 else wanted) - SPARE_FILES, 16)


def raw_answer(problem: ApiError) -> bytes:
    """A refusal written straight to the wire, where there is no request to answer."""
    body = json.dumps(problem.to_json()).encode()
    headers = {
        "content-type": "application/json", "content-length": str(len(body)), "connection": "close",
        "cache-control": "no-store", **SECURITY_HEADERS, **retry_headers(problem),
    }  # fmt: skip
    lines = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}",
        *(f"{k}: {v}" for k, v in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


_FULL = ApiError(503, "busy", "the server has too many connections; please try again in a moment", retry_after=5)
_MANY = ApiError(
    429, "too_many", "there are too many connections from your address; close some windows and try again", retry_after=5
)
_SLOW = ApiError(408, "too_slow", "the request did not arrive in time")
_LONG = ApiError(431, "too_large", "the head of the request is too large")
_BAD = ApiError(400, "bad_request", "this is not a request the server understands")


class Connections:
    """Every open connection, by address, looked at twice a second."""

    def __init__(self, limits: Limits, *, local: bool, proxies: Iterable[str] = ()) -> None:
        self.limits = limits
        self._most = raise_file_limit(limits.connections or UNLIMITED)
        self._exempt = [ip_network(proxy) for proxy in proxies]
        self._local = local
        self._open: dict[Any, Watched] = {}
        self._by_address = Counts(limits.address_connections)
        self._sweeper: asyncio.Task[None] | None = None

    def http(self, *args: Any, **kwargs: Any) -> WatchedHttp:
        """A protocol for a new connection, for uvicorn's ``http`` setting."""
        return WatchedHttp(self, *args, **kwargs)

    def ws(self, *args: Any, **kwargs: Any) -> WatchedWebSocket:
        """A protocol for a connection that becomes a WebSocket, for uvicorn's ``ws`` setting."""
        return WatchedWebSocket(self, *args, **kwargs)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, watched: Watched, transport: asyncio.Transport) -> ApiError | None:
        """Count a new connection, or say why there is no room for it."""
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.get_running_loop().create_task(self._sweep_without_end())
        if len(self._open) >= self._most and not self._make_room():
            return _FULL
        host = (transport.get_extra_info("peername") or ("",))[0]
        if not self._is_exempt(host):
            key = address_key(host)
            if not self._by_address.take(key):
                return _MANY
            watched.address = key
        self._open[transport] = watched
        return None

    def hand_over(self, watched: Watched, transport: asyncio.Transport) -> None:
        """The same connection goes on under another protocol."""
        watched.address = self._open[transport].address
        self._open[transport] = watched

    def release(self, transport: asyncio.Transport | None) -> None:
        """A connection has ended."""
        watched = self._open.pop(transport, None)
        if watched is not None and watched.address is not None:
            self._by_address.give_back(watched.address)

    def _is_exempt(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return (self._local and address.is_loopback) or any(address in network for network in self._exempt)

    def _make_room(self) -> bool:
        """Give the place of the connection that has waited longest without asking anything to a new one."""
        waiting = [watched for watched in self._open.values() if watched.waiting_since is not None]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda watched: watched.waiting_since or 0.0)
        self.release(oldest.transport)
        oldest.give_up()
        return True

    async def _sweep_without_end(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = loop.time()
            for watched in list(self._open.values()):
                watched.look(now)


class Watched(asyncio.Protocol):
    """What both protocols share: a reader must read, and a closed connection must end."""

    transport: asyncio.Transport
    address: str | None = None
    waiting_since: float | None = None
    _watch: Connections
    _stuck_at: float | None = None
    _closed_at: float | None = None

    def look(self, now: float) -> None:
        """End the connection if it has dawdled too long."""
        if self.transport.is_closing():
            self._closed_at = self._closed_at or now
            if now > self._closed_at + LINGER_SECONDS:
                self.give_up()
        elif (self._stuck_at is not None and now > self._stuck_at) or self._too_much_waits():
            self.give_up()

    def give_up(self) -> None:
        """End the connection at once, whatever was still to be said on it."""
        self.transport.abort()

    def _too_much_waits(self) -> bool:
        return self.transport.get_write_buffer_size() > WAITING_BYTES

    def pause_writing(self) -> None:
        """The reader does not keep up; the more lies ready, the longer it may take."""
        limits = self._watch.limits
        if limits.write_seconds:
            fair = self.transport.get_write_buffer_size() / (limits.slowest_rate or 1.0)
            self._stuck_at = asyncio.get_running_loop().time() + limits.write_seconds + fair
        super().pause_writing()

    def resume_writing(self) -> None:
        """The reader has caught up."""
        self._stuck_at = None
        super().resume_writing()


class WatchedHttp(Watched, HttpToolsProtocol):
    """HTTP with a clock on the head of each request and on idle connections."""

    def __init__(self, connections: Connections, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._watch = connections
        self._refused = False
        self._in_head = self._in_body = self._overdue = False
        self._answering: RequestResponseCycle | None = None
        self._unread = 0
        """Bytes of this request that are not its body: its head, and what lies between the pieces of a body."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in, or turn it away."""
        transport = cast(asyncio.Transport, transport)  # uvloop's are no instances of it
        self.transport = transport
        problem = self._watch.admit(self, transport)
        if problem is not None:
            self._refused = True
            transport.write(raw_answer(problem))
            transport.close()
            return
        self.waiting_since = self.loop.time()
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out again."""
        if not self._refused:
            self._watch.release(self.transport)
            self._hush()
            super().connection_lost(exc)

    def give_up(self) -> None:
        """End the connection, and what is still being answered on it."""
        self._hush()
        super().give_up()

    def _hush(self) -> None:
        """What is still said to requests on this connection goes nowhere, and those that wait are not begun.

        uvicorn knows the last request that came; where several came at once that is not the one being answered.
        """
        self.pipeline.clear()
        for cycle in (self._answering, self.cycle):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        if cycle.scope["method"] != "HEAD":  # such an answer is a head and nothing else
            cycle.transport = cast(asyncio.Transport, OnePacket(cycle, self.transport))
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        """A connection that was turned away has no more to say."""
        if not self._refused:
            super().pause_writing()

    def resume_writing(self) -> None:
        """Likewise."""
        if not self._refused:
            super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on, if what lies between the bodies does not grow beyond measure."""
        if self.transport.is_closing():
            return
        self._unread += len(data)
        super().data_received(data)
        most = self._watch.limits.head_bytes
        if most and self._unread > most and (self._in_head or self._in_body) and not self.transport.is_closing():
            self._end(_LONG)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._overdue = True, False
        self.waiting_since = self.loop.time()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Headers that follow a body are left out: what was checked must not change afterwards."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there; the rest is timed by those who read it."""
        self._in_head, self._in_body = False, True
        self._unread = 0
        self.waiting_since = None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Part of a body; its length is the business of those who read it. Pieces pay for what lies between them."""
        self._unread = max(0, self._unread - 2 * len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there."""
        self._in_body = False
        self._unread = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._overdue = False
        self.waiting_since = self.loop.time()
        super().on_response_complete()

    def look(self, now: float) -> None:
        """End the connection if nothing, or no whole head, has come in time."""
        super().look(now)
        limits = self._watch.limits
        if self.waiting_since is None or self.transport.is_closing():
            return
        busy = self.cycle is not None and not self.cycle.response_complete
        allowed = limits.header_seconds if self._in_head or self.cycle is None else limits.idle_seconds
        if allowed and not busy and now > self.waiting_since + allowed:
            if not self._overdue:  # what came while the server was busy elsewhere is read before the next look
                self._overdue = True
            elif self._in_head:
                self._end(_SLOW)
            else:
                self.transport.close()

    def _should_upgrade(self) -> bool:
        """Only what is a handshake becomes a WebSocket; the rest is a request like any other."""
        return super()._should_upgrade() and self.scope["method"] == "GET" and _is_handshake(self.headers)

    def _unsupported_upgrade_warning(self) -> None:
        """Answer without the upgrade. What follows on the connection may be meant for the other protocol."""
        if self.cycle is not None:
            self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """What the parser cannot read is refused in the usual form."""
        self._end(_BAD)

    def _end(self, problem: ApiError) -> None:
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if cycle.response_started or self.pipeline:
                self.give_up()  # in the middle of another answer
                return
            cycle.disconnected = True  # whatever is still said to this request goes nowhere
            cycle.message_event.set()
        self.transport.write(raw_answer(problem))
        self.transport.close()


def _is_handshake(headers: list[tuple[bytes, bytes]]) -> bool:
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    versions = [value for name, value in headers if name == b"sec-websocket-version"]
    return versions == [b"13"] and len(keys) == 1 and _KEY.fullmatch(keys[0]) is not None


class WatchedWebSocket(Watched, WebSocketsSansIOProtocol):
    """A WebSocket that may say little, as windows do."""

    def __init__(self, connections: Connections, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._watch = connections
        rate = connections.limits.window_bytes
        self._allowance = TokenBucket(rate, BURST_SECONDS * rate, self.loop.time()) if rate else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the connection on which the handshake came."""
        transport = cast(asyncio.Transport, transport)
        self._watch.hand_over(self, transport)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out again."""
        self._watch.release(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, if the window does not say too much, or fetch too little of what it is answered."""
        if self._allowance is not None and self._allowance.take(len(data), self.loop.time()):
            self._fail(1008, "too much at once")
        elif self._too_much_waits():
            self.transport.abort()
        else:
            super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on, if there have not been too many."""
        if self._allowance is not None and self._allowance.take(MESSAGE_BYTES, self.loop.time()):
            self._fail(1008, "too much at once")
        else:
            super().send_receive_event_to_app()

    def handle_connect(self, event: Request) -> None:
        """Go on with a handshake that fits; another is refused in the usual form."""
        if self.conn.accept(event).status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().handle_connect(event)
            return
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(raw_answer(_BAD))
        self.transport.close()

    async def send(self, message: Any) -> None:
        """A refused handshake is complete: nothing more is owed to it, and nothing is wrong."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """A message comes in a few pieces at most."""
        if len(self.frames) >= MOST_PIECES:
            self._fail(1009, "too many pieces")
        else:
            super().handle_cont(event)

    def _fail(self, code: int, reason: str) -> None:
        if not self.handshake_complete:
            self.transport.abort()
        elif not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
