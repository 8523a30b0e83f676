"""Standing orders of seats, and the entries they have given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def _match_id() -> sa.Column[int]:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "standing_orders",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("mode", sa.String(10), nullable=False),
        sa.Column("policies", sa.Text, nullable=False),
        sa.Column("held", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing_answers",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("entry", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("standing_answers")
    op.drop_table("standing_orders")
