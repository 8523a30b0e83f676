"""Accounts: who they are, the browsers that are signed in, and the seats kept with them.

A session is a right to the seats of its account: one who shows it gets a fresh key to such a seat. So no key has to be
kept in a form in which it could be given out again, and every look and action is still let in by a key alone. The keys
given so end with the session.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.errors import CrowdedError, StoreError
from rasputitsa.server.store.people.blocks import delete_blocks, know_blocked, remember_blocked
from rasputitsa.server.store.people.keys import insert_key, key_of
from rasputitsa.server.store.people.passkeys import PasskeyRow, delete_passkeys, has_passkey, insert_passkey
from rasputitsa.server.store.people.rated import forget_in_results
from rasputitsa.server.store.people.tokens import digest, new_secret
from rasputitsa.server.store.people.wiping import rewrite, wiping
from rasputitsa.server.store.schema import (
    MAX_ID,
    account_seats,
    account_sessions,
    accounts,
    invitations,
    matches,
    seat_keys,
    seats,
)
from rasputitsa.server.store.uptimes import Uptime
from rasputitsa.server.wall_clock import now_ms

MOST_SESSIONS = 20
"""Browsers that are signed in to one account; a further one takes the place of the one used least lately."""
MOST_SEATS = 2000
"""Kept with one account."""
UNUSED_MS = 60 * 24 * 3600 * 1000
"""A session that was not used for so long, of a server that was up, is ended."""
NOTED_MS = 24 * 3600 * 1000
"""So often it is noted that a session is in use."""


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account; ``password``: the digest of one, or nothing; ``shown``: what its person is called at the table."""

    id: str
    name: str
    password: str
    shown: str
    created_ms: int


@dataclass(frozen=True, slots=True)
class AccountUse:
    """How an account is used: how many browsers are signed in, for how long the one used last was quiet, its matches.

    ``quiet_ms`` counts while the server is up, to a day, since it is noted no oftener; None where no browser is.
    """

    account: AccountRow
    sessions: int
    quiet_ms: int | None
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A browser that is signed in: the digest of what it shows, its account, and what kind of browser it is."""

    digest: str
    account: str
    browser: str
    created_ms: int


class AccountStore(ABC):
    """The part of the store that knows accounts."""

    _step: Callable[[str], None]
    up: Uptime

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    @abstractmethod
    def _empty_log(self) -> None:
        """Leave no copy of what was changed or deleted in the log of the database."""

    # -- accounts ----------------------------------------------------------------------------------

    def is_taken(self, seen: str) -> bool:
        """Whether there is an account whose name looks like this."""
        with self._reading() as connection:
            return connection.execute(select(accounts.c.id).where(accounts.c.seen == seen)).first() is not None

    def add_account(self, account: AccountRow, seen: str, passkey: PasskeyRow | None = None) -> bool:
        """Keep a new account; False where there is one whose name looks the same, or the passkey is known."""
        values = {
            "id": account.id, "name": account.name, "seen": seen, "password": account.password,
            "shown": account.shown, "created_ms": account.created_ms,
        }  # fmt: skip
        with self._writing() as connection:
            if connection.execute(select(accounts.c.id).where(accounts.c.seen == seen)).first() is not None:
                return False
            if passkey is not None and not insert_passkey(connection, passkey):
                return False
            connection.execute(insert(accounts).values(values))
            self._step("account: written")
        return True

    def account_named(self, seen: str) -> AccountRow | None:
        """The account whose name looks like this."""
        with self._reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.seen == seen)).first()
        return None if row is None else _account(row)

    def account(self, account_id: str) -> AccountRow | None:
        """The account of an id."""
        with self._reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.id == account_id)).first()
        return None if row is None else _account(row)

    def show_account(self, session: str, shown: str) -> None:
        """Keep what the person of a session is called at the table."""
        with self._writing() as connection, wiping(driver_of(connection)):
            here = accounts.c.id == _account_of(connection, session)
            connection.execute(update(accounts).where(here).values(shown=shown))

    def account_uses(self) -> list[AccountUse]:
        """All accounts, the oldest first, and how each is used."""
        used: dict[str, list[int]] = {}
        where: dict[str, set[int]] = {}
        with self._reading() as connection:
            for row in connection.execute(select(account_sessions)):
                used.setdefault(row.account, []).append(max(0, self.up.ms() - row.used_up_ms))
            for row in connection.execute(select(account_seats)):
                where.setdefault(row.account, set()).add(row.match_id)
            rows = connection.execute(select(accounts).order_by(accounts.c.created_ms, accounts.c.id)).all()
        return [
            AccountUse(
                _account(row), len(used.get(row.id, ())), min(used.get(row.id, ()), default=None),
                tuple(sorted(where.get(row.id, ()))),
            )
            for row in rows
        ]  # fmt: skip

    def reset_account(self, account: AccountRow, password: str) -> set[int]:
        """Put the digest of another password in place of whatever there is; all passkeys go, and all sessions end."""
        with self._writing() as connection, wiping(driver_of(connection)):
            connection.execute(update(accounts).where(accounts.c.id == account.id).values(password=password))
            delete_passkeys(connection, account.id)
            self._step("account: password written")
            return _end(connection, _sessions_of(connection, account.id))

    def delete_account(self, account: AccountRow, session: str | None) -> set[int] | None:
        """Delete an account with all that belongs to it; keys of the browser it is done in stand alone from then on.

        Without a ``session`` it is done by the host, and in no browser. Gives the matches to which other browsers had
        keys; None, and nothing is done, where the password is no longer the one that ``account`` has, or the session
        has ended.
        """
        with self._writing() as connection, wiping(driver_of(connection)):
            if not _still(connection, account):
                return None
            if session is not None:
                if _account_of(connection, session) != account.id:
                    return None
                _pass_on(connection, session, "")
            ended = _end(connection, _sessions_of(connection, account.id))
            self._step("account: sessions ended")
            delete_blocks(connection, account.id)
            connection.execute(delete(account_seats).where(account_seats.c.account == account.id))
            delete_passkeys(connection, account.id)
            forget_in_results(connection, account.id)
            connection.execute(delete(accounts).where(accounts.c.id == account.id))
            rewrite(connection, accounts)
        self._empty_log()
        return ended

    # -- sessions ----------------------------------------------------------------------------------

    def open_session(
        self,
        account: AccountRow,
        token: str,
        browser: str,
        former: str = "",
        password: str | None = None,
        passkey: str = "",
        proven: str = "",
    ) -> set[int] | None:
        """Sign a browser in: from now on it shows ``token``. Its ``former`` session ends.

        Keys and links of a former session of the same account go on with the new one. With a new ``password``, a
        digest, all other sessions of the account end.

        Gives the matches to which keys have ended; None, and nothing is done, where the account is gone or its password
        is no longer the one that was checked, or the ``passkey`` that was, or the session ``proven`` to be its
        person's, is gone.
        """
        here, now = digest(token), self.up.ms()
        with self._writing() as connection, wiping(driver_of(connection)):
            if not _still(connection, account) or (passkey and not has_passkey(connection, account.id, passkey)):
                return None
            if proven and _account_of(connection, proven) != account.id:
                return None
            row = {"digest": here, "account": account.id, "browser": browser, "created_ms": now_ms()}
            connection.execute(insert(account_sessions).values(**row, used_up_ms=now))
            if former and _account_of(connection, former) == account.id:
                _pass_on(connection, former, here)
            self._step("session: written")
            known = [other for other in _sessions_of(connection, account.id) if other != here]
            old = known[MOST_SESSIONS - 1 :]
            if password:
                connection.execute(update(accounts).where(accounts.c.id == account.id).values(password=password))
                old = known
            return _end(connection, {*old, *([former] if former else [])})

    def session(self, token: str, *, note: bool = True) -> tuple[SessionRow, AccountRow] | None:
        """The session that a browser shows, and its account; notes from time to time that it is in use, if it can."""
        here = digest(token)
        query = select(account_sessions).where(account_sessions.c.digest == here)
        with self._reading() as connection:
            row = connection.execute(query).first()
            if row is None or self.up.ms() - row.used_up_ms > UNUSED_MS:
                return None
            found = connection.execute(select(accounts).where(accounts.c.id == row.account)).first()
        if found is None:
            return None
        if note and self.up.ms() - row.used_up_ms >= NOTED_MS:
            with contextlib.suppress(StoreError), self._writing() as connection:
                noted = update(account_sessions).where(account_sessions.c.digest == here)
                connection.execute(noted.values(used_up_ms=self.up.ms()))
        return _session(row), _account(found)

    def sessions(self, account: str) -> list[SessionRow]:
        """The browsers that are signed in to an account, those used last first."""
        query = select(account_sessions).where(account_sessions.c.account == account)
        with self._reading() as connection:
            return [_session(row) for row in connection.execute(query.order_by(*_LATEST))]

    def end_sessions(self, account: str, ended: Callable[[str], bool]) -> set[int]:
        """End the sessions of an account that are to be; gives the matches to which keys have ended."""
        with self._writing() as connection, wiping(driver_of(connection)):
            return _end(connection, {known for known in _sessions_of(connection, account) if ended(known)})

    def forget_old_sessions(self) -> None:
        """End the sessions that nobody uses."""
        query = select(account_sessions.c.digest).where(account_sessions.c.used_up_ms < self.up.ms() - UNUSED_MS)
        with self._writing() as connection, wiping(driver_of(connection)):
            _end(connection, connection.execute(query).scalars().all())

    # -- seats -------------------------------------------------------------------------------------

    def seats_of_account(self, session: str, match_id: int | None = None) -> dict[int, list[str]]:
        """The seats kept with the account of a session, by match, the newest first; of one match where it is named."""
        query = select(account_seats).join(account_sessions, account_sessions.c.account == account_seats.c.account)
        query = query.where(account_sessions.c.digest == session)
        if match_id is not None:
            query = query.where(account_seats.c.match_id == match_id)
        found: dict[int, list[str]] = {}
        with self._reading() as connection:
            for row in connection.execute(query.order_by(account_seats.c.match_id.desc(), account_seats.c.seat)):
                found.setdefault(row.match_id, []).append(row.seat)
        return found

    def keep_with_account(self, session: str, keys: Mapping[int, Mapping[str, str]]) -> dict[int, list[str]]:
        """Keep seats with the account of a session, whose keys end with the session from then on; gives those.

        A key that fits no seat, or is another session's, does nothing; nor does one to a seat that another account has.

        Raises:
            CrowdedError: there are too many seats with the account; nothing was changed.
        """
        shown = {
            (match_id, seat): digest(key)
            for match_id, by_seat in keys.items() if 0 < match_id <= MAX_ID
            for seat, key in by_seat.items()
        }  # fmt: skip
        kept: dict[int, list[str]] = {}
        with self._writing() as connection:
            if not (account := _account_of(connection, session)):
                return {}
            for match_id, seat in _keep(connection, account, session, shown):
                kept.setdefault(match_id, []).append(seat)
            self._step("account seats: written")
            held = select(func.count()).where(account_seats.c.account == account)
            if kept and connection.execute(held).scalar_one() > MOST_SEATS:
                raise CrowdedError(f"there are {MOST_SEATS} seats with this account, which is the most")
        return kept

    def shared_by_account(self, session: str, numbers: Sequence[int]) -> list[int]:
        """Those of these matches in which the account of a session has seats of several people, if not open."""
        seated = (seats.c.match_id == account_seats.c.match_id) & (seats.c.seat == account_seats.c.seat)
        query = select(account_seats.c.match_id).join(seats, seated)
        query = query.join(account_sessions, account_sessions.c.account == account_seats.c.account)
        query = query.join(matches, matches.c.id == account_seats.c.match_id)
        query = query.where(account_sessions.c.digest == session, account_seats.c.match_id.in_(numbers))
        query = query.where(matches.c.opened.is_(False))
        several = query.group_by(account_seats.c.match_id).having(func.count(seats.c.holder.distinct()) > 1)
        with self._reading() as connection:
            return list(connection.execute(several).scalars())

    def key_for_session(self, match_id: int, seat: str, session: str) -> str | None:
        """A fresh key to a seat kept with the account of a session; None where it is not, or nobody holds it."""
        key = new_secret()
        with self._writing() as connection:
            account = _account_of(connection, session)
            mine = select(account_seats).join(
                seats, (seats.c.match_id == account_seats.c.match_id) & (seats.c.seat == account_seats.c.seat)
            )
            here = account_seats.c.match_id == match_id, account_seats.c.seat == seat
            held = mine.where(*here, account_seats.c.account == account, seats.c.holder != "")
            if not account or connection.execute(held).first() is None:
                return None
            insert_key(connection, match_id, seat, key, self.up.ms(), session)
            self._step("key: written")
        return key


_LATEST = (account_sessions.c.used_up_ms.desc(), account_sessions.c.created_ms.desc(), account_sessions.c.digest)


def forget_account(connection: Connection, match_id: int, seat: str, *, but: str = "") -> bool:
    """A seat is kept with no account any more, except that of the session ``but``; gives whether it is with that."""
    here = account_seats.c.match_id == match_id, account_seats.c.seat == seat
    parting = *here, account_seats.c.account != _account_of(connection, but)
    remember_blocked(connection, *parting)
    connection.execute(delete(account_seats).where(*parting))
    return connection.execute(select(account_seats.c.account).where(*here)).first() is not None


def session_for(connection: Connection, link: Row[Any], session: str) -> str:
    """With which session the key ends that a link for another device gives.

    It is the one in which the link is claimed, if the seat is kept with its account, and else the one in which it was
    made, if any.
    """
    here = account_seats.c.match_id == link.match_id, account_seats.c.seat == link.seat
    held = connection.execute(select(account_seats.c.account).where(*here)).scalar()
    return session if held and held == _account_of(connection, session) else link.session


def _pass_on(connection: Connection, session: str, to: str) -> None:
    """What ends with a session ends with another one instead, or with none."""
    for table in (seat_keys, invitations):
        connection.execute(update(table).where(table.c.session == session).values(session=to))


def _account_of(connection: Connection, session: str) -> str:
    """The account of a session, given by its digest; empty where it has ended."""
    query = select(account_sessions.c.account).where(account_sessions.c.digest == session)
    return connection.execute(query).scalar() or ""


def _still(connection: Connection, account: AccountRow) -> bool:
    """Whether an account has the password that it had when it was looked at."""
    return (
        connection.execute(select(accounts.c.password).where(accounts.c.id == account.id)).scalar() == account.password
    )


def _sessions_of(connection: Connection, account: str) -> list[str]:
    query = select(account_sessions.c.digest).where(account_sessions.c.account == account)
    return list(connection.execute(query.order_by(*_LATEST)).scalars())


def _end(connection: Connection, ended: Iterable[str]) -> set[int]:
    """End sessions with the keys that were given and the links that were made in them; gives the keys' matches."""
    digests = list(ended)
    theirs = seat_keys.c.session.in_(digests) & (seat_keys.c.session != "")
    touched = set(connection.execute(select(seat_keys.c.match_id).where(theirs).distinct()).scalars())
    connection.execute(delete(seat_keys).where(theirs))
    made = invitations.c.session.in_(digests) & (invitations.c.session != "")
    connection.execute(delete(invitations).where(made))
    connection.execute(delete(account_sessions).where(account_sessions.c.digest.in_(digests)))
    return touched


def _keep(
    connection: Connection, account: str, session: str, shown: Mapping[tuple[int, str], str]
) -> list[tuple[int, str]]:
    """Keep the seats that are opened by what is ``shown``, digests of keys; few questions, however many keys."""
    numbers = {match_id for match_id, _ in shown}
    known = select(seat_keys).where(seat_keys.c.match_id.in_(numbers), seat_keys.c.session.in_(("", session)))
    taken = select(account_seats).where(account_seats.c.match_id.in_(numbers))
    accounts_of = {(row.match_id, row.seat): row.account for row in connection.execute(taken)}
    kept: list[tuple[int, str]] = []
    for row in connection.execute(known).all():
        here = row.match_id, row.seat
        if shown.get(here) != row.digest or accounts_of.get(here, account) != account:
            continue
        kept.append(here)
        if here not in accounts_of:
            connection.execute(insert(account_seats).values(match_id=row.match_id, seat=row.seat, account=account))
            know_blocked(connection, row.match_id, row.seat, account)
        if not row.session:
            mine = *key_of(*here), seat_keys.c.digest == row.digest
            connection.execute(update(seat_keys).where(*mine).values(session=session))
    return kept


def keep_hosts_seats(connection: Connection, session: str, match_id: int, keys: Mapping[str, str]) -> None:
    """Keep the seats of a new match with the account of a session, as far as there is room; nothing without one."""
    account = _account_of(connection, session) if session else ""
    held = select(func.count()).where(account_seats.c.account == account)
    if account and connection.execute(held).scalar_one() + len(keys) <= MOST_SEATS:
        _keep(connection, account, session, {(match_id, seat): digest(key) for seat, key in keys.items()})


def _account(row: Row[Any]) -> AccountRow:
    return AccountRow(row.id, row.name, row.password, row.shown, row.created_ms)


def new_account(id_: str, name: str, digest: str = "") -> AccountRow:
    """An account that begins now, shown under its name as it was written; ``digest``: of its password, if any."""
    return AccountRow(id_, name, digest, name, now_ms())


def _session(row: Row[Any]) -> SessionRow:
    return SessionRow(row.digest, row.account, row.browser, row.created_ms)
