"""Standing orders: what the holder of a seat wants answered while away, and which entries were answered so.

Nothing of this is in the journal of the match: nobody else learns of it, and a saved game does not have it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, cast, get_args

from sqlalchemy import Connection, Row, case, delete, func, insert, select, update

from rasputitsa.server.shapes.words import Mode
from rasputitsa.server.store.schema import HIDDEN, matches, standing_answers, standing_orders
from rasputitsa.server.store.summaries import MAX_SUMMARY_LETTERS, read_summary


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing orders of a seat: for each kind of decision the policy that answers it.

    ``held``: the match was taken back to this many entries, and until the seat has acted since, its player decides; -1
    where it was not.
    """

    mode: Mode
    policies: Mapping[str, str]
    held: int


class Awaiting(NamedTuple):
    """A seat with standing orders that is asked, and how many entries the journal of its match has."""

    match_id: int
    seat: str
    entries: int


class StandingStore(ABC):
    """The part of the store that knows standing orders."""

    _step: Callable[[str], None]

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def standing(self, match_id: int) -> dict[str, Standing]:
        """The standing orders of the seats that have any."""
        with self._reading() as connection:
            rows = connection.execute(select(standing_orders).where(standing_orders.c.match_id == match_id)).all()
        return {row.seat: _standing(row) for row in rows}

    def set_standing(self, match_id: int, seat: str, mode: Mode, policies: Mapping[str, str]) -> None:
        """Give a seat these standing orders in place of those it had; without policies it has none."""
        with self._writing() as connection:
            connection.execute(delete(standing_orders).where(*_orders(match_id, seat)))
            if policies:
                values = {"mode": mode, "policies": json.dumps(dict(policies)), "held": -1}
                connection.execute(insert(standing_orders).values(match_id=match_id, seat=seat, **values))

    def note_standing(self, match_id: int, seat: str, entries: Collection[int]) -> None:
        """These entries of a seat were given by its standing orders; nothing holds them any more."""
        with self._writing() as connection:
            connection.execute(
                insert(standing_answers), [{"match_id": match_id, "seat": seat, "entry": entry} for entry in entries]
            )
            connection.execute(update(standing_orders).where(*_orders(match_id, seat)).values(held=-1))
            self._step("standing: noted")

    def rewind_standing(self, match_id: int, entries: int, seat: str) -> None:
        """The match was taken back to its first entries, where a seat is asked: its player decides there."""
        held = case((standing_orders.c.seat == seat, entries), else_=-1)
        late = standing_answers.c.entry >= entries
        with self._writing() as connection:
            connection.execute(delete(standing_answers).where(standing_answers.c.match_id == match_id, late))
            connection.execute(update(standing_orders).where(standing_orders.c.match_id == match_id).values(held=held))

    def standing_answers(self, match_id: int, seat: str) -> frozenset[int]:
        """The entries that standing orders of a seat have given."""
        here = standing_answers.c.match_id == match_id, standing_answers.c.seat == seat
        with self._reading() as connection:
            return frozenset(connection.execute(select(standing_answers.c.entry).where(*here)).scalars())

    def awaiting_standing(self) -> list[Awaiting]:
        """The seats with standing orders that are asked, as everybody sees it."""
        query = select(
            standing_orders.c.match_id, standing_orders.c.seat, matches.c.entries,
            func.substr(matches.c.summary, 1, MAX_SUMMARY_LETTERS + 1).label("summary"),
        ).join(
            matches,
            (matches.c.id == standing_orders.c.match_id) & (matches.c.entries > HIDDEN) & matches.c.over.is_(False),
        )  # fmt: skip
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [
            Awaiting(row.match_id, row.seat, row.entries)
            for row in rows
            if read_summary(row.summary)["to_move"] == row.seat
        ]


def end_standing(connection: Connection, match_id: int, seat: str) -> None:
    """A seat has no standing orders any more; what they have answered stays marked."""
    connection.execute(delete(standing_orders).where(*_orders(match_id, seat)))


def clear_standing(connection: Connection, match_id: int, seat: str) -> None:
    """The former holder of the seat has no standing orders any more, and nobody learns which there were."""
    end_standing(connection, match_id, seat)
    connection.execute(
        delete(standing_answers).where(standing_answers.c.match_id == match_id, standing_answers.c.seat == seat)
    )


def _orders(match_id: int, seat: str) -> tuple[Any, ...]:
    return standing_orders.c.match_id == match_id, standing_orders.c.seat == seat


def _standing(row: Row[Any]) -> Standing:
    """What a row says; where it cannot be read, nothing is answered."""
    mode = cast(Mode, row.mode) if row.mode in get_args(Mode) else "away"
    return Standing(mode, _read(row.policies), row.held if isinstance(row.held, int) else -1)


def _read(text: Any) -> dict[str, str]:
    try:
        found = json.loads(text)
        return {name: policy for name, policy in found.items() if isinstance(policy, str)}
    except (AttributeError, TypeError, ValueError, RecursionError):
        return {}
