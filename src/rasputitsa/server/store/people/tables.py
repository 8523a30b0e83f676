"""Open tables: seats that strangers may take from a list, as those who may invite to them have chosen."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.words import Level, Pace
from rasputitsa.server.store.errors import CrowdedError
from rasputitsa.server.store.schema import HIDDEN, matches, open_seats
from rasputitsa.server.store.summaries import MAX_SHOWN_LETTERS, MAX_SUMMARY_LETTERS, read_summary
from rasputitsa.server.store.uptimes import Uptime
from rasputitsa.server.wall_clock import now_ms

HOUR_MS = 3_600_000
OPEN_MS = {"live": 6 * HOUR_MS, "day": 14 * 24 * HOUR_MS, "week": 14 * 24 * HOUR_MS}
"""For how long, of a server that is up, a seat stays in the list; the one who published it can do so again."""
MOST_SHOWN = 200
MOST_READ = 2000
LARGEST_HEADER = 20_000


@dataclass(frozen=True, slots=True)
class PlayerWanted:
    """Whom a seat is offered to."""

    pace: Pace
    level: Level


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Seats of a new match that are open to everybody."""

    wanted: PlayerWanted
    host: str = ""
    """The session in which the host is signed in, if any: of two of whom one has blocked the other, neither finds the
    table of the other from the first moment."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat in the list, with what is known of its match without opening it."""

    match_id: int
    seat: str
    wanted: PlayerWanted
    title: str
    summary: Summary
    options: dict[str, str]
    opened: bool
    shown: bool
    published_ms: int


class TableStore(ABC):
    """The part of the store that knows which seats are open to everybody."""

    up: Uptime
    most_tables = 0
    """The most seats of one address in the list at a time; 0: any number."""

    @abstractmethod
    def _asking(self) -> str:
        """The address that is asking, as it is kept."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def publish(self, match_id: int, seats: Sequence[str], wanted: PlayerWanted) -> None:
        """Put seats into the list, or keep them there for longer.

        Raises:
            CrowdedError: the address has as many in it as it may.
        """
        with self._writing() as connection:
            insert_open(connection, match_id, seats, wanted, self._asking(), self.up.ms(), self.most_tables)

    def unpublish(self, match_id: int, seat: str) -> None:
        """Take a seat out of the list."""
        with self._writing() as connection:
            close_table(connection, match_id, seat)

    def wanted_players(self, match_id: int) -> dict[str, PlayerWanted]:
        """The seats of a match that are in the list."""
        query = select(open_seats).where(open_seats.c.match_id == match_id, self._fresh())
        with self._reading() as connection:
            return {row.seat: PlayerWanted(row.pace, row.level) for row in connection.execute(query)}

    def open_seats(self) -> list[OpenSeat]:
        """The list, the newest first; of each address one comes before a second of any other."""
        here = (matches.c.id == open_seats.c.match_id) & (matches.c.entries > HIDDEN) & matches.c.over.is_(False)
        listed = select(open_seats).join(matches, here).where(self._fresh()).order_by(open_seats.c.created_ms.desc())
        with self._reading() as connection:
            found = _by_turns(connection.execute(listed.limit(MOST_READ)).all())
            told = select(*_TOLD).where(matches.c.id.in_({row.match_id for row in found}))
            about: dict[int, Row[Any]] = {row.id: row for row in connection.execute(told)}
        return [_open_seat(row, about[row.match_id]) for row in found if row.match_id in about]

    def forget_old_tables(self) -> None:
        """Seats that were in the list for long leave it."""
        with self._writing() as connection:
            connection.execute(delete(open_seats).where(~self._fresh()))

    def _fresh(self) -> Any:
        return open_seats.c.until_up_ms > self.up.ms()


def insert_open(
    connection: Connection, match_id: int, seats: Sequence[str], wanted: PlayerWanted, who: str, up_ms: int, most: int
) -> None:
    """Put seats into the list; raises ``CrowdedError``."""
    for seat in seats:
        close_table(connection, match_id, seat)
    if most and who:
        own = select(func.count()).where(open_seats.c.publisher == who, open_seats.c.until_up_ms > up_ms)
        if connection.execute(own).scalar_one() + len(seats) > most:
            raise CrowdedError(f"{most} seats from your address are in the list already; withdraw one of them first")
    for seat in seats:
        connection.execute(
            insert(open_seats).values(
                match_id=match_id, seat=seat, pace=wanted.pace, level=wanted.level, publisher=who,
                created_ms=now_ms(), until_up_ms=up_ms + OPEN_MS[wanted.pace],
            )
        )  # fmt: skip


def close_table(connection: Connection, match_id: int, seat: str) -> None:
    """A seat is no longer open to everybody."""
    connection.execute(delete(open_seats).where(open_seats.c.match_id == match_id, open_seats.c.seat == seat))


def _by_turns(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """As many as are shown: the newest of every address, then the second of each, and so on."""
    nth: dict[str, int] = {}
    ranked = []
    for order, row in enumerate(rows):
        nth[row.publisher] = nth.get(row.publisher, 0) + 1
        ranked.append((nth[row.publisher], order, row))
    shown = sorted(ranked, key=lambda found: found[:2])[:MOST_SHOWN]
    return [row for _, _, row in sorted(shown, key=lambda found: found[1])]


_TOLD: tuple[Any, ...] = (
    matches.c.id, matches.c.opened, matches.c.shown,
    func.substr(matches.c.title, 1, MAX_SHOWN_LETTERS).label("title"),
    func.substr(matches.c.summary, 1, MAX_SUMMARY_LETTERS + 1).label("summary"),
    func.substr(matches.c.header, 1, LARGEST_HEADER).label("header"),
)  # fmt: skip


def _open_seat(row: Row[Any], match: Row[Any]) -> OpenSeat:
    return OpenSeat(
        match_id=row.match_id,
        seat=row.seat,
        wanted=PlayerWanted(row.pace, row.level),
        title=match.title if isinstance(match.title, str) else "",
        summary=read_summary(match.summary),
        options=_options(match.header),
        opened=match.opened,
        shown=match.shown,
        published_ms=row.created_ms,
    )


def _options(header: Any) -> dict[str, str]:
    """The options of a match; none where they cannot be read."""
    try:
        found = json.loads(header)["options"]
    except (TypeError, ValueError, KeyError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if isinstance(name, str) and isinstance(value, str)}
