"""What every request must pass before anything reads it, and what every answer carries."""

from __future__ import annotations

import ipaddress
import json
import logging
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rasputitsa.server.errors import ApiError, forbidden

log = logging.getLogger(__name__)

JSON_TYPE = "application/json"
SAVE_TYPES = (JSON_TYPE, "application/x-ndjson", "application/octet-stream")
IMPORT_PATH = "/api/import"
_SAFE = ("GET", "HEAD", "OPTIONS")

SECURITY_HEADERS = {
    # style attributes are set by the client's components; scripts come from files of ours alone
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

_BUG = ApiError(500, "internal", "something went wrong inside the server; nothing was changed")


class Guard:
    """ASGI middleware; refuses what comes from elsewhere or is too large."""

    def __init__(self, app: ASGIApp, *, local: bool, hosts: Iterable[str], max_body: int, max_import: int) -> None:
        self._app = app
        self._local = local
        self._hosts = {"localhost", *map(str.lower, hosts)}
        if not local:
            self._hosts.add(socket.gethostname().lower())
        self._max_body, self._max_import = max_body, max_import

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
        except ApiError as problem:
            await _refuse(scope, receive, send, problem)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        limit = self._max_import if scope["path"] == IMPORT_PATH else self._max_body
        answer = _Answer(scope, send)
        try:
            await self._app(scope, _limited(receive, limit), answer.send)
        except Exception:
            log.exception("request %s failed", scope["path"])
            if answer.started:
                raise
            await _refuse(scope, receive, send, _BUG)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._known_host(host):
            raise forbidden("bad_host", "this server is not called by that name")
        live = scope["type"] == "websocket"
        if not live and scope["method"] in _SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise forbidden("bad_origin", "requests from other sites are not accepted")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise forbidden("bad_origin", "requests from other sites are not accepted")
        if live:
            return
        _check_body(scope, headers, self._max_import if scope["path"] == IMPORT_PATH else self._max_body)

    def _known_host(self, host: str) -> bool:
        """Names must be known, lest a foreign name be pointed at us; bare addresses cannot be."""
        name = urlsplit(f"//{host}").hostname
        if name is None:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts
        return address.is_loopback or not self._local


def _check_body(scope: Scope, headers: Headers, limit: int) -> None:
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit():
        raise ApiError(400, "bad_request", "the content length is not a number")
    if int(length) > limit:
        raise ApiError(413, "too_large", f"the request is larger than {limit} bytes")
    if scope["method"] != "POST":
        return
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    allowed = SAVE_TYPES if scope["path"] == IMPORT_PATH else (JSON_TYPE,)
    if kind not in allowed:
        raise ApiError(415, "bad_content_type", f"the content type must be {' or '.join(allowed)}")


def _limited(receive: Receive, limit: int) -> Receive:
    """A body without a declared length is counted as it comes."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(413, f"the request is larger than {limit} bytes")
        return message

    return limited


class _Answer:
    """Adds the headers on the way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._api = scope["path"].startswith("/api/")
        self._send = send
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            headers.update(SECURITY_HEADERS)
            if self._api:
                headers.setdefault("cache-control", "no-store")
        await self._send(message)


async def _refuse(scope: Scope, receive: Receive, send: Send, problem: ApiError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": problem.code})
        return
    body = json.dumps(problem.to_json()).encode()
    start = {
        "type": "http.response.start",
        "status": problem.status,
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
    }
    await _Answer(scope, send).send(start)
    await send({"type": "http.response.body", "body": body})
