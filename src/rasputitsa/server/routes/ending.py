"""Ending a game at the table: a side resigns, or all who play agree to a draw."""

from __future__ import annotations

from fastapi import Request

from rasputitsa.ai.advice.analysis import evaluate, knows
from rasputitsa.core.record.entries import DRAWN, RESIGNED
from rasputitsa.server.errors import conflict
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.offers import DRAW, standing_offers, topic_now
from rasputitsa.server.matches.people import People, sides_of
from rasputitsa.server.models import EndBody
from rasputitsa.server.routes.matches import match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.shapes.lists import Ended
from rasputitsa.server.store import Store

router = api_router()

RESIGN = "resign"
CONTENT = 0.45
"""A computer player that expects to win no more often than this takes a draw."""
PLAYS_ON = "The computer player declines the draw, and plays on."


@router.post("/matches/{match_id}/end")
async def end(request: Request, match_id: str, body: EndBody) -> Ended:
    """Resign, or offer, accept or decline a draw; it is done once all who are asked have agreed.

    A side resigns when everybody who plays on it does. For a side of the computer alone the computer player answers,
    when all people have agreed, by what the player who asks may see of the position.
    """
    rooms = rooms_of(request)

    def work(match: Match) -> tuple[Ended, set[str] | None]:
        match.require_key(body.seat, body.key)
        if match.session.decision() is None:
            raise conflict("over", "the game is over", match.view(body.seat))
        match.require_going_on(body.seat)
        people = People.of(match, local=request.app.state.config.local)
        with match.together():
            agreed = _resign if body.how == "resign" else _draw
            answer = agreed(rooms.store, match, people, body)
        if answer["done"] or body.how == "draw":
            return answer, None
        sides = sides_of(match)
        return answer, {seat for seat in sides if sides[seat] == sides[body.seat]}

    room = await rooms.open(match_number(match_id))
    answer, told = await rooms.change(room, work)
    if answer["done"]:
        rooms.bots.hurry(room.id)
    seats_changed(room, told)
    return answer


def _resign(store: Store, match: Match, people: People, body: EndBody) -> Ended:
    side = sides_of(match)[body.seat]
    topic = f"{RESIGN}:{side}"
    own = [seat for seat in people.of_person(people.who(body.seat)) if sides_of(match)[seat] == side]
    store.agree(match.id, own, topic, yes=body.yes)
    asked = {people.who(seat) for seat, row in match.seats.items() if row.holder and sides_of(match)[seat] == side}
    if not body.yes or not asked <= {people.who(seat) for seat in store.agreements(match.id).get(topic, set())}:
        return {"done": False, "word": ""}
    return _over(store, match, body.seat, RESIGNED)


def _draw(store: Store, match: Match, people: People, body: EndBody) -> Ended:
    offers, own = open_offers(store, match), people.of_person(people.who(body.seat))
    if not body.yes:
        if offers & set(own):  # the player who asks may take it back; anybody else declines it for all
            _take_back(store, match, own)
        else:
            _settle(store, match, DRAW)
        return {"done": False, "word": ""}
    if waiting := [seat for seat in match.seats if people.waits(seat)]:
        raise conflict("nobody_there", f"{waiting[0]} is still to come, and cannot be asked")
    if people.present() <= {people.who(seat) for seat in offers | set(own)}:
        if _computer_plays_on(match, people, body.seat):
            _settle(store, match, DRAW)
            return {"done": False, "word": PLAYS_ON}
        return _over(store, match, body.seat, DRAWN)
    standing = offers - set(own)  # each as long as before, no matter who else agrees
    _take_back(store, match, [seat for seat in match.seats if seat not in standing])
    store.agree(match.id, own, topic_now(match.session))
    return {"done": False, "word": ""}


def _computer_plays_on(match: Match, people: People, asking: str) -> bool:
    """Whether a side that the computer plays alone hopes for more than a draw; judged from what ``asking`` may see."""
    session, sides = match.session, sides_of(match)
    held = {sides[seat] for seat in match.seats if people.seats[seat].holder}
    alone = set(sides.values()) - held
    if not alone:
        return False
    if not knows(session.header.game):
        return True
    first = next(iter(sides.values()))
    value = evaluate(session.game, session.state, asking, session.header.options)
    return any((value if side == first else 1 - value) > CONTENT for side in alone)


def _over(store: Store, match: Match, seat: str, how: str) -> Ended:
    _settle(store, match, DRAW)
    _settle(store, match, RESIGN)
    match.end(seat, how)
    return {"done": True, "word": ""}


def open_offers(store: Store, match: Match) -> set[str]:
    """The seats that offer a draw now."""
    if match.session.decision() is None:
        return set()
    return standing_offers(match.session, store.agreements(match.id))


def resigning(store: Store, match: Match, seat: str | None) -> set[str]:
    """The seats that want to resign for the side of a seat; nobody else learns of it."""
    side = sides_of(match).get(seat or "", "")
    return store.agreements(match.id).get(f"{RESIGN}:{side}", set()) if side else set()


def _take_back(store: Store, match: Match, seats: list[str]) -> None:
    for topic in store.agreements(match.id):
        if topic.partition(":")[0] == DRAW:
            store.agree(match.id, seats, topic, yes=False)


def _settle(store: Store, match: Match, kind: str) -> None:
    for topic in store.agreements(match.id):
        if topic.partition(":")[0] == kind:
            store.settle(match.id, topic)
