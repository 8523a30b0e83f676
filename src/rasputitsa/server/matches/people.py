"""Who the people of a match are: one may hold several seats, and a seat may wait for somebody to come."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.store import SeatRow

OWNER = "owner"


def sides_of(match: Match) -> dict[str, str]:
    """The side of each seat."""
    return {known.id: known.side for known in match.session.seats}


@dataclass(frozen=True, slots=True)
class People:
    """The people of a match.

    Attributes:
        local: whether the server is one person's own; that person may take all of its seats, and no others.
    """

    seats: Mapping[str, SeatRow]
    players: Mapping[str, Controller]
    local: bool

    @classmethod
    def of(cls, match: Match, *, local: bool) -> People:
        """The people of a match now."""
        return cls(match.seats, {seat: match.controller(seat) for seat in match.seats}, local)

    def waits(self, seat: str) -> bool:
        """Whether a person is to play the seat and nobody holds it."""
        return not self.seats[seat].holder and self.players[seat].kind == "human"

    def who(self, seat: str) -> str:
        """The person in a seat, or who is still to come; empty for a seat that is nobody's."""
        row = self.seats[seat]
        if row.holder:
            return OWNER if self.local and row.owned else row.holder
        return f"guest {seat}" if self.waits(seat) else ""

    def present(self) -> set[str]:
        """Everybody who holds a seat."""
        return {self.who(seat) for seat, row in self.seats.items() if row.holder}

    def expected(self) -> set[str]:
        """Everybody who holds a seat or is still to come."""
        return {self.who(seat) for seat in self.seats} - {""}

    def all_agree(self, agreed: Collection[str], *, besides: str = "") -> bool:
        """Whether all who are here or still to come have agreed in one of their seats, apart from ``besides``."""
        asked = {self.who(seat) for seat in self.seats if seat != besides} - {""}
        return bool(asked) and asked <= {self.who(seat) for seat in agreed if seat in self.seats}

    def may_be_advised(self, agreed: Collection[str]) -> bool:
        """Whether the computer may advise people while they play: who plays alone, or all who have agreed."""
        return len(self.expected()) < 2 or self.all_agree(agreed)

    def may_hurry(self, caller: str, asked: str, sides: Mapping[str, str]) -> bool:
        """Whether a seat may have the computer decide at once for another: it plays the worse for it, which nobody of
        the other side may do to its partners."""
        partners = {self.who(seat) for seat in self.seats if sides[seat] == sides[asked]} - {"", self.who(caller)}
        return sides[caller] == sides[asked] or not partners

    def names(self, *, besides: Collection[str]) -> list[str]:
        """What the people in the other seats are called."""
        players = (self.players[seat] for seat in self.seats if seat not in besides)
        return [player.name for player in players if player.kind == "human"]

    def of_person(self, person: str) -> list[str]:
        """The seats of a person."""
        return [seat for seat in self.seats if self.who(seat) == person]
