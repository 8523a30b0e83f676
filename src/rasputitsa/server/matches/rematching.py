"""The match that is to follow one that is over: the same scenario and options, the sides swapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rasputitsa.core.game import SeatInfo
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.archive import default_title
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.seating import HINTS, Controller
from rasputitsa.server.store import Following


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rematch as one of the people asks for it.

    Attributes:
        guests: seats of the other people, who are still to come.
        hints: all had agreed to hints.
    """

    game: str
    scenario: str
    options: Mapping[str, str]
    title: str
    controllers: Mapping[str, str]
    guests: Sequence[str]
    hints: bool
    following: Following

    def session(self) -> Session:
        """The new match; raises ``RasputitsaError`` if the game knows scenario or options no longer."""
        return new_session(
            self.game, self.scenario, dict(self.options), seed=0, title=self.title, controllers=dict(self.controllers)
        )  # fmt: skip


def swapped(seats: Sequence[SeatInfo]) -> dict[str, str]:
    """Each seat with the one of the other side in the same place; with itself where sides are not alike."""
    sides: dict[str, list[str]] = {}
    for seat in seats:
        sides.setdefault(seat.side, []).append(seat.id)
    if len(sides) != 2 or len({len(side) for side in sides.values()}) != 1:
        return {seat.id: seat.id for seat in seats}
    one, other = sides.values()
    return {**dict(zip(one, other, strict=True)), **dict(zip(other, one, strict=True))}


def propose(match: Match, people: People, person: str, agreed: Mapping[str, set[str]]) -> Proposal:
    """What ``person`` asks for: the holder of a seat plays the other side, and the computer the rest as before.

    ``agreed``: what people have agreed on, by topic.
    """
    session = match.session
    header, swap = session.header, swapped(session.seats)
    players = {seat: match.controller(seat) for seat in match.seats}
    held = [seat for seat, row in match.seats.items() if row.holder]
    if any(player.kind == "human" for player in players.values()):
        players |= {seat: Controller() for seat in held if players[seat].kind == "bot"}
    played = [seat for seat in held if players[seat].kind == "human"]
    others = [seat for seat, player in players.items() if player.kind == "human" and people.who(seat) != person]
    named = match.title if match.title != default_title(session) else ""
    return Proposal(
        game=header.game,
        scenario=header.scenario,
        options=header.options,
        title=named,
        controllers={swap[seat]: str(player) for seat, player in players.items()},
        guests=[swap[seat] for seat in others],
        hints=people.all_agree(agreed.get(HINTS, set())),
        following=Following(match.id, {seat: swap[seat] for seat in played or held}),
    )
