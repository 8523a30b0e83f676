"""Matches that count for ratings, and what came of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "rated_matches",
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("first", sa.String(24), nullable=False),
        sa.Column("second", sa.String(24), nullable=False),
        sa.Column("result", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("id", number, primary_key=True, autoincrement=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("scenario", sa.String(80), nullable=False),
        sa.Column("first", sa.String(24), nullable=False),
        sa.Column("second", sa.String(24), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_results_game", "results", ["game"])


def downgrade() -> None:
    op.drop_table("results")
    op.drop_table("rated_matches")
