"""The keys that open a seat."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from rasputitsa.server.store.people.tokens import digest
from rasputitsa.server.store.schema import seat_keys, seats
from rasputitsa.server.wall_clock import now_ms

MAX_KEYS = 24
"""Keys a seat may have; a further one takes the place of the oldest."""


def key_of(match_id: int, seat: str) -> tuple[Any, ...]:
    """The rows of the keys of a seat."""
    return seat_keys.c.match_id == match_id, seat_keys.c.seat == seat


def insert_key(connection: Connection, match_id: int, seat: str, key: str, up_ms: int, session: str = "") -> None:
    """Add a key, newer than all there are even when the clock was set back, and drop the oldest beyond the most.

    The player who is given one has given a sign. It ends with the ``session`` of an account, if one is given.
    """
    here = seats.c.match_id == match_id, seats.c.seat == seat
    connection.execute(update(seats).where(*here).values(stirred_ms=up_ms))
    newest = connection.execute(select(func.max(seat_keys.c.created_ms)).where(*key_of(match_id, seat))).scalar()
    now = max(now_ms(), (newest or 0) + 1)
    values = {"match_id": match_id, "seat": seat, "digest": digest(key), "created_ms": now, "session": session}
    connection.execute(insert(seat_keys).values(values))
    ordered = select(seat_keys.c.digest).where(*key_of(match_id, seat)).order_by(seat_keys.c.created_ms.desc())
    for old in connection.execute(ordered).scalars().all()[MAX_KEYS:]:
        connection.execute(delete(seat_keys).where(*key_of(match_id, seat), seat_keys.c.digest == old))


def session_of_key(connection: Connection, match_id: int, seat: str, key: str) -> str:
    """The session of an account with which a key ends; empty where it stands alone."""
    found = select(seat_keys.c.session).where(*key_of(match_id, seat), seat_keys.c.digest == digest(key))
    return connection.execute(found).scalar() or ""
