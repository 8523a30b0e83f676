"""Open tables: seats that somebody who may invite to them has put into a list, from which anybody may take one."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace

from fastapi import Request

from rasputitsa.server.accounts.signed_in import find_signed_in
from rasputitsa.server.errors import conflict, unknown
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.rooms import SEATS_CHANGED, Room
from rasputitsa.server.matches.times import terms_json
from rasputitsa.server.models import ClaimBody, OfSeatBody, OpenSeatBody, PublishBody, TakeBody
from rasputitsa.server.routes.matches import match_number, rooms_of, throttle_of
from rasputitsa.server.routes.ratings import rated_hosts
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import (
    check_guest,
    invitation_view,
    let_in,
    require_say,
    seats_changed,
    seats_held,
)
from rasputitsa.server.shapes.lists import Claimed, InvitationInfo, OpenTable
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import Invitation, PlayerWanted

router = api_router()


@router.get("/tables")
async def tables(request: Request) -> list[OpenTable]:
    """The matches with open seats, the newest first; ``attended``: a window of somebody who plays is open on it.

    Without those of people whom the person signed in has blocked, or who have blocked them.
    """
    rooms = rooms_of(request)
    found: dict[int, OpenTable] = {}
    listed = await rooms.in_thread(rooms.store.open_seats)
    shut = await rooms.in_thread(lambda: _shut(request, {known.match_id for known in listed}))
    open_seats = [known for known in listed if known.match_id not in shut]
    terms = await rooms.in_thread(lambda: rooms.store.clock_terms({known.match_id for known in open_seats}))
    seen = await rooms.in_thread(lambda: rooms.store.seen({known.match_id for known in open_seats}))
    games = {known.match_id: known.summary["game"] for known in open_seats}
    hosts = await rooms.in_thread(lambda: rated_hosts(request, games))
    for open_seat in open_seats:
        told = seen.get(open_seat.match_id, open_seat).summary
        table = found.setdefault(
            open_seat.match_id,
            {
                "id": str(open_seat.match_id), "title": open_seat.title, "options": open_seat.options,
                "opened": open_seat.opened, "shown": open_seat.shown, "published": open_seat.published_ms,
                "attended": rooms.attended(open_seat.match_id), "free": [],
                "clock": terms_json(terms.get(open_seat.match_id)), "rated": open_seat.match_id in hosts,
                "host": hosts.get(open_seat.match_id),
                "game": open_seat.summary["game"], "scenario": open_seat.summary["scenario"],
                "turn_label": told["turn_label"], "controllers": open_seat.summary["controllers"],
            },
        )  # fmt: skip
        table["free"].append({"seat": open_seat.seat, "pace": open_seat.wanted.pace, "level": open_seat.wanted.level})
    for table in found.values():
        order = list(table["controllers"])
        table["free"].sort(key=lambda free: order.index(free["seat"]) if free["seat"] in order else len(order))
    return list(found.values())


async def _room(request: Request, match_id: str) -> Room:
    return await rooms_of(request).open(match_number(match_id))


@router.post("/matches/{match_id}/publish")
async def publish(request: Request, match_id: str, body: PublishBody) -> Done:
    """Put a seat that waits for a guest into the list, or keep it there for longer; for who may invite to it."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        require_say(request, match, body, invited=True)
        if not People.of(match, local=request.app.state.config.local).waits(body.of):
            raise conflict("not_yours", f"{body.of} does not wait for anybody")
        if match.session.decision() is None:
            raise conflict("over", "the game is over")
        rooms.store.publish(match.id, [body.of], PlayerWanted(body.pace, body.level))

    room = await _room(request, match_id)
    await rooms.change(room, work)
    room.notify(SEATS_CHANGED)
    return {}


@router.post("/matches/{match_id}/publish/withdraw")
async def withdraw(request: Request, match_id: str, body: OfSeatBody) -> Done:
    """Take a seat out of the list; an invitation to it stays."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        require_say(request, match, body, invited=True)
        rooms.store.unpublish(match.id, body.of)

    room = await _room(request, match_id)
    await rooms.read(room, work)
    room.notify(SEATS_CHANGED)
    return {}


@router.post("/tables/look")
async def look(request: Request, body: OpenSeatBody) -> InvitationInfo:
    """What an open seat is like, in the form of an invitation to it."""

    def work(match: Match) -> InvitationInfo:
        return invitation_view(request, match, _offered(request, match, body.seat))

    return await rooms_of(request).read(await _room(request, body.match), work)


@router.post("/tables/take")
async def take(request: Request, body: TakeBody) -> Claimed:
    """Take an open seat; the answer holds its key. The same request, sent again after a lost answer, gets one."""
    rooms = rooms_of(request)
    throttle_of(request).take_seat(request.client)
    token = hashlib.sha256(f"open seat {body.match} {body.seat} {body.request_id}".encode()).hexdigest()[:48]

    def work(match: Match) -> Claimed:
        store = rooms.store
        mine = seats_held(request, match, body.keys, besides=body.seat)
        check_guest(request, match, body.seat, body.name, mine)
        guest = ClaimBody(token=token, request_id=body.request_id, name=body.name, share=body.share, hints=body.hints)
        with match.together():
            found = store.invitation(token)
            if found is None:
                offered = _offered(request, match, body.seat)
                seed = offered.committed_seed or match_dice.draw_seed()
                store.invite(match.id, body.seat, "guest", offered.inviter, seed, token=token)
                found = replace(offered, committed_seed=seed)
            claimed = let_in(request, match, found, guest, mine)
        return {"id": str(match.id), "seat": claimed.seat, "key": claimed.key}

    room = await _room(request, body.match)
    answer = await rooms.change(room, work)
    seats_changed(room)
    return answer


def _shut(request: Request, match_ids: Collection[int]) -> set[int]:
    """Those of several matches that are not for the person signed in; the same work for everybody."""
    store = rooms_of(request).store
    found = find_signed_in(request, store, note=False)
    return store.shut_tables(found.account.id if found else "", match_ids)


def _offered(request: Request, match: Match, seat: str) -> Invitation:
    """What an open seat would be taken by.

    Raises:
        ApiError: 404, it is in the list no longer, or not in that of the caller.
    """
    store = rooms_of(request).store
    shut = _shut(request, {match.id})
    if shut or seat not in store.wanted_players(match.id) or match.session.decision() is None:
        raise unknown("unknown_table", "this seat is no longer to be had; look for another one")
    made = store.invitations(match.id).get(seat)
    inviter, seed = (made.inviter, made.committed_seed) if made else ("", "")
    return Invitation(match.id, seat, "guest", inviter, 0, claimed=False, void=False, committed_seed=seed)
