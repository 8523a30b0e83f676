"""Blocked people: whom accounts do not want to meet, and where they would.

A block names who holds a seat, and the account that the seat is kept with as soon as there is one. One who blocks
learns neither whether there is one nor its name. Where an account parts with a seat the holder of that is blocked as
well, by those who play there: that is a part of the block there is, and goes with it.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.errors import CrowdedError
from rasputitsa.server.store.people.wiping import rewrite, wiping
from rasputitsa.server.store.schema import account_blocks, account_seats, account_sessions, rated_matches, seats
from rasputitsa.server.wall_clock import now_ms

MOST_BLOCKS = 200
"""Of one account."""
_PART = ":"
"""In the id of a part, between that of its block and letters of its own."""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """Somebody whom an account has blocked, as they were called at the table."""

    id: str
    label: str
    created_ms: int


class BlockStore(ABC):
    """The part of the store that knows who has blocked whom."""

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

    def block(self, session: str, match_id: int, holder: str, label: str) -> bool | None:
        """Block who holds seats of a match for the account of a session; None where that has ended.

        False where it is the account's own person. One who is blocked already stays so.

        Raises:
            CrowdedError: the account has blocked as many as it may.
        """
        with self._writing() as connection:
            if not (account := _account_of(connection, session)):
                return None
            known = _accounts_of(connection, match_id, holder)
            if account in known:
                return False
            mine = account_blocks.c.account == account
            if connection.execute(select(account_blocks.c.id).where(mine, account_blocks.c.holder == holder)).first():
                return True
            if connection.execute(select(func.count()).where(mine, _whole())).scalar_one() >= MOST_BLOCKS:
                raise CrowdedError(f"you have blocked {MOST_BLOCKS} people, which is the most; unblock somebody first")
            connection.execute(
                insert(account_blocks).values(
                    id=secrets.token_urlsafe(12), account=account, blocked=min(known, default=""), holder=holder,
                    label=label, created_ms=now_ms(),
                )
            )  # fmt: skip
            self._step("block: written")
        return True

    def unblock(self, session: str, block_id: str) -> bool | None:
        """Undo a block of the account of a session; None where that has ended, False where there is no such block."""
        with self._writing() as connection, wiping(driver_of(connection)):
            if not (account := _account_of(connection, session)):
                return None
            mine = account_blocks.c.account == account
            gone = delete(account_blocks).where(mine, _whole(), account_blocks.c.id == block_id)
            if not connection.execute(gone).rowcount:
                return False
            connection.execute(delete(account_blocks).where(mine, _part_of(block_id)))
            rewrite(connection, account_blocks)
        self._empty_log()
        return True

    def blocks_of(self, account: str) -> list[BlockRow]:
        """Whom an account has blocked, the newest first."""
        query = select(account_blocks).where(account_blocks.c.account == account, _whole())
        latest = query.order_by(account_blocks.c.created_ms.desc(), account_blocks.c.id)
        with self._reading() as connection:
            return [BlockRow(row.id, row.label, row.created_ms) for row in connection.execute(latest)]

    def unheard(self, match_id: int, seat: str) -> set[str]:
        """Those who hold seats of a match, or held them, and are blocked by who holds a seat of it."""
        with self._reading() as connection:
            company = _Company(connection, {match_id})
            own = company.accounts.get((match_id, company.holders.get((match_id, seat), "")), set())
            mine = select(account_blocks).where(account_blocks.c.account.in_(own))
            found: set[str] = set()
            for row in connection.execute(mine):
                found |= {row.holder, *company.held_by(match_id, row.blocked)}
        return found

    def shut_tables(self, account: str, match_ids: Collection[int]) -> set[int]:
        """Those of several matches in which somebody has blocked an account, or was blocked by it.

        None in which the account has a seat: there they know each other. It is the same work for every account.
        """
        with self._reading() as connection:
            company = _Company(connection, match_ids)
            mine = connection.execute(select(account_blocks).where(account_blocks.c.account == account)).all()
            theirs = select(account_blocks.c.account).where(account_blocks.c.blocked == account)
            wary = set(connection.execute(theirs).scalars()) if account else set()
        shunned = {row.blocked for row in mine} - {""} | wary
        strangers = {row.holder for row in mine}
        shut = {match_id for match_id, known in company.present.items() if known & shunned and account not in known}
        return shut | {
            match_id
            for (match_id, _), holder in company.holders.items()
            if holder in strangers and account not in company.present.get(match_id, ())
        }


class _Company:
    """Who holds the seats of some matches, and the accounts that they are known by.

    Attributes:
        holders: who holds a seat, by match and seat.
        accounts: those of the holders of seats, by match and holder.
        present: the accounts in a match, also those that play it for their rating.
    """

    def __init__(self, connection: Connection, match_ids: Collection[int]) -> None:
        held = select(seats.c.match_id, seats.c.seat, seats.c.holder).where(seats.c.match_id.in_(match_ids))
        self.holders = {(row.match_id, row.seat): row.holder for row in connection.execute(held) if row.holder}
        self.accounts: dict[tuple[int, str], set[str]] = {}
        self.present: dict[int, set[str]] = {}
        kept = select(account_seats).where(account_seats.c.match_id.in_(match_ids))
        for row in connection.execute(kept):
            holder = self.holders.get((row.match_id, row.seat), "")
            self.accounts.setdefault((row.match_id, holder), set()).add(row.account)
            self.present.setdefault(row.match_id, set()).add(row.account)
        counted = select(rated_matches).where(rated_matches.c.match_id.in_(match_ids))
        for row in connection.execute(counted):
            self.present.setdefault(row.match_id, set()).update({row.first, row.second} - {""})

    def held_by(self, match_id: int, account: str) -> set[str]:
        """Those who hold seats of a match and are known by an account."""
        return {
            holder
            for (here, holder), known in self.accounts.items()
            if here == match_id and account and account in known
        }


def at_odds(connection: Connection, match_ids: Collection[int]) -> dict[int, set[frozenset[str]]]:
    """The pairs of seats of each match of whose people one has blocked the other."""
    company = _Company(connection, match_ids)
    everybody = {account for known in company.accounts.values() for account in known}
    by_account: dict[str, set[tuple[str, str]]] = {}
    for row in connection.execute(select(account_blocks).where(account_blocks.c.account.in_(everybody))):
        by_account.setdefault(row.account, set()).add((row.holder, row.blocked))
    there: dict[int, list[tuple[str, str]]] = {}
    for (match_id, seat), holder in company.holders.items():
        there.setdefault(match_id, []).append((seat, holder))
    found: dict[int, set[frozenset[str]]] = {}
    for (match_id, holder), known in company.accounts.items():
        blocked = {block for account in known for block in by_account.get(account, ())}
        if not blocked:
            continue
        strangers, shunned = ({block[0] for block in blocked}, {block[1] for block in blocked} - {""})
        own = [seat for seat, whose in there.get(match_id, ()) if whose == holder]
        others = [
            seat
            for seat, whose in there.get(match_id, ())
            if whose != holder and (whose in strangers or company.accounts.get((match_id, whose), set()) & shunned)
        ]
        found.setdefault(match_id, set()).update(frozenset((seat, other)) for seat in own for other in others)
    return found


def know_blocked(connection: Connection, match_id: int, seat: str, account: str) -> None:
    """Those who have blocked the holder of a seat have blocked the account that it is kept with from now on."""
    here = seats.c.match_id == match_id, seats.c.seat == seat, seats.c.holder != ""
    holder = select(seats.c.holder).where(*here).scalar_subquery()
    unknown = account_blocks.c.holder == holder, account_blocks.c.blocked == "", account_blocks.c.account != account
    connection.execute(update(account_blocks).where(*unknown).values(blocked=account))


def remember_blocked(connection: Connection, *parting: ColumnElement[bool]) -> None:
    """Seats are about to part from accounts: those who play there and have blocked one have blocked the holder, too."""
    here = (seats.c.match_id == account_seats.c.match_id) & (seats.c.seat == account_seats.c.seat)
    columns = account_seats.c.account, account_seats.c.match_id, seats.c.holder
    held = select(*columns).join_from(account_seats, seats, here).where(*parting, seats.c.holder != "")
    for row in connection.execute(held).all():
        there = select(account_seats.c.account).where(account_seats.c.match_id == row.match_id)
        theirs = account_blocks.c.blocked == row.account, account_blocks.c.account.in_(there), _whole()
        for block in connection.execute(select(account_blocks).where(*theirs)).all():
            known = select(account_blocks.c.id).where(_part_of(block.id), account_blocks.c.holder == row.holder)
            if block.holder != row.holder and connection.execute(known).first() is None:
                connection.execute(
                    insert(account_blocks).values(
                        id=f"{block.id}{_PART}{secrets.token_urlsafe(5)}", account=block.account,
                        blocked=block.blocked, holder=row.holder, label="", created_ms=block.created_ms,
                    )
                )  # fmt: skip


def delete_blocks(connection: Connection, account: str) -> None:
    """Remove the blocks of an account that still has its seats; to be done while ``wiping``.

    Those of others name it no longer. They stay, by the match in which they were made: one that disappeared would tell
    that there was an account.
    """
    remember_blocked(connection, account_seats.c.account == account)
    gone = connection.execute(delete(account_blocks).where(account_blocks.c.account == account)).rowcount
    others = update(account_blocks).where(account_blocks.c.blocked == account).values(blocked="")
    if connection.execute(others).rowcount + gone:
        rewrite(connection, account_blocks)


def _whole() -> ColumnElement[bool]:
    return ~account_blocks.c.id.contains(_PART)


def _part_of(block_id: str) -> ColumnElement[bool]:
    return account_blocks.c.id.startswith(f"{block_id}{_PART}", autoescape=True)


def _accounts_of(connection: Connection, match_id: int, holder: str) -> set[str]:
    """The accounts with which seats of a holder are kept; one at most, unless several have had the same seats."""
    return _Company(connection, {match_id}).accounts.get((match_id, holder), set())


def _account_of(connection: Connection, session: str) -> str:
    known = select(account_sessions.c.account).where(account_sessions.c.digest == session)
    return connection.execute(known).scalar() or ""
