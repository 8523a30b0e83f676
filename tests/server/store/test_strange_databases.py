"""Databases that are sound, and were made so that they open seats of matches that are still to come."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rasputitsa.server.store import DamagedStoreError, Store, backup, digest, restoring
from tests.server.store.stores import left_running

KEY = digest("the key of a stranger")


def unbound(database: sqlite3.Connection, table: str) -> None:
    """The table without the rule that its rows belong to a match."""
    (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    free, count = re.subn(r",\s*(CONSTRAINT \w+ )?FOREIGN KEY.*?ON DELETE CASCADE", "", sql)
    if not count:
        free = re.sub(r" REFERENCES matches \(id\) ON DELETE CASCADE", "", sql)
    indexes = database.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,)
    )
    again = [sql for (sql,) in indexes.fetchall()]
    database.execute(free.replace(f"CREATE TABLE {table}", "CREATE TABLE other"))
    database.execute(f"INSERT INTO other SELECT * FROM {table}")
    database.execute(f"DROP TABLE {table}")
    database.execute(f"ALTER TABLE other RENAME TO {table}")
    for sql in again:
        database.execute(sql)


def keys_for_the_future(database: sqlite3.Connection) -> None:
    database.executemany(
        "INSERT INTO seat_keys (match_id, seat, digest, created_ms) VALUES (?, 'red', ?, 0)",
        [(number, KEY) for number in range(2, 99)],
    )


def unbound_keys_for_the_future(database: sqlite3.Connection) -> None:
    unbound(database, "seat_keys")
    keys_for_the_future(database)


def a_link_for_the_future(database: sqlite3.Connection) -> None:
    unbound(database, "invitations")
    names = [name for _, name, *_ in database.execute("PRAGMA table_info(invitations)")]
    values = {"digest": KEY, "match_id": 2, "seat": "red", "kind": "guest", "created_ms": 0, "claimed_ms": None}
    row = [values.get(name, "") for name in names]
    database.execute(f"INSERT INTO invitations VALUES ({', '.join('?' * len(names))})", row)


def keys_that_stay_when_a_match_goes(database: sqlite3.Connection) -> None:
    unbound(database, "seat_keys")


def keys_that_are_all_alike(database: sqlite3.Connection) -> None:
    (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'seat_keys'").fetchone()
    changed = sql.replace("digest VARCHAR(64) NOT NULL", "digest VARCHAR(64) NOT NULL COLLATE NOCASE")
    assert changed != sql
    database.execute("PRAGMA writable_schema=ON")
    database.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'seat_keys'", (changed,))


def numbers_that_come_again(database: sqlite3.Connection) -> None:
    (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'matches'").fetchone()
    changed = re.sub(" AUTOINCREMENT", "", sql, flags=re.I)
    assert changed != sql
    database.execute("PRAGMA writable_schema=ON")
    database.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'matches'", (changed,))


def a_rematch_of_a_match_to_come(database: sqlite3.Connection) -> None:
    (number,) = database.execute("SELECT max(id) FROM matches").fetchone()
    database.execute("INSERT INTO rematches VALUES (?, 'red', ?, 'blue', 'offered')", (number, number + 1))


def a_request_for_a_match_to_come(database: sqlite3.Connection) -> None:
    (number,) = database.execute("SELECT max(id) FROM matches").fetchone()
    database.execute("INSERT INTO creations VALUES (?, '', ?, 'salt', '{}', '', 0)", (KEY, number + 1))


def a_column_is_gone(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE matches DROP COLUMN opened")


def a_table_is_gone(database: sqlite3.Connection) -> None:
    database.execute("DROP TABLE agreements")


def a_table_of_others(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE notes (text TEXT)")


def an_index_that_works_something_out(database: sqlite3.Connection) -> None:
    database.execute("CREATE INDEX odd ON matches (abs(entries))")


def an_index_that_refuses_rows(database: sqlite3.Connection) -> None:
    database.execute("DROP INDEX ix_creations_creator")
    database.execute("CREATE UNIQUE INDEX ix_creations_creator ON creations (creator)")


def an_index_is_gone(database: sqlite3.Connection) -> None:
    database.execute("DROP INDEX ix_journal_ply")


def a_revision_twice(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO alembic_version VALUES ('0001')")


HARM = [
    keys_for_the_future, unbound_keys_for_the_future, a_link_for_the_future, keys_that_stay_when_a_match_goes,
    keys_that_are_all_alike, numbers_that_come_again, a_rematch_of_a_match_to_come, a_request_for_a_match_to_come,
    a_column_is_gone, a_table_is_gone, a_table_of_others,
    an_index_that_works_something_out, an_index_that_refuses_rows, an_index_is_gone, a_revision_twice,
]  # fmt: skip


@pytest.mark.parametrize("harm", HARM)
def test_a_database_that_lies_in_wait_is_neither_opened_nor_restored(
    tmp_path: Path, harm: Callable[[sqlite3.Connection], None]
) -> None:
    path, copy, other = tmp_path / "a" / "matches.db", tmp_path / "copy.db", tmp_path / "b" / "matches.db"
    left_running(path, 3)
    backup.back_up(path, copy)
    database = sqlite3.connect(copy, isolation_level=None)
    harm(database)
    database.close()
    with pytest.raises(DamagedStoreError):
        restoring.restore(copy, other)
    assert not other.exists()
    other.parent.mkdir(exist_ok=True)
    copy.rename(other)
    with pytest.raises(DamagedStoreError, match="made or changed by another program"):
        Store(other)


def set_back(database: sqlite3.Connection) -> None:
    """As a version without late onlookers, accounts, classes and a bound of free time had it."""
    for table in ("seat_keys", "invitations"):
        database.execute(f"DROP INDEX ix_{table}_session")
        database.execute(f"ALTER TABLE {table} DROP COLUMN session")
    of_onlookers, of_accounts, of_classes = (
        ("delays", "disclosures"),
        ("accounts", "account_sessions", "account_passkeys", "account_seats", "rated_matches", "results"),
        ("class_answers", "class_cards", "class_pupils", "class_matches", "classes"),
    )
    for table in ("account_blocks", *of_onlookers, *of_accounts, *of_classes):
        database.execute(f"DROP TABLE {table}")
    database.execute("ALTER TABLE seat_clocks DROP COLUMN free_ms")
    database.execute("UPDATE alembic_version SET version_num = '0017'")


@pytest.mark.parametrize("harm", [unbound_keys_for_the_future, a_table_of_others, numbers_that_come_again])
def test_a_database_of_an_earlier_version_that_lies_in_wait_is_neither_migrated_nor_restored(
    tmp_path: Path, harm: Callable[[sqlite3.Connection], None]
) -> None:
    path, copy, other = tmp_path / "a" / "matches.db", tmp_path / "copy.db", tmp_path / "b" / "matches.db"
    left_running(path, 3)
    backup.back_up(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        set_back(database)
        harm(database)
    with pytest.raises(DamagedStoreError, match="made or changed by another program"):
        restoring.restore(copy, other)
    assert not other.exists()
    other.parent.mkdir(exist_ok=True)
    copy.rename(other)
    with pytest.raises(DamagedStoreError, match="made or changed by another program"):
        Store(other)
    with closing(sqlite3.connect(other)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("0017",)]


def test_a_backup_of_an_earlier_version_is_restored_as_it_is(tmp_path: Path) -> None:
    path, copy, new = tmp_path / "a" / "matches.db", tmp_path / "copy.db", tmp_path / "b" / "matches.db"
    left_running(path, 3)
    backup.back_up(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        set_back(database)
    assert restoring.restore(copy, new).contents.revision == "0017"
    Store(new).close()


def test_our_own_databases_are_opened(tmp_path: Path) -> None:
    path, copy = tmp_path / "a" / "matches.db", tmp_path / "copy.db"
    left_running(path, 3)
    backup.back_up(path, copy)
    restoring.restore(copy, tmp_path / "b" / "matches.db")
    Store(tmp_path / "b" / "matches.db").close()
