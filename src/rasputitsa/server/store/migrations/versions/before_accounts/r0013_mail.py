"""Mail addresses, and whether their owners agree to be told there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notice_ways", sa.Column("confirm", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "mail_addresses",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("mailbox", sa.String(64), nullable=False),
        sa.Column("proof", sa.String(64), nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("sent_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mail_addresses_mailbox", "mail_addresses", ["mailbox"])


def downgrade() -> None:
    op.drop_table("mail_addresses")
    op.drop_column("notice_ways", "confirm")
