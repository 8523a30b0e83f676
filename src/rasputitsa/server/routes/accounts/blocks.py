"""Blocked people: the person signed in need not meet them again.

Nothing that the other one is answered tells of it: a table is not to be had, a door of a rematch is closed, as either
may be for other reasons.
"""

from __future__ import annotations

from fastapi import Request

from rasputitsa.server.accounts.signed_in import SignedIn, not_signed_in, require_signed_in
from rasputitsa.server.errors import bad_request, conflict, unknown
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.rooms import SEATS_CHANGED
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.models import BlockBody, UnblockBody
from rasputitsa.server.routes.accounts.told import info
from rasputitsa.server.routes.matches import in_thread, match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.talk import TALK
from rasputitsa.server.shapes.accounts import AccountInfo
from rasputitsa.server.store import Store

router = api_router(prefix="/api/account/blocks")

MAX_LABEL_LETTERS = 400
"""Of what the list of the blocked calls somebody."""
SELF = "this is your own seat; nobody blocks themselves"


@router.post("", status_code=201)
async def block(request: Request, body: BlockBody) -> AccountInfo:
    """Block who holds another seat of a match, for the account with which the caller's seat is kept.

    The answer is the same whether they have an account or not.
    """
    rooms = rooms_of(request)
    await in_thread(request, lambda store: require_signed_in(request, store))

    def work(match: Match) -> SignedIn:
        store = rooms.store
        found = require_signed_in(request, store)
        match.require_key(body.seat, body.key)
        if body.of not in match.seats:
            raise bad_request(f"there is no seat {body.of!r}")
        if body.seat not in store.seats_of_account(found.session.digest, match.id).get(match.id, []):
            raise conflict("not_kept", "your seat in this match is not kept with your account; keep it there first")
        holder = match.seats[body.of].holder
        if not holder:
            raise conflict("nobody", f"nobody holds the seat {body.of}")
        store.require_room()
        if holder == match.seats[body.seat].holder:
            raise bad_request(SELF)
        done = store.block(found.session.digest, match.id, holder, _label(match, body.of))
        if done is None:
            raise not_signed_in()
        if not done:
            raise bad_request(SELF)
        return found

    found = await rooms.read(await rooms.open(match_number(body.match)), work)
    await _tell(request, found)
    return await in_thread(request, lambda store: info(request, store, found))


@router.post("/remove")
async def unblock(request: Request, body: UnblockBody) -> AccountInfo:
    """Undo a block."""

    def work(store: Store) -> SignedIn:
        found = require_signed_in(request, store)
        done = store.unblock(found.session.digest, body.id)
        if done is None:
            raise not_signed_in()
        if not done:
            raise unknown("unknown_block", "there is no such block any more")
        return found

    found = await in_thread(request, work)
    await _tell(request, found)
    return await in_thread(request, lambda store: info(request, store, found))


def _label(match: Match, seat: str) -> str:
    """What is to be seen of who holds a seat, and where."""
    title = next(known.title for known in match.session.seats if known.id == seat)
    player = match.controller(seat)
    named = player.kind == "human" and player.name
    return one_line(
        f"{player.name} ({title}), {match.title}" if named else f"{title}, {match.title}", MAX_LABEL_LETTERS
    )


async def _tell(request: Request, found: SignedIn) -> None:
    """Have the windows of people who have blocked somebody ask again for what they show, and those of nobody else."""
    rooms = rooms_of(request)
    mine = await in_thread(request, lambda store: store.seats_of_account(found.session.digest))
    for room in rooms.found(mine):
        for subscriber in room.present():
            if subscriber.seat in mine[room.id]:
                subscriber.notify(SEATS_CHANGED)
                subscriber.notify(TALK)
