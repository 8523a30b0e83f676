"""Connections to a database that give the durability that is promised, and errors of the driver in plain words."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from rasputitsa.server.store.errors import (
    DamagedStoreError,
    DiskFullError,
    LockedStoreError,
    ReadOnlyStoreError,
    StoreError,
    UnsafeStoreError,
)

_JOURNAL_MODE = "wal"
_SYNCHRONOUS = "FULL"
_SYNCHRONOUS_FULL = 2
_BUSY_SECONDS = 10
_CONNECTIONS = 24
"""Kept open: one for each thread that may ask at once, for opening another costs more than most questions."""


def engine_on(path: Path) -> Engine:
    """An engine whose connections give the durability that is promised, or refuse."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS}, pool_size=_CONNECTIONS)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turn errors of the database driver into ours."""
    try:
        yield
    except DBAPIError as error:
        raise _in_words(error.orig) from error
    except sqlite3.Error as error:
        raise _in_words(error) from error


def _in_words(error: BaseException | None) -> StoreError:
    """What SQLite reported; https://sqlite.org/rescode.html lists the names."""
    message, name = str(error), str(getattr(error, "sqlite_errorname", ""))
    kind = name.removeprefix("SQLITE_").partition("_")[0]
    match kind:
        case "FULL":
            return DiskFullError("there is no room left on the disk; nothing was changed")
        case "IOERR":
            return DiskFullError(f"the disk is full or reports errors ({name}); nothing was changed")
        case "READONLY":
            return ReadOnlyStoreError("the database or its disk is read-only; nothing was changed")
        case "CANTOPEN" | "PERM" | "AUTH":
            return ReadOnlyStoreError("the database cannot be opened: no permission, or its folder is gone")
        case "BUSY" | "LOCKED":
            return LockedStoreError("another program holds the database locked; nothing was changed")
        case "PROTOCOL" | "NOLFS":
            return UnsafeStoreError("the disk does not lock files as it must; choose a folder on a local disk")
        case "CORRUPT" | "NOTADB":
            return DamagedStoreError(f"the database is damaged: {message}")
    return StoreError(f"the database refused: {message}")


def _on_connect(dbapi: Any, _record: object) -> None:
    dbapi.isolation_level = None  # transactions are opened by _on_begin, not guessed by the driver
    journal = dbapi.execute(f"PRAGMA journal_mode={_JOURNAL_MODE}").fetchone()[0]
    dbapi.execute(f"PRAGMA synchronous={_SYNCHRONOUS}")
    dbapi.execute("PRAGMA fullfsync=ON")  # macOS keeps what is synced in the drive's cache without it
    dbapi.execute("PRAGMA checkpoint_fullfsync=ON")
    dbapi.execute("PRAGMA foreign_keys=ON")
    dbapi.execute("PRAGMA trusted_schema=OFF")  # no function with side effects is called by the schema of a file
    synchronous = dbapi.execute("PRAGMA synchronous").fetchone()[0]
    if journal != "wal" or synchronous != _SYNCHRONOUS_FULL:
        raise UnsafeStoreError(
            f"the database gives journal mode {journal!r} and synchronous {synchronous}; "
            "'wal' and 2 (FULL) are needed so that no accepted move can be lost. "
            "Choose a data directory on a local disk."
        )


def driver_of(connection: Connection) -> sqlite3.Connection:
    """SQLite's own connection below that of SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def refuse_programs(dbapi: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that acts on its own: one put there by a stranger could add a key to every new match."""
    found = [name for (name,) in dbapi.execute("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')")]
    if found:
        raise DamagedStoreError(
            f"{path} holds triggers or views ({', '.join(map(repr, found[:3]))}), which this program never makes; "
            "do not trust it"
        )


def _on_begin(connection: Connection) -> None:
    mode = connection.get_execution_options().get("begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")
