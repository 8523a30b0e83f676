"""Copies of a whole store that can be trusted: written while the server runs, checked, and brought to disk."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from rasputitsa.server.store import copies, data_folder, startup_checks
from rasputitsa.server.store.commit_mark import Mark, sync_folder
from rasputitsa.server.store.connecting import engine_on, refuse_programs, translated
from rasputitsa.server.store.errors import DamagedStoreError, DiskFullError, NewerStoreError, StoreError
from rasputitsa.server.store.migrating import HEAD, REVISIONS, copy_to
from rasputitsa.server.store.shape import refuse_strange

_NAMED = re.compile(r"matches-\d{8}-\d{6}(-\d+)?\.db")
_UNFINISHED = ("-wal", "-journal")
"""What SQLite still has to take over into the file itself."""
_MAGIC = b"SQLite format 3\0"
"""How every file of SQLite begins, unless it is empty."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds.

    Attributes:
        incomplete: matches that lack entries.
        changed_ms: when it was changed last, in milliseconds since 1970; 0 for one of the first versions.
        letters: matches by letters; none but in a backup.
    """

    revision: str
    matches: int
    entries: int
    incomplete: tuple[int, ...]
    changed_ms: int
    letters: int = 0


def check(path: Path) -> Contents:
    """Read a database from end to end; raises ``StoreError`` if it is damaged, newer, or none of ours."""
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise data_folder.in_words(problem, path) from problem
    if size == 0:
        raise DamagedStoreError(f"{path} is empty (0 bytes)")
    with translated(), contextlib.closing(sqlite3.connect(_address(path, "mode=ro&immutable=1"), uri=True)) as database:
        for each in ("integrity_check", "foreign_key_check"):
            wrong = [" ".join(map(str, row)) for row in database.execute(f"PRAGMA {each}")]
            if wrong not in ([], ["ok"]):
                raise DamagedStoreError(f"{path} is damaged: {'; '.join(wrong[:3])}")
        refuse_programs(database, path)
        contents = _contents(database, path)
        if contents.revision == HEAD:
            refuse_strange(database, path, besides=copies.TABLE)
        return replace(contents, letters=copies.count(database, path))


def _contents(database: sqlite3.Connection, path: Path) -> Contents:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "matches", "journal"} <= tables:
        raise DamagedStoreError(f"{path} is a database of another program")
    (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone() or ("none",)
    if revision not in REVISIONS:
        raise NewerStoreError(f"{path} was written by a newer version of this program; please update")
    counts = database.execute(
        "SELECT m.id, m.entries, count(j.seq), ifnull(max(j.seq), -1)"
        " FROM matches m LEFT JOIN journal j ON j.match_id = m.id WHERE m.entries >= 0 GROUP BY m.id"
    ).fetchall()
    changed = database.execute("SELECT changed_ms FROM store_state").fetchone() if "store_state" in tables else None
    return Contents(
        revision=revision,
        matches=len(counts),
        entries=sum(found for _, _, found, _ in counts),
        incomplete=tuple(number for number, told, found, last in counts if not told == found == last + 1),
        changed_ms=changed[0] if changed else 0,
    )


def back_up(path: Path, target: Path) -> Contents:
    """Write a checked copy of the database, and of the letters next to it, to a new file, while the server may go on.

    Raises:
        StoreError: there is no sound database, or a file in the way; nothing is left at the target.
    """
    if target.exists() or target.is_symlink():
        raise StoreError(f"{target} exists already; nothing was written")
    try:
        with readable(path) as source, tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
            new = Path(folder) / target.name
            _copy(source, new)
            with translated():
                copies.put_into(new, path.parent / copies.FOLDER)
            contents = check(new)
            data_folder.put_in_place(new, target)
    except FileExistsError as problem:
        raise StoreError(f"{target} exists already; nothing was written") from problem
    except OSError as problem:
        raise data_folder.in_words(problem, target.parent) from problem
    return contents


def _copy(source: Path, new: Path) -> None:
    told = Mark(startup_checks.mark_of(source)).read()
    engine = engine_on(source)
    try:
        with translated(), engine.connect() as connection:
            startup_checks.refuse_missing(connection, source, told)
            connection.rollback()
            copy_to(connection, new)
    finally:
        engine.dispose()


def is_older(path: Path) -> bool:
    """Whether a database is of an earlier version of the program; raises ``StoreError`` where it cannot be read."""
    with translated(), contextlib.closing(sqlite3.connect(path)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
        found = database.execute("SELECT version_num FROM alembic_version").fetchone() if tables else None
    return found is not None and found[0] in REVISIONS[:-1]


@contextlib.contextmanager
def to_look_at(path: Path) -> Iterator[Path]:
    """The database, or a copy of one of an earlier version, which a server of that version may be at work on."""
    with readable(path) as source:
        if not is_older(source):
            yield source
            return
        with tempfile.TemporaryDirectory(prefix="rasputitsa-") as folder:
            new = Path(folder) / path.name
            _copy(source, new)
            yield new


@contextlib.contextmanager
def readable(path: Path) -> Iterator[Path]:
    """The database, or where its folder cannot be written, as on a disk that fails, a copy next to the log it needs."""
    if not path.is_file():
        raise StoreError(f"there is no database {path}")
    startup_checks.refuse_empty(path)
    if os.access(path.parent, os.W_OK) and os.access(path, os.W_OK):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="rasputitsa-") as folder:
        yield duplicate(path, Path(folder))


def duplicate(path: Path, folder: Path) -> Path:
    """The files of a database that nobody writes to, copied into a folder of their own: itself, its logs, its mark.

    Raises:
        StoreError: they are no files of a database, or larger than the room there is; nothing was copied.
    """
    _refuse_endless(path, folder)
    copy = folder / "matches.db"
    shutil.copyfile(path, copy)
    for part in _UNFINISHED:
        if (other := path.with_name(f"{path.name}{part}")).exists():
            shutil.copyfile(other, copy.with_name(f"{copy.name}{part}"))
    if path.name == copy.name and startup_checks.mark_of(path).exists():
        shutil.copyfile(startup_checks.mark_of(path), startup_checks.mark_of(copy))
    for file in folder.iterdir():
        file.chmod(data_folder.FILE_MODE)
    return copy


def _refuse_endless(path: Path, folder: Path) -> None:
    """Refuse to copy what is no database, or would fill the disk: nothing is known of a file from elsewhere."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) not in (_MAGIC, b""):
            raise DamagedStoreError(f"{path} is no database")
    size = path.stat().st_size
    for other in (*(path.with_name(f"{path.name}{part}") for part in _UNFINISHED), startup_checks.mark_of(path)):
        if os.path.lexists(other):
            if not other.is_file():
                raise DamagedStoreError(f"{other} is no ordinary file, as it belongs to a database; move it away")
            size += other.stat().st_size
    if size > shutil.disk_usage(folder).free:
        raise DiskFullError(f"there is no room on the disk of {folder.parent} for {path}; nothing was changed")


def new_name(folder: Path) -> Path:
    """A name for a backup made now, in UTC; no other one has it."""
    now = f"{datetime.datetime.now(datetime.UTC):%Y%m%d-%H%M%S}"
    path, number = folder / f"matches-{now}.db", 1
    while path.exists():
        number += 1
        path = folder / f"matches-{now}-{number}.db"
    return path


def prune(folder: Path, keep: int, newest: Path) -> list[Path]:
    """Remove the oldest backups beyond this many, never the newest one, and nothing but backups; gives what is gone."""
    backups = [path for path in folder.iterdir() if _NAMED.fullmatch(path.name) and path.is_file()]
    # by the time they were written, as the file system tells it: a clock that was wrong is in the names forever
    older = sorted((path for path in backups if path != newest), key=lambda path: (path.stat().st_mtime_ns, path.name))
    gone = older[: max(0, len(backups) - keep)]
    for path in gone:
        path.unlink()
    if gone:
        sync_folder(folder)
    return gone


def _address(path: Path, options: str) -> str:
    return f"file:{quote(str(path.absolute()))}?{options}"
