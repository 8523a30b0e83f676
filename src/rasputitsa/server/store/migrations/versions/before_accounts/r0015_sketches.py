"""What each seat has drawn on the map."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("desks", sa.Column("sketch", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("desks", "sketch")
