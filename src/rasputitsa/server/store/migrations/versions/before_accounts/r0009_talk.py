"""What people say to each other at a table, and the private notes of each."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _match_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "messages",
        _match_id(),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(24), nullable=False),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "desks",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("talk_from", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("desks")
    op.drop_table("messages")
