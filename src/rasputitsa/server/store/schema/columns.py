"""What tables of the database have in common."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData

BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite's INTEGER PRIMARY KEY is 64 bits wide; other databases need it stated."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)  # fmt: skip


def match_id() -> Column[int]:
    """The match that a row belongs to, and goes with; the first part of its key."""
    return Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
