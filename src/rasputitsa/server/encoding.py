"""JSON for the wire."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import orjson
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


def dumps(value: Any) -> bytes:
    """Compact JSON; what orjson does not take (texts that are not Unicode, numbers beyond 64 bits) in plain ASCII."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode()


class Json(Response):
    """An answer in JSON; ``bytes`` are taken as they are."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body: JSON in UTF-8, or the ``bytes`` given."""
        return content if isinstance(content, bytes) else dumps(content)


class ReadyAnswer:
    """An answer that never changes: written and packed once for all callers."""

    def __init__(self, value: Any) -> None:
        self._plain = dumps(value)
        self._packed = gzip.compress(self._plain, mtime=0)

    def answer(self, request: Request) -> Response:
        """The answer in the form that the caller takes."""
        if takes_gzip(request.headers):
            return Json(self._packed, headers={"content-encoding": "gzip", "vary": "Accept-Encoding"})
        return Json(self._plain)


def takes_gzip(headers: Headers) -> bool:
    """Whether a caller names gzip among the codings it takes, with a weight above 0 (RFC 9110, 12.5.3)."""
    listed = ",".join(headers.getlist("accept-encoding")).lower().split(",")
    return any(_weight(item) > 0 for item in listed if item.partition(";")[0].strip() in _GZIP)


def _weight(item: str) -> float:
    """The weight of a coding; 0 where it cannot be read."""
    name, value = (part.strip() for part in (item.partition(";")[2].strip() or "q=1").partition("=")[::2])
    return float(value) if name == "q" and _WEIGHT.fullmatch(value) else 0.0


_GZIP = {"gzip", "x-gzip"}
_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


class Packing(GZipMiddleware):
    """Packs answers for callers who take them so; Starlette's own asks only whether the word is there."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on that names gzip if, and only if, its caller takes it."""
        if scope["type"] == "http":
            packed = takes_gzip(Headers(scope=scope))
            others = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope = {**scope, "headers": [*others, (b"accept-encoding", b"gzip")] if packed else others}
        await super().__call__(scope, receive, send)
