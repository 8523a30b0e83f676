"""What came of each entry, and the position a match stands at, so that none has to be replayed to be shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    # Empty for what was written before; the match fills them in when it is next opened.
    op.add_column("journal", sa.Column("ply", sa.BigInteger, nullable=True))
    op.add_column("journal", sa.Column("place", sa.Text, nullable=True))
    op.add_column("journal", sa.Column("events", sa.Text, nullable=True))
    op.create_index("ix_journal_ply", "journal", ["match_id", "ply"])
    op.create_table(
        "snapshots",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("match_id", _ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("ply", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_snapshots_match_id", "snapshots", ["match_id", "seq"])


def downgrade() -> None:
    op.drop_table("snapshots")
    op.drop_index("ix_journal_ply", "journal")
    for column in ("events", "place", "ply"):
        op.drop_column("journal", column)
