"""Where the next pupil of a class sits down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rasputitsa.server.matches.seating import Controller, one_line
from rasputitsa.server.store import SeatRow
from rasputitsa.server.store.classroom.classes import ClassMatch, Pupil

MOST_TOGETHER = 4
"""Pupils who share a seat."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that may be had.

    Attributes:
        computer: the computer plays it, in place of somebody who had not come.
        names: who plays it already, and shares it.
    """

    match_id: int
    seat: str
    computer: bool = False
    names: tuple[str, ...] = ()

    @property
    def shared(self) -> bool:
        """Whether others sit there."""
        return bool(self.names)


def together(names: Sequence[str]) -> Controller:
    """Those who share a seat, as a player."""
    return Controller("human", one_line(" and ".join(names)))


def places(
    known: Sequence[ClassMatch], held: Mapping[int, Mapping[str, SeatRow]], pupils: Sequence[Pupil]
) -> Iterator[Place]:
    """The seats of a class in the order in which they are taken: those that wait, board by board; those that the
    computer was given; and then a second place at each seat, a third and a fourth."""
    going = [match.row for match in known if not match.row.over]
    here = [(row.id, seat, player["kind"]) for row in going for seat, player in row.summary["controllers"].items()]
    sharing: dict[tuple[int, str], list[str]] = {}
    for pupil in pupils:
        sharing.setdefault((pupil.match_id, pupil.seat), []).append(pupil.name)
    taken = {(match_id, seat) for match_id, seats in held.items() for seat, row in seats.items() if row.holder}
    for match_id, seat, kind in here:
        if kind == "human" and (match_id, seat) not in taken:
            yield Place(match_id, seat)
    for match_id, seat, kind in here:
        if kind == "bot" and (match_id, seat) not in taken:
            yield Place(match_id, seat, computer=True)
    for most in range(1, MOST_TOGETHER):
        for match_id, seat, _ in here:
            names = sharing.get((match_id, seat), [])
            if (match_id, seat) in taken and len(names) == most:
                yield Place(match_id, seat, names=tuple(names))
