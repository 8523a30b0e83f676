"""Accepting entries of a match: what is written for them, in one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasputitsa.server.store.errors import DuplicateRequestError, StaleVersionError, UnknownMatchError
from rasputitsa.server.store.history import JournalRow, SnapshotRow, append_lines, put_snapshot
from rasputitsa.server.store.people.clocks import set_clock
from rasputitsa.server.store.people.onlookers import Disclosure, disclose
from rasputitsa.server.store.people.rated import Score, settle_rated
from rasputitsa.server.store.quota import ROW_BYTES, note_held, size_of
from rasputitsa.server.store.schema import HIDDEN
from rasputitsa.server.wall_clock import now_ms


@dataclass(frozen=True, slots=True)
class Request:
    """A request about to be accepted."""

    seat: str
    request_id: str
    digest: str


class Append:
    """Entries to be accepted, written in plain SQL: every action that is played goes through here."""

    def __init__(
        self,
        match_id: int,
        seat: str,
        version: int,
        lines: Sequence[JournalRow],
        summary: str | None,
        over: bool,
        snapshot: SnapshotRow | None,
        request: Request | None,
        answer: Mapping[str, Any],
        news: Mapping[str, int] | None,
        who: str,
        up_ms: int,
        disclosure: Disclosure | None = None,
        score: Score | None = None,
    ) -> None:
        """``who``: the address it is kept for, empty where nobody counts; ``up_ms``: how long the server was up."""
        self.match_id, self.seat, self.version, self.lines = match_id, seat, version, lines
        self.summary, self.over, self.request, self.answer = summary, over, request, json.dumps(answer)
        self.snapshot, self.news, self.who, self.up_ms = snapshot, news, who, up_ms
        self.disclosure, self.score = disclosure, score
        self.total = self.size = 0

    def write(self, connection: sqlite3.Connection, step: Callable[[str], None]) -> None:
        """Write all of it inside a transaction."""
        now = now_ms()
        found = connection.execute("SELECT entries FROM matches WHERE id = ?", (self.match_id,)).fetchone()
        if found is None or found[0] == HIDDEN:
            raise UnknownMatchError(f"there is no match {self.match_id}")
        before = int(found[0])
        self.total = before + len(self.lines)
        self.size = size_of(self.lines)
        if self.request is not None:
            self._write_request(connection, self.request, now)
            self.size += len(self.request.request_id) + len(self.answer) + 2 * ROW_BYTES
            step("append: request written")
        self._raise_versions(connection)
        step("append: version raised")
        append_lines(connection, self.match_id, before, self.lines, now)
        if self.snapshot is not None:
            self.size += put_snapshot(connection, self.match_id, self.total, self.snapshot)
        step("append: journal written")
        told = None if self.summary is None else now
        connection.execute(
            "UPDATE matches SET entries = ?, summary = coalesce(?, summary), over = ?,"
            " updated_ms = coalesce(?, updated_ms) WHERE id = ?",
            (self.total, self.summary, self.over, told, self.match_id),
        )
        if self.summary is not None and self.disclosure is not None:
            upto, due = before + self.disclosure.lines, self.up_ms + self.disclosure.wait_ms
            disclose(connection, self.match_id, upto, due, self.up_ms)
            self.size += ROW_BYTES
        note_held(connection, self.match_id, self.who, self.size, now)
        if self.summary is not None:
            set_clock(connection, self.match_id, self.summary, self.over, self.up_ms)
        if self.score is not None:
            settle_rated(connection, self.match_id, self.score, now)
        step("append: match written")

    def _write_request(self, connection: sqlite3.Connection, request: Request, now: int) -> None:
        try:
            connection.execute(
                "INSERT INTO requests (match_id, seat, request_id, digest, answer, created_ms)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (self.match_id, request.seat, request.request_id, request.digest, self.answer, now),
            )
        except sqlite3.IntegrityError as error:
            raise DuplicateRequestError(f"request {request.request_id} was accepted before") from error

    def _raise_versions(self, connection: sqlite3.Connection) -> None:
        """Those of all seats who see it, if the acting seat has the version that was given."""
        raised = connection.execute(
            "UPDATE seats SET version = version + :lines, stirred_ms = :up WHERE match_id = :match AND seat = :seat"
            " AND version = :version",
            {
                "lines": len(self.lines), "match": self.match_id, "seat": self.seat, "version": self.version,
                "up": self.up_ms,
            },
        )  # fmt: skip
        if not raised.rowcount:
            raise StaleVersionError(f"version {self.version} of seat {self.seat} is out of date")
        if self.news is None:
            connection.execute(
                "UPDATE seats SET version = version + ?, stirred_ms = ? WHERE match_id = ? AND seat <> ?",
                (len(self.lines), self.up_ms, self.match_id, self.seat),
            )
        elif self.news:
            connection.executemany(
                "UPDATE seats SET version = version + ?, stirred_ms = ? WHERE match_id = ? AND seat = ?",
                [
                    (rise, self.up_ms, self.match_id, seat)
                    for seat, rise in self.news.items()
                    if rise and seat != self.seat
                ],
            )
