"""Playing again: the same scenario and options with the sides swapped, for the same people."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record.session import Session
from rasputitsa.server.accounts.rated_games import rated_again
from rasputitsa.server.errors import bad_request, conflict
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import MatchTerms
from rasputitsa.server.matches.creating import Creating, RequestId
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.rematching import Proposal, propose
from rasputitsa.server.matches.rooms import SEATS_CHANGED
from rasputitsa.server.matches.seating import HINTS
from rasputitsa.server.models import ClaimBody, RematchBody
from rasputitsa.server.routes.matches import match_number, require_classless, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import let_in, seats_changed
from rasputitsa.server.shapes.lists import Created, RematchInfo
from rasputitsa.server.store import RematchedError, Store, UnknownMatchError, new_secret

router = api_router()


@router.post("/matches/{match_id}/rematch", status_code=201)
async def rematch(request: Request, match_id: str, body: RematchBody, request_id: RequestId = None) -> Created:
    """Ask for a rematch, or come to the one that another person of the match has asked for.

    There is one rematch of a match. The first to ask starts it, against the computer at once; the others come by the
    keys of their seats in this match, and when they come again they get further keys.
    """
    creating = Creating(request, request_id, body.model_dump_json())
    if (answer := await creating.answered()) is not None:
        return answer
    rooms = rooms_of(request)
    room = await rooms.open(match_number(match_id))

    def look(match: Match) -> tuple[_Asking, Proposal | None]:
        match.require_key(body.seat, body.key)
        require_classless(request, match)
        people = People.of(match, local=request.app.state.config.local)
        person = people.who(body.seat)
        agreed = rooms.store.agreements(match.id)
        hints = people.all_agree(agreed.get(HINTS, set()))
        asking = _Asking(match.id, people.of_person(person), match.seats[body.seat].owned, body.share, hints)
        if rooms.store.rematch_of(match.id) is not None:
            return asking, None
        if match.session.decision() is not None:
            raise conflict("still_playing", "a rematch can be asked for when the game is over")
        if match.session.header.lesson:
            raise bad_request("a lesson is begun again from the list of lessons")
        return asking, propose(match, people, person, agreed)

    asking, proposal = await rooms.read(room, look)
    if proposal is None:
        return await _come(request, asking)
    session = await creating.work(lambda: _session(proposal))
    match_dice.begin(session, None, body.share, proposal.guests)
    clocks = await rooms.in_thread(lambda: rooms.store.clock_terms([asking.match_id]))
    rated = await rooms.in_thread(lambda: rated_again(request, rooms.store, asking.match_id, session, proposal.guests))
    terms = MatchTerms(
        proposal.title, rated=rated,
        guests=proposal.guests, hints=proposal.hints and rated is None,
        owned=asking.owned, following=proposal.following,
        clock=clocks.get(asking.match_id) if proposal.guests else None,
        behind=await rooms.in_thread(lambda: rooms.store.behind(asking.match_id)) if proposal.guests else None,
    )  # fmt: skip
    try:
        answer = await creating.keep(session, terms)
    except RematchedError:  # another person has asked at the same time
        return await _come(request, asking)
    room.notify(SEATS_CHANGED)
    return answer


@dataclass(frozen=True, slots=True)
class _Asking:
    """A person of the former match: the seats held there, whether it is the owner of the machine, and whether all had
    agreed to hints."""

    match_id: int
    seats: list[str]
    owned: bool
    share: str | None
    hints: bool


def _session(proposal: Proposal) -> Session:
    try:
        return proposal.session()
    except RasputitsaError as problem:
        raise bad_request(str(problem)) from problem


async def _come(request: Request, asking: _Asking) -> Created:
    """Let a person in who held seats of the former match: the first time with a share in the dice."""
    rooms = rooms_of(request)
    store = rooms.store
    made = await rooms.in_thread(lambda: store.rematch_of(asking.match_id))
    if made is None:
        raise UnknownMatchError("the rematch was removed")

    def work(match: Match) -> Created:
        keys = dict[str, str]()
        with match.together():
            now = store.rematch_of(asking.match_id)
            assert now is not None, "it goes with its match"
            for seat in asking.seats:
                here, door = now.seats.get(seat, ""), now.doors.get(seat)
                if door == "offered":
                    keys[here] = _first_key(request, match, here, list(keys), asking)
                elif door == "taken":
                    keys[here] = store.add_key(match.id, here)
            match.reseat()
        if not keys:
            raise conflict("spent", "this match leads to no seat of the rematch any more")
        return {"id": str(match.id), "keys": keys, "invitations": {}}

    room = await rooms.open(made.match_id)
    answer = await rooms.change(room, work)
    seats_changed(room)
    (await rooms.open(asking.match_id)).notify(SEATS_CHANGED)
    return answer


def _first_key(request: Request, match: Match, seat: str, mine: list[str], asking: _Asking) -> str:
    """Take a seat as a guest would by a link that is made and used up at once."""
    store = rooms_of(request).store
    offered = store.invitations(match.id).get(seat)
    token = store.invite(match.id, seat, "guest", offered.inviter if offered else "")
    found = store.invitation(token)
    assert found is not None, "it was just made"
    guest = ClaimBody(
        token=token, request_id=new_secret(), name=match.controller(seat).name, share=asking.share, hints=asking.hints
    )  # fmt: skip
    claimed = let_in(request, match, found, guest, mine, owned=asking.owned)
    store.note_taken(match.id, seat)
    return claimed.key


def rematch_json(store: Store, match: Match, people: People, seat: str | None) -> RematchInfo | None:
    """What a seat is shown of the rematch."""
    made = store.rematch_of(match.id)
    if made is None or seat is None or seat not in made.seats:
        return None
    return {
        "match": str(made.match_id),
        "asked": [other for other, door in made.doors.items() if door == "taken"],
        "door": made.doors[seat],
    }
