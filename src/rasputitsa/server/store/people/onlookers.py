"""Matches that onlookers see some time later than their players: how much of them they may see by now.

Of such a match it is noted with each public change from when on onlookers may see it. All times are of a server that
is up: while it is not, nothing more becomes visible.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    Table,
    Text,
    case,
    func,
    insert,
    select,
)

from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.words import Behind
from rasputitsa.server.store.schema import BigId, metadata
from rasputitsa.server.store.summaries import MatchRow, changes_of, read_summary
from rasputitsa.server.store.uptimes import Uptime

delays = Table(
    "delays",
    metadata,
    Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("minutes", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""By how much onlookers are behind the players of a match; 0: they see a turn when it is over."""

disclosures = Table(
    "disclosures",
    metadata,
    Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("entries", BigInteger, primary_key=True, autoincrement=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""How much of the journal of such a match onlookers may see from ``due_ms`` on, by how long a server was up; with what
the list of matches said of it then."""

TURN = 0
"""How a delay to the end of the turn is kept; others are in minutes."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """When onlookers may see entries that are accepted: how many lines of them, after how many milliseconds."""

    lines: int
    wait_ms: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What onlookers see of a match: its journal up to here, and what its players had seen happen by then."""

    entries: int
    changes: int
    summary: Summary
    updated_ms: int


class OnlookerStore(ABC):
    """The part of the store that knows how much onlookers may see."""

    up: Uptime

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def behind(self, match_id: int) -> Behind | None:
        """By how much onlookers of a match are behind its players; None if they are not."""
        query = select(delays.c.minutes).where(delays.c.match_id == match_id)
        with self._reading() as connection:
            minutes = connection.execute(query).scalar()
        return None if minutes is None else "turn" if minutes == TURN else int(minutes)

    def seen(self, match_ids: Collection[int]) -> dict[int, Seen]:
        """What onlookers see now of those of the matches that they see later than the players."""
        newest = (
            select(disclosures.c.match_id, _shown_by(self.up.ms()).label("entries"))
            .where(disclosures.c.match_id.in_(list(match_ids)))
            .group_by(disclosures.c.match_id)
            .subquery()
        )
        here = (disclosures.c.match_id == newest.c.match_id) & (disclosures.c.entries == newest.c.entries)
        with self._reading() as connection:
            rows = connection.execute(select(disclosures).join(newest, here)).all()
        return {
            row.match_id: Seen(
                row.entries, changes_of(row.summary, row.entries), read_summary(row.summary), row.updated_ms
            )
            for row in rows
        }

    def as_seen(self, rows: Sequence[MatchRow], own: Mapping[int, Collection[str]]) -> list[MatchRow]:
        """The list of matches, last played first; those in which the reader has no seat as onlookers see them."""
        seen = self.seen([row.id for row in rows if not row.over and not own[row.id]])
        told = [_row_seen(row, seen[row.id]) if row.id in seen else row for row in rows]
        return sorted(told, key=lambda row: (row.updated_ms, row.id), reverse=True)

    def until_more_is_seen(self, match_id: int) -> int | None:
        """In how many milliseconds onlookers see more than now, if nothing else happens; None for never."""
        now = self.up.ms()
        with self._reading() as connection:
            here = disclosures.c.match_id == match_id
            seen = select(_shown_by(now)).where(here).scalar_subquery()
            query = select(func.min(disclosures.c.due_ms)).where(here, disclosures.c.entries > seen)
            due = connection.execute(query).scalar()
        return None if due is None else max(0, int(due) - now)


def _shown_by(up_ms: int) -> ColumnElement[int]:
    """How many entries onlookers see: those that are due, or else the first that are kept, which were shown before.

    A server that was killed has been up for less than it knew, and then nothing may be due.
    """
    due = case((disclosures.c.due_ms <= up_ms, disclosures.c.entries))
    return func.coalesce(func.max(due), func.min(disclosures.c.entries))


def _row_seen(row: MatchRow, seen: Seen) -> MatchRow:
    return replace(row, summary=seen.summary, updated_ms=seen.updated_ms, over=seen.summary["to_move"] is None)


def insert_delay(
    connection: Connection, match_id: int, behind: Behind, entries: int, summary: str, updated_ms: int
) -> None:
    """Onlookers of a new match are to be behind its players; what it begins with they see."""
    minutes = TURN if behind == "turn" else behind
    connection.execute(insert(delays).values(match_id=match_id, minutes=minutes))
    begins = {"match_id": match_id, "entries": entries, "due_ms": 0, "summary": summary, "updated_ms": updated_ms}
    connection.execute(insert(disclosures).values(**begins))


def disclose(connection: sqlite3.Connection, match_id: int, entries: int, due_ms: int, up_ms: int) -> None:
    """Onlookers may see the first entries of a match from a time on; what shows less than now is forgotten."""
    connection.execute(
        "DELETE FROM disclosures WHERE match_id = :match AND entries <"
        " (SELECT max(entries) FROM disclosures WHERE match_id = :match AND due_ms <= :up)",
        {"match": match_id, "up": up_ms},
    )
    connection.execute(
        "INSERT OR REPLACE INTO disclosures (match_id, entries, due_ms, summary, updated_ms)"
        " SELECT id, ?, ?, summary, updated_ms FROM matches WHERE id = ?",
        (entries, due_ms, match_id),
    )
