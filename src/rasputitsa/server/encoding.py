"""JSON for the wire."""

from __future__ import annotations

import json
from typing import Any

import orjson
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
