"""What people say to each other at a table, and what each of them notes down for himself."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from rasputitsa.server.store.errors import TalkativeError
from rasputitsa.server.store.schema import desks, messages, seats

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


class TalkStore(ABC):
    """The part of the store that keeps what people say and note down."""

    _step: Callable[[str], None]

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def say(self, match_id: int, seat: str, side: str, text: str, request: str) -> int:
        """Keep what a seat says, and give its number; the same request again says nothing a second time.

        Raises:
            TalkativeError: the seat has said much within a minute.
        """
        own = (messages.c.match_id == match_id) & (messages.c.seat == seat)
        now = _now_ms()
        with self._writing() as connection:
            said = connection.execute(select(messages.c.number).where(own, messages.c.request == request)).scalar()
            if said is not None:
                return int(said)
            lately = own & messages.c.created_ms.between(now - MINUTE_MS, now)
            if connection.execute(select(func.count()).where(lately)).scalar_one() >= MOST_IN_A_MINUTE:
                raise TalkativeError("you have said much within a minute; please wait a moment")
            number = _next_number(connection, match_id)
            holder = select(seats.c.holder).where(seats.c.match_id == match_id, seats.c.seat == seat)
            connection.execute(
                insert(messages).values(
                    match_id=match_id, number=number, seat=seat, holder=connection.execute(holder).scalar_one(),
                    side=side, text=text, request=request, created_ms=now,
                )
            )  # fmt: skip
            self._step("say: written")
            newest = select(messages.c.number).where(own).order_by(messages.c.number.desc())
            oldest = connection.execute(newest.offset(MOST_MESSAGES - 1).limit(1)).scalar()
            if oldest is not None:
                connection.execute(delete(messages).where(own, messages.c.number < oldest))
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
            Message(row.number, row.seat, row.side, row.text, row.created_ms, bool(row.former))
            for row in reversed(rows)
        ]

    def notes(self, match_id: int, seat: str) -> str:
        """What the person in a seat has noted down."""
        query = select(desks.c.notes).where(desks.c.match_id == match_id, desks.c.seat == seat)
        with self._reading() as connection:
            return connection.execute(query).scalar() or ""

    def note_down(self, match_id: int, seat: str, text: str) -> None:
        """Keep what the person in a seat notes down, in place of what he had."""
        here = (desks.c.match_id == match_id) & (desks.c.seat == seat)
        with self._writing() as connection:
            if not connection.execute(update(desks).where(here).values(notes=text)).rowcount:
                connection.execute(insert(desks).values(match_id=match_id, seat=seat, notes=text, talk_from=0))
            self._step("notes: written")


def clear_desk(connection: Connection, match_id: int, seat: str) -> None:
    """Leave nothing for the next person in a seat: no notes, and nothing of what was said before he came."""
    connection.execute(delete(desks).where(desks.c.match_id == match_id, desks.c.seat == seat))
    if (number := _next_number(connection, match_id)) > 1:
        connection.execute(insert(desks).values(match_id=match_id, seat=seat, notes="", talk_from=number))


def _next_number(connection: Connection, match_id: int) -> int:
    newest = select(func.max(messages.c.number)).where(messages.c.match_id == match_id)
    return (connection.execute(newest).scalar() or 0) + 1


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
