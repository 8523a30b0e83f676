"""Tables. A match is a header and an append-only journal; everything else is there to find or guard them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite's INTEGER PRIMARY KEY is 64 bits wide; other databases need to be told."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("title", String(200), nullable=False),
    Column("header", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Index("ix_matches_updated_ms", "updated_ms"),
    sqlite_autoincrement=True,
)


def _match_id() -> Column[int]:
    return Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


seats = Table(
    "seats",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("version", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

journal = Table(
    "journal",
    metadata,
    _match_id(),
    Column("seq", BigInteger, primary_key=True),
    Column("seat", String(40), nullable=False),
    Column("line", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

requests = Table(
    "requests",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("request_id", String(80), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)

analyses = Table(
    "analyses",
    metadata,
    _match_id(),
    Column("scope", String(40), primary_key=True),
    Column("body", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What the computer worked out about a match, for a seat or (scope empty) for all; it can be worked out again."""
