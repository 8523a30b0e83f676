"""Calendars that people subscribe to, and the seats whose turns are in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calendars",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "calendar_seats",
        sa.Column("match_id", number, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("calendar", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_calendar_seats_calendar", "calendar_seats", ["calendar"])


def downgrade() -> None:
    op.drop_table("calendar_seats")
    op.drop_table("calendars")
