"""What people say to each other at a table, the private notes of each, and what each has drawn on the map."""

from __future__ import annotations

import hashlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Column, Connection, delete, func, insert, or_, select, update

from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.errors import DuplicateRequestError, NotesChangedError, TalkativeError
from rasputitsa.server.store.people.desks import next_number
from rasputitsa.server.store.quota import ROW_BYTES, note_held
from rasputitsa.server.store.schema import desks, messages, seats
from rasputitsa.server.store.uptimes import Uptime
from rasputitsa.server.wall_clock import now_ms

MOST_MESSAGES = 400
"""Messages of one seat that are kept; a further one takes the place of the oldest."""
MOST_IN_A_MINUTE = 12
MINUTE_MS = 60_000
READ_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said.

    Attributes:
        side: the side it is for; empty for everybody who has a seat.
        former: it was said by somebody who has left the seat since.
    """

    number: int
    seat: str
    side: str
    text: str
    created_ms: int
    former: bool
    holder: str
    """Who has said it."""


class TalkStore(ABC):
    """The part of the store that keeps what people say and note down."""

    up: Uptime

    _step: Callable[[str], None]

    @abstractmethod
    def _asking(self) -> str:
        """The address that is asking, as it is kept."""

    @abstractmethod
    def _count_held(self, who: str, size: int) -> None:
        """Count in memory, too, what is kept for it."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def say(self, match_id: int, seat: str, side: str, text: str, request: str) -> int:
        """Keep what a seat says, and give its number; the same request again says nothing a second time.

        What is said to everybody is a sign of life of the one who says it.

        Raises:
            TalkativeError: the seat has said much within a minute.
            DuplicateRequestError: the same person has said something else with this request.
        """
        own = (messages.c.match_id == match_id) & (messages.c.seat == seat)
        here = (seats.c.match_id == match_id) & (seats.c.seat == seat)
        now, who, size = now_ms(), self._asking(), _size(text)
        with self._writing() as connection:
            holder = connection.execute(select(seats.c.holder).where(here)).scalar_one()
            before = own & (messages.c.request == request) & (messages.c.holder == holder)
            if (said := connection.execute(select(messages).where(before)).first()) is not None:
                if (said.text, said.side) != (text, side):
                    raise DuplicateRequestError("this request id was used for another message before")
                return int(said.number)
            lately = own & messages.c.created_ms.between(now - MINUTE_MS, now)
            if connection.execute(select(func.count()).where(lately)).scalar_one() >= MOST_IN_A_MINUTE:
                raise TalkativeError("you have said much within a minute; please wait a moment")
            number = _number_for(now, next_number(connection, match_id))
            connection.execute(
                insert(messages).values(
                    match_id=match_id, number=number, seat=seat, holder=holder,
                    side=side, text=text, request=request, created_ms=now,
                )
            )  # fmt: skip
            self._step("say: written")
            if not side:
                connection.execute(update(seats).where(here).values(stirred_ms=self.up.ms()))
            newest = select(messages.c.number).where(own).order_by(messages.c.number.desc())
            oldest = connection.execute(newest.offset(MOST_MESSAGES - 1).limit(1)).scalar()
            if oldest is not None:
                gone = own & (messages.c.number < oldest)
                freed = connection.execute(select(messages.c.text).where(gone)).scalars().all()
                connection.execute(delete(messages).where(gone))
                size = max(0, size - sum(map(_size, freed)))
            note_held(driver_of(connection), match_id, who, size, now)
        self._count_held(who, size)
        return number

    def said(self, match_id: int, seat: str, side: str, since: int = 0) -> list[Message]:
        """What the person in a seat may read after message ``since``, the newest at most; not what was said earlier."""
        here = messages.c.match_id == match_id
        query = (
            select(messages, (messages.c.holder != seats.c.holder).label("former"))
            .join(seats, (seats.c.match_id == messages.c.match_id) & (seats.c.seat == messages.c.seat))
            .where(here, or_(messages.c.side == "", messages.c.side == side))
            .order_by(messages.c.number.desc())
            .limit(READ_AT_ONCE)
        )
        came = select(desks.c.talk_from).where(desks.c.match_id == match_id, desks.c.seat == seat)
        with self._reading() as connection:
            first = max(connection.execute(came).scalar() or 0, since + 1)
            rows = connection.execute(query.where(messages.c.number >= first)).all()
        return [
            Message(row.number, row.seat, row.side, row.text, row.created_ms, bool(row.former), row.holder)
            for row in reversed(rows)
        ]

    def notes(self, match_id: int, seat: str) -> str:
        """What the person in a seat has noted down."""
        query = select(desks.c.notes).where(desks.c.match_id == match_id, desks.c.seat == seat)
        with self._reading() as connection:
            return connection.execute(query).scalar() or ""

    def note_down(self, match_id: int, seat: str, text: str, version: str) -> None:
        """Keep what the person in a seat notes down, in place of the notes of a version.

        What is there already may come again, with whatever version.

        Raises:
            NotesChangedError: there are other notes by now, written at another screen.
        """
        self._put(match_id, seat, desks.c.notes, text, version)

    def map_notes(self, match_id: int) -> dict[str, str]:
        """What was drawn on the map, by seats."""
        query = select(desks.c.seat, desks.c.sketch).where(desks.c.match_id == match_id, desks.c.sketch != "")
        with self._reading() as connection:
            return {row.seat: row.sketch for row in connection.execute(query)}

    def draw(self, match_id: int, seat: str, marks: str, version: str) -> None:
        """Keep what the person in a seat has drawn; as ``note_down``."""
        self._put(match_id, seat, desks.c.sketch, marks, version)

    def _put(self, match_id: int, seat: str, column: Column[str], text: str, version: str) -> None:
        here = (desks.c.match_id == match_id) & (desks.c.seat == seat)
        now, who = now_ms(), self._asking()
        with self._writing() as connection:
            had = connection.execute(select(column).where(here)).scalar()
            if version != version_of(had or "") and text != had:
                raise NotesChangedError("this was changed at another screen of yours meanwhile")
            if had is None:
                empty = {"notes": "", "talk_from": 0}
                connection.execute(
                    insert(desks).values({"match_id": match_id, "seat": seat, **empty, column.name: text})
                )
            else:
                connection.execute(update(desks).where(here).values({column.name: text}))
            self._step(f"{column.name}: written")
            size = max(0, _size(text) - _size(had or ""))
            note_held(driver_of(connection), match_id, who, size, now)
        self._count_held(who, size)


def version_of(notes: str) -> str:
    """What tells notes from others: nothing where nothing is noted down."""
    return hashlib.sha256(notes.encode()).hexdigest()[:32] if notes else ""


def _size(text: str) -> int:
    """About how many bytes of the database a text takes, with the row it stands in."""
    return len(text.encode()) + 2 * ROW_BYTES


def _number_for(now: int, least: int) -> int:
    """The number of a message said now: the time, so that numbers do not tell how many others read what.

    While the clock shows an earlier time than before, they rise by chance.
    """
    return now if now >= least else least + secrets.randbelow(MINUTE_MS)
