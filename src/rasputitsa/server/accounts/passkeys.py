"""Passkeys (WebAuthn): what browsers are asked to sign, and whether they have signed it.

A person who wants to use one gets a challenge and a ticket, which says in a form that nobody else can read or write
what the challenge is for. So nothing is kept of those who ask and never come back. A ticket is good for a few minutes,
until the server starts again, and for one use.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Literal, cast
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.fernet import Fernet, InvalidToken
from fastapi import Request
from fido2 import cbor
from fido2.rpid import verify_rp_id
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)

from rasputitsa.server.errors import ApiError, bad_request, conflict, forbidden
from rasputitsa.server.limits import is_address
from rasputitsa.server.models import NewPasskeyBody, PasskeyBody
from rasputitsa.server.shapes.accounts import NewPasskeyOptions, PasskeyKnown, PasskeyOptions
from rasputitsa.server.store import PasskeyRow
from rasputitsa.server.wall_clock import now_ms

Purpose = Literal["sign-in", "again", "add", "register"]

TICKET_SECONDS = 300
MOST_PUBLIC = 3000
"""Characters of a public key with what belongs to it; of the kinds below the largest has some 2,200."""
ALGORITHMS = (-8, -7, -257)
"""How a passkey may sign: EdDSA, ES256 or RS256 (IANA, COSE), of which every device knows one."""
SITE_NAME = "rasputitsa"
_MALFORMED = (
    ValueError, TypeError, LookupError, AttributeError, AssertionError, OverflowError, RecursionError,
    NotImplementedError, struct.error, UnsupportedAlgorithm,
)  # fmt: skip
"""What the library raises over bytes that are no passkey's."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a challenge is for: at which site, and whose account a new passkey will belong to.

    It is good ``until`` then, by a clock that nobody sets back. ``session``: the one whose person shows once more to be
    the one.
    """

    purpose: Purpose
    challenge: str
    site: str
    until: float
    account: str = ""
    name: str = ""
    session: str = ""


class PasskeyDesk:
    """Where challenges are given out, and what was signed is looked at."""

    def __init__(self) -> None:
        self._seal = Fernet(Fernet.generate_key())
        self._lock = threading.Lock()
        self._used: dict[str, float] = {}

    def give(
        self, purpose: Purpose, site: str, account: str = "", name: str = "", session: str = ""
    ) -> tuple[str, Ticket]:
        """A ticket as it is carried around, and what it says."""
        until = time.monotonic() + TICKET_SECONDS
        ticket = Ticket(purpose, websafe_encode(secrets.token_bytes(32)), site, until, account, name, session)
        return self._seal.encrypt(json.dumps(asdict(ticket)).encode()).decode(), ticket

    def read(self, carried: str, purpose: Purpose) -> Ticket:
        """What a ticket says; raises ``ApiError`` 409 where it is good no longer, or for something else."""
        try:
            ticket = Ticket(**json.loads(self._seal.decrypt(carried.encode("utf-8", "replace"), TICKET_SECONDS)))
        except InvalidToken:
            raise stale() from None
        with self._lock:
            if ticket.purpose != purpose or ticket.challenge in self._used or ticket.until <= time.monotonic():
                raise stale()
        return ticket

    @contextlib.contextmanager
    def serving(self, ticket: Ticket) -> Iterator[None]:
        """A ticket serves for what the block does; where that fails, it has not served.

        Raises:
            ApiError: 409, it had served before.
        """
        now = time.monotonic()
        with self._lock:
            self._used = {known: until for known, until in self._used.items() if until > now}
            if ticket.challenge in self._used or ticket.until <= now:
                raise stale()
            self._used[ticket.challenge] = ticket.until
        try:
            yield
        except BaseException:
            with self._lock:
                self._used.pop(ticket.challenge, None)
            raise


def passkeys_of(request: Request) -> PasskeyDesk:
    """Where passkeys are looked at."""
    return cast(PasskeyDesk, request.app.state.passkeys)


def site_of(request: Request) -> str:
    """The name of the site that a passkey is for; raises ``ApiError`` 400 where it has none, or is elsewhere."""
    name = (request.url.hostname or "").lower()
    if not name or is_address(name):
        raise bad_request("passkeys need a server that has a name")
    if not _is_at_address(request, name, request.headers.get("origin") or ""):
        raise bad_request(f"passkeys are good at {_address(request, name)} alone, the address of this server")
    return name


def _address(request: Request, name: str) -> str:
    """The address of the server, where its host has told one of this name at which passkeys can be; else empty."""
    notices = request.app.state.config.notices
    told = urlsplit(notices.url if notices else "")
    return f"{told.scheme}://{told.netloc}" if told.hostname == name and verify_rp_id(name, told.geturl()) else ""


def _is_at_address(request: Request, name: str, origin: str) -> bool:
    """Whether a page is at the address of the server, if that is known.

    Browsers take a passkey to all ports of a name. At another one somebody else may ask for what is to be signed here,
    and send it on under a host of that port.
    """
    address = _address(request, name)
    return not address or not origin or _full(origin) == _full(address)


def _full(origin: str) -> tuple[str, str | None, int | None]:
    """Scheme, name and port; a port that there cannot be is none."""
    parts = urlsplit(origin)
    with contextlib.suppress(ValueError):
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, None


def new_options(ticket: Ticket, known: list[PasskeyRow]) -> NewPasskeyOptions:
    """What a browser needs to make a passkey; ``known``: those of the account here, which are not made again."""
    return {
        "rp": {"id": ticket.site, "name": SITE_NAME},
        "user": {"id": websafe_encode(ticket.account.encode()), "name": ticket.name, "displayName": ticket.name},
        "challenge": ticket.challenge,
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
        "timeout": TICKET_SECONDS * 1000,
        "excludeCredentials": _named(known),
        "authenticatorSelection": {
            "residentKey": "required", "requireResidentKey": True, "userVerification": "required",
        },
        "attestation": "none",
    }  # fmt: skip


def options(ticket: Ticket, known: list[PasskeyRow]) -> PasskeyOptions:
    """What a browser needs to sign with a passkey: one of those ``known``, or whichever its person chooses."""
    return {
        "challenge": ticket.challenge, "rpId": ticket.site, "timeout": TICKET_SECONDS * 1000,
        "userVerification": "required", "allowCredentials": _named(known),
    }  # fmt: skip


def _named(known: list[PasskeyRow]) -> list[PasskeyKnown]:
    return [{"type": "public-key", "id": row.id} for row in known]


def made(request: Request, ticket: Ticket, body: NewPasskeyBody, label: str) -> PasskeyRow:
    """The passkey that a browser has made.

    Raises:
        ApiError: 400, it is none, or made for something else.
    """
    response = {"clientDataJSON": body.client, "attestationObject": body.made}
    answer = {"rawId": body.id, "id": body.id, "type": "public-key", "response": response}
    try:
        _check_bytes(body.made)
        told = _server(request, ticket).register_complete(_state(ticket), answer)
        credential = told.credential_data
    except _MALFORMED:
        credential = None
    if credential is None or not _can_be_kept(credential) or websafe_encode(credential.credential_id) != body.id:
        raise bad_request("this is no passkey made for what was asked; please try again")
    return PasskeyRow(
        body.id, ticket.account, ticket.site, websafe_encode(bytes(credential)), told.counter, label,
        now_ms(),
    )  # fmt: skip


def _check_bytes(made: str) -> None:
    """Raise ``TypeError`` where no bytes tell of a passkey: of a number, the library makes that many."""
    told = cbor.decode(websafe_decode(made))
    if not isinstance(told, Mapping) or not isinstance(told.get("authData"), bytes):
        raise TypeError("a passkey is told of in bytes")


def _can_be_kept(credential: AttestedCredentialData) -> bool:
    """Whether a passkey signs as it was asked to, and is as small as it then is."""
    return credential.public_key.get(3) in ALGORITHMS and len(websafe_encode(bytes(credential))) <= MOST_PUBLIC


def signed(request: Request, ticket: Ticket, body: PasskeyBody, known: PasskeyRow | None) -> int:
    """Check what was signed with a passkey; gives how often it has signed, as far as it tells.

    Raises:
        ApiError: 403, it is not known here, or has signed something else.
    """
    response = {"clientDataJSON": body.client, "authenticatorData": body.told, "signature": body.signature}
    answer = {"rawId": body.id, "id": body.id, "type": "public-key", "response": response}
    if known is None or known.site != ticket.site:
        raise unknown_passkey()
    try:
        credential = AttestedCredentialData(websafe_decode(known.public))
        _server(request, ticket).authenticate_complete(_state(ticket), [credential], answer)
        return AuthenticatorData(websafe_decode(body.told)).counter
    except _MALFORMED:
        raise unknown_passkey() from None


def _server(request: Request, ticket: Ticket) -> Fido2Server:
    asked_from = request.headers.get("origin")

    def is_ours(origin: str) -> bool:
        """Whether a page of ours has asked: of this name, not of one below it, and the one that sends the answer.

        Browsers say which that is; a client that leaves it out is none.
        """
        own = urlsplit(origin).hostname == ticket.site and verify_rp_id(ticket.site, origin)
        return own and origin == asked_from and _is_at_address(request, ticket.site, origin)

    return Fido2Server(PublicKeyCredentialRpEntity(id=ticket.site, name=SITE_NAME), verify_origin=is_ours)


def _state(ticket: Ticket) -> dict[str, str]:
    return {"challenge": ticket.challenge, "user_verification": UserVerificationRequirement.REQUIRED}


def stale() -> ApiError:
    """The ticket is good no longer."""
    return conflict("passkey_stale", "that took too long, or was done already; please try again")


def not_of_account() -> ApiError:
    """The passkey is somebody else's, or for another name of this server."""
    return forbidden("bad_passkey", "this passkey is not one of this account")


def copied() -> ApiError:
    """It has signed more often, or just now elsewhere."""
    return forbidden(
        "bad_passkey",
        "this passkey was used since, or there is a copy of it; please try again, or sign in otherwise and remove it",
    )


def unknown_passkey() -> ApiError:
    """Nobody here has this passkey."""
    return forbidden("bad_passkey", "this passkey opens no account here")
