"""New matches and the requests for them: each makes one match however often it is sent, and an address a limited
number."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from rasputitsa.server.shapes.words import Behind
from rasputitsa.server.store.errors import DuplicateRequestError
from rasputitsa.server.store.history import JournalRow, SnapshotRow
from rasputitsa.server.store.people.clocks import ClockTerms
from rasputitsa.server.store.people.rated import RatedSeat
from rasputitsa.server.store.people.rematches import Following
from rasputitsa.server.store.people.tables import OpenTable
from rasputitsa.server.store.people.tokens import SECRET_BYTES, digest
from rasputitsa.server.store.schema import creations
from rasputitsa.server.wall_clock import now_ms

KEPT_MS = 7 * 24 * 3600 * 1000
"""How long a request may be sent again, and how long it counts for its address."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A request for a new match.

    The secrets of the match are drawn from the id of the request and a salt. So the same ones can be given again, and
    none of them is kept: of the id, too, there is only a digest.

    Attributes:
        request_id: drawn at random by the person who asks, and known to nobody else.
        content: digest of what is asked for.
        creator: the address it counts for; empty for the owner of the machine.
    """

    request_id: str
    content: str
    creator: str = ""
    salt: str = field(default_factory=lambda: secrets.token_hex(32))

    def secret(self, purpose: str) -> str:
        """The key or token for a purpose, such as a seat's name."""
        return _secret(self.salt, self.request_id, purpose)


@dataclass(frozen=True, slots=True)
class Created:
    """A match that a request has made, with the secrets that were its answer."""

    match_id: int
    content: str
    keys: dict[str, str]
    links: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStart:
    """A match that is about to begin, or to be taken up from a record.

    Attributes:
        kept: positions of the game, the newest last.
        keys: the seats, with the keys of those that ``holder`` keeps.
        owned: the owner of the machine may sit down in these at any time.
        links: tokens of invitations, by seat.
        agreed: topics agreed from the start, with the seats that agree.
        opened: the holder sees the match with the eyes of more than one side.
        shown: the holder has, or had, the whole record of it.
        creation: the request it is made for.
        following: the match it is the rematch of.
        table: the invitations are open to everybody.
        clock: how much time everybody has.
        behind: by how much onlookers are behind the players.
        rated: it counts for ratings, and which side the person who starts it plays.
    """

    title: str
    header: str
    summary: Mapping[str, Any]
    over: bool
    keys: Mapping[str, str | None]
    lines: Sequence[JournalRow] = ()
    kept: Sequence[SnapshotRow] = ()
    holder: str = ""
    owned: bool = False
    links: Mapping[str, str] = field(default_factory=dict)
    agreed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    opened: bool = False
    shown: bool = False
    creation: Creation | None = None
    following: Following | None = None
    table: OpenTable | None = None
    clock: ClockTerms | None = None
    behind: Behind | None = None
    rated: RatedSeat | None = None


class CreationStore(ABC):
    """The part of the store that knows which requests made which matches."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def created(self, request_id: str) -> Created | None:
        """What this request made, if it came before."""
        query = select(creations).where(creations.c.request == digest(request_id))
        with self._reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        seats = json.loads(row.seats)
        return Created(
            row.match_id,
            row.content,
            {seat: _secret(row.salt, request_id, key_purpose(seat)) for seat in seats["keys"]},
            {seat: _secret(row.salt, request_id, link_purpose(seat)) for seat in seats["links"]},
        )

    def creator(self, match_id: int) -> str:
        """The address a match of the last seven days was started from; empty if that is not known."""
        query = select(creations.c.creator).where(creations.c.match_id == match_id)
        with self._reading() as connection:
            return connection.execute(query).scalar() or ""

    def creations_of(self, creator: str) -> int:
        """How many matches an address has started in the last seven days, those deleted since included."""
        recent = creations.c.created_ms > now_ms() - KEPT_MS
        query = select(func.count()).where(creations.c.creator == creator, recent)
        with self._reading() as connection:
            return int(connection.execute(query).scalar_one())


def key_purpose(seat: str) -> str:
    """What the key of a seat is drawn for."""
    return f"key {seat}"


def link_purpose(seat: str) -> str:
    """What the token of an invitation to a seat is drawn for."""
    return f"link {seat}"


def insert_creation(
    connection: Connection, creation: Creation, match_id: int, keys: Mapping[str, str | None], links: Mapping[str, str]
) -> None:
    """Note that the request made this match, and forget old ones; raises ``DuplicateRequestError``."""
    now = now_ms()
    values = {
        "request": digest(creation.request_id),
        "content": creation.content,
        "match_id": match_id,
        "salt": creation.salt,
        "seats": json.dumps({"keys": [seat for seat, key in keys.items() if key], "links": list(links)}),
        "creator": creation.creator,
        "created_ms": now,
    }
    connection.execute(delete(creations).where(creations.c.created_ms <= now - KEPT_MS))
    try:
        connection.execute(insert(creations).values(values))
    except IntegrityError as error:
        raise DuplicateRequestError("this request has made a match before") from error


def _secret(salt: str, request_id: str, purpose: str) -> str:
    mac = hmac.new(bytes.fromhex(salt), f"{purpose}\n{request_id}".encode(), hashlib.sha256)
    return mac.hexdigest()[: 2 * SECRET_BYTES]
