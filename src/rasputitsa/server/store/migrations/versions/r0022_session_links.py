"""Links to other devices that end with the session of an account in which they were made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invitations", sa.Column("session", sa.String(64), nullable=False, server_default=""))
    op.create_index("ix_invitations_session", "invitations", ["session"])


def downgrade() -> None:
    op.drop_index("ix_invitations_session")
    op.drop_column("invitations", "session")
