"""Accounts, the browsers that are signed in, and the seats kept with an account."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("seen", sa.String(200), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("shown", sa.String(120), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_accounts_seen", "accounts", ["seen"])
    op.create_table(
        "account_sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("browser", sa.String(60), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_up_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_account_sessions_account", "account_sessions", ["account"])
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "account_seats",
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_account_seats_account", "account_seats", ["account"])
    op.add_column("seat_keys", sa.Column("session", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_seat_keys_session", "seat_keys", ["session"])


def downgrade() -> None:
    op.drop_index("ix_seat_keys_session")
    op.drop_column("seat_keys", "session")
    for table in ("account_seats", "account_sessions", "accounts"):
        op.drop_table(table)
