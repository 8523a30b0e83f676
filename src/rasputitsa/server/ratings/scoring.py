"""What a match comes to for ratings."""

from __future__ import annotations

from rasputitsa.core.record.session import Session
from rasputitsa.server.store import Score
from rasputitsa.server.store.people.rated import FIRST, SECOND

WON, DRAWN, LOST = 1.0, 0.5, 0.0


def sides_in_order(session: Session) -> list[str]:
    """The sides of a game, the first and the second, as ratings know them."""
    return list(dict.fromkeys(seat.side for seat in session.seats))


def score_of(session: Session) -> Score | None:
    """What a game that is over comes to; None for one that goes on."""
    if session.decision() is not None or (outcome := session.outcome()) is None:
        return None
    first = sides_in_order(session)[0]
    won = DRAWN if outcome.winner is None else WON if outcome.winner == first else LOST
    return Score(session.header.game, session.header.scenario, won)


def place_of(session: Session, seat: str) -> str:
    """Whether a seat plays the ``first`` or the ``second`` side of its game."""
    side = next(known.side for known in session.seats if known.id == seat)
    return (FIRST, SECOND)[sides_in_order(session).index(side)]
