"""Which store this is, and how many changes it has taken."""

from __future__ import annotations

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    table = op.create_table(
        "store_state",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("store", sa.String(32), nullable=False),
        sa.Column("changes", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    now = time.time_ns() // 1_000_000
    op.bulk_insert(table, [{"id": 1, "store": secrets.token_hex(16), "changes": 0, "changed_ms": now}])


def downgrade() -> None:
    op.drop_table("store_state")
