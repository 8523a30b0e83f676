"""Calendars that people subscribe to: which seats are in each, and where it is their turn.

Anyone who knows the token of a calendar may read it; the store keeps its digest alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from rasputitsa.server.store.errors import CrowdedError
from rasputitsa.server.store.people.notices import KNOWN_SEAT, is_asked
from rasputitsa.server.store.people.tokens import digest, new_secret
from rasputitsa.server.store.schema import calendar_seats, calendars, clocks, seats
from rasputitsa.server.store.summaries import read_summary
from rasputitsa.server.store.uptimes import Uptime

MOST_SEATS = 200
"""In one calendar."""
UNUSED_MS = 90 * 24 * 3600 * 1000
"""A calendar without a seat that was not asked for in so long is forgotten."""
NOTED_MS = 24 * 3600 * 1000
"""So often it is noted that a calendar is in use, which is no reason to write each time that it is read."""


@dataclass(frozen=True, slots=True)
class CalendarTurn:
    """A match in which a seat of the calendar is asked, as everybody sees it.

    ``left_ms``: until the time of the seat is up, if its clock runs; by how long the server is up.
    """

    match_id: int
    seat: str
    title: str
    turn: str
    left_ms: int | None


class CalendarStore(ABC):
    """The part of the store that knows whose turns are in which calendar."""

    up: Uptime

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def in_calendar(self, match_id: int, seat: str) -> bool:
        """Whether the turns of a seat are in a calendar."""
        query = select(calendar_seats.c.calendar).where(*_seat(match_id, seat))
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    def join_calendar(self, match_id: int, seat: str, calendar: str = "") -> str:
        """Have the turns of a seat in a calendar, and in no other; gives its token.

        It is the one whose token is ``calendar``, if there is one, and else a new one.

        Raises:
            CrowdedError: there are too many seats in it; nothing was changed.
        """
        with self._writing() as connection:
            forget_calendar(connection, match_id, seat)
            token, here = calendar, digest(calendar)
            if not token or connection.execute(select(calendars).where(calendars.c.digest == here)).first() is None:
                token = new_secret()
                here = digest(token)
                connection.execute(insert(calendars).values(digest=here, used_ms=self.up.ms()))
            held = select(func.count()).where(calendar_seats.c.calendar == here)
            if connection.execute(held).scalar_one() >= MOST_SEATS:
                raise CrowdedError(f"there are {MOST_SEATS} seats in this calendar, which is the most")
            connection.execute(insert(calendar_seats).values(match_id=match_id, seat=seat, calendar=here))
        return token

    def leave_calendar(self, match_id: int, seat: str) -> None:
        """Have the turns of a seat in no calendar."""
        with self._writing() as connection:
            forget_calendar(connection, match_id, seat)

    def void_calendar(self, token: str) -> bool:
        """Nobody can read the calendar any more, and no seat is in it; whether there was one."""
        here = digest(token)
        with self._writing() as connection:
            connection.execute(delete(calendar_seats).where(calendar_seats.c.calendar == here))
            return bool(connection.execute(delete(calendars).where(calendars.c.digest == here)).rowcount)

    def calendar(self, token: str) -> list[CalendarTurn] | None:
        """Where seats of the calendar are asked now; None where there is no such calendar."""
        here, now = digest(token), self.up.ms()
        query = (
            KNOWN_SEAT.add_columns(clocks.c.seat.label("running"), clocks.c.due_ms)
            .join(
                calendar_seats,
                (calendar_seats.c.match_id == seats.c.match_id) & (calendar_seats.c.seat == seats.c.seat),
            )
            .outerjoin(clocks, clocks.c.match_id == seats.c.match_id)
            .where(calendar_seats.c.calendar == here)
            .order_by(seats.c.match_id, seats.c.seat)
        )
        with self._reading() as connection:
            used = connection.execute(select(calendars.c.used_ms).where(calendars.c.digest == here)).scalar()
            rows = [] if used is None else connection.execute(query).all()
        if used is None:
            return None
        if now - used >= NOTED_MS:
            with self._writing() as connection:
                connection.execute(update(calendars).where(calendars.c.digest == here).values(used_ms=now))
        return [_turn(row, now) for row in rows if is_asked(row)]

    def forget_old_calendars(self) -> None:
        """Calendars that nobody reads and no seat is in are forgotten."""
        filled = exists().where(calendar_seats.c.calendar == calendars.c.digest)
        with self._writing() as connection:
            old = delete(calendars).where(calendars.c.used_ms <= self.up.ms() - UNUSED_MS, ~filled)
            connection.execute(old)


def forget_calendar(connection: Connection, match_id: int, seat: str) -> None:
    """The former holder of the seat does not see in a calendar any more when it is asked."""
    connection.execute(delete(calendar_seats).where(*_seat(match_id, seat)))


def _seat(match_id: int, seat: str) -> tuple[Any, ...]:
    return calendar_seats.c.match_id == match_id, calendar_seats.c.seat == seat


def _turn(row: Any, now: int) -> CalendarTurn:
    runs = row.running == row.seat and row.due_ms is not None and row.due_ms >= 0
    title = row.title if isinstance(row.title, str) else ""
    turn = read_summary(row.summary)["turn_label"]
    return CalendarTurn(row.match_id, row.seat, title, turn, max(0, row.due_ms - now) if runs else None)
