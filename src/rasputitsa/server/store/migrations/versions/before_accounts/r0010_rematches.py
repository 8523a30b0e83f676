"""Which match follows another, with the same people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "rematches",
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("former_match", sa.BigInteger, nullable=False),
        sa.Column("former_seat", sa.String(40), nullable=False),
        sa.Column("door", sa.String(10), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rematches_former_match", "rematches", ["former_match"])


def downgrade() -> None:
    op.drop_table("rematches")
