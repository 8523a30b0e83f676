"""Whom accounts have blocked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_blocks",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("blocked", sa.String(24), nullable=False),
        sa.Column("holder", sa.String(24), nullable=False),
        sa.Column("label", sa.String(400), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    for column in ("account", "blocked", "holder"):
        op.create_index(f"ix_account_blocks_{column}", "account_blocks", [column])


def downgrade() -> None:
    op.drop_table("account_blocks")
