"""Classes, their matches, pupils, cards and answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def _match_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "classes",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("teacher", sa.String(64), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "class_matches",
        _match_id(),
        sa.Column("class_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_class_matches_class_id", "class_matches", ["class_id"])
    op.create_table(
        "class_pupils",
        _match_id(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("seen", sa.String(200), nullable=False),
        sa.Column("word", sa.String(64), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "class_cards",
        _match_id(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "class_answers",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("class_answers", "class_cards", "class_pupils", "class_matches", "classes"):
        op.drop_table(table)
