"""Classes, for who learns: coming in by code and name, coming back by one's own word, cards and answers."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Request

from rasputitsa.server.classroom.bodies import CardAnswerBody, JoinClassBody, written
from rasputitsa.server.classroom.sitting import Place, places, together
from rasputitsa.server.errors import bad_request, conflict, forbidden, unknown
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.offers import game_turn
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.rooms import Room
from rasputitsa.server.matches.seating import Controller, one_line
from rasputitsa.server.models import ClaimBody, SeatBody
from rasputitsa.server.naming import check_name, seen_as
from rasputitsa.server.routes.matches import match_number, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import let_in, seats_changed
from rasputitsa.server.shapes.classes import ClassJoined, PupilCard, PupilDesk
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import digest
from rasputitsa.server.store.classroom.classes import ClassRow, Pupil
from rasputitsa.server.store.seating import HOST

router = api_router()

MOST_NAME = 40
MOST_SEEN = 200


def _seen(name: str) -> str:
    """A pupil's name as it looks at a glance, by which nobody is taken for somebody else."""
    return seen_as(one_line(name, MOST_NAME))[:MOST_SEEN]


@router.post("/classes/join")
async def join(request: Request, body: JoinClassBody) -> ClassJoined:
    """Come into a class and get a seat, the key to it, and a word; with that word, come back to it.

    The same request, sent again after a lost answer, gets the same seat, and another word.
    """
    rooms = rooms_of(request)
    found = await rooms.in_thread(lambda: rooms.store.class_by(body.code))
    throttle_of(request).enter_class(request.client, found.id if found else "")
    if found is None:
        raise unknown("unknown_class", "there is no class with this code; look at it once more")
    pupils = await rooms.in_thread(lambda: rooms.store.pupils(found.id))
    asked = digest(body.request_id)
    if again := next((pupil for pupil in pupils if pupil.request == asked), None):
        return await _seated_again(request, again, body, new_word=True)
    if body.word:
        return await _come_back(request, pupils, body)
    if found.closed:
        raise conflict("closed", "your teacher lets nobody new into this class now")
    return await _come(request, found, pupils, body)


async def _come_back(request: Request, pupils: list[Pupil], body: JoinClassBody) -> ClassJoined:
    seen = _seen(body.name)
    pupil = next((pupil for pupil in pupils if pupil.seen == seen), None)
    if pupil is not None:
        throttle_of(request).try_word(pupil.word)
    if pupil is None or not pupil.says(body.word):
        raise forbidden("bad_word", "name and word do not go together; your teacher can give you another word")
    return await _seated_again(request, pupil, body)


async def _seated_again(request: Request, pupil: Pupil, body: JoinClassBody, *, new_word: bool = False) -> ClassJoined:
    """A further key to the seat that a pupil has; one that was given up is taken again."""
    rooms = rooms_of(request)
    store = rooms.store

    def work(match: Match) -> ClassJoined:
        with match.together():
            if match.seats[pupil.seat].holder:
                key = store.add_key(match.id, pupil.seat)
                match.reseat()
            else:
                key = _take(request, match, pupil.seat, pupil.name, body)
            word = store.new_word(pupil) if new_word else body.word
        return {"id": str(match.id), "seat": pupil.seat, "key": key, "name": pupil.name, "word": word}

    room = await rooms.open(pupil.match_id)
    answer = await rooms.change(room, work)
    seats_changed(room)
    return answer


async def _come(request: Request, found: ClassRow, pupils: list[Pupil], body: JoinClassBody) -> ClassJoined:
    rooms, name = rooms_of(request), one_line(body.name, MOST_NAME)
    seen = _seen(body.name)
    if not seen:
        raise bad_request("please type your name")
    check_name(name)
    known = await rooms.in_thread(lambda: rooms.store.class_matches(found.id))
    held = await rooms.in_thread(lambda: rooms.store.seats_of([match.row.id for match in known]))
    for place in places(known, held, pupils):
        room = await rooms.open(place.match_id)
        answer = await _try(request, room, place, name, seen, body)
        if answer is not None:
            return answer
    raise conflict("class_full", "all seats are taken; your teacher can add a board")


async def _try(
    request: Request, room: Room, place: Place, name: str, seen: str, body: JoinClassBody
) -> ClassJoined | None:
    """Take a seat, unless somebody else has been quicker."""
    rooms = rooms_of(request)
    store = rooms.store

    def work(match: Match) -> ClassJoined | None:
        people = People.of(match, local=request.app.state.config.local)
        stands_in = match.controller(place.seat).kind == "bot" and not match.session.header.lesson
        free = people.waits(place.seat) or (place.computer and stands_in)
        if match.session.decision() is None or free == place.shared:
            return None
        with match.together():
            if not place.shared:
                store.forget_pupils(match.id, place.seat)
            word = store.add_pupil(match.id, place.seat, name, seen, body.request_id)
            if word is None:
                raise conflict(
                    "name_taken",
                    "somebody in this class has that name. Add a letter of your surname, or come back with your word",
                )
            if place.shared:
                key = store.add_key(match.id, place.seat)
                match.reseat()
                match.set_controller(place.seat, together([*place.names, name]))
            else:
                key = _take(request, match, place.seat, name, body)
        return {"id": str(match.id), "seat": place.seat, "key": key, "name": name, "word": word}

    answer = await rooms.change(room, work)
    if answer is not None:
        seats_changed(room)
    return answer


def _take(request: Request, match: Match, seat: str, name: str, body: JoinClassBody) -> str:
    """Sit down as a guest does by a link that is made and used up at once."""
    store = rooms_of(request).store
    if match.controller(seat).kind == "bot":
        match.set_controller(seat, Controller())
    offered = store.invitations(match.id).get(seat)
    token = store.invite(match.id, seat, "guest", offered.inviter if offered else HOST, match_dice.draw_seed())
    link = store.invitation(token)
    assert link is not None, "it was just made"
    guest = ClaimBody(token=token, request_id=body.request_id, name=name, share=body.share, hints=True)
    return let_in(request, match, link, guest, []).key


# -- at the board --------------------------------------------------------------------------------------


@router.post("/matches/{match_id}/class")
async def desk(request: Request, match_id: str, body: SeatBody) -> PupilDesk:
    """What a seat of a class is shown besides the match: whether it is paused, and the cards that are due."""
    rooms = rooms_of(request)

    def work(match: Match) -> PupilDesk:
        match.require_key(body.seat, body.key)
        class_id = rooms.store.class_of(match.id)
        if not class_id:
            raise unknown("unknown_class", "this match belongs to no class")
        mine = [p.name for p in rooms.store.pupils(class_id) if (p.match_id, p.seat) == (match.id, body.seat)]
        return {"paused": match.paused, "pupils": mine, "cards": list(_due(request, match, body.seat))}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


def _due(request: Request, match: Match, seat: str) -> Iterator[PupilCard]:
    """The cards whose turn has come."""
    store, turn = rooms_of(request).store, game_turn(match.session)
    replies = {reply.number: reply.text for reply in store.card_answers([match.id]) if reply.seat == seat}
    for card in store.cards([match.id]):
        if card.turn <= turn:
            yield {"number": card.number, "text": card.text, "reply": replies.get(card.number, "")}


@router.post("/matches/{match_id}/class/answer")
async def answer_card(request: Request, match_id: str, body: CardAnswerBody) -> Done:
    """Answer a card; the teacher alone reads it."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        if body.card not in {card["number"] for card in _due(request, match, body.seat)}:
            raise bad_request("there is no such card")
        rooms.store.require_room()
        rooms.store.answer_card(match.id, body.seat, body.card, written(body.text))

    await rooms.read(await rooms.open(match_number(match_id)), work)
    return {}
