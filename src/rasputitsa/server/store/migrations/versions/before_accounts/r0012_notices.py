"""Who wants to be told that it is their turn, and what is on its way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "notice_ways",
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("form", sa.String(10), nullable=False),
        sa.Column("address", sa.String(500), nullable=False),
        sa.Column("stop", sa.String(64), nullable=False),
        sa.Column("trouble", sa.String(200), nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("told", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_notice_ways_stop", "notice_ways", ["stop"])
    op.create_table(
        "notices",
        sa.Column("id", number, primary_key=True, autoincrement=True),
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("first", sa.Boolean, nullable=False),
        sa.Column("under_way", sa.Boolean, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_notices_match_id", "notices", ["match_id"])
    op.create_index("ix_notices_due_ms", "notices", ["due_ms"])


def downgrade() -> None:
    op.drop_table("notices")
    op.drop_table("notice_ways")
