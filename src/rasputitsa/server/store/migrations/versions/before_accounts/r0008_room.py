"""The age of requests, what is kept for an address, how long seats are quiet, and whether a match was shown whole."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("requests", sa.Column("created_ms", sa.BigInteger, nullable=False, server_default="0"))
    # When older ones came is not known; as long as they could be sent again they count as new.
    op.execute(sa.text("UPDATE requests SET created_ms = :now").bindparams(now=time.time_ns() // 1_000_000))
    op.create_index("ix_requests_created_ms", "requests", ["created_ms"])
    op.create_table(
        "held",
        sa.Column(
            "match_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("written_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_held_who", "held", ["who"])
    # Nothing is known of how long servers were up before; all seats are quiet from now on.
    op.add_column("seats", sa.Column("stirred_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("store_state", sa.Column("up_ms", sa.BigInteger, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("store_state", "up_ms")
    op.drop_column("seats", "stirred_ms")
    op.drop_table("held")
    op.drop_index("ix_requests_created_ms", "requests")
    op.drop_column("requests", "created_ms")
    op.drop_column("matches", "shown")
