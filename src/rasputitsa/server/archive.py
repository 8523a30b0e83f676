"""Matches of a data directory without a server: list, save, add."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.record import Session
from rasputitsa.server.match import BrokenMatchError, Match, encode, unchecked_save
from rasputitsa.server.seating import new_key
from rasputitsa.server.store import JournalRow, MatchRow, Store
from rasputitsa.server.views import summary_of


def keep_session(store: Store, session: Session, title: str) -> tuple[int, dict[str, str]]:
    """Keep a session as a new match; gives its number and the keys of its seats."""
    keys = {seat.id: new_key() for seat in session.game.seats(session.header.options)}
    number = store.create(
        title=title or session.header.title or default_title(session),
        header=encode(session.header.to_json()),
        summary=summary_of(session),
        over=session.decision() is None,
        keys=keys,
        lines=[JournalRow(entry.seat, encode(entry.to_json())) for entry in session.entries],
    )
    return number, keys


def default_title(session: Session) -> str:
    """Game and scenario in words."""
    scenarios = {scenario.id: scenario.title for scenario in session.game.scenarios()}
    return f"{session.game.title}: {scenarios.get(session.header.scenario, session.header.scenario)}"


def list_matches(database: Path) -> list[MatchRow]:
    """The matches in a database, last played first."""
    store = Store(database)
    try:
        return store.matches()
    finally:
        store.close()


def export_match(database: Path, number: int) -> str:
    """The saved game of a match; of one that cannot be replayed, what the journal holds."""
    store = Store(database)
    try:
        return Match(store, number).export()
    except BrokenMatchError:
        return unchecked_save(store, number)
    finally:
        store.close()


def import_match(database: Path, session: Session) -> int:
    """Add a session to a database; gives the number of the new match."""
    store = Store(database)
    try:
        return keep_session(store, session, session.header.title[:200])[0]
    finally:
        store.close()
