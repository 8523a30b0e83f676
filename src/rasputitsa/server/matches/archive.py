"""Matches of a data directory without a server: list, save, add."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rasputitsa.core.game import SeatInfo
from rasputitsa.core.record.session import Session
from rasputitsa.server.lock import DataLock, InUseError
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.rebuilding import BrokenMatchError, encode, kept_of, rows_of, unchecked_save
from rasputitsa.server.matches.seating import HINTS, MAX_TITLE, Controller, check_controllers, one_line
from rasputitsa.server.matches.views import summary_of
from rasputitsa.server.shapes.lists import Summary
from rasputitsa.server.shapes.words import Behind
from rasputitsa.server.store import (
    ClockTerms,
    Creation,
    Following,
    JournalRow,
    MatchRow,
    MatchStart,
    OpenTable,
    RatedSeat,
    SnapshotRow,
    Store,
    StoreError,
    key_purpose,
    link_purpose,
    new_secret,
)
from rasputitsa.server.store.backup import is_older, to_look_at


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match that was kept: its number, the keys of its creator's seats, and the tokens of the invitations."""

    number: int
    keys: dict[str, str]
    links: dict[str, str]


@dataclass(frozen=True, slots=True)
class Packed:
    """What is to be kept of a session, in plain values that another process can send."""

    title: str
    header: str
    summary: Summary
    over: bool
    seats: list[SeatInfo]
    people: list[str]
    """The seats that people play."""
    lines: list[JournalRow]
    kept: list[SnapshotRow]
    """Positions of the game, the newest last."""
    doubts: str
    """What is to be said of dice that do not come, or may not come, from their seed; empty if all do."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What is agreed on for a new match."""

    title: str = ""
    guests: Collection[str] = ()
    """The seats to which invitations lead."""
    hints: bool = False
    """Everybody who sits down agrees to hints for all."""
    owned: bool = False
    """The owner of the machine makes it, and so may take its seats at any time."""
    following: Following | None = None
    """It is the rematch of another one."""
    table: OpenTable | None = None
    """The seats of guests are open to everybody."""
    clock: ClockTerms | None = None
    """How much time everybody has."""
    behind: Behind | None = None
    """By how much onlookers are behind the players."""
    rated: RatedSeat | None = None
    """It counts for ratings; and which side the person who starts it plays."""


def pack(session: Session) -> Packed:
    """What is to be kept of a session; raises ``SaveError`` if it gives a seat to what may play none."""
    check_controllers(session)
    seats, audit = session.seats, session.audit()
    return Packed(
        title=one_line(session.header.title, MAX_TITLE) or default_title(session),
        header=encode(session.header.to_json()),
        summary=summary_of(session),
        over=session.decision() is None,
        seats=seats,
        people=[seat.id for seat in seats if Controller.of(session, seat.id).kind == "human"],
        lines=rows_of(session),
        kept=kept_of(session),
        doubts=audit.words if audit.unknown or not audit.sound else "",
    )


def keep(
    store: Store, packed: Packed, terms: MatchTerms = MatchTerms(), creation: Creation | None = None
) -> StoredMatch:
    """Keep what was packed as a new match.

    Its creator keeps the seats people play, but for those of ``guests``, to which invitations lead. Seats of the
    computer are nobody's; a match of computers alone is its creator's to watch.

    Args:
        creation: the request it is made for, from which its secrets are drawn.

    Raises:
        DuplicateRequestError: the request has made a match before.
        RematchedError: another match follows that one.
    """
    seats, people = packed.seats, packed.people
    kept = [seat for seat in people or [seat.id for seat in seats] if seat not in terms.guests]
    secret = creation.secret if creation else lambda _: new_secret()
    keys = {seat: secret(key_purpose(seat)) for seat in kept}
    links = {seat: secret(link_purpose(seat)) for seat in people if seat in terms.guests}
    number = store.create(
        MatchStart(
            title=one_line(terms.title, MAX_TITLE) or packed.title,
            header=packed.header, summary=packed.summary, over=packed.over, lines=packed.lines, kept=packed.kept,
            keys={seat.id: keys.get(seat.id) for seat in seats},
            owned=terms.owned, links=links, agreed={HINTS: people} if terms.hints else {}, creation=creation,
            following=terms.following, table=terms.table, clock=terms.clock, behind=terms.behind, rated=terms.rated,
            shown=bool(packed.lines) and not packed.over,  # a copy, or from a file that its creator has
            opened=len({seat.side for seat in seats if seat.id in keys}) > 1,
        )
    )  # fmt: skip
    return StoredMatch(number, keys, links)


def default_title(session: Session) -> str:
    """Game and scenario in words."""
    scenarios = {scenario.id: scenario.title for scenario in session.game.scenarios()}
    return f"{session.game.title}: {scenarios.get(session.header.scenario, session.header.scenario)}"


def list_matches(database: Path) -> list[MatchRow]:
    """The matches in a database, last played first."""
    with to_look_at(database) as path, closing(Store(path)) as store:
        return store.matches()


def export_match(database: Path, number: int) -> str:
    """The saved game of a match; of one that cannot be replayed, what the journal holds."""
    with to_look_at(database) as path, closing(Store(path)) as store:
        try:
            return Match(store, number).export()
        except BrokenMatchError:
            return unchecked_save(store, number)


def add_match(database: Path, packed: Packed) -> int:
    """Add what was packed to a database; gives the number of the new match.

    Raises:
        StoreError: it cannot be used; or a server of an earlier version runs, under which it would change.
    """
    with _alone_if_older(database), closing(Store(database)) as store:
        return keep(store, packed, MatchTerms(owned=True)).number


@contextmanager
def _alone_if_older(database: Path) -> Iterator[None]:
    """A database of an earlier version is brought up to date while no server is at work on it."""
    if not database.is_file() or not is_older(database):
        yield
        return
    try:
        lock = DataLock(database.parent)
    except InUseError as problem:
        raise StoreError(f"{problem}, and is of an earlier version; start it again first") from problem
    try:
        yield
    finally:
        lock.release()
