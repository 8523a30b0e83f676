"""Signing in by name and password, and out."""

from __future__ import annotations

import secrets

from fastapi import Request, Response

from rasputitsa.server.accounts.names import plain_name, plain_password, taken, typed_password
from rasputitsa.server.accounts.passwords import is_once
from rasputitsa.server.accounts.signed_in import (
    desk_of,
    find_signed_in,
    offered,
    require_offered,
    require_signed_in,
    take_cookie,
)
from rasputitsa.server.errors import bad_request, forbidden
from rasputitsa.server.models import AccountBody, SessionBody, SignInBody
from rasputitsa.server.naming import seen_as
from rasputitsa.server.routes.accounts.proof import enter, fits, wrong
from rasputitsa.server.routes.accounts.told import ID_LETTERS, info
from rasputitsa.server.routes.matches import in_thread, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.accounts import AccountInfo
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import Store, new_account

router = api_router(prefix="/api/account")


@router.get("")
async def account(request: Request) -> AccountInfo:
    """Whether this server keeps accounts, and that of the person signed in."""

    def work(store: Store) -> AccountInfo:
        found = find_signed_in(request, store)
        return {"offered": offered(request), "account": None} if found is None else info(request, store, found)

    return await in_thread(request, work)


@router.post("/register", status_code=201)
async def register(request: Request, response: Response, body: AccountBody) -> AccountInfo:
    """Make an account, and sign in to it."""
    require_offered(request)
    name = plain_name(body.name)
    seen, password = seen_as(name), plain_password(body.password, name)
    throttle_of(request).make_account(request.client)
    network = throttle_of(request).try_password(request.client, seen)
    if await in_thread(request, lambda store: store.is_taken(seen)):
        raise taken()
    kept = await desk_of(request).digest(password, network)
    made = new_account(secrets.token_urlsafe(12), name, kept)

    def work(store: Store) -> bool:
        store.require_room()
        return store.add_account(made, seen)

    if not await in_thread(request, work):
        raise taken()
    return await enter(request, response, made)


@router.post("/sign-in")
async def sign_in(request: Request, response: Response, body: SignInBody) -> AccountInfo:
    """Sign in by name and password. The answer, and how long it takes, does not tell which of them is wrong.

    A password that the host has set is good for taking another one alone.
    """
    require_offered(request)
    seen = seen_as(body.name)
    network = throttle_of(request).try_password(request.client, seen)
    found = await in_thread(request, lambda store: store.account_named(seen))
    if not await fits(request, found, body.password, network) or found is None:
        raise wrong("name or password")
    kept = ""
    if is_once(found.password):
        if not body.new:
            raise forbidden("password_due", "this password is good once; please take one of your own")
        new = plain_password(body.new, found.name)
        if new == typed_password(body.password):
            raise bad_request("please take a password of your own, other than this one")
        kept = await desk_of(request).digest(new, network)
    return await enter(request, response, found, kept)


@router.post("/sign-out")
async def sign_out(request: Request, response: Response) -> Done:
    """Sign this browser out; the keys to seats that it was given end."""

    def work(store: Store) -> set[int]:
        found = find_signed_in(request, store)
        return set() if found is None else store.end_sessions(found.account.id, lambda key: key == found.session.digest)

    ended = await in_thread(request, work)
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
        return ended, info(request, store, found)

    ended, answer = await in_thread(request, work)
    await rooms_of(request).reseat(ended)
    return answer
