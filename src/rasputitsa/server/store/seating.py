"""Who holds a seat: keys and invitations, of which nothing but digests is kept, and what the people agree on."""

from __future__ import annotations

import contextlib
import hmac
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from rasputitsa.server.shapes.words import LinkKind
from rasputitsa.server.store.errors import DiskFullError, ReadOnlyStoreError, SpentError
from rasputitsa.server.store.people.accounts import forget_account, session_for
from rasputitsa.server.store.people.calendars import forget_calendar
from rasputitsa.server.store.people.desks import clear_desk
from rasputitsa.server.store.people.keys import insert_key, key_of, session_of_key
from rasputitsa.server.store.people.notices import forget_notices
from rasputitsa.server.store.people.rematches import close_door, close_way_on
from rasputitsa.server.store.people.standing import clear_standing, end_standing
from rasputitsa.server.store.people.tables import close_table
from rasputitsa.server.store.people.tokens import digest, new_secret
from rasputitsa.server.store.schema import MAX_ID, agreements, creations, invitations, matches, seat_keys, seats
from rasputitsa.server.store.uptimes import Uptime
from rasputitsa.server.wall_clock import now_ms

HOLDER_BYTES = 9
REPEAT_MS = 10 * 60_000
"""How long a claim may be sent again, after a lost answer."""
DEVICE_MS = 60 * 60_000
"""How long a link for another device of the same person is good."""

HEARD = "#"
"""In a topic, what follows says when the person it is about was heard of last."""

REVOKED = "revoked"
HOST = "host"
"""Who invites where nobody in the match does."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat: how many entries it has seen, who holds it, and the digests of the keys that open it."""

    seat: str
    version: int
    holder: str = ""
    owned: bool = False
    keys: frozenset[str] = frozenset()

    def opens(self, key: str) -> bool:
        """Whether a key opens the seat; takes as long for a wrong key as for a right one."""
        mine = digest(key)
        fits = [hmac.compare_digest(mine, known) for known in self.keys]
        return any(fits)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link to a seat."""

    match_id: int
    seat: str
    kind: LinkKind
    inviter: str
    created_ms: int
    claimed: bool
    void: bool
    committed_seed: str = ""
    """The seed the server is bound to if this guest makes the dice dice between people, as it was given."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat somebody has taken by a link, and the key that was drawn for it."""

    match_id: int
    seat: str
    kind: LinkKind
    key: str
    repeated: bool
    committed_seed: str = ""


def seat_spoken_of(topic: str) -> str:
    """The seat whose future a topic is about, ``invite:SEAT`` or ``computer:SEAT:BOT``; empty for other topics."""
    kind, _, rest = topic.partition(HEARD)[0].partition(":")
    return rest.partition(":")[0] if kind in ("invite", "computer") else ""


def new_holder() -> str:
    """A name for a person within a match."""
    return secrets.token_urlsafe(HOLDER_BYTES)


class SeatStore(ABC):
    """The part of the store that knows who holds which seat."""

    _step: Callable[[str], None]
    _shown: set[int]
    up: Uptime

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def seats(self, match_id: int) -> dict[str, SeatRow]:
        """The seats of a match by name."""
        return self.seats_of([match_id])[match_id]

    def seats_of(self, match_ids: Sequence[int]) -> dict[int, dict[str, SeatRow]]:
        """The seats of several matches."""
        numbers = [match_id for match_id in match_ids if 0 < match_id <= MAX_ID]
        with self._reading() as connection:
            rows = connection.execute(select(seats).where(seats.c.match_id.in_(numbers))).all()
            known = connection.execute(select(seat_keys).where(seat_keys.c.match_id.in_(numbers))).all()
        keys: dict[tuple[int, str], set[str]] = {}
        for key in known:
            keys.setdefault((key.match_id, key.seat), set()).add(key.digest)
        found: dict[int, dict[str, SeatRow]] = {match_id: {} for match_id in match_ids}
        for row in rows:
            opened_by = frozenset(keys.get((row.match_id, row.seat), ()))
            found[row.match_id][row.seat] = SeatRow(row.seat, row.version, row.holder, row.owned, opened_by)
        return found

    # -- keys --------------------------------------------------------------------------------------

    def add_key(self, match_id: int, seat: str, *, like: str = "") -> str:
        """A further key to a seat, for another browser of the person who holds it.

        It ends with the session of an account if the key ``like`` does.
        """
        key = new_secret()
        with self._writing() as connection:
            session = session_of_key(connection, match_id, seat, like)
            insert_key(connection, match_id, seat, key, self.up.ms(), session)
            self._step("key: written")
        return key

    def keep_only(self, match_id: int, seat: str, key: str, session: str = "") -> None:
        """Make all keys to a seat but this one void, and with them whatever link leads to it.

        Notices, calendar and standing orders of the seat end as well: another keyholder may have set them up. It
        is kept with no account but that of the ``session`` in which this is asked, and the key ends with no other one:
        a thief may have put it into an account.
        """
        with self._writing() as connection:
            connection.execute(delete(seat_keys).where(*key_of(match_id, seat), seat_keys.c.digest != digest(key)))
            self._step("keep only: old keys removed")
            _drop_links(connection, match_id, seat, "device")
            _drop_links(connection, match_id, seat, "guest")
            close_door(connection, match_id, seat)
            forget_notices(connection, match_id, seat)
            forget_calendar(connection, match_id, seat)
            end_standing(connection, match_id, seat)
            kept = forget_account(connection, match_id, seat, but=session)
            connection.execute(update(seat_keys).where(*key_of(match_id, seat)).values(session=session if kept else ""))

    # -- holding a seat ----------------------------------------------------------------------------

    def hold(self, match_id: int, seat: str, holder: str, *, owned: bool, opened: bool = False) -> str:
        """Give a seat to a person already in the match; the answer is the key. ``opened``: who now sees both sides."""
        key = new_secret()
        with self._writing() as connection:
            _close_seat(connection, match_id, seat)
            _drop_links(connection, match_id, seat, "guest")
            _hold(connection, match_id, seat, holder, owned=owned)
            self._step("hold: holder written")
            insert_key(connection, match_id, seat, key, self.up.ms())
            if opened:
                connection.execute(update(matches).where(matches.c.id == match_id).values(opened=True))
        return key

    def release(self, match_id: int, seat: str) -> None:
        """Leave a seat to nobody: no key opens it any more, and no link leads to it."""
        with self._writing() as connection:
            _close_seat(connection, match_id, seat)
            self._step("release: keys removed")
            _drop_links(connection, match_id, seat, "guest")
            _hold(connection, match_id, seat, "", owned=False)

    def reseat(self, match_id: int, seat: str, committed_seed: str = "") -> str:
        """Make everything that opens a seat or leads to it void; the answer is the token of a new invitation to it."""
        token = new_secret()
        with self._writing() as connection:
            _close_seat(connection, match_id, seat)
            _drop_links(connection, match_id, seat, "guest")
            _hold(connection, match_id, seat, "", owned=False)
            self._step("reseat: keys removed")
            _insert_link(connection, match_id, seat, token, "guest", HOST, committed_seed)
        return token

    def opened(self, match_id: int) -> bool:
        """Whether one person has seen a match with the eyes of more than one side."""
        with self._reading() as connection:
            return bool(connection.execute(select(matches.c.opened).where(matches.c.id == match_id)).scalar())

    def note_opened(self, match_id: int) -> None:
        """Note that one person sees a match with the eyes of more than one side."""
        with self._writing() as connection:
            connection.execute(update(matches).where(matches.c.id == match_id).values(opened=True))

    def shown(self, match_id: int) -> bool:
        """Whether a match was saved or copied whole while it was played, or was over before it went on."""
        if match_id in self._shown:
            return True
        with self._reading() as connection:
            return bool(connection.execute(select(matches.c.shown).where(matches.c.id == match_id)).scalar())

    def note_shown(self, match_id: int) -> None:
        """Note that a match was laid open although it goes on; on a full disk until the server ends."""
        self._shown.add(match_id)
        with contextlib.suppress(DiskFullError, ReadOnlyStoreError):
            with self._writing() as connection:
                connection.execute(update(matches).where(matches.c.id == match_id).values(shown=True))
                self._step("shown: written")
            self._shown.discard(match_id)

    # -- invitations -------------------------------------------------------------------------------

    def invite(
        self, match_id: int, seat: str, kind: LinkKind, inviter: str, committed_seed: str = "", *,
        token: str = "", like: tuple[str, str] = ("", ""),
    ) -> str:  # fmt: skip
        """The token of a new link to a seat, drawn here unless it is given; an unclaimed one of the same kind is void.

        ``committed_seed`` is kept with the link, for the one who claims it. It ends with the session of an account if
        the key does of ``like``, a seat and its key.
        """
        token = token or new_secret()
        with self._writing() as connection:
            _drop_links(connection, match_id, seat, kind)
            self._step("invite: old link removed")
            session = session_of_key(connection, match_id, *like)
            _insert_link(connection, match_id, seat, token, kind, inviter, committed_seed, session)
        return token

    def uninvite(self, match_id: int, seat: str) -> None:
        """Make the unclaimed link for somebody else void; who had invited is remembered."""
        with self._writing() as connection:
            connection.execute(update(invitations).where(*_open_link(match_id, seat, "guest")).values(kind=REVOKED))
            close_door(connection, match_id, seat)
            close_table(connection, match_id, seat)

    def invitation(self, token: str) -> Invitation | None:
        """The link with this token, if there is one."""
        with self._reading() as connection:
            row = _link(connection, token)
        return None if row is None else _invitation(row)

    def invitations(self, match_id: int) -> dict[str, Invitation]:
        """The links for other people that nobody has claimed, by seat; those made void as well."""
        query = select(invitations).where(invitations.c.match_id == match_id, invitations.c.kind != "device")
        with self._reading() as connection:
            rows = connection.execute(query.where(invitations.c.claimed_ms.is_(None))).all()
        return {row.seat: _invitation(row) for row in rows}

    def committed_seeds(self, match_id: int) -> dict[str, str]:
        """The seeds that the links of guests who have come are bound to, by seat."""
        query = select(invitations.c.seat, invitations.c.promise).where(
            invitations.c.match_id == match_id, invitations.c.kind == "guest",
            invitations.c.claimed_ms.is_not(None), invitations.c.promise != "",
        )  # fmt: skip
        with self._reading() as connection:
            return {row.seat: row.promise for row in connection.execute(query.order_by(invitations.c.claimed_ms))}

    def claim(
        self,
        token: str,
        request_id: str,
        agreed: Iterable[str] = (),
        *,
        origin: str = "",
        holder: str = "",
        owned: bool = False,
        opened: bool = False,
        session: str = "",
    ) -> Claim:
        """Take the seat a link leads to: a key is drawn and the link is spent.

        A guest agrees to the topics that the invitation lists as ``agreed``.

        Args:
            origin: the address it is claimed from; empty for the owner of the machine.
            holder: who claims it, if already known in the match; ``owned``: this is the owner of the machine.
            opened: the holder sees more than one side from now on.
            session: in which it is claimed, by the person signed in.

        The same request sent again within some minutes, as after a lost answer, gets a key drawn again in place of
        the first, as long as that one is still good.

        Raises:
            SpentError: the link is void, or somebody has claimed it.
        """
        key, request = new_secret(), digest(f"{token} {request_id}")
        with self._writing() as connection:
            row = _link(connection, token)
            if row is None:
                raise SpentError("this link leads to no seat any more; ask for a new one")
            found = _invitation(row)
            if found.claimed:
                _take_back(connection, row, request)
            elif found.void:
                raise SpentError("this link is too old; make a new one on the device you played on last")
            elif found.kind == "guest":
                _close_seat(connection, row.match_id, row.seat)
                _hold(connection, row.match_id, row.seat, holder or new_holder(), owned=owned)
                insert_agreements(connection, row.match_id, {topic: [row.seat] for topic in agreed})
                if opened:
                    connection.execute(update(matches).where(matches.c.id == row.match_id).values(opened=True))
            if found.kind == "device":
                _forget_devices(connection, row)
            told = _origin(connection, row.match_id, origin) if found.kind == "guest" else ""
            self._step("claim: seat given")
            ending = session_for(connection, row, session)
            insert_key(connection, row.match_id, row.seat, key, self.up.ms(), ending)
            connection.execute(
                update(invitations)
                .where(invitations.c.digest == row.digest)
                .values(claimed_ms=row.claimed_ms or now_ms(), request=request, key=digest(key), origin=told)
            )
            self._step("claim: link spent")
        return Claim(row.match_id, row.seat, row.kind, key, repeated=found.claimed, committed_seed=found.committed_seed)

    def near(self, match_id: int) -> set[str]:
        """The seats that guests have claimed from an address from which another was, or the match was started."""
        query = select(invitations.c.seat, invitations.c.origin, invitations.c.claimed_ms).where(
            invitations.c.match_id == match_id, invitations.c.origin != ""
        )
        made = select(creations.c.salt, creations.c.creator).where(creations.c.match_id == match_id)
        with self._reading() as connection:
            latest = {row.seat: row.origin for row in connection.execute(query.order_by(invitations.c.claimed_ms))}
            first = connection.execute(made).first()
        known = [*latest.values(), *([digest(f"{first.salt} {first.creator}")] if first else [])]
        return {seat for seat, origin in latest.items() if known.count(origin) > 1}

    # -- what people agree on ----------------------------------------------------------------------

    def agreements(self, match_id: int) -> dict[str, set[str]]:
        """The seats that have agreed, by topic."""
        found: dict[str, set[str]] = {}
        with self._reading() as connection:
            for row in connection.execute(select(agreements).where(agreements.c.match_id == match_id)):
                found.setdefault(row.topic, set()).add(row.seat)
        return found

    def agree(self, match_id: int, agreed: Iterable[str], topic: str, *, yes: bool = True) -> None:
        """Note what seats agree to, or that they no longer do."""
        with self._writing() as connection:
            for seat in agreed:
                connection.execute(
                    delete(agreements).where(
                        agreements.c.match_id == match_id, agreements.c.seat == seat, agreements.c.topic == topic
                    )
                )
                if yes:
                    connection.execute(insert(agreements).values(match_id=match_id, seat=seat, topic=topic))

    def settle(self, match_id: int, topic: str) -> None:
        """Forget a topic that has been dealt with."""
        with self._writing() as connection:
            connection.execute(delete(agreements).where(agreements.c.match_id == match_id, agreements.c.topic == topic))


def insert_seats(
    connection: Connection,
    match_id: int,
    version: int,
    keys: Mapping[str, str | None],
    *,
    holder: str,
    owned: bool,
    links: Mapping[str, str],
    up_ms: int,
) -> None:
    """The seats of a new match: those with a key are the holder's, those with the token of a link wait for a guest."""
    for seat, key in keys.items():
        held = {"holder": holder if key else "", "owned": owned and key is not None}
        connection.execute(
            insert(seats).values(match_id=match_id, seat=seat, version=version, stirred_ms=up_ms, **held)
        )
        if key:
            insert_key(connection, match_id, seat, key, up_ms)
    for seat, token in links.items():
        _insert_link(connection, match_id, seat, token, "guest", holder)


def insert_agreements(connection: Connection, match_id: int, agreed: Mapping[str, Iterable[str]]) -> None:
    """What is agreed from the start, by topic."""
    for topic, names in agreed.items():
        for seat in names:
            connection.execute(insert(agreements).values(match_id=match_id, seat=seat, topic=topic))


def _seat(match_id: int, seat: str) -> tuple[Any, ...]:
    return seats.c.match_id == match_id, seats.c.seat == seat


def _origin(connection: Connection, match_id: int, address: str) -> str:
    """What is kept of the address of a guest, to compare others with: a digest.

    Its salt, of the request that made the match, is kept for some days; then nobody can find the address out any more.
    """
    salt = connection.execute(select(creations.c.salt).where(creations.c.match_id == match_id)).scalar()
    return digest(f"{salt} {address}") if salt else ""


def _insert_link(
    connection: Connection, match_id: int, seat: str, token: str, kind: LinkKind, inviter: str,
    committed_seed: str = "", session: str = "",
) -> None:  # fmt: skip
    values = {
        "digest": digest(token), "match_id": match_id, "seat": seat, "kind": kind, "inviter": inviter,
        "created_ms": now_ms(), "claimed_ms": None, "request": "", "key": "", "promise": committed_seed,
        "session": session,
    }  # fmt: skip
    connection.execute(insert(invitations).values(values))


def _hold(connection: Connection, match_id: int, seat: str, holder: str, *, owned: bool) -> None:
    connection.execute(update(seats).where(*_seat(match_id, seat)).values(holder=holder, owned=owned))


def _close_seat(connection: Connection, match_id: int, seat: str) -> None:
    """Nobody can open the seat any more, by key or by a link to another device.

    What its person agreed to is void, and what others have agreed on about the seat.
    """
    connection.execute(delete(seat_keys).where(*key_of(match_id, seat)))
    _drop_links(connection, match_id, seat, "device")
    here = agreements.c.match_id == match_id
    connection.execute(delete(agreements).where(here, agreements.c.seat == seat))
    for topic in connection.execute(select(agreements.c.topic).where(here)).scalars().all():
        if seat_spoken_of(topic) == seat:
            connection.execute(delete(agreements).where(here, agreements.c.topic == topic))
    clear_desk(connection, match_id, seat)
    forget_notices(connection, match_id, seat)
    forget_calendar(connection, match_id, seat)
    close_door(connection, match_id, seat)
    close_way_on(connection, match_id, seat)
    close_table(connection, match_id, seat)
    clear_standing(connection, match_id, seat)
    forget_account(connection, match_id, seat)


def _drop_links(connection: Connection, match_id: int, seat: str, kind: LinkKind) -> None:
    connection.execute(delete(invitations).where(*_open_link(match_id, seat, kind)))
    if kind == "guest":
        connection.execute(delete(invitations).where(*_open_link(match_id, seat, REVOKED)))


def _open_link(match_id: int, seat: str, kind: str) -> tuple[Any, ...]:
    return (
        invitations.c.match_id == match_id,
        invitations.c.seat == seat,
        invitations.c.kind == kind,
        invitations.c.claimed_ms.is_(None),
    )


def _link(connection: Connection, token: str) -> Row[Any] | None:
    """The link with this token. What is looked up is a digest: how long that takes tells nothing of other tokens."""
    query = select(invitations).where(invitations.c.digest == digest(token), invitations.c.kind != REVOKED)
    return connection.execute(query).first()


def _invitation(row: Row[Any]) -> Invitation:
    old = row.kind == "device" and now_ms() - row.created_ms > DEVICE_MS
    return Invitation(
        row.match_id, row.seat, row.kind, row.inviter, row.created_ms,
        claimed=row.claimed_ms is not None, void=old or row.kind == REVOKED, committed_seed=row.promise,
    )  # fmt: skip


def _forget_devices(connection: Connection, row: Row[Any]) -> None:
    """Links of a seat to other devices by which nobody can come again are forgotten, so that they do not pile up."""
    used = invitations.c.match_id == row.match_id, invitations.c.seat == row.seat, invitations.c.kind == "device"
    connection.execute(delete(invitations).where(*used, invitations.c.claimed_ms < now_ms() - REPEAT_MS))


def _take_back(connection: Connection, row: Row[Any], request: str) -> None:
    """Make room for the key of a repeated claim; raises ``SpentError`` if it is none."""
    first = connection.execute(delete(seat_keys).where(*key_of(row.match_id, row.seat), seat_keys.c.digest == row.key))
    late = now_ms() - row.claimed_ms > REPEAT_MS
    if late or first.rowcount != 1 or not hmac.compare_digest(row.request, request):
        raise SpentError("this link has been used already; a seat can be claimed once")
