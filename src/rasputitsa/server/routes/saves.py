"""Saved games that come in, and how far the reading of them has come."""

from __future__ import annotations

from typing import cast

from fastapi import Request

from rasputitsa.core.errors import SaveError
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.archive import MatchTerms
from rasputitsa.server.matches.creating import Creating, RequestId
from rasputitsa.server.matches.reading import BusyError, SaveReader
from rasputitsa.server.routes.matches import SAVE_TYPE, owns_machine, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.lists import Created, Progress

router = api_router()

BUSY_SECONDS = 10


def _reader(request: Request) -> SaveReader:
    return cast(SaveReader, request.app.state.reader)


_BODY = {"content": {SAVE_TYPE: {"schema": {"type": "string"}}}, "required": True, "description": "JSON lines"}


@router.post("/import", status_code=201, openapi_extra={"requestBody": _BODY})
async def import_(request: Request, request_id: RequestId = None) -> Created:
    """A new match from a saved game."""
    body = await request.body()
    creating = Creating(request, request_id, body)
    if (answer := await creating.answered()) is not None:
        return answer
    try:
        group = throttle_of(request).who(request.client) or ""
        packed = await _reader(request).read(body, request_id, group)
    except SaveError as problem:
        raise ApiError(422, "bad_save", str(problem)) from problem
    except BusyError as problem:
        text = "too many saved games are being read; please try again"
        raise ApiError(503, "busy", text, retry_after=BUSY_SECONDS) from problem
    return await creating.keep_packed(packed, MatchTerms(owned=owns_machine(request)))


@router.get("/import")
async def importing(request: Request, request_id: RequestId = None) -> Progress:
    """How many lines of a saved game are read, of how many; for those who know the id of the request that sends it.

    Of none when none is being read under that id: it has not come yet, or is answered.
    """
    done, total = _reader(request).progress(request_id) or (0, 0)
    return {"done": done, "total": total}
