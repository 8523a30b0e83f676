"""Whether a database is made as this program makes it: a file from elsewhere may be sound and yet lie in wait.

Rows that belong to a match which does not exist yet would belong to it when it is made: a key to each of its seats, a
link, a position. The rules by which SQLite refuses such rows stand in the file itself, so they are looked at as well.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import select

from rasputitsa.server.store.errors import DamagedStoreError
from rasputitsa.server.store.schema import creations, matches, metadata

BELONGING = tuple(table for table in metadata.sorted_tables if "match_id" in table.c and table is not creations)
"""What is kept of a match; requests that made one outlive it."""
FOREIGN = ("CHECK", "COLLATE", "CONFLICT", "GENERATED")
"""What no table of this program declares, and what would change how rows are compared or replaced."""
RULE = ("matches", "match_id", "id", "CASCADE")


def refuse_strange(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a database of the newest revision that another hand has made or changed; raises ``DamagedStoreError``."""
    declared = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall())
    for name, sql in declared.items():
        if found := [word for word in FOREIGN if word in str(sql).upper()]:
            raise _made_by_others(path, f"the table {name!r:.50} declares {found[0]}")
    tables = {name for name in declared if not name.startswith("sqlite_")} - {"alembic_version"}
    if odd := tables ^ set(metadata.tables):
        raise _made_by_others(
            path, f"the table {min(odd)!r:.50} is {'missing' if min(odd) not in tables else 'foreign'}"
        )
    for table in metadata.sorted_tables:
        found = [name for (name,) in database.execute("SELECT name FROM pragma_table_xinfo(?)", (table.name,))]
        if set(found) != set(table.c.keys()):
            raise _made_by_others(path, f"the table {table.name} has other columns")
    if "AUTOINCREMENT" not in declared["matches"].upper():
        raise _made_by_others(path, "numbers of matches can come again")
    for table in BELONGING:
        rules = database.execute(
            'SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?)', (table.name,)
        ).fetchall()
        if rules != [RULE]:
            raise _made_by_others(path, f"the table {table.name} is not bound to its matches")
        stray = select(table.c.match_id).where(table.c.match_id.not_in(select(matches.c.id)))
        if row := database.execute(str(stray)).fetchone():
            raise _made_by_others(path, f"the table {table.name} has rows of match {row[0]}, which does not exist")


def _made_by_others(path: Path, what: str) -> DamagedStoreError:
    return DamagedStoreError(f"{path} was made or changed by another program: {what}; restore a backup of your own")
