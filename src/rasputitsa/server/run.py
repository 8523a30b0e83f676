"""Running the server in this process, on a socket of our own choosing."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import sys
from collections.abc import Callable
from typing import Any, cast

import uvicorn

from rasputitsa.server.app import create_app
from rasputitsa.server.collecting import Collector
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.gate.connections import Connections
from rasputitsa.server.lock import DataLock
from rasputitsa.server.logs import log_to_terminal
from rasputitsa.server.matches import restored
from rasputitsa.server.store import Store, StoreError
from rasputitsa.server.store.disk_reserve import lay_by

PORTS_TRIED = 20
WS_MAX_SIZE = 4096
SWITCH_SECONDS = 0.001
"""How long a thread computes before another may: Python's own 5 ms, times several threads, is felt in what waits."""
SHUTDOWN_SECONDS = 3
NO_LIMIT_SECONDS = 24 * 3600


class PortError(Exception):
    """The server cannot listen at the given address; the text says why."""


def listen(host: str, port: int, *, elsewhere: bool) -> socket.socket:
    """A listening socket; where the port is taken and ``elsewhere`` is allowed, on one of the next or any free.

    Raises:
        PortError: with the reason in plain words.
    """
    try:
        return _listen(host, port, elsewhere=elsewhere)
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise PortError(f"port {port} is taken; choose another with --port") from problem
        raise PortError(f"cannot serve on {host} port {port}: {problem.strerror or problem}") from problem


def _listen(host: str, port: int, *, elsewhere: bool) -> socket.socket:
    ports = [port, *range(port + 1, port + PORTS_TRIED), 0] if elsewhere and port else [port]
    for candidate in ports:
        try:
            return _bind(host, candidate)
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE or candidate == ports[-1]:
                raise
    raise AssertionError("the last port either binds or raises")


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # naming the protocol makes asyncio switch Nagle's algorithm off; without it each answer waits 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except BaseException:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """Where a browser finds the server."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Server(uvicorn.Server):
    """Tells when it is ready to answer, and looks for garbage when nobody waits."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._collector = Collector()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell once that is so."""
        await super().startup(sockets)
        if self.started:
            sys.setswitchinterval(SWITCH_SECONDS)
            self._collector.begin()
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: let the collector look, and say whether to end."""
        self._collector.tick(self.server_state.total_requests)
        return await super().on_tick(counter)


def run(config: ServerConfig, host: str, port: int, ready: Callable[[str], None], *, elsewhere: bool) -> None:
    """Serve until interrupted; data first, so that no trouble with them passes for one with the port.

    Raises:
        InUseError: another server has the data directory.
        StoreError: the database cannot be used.
        PortError: the server cannot listen there.
    """
    log_to_terminal(config.limits.log_lines, config.log_form)
    lock = DataLock(config.data)
    try:
        store = Store(config.database)
        with contextlib.closing(store), listen(host, port, elsewhere=elsewhere) as listener:
            lay_by(config.database)
            store.sweep()
            store.look_after()
            restored.go_on(store)
            _serve(config, store, listener, lock, ready)
            with contextlib.suppress(StoreError):
                store.note_up()
    finally:
        lock.release()


def _serve(
    config: ServerConfig, store: Store, listener: socket.socket, lock: DataLock, ready: Callable[[str], None]
) -> None:
    address = address_of(listener)
    connections = Connections(config.limits, local=config.local, proxies=config.proxies)
    settings = uvicorn.Config(
        create_app(config, store),
        http=cast(Any, connections.http),
        ws=cast(Any, connections.ws),
        timeout_keep_alive=NO_LIMIT_SECONDS,  # the connections have a clock of their own, which looks twice
        log_config=None,
        log_level="warning",
        access_log=False,  # it would hold seat keys
        server_header=False,
        proxy_headers=False,  # the app asks for them itself, where a proxy is named; nobody looks local by a header
        ws_max_size=WS_MAX_SIZE,
        ws_per_message_deflate=False,  # most messages are short, and each would be packed once for every window
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    lock.tell(address)
    _Server(settings, lambda: ready(address)).run(sockets=[listener])
