"""Accounts as the people who have them see them."""

from __future__ import annotations

from fastapi import Request

from rasputitsa.server.accounts.signed_in import SignedIn
from rasputitsa.server.routes.ratings import own_ratings
from rasputitsa.server.shapes.accounts import Account, AccountInfo, BlockInfo, PasskeyInfo, SessionInfo
from rasputitsa.server.store import AccountRow, PasskeyRow, SessionRow, Store

ID_LETTERS = 16
"""Of the digest of a session: enough to name one, and nothing that opens it."""


def info(request: Request, store: Store, found: SignedIn) -> AccountInfo:
    """What the page of the account shows."""
    return {"offered": True, "account": _account(request, store, found)}


def _account(request: Request, store: Store, found: SignedIn) -> Account:
    account, seats = found.account, store.seats_of_account(found.session.digest)
    return {
        "name": account.name, "shown": account.shown, "created": account.created_ms,
        "has_password": bool(account.password), "passkeys": passkeys_told(store, account),
        "sessions": sessions_told(store, found), "seats": {str(number): names for number, names in seats.items()},
        "ratings": own_ratings(request, store, account.id), "blocks": blocks_told(store, account),
    }  # fmt: skip


def passkeys_told(store: Store, account: AccountRow) -> list[PasskeyInfo]:
    """The passkeys of an account, as its person sees them."""
    return [_passkey(row) for row in store.passkeys_of(account.id)]


def _passkey(row: PasskeyRow) -> PasskeyInfo:
    return {"id": row.id, "browser": row.label, "site": row.site, "created": row.created_ms}


def blocks_told(store: Store, account: AccountRow) -> list[BlockInfo]:
    """Whom an account has blocked."""
    return [{"id": row.id, "label": row.label, "created": row.created_ms} for row in store.blocks_of(account.id)]


def sessions_told(store: Store, found: SignedIn) -> list[SessionInfo]:
    """The browsers that are signed in to an account, as its person sees them."""
    return [_session(row, found) for row in store.sessions(found.account.id)]


def _session(row: SessionRow, found: SignedIn) -> SessionInfo:
    here = row.digest == found.session.digest
    return {"id": row.digest[:ID_LETTERS], "browser": row.browser, "created": row.created_ms, "here": here}
