"""How much time the seats of a match have left. All times are of a server that is up: while it is not, no clock runs.

A clock goes by what everybody sees of a match, its summary: orders in secret neither stop it nor start it.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.words import ClockPace, Lapse
from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.people.tables import HOUR_MS
from rasputitsa.server.store.schema import clocks, matches, seat_clocks
from rasputitsa.server.store.summaries import read_summary
from rasputitsa.server.store.uptimes import Uptime

FREE_MS: Mapping[str, int] = {"live": 15_000, "days": HOUR_MS}
"""Free time each time somebody is asked: small answers cost nothing when they are given at once."""
FREE_TIMES = 40
"""In one turn a seat has the free time of this many questions, so that nobody gains time by being asked again."""
MAX_TURNS_WITH_TIME = 2000
"""Turns of a game that may bring more time."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """What is agreed at the start: time at first, which is also the most, time added with each turn, and holidays."""

    pace: ClockPace
    bank_ms: int
    turn_ms: int
    holiday_ms: int
    lapse: Lapse


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of a seat: left, before it counts, of holidays left, and until a holiday ends."""

    left_ms: int
    free_ms: int
    holiday_ms: int
    away_ms: int


@dataclass(frozen=True, slots=True)
class Times:
    """The clock of a match; ``running``: the seat whose time runs, empty while none does."""

    terms: ClockTerms
    running: str
    seats: Mapping[str, SeatTime]


class ClockStore(ABC):
    """The part of the store that knows how much time is left."""

    up: Uptime

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def clock_terms(self, match_ids: Iterable[int]) -> dict[int, ClockTerms]:
        """What is agreed in those of the matches that have a clock."""
        query = select(clocks).where(clocks.c.match_id.in_(list(match_ids)))
        with self._reading() as connection:
            return {row.match_id: _terms(row) for row in connection.execute(query)}

    def times(self, match_id: int) -> Times | None:
        """The clock of a match as it stands now; None for one without."""
        now = self.up.ms()
        with self._reading() as connection:
            row = connection.execute(select(clocks).where(clocks.c.match_id == match_id)).first()
            if row is None:
                return None
            rows = connection.execute(select(seat_clocks).where(seat_clocks.c.match_id == match_id)).all()
        running = row.seat if row.due_ms >= 0 else ""
        return Times(_terms(row), running, {known.seat: _time_of(known, row, running, now) for known in rows})

    def run_out(self) -> list[int]:
        """The matches in which the time of the seat that is asked is up."""
        query = select(clocks.c.match_id).where(clocks.c.due_ms >= 0, clocks.c.due_ms <= self.up.ms())
        with self._reading() as connection:
            return list(connection.execute(query).scalars())

    def any_runs(self) -> bool:
        """Whether the time of anybody runs."""
        query = select(clocks.c.match_id).where(clocks.c.due_ms >= 0).limit(1)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def give_back_time(self, ms: int) -> None:
        """Time in which nobody could play counts for nobody."""
        running = update(clocks).where(clocks.c.due_ms >= 0)
        with self._writing() as connection:
            connection.execute(running.values(since_ms=clocks.c.since_ms + ms, due_ms=clocks.c.due_ms + ms))

    def look_at_clock(self, match_id: int) -> str:
        """Set the clock by how the match stands; gives the seat whose time is up now, empty for none."""
        now = self.up.ms()
        with self._writing() as connection:
            row = connection.execute(select(matches.c.summary, matches.c.over).where(matches.c.id == match_id)).one()
            set_clock(driver_of(connection), match_id, row.summary, row.over, now)
            query = select(clocks.c.seat).where(
                clocks.c.match_id == match_id, clocks.c.due_ms >= 0, clocks.c.due_ms <= now
            )
            return connection.execute(query).scalar() or ""

    def grant_time(self, match_id: int, seat: str, ms: int) -> None:
        """One who takes over a seat whose time is up has so much, and no more than there is at most."""
        with self._writing() as connection:
            most = select(clocks.c.bank_ms).where(clocks.c.match_id == match_id).scalar_subquery()
            connection.execute(update(seat_clocks).where(*_seat(match_id, seat)).values(left_ms=func.min(most, ms)))

    def take_holiday(self, match_id: int, seat: str, ms: int) -> None:
        """The time of a seat stands still for so long, at most for the holidays it has left; 0 ends it."""
        now = self.up.ms()
        with self._writing() as connection:
            row = connection.execute(select(seat_clocks).where(*_seat(match_id, seat))).one()
            unused = max(0, row.away_until_ms - now)
            taken = min(ms, row.holiday_ms + unused)
            values = {"away_until_ms": now + taken if taken else -1, "holiday_ms": row.holiday_ms + unused - taken}
            running = clocks.c.match_id == match_id, clocks.c.seat == seat, clocks.c.due_ms >= 0
            since = connection.execute(select(clocks.c.since_ms).where(*running)).scalar()
            driver = driver_of(connection)
            free = now if since is None else _settle(driver, match_id, seat, since, now)
            connection.execute(update(seat_clocks).where(*_seat(match_id, seat)).values(**values))
            if since is not None:
                _start(driver, match_id, seat, free, now)


def insert_clock(connection: Connection, match_id: int, terms: ClockTerms, seats: Iterable[str]) -> None:
    """The clock of a new match; it runs when all have come."""
    connection.execute(
        insert(clocks).values(
            match_id=match_id, pace=terms.pace, bank_ms=terms.bank_ms, turn_ms=terms.turn_ms,
            holiday_ms=terms.holiday_ms, lapse=terms.lapse, seat="", since_ms=-1, due_ms=-1, turns="[]",
        )
    )  # fmt: skip
    for seat in seats:
        values = {
            "left_ms": terms.bank_ms, "holiday_ms": terms.holiday_ms, "away_until_ms": -1,
            "free_ms": FREE_TIMES * FREE_MS[terms.pace],
        }  # fmt: skip
        connection.execute(insert(seat_clocks).values(match_id=match_id, seat=seat, **values))


def set_clock(connection: sqlite3.Connection, match_id: int, summary: str, over: bool, now: int) -> None:
    """Let the time of the seat run that is asked, as everybody sees it, and of no other one.

    While nobody plays that seat, or the computer does, it is noted that it is asked: who takes it back before the
    question is answered gets no new time that does not count.
    """
    row = connection.execute(
        "SELECT seat, since_ms, due_ms, turns, bank_ms, turn_ms, pace FROM clocks WHERE match_id = ?", (match_id,)
    ).fetchone()
    if row is None:
        return
    seat, since, due, turns, bank, more, pace = row
    told = read_summary(summary)
    asked = "" if over else _asked(connection, match_id, told)
    stays = "" if over or told["to_move"] != seat else seat
    known = _known(turns)
    new = told["turn_label"] not in known and len(known) < MAX_TURNS_WITH_TIME
    if not new and (asked, stays) == (seat if due >= 0 else "", seat):
        return
    free = _settle(connection, match_id, seat, since, now) if due >= 0 else max(since, now)
    if new:
        known.append(told["turn_label"])
        connection.execute("UPDATE clocks SET turns = ? WHERE match_id = ?", (json.dumps(known), match_id))
        if len(known) > 1:
            added = "UPDATE seat_clocks SET left_ms = min(?, left_ms + ?), free_ms = ? WHERE match_id = ?"
            connection.execute(added, (bank, more, FREE_TIMES * FREE_MS[pace], match_id))
    if asked:
        _start(connection, match_id, asked, free if asked == stays else now + FREE_MS[pace], now)
    else:
        stopped = "UPDATE clocks SET seat = ?, since_ms = ?, due_ms = -1 WHERE match_id = ?"
        connection.execute(stopped, (stays, free if stays else -1, match_id))


def _known(turns: str) -> list[str]:
    """The turns that have added time; none where they cannot be read."""
    try:
        return [turn for turn in json.loads(turns) if isinstance(turn, str)]
    except (TypeError, ValueError, RecursionError):
        return []


def _asked(connection: sqlite3.Connection, match_id: int, summary: Summary) -> str:
    """The seat whose time is to run: a person's, while two or more are there and nobody who is invited is to come."""
    seat = summary["to_move"]
    people = {name for name, player in summary["controllers"].items() if player["kind"] == "human"}
    rows = connection.execute("SELECT seat, holder FROM seats WHERE match_id = ?", (match_id,)).fetchall()
    holders = {name: holder for name, holder in rows if name in people and holder}
    if seat is None or seat not in holders or len(set(holders.values())) < 2:
        return ""
    return "" if (people - holders.keys()) & _invited(connection, match_id) else seat


def _invited(connection: sqlite3.Connection, match_id: int) -> set[str]:
    """The seats to which somebody is invited; not those that were given up, which would stop the clock for good."""
    query = "SELECT seat FROM invitations WHERE match_id = ? AND kind = 'guest' AND claimed_ms IS NULL"
    return {name for (name,) in connection.execute(query, (match_id,))}


def _settle(connection: sqlite3.Connection, match_id: int, seat: str, since: int, now: int) -> int:
    """Take from a seat what it has used; until when it does not count, of which no holiday is part.

    What is left of the free time of its question is put back.
    """
    query = "SELECT away_until_ms FROM seat_clocks WHERE match_id = ? AND seat = ?"
    away = connection.execute(query, (match_id, seat)).fetchone()
    free = now if away is None or away[0] > now else max(since, now)
    used = "UPDATE seat_clocks SET left_ms = max(0, left_ms - ?), free_ms = free_ms + ? WHERE match_id = ? AND seat = ?"
    connection.execute(used, (max(0, now - since), free - now, match_id, seat))
    return free


def _start(connection: sqlite3.Connection, match_id: int, seat: str, free: int, now: int) -> None:
    """Let the time of a seat run: it does not count to ``free``, as far as free time is left, nor on a holiday."""
    query = "SELECT left_ms, away_until_ms, free_ms FROM seat_clocks WHERE match_id = ? AND seat = ?"
    left, away, most = connection.execute(query, (match_id, seat)).fetchone()
    given = max(0, min(free - now, most))
    spent = "UPDATE seat_clocks SET free_ms = free_ms - ? WHERE match_id = ? AND seat = ?"
    connection.execute(spent, (given, match_id, seat))
    begins = max(now + given, away)
    started = "UPDATE clocks SET seat = ?, since_ms = ?, due_ms = ? WHERE match_id = ?"
    connection.execute(started, (seat, begins, begins + left, match_id))


def _seat(match_id: int, seat: str) -> tuple[Any, ...]:
    return seat_clocks.c.match_id == match_id, seat_clocks.c.seat == seat


def _terms(row: Row[Any]) -> ClockTerms:
    return ClockTerms(row.pace, row.bank_ms, row.turn_ms, row.holiday_ms, row.lapse)


def _time_of(row: Row[Any], clock: Row[Any], running: str, now: int) -> SeatTime:
    runs = running == row.seat
    used = max(0, now - clock.since_ms) if runs else 0
    free = max(0, clock.since_ms - now) if runs else 0
    return SeatTime(max(0, row.left_ms - used), free, row.holiday_ms, max(0, row.away_until_ms - now))
