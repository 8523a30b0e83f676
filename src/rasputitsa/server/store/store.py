"""The store: matches and their journals, one durable transaction for each accepted request."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from rasputitsa.server.store.database import open_database, translated
from rasputitsa.server.store.errors import DuplicateRequestError, StaleVersionError, UnknownMatchError
from rasputitsa.server.store.schema import analyses, journal, matches, requests, seats

MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What is known of a match without its journal."""

    id: int
    title: str
    header: str
    summary: dict[str, Any]
    over: bool
    entries: int
    created_ms: int
    updated_ms: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat's key and how many entries it has been told of."""

    seat: str
    key: str
    version: int


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One entry: who made it, and what it says."""

    seat: str
    line: str


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request that was accepted, and what it was answered."""

    digest: str
    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A request about to be accepted."""

    seat: str
    request_id: str
    digest: str


def _no_step(_name: str) -> None:
    """Nothing to do between two writes."""


class Store:
    """All matches in one SQLite file.

    ``step`` is called with a name between any two writes; tests use it to fail there.
    """

    def __init__(self, path: Path, step: Callable[[str], None] = _no_step) -> None:
        self.path = path
        self.engine = open_database(path)
        self._step = step

    def close(self) -> None:
        """Let go of the file."""
        self.engine.dispose()

    def create(
        self,
        *,
        title: str,
        header: str,
        summary: Mapping[str, Any],
        over: bool,
        keys: Mapping[str, str],
        lines: Sequence[JournalRow] = (),
    ) -> int:
        """A new match; gives its id."""
        now = _now_ms()
        with self._writing() as connection:
            made = connection.execute(
                insert(matches).values(
                    title=title,
                    header=header,
                    summary=json.dumps(summary),
                    over=over,
                    entries=len(lines),
                    created_ms=now,
                    updated_ms=now,
                )
            )
            assert made.inserted_primary_key is not None
            match_id = int(made.inserted_primary_key[0])
            self._step("create: match written")
            connection.execute(
                insert(seats),
                [{"match_id": match_id, "seat": seat, "key": key, "version": len(lines)} for seat, key in keys.items()],
            )
            self._step("create: seats written")
            _insert_lines(connection, match_id, 0, lines, now)
            self._step("create: journal written")
        self._step("create: committed")
        return match_id

    def append(
        self,
        match_id: int,
        *,
        seat: str,
        version: int,
        lines: Sequence[JournalRow],
        summary: Mapping[str, Any],
        over: bool,
        request: Request | None = None,
        answer: Mapping[str, Any] | None = None,
    ) -> int:
        """Accept entries made by a seat that last saw ``version``; gives the new count of entries.

        Raises:
            StaleVersionError: the seat's version is another one.
            DuplicateRequestError: the request was accepted before.
            UnknownMatchError, DiskFullError: as named; in every case nothing was changed.
        """
        now = _now_ms()
        with self._writing() as connection:
            row = connection.execute(select(matches.c.entries).where(matches.c.id == match_id)).first()
            if row is None:
                raise UnknownMatchError(f"there is no match {match_id}")
            if request is not None:
                _insert_request(connection, match_id, request, answer or {})
                self._step("append: request written")
            guarded = connection.execute(
                update(seats)
                .where(seats.c.match_id == match_id, seats.c.seat == seat, seats.c.version == version)
                .values(version=seats.c.version + len(lines))
            )
            if guarded.rowcount != 1:
                raise StaleVersionError(f"version {version} of seat {seat} is out of date")
            self._step("append: version raised")
            connection.execute(
                update(seats)
                .where(seats.c.match_id == match_id, seats.c.seat != seat)
                .values(version=seats.c.version + len(lines))
            )
            _insert_lines(connection, match_id, row.entries, lines, now)
            self._step("append: journal written")
            total = int(row.entries) + len(lines)
            connection.execute(
                update(matches)
                .where(matches.c.id == match_id)
                .values(entries=total, summary=json.dumps(summary), over=over, updated_ms=now)
            )
            self._step("append: match written")
        self._step("append: committed")
        return total

    def delete(self, match_id: int) -> None:
        """Remove a match and all that belongs to it; raises ``UnknownMatchError``."""
        with self._writing() as connection:
            if connection.execute(delete(matches).where(matches.c.id == match_id)).rowcount != 1:
                raise UnknownMatchError(f"there is no match {match_id}")
            self._step("delete: match removed")
        self._step("delete: committed")

    def matches(self, limit: int = 500) -> list[MatchRow]:
        """The matches, last played first."""
        query = select(matches).order_by(matches.c.updated_ms.desc(), matches.c.id.desc()).limit(limit)
        with self._reading() as connection:
            return [_match_row(row) for row in connection.execute(query)]

    def match(self, match_id: int) -> MatchRow:
        """One match; raises ``UnknownMatchError``."""
        if 0 < match_id <= MAX_ID:
            with self._reading() as connection:
                row = connection.execute(select(matches).where(matches.c.id == match_id)).first()
            if row is not None:
                return _match_row(row)
        raise UnknownMatchError(f"there is no match {match_id}")

    def seats(self, match_id: int) -> dict[str, SeatRow]:
        """The seats of a match by name."""
        query = select(seats).where(seats.c.match_id == match_id)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return {row.seat: SeatRow(row.seat, row.key, row.version) for row in rows}

    def keys(self, match_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        """The seat keys of several matches."""
        found: dict[int, dict[str, str]] = {match_id: {} for match_id in match_ids}
        query = select(seats.c.match_id, seats.c.seat, seats.c.key).where(seats.c.match_id.in_(match_ids))
        with self._reading() as connection:
            for row in connection.execute(query):
                found[row.match_id][row.seat] = row.key
        return found

    def journal(self, match_id: int, start: int = 0) -> list[JournalRow]:
        """The entries of a match from ``start`` on."""
        query = (
            select(journal.c.seat, journal.c.line)
            .where(journal.c.match_id == match_id, journal.c.seq >= start)
            .order_by(journal.c.seq)
        )
        with self._reading() as connection:
            return [JournalRow(row.seat, row.line) for row in connection.execute(query)]

    def request(self, match_id: int, seat: str, request_id: str) -> RequestRow | None:
        """The request if it was accepted before."""
        query = select(requests.c.digest, requests.c.answer).where(
            requests.c.match_id == match_id, requests.c.seat == seat, requests.c.request_id == request_id
        )
        with self._reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else RequestRow(row.digest, json.loads(row.answer))

    def analysis(self, match_id: int, scope: str) -> dict[str, Any] | None:
        """What was worked out about a match for a seat, or (scope empty) for all to see."""
        query = select(analyses.c.body).where(analyses.c.match_id == match_id, analyses.c.scope == scope)
        with self._reading() as connection:
            row = connection.execute(query).first()
        found: dict[str, Any] | None = None if row is None else json.loads(row.body)
        return found

    def keep_analysis(self, match_id: int, scope: str, body: Mapping[str, Any]) -> None:
        """Keep what was worked out, in place of what was kept before; nothing if the match is gone."""
        values = {"match_id": match_id, "scope": scope, "body": json.dumps(body), "created_ms": _now_ms()}
        with self._writing() as connection:
            if connection.execute(select(matches.c.id).where(matches.c.id == match_id)).first() is None:
                return
            connection.execute(delete(analyses).where(analyses.c.match_id == match_id, analyses.c.scope == scope))
            self._step("analysis: old one removed")
            connection.execute(insert(analyses).values(values))
            self._step("analysis: written")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(), self.engine.connect().execution_options(begin="IMMEDIATE") as connection:
            yield connection
            self._step("commit")
            connection.commit()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(), self.engine.connect() as connection:
            yield connection


def _insert_request(connection: Connection, match_id: int, request: Request, answer: Mapping[str, Any]) -> None:
    values = {
        "match_id": match_id,
        "seat": request.seat,
        "request_id": request.request_id,
        "digest": request.digest,
        "answer": json.dumps(answer),
    }
    try:
        connection.execute(insert(requests).values(values))
    except IntegrityError as error:
        raise DuplicateRequestError(f"request {request.request_id} was accepted before") from error


def _insert_lines(connection: Connection, match_id: int, start: int, lines: Iterable[JournalRow], now: int) -> None:
    rows = [
        {"match_id": match_id, "seq": seq, "seat": row.seat, "line": row.line, "created_ms": now}
        for seq, row in enumerate(lines, start)
    ]
    if rows:
        connection.execute(insert(journal), rows)


def _match_row(row: Any) -> MatchRow:
    return MatchRow(
        id=row.id,
        title=row.title,
        header=row.header,
        summary=json.loads(row.summary),
        over=row.over,
        entries=row.entries,
        created_ms=row.created_ms,
        updated_ms=row.updated_ms,
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
