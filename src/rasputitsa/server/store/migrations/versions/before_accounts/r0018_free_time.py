"""The free time that a seat has left in a turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

WHOLE = {"live": 40 * 15_000, "days": 40 * 3_600_000}


def upgrade() -> None:
    op.add_column("seat_clocks", sa.Column("free_ms", sa.BigInteger, nullable=False, server_default="0"))
    fill = sa.text(
        "UPDATE seat_clocks SET free_ms = :whole WHERE match_id IN (SELECT match_id FROM clocks WHERE pace = :pace)"
    )
    for pace, whole in WHOLE.items():
        op.get_bind().execute(fill, {"whole": whole, "pace": pace})


def downgrade() -> None:
    op.drop_column("seat_clocks", "free_ms")
