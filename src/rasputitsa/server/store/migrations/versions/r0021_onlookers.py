"""Onlookers who see a match some time later than its players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def _match_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table("delays", _match_id(), sa.Column("minutes", sa.Integer, nullable=False), sqlite_with_rowid=False)
    op.create_table(
        "disclosures",
        _match_id(),
        sa.Column("entries", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("disclosures")
    op.drop_table("delays")
