"""The seed that is promised with an invitation, and where seats were claimed from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty for links that were made before: the seed of such a guest is drawn on arrival.
    op.add_column("invitations", sa.Column("promise", sa.Text, nullable=False, server_default=""))
    op.add_column("invitations", sa.Column("origin", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("invitations", "origin")
    op.drop_column("invitations", "promise")
