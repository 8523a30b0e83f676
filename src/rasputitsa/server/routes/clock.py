"""The clock of a match, and holidays from it."""

from __future__ import annotations

from fastapi import Request

from rasputitsa.server.errors import bad_request, conflict
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.rooms import SEATS_CHANGED
from rasputitsa.server.matches.times import times_json
from rasputitsa.server.models import HolidayBody
from rasputitsa.server.routes.matches import KeyQuery, SeatQuery, look_at, match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.times import ClockInfo

router = api_router()

DAY_MS = 24 * 60 * 60_000


@router.get("/matches/{match_id}/clock")
async def clock(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> ClockInfo:
    """How much time everybody has left; the same for all who ask, but for onlookers who are behind the players.

    ``clock`` is null for these, and in a match without one.
    """
    rooms = rooms_of(request)

    def work(match: Match) -> ClockInfo:
        board, _ = look_at(match, seat, key)
        return {"clock": times_json(rooms.store.times(match.id)) if board is match else None}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/holiday")
async def holiday(request: Request, match_id: str, body: HolidayBody) -> ClockInfo:
    """Let the time of one's own seat stand still for some days, or go on again."""
    rooms = rooms_of(request)

    def work(match: Match) -> ClockInfo:
        match.require_key(body.seat, body.key)
        times = rooms.store.times(match.id)
        if times is None:
            raise bad_request("this match has no clock")
        if match.session.decision() is None:
            raise conflict("over", "the game is over")
        own = times.seats[body.seat]
        if body.days * DAY_MS > own.holiday_ms + own.away_ms:
            raise bad_request(f"{(own.holiday_ms + own.away_ms) / DAY_MS:.3g} days of holidays are left")
        rooms.store.take_holiday(match.id, body.seat, body.days * DAY_MS)
        return {"clock": times_json(rooms.store.times(match.id))}

    room = await rooms.open(match_number(match_id))
    answer = await rooms.change(room, work)
    room.notify(SEATS_CHANGED)
    return answer
