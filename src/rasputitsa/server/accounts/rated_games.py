"""Rated matches: what counts, and what the players of one cannot do.

A match counts when two people with accounts each play one side of a scenario from its start, without help from the
computer, on a clock that ends the game: so nobody can be kept waiting for a result, nor get around one.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Request

from rasputitsa.core.record.session import Session
from rasputitsa.server.accounts.signed_in import find_signed_in, require_signed_in
from rasputitsa.server.errors import bad_request, conflict, forbidden
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.matches.seating import Controller
from rasputitsa.server.models import NewMatch
from rasputitsa.server.ratings.scoring import place_of
from rasputitsa.server.store import RatedMatch, RatedSeat, Store
from rasputitsa.server.store.people.rated import FIRST

RATED = "rated"
"""The code of a refusal because a match counts for ratings."""


async def rated_start(request: Request, rooms: Rooms, session: Session, body: NewMatch) -> RatedSeat:
    """The side that the person signed in plays in a rated match which they start.

    Raises:
        ApiError: 400, such a match cannot count; 403, nobody is signed in.
    """
    own = [seat.id for seat in session.seats if seat.id not in body.guests]
    if body.lesson or len(session.seats) != 2 or len(body.guests) != 1:
        raise bad_request("only a scenario for two people, one on each side, can be rated")
    if Controller.of(session, own[0]).kind != "human":
        raise bad_request("a match with the computer is not rated")
    if body.hints:
        raise bad_request("a rated match is played without hints")
    if body.clock is None or body.clock.terms(rated=True).lapse != "end":
        raise bad_request("a rated match needs a clock that ends the game when time is up")
    found = await rooms.in_thread(lambda: require_signed_in(request, rooms.store))
    return RatedSeat(place_of(session, own[0]), found.session.digest)


def rated_again(
    request: Request, store: Store, former: int, session: Session, guests: Sequence[str]
) -> RatedSeat | None:
    """The side that the player who asks for a rematch has in it, if it is rated like the match before."""
    rated, found = store.rated(former), find_signed_in(request, store, note=False)
    if rated is None or found is None or found.account.id not in (rated.first, rated.second) or len(guests) != 1:
        return None
    own = next(seat.id for seat in session.seats if seat.id not in guests)
    return RatedSeat(place_of(session, own), found.session.digest)


def sit_down(request: Request, store: Store, match: Match, seat: str, *, both: bool) -> None:
    """Note that the person signed in plays a seat of a match, if the match is rated and not over.

    Args:
        both: the player who comes has a key to the other side, under whatever account.

    Raises:
        ApiError: 403, nobody is signed in; 409, the side is not for this account.
    """
    rated = store.rated(match.id)
    if rated is None or match.session.decision() is None:
        return
    found = find_signed_in(request, store, note=False)
    if found is None:
        raise forbidden("not_signed_in", "this match is rated; please sign in to take the seat")
    place = place_of(match.session, seat)
    own, other = (rated.first, rated.second) if place == FIRST else (rated.second, rated.first)
    if found.account.id == own:  # who comes back by a link from the host
        return
    if own:
        raise conflict(RATED, "this match is rated, and this side of it is played by another account")
    if both or found.account.id == other:
        raise conflict(RATED, "this match is rated, and nobody plays both of its sides")
    store.sit_down_to_rated(match.id, RatedSeat(place, found.session.digest))


def require_unrated(store: Store, match: Match, what: str) -> None:
    """Refuse what would get around the result of a rated match; raises ``ApiError`` 409.

    Args:
        what: what is refused, as the beginning of a sentence.
    """
    if is_played_rated(store, match):
        raise conflict(RATED, f"{what} in a rated match; resign, or offer a draw")


def require_unmet(store: Store, match: Match) -> None:
    """Refuse to do away with a rated match that two people are playing; raises ``ApiError`` 409."""
    rated = store.rated(match.id)
    if match.session.decision() is not None and rated is not None and rated.first and rated.second:
        raise conflict(RATED, "a rated match is not deleted before its end; resign, or offer a draw")


def still_rated(store: Store, match: Match) -> RatedMatch | None:
    """Who plays a match that counts; None for one that does not, or ended before there were two to play it."""
    rated = store.rated(match.id)
    return None if rated is None or (match.session.decision() is None and not rated.result) else rated


def is_played_rated(store: Store, match: Match) -> bool:
    """Whether a match is rated, and not over."""
    return match.session.decision() is not None and store.rated(match.id) is not None
