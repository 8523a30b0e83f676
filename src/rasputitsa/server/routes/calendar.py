"""A calendar of one's turns, at a private address that calendar programs subscribe to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Request, Response

from rasputitsa.server.errors import unknown
from rasputitsa.server.matches.match import Match
from rasputitsa.server.models import CalendarBody, SeatBody, StopBody
from rasputitsa.server.notices.calendar import CALENDAR_TYPE, calendar_text
from rasputitsa.server.routes.matches import KeyQuery, SeatQuery, look_at, match_number, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.shapes.times import CalendarInfo, CalendarMade
from rasputitsa.server.store.startup_checks import public_name

router = api_router()

SUFFIX = ".ics"
CalendarToken = Annotated[str, Path(max_length=64 + len(SUFFIX))]


@router.get("/matches/{match_id}/calendar")
async def in_calendar(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> CalendarInfo:
    """Whether the turns of the caller's seat are in a calendar, and whether there is anybody who waits for them."""
    rooms = rooms_of(request)

    def work(match: Match) -> CalendarInfo:
        board, who = look_at(match, seat, key)
        return {"offered": board.hides_seed, "on": bool(who) and rooms.store.in_calendar(match.id, who or "")}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/calendar")
async def join(request: Request, match_id: str, body: CalendarBody) -> CalendarMade:
    """Have the turns of the caller's seat in the calendar of the token, or else in a new one."""
    rooms = rooms_of(request)

    def work(match: Match) -> CalendarMade:
        match.require_key(body.seat, body.key)
        throttle_of(request).set_notice(request.client)
        return {"token": rooms.store.join_calendar(match.id, body.seat, body.calendar)}

    return await rooms.change(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/calendar/off")
async def leave(request: Request, match_id: str, body: SeatBody) -> Done:
    """Remove the turns of the caller's seat from every calendar."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        rooms.store.leave_calendar(match.id, body.seat)

    await rooms.read(await rooms.open(match_number(match_id)), work)
    return {}


@router.post("/calendar/void")
async def void(request: Request, body: StopBody) -> Done:
    """Make the address of a calendar void: nobody reads it any more, and no seat is in it."""
    rooms = rooms_of(request)
    if not await rooms.in_thread(lambda: rooms.store.void_calendar(body.token)):
        raise _unknown()
    return {}


@router.get(
    "/calendar/{token}",
    response_class=Response,
    responses={200: {"content": {CALENDAR_TYPE: {"schema": {"type": "string"}}}, "description": "iCalendar"}},
)
async def calendar(request: Request, token: CalendarToken) -> Response:
    """The calendar, for programs that subscribe to it; ``TOKEN.ics`` is the same."""
    rooms, settings = rooms_of(request), request.app.state.config.notices
    url = settings.url if settings else ""

    def work() -> bytes | None:
        turns, store = rooms.store.calendar(token.removesuffix(SUFFIX)), public_name(rooms.store.engine)
        return None if turns is None else calendar_text(turns, store=store, now=_now(), url=url)

    text = await rooms.in_thread(work)
    if text is None:
        raise _unknown()
    return Response(text, media_type=f"{CALENDAR_TYPE}; charset=utf-8")


def _now() -> datetime:
    return datetime.now(UTC)


def _unknown() -> Exception:
    return unknown("unknown_calendar", "there is no such calendar, or its address was made void")
