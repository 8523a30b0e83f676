"""Bringing a database up to date: kept as it was, rehearsed on a copy, compared row by row, and then in one step."""

from __future__ import annotations

import contextlib
import filecmp
import logging
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.resources import as_file, files
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from rasputitsa.server.store import data_folder
from rasputitsa.server.store.commit_mark import sync_folder
from rasputitsa.server.store.connecting import driver_of, engine_on, translated
from rasputitsa.server.store.errors import DamagedStoreError, NewerStoreError, StoreError
from rasputitsa.server.store.shape import refuse_strange

log = logging.getLogger(__name__)

HEAD = "0025"
"""The newest migration this program knows."""

REVISIONS = tuple(f"{number:04}" for number in range(1, 26))

_OWN = ("alembic_version", "store_state")
"""What is to change with a migration."""

Rewrites = Mapping[str, Collection[str]]
"""Columns, by table, that a migration removes or writes again; it names them in ``rewrites``."""


class MigrationError(StoreError):
    """A migration would lose or change what it must not; the database is as it was."""


def revision_of(connection: Connection, path: Path) -> str:
    """The migration a database has reached.

    Raises:
        DamagedStoreError: it is none of ours.
        NewerStoreError: it is of a newer version of the program.
    """
    if "alembic_version" not in inspect(connection).get_table_names():
        raise DamagedStoreError(f"{path} is a database of another program")
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found not in REVISIONS:
        raise NewerStoreError(
            f"the database {path} was written by a newer version of this program "
            f"(revision {found}; this program knows up to {HEAD}); please update"
        )
    return str(found)


def bring_up_to_date(connection: Connection, path: Path) -> None:
    """Migrate an older database, and leave a way back next to it; raises ``StoreError`` and then changes nothing."""
    found = revision_of(connection, path)
    if found == HEAD:
        return
    connection.rollback()
    log.warning("bringing %s from revision %s to %s", path, found, HEAD)
    data_folder.sweep(path.parent)
    with data_folder.workplace(path.parent, ".before-") as aside:
        copy = aside / path.name
        copy_to(connection, copy)
        rehearse(copy, aside, path)
        before, made = keep_before(copy, path)
    try:
        upgrade(connection, before)
    except BaseException:
        if made:
            before.unlink()  # the database is as it was, and a server that is started again and again fills the disk
        raise


def keep_before(copy: Path, path: Path) -> tuple[Path, bool]:
    """Give a finished copy of a database as it was its name next to it; other ones stay.

    Also tells whether there is one more now: where a migration was killed its copy is there, and serves again.
    """
    for number in count(1):
        target = path.with_name(f"{path.name}.before-{HEAD}{f'.{number}' if number > 1 else ''}")
        with contextlib.suppress(FileExistsError):
            data_folder.put_in_place(copy, target)
            return target, True
        if not target.is_symlink() and target.is_file() and filecmp.cmp(copy, target, shallow=False):
            return target, False
    raise AssertionError


def copy_to(connection: Connection, target: Path) -> None:
    """Write the whole database to a new file, and bring that to disk; outside a transaction, as VACUUM demands."""
    driver = driver_of(connection)
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, data_folder.FILE_MODE))
    try:
        driver.execute("VACUUM INTO ?", (str(target),))
        with target.open("rb+") as file:
            os.fsync(file.fileno())
        sync_folder(target.parent)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def upgrade(connection: Connection, before: Path | None = None) -> None:
    """Run the missing migrations in one transaction, which is given up where it loses something of ``before``."""
    from alembic import command  # imported here: a database that is up to date, the usual case, does without
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    connection.rollback()
    with as_file(files("rasputitsa.server.store").joinpath("migrations")) as scripts, _prepared(connection, before):
        config = Config()
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.set_main_option("recursive_version_locations", "true")
        config.attributes["connection"] = connection
        with connection.begin():
            reached = inspect(connection).has_table("alembic_version") and revision_of(connection, Path())
            command.upgrade(config, "head")
            if before is not None:
                history = ScriptDirectory.from_config(config).iterate_revisions(HEAD, reached or "base")
                _compare(connection, [getattr(script.module, "rewrites", {}) for script in history])


@contextlib.contextmanager
def _prepared(connection: Connection, before: Path | None) -> Iterator[None]:
    """What can only be set outside a transaction."""
    driver = driver_of(connection)
    # a table that is made again is dropped first, and would take with it what refers to it
    driver.execute("PRAGMA foreign_keys=OFF")
    if before is not None:
        driver.execute("ATTACH ? AS before", (str(before),))
    try:
        yield
    finally:
        if before is not None:
            driver.execute("DETACH before")
        driver.execute("PRAGMA foreign_keys=ON")


def rehearse(before: Path, folder: Path, path: Path) -> None:
    """Migrate a copy made in a folder, and look at what it has become.

    Args:
        path: what is spoken of where it is refused.

    Raises:
        StoreError: that fails, loses something, or brings to light that another program has changed the database.
    """
    copy = folder / "rehearsal.db"
    shutil.copyfile(before, copy)
    engine = engine_on(copy)
    try:
        with translated(), engine.connect() as connection:
            upgrade(connection, before)
            for check in ("integrity_check", "foreign_key_check"):
                wrong = [str(row[0]) for row in connection.execute(text(f"PRAGMA {check}"))]
                if wrong not in ([], ["ok"]):
                    raise MigrationError(f"the database cannot be brought up to date: {'; '.join(wrong[:3])}")
            refuse_strange(driver_of(connection), path)
    finally:
        engine.dispose()


def _compare(connection: Connection, history: Iterable[Rewrites]) -> None:
    """Refuse a migration that loses or changes a row; raises ``MigrationError``."""
    rewritten: dict[str, set[str]] = {}
    for rewrites in history:
        for table, columns in rewrites.items():
            rewritten.setdefault(table, set()).update(columns)
    found = inspect(connection)
    for table in found.get_table_names(schema="before"):
        if table in _OWN:
            continue
        if not found.has_table(table):
            raise MigrationError(f"the migration loses the table {table}; nothing was changed")
        kept = [
            c["name"] for c in found.get_columns(table, schema="before") if c["name"] not in rewritten.get(table, ())
        ]
        lost = set(kept) - {column["name"] for column in found.get_columns(table)}
        if lost:
            raise MigrationError(f"the migration loses {', '.join(sorted(lost))} of {table}; nothing was changed")
        columns = ", ".join(f'"{name}"' for name in kept)
        old, new = f'SELECT {columns} FROM before."{table}"', f'SELECT {columns} FROM main."{table}"'
        for one, other in ((old, new), (new, old)):
            if connection.execute(text(f"{one} EXCEPT {other} LIMIT 1")).first():
                raise MigrationError(f"the migration changes rows of {table}; nothing was changed")
