"""Opening a database: durability, integrity, completeness and version are settled before anything is served."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, text

from rasputitsa.server.store import data_folder, migrating, startup_checks
from rasputitsa.server.store.commit_mark import Mark
from rasputitsa.server.store.connecting import driver_of, engine_on, refuse_programs, translated
from rasputitsa.server.store.disk_reserve import release
from rasputitsa.server.store.errors import DamagedStoreError, DiskFullError
from rasputitsa.server.store.shape import refuse_strange


class Opened(NamedTuple):
    """A database ready for use, and the mark that tells how far it has come."""

    engine: Engine
    mark: Mark


def open_database(path: Path) -> Opened:
    """The SQLite file, created or migrated where needed; raises ``StoreError``."""
    data_folder.prepare_folder(path.parent, begun=path.is_file())
    try:
        try:
            return _opened(path)
        except (OSError, DiskFullError) as problem:
            full = isinstance(problem, DiskFullError) or problem.errno in (errno.ENOSPC, errno.EDQUOT)
            if not (full and release(path)):
                raise
            return _opened(path)  # with the room that was laid by for it
    except OSError as problem:
        raise data_folder.in_words(problem, path.parent) from problem


def is_up_to_date(engine: Engine, path: Path) -> bool:
    """Whether the newest migration is done; raises ``StoreError`` where that cannot be read."""
    with translated(), engine.connect() as connection:
        return migrating.revision_of(connection, path) == migrating.HEAD


def _opened(path: Path) -> Opened:
    if not data_folder.check_file(path):
        startup_checks.refuse_traces(path)
        with (
            contextlib.suppress(FileExistsError),  # another program was quicker
            startup_checks.fresh(path) as new,
            _connected(new) as connection,
        ):
            migrating.upgrade(connection)
    startup_checks.refuse_empty(path)
    data_folder.keep_private(path)
    mark = Mark(startup_checks.mark_of(path))
    told = mark.read()  # before the database, which may grow in between but never shrinks
    engine = engine_on(path)
    try:
        with translated(), engine.connect() as connection:
            _check_integrity(connection, path)
            refuse_programs(driver_of(connection), path)
            startup_checks.refuse_missing(connection, path, told)
            migrating.bring_up_to_date(connection, path)
            refuse_strange(driver_of(connection), path)
            startup_checks.agree(connection, mark, told)
    except BaseException:
        engine.dispose()
        raise
    return Opened(engine, mark)


@contextlib.contextmanager
def _connected(path: Path) -> Iterator[Connection]:
    engine = engine_on(path)
    try:
        with translated(), engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _check_integrity(connection: Connection, path: Path) -> None:
    found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check(5)"))]
    if found != ["ok"]:
        raise DamagedStoreError(
            f"the database {path} is damaged ({'; '.join(found)}); restore a backup with `rasputitsa restore FILE`"
        )
