"""What is deleted or replaced leaves no copy behind: neither in free pages of the database, nor in its log."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy import Connection, Table, delete, insert, select

_KINDS = {0: "OFF", 1: "ON", 2: "FAST"}


@contextlib.contextmanager
def wiping(database: sqlite3.Connection) -> Iterator[None]:
    """What is deleted or replaced in the block is overwritten with zeros; whatever else is written takes no longer."""
    (before,) = database.execute("PRAGMA secure_delete").fetchone()
    database.execute("PRAGMA secure_delete=ON")
    try:
        yield
    finally:
        database.execute(f"PRAGMA secure_delete={_KINDS[before]}")


def rewrite(connection: Connection, table: Table) -> None:
    """Write the rows of a small table again: where they made room for others, copies stay that nothing else overwrites.

    To be done while ``wiping``.
    """
    rows = [dict(row) for row in connection.execute(select(table)).mappings()]
    connection.execute(delete(table))
    if rows:
        connection.execute(insert(table), rows)


def empty_log(database: sqlite3.Connection) -> bool:
    """Put the newest changes into their place, and empty the log; False, and nobody waits, while somebody reads it."""
    (patience,) = database.execute("PRAGMA busy_timeout").fetchone()
    database.execute("PRAGMA busy_timeout=0")
    try:
        (busy, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        database.execute(f"PRAGMA busy_timeout={patience}")
    return not busy
