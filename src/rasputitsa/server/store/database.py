"""Opening a database: durability, integrity and version are settled before anything is served."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from rasputitsa.server.store.errors import (
    DamagedStoreError,
    DiskFullError,
    NewerStoreError,
    StoreError,
    UnsafeStoreError,
)

HEAD = "0002"
"""The newest migration this program knows."""

_REVISIONS = ("0001", "0002")
_JOURNAL_MODE = "wal"
_SYNCHRONOUS_FULL = 2
_BUSY_SECONDS = 10


def open_database(path: Path) -> Engine:
    """An engine on the SQLite file, created or migrated where needed; raises ``StoreError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot make the data directory {path.parent}: {error.strerror}") from error
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    try:
        with translated(), engine.connect() as connection:
            _check_integrity(connection, path)
            _bring_up_to_date(connection, path)
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turn errors of the database driver into ours."""
    try:
        yield
    except DBAPIError as error:
        message = str(error.orig)
        if "full" in message or "disk I/O error" in message:
            raise DiskFullError("there is no room left on the disk; nothing was changed") from error
        if "not a database" in message or "malformed" in message:
            raise DamagedStoreError(f"the database is damaged: {message}") from error
        raise StoreError(f"the database refused: {message}") from error


def _on_connect(dbapi: Any, _record: object) -> None:
    dbapi.isolation_level = None  # transactions are opened by _on_begin, not guessed by the driver
    journal = dbapi.execute(f"PRAGMA journal_mode={_JOURNAL_MODE}").fetchone()[0]
    dbapi.execute("PRAGMA synchronous=FULL")
    dbapi.execute("PRAGMA foreign_keys=ON")
    synchronous = dbapi.execute("PRAGMA synchronous").fetchone()[0]
    if journal != "wal" or synchronous != _SYNCHRONOUS_FULL:
        raise UnsafeStoreError(
            f"the database gives journal mode {journal!r} and synchronous {synchronous}; "
            "'wal' and 2 (FULL) are needed so that no accepted move can be lost. "
            "Choose a data directory on a local disk."
        )


def _on_begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")


def _check_integrity(connection: Connection, path: Path) -> None:
    found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check(5)"))]
    if found != ["ok"]:
        raise DamagedStoreError(
            f"the database {path} is damaged ({'; '.join(found)}); restore a backup or move the file away"
        )


def _bring_up_to_date(connection: Connection, path: Path) -> None:
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" in tables:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found == HEAD:
            return
        if found not in _REVISIONS:
            raise NewerStoreError(
                f"the database {path} was written by a newer version of this program "
                f"(revision {found}; this program knows up to {HEAD}); please update"
            )
        connection.rollback()
        _back_up(connection, path.with_name(f"{path.name}.before-{HEAD}"))
    elif tables:
        raise DamagedStoreError(f"{path} is a database of another program")
    _migrate(connection)


def _back_up(connection: Connection, target: Path) -> None:
    """Leave a way back beside the database; outside a transaction, as VACUUM demands."""
    target.unlink(missing_ok=True)
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute("VACUUM INTO ?", (str(target),))


def _migrate(connection: Connection) -> None:
    # imported here: a database that is up to date, the usual case, starts without Alembic
    from alembic import command
    from alembic.config import Config

    with as_file(files("rasputitsa.server.store").joinpath("migrations")) as scripts:
        config = Config()
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
