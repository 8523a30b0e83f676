"""Whether a database is made as this program makes it: a file from elsewhere may be sound and yet lie in wait.

Rows that belong to a match which does not exist yet would belong to it when it is made: a key to each of its seats, a
link, a position. The rules by which SQLite refuses such rows stand in the file itself, so they are looked at as well.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import select

from rasputitsa.server.store import copies
from rasputitsa.server.store.errors import DamagedStoreError
from rasputitsa.server.store.schema import creations, matches, metadata, rematches

BELONGING = tuple(table for table in metadata.sorted_tables if "match_id" in table.c and table is not creations)
"""What is kept of a match; requests that made one outlive it."""
OUTLIVING = (creations.c.match_id, rematches.c.former_match)
FOREIGN = ("CHECK", "COLLATE", "CONFLICT", "GENERATED")
"""What no table of this program declares, and what would change how rows are compared or replaced."""
RULE = ("matches", "match_id", "id", "CASCADE")


def refuse_strange(database: sqlite3.Connection, path: Path, *, besides: str = "") -> None:
    """Refuse a database of the newest revision that another hand has made or changed; raises ``DamagedStoreError``.

    Args:
        besides: a table more that may be there.
    """
    declared = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall())
    for name, sql in declared.items():
        if found := [word for word in FOREIGN if word in str(sql).upper()]:
            raise _made_by_others(path, f"the table {name!r:.50} declares {found[0]}")
    tables = {name for name in declared if not name.startswith("sqlite_")} - {"alembic_version", besides}
    if copies.TABLE in tables:
        raise copies.not_in_place(path)
    if odd := tables ^ set(metadata.tables):
        raise _made_by_others(
            path, f"the table {min(odd)!r:.50} is {'missing' if min(odd) not in tables else 'foreign'}"
        )
    if database.execute("SELECT count(*) FROM alembic_version").fetchone() != (1,):
        raise _made_by_others(path, "it names more than one revision of itself, or none")
    _refuse_odd_indexes(database, path)
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
    _refuse_numbers_to_come(database, path)


def _refuse_numbers_to_come(database: sqlite3.Connection, path: Path) -> None:
    """Rows that outlive a match would be taken for those of one that has its number later."""
    given = database.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = 'matches'").fetchone()[0] or 0
    for column in OUTLIVING:
        late = select(column).where(column > given)
        if row := database.execute(str(late.compile(compile_kwargs={"literal_binds": True}))).fetchone():
            raise _made_by_others(
                path, f"the table {column.table.name} names match {row[0]}, which has never been made"
            )  # fmt: skip


def _refuse_odd_indexes(database: sqlite3.Connection, path: Path) -> None:
    """An index of another's may hold what is not in its table, refuse rows, or work something out for each of them."""
    ours = {str(index.name): (table.name, index) for table in metadata.sorted_tables for index in table.indexes}
    declared = database.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'").fetchall()
    made = {name: (table, sql) for name, table, sql in declared if sql is not None and table != "alembic_version"}
    if odd := made.keys() ^ ours.keys():
        raise _made_by_others(path, f"the index {min(odd)!r:.50} is {'foreign' if min(odd) in made else 'missing'}")
    for name, (table, index) in ours.items():
        columns = [column for (column,) in database.execute("SELECT name FROM pragma_index_info(?)", (name,))]
        sql = str(made[name][1]).upper()
        if (made[name][0], columns) != (table, [c.name for c in index.columns]) or "UNIQUE" in sql or "WHERE" in sql:
            raise _made_by_others(path, f"the index {name} is another one")


def _made_by_others(path: Path, what: str) -> DamagedStoreError:
    return DamagedStoreError(f"{path} was made or changed by another program: {what}; restore a backup of your own")
