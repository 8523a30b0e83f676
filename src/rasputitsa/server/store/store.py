"""The store: matches and their journals, one durable transaction for each accepted request."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from rasputitsa.server.store.alarm import WriteAlarm
from rasputitsa.server.store.appending import Append, Request
from rasputitsa.server.store.batches import Batches, Work
from rasputitsa.server.store.classroom.classes import ClassStore
from rasputitsa.server.store.commit_mark import count_change
from rasputitsa.server.store.connecting import driver_of, translated
from rasputitsa.server.store.creations import KEPT_MS, CreationStore, MatchStart, insert_creation
from rasputitsa.server.store.database import open_database
from rasputitsa.server.store.disk_reserve import is_scarce, lay_by, release
from rasputitsa.server.store.errors import DiskFullError, StoreError, UnknownMatchError
from rasputitsa.server.store.history import (
    HistoryStore,
    JournalRow,
    SnapshotRow,
    append_lines,
    insert_lines,
    insert_snapshots,
)
from rasputitsa.server.store.people.accounts import AccountStore, keep_hosts_seats
from rasputitsa.server.store.people.blocks import BlockStore
from rasputitsa.server.store.people.calendars import CalendarStore
from rasputitsa.server.store.people.clocks import ClockStore, insert_clock
from rasputitsa.server.store.people.mails import Askers
from rasputitsa.server.store.people.notices import NoticeStore
from rasputitsa.server.store.people.onlookers import Disclosure, OnlookerStore, insert_delay
from rasputitsa.server.store.people.passkeys import PasskeyStore
from rasputitsa.server.store.people.rated import RatedStore, Score, insert_rated
from rasputitsa.server.store.people.rematches import RematchStore, insert_rematch
from rasputitsa.server.store.people.standing import StandingStore
from rasputitsa.server.store.people.tables import TableStore, insert_open
from rasputitsa.server.store.people.wiping import empty_log
from rasputitsa.server.store.quota import HELD_MS, DiskRoom, RoomStore, note_held, size_of
from rasputitsa.server.store.schema import (
    HIDDEN,
    LEADING,
    MAX_ID,
    analyses,
    held,
    journal,
    matches,
    requests,
    store_state,
)
from rasputitsa.server.store.seating import SeatStore, insert_agreements, insert_seats, new_holder
from rasputitsa.server.store.summaries import LISTED, MatchRow, match_row
from rasputitsa.server.store.talking import TalkStore
from rasputitsa.server.store.uptimes import Uptime, UptimeStore
from rasputitsa.server.wall_clock import now_ms

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request that was accepted, and what it was answered."""

    digest: str
    answer: dict[str, Any]


SLICE = 500
"""This many entries of a long journal are written or deleted together, some 10 ms; others have their turn after it."""
SLICE_PAUSE = 0.005


def _no_step(_name: str) -> None:
    """Nothing to do between two writes."""


class Store(
    AccountStore, BlockStore, CalendarStore, ClockStore, CreationStore, HistoryStore, NoticeStore, OnlookerStore,
    PasskeyStore, RatedStore, RematchStore, RoomStore, ClassStore, SeatStore, StandingStore, TableStore, TalkStore,
    UptimeStore,
):  # fmt: skip
    """All matches in one SQLite file.

    ``step`` is called with a name between any two writes; tests use it to fail there.
    """

    def __init__(self, path: Path, step: Callable[[str], None] = _no_step) -> None:
        self.path = path
        self.engine, self._mark = open_database(path)
        self._step = step
        self._batches = Batches(self.engine, self._mark, step)
        self.alarm = WriteAlarm()
        self._joint = _Joint()
        self.disk = DiskRoom(path.parent)
        self._sums, self._sums_lock = {}, threading.Lock()
        self._shown, self._copies_left = set(), True  # of a server that was killed, perhaps
        with self._reading() as connection:
            state = connection.execute(select(store_state)).one()
        self._salt, self.up, self._askers = str(state.store), Uptime(state.up_ms), Askers()

    def close(self) -> None:
        """Let go of the file."""
        self.engine.dispose()
        self._mark.close()

    def create(self, new: MatchStart) -> int:
        """Keep a new match; gives its id.

        Raises:
            DuplicateRequestError: the request has made a match before.
            RematchedError, CrowdedError: as named; in every case nothing was changed.
        """
        self.disk.check()
        now, who, size = now_ms(), self._asking(), size_of(new.lines, new.kept) + len(new.header)
        values = {
            "title": new.title, "header": new.header, "summary": json.dumps(new.summary), "over": new.over,
            "created_ms": now, "updated_ms": now, "opened": new.opened, "shown": new.shown,
        }  # fmt: skip
        long = len(new.lines) > SLICE
        match_id = self._write_long(values, new.lines, new.kept, now) if long else 0
        try:
            with self._writing() as connection:
                if long:
                    here = matches.c.id == match_id
                    connection.execute(update(matches).where(here).values(entries=len(new.lines)))
                else:
                    match_id = _insert_match(connection, {**values, "entries": len(new.lines)})
                self._step("create: match written")
                self._write_seats(connection, match_id, new)
                if not long:
                    insert_lines(connection, match_id, new.lines, now)
                    insert_snapshots(connection, match_id, new.kept)
                self._step("create: journal written")
                self._write_company(connection, match_id, new, who)
                note_held(driver_of(connection), match_id, who, size, now)
        except BaseException:
            if long:
                self._drop_hidden(match_id)
            raise
        self._step("create: committed")
        self._count_held(who, size)
        return match_id

    def _write_seats(self, connection: Connection, match_id: int, new: MatchStart) -> None:
        """Who holds the seats of a new match, and what is agreed from the start."""
        insert_seats(
            connection, match_id, len(new.lines), new.keys,
            holder=new.holder or new_holder(), owned=new.owned, links=new.links, up_ms=self.up.ms(),
        )  # fmt: skip
        insert_agreements(connection, match_id, new.agreed)
        self._step("create: seats written")

    def _write_company(self, connection: Connection, match_id: int, new: MatchStart, who: str) -> None:
        """What a new match has to do with other matches, with strangers, with time, and with who asked for it."""
        if new.following is not None:
            insert_rematch(connection, match_id, new.following, [seat for seat, key in new.keys.items() if key])
            self._step("create: rematch written")
        if new.table is not None:
            wanted, host = new.table.wanted, new.table.host
            insert_open(connection, match_id, list(new.links), wanted, who, self.up.ms(), self.most_tables)
            keep_hosts_seats(connection, host, match_id, {seat: key for seat, key in new.keys.items() if key})
            self._step("create: open seats written")
        if new.clock is not None:
            insert_clock(connection, match_id, new.clock, new.keys)
        if new.behind is not None:
            insert_delay(connection, match_id, new.behind, len(new.lines), json.dumps(new.summary), now_ms())
        if new.rated is not None:
            insert_rated(connection, match_id, new.rated)
        if new.creation is not None:
            insert_creation(connection, new.creation, match_id, new.keys, new.links)
            self._step("create: request written")

    def _write_long(
        self, values: Mapping[str, Any], lines: Sequence[JournalRow], kept: Sequence[SnapshotRow], now: int
    ) -> int:
        """Write the journal of a new match that nobody can see yet, in slices between which others have their turn."""
        with self._writing() as connection:
            match_id = _insert_match(connection, {**values, "entries": HIDDEN})
        self._step("create: hidden match written")
        try:
            for start in range(0, len(lines), SLICE):
                some = lines[start : start + SLICE]
                self._batched(partial(append_lines, match_id=match_id, start=start, lines=some, now=now))
                self._step("create: slice written")
                time.sleep(SLICE_PAUSE)
            for start in range(0, len(kept), SLICE):
                with self._writing() as connection:
                    insert_snapshots(connection, match_id, kept[start : start + SLICE])
                self._step("create: slice written")
                time.sleep(SLICE_PAUSE)
        except BaseException:
            self._drop_hidden(match_id)
            raise
        return match_id

    def append(
        self,
        match_id: int,
        *,
        seat: str,
        version: int,
        lines: Sequence[JournalRow],
        summary: Mapping[str, Any] | None,
        over: bool,
        snapshot: SnapshotRow | None = None,
        request: Request | None = None,
        answer: Mapping[str, Any] | None = None,
        news: Mapping[str, int] | None = None,
        disclosure: Disclosure | None = None,
        score: Score | None = None,
    ) -> int:
        """Accept entries made by a seat that last saw ``version``; gives the new count of entries.

        Args:
            summary: what the list of matches shows; None for entries that nobody else is to notice.
            news: by how much the versions of the other seats rise; without it by the number of entries.
            disclosure: when onlookers may see them, if that is later.
            score: what a match that is over now comes to, if it counts.

        Raises:
            StaleVersionError: the seat's version is another one.
            DuplicateRequestError: the request was accepted before.
            UnknownMatchError, DiskFullError: as named; in every case nothing was changed.
        """
        self.disk.check()
        told, who = None if summary is None else json.dumps(summary), self._asking()
        change = Append(
            match_id, seat, version, tuple(lines), told, over, snapshot, request, answer or {}, news, who,
            self.up.ms(), disclosure, score,
        )  # fmt: skip
        if (joint := self._joint.connection) is not None:
            with translated():
                change.write(driver_of(joint), self._step)
            self._count_held(who, change.size)
            return change.total
        self._batched(lambda connection: change.write(connection, self._step))
        self._count_held(who, change.size)
        self._step("append: committed")
        return change.total

    def delete(self, match_id: int) -> None:
        """Remove a match and all that belongs to it; raises ``UnknownMatchError``.

        On a full disk the room that was laid by for it is used, and laid by again when there is enough.
        """
        released = False
        try:
            self._delete(match_id)
        except DiskFullError:
            if not (released := release(self.path)):
                raise
            self._give_back_log()
            self._delete(match_id)
        self._sums.clear()
        if is_scarce(self.path):
            self._give_back_log()
        elif released:
            lay_by(self.path)

    def _give_back_log(self) -> None:
        """Let the newest changes go from their own file to their place, so that it does not take room as well."""
        with contextlib.suppress(StoreError), translated(), self.engine.connect() as connection:
            driver_of(connection).execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _empty_log(self) -> None:
        self._copies_left = True
        with (
            contextlib.suppress(StoreError), translated(), self._batches.alone(), self.engine.connect() as connection
        ):  # fmt: skip
            self._copies_left = not empty_log(driver_of(connection))

    def _delete(self, match_id: int) -> None:
        with self._writing() as connection:
            here = (matches.c.id == match_id) & (matches.c.entries > HIDDEN)
            size = connection.execute(select(matches.c.entries).where(here)).scalar()
            if size is None:
                raise UnknownMatchError(f"there is no match {match_id}")
            if size > SLICE:
                connection.execute(update(matches).where(here).values(entries=HIDDEN))
                for belonging in LEADING:
                    connection.execute(delete(belonging).where(belonging.c.match_id == match_id))
            else:
                connection.execute(delete(matches).where(here))
            self._step("delete: match removed")
        self._step("delete: committed")
        if size > SLICE:
            self._drop_hidden(match_id)

    def _drop_hidden(self, match_id: int) -> None:
        """Remove, in slices, a match that nobody sees any more or yet; what now fails is done at the next start."""
        with contextlib.suppress(StoreError):
            rows = SLICE
            while rows >= SLICE:
                with self._writing() as connection:
                    some = (
                        select(journal.c.seq).where(journal.c.match_id == match_id).order_by(journal.c.seq).limit(SLICE)
                    )
                    last = connection.execute(select(func.max(some.subquery().c.seq))).scalar()
                    upto = -1 if last is None else last
                    gone = delete(journal).where(journal.c.match_id == match_id, journal.c.seq <= upto)
                    rows = connection.execute(gone).rowcount
                self._step("delete: slice removed")
                time.sleep(SLICE_PAUSE)
            with self._writing() as connection:
                connection.execute(delete(matches).where(matches.c.id == match_id, matches.c.entries == HIDDEN))

    def look_after(self) -> None:
        """Note how long the server has been up, and prune; what cannot be written is done another time."""
        try:
            self.note_up()
            self.prune()
            self.forget_old_tables()
            self.forget_old_addresses()
            self.forget_old_calendars()
            self.forget_old_sessions()
            if self._copies_left:
                self._empty_log()
        except StoreError as problem:
            log.warning("what is too old is kept for now: %s", problem)

    def prune(self) -> None:
        """Forget requests that nobody sends again, and addresses that have written nothing for long."""
        for table, time_of, kept in ((requests, requests.c.created_ms, KEPT_MS), (held, held.c.written_ms, HELD_MS)):
            rows = SLICE
            while rows >= SLICE:
                keys = list(table.primary_key)
                old = select(*keys).where(time_of <= now_ms() - kept).limit(SLICE)
                with self._writing() as connection:
                    rows = connection.execute(delete(table).where(tuple_(*keys).in_(old))).rowcount
                time.sleep(SLICE_PAUSE)
        self._sums.clear()

    def sweep(self) -> None:
        """Remove what an end in the middle of a long import or deletion has left; nobody has seen it.

        Only for a process that uses the data directory alone: another process may be at work on such a match.
        """
        left = select(matches.c.id).where(matches.c.entries == HIDDEN)
        with self._reading() as connection:
            found = connection.execute(left).scalars().all()
        for match_id in found:
            self._drop_hidden(match_id)

    def was_set_back(self) -> bool:
        """Whether a backup has taken the place of a newer store, and ``go_on_from_there`` was not called since."""
        with self._reading() as connection:
            return bool(connection.exec_driver_sql("PRAGMA user_version").scalar())

    def go_on_from_there(self) -> None:
        """What was to be done after a restore is done."""
        with self._writing() as connection:
            connection.exec_driver_sql("PRAGMA user_version = 0")

    def matches(self, limit: int = 500) -> list[MatchRow]:
        """The matches, last played first."""
        shown = select(*LISTED).where(matches.c.entries > HIDDEN)
        query = shown.order_by(matches.c.updated_ms.desc(), matches.c.id.desc()).limit(limit)
        with self._reading() as connection:
            return [match_row(row) for row in connection.execute(query)]

    def matches_among(self, numbers: Sequence[int]) -> list[MatchRow]:
        """Those of these matches that there are, the newest first."""
        query = select(*LISTED).where(matches.c.entries > HIDDEN, matches.c.id.in_(numbers))
        with self._reading() as connection:
            return [match_row(row) for row in connection.execute(query.order_by(matches.c.id.desc()))]

    def counts(self) -> dict[bool, int]:
        """How many matches there are that are over (``True``), and that are not."""
        query = select(matches.c.over, func.count()).where(matches.c.entries > HIDDEN).group_by(matches.c.over)
        with self._reading() as connection:
            found = {bool(over): int(count) for over, count in connection.execute(query)}
        return {over: found.get(over, 0) for over in (False, True)}

    def match(self, match_id: int) -> MatchRow:
        """One match; raises ``UnknownMatchError``."""
        if 0 < match_id <= MAX_ID:
            with self._reading() as connection:
                here = (matches.c.id == match_id) & (matches.c.entries > HIDDEN)
                row = connection.execute(select(matches).where(here)).first()
            if row is not None:
                return match_row(row)
        raise UnknownMatchError(f"there is no match {match_id}")

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
        values = {"match_id": match_id, "scope": scope, "body": json.dumps(body), "created_ms": now_ms()}
        with self._writing() as connection:
            here = (matches.c.id == match_id) & (matches.c.entries > HIDDEN)
            if connection.execute(select(matches.c.id).where(here)).first() is None:
                return
            connection.execute(delete(analyses).where(analyses.c.match_id == match_id, analyses.c.scope == scope))
            self._step("analysis: old one removed")
            connection.execute(insert(analyses).values(values))
            self._step("analysis: written")

    def _batched(self, work: Work) -> None:
        with self.alarm.watching(), translated():
            self._batches.write(work)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread writes and reads in the block is one transaction: all of it is kept, or nothing."""
        if self._joint.connection is not None:
            yield
            return
        with self._writing() as connection:
            self._joint.connection = connection
            try:
                yield
            finally:
                self._joint.connection = None
        self._step("together: committed")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if (joint := self._joint.connection) is not None:
            with translated():
                yield joint
            return
        with (
            self.alarm.watching(),
            translated(),
            self._batches.alone(),
            self.engine.connect().execution_options(begin="IMMEDIATE") as connection,
        ):
            connection.begin()  # at once: what is written below SQLAlchemy would not begin a transaction
            yield connection
            reached = count_change(driver_of(connection), now_ms())
            self._step("commit")
            connection.commit()
        self._mark.raise_to(reached)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        if (joint := self._joint.connection) is not None:
            with translated():
                yield joint
            return
        with translated(), self.engine.connect() as connection:
            yield connection


class _Joint(threading.local):
    """The transaction that the writes of one thread share, while it has one."""

    connection: Connection | None = None


def _insert_match(connection: Connection, values: Mapping[str, Any]) -> int:
    made = connection.execute(insert(matches).values(values))
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])
