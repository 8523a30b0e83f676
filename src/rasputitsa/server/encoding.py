"""JSON for the wire."""

from __future__ import annotations

import gzip
import json
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response


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
        return content if isinstance(content, bytes) else dumps(content)


class Kept:
    """An answer that never changes: written and packed once for all callers."""

    def __init__(self, value: Any) -> None:
        self._plain = dumps(value)
        self._packed = gzip.compress(self._plain, mtime=0)

    def answer(self, request: Request) -> Response:
        """The answer in the form that the caller takes."""
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Json(self._packed, headers={"content-encoding": "gzip", "vary": "Accept-Encoding"})
        return Json(self._plain)
