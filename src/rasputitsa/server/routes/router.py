"""Where the answers of a room are registered: they go out as they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute


class _AsMade(APIRoute):
    """A route whose answers are neither checked nor copied; FastAPI would do both by what the function returns."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, endpoint, **{**settings, "response_model": Any})


def api_router(prefix: str = "/api", **settings: Any) -> APIRouter:
    """A router for a room of the interface; the document tells the shapes of its answers."""
    return APIRouter(prefix=prefix, route_class=_AsMade, **settings)
