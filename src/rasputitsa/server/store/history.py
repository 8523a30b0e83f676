"""What lies behind a match: its journal with what came of each entry, and the positions it was at."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from rasputitsa.server.store.errors import UnknownMatchError
from rasputitsa.server.store.schema import journal, matches, snapshots

KEPT_EVERY = 64
"""About this many entries lie between two positions that are kept; the newest one is always kept."""


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One entry: who made it, what it says, and what came of it. A step back has no ``ply``."""

    seat: str
    line: str
    ply: int | None = None
    """Its number in the game, counted from 0."""
    place: str | None = None
    events: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """The position after this many entries of the game (``ply``), packed; ``seq``: this many of the journal."""

    ply: int
    body: bytes
    seq: int = 0


class HistoryStore:
    """Reading and completing what lies behind a match."""

    def _reading(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def _writing(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def journal(self, match_id: int, start: int = 0, end: int | None = None) -> list[JournalRow]:
        """The entries of a match from ``start`` up to before ``end``, in the order they were made."""
        query = select(journal).where(journal.c.match_id == match_id, journal.c.seq >= start).order_by(journal.c.seq)
        with self._reading() as connection:
            return [_row(row) for row in connection.execute(query if end is None else query.where(journal.c.seq < end))]

    def history(self, match_id: int, start: int, end: int, before: int | None = None) -> list[JournalRow]:
        """The entries of the game with the numbers from ``start`` up to before ``end``, as they stand.

        Args:
            before: as they stood when the journal had this many entries.
        """
        query = select(journal).where(journal.c.match_id == match_id, journal.c.ply >= start, journal.c.ply < end)
        if before is not None:
            query = query.where(journal.c.seq < before)
        with self._reading() as connection:
            found = {row.ply: _row(row) for row in connection.execute(query.order_by(journal.c.seq))}
        return [found[ply] for ply in range(start, end)]

    def orders(self, match_id: int, end: int, before: int) -> list[tuple[str, str, str | None]]:
        """Seat, line and place of the first ``end`` entries of the game, as they stand.

        Args:
            before: as they stood when the journal had this many entries.
        """
        query = (
            select(journal.c.ply, journal.c.seat, journal.c.line, journal.c.place)
            .where(journal.c.match_id == match_id, journal.c.ply < end, journal.c.seq < before)
            .order_by(journal.c.seq)
        )
        with self._reading() as connection:
            found = {ply: (seat, line, place) for ply, seat, line, place in connection.execute(query)}
        return [found[ply] for ply in range(end)]

    def steps_back(self, match_id: int) -> list[tuple[int, int]]:
        """The steps back in a journal: their place in it, and to how many entries of the game they went back."""
        query = select(journal.c.seq, journal.c.line).where(journal.c.match_id == match_id, journal.c.ply.is_(None))
        with self._reading() as connection:
            lines = [(row.seq, json.loads(row.line)) for row in connection.execute(query)]
        return [(seq, line["undo"]) for seq, line in lines if "undo" in line]

    def snapshots(self, match_id: int, before: int | None = None, upto: int | None = None) -> Iterator[SnapshotRow]:
        """The kept positions, the newest first.

        Args:
            before: from when the journal had at most this many entries.
            upto: after at most this many entries of the game.
        """
        query = select(snapshots).where(snapshots.c.match_id == match_id).order_by(snapshots.c.seq.desc()).limit(1)
        if upto is not None:
            query = query.where(snapshots.c.ply <= upto)
        while True:
            with self._reading() as connection:
                row = connection.execute(query if before is None else query.where(snapshots.c.seq <= before)).first()
            if row is None:
                return
            yield SnapshotRow(row.ply, row.body, row.seq)
            before = row.seq - 1

    def has_positions(self, match_id: int) -> bool:
        """Whether any position of a match is kept; not so before it was opened by this version of the program."""
        query = select(snapshots.c.id).where(snapshots.c.match_id == match_id).limit(1)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def complete(self, match_id: int, header: str, rows: Mapping[int, JournalRow], kept: Sequence[SnapshotRow]) -> None:
        """Fill in what a match of an earlier version of the program did not keep; raises ``UnknownMatchError``.

        Args:
            rows: by their number in the journal.
            kept: positions of the game, the newest last.
        """
        change = (
            update(journal)
            .where(journal.c.match_id == match_id, journal.c.seq == bindparam("at"))
            .values(line=bindparam("to_line"), ply=bindparam("to_ply"), place=bindparam("to_place"),
                    events=bindparam("to_events"))
        )  # fmt: skip
        values = [
            {"at": seq, "to_line": row.line, "to_ply": row.ply, "to_place": row.place, "to_events": row.events}
            for seq, row in rows.items()
        ]
        with self._writing() as connection:
            if not connection.execute(update(matches).where(matches.c.id == match_id).values(header=header)).rowcount:
                raise UnknownMatchError(f"there is no match {match_id}")
            if values:
                connection.execute(change, values)
            insert_snapshots(connection, match_id, kept)


def insert_lines(connection: Connection, match_id: int, lines: Sequence[JournalRow], now: int) -> None:
    """The journal of a new match."""
    rows = [
        {
            "match_id": match_id, "seq": seq, "seat": row.seat, "line": row.line, "created_ms": now, "ply": row.ply,
            "place": row.place, "events": row.events,
        }
        for seq, row in enumerate(lines)
    ]  # fmt: skip
    if rows:
        connection.execute(insert(journal), rows)


def insert_snapshots(connection: Connection, match_id: int, kept: Sequence[SnapshotRow]) -> None:
    """Positions of a match."""
    rows = [{"match_id": match_id, "seq": row.seq, "ply": row.ply, "body": row.body} for row in kept]
    if rows:
        connection.execute(insert(snapshots), rows)


def append_lines(
    connection: sqlite3.Connection, match_id: int, start: int, lines: Sequence[JournalRow], now: int
) -> None:
    """Further entries of a match, from number ``start`` of the journal on."""
    connection.executemany(
        "INSERT INTO journal (match_id, seq, seat, line, created_ms, ply, place, events)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (match_id, seq, row.seat, row.line, now, row.ply, row.place, row.events)
            for seq, row in enumerate(lines, start)
        ],
    )


def put_snapshot(connection: sqlite3.Connection, match_id: int, seq: int, new: SnapshotRow) -> int:
    """The position a match now stands at; the one before it is kept for good when it ends a stretch of the game.

    Gives by how many bytes more are kept now.
    """
    last = connection.execute(
        "SELECT id, ply, length(body) FROM snapshots WHERE match_id = ? ORDER BY seq DESC LIMIT 1", (match_id,)
    ).fetchone()
    if last is not None and last[1] // KEPT_EVERY == new.ply // KEPT_EVERY:
        connection.execute(
            "UPDATE snapshots SET seq = ?, ply = ?, body = ? WHERE id = ?", (seq, new.ply, new.body, last[0])
        )
        return len(new.body) - int(last[2])
    connection.execute(
        "INSERT INTO snapshots (match_id, seq, ply, body) VALUES (?, ?, ?, ?)", (match_id, seq, new.ply, new.body)
    )
    return len(new.body)


def _row(row: Any) -> JournalRow:
    return JournalRow(row.seat, row.line, row.ply, row.place, row.events)
