"""What belongs to an account: its password, seats, and all that is kept of its person."""

from __future__ import annotations

from fastapi import Request, Response

from rasputitsa.core.record.entries import OPENED
from rasputitsa.server.accounts.names import plain_password
from rasputitsa.server.accounts.signed_in import (
    SignedIn,
    desk_of,
    not_signed_in,
    require_signed_in,
    take_cookie,
)
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import sides_of
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.models import LobbyBody, NewPasswordBody, ProfileBody, ProofBody
from rasputitsa.server.naming import check_name, seen_as
from rasputitsa.server.routes.accounts.proof import enter, known_again
from rasputitsa.server.routes.accounts.told import blocks_told, info, passkeys_told, sessions_told
from rasputitsa.server.routes.matches import in_thread, rooms_of, throttle_of
from rasputitsa.server.routes.ratings import own_ratings
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.shapes.accounts import AccountExport, AccountInfo, ExportedResult, SeatsKept
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import AccountRow, Result, Store

router = api_router(prefix="/api/account")


@router.post("/password")
async def change_password(request: Request, response: Response, body: NewPasswordBody) -> AccountInfo:
    """Take another password, or a first one: other browsers are signed out, and this one gets a session of its own."""
    found = await known_again(request, body)
    new = plain_password(body.new, found.account.name)
    network = throttle_of(request).try_password(request.client, seen_as(found.account.name))
    kept = await desk_of(request).digest(new, network)
    return await enter(request, response, found.account, kept, session=found.session.digest)


@router.post("/profile")
async def profile(request: Request, body: ProfileBody) -> AccountInfo:
    """What the person is called at the table, if nothing else is typed there."""

    def work(store: Store) -> AccountInfo:
        found = require_signed_in(request, store)
        shown = one_line(body.shown)
        check_name(shown)
        store.require_room()
        store.show_account(found.session.digest, shown)
        return info(request, store, require_signed_in(request, store))

    return await in_thread(request, work)


@router.post("/seats")
async def keep_seats(request: Request, body: LobbyBody) -> SeatsKept:
    """Keep the seats with the account to which these keys fit; the keys end when this browser is signed out."""
    keys = {int(number): found for number, found in body.keys.items() if number.isascii() and number.isdigit()}

    def work(store: Store) -> tuple[SignedIn, dict[int, list[str]], list[int]]:
        found = require_signed_in(request, store)
        store.require_room()
        kept = store.keep_with_account(found.session.digest, keys)
        return found, kept, store.shared_by_account(found.session.digest, list(kept))

    found, kept, several = await in_thread(request, work)
    for number in several:
        await _open_to_one(request, found, number)
    return {"kept": {str(number): names for number, names in kept.items()}}


async def _open_to_one(request: Request, found: SignedIn, number: int) -> None:
    """Put on record that one person sees both sides, where the account now has seats of two who came one by one."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        mine = rooms.store.seats_of_account(found.session.digest, number).get(number, [])
        sides = sides_of(match)
        if len({sides[seat] for seat in mine}) < 2 or rooms.store.opened(number):
            return
        with match.together():
            rooms.store.note_opened(number)
            match.remark(mine[0], OPENED)

    room = await rooms.open(number)
    await rooms.change(room, work)
    seats_changed(room)


@router.post("/export")
async def export(request: Request) -> AccountExport:
    """All that is kept of the account."""

    def work(store: Store) -> AccountExport:
        found = require_signed_in(request, store)
        seats = store.seats_of_account(found.session.digest)
        rows = store.matches_among(list(seats))
        return {
            "name": found.account.name, "shown": found.account.shown, "created": found.account.created_ms,
            "sessions": sessions_told(store, found), "passkeys": passkeys_told(store, found.account),
            "matches": [
                {"id": str(row.id), "title": row.title, "game": row.summary["game"], "seats": seats[row.id],
                 "over": row.over, "updated": row.updated_ms}
                for row in rows
            ],
            "ratings": own_ratings(request, store, found.account.id),
            "results": [_result(found.account, result) for result in store.results_of(found.account.id)],
            "blocks": blocks_told(store, found.account),
        }  # fmt: skip

    return await in_thread(request, work)


def _result(account: AccountRow, result: Result) -> ExportedResult:
    first = result.first == account.id
    return {
        "game": result.game, "scenario": result.scenario, "first_side": first, "ended": result.ended_ms,
        "score": result.score if first else 1 - result.score,
    }  # fmt: skip


@router.post("/delete")
async def delete(request: Request, response: Response, body: ProofBody) -> Done:
    """Delete the account; the seats that this browser has keys to stay this browser's."""
    found = await known_again(request, body)
    ended = await in_thread(request, lambda store: store.delete_account(found.account, found.session.digest))
    if ended is None:
        raise not_signed_in()
    await rooms_of(request).reseat(ended)
    take_cookie(response)
    return {}
