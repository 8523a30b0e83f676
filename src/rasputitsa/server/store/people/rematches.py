"""Rematches: which match follows another, and which seat in it is whose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from rasputitsa.server.shapes.words import Door
from rasputitsa.server.store.errors import RematchedError
from rasputitsa.server.store.people.blocks import at_odds
from rasputitsa.server.store.schema import MAX_ID, rematches


@dataclass(frozen=True, slots=True)
class Rematch:
    """A match that follows another: for each seat of the former one that a person held, the new seat and its door."""

    match_id: int
    seats: Mapping[str, str]
    doors: Mapping[str, Door]


@dataclass(frozen=True, slots=True)
class Following:
    """What a new match follows: the former match, and its seats with the new ones of the same people."""

    match_id: int
    seats: Mapping[str, str]


class RematchStore(ABC):
    """The part of the store that knows which match follows which."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is committed at its end."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that changes nothing."""

    def rematches_of(self, match_ids: Sequence[int]) -> dict[int, Rematch]:
        """The rematches of several matches, as far as there are any.

        A door is closed, too, to who has blocked one of those who have come, or was blocked by one of them.
        """
        known = [number for number in match_ids if 0 < number <= MAX_ID]
        query = select(rematches).where(rematches.c.former_match.in_(known))
        found: dict[int, tuple[int, dict[str, str], dict[str, Door]]] = {}
        with self._reading() as connection:
            for row in connection.execute(query):
                _, seats, doors = found.setdefault(row.former_match, (row.match_id, {}, {}))
                seats[row.former_seat], doors[row.former_seat] = row.seat, row.door
            for former, pairs in at_odds(connection, found.keys()).items():
                _, _, doors = found[former]
                come = {seat for seat, door in doors.items() if door == "taken"}
                for seat in [seat for seat, door in doors.items() if door == "offered"]:
                    if any(frozenset((seat, other)) in pairs for other in come):
                        doors[seat] = "closed"
        return {former: Rematch(*parts) for former, parts in found.items()}

    def rematch_of(self, match_id: int) -> Rematch | None:
        """The rematch of a match, if there is one."""
        return self.rematches_of([match_id]).get(match_id)

    def note_taken(self, match_id: int, seat: str) -> None:
        """Those who had the former seat have come: by it they find their way to the new one from now on."""
        here = (rematches.c.match_id == match_id) & (rematches.c.seat == seat)
        with self._writing() as connection:
            connection.execute(update(rematches).where(here).values(door="taken"))


def insert_rematch(connection: Connection, match_id: int, following: Following, taken: Collection[str]) -> None:
    """Note what a new match follows, and which of its seats are ``taken`` by the one who asked for it.

    Raises:
        RematchedError: another match follows that one.
    """
    former = rematches.c.former_match == following.match_id
    if connection.execute(select(rematches.c.match_id).where(former)).first() is not None:
        raise RematchedError("there is a rematch of this match")
    for before, seat in following.seats.items():
        connection.execute(
            insert(rematches).values(
                match_id=match_id, seat=seat, former_match=following.match_id, former_seat=before,
                door="taken" if seat in taken else "offered",
            )
        )  # fmt: skip


def close_door(connection: Connection, match_id: int, seat: str) -> None:
    """A former seat leads no longer to this one: it has been given to others, or its keys were made void."""
    here = (rematches.c.match_id == match_id) & (rematches.c.seat == seat)
    connection.execute(update(rematches).where(here).values(door="closed"))


def close_way_on(connection: Connection, match_id: int, seat: str) -> None:
    """This seat leads no longer to one of a rematch: its holder from now on is not the one who was in that rematch."""
    here = (rematches.c.former_match == match_id) & (rematches.c.former_seat == seat)
    connection.execute(update(rematches).where(here).values(door="closed"))
