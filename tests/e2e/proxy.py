"""A network between browser and server that can fall silent: nothing gets through, and nothing is closed."""

from __future__ import annotations

import contextlib
import socket
import threading


class Proxy:
    """Forwards connections to a port on this machine; while muted it holds back what comes from either side."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def mute(self) -> None:
        """Swallow everything from now on."""
        self._open.clear()

    def unmute(self, forget: bool = False) -> None:
        """Let everything through again; with ``forget``, connections from before stay dead, as after a new address."""
        if forget:
            old, self._sockets = self._sockets, []
            for one in old:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RD)
        self._open.set()

    def close(self) -> None:
        """End all connections."""
        self._open.set()
        for one in [self._listener, *self._sockets]:
            with contextlib.suppress(OSError):
                one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._open.wait()
                sink.sendall(data)
        with contextlib.suppress(OSError):
            self._open.wait()
            sink.close()
