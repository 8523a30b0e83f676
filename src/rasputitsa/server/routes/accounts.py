"""Accounts: signing in and out, the seats kept with an account, one's own data."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request, Response

from rasputitsa.core.record.entries import OPENED
from rasputitsa.server.accounts.names import plain_name, plain_password, typed_password
from rasputitsa.server.accounts.passwords import is_once
from rasputitsa.server.accounts.signed_in import (
    SignedIn,
    browser_of,
    desk_of,
    find_signed_in,
    give_cookie,
    new_token,
    not_signed_in,
    offered,
    require_offered,
    require_signed_in,
    take_cookie,
)
from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import sides_of
from rasputitsa.server.matches.seating import one_line
from rasputitsa.server.models import (
    AccountBody,
    LobbyBody,
    NewPasswordBody,
    PasswordBody,
    ProfileBody,
    SessionBody,
    SignInBody,
)
from rasputitsa.server.naming import check_name, seen_as
from rasputitsa.server.routes.matches import rooms_of, throttle_of
from rasputitsa.server.routes.ratings import own_ratings
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.shapes.accounts import (
    Account,
    AccountExport,
    AccountInfo,
    ExportedResult,
    SeatsKept,
    SessionInfo,
)
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import AccountRow, Result, SessionRow, Store

T = TypeVar("T")

router = api_router(prefix="/api/account")

ID_LETTERS = 16
"""Of the digest of a session: enough to name one, and nothing that opens it."""


async def _in_thread(request: Request, work: Callable[[Store], T]) -> T:
    rooms = rooms_of(request)
    return await rooms.in_thread(lambda: work(rooms.store))


def _info(request: Request, store: Store, found: SignedIn) -> AccountInfo:
    return {"offered": True, "account": _account(request, store, found)}


def _account(request: Request, store: Store, found: SignedIn) -> Account:
    account, seats = found.account, store.seats_of_account(found.session.digest)
    return {
        "name": account.name, "shown": account.shown, "created": account.created_ms,
        "sessions": _sessions(store, found), "seats": {str(number): names for number, names in seats.items()},
        "ratings": own_ratings(request, store, account.id),
    }  # fmt: skip


def _sessions(store: Store, found: SignedIn) -> list[SessionInfo]:
    return [_session(row, found) for row in store.sessions(found.account.id)]


def _session(row: SessionRow, found: SignedIn) -> SessionInfo:
    here = row.digest == found.session.digest
    return {"id": row.digest[:ID_LETTERS], "browser": row.browser, "created": row.created_ms, "here": here}


@router.get("")
async def account(request: Request) -> AccountInfo:
    """Whether this server keeps accounts, and that of whoever is signed in."""

    def work(store: Store) -> AccountInfo:
        found = find_signed_in(request, store)
        return {"offered": offered(request), "account": None} if found is None else _info(request, store, found)

    return await _in_thread(request, work)


# -- signing in and out --------------------------------------------------------------------------------


@router.post("/register", status_code=201)
async def register(request: Request, response: Response, body: AccountBody) -> AccountInfo:
    """Make an account, and sign in to it."""
    require_offered(request)
    name = plain_name(body.name)
    seen, password = seen_as(name), plain_password(body.password, name)
    throttle_of(request).make_account(request.client)
    network = throttle_of(request).try_password(request.client, seen)
    if await _in_thread(request, lambda store: store.is_taken(seen)):
        raise _taken()
    kept = await desk_of(request).digest(password, network)
    made = AccountRow(secrets.token_urlsafe(12), name, kept, name, _now_ms())

    def work(store: Store) -> bool:
        store.require_room()
        return store.add_account(made, seen)

    if not await _in_thread(request, work):
        raise _taken()
    return await _signed_in(request, response, made)


def _taken() -> ApiError:
    return conflict("name_taken", "there is an account of that name, or of one that looks like it; take another name")


@router.post("/sign-in")
async def sign_in(request: Request, response: Response, body: SignInBody) -> AccountInfo:
    """Sign in by name and password. The answer, and how long it takes, does not tell which of them is wrong.

    A password that the host has set is good for taking another one alone.
    """
    require_offered(request)
    seen = seen_as(body.name)
    network = throttle_of(request).try_password(request.client, seen)
    found = await _in_thread(request, lambda store: store.account_named(seen))
    if not await _fits(request, found, body.password, network) or found is None:
        raise _wrong("name or password")
    kept = ""
    if is_once(found.password):
        if not body.new:
            raise forbidden("password_due", "this password is good once; please take one of your own")
        new = plain_password(body.new, found.name)
        if new == typed_password(body.password):
            raise bad_request("please take a password of your own, other than this one")
        kept = await desk_of(request).digest(new, network)
    return await _signed_in(request, response, found, kept)


async def _fits(request: Request, found: AccountRow | None, password: str, network: str) -> bool:
    return await desk_of(request).fits(found.password if found else None, typed_password(password), network)


def _wrong(what: str) -> ApiError:
    return forbidden("bad_password", f"the {what} is wrong")


async def _signed_in(request: Request, response: Response, account: AccountRow, password: str = "") -> AccountInfo:
    """Sign this browser in, with a token that nobody had before; what it was signed in to before ends."""
    token = new_token(request)

    def work(store: Store) -> tuple[set[int] | None, SignedIn | None]:
        before = find_signed_in(request, store)
        former = before.session.digest if before else ""
        ended = store.open_session(account, token, browser_of(request), former, password)
        found = None if ended is None else store.session(token)
        return ended, found and SignedIn(*found)

    ended, found = await _in_thread(request, work)
    if ended is None or found is None:  # the account has changed meanwhile
        raise _wrong("name or password")
    await rooms_of(request).reseat(ended)
    give_cookie(response, token)
    return await _in_thread(request, lambda store: _info(request, store, found))


@router.post("/sign-out")
async def sign_out(request: Request, response: Response) -> Done:
    """Sign this browser out; the keys to seats that it was given end."""

    def work(store: Store) -> set[int]:
        found = find_signed_in(request, store)
        return set() if found is None else store.end_sessions(found.account.id, lambda key: key == found.session.digest)

    ended = await _in_thread(request, work)
    await rooms_of(request).reseat(ended)
    take_cookie(response)
    return {}


@router.post("/sessions/end")
async def end_sessions(request: Request, body: SessionBody) -> AccountInfo:
    """Sign another browser out, or all others."""

    def work(store: Store) -> tuple[set[int], AccountInfo]:
        found = require_signed_in(request, store)
        here = found.session.digest
        ended = store.end_sessions(found.account.id, lambda key: key != here and body.session in ("", key[:ID_LETTERS]))
        return ended, _info(request, store, found)

    ended, answer = await _in_thread(request, work)
    await rooms_of(request).reseat(ended)
    return answer


@router.post("/password")
async def change_password(request: Request, response: Response, body: NewPasswordBody) -> AccountInfo:
    """Take another password: all other browsers are signed out, and this one gets a session of its own."""
    found = await _known_again(request, body)
    new = plain_password(body.new, found.account.name)
    network = throttle_of(request).try_password(request.client, seen_as(found.account.name))
    kept = await desk_of(request).digest(new, network)
    return await _signed_in(request, response, found.account, kept)


async def _known_again(request: Request, body: PasswordBody) -> SignedIn:
    """Whoever is signed in, and has given the password again."""
    found = await _in_thread(request, lambda store: require_signed_in(request, store))
    network = throttle_of(request).try_password(request.client, seen_as(found.account.name))
    if not await _fits(request, found.account, body.password, network):
        raise _wrong("password")
    return found


# -- the account ---------------------------------------------------------------------------------------


@router.post("/profile")
async def profile(request: Request, body: ProfileBody) -> AccountInfo:
    """What the person is called at the table, if nothing else is typed there."""

    def work(store: Store) -> AccountInfo:
        found = require_signed_in(request, store)
        shown = one_line(body.shown)
        check_name(shown)
        store.require_room()
        store.show_account(found.session.digest, shown)
        return _info(request, store, require_signed_in(request, store))

    return await _in_thread(request, work)


@router.post("/seats")
async def keep_seats(request: Request, body: LobbyBody) -> SeatsKept:
    """Keep the seats with the account to which these keys fit; the keys end when this browser is signed out."""
    keys = {int(number): found for number, found in body.keys.items() if number.isascii() and number.isdigit()}

    def work(store: Store) -> tuple[SignedIn, dict[int, list[str]], list[int]]:
        found = require_signed_in(request, store)
        store.require_room()
        kept = store.keep_with_account(found.session.digest, keys)
        return found, kept, store.shared_by_account(found.session.digest, list(kept))

    found, kept, several = await _in_thread(request, work)
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
            "sessions": _sessions(store, found),
            "matches": [
                {"id": str(row.id), "title": row.title, "game": row.summary["game"], "seats": seats[row.id],
                 "over": row.over, "updated": row.updated_ms}
                for row in rows
            ],
            "ratings": own_ratings(request, store, found.account.id),
            "results": [_result(found.account, result) for result in store.results_of(found.account.id)],
        }  # fmt: skip

    return await _in_thread(request, work)


def _result(account: AccountRow, result: Result) -> ExportedResult:
    first = result.first == account.id
    return {
        "game": result.game, "scenario": result.scenario, "first_side": first, "ended": result.ended_ms,
        "score": result.score if first else 1 - result.score,
    }  # fmt: skip


@router.post("/delete")
async def delete(request: Request, response: Response, body: PasswordBody) -> Done:
    """Delete the account; the seats that this browser has keys to stay this browser's."""
    found = await _known_again(request, body)
    ended = await _in_thread(request, lambda store: store.delete_account(found.account, found.session.digest))
    if ended is None:
        raise not_signed_in()
    await rooms_of(request).reseat(ended)
    take_cookie(response)
    return {}


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
