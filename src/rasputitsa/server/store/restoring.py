"""Putting a backup in the place of a store, and going on with one that is older than it should be."""

from __future__ import annotations

import contextlib
import datetime
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, delete, inspect, update

from rasputitsa.server.store import copies, data_folder, startup_checks
from rasputitsa.server.store.backup import Contents, check, duplicate
from rasputitsa.server.store.commit_mark import Mark, StoreProgress, sync_folder
from rasputitsa.server.store.connecting import engine_on, refuse_programs, translated
from rasputitsa.server.store.errors import MissingChangesError, StoreError
from rasputitsa.server.store.migrating import HEAD, rehearse
from rasputitsa.server.store.schema import account_sessions, invitations, seat_keys, store_state

SET_BACK = 1
"""As SQLite's user version: the store was set back, and nothing has been played since."""
_PARTS = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore has done.

    Attributes:
        contents: what the database holds now.
        letters: matches by letters that were brought back.
        stayed: matches by letters that stay as they were, since they are as far as in the backup.
        aside: the folder with what was there before; None where there was nothing.
    """

    contents: Contents
    letters: int
    stayed: int
    aside: Path | None


def restore(backup: Path, path: Path) -> Restored:
    """Put a checked copy of a backup in the place of the database; the caller holds the lock of the folder.

    What was there is moved into a folder next to it. A power cut in the middle leaves the old state, the new one, or
    none; with none the server does not start, and a restore can be run again. Matches by letters are brought back one
    by one, where they are gone, damaged or not as far.

    Raises:
        StoreError: the backup is no good, or cannot be written; then nothing was changed.
    """
    data_folder.prepare_folder(path.parent)
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".restoring-") as folder:
            new, by_letter = duplicate(backup, Path(folder)), Path(folder) / copies.FOLDER
            contents = _rebuilt(new, backup, by_letter)
            aside = _Aside(path)
            aside.take_database()
            data_folder.put_in_place(new, path)
            _write_mark(path)
            brought, stayed = _bring_back(by_letter, path, aside)
    except OSError as problem:
        raise data_folder.in_words(problem, path.parent) from problem
    return Restored(contents, brought, stayed, aside.made)


def _bring_back(by_letter: Path, path: Path, aside: _Aside) -> tuple[int, int]:
    try:
        return copies.bring_back(by_letter, path.parent / copies.FOLDER, aside.folder)
    except OSError as problem:
        raise StoreError(
            f"the matches at the table are restored, but not all of those by letters ({problem.strerror or problem}); "
            "run the restore again"
        ) from problem


def accept(path: Path) -> Contents:
    """Go on with a sound database though changes that were confirmed are not in it; raises ``StoreError``."""
    if not data_folder.check_file(path):
        raise StoreError(f"there is no database {path}; restore a backup with `rasputitsa restore FILE`")
    startup_checks.refuse_empty(path)
    _renew(path)
    contents = check(path)
    if contents.letters:
        raise copies.not_in_place(path)
    _write_mark(path)
    return contents


def _rebuilt(new: Path, backup: Path, by_letter: Path) -> Contents:
    """Bring the copy of a backup into one sound file with an identity of its own, and its letters into a folder."""
    with translated(), contextlib.closing(sqlite3.connect(new)) as database:
        refuse_programs(database, backup)
        database.execute("PRAGMA journal_mode=DELETE")  # takes over what is in the log
        copies.take_out(database, backup, by_letter)
    told, found = Mark(startup_checks.mark_of(new)).read(), _reached(new)
    if told and found and (told.store, told.changes) > (found.store, found.changes):
        raise MissingChangesError(
            f"{backup} lacks {told.changes - found.changes} changes that the mark next to it records: "
            f"{backup.name}-wal was not copied along. To restore it all the same, copy it elsewhere first"
        )
    _renew(new)
    contents = check(new)
    if contents.revision != HEAD:  # of an earlier version: whether it can be opened is known when it is migrated
        with tempfile.TemporaryDirectory(dir=new.parent, prefix="rehearsal-") as folder:
            rehearse(new, Path(folder), backup)
    return contents


def _renew(path: Path) -> None:
    """Give a store an identity of its own: from here on it goes another way than the one it is a copy of.

    Nobody is signed in any more: who had signed a browser out since then would find it signed in again.
    """
    with _engine(path) as engine, engine.begin() as connection:
        if startup_checks.reached(connection) is not None:
            connection.execute(update(store_state).values(store=secrets.token_hex(16)))
            connection.exec_driver_sql(f"PRAGMA user_version = {SET_BACK}")
            if inspect(connection).has_table(account_sessions.name):
                connection.execute(delete(seat_keys).where(seat_keys.c.session != ""))
                if "session" in {column["name"] for column in inspect(connection).get_columns(invitations.name)}:
                    connection.execute(delete(invitations).where(invitations.c.session != ""))
                connection.execute(delete(account_sessions))


def _reached(path: Path) -> StoreProgress | None:
    with _engine(path) as engine, engine.connect() as connection:
        return startup_checks.reached(connection)


def _write_mark(path: Path) -> None:
    reached = _reached(path)
    try:
        if reached is None:
            startup_checks.mark_of(path).unlink(missing_ok=True)
        else:
            Mark(startup_checks.mark_of(path)).replace(reached)
    except OSError as problem:
        raise data_folder.in_words(problem, path.parent) from problem


@contextlib.contextmanager
def _engine(path: Path) -> Iterator[Engine]:
    engine = engine_on(path)
    try:
        with translated():
            yield engine
    finally:
        engine.dispose()


class _Aside:
    """Where what gives way to a backup is kept, next to the database; made when it is needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.made: Path | None = None

    def folder(self) -> Path:
        """The folder. Raises ``OSError``."""
        if self.made is None:
            now = f"{datetime.datetime.now(datetime.UTC):%Y%m%d-%H%M%S}"
            self.made = Path(tempfile.mkdtemp(dir=self._path.parent, prefix=f"{startup_checks.ASIDE}{now}-"))
            sync_folder(self._path.parent)
        return self.made

    def take_database(self) -> None:
        """Move a database and all that belongs to it there, the database first and safely. Raises ``OSError``."""
        database, *others = (self._path.with_name(f"{self._path.name}{part}") for part in _PARTS)
        for each in (database, *others, startup_checks.mark_of(self._path)):
            if os.path.lexists(each):
                each.rename(self.folder() / each.name)
                sync_folder(self.folder())
                sync_folder(self._path.parent)
