"""What is said of accounts, to the person signed in."""

from __future__ import annotations

from typing import Literal, TypedDict

from rasputitsa.server.shapes.ratings import OwnRating


class SessionInfo(TypedDict):
    """A browser that is signed in; times in milliseconds since 1970."""

    id: str
    browser: str
    created: int
    here: bool
    """Whether it is the one that asks."""


class PasskeyInfo(TypedDict):
    """A passkey of an account; ``browser`` has made it, ``site`` is the name of the server that it is for."""

    id: str
    browser: str
    site: str
    created: int


class BlockInfo(TypedDict):
    """Somebody whom the account has blocked: as they were called at the table, and since when."""

    id: str
    label: str
    created: int


class PasskeyKnown(TypedDict):
    """A passkey that there is already."""

    type: Literal["public-key"]
    id: str


class PasskeyOptions(TypedDict):
    """What a browser is to sign (``PublicKeyCredentialRequestOptionsJSON``)."""

    challenge: str
    rpId: str
    timeout: int
    userVerification: Literal["required"]
    allowCredentials: list[PasskeyKnown]
    """With one of these; if there are none, with any for this site."""


class PasskeyAsked(TypedDict):
    """What is to be signed with a passkey, and the ticket to be sent with the answer."""

    ticket: str
    options: PasskeyOptions


class PasskeySite(TypedDict):
    """The site that a passkey is for."""

    id: str
    name: str


class PasskeyUser(TypedDict):
    """The account that a passkey is for, by a word that tells nothing of it."""

    id: str
    name: str
    displayName: str


class PasskeyKind(TypedDict):
    """How a passkey may sign, by the number of the algorithm (IANA, COSE)."""

    type: Literal["public-key"]
    alg: int


class PasskeySelection(TypedDict):
    """Which devices may make a passkey."""

    residentKey: Literal["required"]
    requireResidentKey: bool
    userVerification: Literal["required"]


class NewPasskeyOptions(TypedDict):
    """What a browser is to make (``PublicKeyCredentialCreationOptionsJSON``)."""

    rp: PasskeySite
    user: PasskeyUser
    challenge: str
    pubKeyCredParams: list[PasskeyKind]
    timeout: int
    excludeCredentials: list[PasskeyKnown]
    authenticatorSelection: PasskeySelection
    attestation: Literal["none"]


class NewPasskeyAsked(TypedDict):
    """What a passkey is to be made of, and the ticket to be sent with it."""

    ticket: str
    options: NewPasskeyOptions


class Account(TypedDict):
    """An account, as its person sees it."""

    name: str
    shown: str
    """What the person is called at the table, if nothing else is typed."""
    created: int
    has_password: bool
    passkeys: list[PasskeyInfo]
    sessions: list[SessionInfo]
    seats: dict[str, list[str]]
    """The seats kept with it, by match."""
    ratings: list[OwnRating]
    """In the games of which it has played rated matches."""
    blocks: list[BlockInfo]


class AccountInfo(TypedDict):
    """Whether the server keeps accounts, and that of the person signed in."""

    offered: bool
    account: Account | None


class SeatsKept(TypedDict):
    """The seats that are kept with the account now, of those that were named."""

    kept: dict[str, list[str]]


class ExportedMatch(TypedDict):
    """A match in which a seat is kept with the account."""

    id: str
    title: str
    game: str
    seats: list[str]
    over: bool
    updated: int


class ExportedResult(TypedDict):
    """What came of a rated match, and when it ended."""

    game: str
    scenario: str
    first_side: bool
    """Whether the account played the first side of the game."""
    score: float
    """1, 0.5 or 0."""
    ended: int


class AccountExport(TypedDict):
    """All that is kept of an account, but for the digests of its password and sessions, which nobody can turn back."""

    name: str
    shown: str
    created: int
    sessions: list[SessionInfo]
    passkeys: list[PasskeyInfo]
    matches: list[ExportedMatch]
    ratings: list[OwnRating]
    results: list[ExportedResult]
    blocks: list[BlockInfo]
