"""Passkeys: what is kept of them lets the server know the owner of one, and lets nobody sign in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.errors import CrowdedError
from rasputitsa.server.store.people.wiping import rewrite, wiping
from rasputitsa.server.store.schema import account_passkeys, account_sessions, accounts

MOST_PASSKEYS = 10
"""Of one account."""


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """A passkey: its id, its public key with what belongs to it, the name of the site it is for, and its label.

    ``uses`` is how often it has signed, as far as it tells; ``label`` is the kind of browser that made it.
    """

    id: str
    account: str
    site: str
    public: str
    uses: int
    label: str
    created_ms: int


class PasskeyStore(ABC):
    """The part of the store that knows passkeys."""

    _step: Callable[[str], None]

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    @abstractmethod
    def _empty_log(self) -> None:
        """Leave no copy of what was changed or deleted in the log of the database."""

    def passkey(self, passkey_id: str) -> PasskeyRow | None:
        """The passkey of an id."""
        with self._reading() as connection:
            row = connection.execute(select(account_passkeys).where(account_passkeys.c.id == passkey_id)).first()
        return None if row is None else _passkey(row)

    def passkeys_of(self, account: str) -> list[PasskeyRow]:
        """The passkeys of an account, the oldest first."""
        query = select(account_passkeys).where(account_passkeys.c.account == account)
        with self._reading() as connection:
            return [_passkey(row) for row in connection.execute(query.order_by(account_passkeys.c.created_ms))]

    def require_place_for_passkey(self, account: str) -> None:
        """Raise ``CrowdedError`` where an account has as many passkeys as it may."""
        with self._reading() as connection:
            _require_place(connection, account)

    def add_passkey(self, passkey: PasskeyRow, session: str) -> bool | None:
        """Keep a further passkey of the account of a session; None where that has ended, False where it is known.

        Raises:
            CrowdedError: the account has as many as it may.
        """
        with self._writing() as connection:
            if not _goes_on(connection, session, passkey.account):
                return None
            return insert_passkey(connection, passkey)

    def count_passkey(self, passkey: PasskeyRow, uses: int) -> bool:
        """Note how often a passkey has signed; False where it is gone, or a copy of it is in use.

        A count that does not grow tells of a copy; passkeys that are kept at several devices tell 0 each time.
        """
        if not uses and not passkey.uses:
            return True
        if uses <= passkey.uses:
            return False
        here = account_passkeys.c.id == passkey.id, account_passkeys.c.uses == passkey.uses
        with self._writing() as connection:
            return connection.execute(update(account_passkeys).where(*here).values(uses=uses)).rowcount == 1

    def remove_passkey(self, account: str, passkey_id: str, session: str) -> bool | None:
        """Remove a passkey of the account of a session; None where that has ended.

        False where there is no such passkey, or nothing else would let its person sign in.
        """
        mine = account_passkeys.c.account == account
        with self._writing() as connection, wiping(driver_of(connection)):
            if not _goes_on(connection, session, account):
                return None
            has_password = connection.execute(select(accounts.c.password).where(accounts.c.id == account)).scalar()
            others = select(func.count()).where(mine, account_passkeys.c.id != passkey_id)
            if not has_password and not connection.execute(others).scalar_one():
                return False
            gone = delete(account_passkeys).where(mine, account_passkeys.c.id == passkey_id)
            if not connection.execute(gone).rowcount:
                return False
            rewrite(connection, account_passkeys)
        self._empty_log()
        return True


def has_passkey(connection: Connection, account: str, passkey_id: str) -> bool:
    """Whether an account has a passkey."""
    here = account_passkeys.c.id == passkey_id, account_passkeys.c.account == account
    return connection.execute(select(account_passkeys.c.id).where(*here)).first() is not None


def _goes_on(connection: Connection, session: str, account: str) -> bool:
    """Whether a session of an account has not ended."""
    return (
        connection.execute(select(account_sessions.c.account).where(account_sessions.c.digest == session)).scalar()
        == account
    )


def insert_passkey(connection: Connection, passkey: PasskeyRow) -> bool:
    """Keep a passkey; False where its id is known. Raises ``CrowdedError``."""
    known = select(account_passkeys.c.id).where(account_passkeys.c.id == passkey.id)
    if connection.execute(known).first() is not None:
        return False
    _require_place(connection, passkey.account)
    connection.execute(
        insert(account_passkeys).values(
            id=passkey.id, account=passkey.account, site=passkey.site, public=passkey.public, uses=passkey.uses,
            label=passkey.label, created_ms=passkey.created_ms,
        )
    )  # fmt: skip
    return True


def _require_place(connection: Connection, account: str) -> None:
    held = select(func.count()).where(account_passkeys.c.account == account)
    if connection.execute(held).scalar_one() >= MOST_PASSKEYS:
        raise CrowdedError(f"there are {MOST_PASSKEYS} passkeys of this account, which is the most; remove one first")


def delete_passkeys(connection: Connection, account: str) -> None:
    """Remove all passkeys of an account; to be done while ``wiping``."""
    gone = delete(account_passkeys).where(account_passkeys.c.account == account)
    if connection.execute(gone).rowcount:
        rewrite(connection, account_passkeys)


def _passkey(row: Row[Any]) -> PasskeyRow:
    return PasskeyRow(row.id, row.account, row.site, row.public, row.uses, row.label, row.created_ms)
