"""Matches, seats, journal and answered requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_updated_ms", "matches", ["updated_ms"])
    op.create_table(
        "seats",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "journal",
        _match_id(),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "requests",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("request_id", sa.String(80), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("requests", "journal", "seats", "matches"):
        op.drop_table(table)


def _match_id() -> sa.Column[int]:
    return sa.Column("match_id", _ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
