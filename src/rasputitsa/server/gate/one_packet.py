"""The head of an answer goes out together with its body: two packets would wake their reader twice."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

MAX_COPIED_BYTES = 64 * 1024
"""Bytes of a body that are copied behind the head; what is larger comes in several packets anyway."""


class OnePacket:
    """What uvicorn writes an answer to, in place of the transport.

    It keeps the head for the moment in which the body is written, at the latest until the loop goes round.
    """

    def __init__(self, cycle: RequestResponseCycle, transport: asyncio.Transport) -> None:
        self._cycle, self._transport = cycle, transport
        self._head = b""
        self._begun = False

    def write(self, data: bytes) -> None:
        """Write the next part of the answer."""
        if not self._begun and self._cycle.response_started:  # before, it is asked to go on with its request
            self._begun, self._head = True, data
            asyncio.get_running_loop().call_soon(self._flush)
        elif self._head and len(data) <= MAX_COPIED_BYTES:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        else:
            self._flush()
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection after what was written."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether the connection is closed, or about to be."""
        return self._transport.is_closing()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)
