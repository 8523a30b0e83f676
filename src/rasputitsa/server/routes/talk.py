"""Talk at the table, and private notes: for the holders of seats, and for nobody who looks on."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from rasputitsa.server.errors import bad_request, conflict, too_many
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import sides_of
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.models import MAX_INT, NotesBody, SayBody
from rasputitsa.server.routes.matches import match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.lists import Noted, Notes, Said, Talk
from rasputitsa.server.shapes.live import TalkMessage
from rasputitsa.server.store import DuplicateRequestError, NotesChangedError, TalkativeError, digest
from rasputitsa.server.store.talking import MINUTE_MS, version_of

router = api_router()

TALK: TalkMessage = {"type": "talk"}
WIDEST = 4
"""Bytes of a character, at most."""

SeatParam = Annotated[str, Query(max_length=40)]
KeyParam = Annotated[str, Query(max_length=64)]


@router.get("/matches/{match_id}/talk")
async def talk(
    request: Request,
    match_id: str,
    seat: SeatParam,
    key: KeyParam = "",
    since: Annotated[int, Query(ge=0, le=MAX_INT)] = 0,
) -> Talk:
    """What was said since the holder of the seat came, or after message ``since``; no more than the newest."""
    rooms = rooms_of(request)

    def work(match: Match) -> Talk:
        match.require_key(seat, key)
        side, unheard = sides_of(match)[seat], rooms.store.unheard(match.id, seat)
        return {
            "messages": [
                {
                    "number": said.number,
                    "seat": said.seat,
                    "private": bool(said.side),
                    "text": said.text,
                    "at": said.created_ms,
                    "former": said.former,
                    "blocked": said.holder in unheard,
                }
                for said in rooms.store.said(match.id, seat, side, since)
            ]
        }

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/talk", status_code=201)
async def say(request: Request, match_id: str, body: SayBody) -> Said:
    """Say something to everybody who has a seat, or to one's own side; sent again with its id it is said once."""
    rooms = rooms_of(request)
    text = one_line(body.text, len(body.text))
    if not text:
        raise bad_request("there is nothing to say in this")

    def work(match: Match) -> tuple[int, set[str]]:
        match.require_key(body.seat, body.key)
        rooms.store.require_room(WIDEST * len(text))
        sides = sides_of(match)
        side = sides[body.seat] if body.to == "side" else ""
        try:
            number = rooms.store.say(match.id, body.seat, side, text, digest(body.request_id))
        except TalkativeError as problem:
            raise too_many(str(problem), MINUTE_MS // 1000) from problem
        except DuplicateRequestError as problem:
            raise conflict("request_reused", str(problem)) from problem
        return number, {seat for seat in match.seats if side in ("", sides[seat])}

    room = await rooms.open(match_number(match_id))
    number, heard = await rooms.read(room, work)
    for subscriber in room.subscribers:
        if subscriber.seat in heard:
            subscriber.notify(TALK)
    return {"number": number}


@router.get("/matches/{match_id}/notes")
async def notes(request: Request, match_id: str, seat: SeatParam, key: KeyParam = "") -> Notes:
    """The private notes of the holder of the seat."""
    rooms = rooms_of(request)

    def work(match: Match) -> Notes:
        match.require_key(seat, key)
        text = rooms.store.notes(match.id, seat)
        return {"text": text, "version": version_of(text)}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/notes")
async def note_down(request: Request, match_id: str, body: NotesBody) -> Noted:
    """Note something down in place of what was read; nobody else reads it, and it goes with the holder of the seat."""
    rooms = rooms_of(request)
    text = "".join(letter for letter in body.text if letter.isprintable() or letter in "\n\t")

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        rooms.store.require_room(WIDEST * len(text))
        try:
            rooms.store.note_down(match.id, body.seat, text, body.version)
        except NotesChangedError as problem:
            raise conflict("notes_changed", str(problem)) from problem

    await rooms.read(await rooms.open(match_number(match_id)), work)
    return {"version": version_of(text)}
