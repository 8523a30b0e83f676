"""What every request must pass before anything reads it, and what every answer carries."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from rasputitsa.core.caching import cached_up_to
from rasputitsa.server.errors import ApiError, bad_request, forbidden, retry_headers, unknown
from rasputitsa.server.gate.key_headers import KEY_HEADER, choosing_protocol, with_key
from rasputitsa.server.gate.throttle import LIVE_PATH, MANY_WINDOWS, Throttle
from rasputitsa.server.limits import Limits

log = logging.getLogger(__name__)

JSON_TYPE = "application/json"
SAVE_TYPES = (JSON_TYPE, "application/x-ndjson", "application/octet-stream")
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
IMPORT_PATH = "/api/import"
_ONE_CLICK = re.compile(r"/api/notices/stop/[\w-]{1,64}")
"""Where mail programs send a form (RFC 8058), of which nothing is read; looked at, it leads to a page."""
STORE_HEADER = "x-rasputitsa-store"
"""Which store answers, so that a browser keeps what it has for a match apart from another store's."""
_METHODS = ("GET", "HEAD", "POST", "DELETE")
_SAFE = ("GET", "HEAD")

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What proxies add to a request."""
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://([^/?#@\s]+)", re.IGNORECASE)

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

_FROM_ELSEWHERE = "requests from other sites are not accepted"
_BUG = ApiError(500, "internal", "something went wrong inside the server; nothing was changed")


class SecurityMiddleware:
    """ASGI middleware; refuses what comes from elsewhere, is too large or too slow, or asks too much."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        local: bool,
        hosts: Iterable[str],
        max_body: int,
        max_import: int,
        throttle: Throttle,
        proxied: bool = False,
        store: Callable[[], str] = lambda: "",
    ) -> None:
        """``proxied``: a proxy is named, and what it says of the caller was read before; ``store`` gives its name."""
        self._app = app
        self._local = local
        self._hosts = {"localhost", *map(str.lower, hosts)}
        if not local:
            self._hosts.add(socket.gethostname().lower())
        self._max_body, self._max_import = max_body, max_import
        self._throttle = throttle
        self._watch_for_proxy = not local and not proxied
        self._store = store

    @cached_property
    def _headers(self) -> dict[bytes, bytes]:
        name = self._store()
        return _encoded(SECURITY_HEADERS | ({STORE_HEADER: name} if name else {}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http" and scope["method"] == "HEAD" and scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # costs as much, and the connection leaves the body out
        try:
            self._check(scope, Headers(scope=scope))
            scope = with_key(scope)
            if scope["type"] == "websocket":
                send = choosing_protocol(scope, send)
                # a window that goes away while it is spoken to is nothing to be logged
                with self._throttle.window(scope), contextlib.suppress(WebSocketDisconnect):
                    await self._app(scope, receive, _refusing(scope, send))
            else:
                async with self._throttle.request(scope):
                    await self._answer(scope, receive, send)
        except ApiError as problem:
            await _refuse(scope, receive, send, problem)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(scope, send, self._headers)
        limit = self._max_import if scope["path"] == IMPORT_PATH else self._max_body
        try:
            with self._throttle.body() as hold:
                body = _Body(receive, limit, self._throttle.limits, hold)
                await self._app(scope, body.receive, answer.send)
        except ClientDisconnect:
            return  # the client has gone; nobody is left to be answered
        except Exception:
            log.exception("request %s failed", scope["path"][:200])
            if answer.started:
                raise
            await _refuse(scope, receive, send, _BUG)

    def _check(self, scope: Scope, headers: Headers) -> None:
        if scope["type"] == "websocket" and LIVE_PATH.fullmatch(scope["path"]) is None:
            raise unknown("not_found", "there is no window to be opened here")
        if scope["type"] == "http" and scope["method"] not in _METHODS:
            raise ApiError(405, "bad_method", "the server knows GET, HEAD, POST and DELETE")
        _check_head(scope, self._throttle.limits)
        host = _the_one(headers, "host") or ""
        if not self._known_host(host):
            raise forbidden("bad_host", "this server is not called by that name")
        if self._local and any(name in headers for name in FORWARDED):
            raise forbidden("bad_host", "this server is for the person at this machine; serve others with 'serve'")
        if self._watch_for_proxy and "x-forwarded-for" in headers:
            self._tell_of_proxy(scope)
        live = scope["type"] == "websocket"
        looks = not live and scope["method"] in _SAFE
        if not looks:
            origin = _the_one(headers, "origin")
            if origin is not None and _authority(origin) != host.lower():
                raise forbidden("bad_origin", _FROM_ELSEWHERE)
        # a page is found by links on other sites; what programs ask is work, and a saved game is noted as shown
        asks = not looks or (scope["path"].startswith("/api/") and not _ONE_CLICK.fullmatch(scope["path"]))
        _the_one(headers, KEY_HEADER)
        if asks and (_the_one(headers, "sec-fetch-site") or "same-origin") not in ("same-origin", "none"):
            raise forbidden("bad_origin", _FROM_ELSEWHERE)
        if live or looks:
            return
        _check_body(scope, headers, self._max_import if scope["path"] == IMPORT_PATH else self._max_body)

    def _tell_of_proxy(self, scope: Scope) -> None:
        """Once, that all players share the limits of the proxy's address; strangers outside cannot bring it about."""
        peer = (scope.get("client") or ("",))[0]
        try:
            near = ipaddress.ip_address(peer).is_private
        except ValueError:
            return
        if near:
            self._watch_for_proxy = False
            log.warning(
                "requests come with X-Forwarded-For from %s; if that is your proxy, start with --behind-proxy %s, "
                "or all its users share the limits of one address",
                peer,
                peer,
            )

    def _known_host(self, host: str) -> bool:
        """Names must be known, so that no foreign name can be pointed at us; bare addresses cannot be."""
        name, loopback = _host(host)
        return bool(name) and name in self._hosts if loopback is None else loopback or not self._local


@cached_up_to(256)
def _host(header: str) -> tuple[str, bool | None]:
    """The name in a Host header, empty if it has none, and of an address whether it is this machine's own."""
    found = _HOST.fullmatch(header)
    if found is None:
        return "", None
    name = (found[1] or found[2]).lower()
    try:
        return name, ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name, None


def _encoded(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Headers as they are sent."""
    return {name.encode("latin-1"): value.encode("latin-1") for name, value in headers.items()}


def _check_head(scope: Scope, limits: Limits) -> None:
    query: bytes = scope["query_string"]
    if limits.query_bytes and len(query) > limits.query_bytes:
        raise ApiError(414, "too_large", f"the address asks too much: more than {limits.query_bytes:.0f} bytes")
    size = len(scope.get("raw_path") or b"") + len(query) + sum(len(k) + len(v) + 4 for k, v in scope["headers"])
    if limits.head_bytes and size > limits.head_bytes:
        raise ApiError(431, "too_large", f"the head of the request is larger than {limits.head_bytes:.0f} bytes")


def _the_one(headers: Headers, name: str) -> str | None:
    """A header that may come once only: two readers must not pick different ones."""
    found = headers.getlist(name)
    if len(found) > 1:
        raise bad_request(f"the header {name} came {len(found)} times")
    return found[0] if found else None


def _authority(origin: str) -> str | None:
    """Host and port of an origin; None for anything else, such as the origin ``null``."""
    found = _ORIGIN.fullmatch(origin)
    return found[1].lower() if found else None


def _check_body(scope: Scope, headers: Headers, limit: int) -> None:
    length = _the_one(headers, "content-length") or "0"
    if not length.isascii() or not length.isdigit() or len(length) > 19:
        raise ApiError(400, "bad_request", "the content length is not a number")
    if int(length) > limit:
        raise ApiError(413, "too_large", f"the request is larger than {limit} bytes")
    if (_the_one(headers, "transfer-encoding") or "chunked").strip().lower() != "chunked":
        raise bad_request("a body of unknown length comes in pieces, and in no other coding")
    if scope["method"] != "POST":
        return
    if (_the_one(headers, "content-encoding") or "identity").strip().lower() != "identity":
        raise ApiError(415, "bad_content_encoding", "bodies are sent as they are, not packed")
    kind = (_the_one(headers, "content-type") or "").partition(";")[0].strip().lower()
    allowed: tuple[str, ...] = SAVE_TYPES if scope["path"] == IMPORT_PATH else (JSON_TYPE,)
    if _ONE_CLICK.fullmatch(scope["path"]):
        allowed += FORM_TYPES
    if kind not in allowed:
        raise ApiError(415, "bad_content_type", f"the content type must be {' or '.join(allowed)}")


class _Body:
    """A body on its way in: counted, because it need not declare its length, and timed."""

    def __init__(self, receive: Receive, limit: int, limits: Limits, hold: Callable[[int], None]) -> None:
        self._receive = receive
        self._limit = limit
        self._limits = limits
        self._hold = hold
        self._seen = 0
        self._whole = False
        self._begun = asyncio.get_running_loop().time()

    async def receive(self) -> Message:
        """The next message; an error that closes the connection if it is too much or too late."""
        if self._whole or not self._limits.body_seconds:
            return self._count(await self._receive())
        due = self._begun + self._limits.body_seconds + self._seen / (self._limits.slowest_rate or 1.0)
        try:
            async with asyncio.timeout_at(due):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the request did not arrive in time", {"connection": "close"}) from None
        return self._count(message)

    def _count(self, message: Message) -> Message:
        if message["type"] != "http.request":
            return message
        size = len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        self._seen += size
        if self._seen > self._limit:
            raise HTTPException(413, f"the request is larger than {self._limit} bytes")
        try:
            self._hold(size)
        except ApiError as problem:
            headers = {"retry-after": str(problem.retry_after), "connection": "close"}
            raise HTTPException(problem.status, problem.message, headers) from None
        return message


_OF_ALL = _encoded(SECURITY_HEADERS)


class _Answer:
    """Adds the headers on the way out."""

    def __init__(self, scope: Scope, send: Send, headers: Mapping[bytes, bytes] = _OF_ALL) -> None:
        self._api = scope["path"].startswith("/api/")
        self._headers = headers
        self._send = send
        self.started = False

    async def send(self, message: Message) -> None:
        """Pass a message of the answer on, with the security headers in its head."""
        if message["type"].endswith("http.response.start"):
            self.started = True
            headers = [(name, value) for name, value in message["headers"] if name not in self._headers]
            if self._api and not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = [*headers, *self._headers.items()]
        await self._send(message)


def _refusing(scope: Scope, send: Send) -> Send:
    """A window closed before it was opened, as for a query that cannot be read, is refused in the usual form."""
    opened = False

    async def sending(message: Message) -> None:
        nonlocal opened
        opened = opened or message["type"] != "websocket.close"
        if opened or not _can_refuse(scope):
            await send(message)
        else:
            await _send_refusal(scope, send, bad_request("the window cannot be opened like this"))

    return sending


def _can_refuse(scope: Scope) -> bool:
    return scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {})


async def _refuse(scope: Scope, receive: Receive, send: Send, problem: ApiError) -> None:
    if scope["type"] == "websocket":
        await receive()
    if problem.code == MANY_WINDOWS:
        await _tell_and_close(send, problem)
    elif _can_refuse(scope):
        await _send_refusal(scope, send, problem)
    else:
        await send({"type": "websocket.close", "code": 4403, "reason": problem.code})


async def _send_refusal(scope: Scope, send: Send, problem: ApiError) -> None:
    prefix = "websocket." if scope["type"] == "websocket" else ""
    body = json.dumps(problem.to_json()).encode()
    start = {
        "type": f"{prefix}http.response.start",
        "status": problem.status,
        "headers": [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            *((k.encode(), v.encode()) for k, v in retry_headers(problem).items()),
        ],
    }
    await _Answer(scope, send).send(start)
    await send({"type": f"{prefix}http.response.body", "body": body})


async def _tell_and_close(send: Send, problem: ApiError) -> None:
    """A page reads no refused handshake, so the window is opened to say why it is closed."""
    notice = {"type": "error", "code": problem.code, "message": problem.message}
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": json.dumps(notice)})
    await send({"type": "websocket.close", "code": 1013, "reason": problem.code})
