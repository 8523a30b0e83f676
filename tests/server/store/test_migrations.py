"""Older databases: kept, migrated on a copy first, and compared row by row."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command

from rasputitsa.server.store import DiskFullError, Store, migrating
from rasputitsa.server.store.migrating import MigrationError
from tests.server.store.test_store import old_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "matches.db"
    old_database(path, "0003")
    with sqlite3.connect(path) as raw:
        raw.executemany("INSERT INTO journal VALUES (7, ?, 'red', ?, 0)", [(n, f"line {n}") for n in range(3)])
        raw.execute("INSERT INTO requests VALUES (7, 'red', 'r', 'd', 'a')")
    return path


def rows(path: Path) -> dict[str, list[Any]]:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {table: sorted(raw.execute(f"SELECT * FROM {table}")) for table in tables}


def files(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_a_migration_loses_nothing_and_leaves_a_way_back(path: Path) -> None:
    before = rows(path)
    Store(path).close()
    kept = path.with_name(f"matches.db.before-{migrating.HEAD}")
    assert rows(kept) == before
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    after = rows(path)
    for table in ("journal", "requests", "analyses", "sqlite_sequence"):
        width = len(before[table][0]) if before[table] else 0
        assert [row[:width] for row in after[table]] == [row[:width] for row in before[table]]
    assert files(path) == {"matches.db", "matches.mark", kept.name}


def test_a_way_back_is_never_overwritten(path: Path) -> None:
    older = path.with_name(f"matches.db.before-{migrating.HEAD}")
    older.write_text("precious")
    Store(path).close()
    assert older.read_text() == "precious"
    assert rows(path.with_name(f"{older.name}.2"))["matches"]


HARM = {
    "a row removed": "DELETE FROM journal WHERE seq = 1",
    "a row changed": "UPDATE journal SET line = 'other' WHERE seq = 2",
    "a row made up": "INSERT INTO requests VALUES (7, 'blue', 'x', 'd', 'a', 0)",
    "a table removed": "DROP TABLE requests",
    "a column removed": "ALTER TABLE matches DROP COLUMN title",
    "rows removed with another table's": "PRAGMA foreign_keys",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_a_migration_that_loses_something_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch, harm: str) -> None:
    real = command.upgrade

    def upgrade(config: Any, revision: str) -> None:
        real(config, revision)
        connection = config.attributes["connection"]
        connection.exec_driver_sql(harm)
        if harm.startswith("PRAGMA"):  # what making a table again does where the links between tables are enforced
            connection.exec_driver_sql("DELETE FROM seats")

    before = rows(path)
    monkeypatch.setattr(command, "upgrade", upgrade)
    with pytest.raises(MigrationError, match="nothing was changed"):
        Store(path)
    assert rows(path) == before
    assert files(path) == {"matches.db"}
    monkeypatch.undo()
    assert Store(path).match(7).title == "t"


def test_a_table_is_rebuilt_without_losing_what_refers_to_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropping a table deletes its rows first, and with them, where links are enforced, whatever refers to them."""
    real = command.upgrade

    def upgrade(config: Any, revision: str) -> None:
        real(config, revision)
        connection = config.attributes["connection"]
        made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'matches'").scalar()
        connection.exec_driver_sql(made.replace("matches", "other"))
        connection.exec_driver_sql("INSERT INTO other SELECT * FROM matches")
        connection.exec_driver_sql("DROP TABLE matches")
        connection.exec_driver_sql("ALTER TABLE other RENAME TO matches")
        connection.exec_driver_sql("CREATE INDEX ix_matches_updated_ms ON matches (updated_ms)")

    monkeypatch.setattr(command, "upgrade", upgrade)
    store = Store(path)
    assert len(store.journal(7)) == 3


def test_a_migration_that_fails_in_the_middle_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time on the copy, and where that went well, on the database itself."""
    real, runs, fatal = command.upgrade, list[str](), [0]

    def upgrade(config: Any, revision: str) -> None:
        real(config, revision)
        runs.append(revision)
        if len(runs) == fatal[0]:
            raise sqlite3.OperationalError("full") from None

    before = rows(path)
    monkeypatch.setattr(command, "upgrade", upgrade)
    for number in (1, 2):
        runs.clear()
        fatal[0] = number
        with pytest.raises(Exception, match="full"):
            Store(path)
        assert rows(path) == before
    assert not [name for name in files(path) if "rehearsal" in name]


def test_a_disk_too_full_for_the_way_back_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(DiskFullError, match="no room left"):
        Store(path)
    assert rows(path) == before


KILLED = """
import os, sys
from pathlib import Path
from rasputitsa.server.store import Store, migrating
from rasputitsa.server.store.connecting import driver_of

def die(*_):
    os._exit(9)

when, path = sys.argv[1:]
if when == "copied half":
    real = migrating.copy_to
    def copy_to(connection, target):
        driver_of(connection).set_progress_handler(die, 200)
        real(connection, target)
    migrating.copy_to = copy_to
elif when == "copied":
    migrating.rehearse = die
else:
    migrating.upgrade, real = lambda connection, before: real(connection, before) if "rehearsal" in str(
        connection.engine.url) else die(), migrating.upgrade
Store(Path(path))
"""


@pytest.mark.parametrize("when", ["copied half", "copied", "rehearsed"])
def test_a_start_that_is_killed_again_and_again_leaves_a_whole_way_back_or_none(path: Path, when: str) -> None:
    """Under its name never half of it; and a service that is started forever does not fill the disk with copies."""
    with sqlite3.connect(path) as raw:
        raw.executemany("INSERT INTO journal VALUES (7, ?, 'red', ?, 0)", [(n, "x" * 500) for n in range(3, 2000)])
    before = rows(path)
    for _ in range(3):
        killed = subprocess.run([sys.executable, "-c", KILLED, when, str(path)], check=False)
        assert killed.returncode == 9
        for kept in path.parent.glob("matches.db.before-*"):
            assert rows(kept) == before
        copies = [file for file in path.parent.rglob("*") if file.is_file() and file.stat().st_size > 400_000]
        assert len(copies) <= 3, "the database, its copy, and what it is rehearsed on"
    Store(path).close()
    assert files(path) == {"matches.db", "matches.mark", f"matches.db.before-{migrating.HEAD}"}
    assert rows(path.with_name(f"matches.db.before-{migrating.HEAD}")) == before
