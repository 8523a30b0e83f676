"""Matches that count for ratings: who plays them, and what came of them."""

from __future__ import annotations

import secrets
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, Row, insert, select, update

from rasputitsa.server.store.errors import StoreError
from rasputitsa.server.store.schema import account_sessions, accounts, rated_matches, results

FIRST, SECOND = "first", "second"
GONE = "gone "
"""What stands for an account that is deleted begins so, and no id of an account does."""


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """A side of a rated match, ``first`` or ``second``, and the digest of the session of the player who takes it."""

    place: str
    session: str


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """The accounts that play a rated match; ``result`` is the number of what came of it, 0 before its end."""

    first: str
    second: str
    result: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a rated match; ``score`` is the first side's: 1, 0.5 or 0."""

    id: int
    game: str
    scenario: str
    first: str
    second: str
    score: float
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Score:
    """How a rated match ends: where it was played, and what the first side scores."""

    game: str
    scenario: str
    first: float


class RatedStore(ABC):
    """The part of the store that knows rated matches."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def rated(self, match_id: int) -> RatedMatch | None:
        """Who plays a match that counts; None for one that does not."""
        return self.rated_among([match_id]).get(match_id)

    def rated_among(self, match_ids: Collection[int]) -> dict[int, RatedMatch]:
        """Those of several matches that count."""
        query = select(rated_matches).where(rated_matches.c.match_id.in_(match_ids))
        with self._reading() as connection:
            return {row.match_id: RatedMatch(row.first, row.second, row.result) for row in connection.execute(query)}

    def sit_down_to_rated(self, match_id: int, seat: RatedSeat) -> None:
        """Note that the account of a session plays a side of a rated match.

        Raises:
            StoreError: the session has ended, or the account plays the other side.
        """
        here = rated_matches.c.match_id == match_id
        with self._writing() as connection:
            account = _account_of(connection, seat.session)
            row = connection.execute(select(rated_matches).where(here)).first()
            if not account or row is None or account in (row.first, row.second):
                raise StoreError("this account cannot play this side of a rated match")
            connection.execute(update(rated_matches).where(here).values({seat.place: account}))

    def results(self, game: str, after: int = 0) -> list[Result]:
        """What came of the rated matches of a game, the oldest first, those with a number above ``after``."""
        query = select(results).where(results.c.game == game, results.c.id > after).order_by(results.c.id)
        with self._reading() as connection:
            return [_result(row) for row in connection.execute(query)]

    def results_of(self, account: str) -> list[Result]:
        """What came of the rated matches of an account, the oldest first."""
        mine = (results.c.first == account) | (results.c.second == account)
        with self._reading() as connection:
            return [_result(row) for row in connection.execute(select(results).where(mine).order_by(results.c.id))]

    def account_names(self, ids: Collection[str] | None = None) -> dict[str, str]:
        """The names of accounts, or of all, by their ids."""
        query = select(accounts.c.id, accounts.c.name)
        with self._reading() as connection:
            found = connection.execute(query if ids is None else query.where(accounts.c.id.in_(ids)))
            return {row.id: row.name for row in found}


def insert_rated(connection: Connection, match_id: int, seat: RatedSeat) -> None:
    """Note that a new match counts, and that the account of a session plays one side of it."""
    if not (account := _account_of(connection, seat.session)):
        raise StoreError("the player who starts a rated match is signed in")
    values = {"match_id": match_id, FIRST: "", SECOND: "", "result": 0}
    connection.execute(insert(rated_matches).values({**values, seat.place: account}))


def settle_rated(connection: sqlite3.Connection, match_id: int, score: Score, now_ms: int) -> None:
    """Note how a match ends, if it counts and has not ended before; in plain SQL, with what is played."""
    found = connection.execute(
        "SELECT first, second FROM rated_matches WHERE match_id = ? AND result = 0 AND first <> '' AND second <> ''",
        (match_id,),
    ).fetchone()
    if found is None:
        return
    made = connection.execute(
        "INSERT INTO results (game, scenario, first, second, score, ended_ms) VALUES (?, ?, ?, ?, ?, ?)",
        (score.game, score.scenario, *found, score.first, now_ms),
    )
    connection.execute("UPDATE rated_matches SET result = ? WHERE match_id = ?", (made.lastrowid, match_id))


def forget_in_results(connection: Connection, account: str) -> None:
    """Put a word that leads to nobody in place of an account: what others have scored against it stays theirs."""
    word = GONE + secrets.token_hex(8)
    for table in (rated_matches, results):
        for place in (FIRST, SECOND):
            column = table.c[place]
            connection.execute(update(table).where(column == account).values({place: word}))


def _account_of(connection: Connection, session: str) -> str:
    known = select(account_sessions.c.account).where(account_sessions.c.digest == session)
    return connection.execute(known).scalar() or ""


def _result(row: Row[tuple[object, ...]]) -> Result:
    return Result(row.id, row.game, row.scenario, row.first, row.second, row.score, row.ended_ms)
