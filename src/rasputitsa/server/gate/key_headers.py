"""Seat keys in headers, where neither the log of a proxy nor the history of a browser keeps them.

A request may carry its key in the header ``X-Seat-Key``; a WebSocket, for which a page can set no headers, as the
second of the protocols it offers: ``rasputitsa, key.KEY``. Inside the server it is a query value either way.
"""

from __future__ import annotations

from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.types import Message, Scope, Send

KEY_HEADER = "x-seat-key"
PROTOCOL = "rasputitsa"
_KEY_PREFIX = "key."


def with_key(scope: Scope) -> Scope:
    """The same request with the key from its headers, if there is one, as its last query value."""
    key = Headers(scope=scope).get(KEY_HEADER)
    if scope["type"] == "websocket":
        offered = scope.get("subprotocols", [])
        key = next((name.removeprefix(_KEY_PREFIX) for name in offered if name.startswith(_KEY_PREFIX)), key)
    if key is None:
        return scope
    query = scope["query_string"]
    return {**scope, "query_string": query + (b"&" if query else b"") + b"key=" + quote(key, safe="").encode()}


def choosing_protocol(scope: Scope, send: Send) -> Send:
    """Accept a WebSocket under our protocol if it was offered, as browsers demand."""
    if PROTOCOL not in scope.get("subprotocols", []):
        return send

    async def choosing(message: Message) -> None:
        if message["type"] == "websocket.accept":
            message = {**message, "subprotocol": PROTOCOL}
        await send(message)

    return choosing
