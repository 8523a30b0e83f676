"""Who wants notices of their turn, where, and what is on its way there."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rasputitsa.server.shapes.words import Form
from rasputitsa.server.store.people.mails import (
    MAIL,
    TOKEN_BYTES,
    Askers,
    agreed,
    ask_reader,
    forget_addresses,
    is_agreed,
    left_alone,
    note_mail,
    one_spelling,
    paused_until,
)
from rasputitsa.server.store.schema import HIDDEN, journal, matches, notice_ways, notices, seats
from rasputitsa.server.store.summaries import MAX_SHOWN_LETTERS, MAX_SUMMARY_LETTERS, read_summary
from rasputitsa.server.store.uptimes import Uptime

MINUTE_MS = 60_000
AFTER_MS = MINUTE_MS
"""How long a player may be absent while asked before a notice is sent."""
RETRY_MS = (MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS)
"""After so long it is tried again where nobody answered; then it is given up."""
MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class NoticeWay:
    """Where the holder of a seat wants notices.

    ``stop`` is the token that ends it, ``trouble`` what went wrong, ``confirm`` the token with which the reader of mail
    there has still to agree, empty if nobody has to.
    """

    form: Form
    address: str
    stop: str
    trouble: str
    confirm: str


@dataclass(frozen=True, slots=True)
class Due:
    """A notice that is to go out now: the seat it is for, and whether it only says that notices come here."""

    id: int
    match_id: int
    seat: str
    title: str
    turn: str
    first: bool
    tries: int
    way: NoticeWay


class NoticeStore(ABC):
    """The part of the store that knows who gets notices, and which they have had."""

    up: Uptime
    most_mails = 0
    """The most mails in a day to people who have not agreed yet; 0: any number."""

    _step: Callable[[str], None]
    _salt: str
    _askers: Askers

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    # -- where -------------------------------------------------------------------------------------

    def notice_way(self, match_id: int, seat: str) -> NoticeWay | None:
        """Where the holder of a seat gets notices."""
        with self._reading() as connection:
            row = connection.execute(select(notice_ways).where(*_way(match_id, seat))).first()
        return None if row is None else _way_of(row)

    def tell_at(self, match_id: int, seat: str, form: str, address: str, proof: str = "", network: str = "") -> None:
        """Tell the holder of a seat there from now on, in place of where it was before; a first notice says so.

        By mail nobody gets a notice before its reader has agreed: the first notice asks for that, unless
        ``proof`` shows that it was given before. ``network``: where this is asked from; empty where nobody counts.

        Raises:
            RefusedAddressError, CrowdedError: no such question may be asked there now; nothing was changed.
        """
        now, confirm = self.up.ms(), ""
        with self._writing() as connection:
            if form == MAIL:
                address = one_spelling(address)
                if not is_agreed(connection, self._salt, address, proof):
                    confirm = ask_reader(connection, self._salt, address, now, self.most_mails, self._askers, network)
            forget_notices(connection, match_id, seat)
            connection.execute(
                insert(notice_ways).values(
                    match_id=match_id, seat=seat, form=form, address=address, confirm=confirm,
                    stop=secrets.token_urlsafe(TOKEN_BYTES), trouble="", asked_ms=-1, told=-2,
                )
            )  # fmt: skip
            if confirm or form != MAIL:
                _enqueue(connection, match_id, seat, now, first=True)

    def confirm_notices(self, token: str) -> tuple[str, str] | None:
        """The reader of mail agrees to notices there; gives the address, and what proves it for other matches."""
        here = notice_ways.c.confirm == token
        with self._writing() as connection:
            row = connection.execute(select(notice_ways).where(here)).first() if token else None
            if row is None:
                return None
            connection.execute(update(notice_ways).where(here).values(confirm=""))
            self._step("notice: confirmed")
            return row.address, agreed(connection, self._salt, row.address)

    def tell_no_more(self, match_id: int, seat: str) -> None:
        """Tell the holder of a seat nothing any more."""
        with self._writing() as connection:
            forget_notices(connection, match_id, seat)

    def stop_notices(self, token: str) -> int:
        """End all that goes to the address the token came with; gives for how many seats that was."""
        with self._writing() as connection:
            row = connection.execute(select(notice_ways).where(notice_ways.c.stop == token)).first()
            if row is None:
                return 0
            same = (notice_ways.c.form == row.form) & (notice_ways.c.address == row.address)
            told = connection.execute(select(notice_ways.c.match_id, notice_ways.c.seat).where(same)).all()
            for known in told:
                forget_notices(connection, known.match_id, known.seat)
            if row.form == MAIL:
                left_alone(connection, self._salt, row.address, refused=bool(row.confirm), up_ms=self.up.ms())
        return len(told)

    def forget_old_addresses(self) -> None:
        """Mail addresses to which no notices go any more are forgotten."""
        with self._writing() as connection:
            forget_addresses(connection, self._salt, self.up.ms())

    # -- whom --------------------------------------------------------------------------------------

    def note_asked(self, watched: Collection[tuple[int, str]]) -> None:
        """Look who is asked, and lay notices by for those who are away.

        One for each turn: with a notice the number of the seat's own last entry is kept, so that neither a restart
        nor a further look tells it again before the seat has acted.

        Args:
            watched: seats, each with its match, with a window that is open and in sight.
        """
        now = self.up.ms()
        with self._reading() as connection:
            rows = connection.execute(_KNOWN.where(notice_ways.c.confirm == "")).all()
        changes = [change for row in rows if (change := self._change(row, (row.match_id, row.seat) in watched, now))]
        if not changes:
            return
        with self._writing() as connection:
            for row, values, due in changes:
                done = connection.execute(update(notice_ways).where(*_way(row.match_id, row.seat)).values(**values))
                if due and done.rowcount:
                    _enqueue(connection, row.match_id, row.seat, now)
                    self._step("notice: laid by")

    def _change(self, row: Row[Any], watched: bool, now: int) -> tuple[Row[Any], dict[str, int], bool] | None:
        """What is to be written of a seat, and whether its holder gets a notice; None where nothing has changed."""
        own, last = (-1, -1) if watched or not is_asked(row) else self._last_entries(row.match_id, row.seat)
        if own in (row.told, last):  # not asked; told already; or nobody else has done anything since
            return (row, {"asked_ms": -1}, False) if row.asked_ms != -1 else None
        since = row.asked_ms if 0 <= row.asked_ms <= now else now
        if now - since >= AFTER_MS:
            return row, {"asked_ms": -1, "told": own}, True
        return (row, {"asked_ms": since}, False) if since != row.asked_ms else None

    def _last_entries(self, match_id: int, seat: str) -> tuple[int, int]:
        """The numbers of a seat's own last entry in the journal, and of the last one by anybody; -1 for none."""
        newest = select(func.max(journal.c.seq)).where(journal.c.match_id == match_id)
        with self._reading() as connection:
            own, last = (connection.execute(query).scalar() for query in (newest.where(journal.c.seat == seat), newest))
        return -1 if own is None else own, -1 if last is None else last

    # -- what is on its way ------------------------------------------------------------------------

    def due_notices(self) -> list[Due]:
        """What is to go out now, marked so that nobody else sends it, nor anybody after a restart.

        Those who have answered meanwhile get no notice.
        """
        now = self.up.ms()
        ready = select(notices).where(notices.c.due_ms <= now, notices.c.under_way.is_(False))
        if not self._any(ready):
            return []
        with self._writing() as connection:
            rows = connection.execute(ready.order_by(notices.c.id).limit(MOST_AT_ONCE)).all()
            known = connection.execute(_KNOWN.where(notice_ways.c.match_id.in_({row.match_id for row in rows})))
            ways = {(row.match_id, row.seat): row for row in known}
            due = []
            for row in rows:
                way = ways.get((row.match_id, row.seat))
                here = notices.c.id == row.id
                if way is None or not (row.first or is_asked(way)):
                    connection.execute(delete(notices).where(here))
                elif (later := self._later(connection, row, way, now)) > 0:
                    connection.execute(update(notices).where(here).values(due_ms=later))
                else:
                    connection.execute(update(notices).where(here).values(under_way=True))
                    due.append(_due(row, way))
            for address in {told.way.address for told in due if told.way.form == MAIL and not told.first}:
                note_mail(connection, self._salt, address, now)
            self._step("notice: under way")
        return due

    def _later(self, connection: Connection, notice: Row[Any], way: Row[Any], now: int) -> int:
        """When a notice is to go out, if not now."""
        return -1 if notice.first or way.form != MAIL else paused_until(connection, self._salt, way.address, now)

    def _any(self, query: Any) -> bool:
        with self._reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def notices_sent(self, sent: Sequence[Due]) -> None:
        """They have arrived."""
        with self._writing() as connection:
            for known in sent:
                connection.execute(delete(notices).where(notices.c.id == known.id))
                here = _way(known.match_id, known.seat)
                connection.execute(update(notice_ways).where(*here).values(trouble=""))

    def notices_failed(self, failed: Sequence[Due], trouble: str, *, for_good: bool) -> None:
        """They have not arrived, all of them at one address: they are tried again some times, if that is of use."""
        now = self.up.ms()
        with self._writing() as connection:
            for known in failed:
                here = notices.c.id == known.id
                if for_good or known.tries >= len(RETRY_MS):
                    connection.execute(delete(notices).where(here))
                else:
                    later = {"under_way": False, "tries": known.tries + 1, "due_ms": now + RETRY_MS[known.tries]}
                    connection.execute(update(notices).where(here).values(**later))
                way = _way(known.match_id, known.seat)
                connection.execute(update(notice_ways).where(*way).values(trouble=trouble[:MAX_SHOWN_LETTERS]))
            if failed and failed[0].way.form == MAIL:
                note_mail(connection, self._salt, failed[0].way.address, -1)

    def drop_unsure(self) -> int:
        """After a start: what was under way when the server ended may have arrived, and is not sent again.

        All else goes out at once: how long the server was up is not known to the minute after it was killed.
        """
        now = self.up.ms()
        if not self._any(select(notices)):
            return 0
        with self._writing() as connection:
            connection.execute(update(notices).where(notices.c.due_ms > now).values(due_ms=now))
            return connection.execute(delete(notices).where(notices.c.under_way.is_(True))).rowcount


def forget_notices(connection: Connection, match_id: int, seat: str) -> None:
    """The former holder of the seat gets no more notices."""
    connection.execute(delete(notices).where(notices.c.match_id == match_id, notices.c.seat == seat))
    connection.execute(delete(notice_ways).where(*_way(match_id, seat)))


def _enqueue(connection: Connection, match_id: int, seat: str, now: int, *, first: bool = False) -> None:
    values = {"match_id": match_id, "seat": seat, "first": first, "under_way": False, "tries": 0, "due_ms": now}
    connection.execute(insert(notices).values(values))


def _way(match_id: int, seat: str) -> tuple[Any, ...]:
    return notice_ways.c.match_id == match_id, notice_ways.c.seat == seat


_others = seats.alias("others")
KNOWN_SEAT = select(
    seats.c.match_id, seats.c.seat, seats.c.holder, matches.c.over,
    func.substr(matches.c.title, 1, MAX_SHOWN_LETTERS).label("title"),
    func.substr(matches.c.summary, 1, MAX_SUMMARY_LETTERS + 1).label("summary"),
    select(func.count())
    .where(_others.c.match_id == seats.c.match_id, _others.c.holder.not_in(("", seats.c.holder)))
    .correlate(seats)
    .scalar_subquery()
    .label("other_people"),
).join_from(seats, matches, (matches.c.id == seats.c.match_id) & (matches.c.entries > HIDDEN))  # fmt: skip
"""All seats, with how it stands with them; ``other_people``: seats of the match that they hold."""
_KNOWN = KNOWN_SEAT.add_columns(*(column for column in notice_ways.c if column.name not in ("match_id", "seat"))).join(
    notice_ways, (seats.c.match_id == notice_ways.c.match_id) & (seats.c.seat == notice_ways.c.seat)
)
"""The same for the seats whose holders get notices, with where."""


def is_asked(row: Row[Any]) -> bool:
    """Whether the person in a seat is to move, and others wait for it; takes a row with what ``KNOWN_SEAT`` has."""
    summary = read_summary(row.summary)
    player = summary["controllers"].get(row.seat)
    is_person = player is not None and player["kind"] == "human"
    return bool(row.holder and row.other_people and not row.over and summary["to_move"] == row.seat and is_person)


def _way_of(row: Row[Any]) -> NoticeWay:
    return NoticeWay(row.form, row.address, row.stop, row.trouble, row.confirm)


def _due(row: Row[Any], way: Row[Any]) -> Due:
    return Due(
        row.id, row.match_id, row.seat, way.title if isinstance(way.title, str) else "",
        read_summary(way.summary)["turn_label"], row.first, row.tries, _way_of(way),
    )  # fmt: skip
