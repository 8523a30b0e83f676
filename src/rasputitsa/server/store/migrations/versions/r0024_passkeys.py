"""Passkeys of accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_passkeys",
        sa.Column("id", sa.String(1400), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("site", sa.String(255), nullable=False),
        sa.Column("public", sa.String(4000), nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_account_passkeys_account", "account_passkeys", ["account"])


def downgrade() -> None:
    op.drop_table("account_passkeys")
