"""Clocks of matches, and the time their seats have left."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def _match_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "clocks",
        _match_id(),
        sa.Column("pace", sa.String(10), nullable=False),
        sa.Column("bank_ms", sa.BigInteger, nullable=False),
        sa.Column("turn_ms", sa.BigInteger, nullable=False),
        sa.Column("holiday_ms", sa.BigInteger, nullable=False),
        sa.Column("lapse", sa.String(10), nullable=False),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("turns", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_clocks_due_ms", "clocks", ["due_ms"])
    op.create_table(
        "seat_clocks",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("left_ms", sa.BigInteger, nullable=False),
        sa.Column("holiday_ms", sa.BigInteger, nullable=False),
        sa.Column("away_until_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("seat_clocks")
    op.drop_table("clocks")
