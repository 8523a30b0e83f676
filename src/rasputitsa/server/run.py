"""Running the server in this process, on a socket of our own choosing."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable

import uvicorn

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.lock import DataLock
from rasputitsa.server.store import Store

PORTS_TRIED = 20
WS_MAX_SIZE = 64 * 1024
SHUTDOWN_SECONDS = 3


def listen(host: str, port: int, *, elsewhere: bool) -> socket.socket:
    """A listening socket; where the port is taken and ``elsewhere`` is allowed, on one of the next or any free."""
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
    """Tells when it is ready to answer."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run(config: ServerConfig, listener: socket.socket, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Raises:
        InUseError: another server has the data directory.
        StoreError: the database cannot be used.
    """
    lock = DataLock(config.data)
    try:
        address = address_of(listener)
        app = create_app(config, Store(config.database))
        settings = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # it would hold seat keys
            server_header=False,
            proxy_headers=False,  # a header must not make a stranger look local
            ws_max_size=WS_MAX_SIZE,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        lock.tell(address)
        _Server(settings, lambda: ready(address)).run(sockets=[listener])
    finally:
        lock.release()
