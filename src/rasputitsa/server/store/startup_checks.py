"""A new start told from a loss: what lies in the folder, and what the mark says was confirmed."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, select

from rasputitsa.server.store import data_folder
from rasputitsa.server.store.commit_mark import Mark, StoreProgress
from rasputitsa.server.store.errors import DamagedStoreError, MissingChangesError
from rasputitsa.server.store.schema import store_state
from rasputitsa.server.wall_clock import now_ms

log = logging.getLogger(__name__)

ASIDE = "before-restore-"
"""Folders in which a restore keeps what was there before it."""

_TRACES = ("matches.db.before-*", f"{ASIDE}*", "backups/matches-*.db")

_CLOCK_MS = 5 * 60_000

_WAY_ON = "Restore a backup with `rasputitsa restore FILE`, or go on with what there is: `rasputitsa restore --accept`."


def mark_of(path: Path) -> Path:
    """Where the mark of a database lies."""
    return path.with_suffix(".mark")


@contextlib.contextmanager
def fresh(path: Path) -> Iterator[Path]:
    """A place to make a new database in; it becomes ``path`` in one step, so that no half of one is ever found.

    Raises:
        OSError: of the kind ``FileExistsError`` if another program was quicker.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        new = Path(folder) / path.name
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, data_folder.FILE_MODE))
        yield new
        data_folder.put_in_place(new, path)


def refuse_traces(path: Path) -> None:
    """The database is missing: refuse to start over where there has been one."""
    traces = [other for other in (mark_of(path), path.with_name(f"{path.name}-wal")) if other.exists()]
    traces += sorted(other for kind in _TRACES for other in path.parent.glob(kind))
    if traces:
        raise DamagedStoreError(
            f"the database {path} is gone, but not what belongs to it ({', '.join(t.name for t in traces)}). "
            "Bring it back, or restore a backup with `rasputitsa restore FILE`; "
            f"to start over, choose another folder with --data.{_place_text(Mark(mark_of(path)).read())}"
        )


def refuse_empty(path: Path) -> None:
    """No start of this program leaves an empty file: it was a database once."""
    if path.stat().st_size == 0:
        raise DamagedStoreError(
            f"the database {path} is empty (0 bytes).{_place_text(Mark(mark_of(path)).read())} Restore a backup with "
            "`rasputitsa restore FILE`; if there never was a match in it, delete the file."
        )


def refuse_missing(connection: Connection, path: Path, told: StoreProgress | None) -> None:
    """Refuse a database that is sound, but older than what was confirmed."""
    found = reached(connection)
    if found is None or told is None:
        return
    if told.store != found.store:
        _keep_log(path)
        raise MissingChangesError(
            f"{mark_of(path)} belongs to another database than {path}: one of the two was put here by hand. {_WAY_ON}"
        )
    missing = told.changes - found.changes
    if missing > 0:
        _keep_log(path)
        raise MissingChangesError(
            f"{path} lacks the last {missing} changes that were confirmed: it ends on {_when(found.changed_ms)}, "
            f"confirmed were changes up to {_when(told.changed_ms)}. Its write-ahead log {path.name}-wal was cut, "
            f"deleted or not copied along. {_WAY_ON}"
        )


def agree(connection: Connection, mark: Mark, told: StoreProgress | None) -> None:
    """Bring the mark to where the database is."""
    found = reached(connection)
    assert found is not None
    if found.changed_ms > now_ms() + _CLOCK_MS:
        log.warning(
            "the database was changed last in the future, on %s: the clock of this machine is wrong, or was",
            _when(found.changed_ms),
        )
    if told is not None and told.store == found.store:
        mark.raise_to(found)
        return
    if told is None and found.changes:
        log.warning(
            "%s is missing, so nothing can tell whether the database is complete; it ends on %s",
            mark.path, _when(found.changed_ms),
        )  # fmt: skip
    mark.replace(found)


def reached(connection: Connection) -> StoreProgress | None:
    """How far the database has come; None of one that is older than this knowledge."""
    if store_state.name not in inspect(connection).get_table_names():
        return None
    known = select(store_state.c.store, store_state.c.changes, store_state.c.changed_ms)  # as older ones have them too
    row = connection.execute(known).first()
    return None if row is None else StoreProgress(row.store, row.changes, row.changed_ms)


def public_name(engine: Engine) -> str:
    """What tells a store from others to those who ask; empty for one without an identity."""
    with engine.connect() as connection:
        found = reached(connection)
    return hashlib.sha256(f"rasputitsa store {found.store}".encode()).hexdigest()[:16] if found else ""


def _keep_log(path: Path) -> None:
    """SQLite removes the write-ahead log when it closes; an expert may still find something in it."""
    kept = path.with_name(f"{path.name}-wal.kept")
    with contextlib.suppress(OSError):
        if not kept.exists():
            shutil.copyfile(path.with_name(f"{path.name}-wal"), kept)
            kept.chmod(data_folder.FILE_MODE)


def _place_text(told: StoreProgress | None) -> str:
    if told is None:
        return ""
    return f" It held {told.changes} changes, the last on {_when(told.changed_ms)}."


def _when(moment_ms: int) -> str:
    try:
        moment = datetime.datetime.fromtimestamp(moment_ms / 1000, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return "a day no calendar has"
    return f"{moment:%d %B %Y %H:%M:%S} UTC"
