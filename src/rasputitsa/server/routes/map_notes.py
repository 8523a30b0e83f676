"""What players draw on the map: notes and arrows of their own, which they may show to their side or to everybody."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request

from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.game import Game
from rasputitsa.server.errors import bad_request, conflict
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import sides_of
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.matches.view_defaults import whole_static
from rasputitsa.server.models import MapNotesBody, MarkBody
from rasputitsa.server.routes.matches import match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.talk import WIDEST, KeyParam, SeatParam
from rasputitsa.server.shapes.lists import MapNotes, Mark, Noted, SharedMark
from rasputitsa.server.shapes.live import MapNotesMessage
from rasputitsa.server.store import NotesChangedError
from rasputitsa.server.store.talking import version_of

router = api_router()

MAP_NOTES: MapNotesMessage = {"type": "map_notes"}
MAPS_KEPT = 16


@router.get("/matches/{match_id}/map-notes")
async def map_notes(request: Request, match_id: str, seat: SeatParam, key: KeyParam = "") -> MapNotes:
    """What the holder of the seat has drawn on the map, and what others show to it."""
    rooms = rooms_of(request)

    def work(match: Match) -> MapNotes:
        match.require_key(seat, key)
        drawn, sides = rooms.store.map_notes(match.id), sides_of(match)
        own = drawn.pop(seat, "")
        shared: list[SharedMark] = [
            {"seat": other, **mark}
            for other in sorted(drawn)
            for mark in _marks(drawn[other])
            if seat in _readers(mark, other, sides)
        ]
        return {"marks": _marks(own), "version": version_of(own), "shared": shared}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/map-notes")
async def draw(request: Request, match_id: str, body: MapNotesBody) -> Noted:
    """Draw on the map in place of what was drawn before; it goes with the holder of the seat."""
    rooms = rooms_of(request)

    def work(match: Match) -> tuple[str, set[str]]:
        match.require_key(body.seat, body.key)
        text = _text_of(body.marks, _hexes(match.session.game, match.session.header.scenario))
        rooms.store.require_room(WIDEST * len(text))
        before = rooms.store.map_notes(match.id).get(body.seat, "")
        try:
            rooms.store.draw(match.id, body.seat, text, body.version)
        except NotesChangedError as problem:
            raise conflict("map_notes_changed", str(problem)) from problem
        return version_of(text), _concerned(_marks(before), _marks(text), body.seat, sides_of(match))

    room = await rooms.open(match_number(match_id))
    version, concerned = await rooms.read(room, work)
    for subscriber in room.subscribers:
        if subscriber.seat in concerned:
            subscriber.notify(MAP_NOTES)
    return {"version": version}


@cached_up_to(MAPS_KEPT)
def _hexes(game: Game[Any], scenario: str) -> frozenset[str]:
    return frozenset(known["id"] for known in whole_static(game.static(scenario))["map"]["hexes"])


def _text_of(marks: list[MarkBody], hexes: frozenset[str]) -> str:
    """The marks as they are kept, each on hexes of the map and no two at one place."""
    kept: list[Mark] = []
    for mark in marks:
        for name in (mark.at, *((mark.to,) if mark.to else ())):
            if name not in hexes:
                raise bad_request(f"there is no hex {one_line(name)!r} on this map")
        if mark.at == mark.to:
            raise bad_request("an arrow leads to another hex")
        kept.append({"at": mark.at, "to": mark.to, "text": one_line(mark.text, len(mark.text)), "share": mark.share})
    if len({(mark["at"], mark["to"]) for mark in kept}) < len(kept):
        raise bad_request("two of these marks are at the same place")
    return json.dumps(kept, ensure_ascii=False) if kept else ""


def _marks(text: str) -> list[Mark]:
    kept: list[Mark] = json.loads(text) if text else []
    return kept


def _readers(mark: Mark, seat: str, sides: dict[str, str]) -> set[str]:
    """The other seats that a mark is for."""
    if mark["share"] == "me":
        return set()
    return {other for other in sides if other != seat and (mark["share"] == "table" or sides[other] == sides[seat])}


def _concerned(before: list[Mark], after: list[Mark], seat: str, sides: dict[str, str]) -> set[str]:
    """Those who see something else now: nobody hears of what is not for them."""
    changed = [mark for mark in (*before, *after) if mark not in before or mark not in after]
    return {seat, *(other for mark in changed for other in _readers(mark, seat, sides))} if changed else set()
