"""What lies before a seat at the table: private notes, and from which message on its person may read."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from rasputitsa.server.store.schema import desks, messages


def clear_desk(connection: Connection, match_id: int, seat: str) -> None:
    """Leave nothing for the next person in a seat: no notes, and nothing of what was said before."""
    connection.execute(delete(desks).where(desks.c.match_id == match_id, desks.c.seat == seat))
    if (number := next_number(connection, match_id)) > 1:
        connection.execute(insert(desks).values(match_id=match_id, seat=seat, notes="", talk_from=number))


def next_number(connection: Connection, match_id: int) -> int:
    """The least number for a new message of a match."""
    newest = select(func.max(messages.c.number)).where(messages.c.match_id == match_id)
    return (connection.execute(newest).scalar() or 0) + 1
