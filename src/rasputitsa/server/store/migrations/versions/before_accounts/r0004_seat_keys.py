"""Seat keys as digests, who holds a seat, invitations, and what the people of a match agree on."""

from __future__ import annotations

import hashlib
import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None
rewrites = {"seats": ("key",)}

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    connection = op.get_bind()
    connection.execute(sa.text("PRAGMA secure_delete = ON"))  # what is dropped is wiped
    old = connection.execute(sa.text("SELECT match_id, seat, key, version FROM seats")).all()
    computers = _computers(connection)
    op.drop_table("seats")
    seats = op.create_table(
        "seats",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String(24), nullable=False),
        sa.Column("owned", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    keys = op.create_table(
        "seat_keys",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "invitations",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("match_id", _ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("inviter", sa.String(24), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("claimed_ms", sa.BigInteger, nullable=True),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_invitations_match_id", "invitations", ["match_id"])
    op.create_table(
        "agreements",
        _match_id(),
        sa.Column("seat", sa.String(40), primary_key=True),
        sa.Column("topic", sa.String(120), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.add_column("matches", sa.Column("opened", sa.Boolean, nullable=False, server_default=sa.false()))
    now = time.time_ns() // 1_000_000
    for row in old:
        # who holds it is not known: the owner of the machine may sit down as before; else each seat is another person's
        held = "" if (row.match_id, row.seat) in computers else f"before-{row.seat}"[:24]
        where = {"match_id": row.match_id, "seat": row.seat}
        connection.execute(seats.insert().values(**where, version=row.version, holder=held, owned=True))
        digest = hashlib.sha256(row.key.encode()).hexdigest()
        connection.execute(keys.insert().values(**where, digest=digest, created_ms=now))


def downgrade() -> None:
    raise NotImplementedError("keys cannot be had back from their digests")


def _computers(connection: sa.Connection) -> set[tuple[int, str]]:
    """The seats the computer plays."""
    found = set()
    for row in connection.execute(sa.text("SELECT id, summary FROM matches")):
        try:
            players = json.loads(row.summary).get("controllers", {})
            found |= {(row.id, seat) for seat, player in players.items() if player.get("kind") == "bot"}
        except (ValueError, AttributeError):
            continue  # a summary that cannot be read names nobody
    return found


def _match_id() -> sa.Column[int]:
    return sa.Column("match_id", _ID, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
