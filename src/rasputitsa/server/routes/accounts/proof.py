"""Who it is: passwords and passkeys that prove it, and browsers that are signed in by them."""

from __future__ import annotations

from fastapi import Request, Response

from rasputitsa.server.accounts import passkeys
from rasputitsa.server.accounts.names import typed_password
from rasputitsa.server.accounts.passkeys import passkeys_of
from rasputitsa.server.accounts.signed_in import (
    SignedIn,
    browser_of,
    desk_of,
    find_signed_in,
    give_cookie,
    new_token,
    not_signed_in,
    require_signed_in,
)
from rasputitsa.server.errors import ApiError, forbidden
from rasputitsa.server.models import PasskeyBody, ProofBody
from rasputitsa.server.naming import seen_as
from rasputitsa.server.routes.accounts.told import info
from rasputitsa.server.routes.matches import in_thread, rooms_of, throttle_of
from rasputitsa.server.shapes.accounts import AccountInfo
from rasputitsa.server.store import AccountRow, PasskeyRow, Store


async def fits(request: Request, found: AccountRow | None, password: str, network: str) -> bool:
    """Whether a password is that of an account."""
    return await desk_of(request).fits(found.password if found else None, typed_password(password), network)


def wrong(what: str) -> ApiError:
    """The password, or the name, is not right."""
    return forbidden("bad_password", f"the {what} is wrong")


async def enter(
    request: Request,
    response: Response,
    account: AccountRow,
    password: str = "",
    *,
    passkey: str = "",
    session: str = "",
) -> AccountInfo:
    """Sign this browser in, with a token that nobody had before; what it was signed in to before ends.

    With another ``password``, a digest, all other browsers are signed out.

    Raises:
        ApiError: 403, the account is gone, or has another password by now; or the ``passkey`` or the ``session`` that
            lets its person in is gone.
    """
    token = new_token(request)

    def work(store: Store) -> tuple[set[int] | None, SignedIn | None]:
        before = find_signed_in(request, store)
        former = before.session.digest if before else ""
        ended = store.open_session(account, token, browser_of(request), former, password, passkey, session)
        found = None if ended is None else store.session(token)
        return ended, found and SignedIn(*found)

    ended, found = await in_thread(request, work)
    if ended is None or found is None:  # the account has changed meanwhile
        raise passkeys.unknown_passkey() if passkey else not_signed_in() if session else wrong("name or password")
    await rooms_of(request).reseat(ended)
    give_cookie(response, token)
    return await in_thread(request, lambda store: info(request, store, found))


async def passkey_signed(request: Request, body: PasskeyBody, found: SignedIn | None = None) -> PasskeyRow:
    """The passkey that has signed the challenge of a ticket, to sign in; or once more for the person signed in.

    Raises:
        ApiError: 403, it is none that is known here, or that person's; 409, the ticket is good no longer.
    """
    ticket = passkeys_of(request).read(body.ticket, "again" if found else "sign-in")
    if found is not None and ticket.session != found.session.digest:
        raise passkeys.stale()

    def work(store: Store) -> PasskeyRow | None:
        known = store.passkey(body.id)
        if found is not None and (known is None or known.account != found.account.id):
            raise passkeys.not_of_account()
        count = passkeys.signed(request, ticket, body, known)
        with passkeys_of(request).serving(ticket):
            return known if known is not None and store.count_passkey(known, count) else None

    known = await in_thread(request, work)
    if known is None:
        raise passkeys.copied()
    return known


async def known_again(request: Request, body: ProofBody) -> SignedIn:
    """The person signed in, and has shown once more to be the one: by the password, or with a passkey.

    Raises:
        ApiError: 403, it is somebody else.
    """
    found = await in_thread(request, lambda store: require_signed_in(request, store))
    if body.passkey is not None:
        await passkey_signed(request, body.passkey, found)
        return found
    network = throttle_of(request).try_password(request.client, seen_as(found.account.name))
    if not await fits(request, found.account, body.password, network):
        raise wrong("password")
    return found
