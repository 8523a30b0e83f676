"""Passkeys: signing in, making an account, adding and removing."""

from __future__ import annotations

import secrets

from fastapi import Request, Response

from rasputitsa.server.accounts.names import plain_name, taken
from rasputitsa.server.accounts.passkeys import (
    made,
    new_options,
    not_of_account,
    options,
    passkeys_of,
    site_of,
    stale,
    unknown_passkey,
)
from rasputitsa.server.accounts.signed_in import SignedIn, browser_of, not_signed_in, require_offered, require_signed_in
from rasputitsa.server.errors import conflict
from rasputitsa.server.models import (
    AskPasskeyBody,
    NameBody,
    NewPasskeyBody,
    PasskeyBody,
    ProofBody,
    RemovePasskeyBody,
)
from rasputitsa.server.naming import seen_as
from rasputitsa.server.routes.accounts.proof import enter, known_again, passkey_signed
from rasputitsa.server.routes.accounts.told import info
from rasputitsa.server.routes.matches import in_thread, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.accounts import AccountInfo, NewPasskeyAsked, PasskeyAsked
from rasputitsa.server.store import PasskeyRow, Store, new_account

router = api_router(prefix="/api/account/passkeys")

KNOWN = ("passkey_known", "this passkey is kept with an account already")
LAST = ("last_passkey", "nothing else would let you sign in: add another passkey or a password first")


@router.post("/ask")
async def ask(request: Request, body: AskPasskeyBody) -> PasskeyAsked:
    """What is to be signed with a passkey: to sign in, or by the person signed in, with one of theirs."""
    require_offered(request)
    site = site_of(request)
    if not body.again:
        carried, ticket = passkeys_of(request).give("sign-in", site)
        return {"ticket": carried, "options": options(ticket, [])}
    found, known = await in_thread(request, lambda store: _known_here(request, store, site))
    if not known:
        raise not_of_account()
    carried, ticket = passkeys_of(request).give("again", site, session=found.session.digest)
    return {"ticket": carried, "options": options(ticket, known)}


def _known_here(request: Request, store: Store, site: str) -> tuple[SignedIn, list[PasskeyRow]]:
    """The person signed in, and their passkeys for a site."""
    found = require_signed_in(request, store)
    return found, [row for row in store.passkeys_of(found.account.id) if row.site == site]


@router.post("/sign-in")
async def sign_in(request: Request, response: Response, body: PasskeyBody) -> AccountInfo:
    """Sign in with a passkey, which tells whose it is."""
    require_offered(request)
    known = await passkey_signed(request, body)
    account = await in_thread(request, lambda store: store.account(known.account))
    if account is None:
        raise unknown_passkey()
    return await enter(request, response, account, passkey=known.id)


@router.post("/register/ask")
async def ask_to_register(request: Request, body: NameBody) -> NewPasskeyAsked:
    """What a passkey for a new account is to be made of; counts as an account, since it tells of names taken."""
    require_offered(request)
    name, site = plain_name(body.name), site_of(request)
    throttle_of(request).make_account(request.client)

    def is_taken(store: Store) -> bool:
        store.require_room()
        return store.is_taken(seen_as(name))

    if await in_thread(request, is_taken):
        raise taken()
    carried, ticket = passkeys_of(request).give("register", site, secrets.token_urlsafe(12), name)
    return {"ticket": carried, "options": new_options(ticket, [])}


@router.post("/register", status_code=201)
async def register(request: Request, response: Response, body: NewPasskeyBody) -> AccountInfo:
    """Make an account with a passkey and without a password, and sign in to it."""
    require_offered(request)
    ticket = passkeys_of(request).read(body.ticket, "register")
    passkey = made(request, ticket, body, browser_of(request))
    account = new_account(ticket.account, ticket.name)

    def work(store: Store) -> bool:
        store.require_room()
        with passkeys_of(request).serving(ticket):
            return store.add_account(account, seen_as(ticket.name), passkey)

    if not await in_thread(request, work):
        raise taken()
    return await enter(request, response, account)


@router.post("/add/ask")
async def ask_to_add(request: Request, body: ProofBody) -> NewPasskeyAsked:
    """What a further passkey is to be made of; for a caller who has proved once more to be the person of the account.

    Where the account has as many as it may, this is said before a device makes one more.
    """
    site, found = site_of(request), await known_again(request, body)

    def work(store: Store) -> list[PasskeyRow]:
        store.require_place_for_passkey(found.account.id)
        return _known_here(request, store, site)[1]

    known = await in_thread(request, work)
    carried, ticket = passkeys_of(request).give("add", site, found.account.id, found.account.name)
    return {"ticket": carried, "options": new_options(ticket, known)}


@router.post("/add")
async def add(request: Request, body: NewPasskeyBody) -> AccountInfo:
    """Keep a further passkey with the account for which it was made."""
    ticket = passkeys_of(request).read(body.ticket, "add")

    def work(store: Store) -> AccountInfo:
        found = require_signed_in(request, store)
        if found.account.id != ticket.account:
            raise stale()
        passkey = made(request, ticket, body, browser_of(request))
        store.require_room()
        with passkeys_of(request).serving(ticket):
            added = store.add_passkey(passkey, found.session.digest)
        if added is None:
            raise not_signed_in()
        if not added:
            raise conflict(*KNOWN)
        return info(request, store, found)

    return await in_thread(request, work)


@router.post("/remove")
async def remove(request: Request, body: RemovePasskeyBody) -> AccountInfo:
    """Remove a passkey of the account; a browser that has signed in with it stays signed in."""
    found = await known_again(request, body)

    def work(store: Store) -> AccountInfo:
        if all(row.id != body.id for row in store.passkeys_of(found.account.id)):
            raise unknown_passkey()
        removed = store.remove_passkey(found.account.id, body.id, found.session.digest)
        if removed is None:
            raise not_signed_in()
        if not removed:
            raise conflict(*LAST)
        return info(request, store, found)

    return await in_thread(request, work)
