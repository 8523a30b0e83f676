"""Classes: matches side by side under one code, who plays them, the cards handed out there, and the answers."""

from __future__ import annotations

import hmac
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from rasputitsa.server.store.classroom.codes import new_code, new_word, plain
from rasputitsa.server.store.connecting import driver_of
from rasputitsa.server.store.people.tokens import digest, new_secret
from rasputitsa.server.store.quota import ROW_BYTES, note_held
from rasputitsa.server.store.schema import (
    HIDDEN,
    class_answers,
    class_cards,
    class_matches,
    class_pupils,
    classes,
    matches,
)
from rasputitsa.server.store.summaries import LISTED, MatchRow, match_row
from rasputitsa.server.wall_clock import now_ms

KEPT_DAYS = 30
"""A class in which nothing has happened for so long is deleted with all that belongs to it."""
KEPT_MS = KEPT_DAYS * 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A class: the digest of its code, and that of its teacher's key; ``closed``: nobody new comes in."""

    id: str
    teacher: str
    title: str
    closed: bool

    def opens(self, key: str) -> bool:
        """Whether a key is the teacher's."""
        return hmac.compare_digest(self.teacher, digest(key))


@dataclass(frozen=True, slots=True)
class ClassMatch:
    """A match of a class, by its number on the teacher's page."""

    number: int
    paused: bool
    row: MatchRow


@dataclass(frozen=True, slots=True)
class Pupil:
    """Who plays a seat, perhaps with others; ``seen``: the name as it looks at a glance, ``word``: a digest."""

    match_id: int
    number: int
    seat: str
    name: str
    seen: str
    word: str
    request: str

    def says(self, word: str) -> bool:
        """Whether a word is this pupil's."""
        return hmac.compare_digest(self.word, digest(plain(word)))


@dataclass(frozen=True, slots=True)
class Card:
    """A question to those who play a match, from a turn of the game on."""

    match_id: int
    number: int
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """What a seat has answered to a card."""

    match_id: int
    number: int
    seat: str
    text: str


class ClassStore(ABC):
    """The part of the store that keeps classes."""

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

    # -- the class ---------------------------------------------------------------------------------

    def open_class(self, title: str) -> tuple[str, str]:
        """A new class: the code by which pupils come, and the key of its teacher."""
        code, key = new_code(), new_secret()
        values = {"digest": digest(plain(code)), "teacher": digest(key), "title": title, "created_ms": now_ms()}
        with self._writing() as connection:
            connection.execute(insert(classes).values(closed=False, **values))
        return code, key

    def class_by(self, code: str) -> ClassRow | None:
        """The class of a code. What is looked up is a digest: how long that takes tells nothing of other codes."""
        with self._reading() as connection:
            row = connection.execute(select(classes).where(classes.c.digest == digest(plain(code)))).first()
        return None if row is None else ClassRow(row.digest, row.teacher, row.title, row.closed)

    def close_class(self, class_id: str, *, closed: bool) -> None:
        """Let nobody new in, or let them in again."""
        with self._writing() as connection:
            connection.execute(update(classes).where(classes.c.digest == class_id).values(closed=closed))

    def forget_class(self, class_id: str) -> None:
        """Remove a class; its matches are removed before."""
        with self._writing() as connection:
            connection.execute(delete(classes).where(classes.c.digest == class_id))

    def old_classes(self) -> list[str]:
        """The classes in which nothing has happened for long."""
        since = now_ms() - KEPT_MS
        lately = select(class_matches.c.class_id).join(matches, matches.c.id == class_matches.c.match_id)
        query = select(classes.c.digest).where(
            classes.c.created_ms < since, classes.c.digest.not_in(lately.where(matches.c.updated_ms >= since))
        )
        with self._reading() as connection:
            return list(connection.execute(query).scalars())

    # -- its matches -------------------------------------------------------------------------------

    def add_to_class(self, class_id: str, match_id: int) -> int:
        """Put a new match into a class, once; gives its number there."""
        here = class_matches.c.class_id == class_id
        with self._writing() as connection:
            known = select(class_matches.c.number).where(here, class_matches.c.match_id == match_id)
            if (number := connection.execute(known).scalar()) is None:
                number = (connection.execute(select(func.max(class_matches.c.number)).where(here)).scalar() or 0) + 1
                values = {"match_id": match_id, "class_id": class_id, "number": number, "paused": False}
                connection.execute(insert(class_matches).values(values))
        return int(number)

    def class_matches(self, class_id: str) -> list[ClassMatch]:
        """The matches of a class, as the list of matches knows them."""
        query = (
            select(class_matches.c.number, class_matches.c.paused, *LISTED)
            .join(matches, matches.c.id == class_matches.c.match_id)
            .where(class_matches.c.class_id == class_id, matches.c.entries > HIDDEN)
            .order_by(class_matches.c.number)
        )
        with self._reading() as connection:
            return [ClassMatch(row.number, row.paused, match_row(row)) for row in connection.execute(query)]

    def class_of(self, match_id: int) -> str:
        """The class a match belongs to; empty for none."""
        query = select(class_matches.c.class_id).where(class_matches.c.match_id == match_id)
        with self._reading() as connection:
            return connection.execute(query).scalar() or ""

    def is_paused(self, match_id: int) -> bool:
        """Whether the teacher has stopped a match for a while."""
        query = select(class_matches.c.paused).where(class_matches.c.match_id == match_id)
        with self._reading() as connection:
            return bool(connection.execute(query).scalar())

    def pause(self, match_id: int, *, paused: bool) -> None:
        """Stop a match for a while, or let it go on."""
        with self._writing() as connection:
            connection.execute(update(class_matches).where(class_matches.c.match_id == match_id).values(paused=paused))

    # -- pupils ------------------------------------------------------------------------------------

    def pupils(self, class_id: str) -> list[Pupil]:
        """Who plays in a class, in the order of its matches."""
        query = (
            select(class_pupils)
            .join(class_matches, class_matches.c.match_id == class_pupils.c.match_id)
            .where(class_matches.c.class_id == class_id)
            .order_by(class_matches.c.number, class_pupils.c.number)
        )
        with self._reading() as connection:
            return [
                Pupil(row.match_id, row.number, row.seat, row.name, row.seen, row.word, row.request)
                for row in connection.execute(query)
            ]

    def add_pupil(self, match_id: int, seat: str, name: str, seen: str, request: str) -> str | None:
        """Note who plays a seat, and give their word; None if somebody of the class has that name."""
        word = new_word()
        with self._writing() as connection:
            own = select(class_matches.c.class_id).where(class_matches.c.match_id == match_id).scalar_subquery()
            together = select(class_matches.c.match_id).where(class_matches.c.class_id == own)
            taken = select(class_pupils.c.number).where(
                class_pupils.c.match_id.in_(together), class_pupils.c.seen == seen
            )
            if connection.execute(taken).first() is not None:
                return None
            newest = select(func.max(class_pupils.c.number)).where(class_pupils.c.match_id == match_id)
            connection.execute(
                insert(class_pupils).values(
                    match_id=match_id, number=(connection.execute(newest).scalar() or 0) + 1, seat=seat,
                    name=name, seen=seen, word=digest(plain(word)), request=digest(request),
                )
            )  # fmt: skip
        return word

    def new_word(self, pupil: Pupil) -> str:
        """Another word for a pupil, in place of the one before."""
        word = new_word()
        with self._writing() as connection:
            connection.execute(update(class_pupils).where(_is(pupil)).values(word=digest(plain(word))))
        return word

    def forget_pupil(self, pupil: Pupil) -> None:
        """One of those who share a seat plays it no more."""
        with self._writing() as connection:
            connection.execute(delete(class_pupils).where(_is(pupil)))

    def forget_pupils(self, match_id: int, seat: str) -> None:
        """Nobody of the class plays a seat any more, and what they have answered goes with them."""
        with self._writing() as connection:
            for table in (class_pupils, class_answers):
                connection.execute(delete(table).where(table.c.match_id == match_id, table.c.seat == seat))

    # -- cards -------------------------------------------------------------------------------------

    def hand_out(self, class_id: str, text: str, turn: int, match_ids: Collection[int]) -> int:
        """Give a card to matches of a class; gives its number, the same in all of them."""
        mine = select(class_matches.c.match_id).where(class_matches.c.class_id == class_id)
        now, who, size = now_ms(), self._asking(), len(text.encode()) + ROW_BYTES
        with self._writing() as connection:
            newest = select(func.max(class_cards.c.number)).where(class_cards.c.match_id.in_(mine))
            number = (connection.execute(newest).scalar() or 0) + 1
            for match_id in match_ids:
                connection.execute(insert(class_cards).values(match_id=match_id, number=number, turn=turn, text=text))
                note_held(driver_of(connection), match_id, who, size, now)
        self._count_held(who, size * len(match_ids))
        return number

    def cards(self, match_ids: Collection[int]) -> list[Card]:
        """The cards of matches, the newest last."""
        query = select(class_cards).where(class_cards.c.match_id.in_(match_ids)).order_by(class_cards.c.number)
        with self._reading() as connection:
            return [Card(row.match_id, row.number, row.turn, row.text) for row in connection.execute(query)]

    def answer_card(self, match_id: int, seat: str, number: int, text: str) -> None:
        """Keep what a seat answers, in place of what it has answered before."""
        here = (class_answers.c.match_id == match_id) & (class_answers.c.seat == seat)
        own = here & (class_answers.c.number == number)
        now, who = now_ms(), self._asking()
        with self._writing() as connection:
            before = connection.execute(select(class_answers.c.text).where(own)).scalar()
            connection.execute(delete(class_answers).where(own))
            connection.execute(insert(class_answers).values(match_id=match_id, seat=seat, number=number, text=text))
            grown = len(text.encode()) - len((before or "").encode()) + (0 if before is not None else ROW_BYTES)
            note_held(driver_of(connection), match_id, who, max(0, grown), now)
        self._count_held(who, max(0, grown))

    def card_answers(self, match_ids: Collection[int]) -> list[CardAnswer]:
        """What was answered in matches."""
        query = select(class_answers).where(class_answers.c.match_id.in_(match_ids))
        with self._reading() as connection:
            return [CardAnswer(row.match_id, row.number, row.seat, row.text) for row in connection.execute(query)]


def _is(pupil: Pupil) -> ColumnElement[bool]:
    return (class_pupils.c.match_id == pupil.match_id) & (class_pupils.c.number == pupil.number)
