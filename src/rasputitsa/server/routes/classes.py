"""Classes, for who teaches: opening one, looking at all boards, pausing, stepping back, cards, and the end of it."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Request

from rasputitsa.server.classroom.bodies import (
    CardBody,
    ClassDoorBody,
    ClassMatchBody,
    ComputerBody,
    OfMatchesBody,
    OneMatchBody,
    OpenClassBody,
    PauseBody,
    PupilBody,
    TeacherBody,
    written,
)
from rasputitsa.server.classroom.keeping import remove_class
from rasputitsa.server.classroom.sitting import together
from rasputitsa.server.errors import bad_request, conflict, forbidden
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import MatchTerms
from rasputitsa.server.matches.creating import Creating, RequestId
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.rooms import Room
from rasputitsa.server.matches.seating import MAX_TITLE, Controller, one_line, stand_in
from rasputitsa.server.models import NewMatch
from rasputitsa.server.routes.matches import match_number, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.routes.starting import check_controller, new_lesson, new_scenario
from rasputitsa.server.shapes.classes import (
    CardNumber,
    ClassBoard,
    ClassBounds,
    ClassCard,
    ClassInfo,
    ClassMade,
    ClassMatchMade,
    PupilWord,
)
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import Store, UnknownMatchError
from rasputitsa.server.store.classroom.classes import KEPT_DAYS, ClassMatch, ClassRow, Pupil
from rasputitsa.server.wall_clock import now_ms

router = api_router()

MOST_CARDS = 60
"""Handed out in one class."""
MOST_MATCHES = 40
"""Of one class."""


async def _taught(request: Request, body: TeacherBody) -> ClassRow:
    """The class whose teacher asks; a caller without a key to it learns nothing of its code either."""
    rooms = rooms_of(request)
    found = await rooms.in_thread(lambda: rooms.store.class_by(body.code))
    if found is None or not found.opens(body.key):
        raise forbidden("bad_key", "this browser has no key to the class")
    throttle_of(request).teach_class(request.client, found.id)
    return found


async def _own(request: Request, body: OneMatchBody) -> tuple[ClassRow, Room]:
    """A match of the teacher's own class; any other one is none."""
    rooms, found = rooms_of(request), await _taught(request, body)
    number = match_number(body.match)
    if await rooms.in_thread(lambda: rooms.store.class_of(number)) != found.id:
        raise UnknownMatchError(f"there is no match {number} in this class")
    return found, await rooms.open(number)


async def _chosen(request: Request, class_id: str, body: OfMatchesBody) -> list[int]:
    """The matches a request is about, those of the class alone."""
    rooms = rooms_of(request)
    known = [match.row.id for match in await rooms.in_thread(lambda: rooms.store.class_matches(class_id))]
    if body.matches is None:
        return known
    wanted = {match_number(match) for match in body.matches}
    if strange := wanted - set(known):
        raise UnknownMatchError(f"there is no match {min(strange)} in this class")
    return [number for number in known if number in wanted]


# -- the class -----------------------------------------------------------------------------------------


@router.get("/classes")
async def bounds() -> ClassBounds:
    """How large a class may be, for who is about to open one."""
    return {"most_boards": MOST_MATCHES}


@router.post("/classes", status_code=201)
async def open_class(request: Request, body: OpenClassBody) -> ClassMade:
    """Open a class; the holder of the key that is answered teaches it, and pupils come by its code."""
    rooms = rooms_of(request)
    throttle_of(request).open_class(request.client)

    def work() -> ClassMade:
        rooms.store.require_room()
        code, key = rooms.store.open_class(one_line(body.title, MAX_TITLE))
        return {"code": code, "key": key}

    return await rooms.in_thread(work)


@router.post("/classes/matches", status_code=201)
async def add_match(request: Request, body: ClassMatchBody, request_id: RequestId = None) -> ClassMatchMade:
    """Add a match to the class; all seats of people wait for pupils."""
    rooms, found = rooms_of(request), await _taught(request, body)
    creating = Creating(request, request_id, body.model_dump_json())
    made = await creating.answered()
    if made is None:
        if len(await rooms.in_thread(lambda: rooms.store.class_matches(found.id))) >= MOST_MATCHES:
            raise conflict("too_many_boards", f"a class has {MOST_MATCHES} boards at most")
        wanted = NewMatch(game=body.game, scenario=body.scenario, lesson=body.lesson, players=body.players)
        session = await creating.work(lambda: new_lesson(wanted) if body.lesson else new_scenario(wanted))
        seats = [seat.id for seat in session.seats if Controller.of(session, seat.id).kind == "human"]
        match_dice.begin(session, None, None, seats)
        made = await creating.keep(session, MatchTerms(guests=seats, hints=body.hints))
    number = int(made["id"])
    place = await rooms.in_thread(lambda: rooms.store.add_to_class(found.id, number))
    return {"id": made["id"], "number": place}


@router.post("/classes/boards")
async def boards(request: Request, body: TeacherBody) -> ClassInfo:
    """All boards of the class, with nothing of what one side hides from the other."""
    rooms, found = rooms_of(request), await _taught(request, body)

    def work() -> ClassInfo:
        store = rooms.store
        known, pupils = store.class_matches(found.id), store.pupils(found.id)
        seats = store.seats_of([match.row.id for match in known])
        free = {match_id: {s.seat for s in rows.values() if not s.holder} for match_id, rows in seats.items()}
        return {
            "title": found.title,
            "closed": found.closed,
            "boards": [_board(match, pupils, free[match.row.id], watched) for match in known],
            "cards": _cards(store, [match.row.id for match in known]),
            "kept_days": KEPT_DAYS,
        }

    watched = rooms.watched()
    return await rooms.in_thread(work)


def _board(match: ClassMatch, pupils: Sequence[Pupil], free: set[str], watched: set[tuple[int, str]]) -> ClassBoard:
    row = match.row
    players = row.summary["controllers"]
    return {
        **row.summary,
        "id": str(row.id),
        "number": match.number,
        "title": row.title,
        "over": row.over,
        "paused": match.paused,
        "changes": row.changes,
        "waited_ms": max(0, now_ms() - row.updated_ms),
        "pupils": [
            {"number": pupil.number, "seat": pupil.seat, "name": pupil.name}
            for pupil in pupils
            if pupil.match_id == row.id
        ],
        "present": [seat for seat in players if (row.id, seat) in watched],
        "waiting": [seat for seat in players if seat in free and players[seat]["kind"] == "human"],
    }


def _cards(store: Store, match_ids: list[int]) -> list[ClassCard]:
    found: dict[int, ClassCard] = {}
    for card in store.cards(match_ids):
        told = found.setdefault(
            card.number,
            {"number": card.number, "turn": card.turn, "text": card.text, "matches": [], "replies": []},
        )
        told["matches"].append(str(card.match_id))
    for reply in store.card_answers(match_ids):
        if reply.number in found:
            told = found[reply.number]
            told["replies"].append({"match": str(reply.match_id), "seat": reply.seat, "text": reply.text})
    return list(found.values())


@router.post("/classes/door")
async def door(request: Request, body: ClassDoorBody) -> Done:
    """Let nobody new into the class, or let them in again; who is in it comes back in any case."""
    rooms, found = rooms_of(request), await _taught(request, body)
    await rooms.in_thread(lambda: rooms.store.close_class(found.id, closed=body.closed))
    return {}


@router.post("/classes/delete")
async def delete(request: Request, body: TeacherBody) -> Done:
    """Delete the class: its matches, the names of its pupils, cards and answers."""
    found = await _taught(request, body)
    for number in await remove_class(rooms_of(request), found.id):
        request.app.state.analysis_jobs.forget(number)
    return {}


# -- the lesson ----------------------------------------------------------------------------------------


@router.post("/classes/pause")
async def pause(request: Request, body: PauseBody) -> Done:
    """Stop all matches, or some, for a while, or let them go on; who plays there sees it at once."""
    rooms, found = rooms_of(request), await _taught(request, body)

    def work(match: Match) -> None:
        rooms.store.pause(match.id, paused=body.paused)
        match.read_pause()

    for number in await _chosen(request, found.id, body):
        room = await rooms.open(number)
        await rooms.read(room, work)
        seats_changed(room)
        if not body.paused:
            rooms.play_bots(room)
    return {}


@router.post("/classes/back")
async def step_back(request: Request, body: OneMatchBody) -> Done:
    """Take back what a person did last in a match, no matter who, with what the computer has answered."""
    _, room = await _own(request, body)
    await rooms_of(request).change(room, lambda match: match.step_back())
    return {}


@router.post("/classes/computer")
async def computer(request: Request, body: ComputerBody) -> Done:
    """Let the computer play the seats of a match for which nobody has come."""
    rooms = rooms_of(request)
    _, room = await _own(request, body)

    def work(match: Match) -> None:
        game = match.session.header.game
        player = Controller("bot", body.bot) if body.bot else stand_in(game)
        people = People.of(match, local=request.app.state.config.local)
        free = [seat for seat in match.seats if people.waits(seat)]
        if len(free) == len(match.human_seats()):
            raise conflict("nobody_there", "nobody has come to this board yet")
        with match.together():
            for seat in free:
                check_controller(game, set(match.seats), seat, player)
                rooms.store.release(match.id, seat)
                match.reseat()
                match.set_controller(seat, player)

    await rooms.change(room, work)
    seats_changed(room)
    return {}


# -- pupils --------------------------------------------------------------------------------------------


@router.post("/classes/pupils/word")
async def new_word(request: Request, body: PupilBody) -> PupilWord:
    """Give a pupil another word, and close the windows on the seat: the pupil comes back with it."""
    rooms = rooms_of(request)
    found, room = await _own(request, body)

    def work(match: Match) -> PupilWord:
        pupil = _pupil(rooms.store, found, match, body)
        with match.together():
            word = rooms.store.new_word(pupil)
            _void_keys(rooms.store, match, pupil.seat)
        return {"name": pupil.name, "word": word}

    answer = await rooms.read(room, work)
    seats_changed(room)
    return answer


@router.post("/classes/pupils/remove")
async def remove_pupil(request: Request, body: PupilBody) -> Done:
    """Remove a pupil. A seat that nobody shares waits for somebody else; who shares it comes back by word."""
    rooms = rooms_of(request)
    found, room = await _own(request, body)

    def work(match: Match) -> None:
        pupil = _pupil(rooms.store, found, match, body)
        others = [p.name for p in rooms.store.pupils(found.id) if _sits_with(p, pupil)]
        with match.together():
            if others:
                rooms.store.forget_pupil(pupil)
                if match.seats[pupil.seat].holder:
                    _void_keys(rooms.store, match, pupil.seat)
                    match.set_controller(pupil.seat, together(others))
                return
            rooms.store.forget_pupils(match.id, pupil.seat)
            rooms.store.release(match.id, pupil.seat)
            match.reseat()
            match.set_controller(pupil.seat, Controller())

    await rooms.change(room, work)
    seats_changed(room)
    return {}


def _void_keys(store: Store, match: Match, seat: str) -> None:
    """Close all windows on a seat; its player keeps it, and comes back by word."""
    store.keep_only(match.id, seat, store.add_key(match.id, seat))
    match.reseat()


def _sits_with(one: Pupil, other: Pupil) -> bool:
    return (one.match_id, one.seat) == (other.match_id, other.seat) and one.number != other.number


def _pupil(store: Store, found: ClassRow, match: Match, body: PupilBody) -> Pupil:
    for pupil in store.pupils(found.id):
        if (pupil.match_id, pupil.number) == (match.id, body.pupil):
            return pupil
    raise bad_request("there is no such pupil on this board")


# -- cards ---------------------------------------------------------------------------------------------


@router.post("/classes/cards", status_code=201)
async def hand_out(request: Request, body: CardBody) -> CardNumber:
    """Give a question to those who play, who see it as a card from a turn on; their answers come to the teacher."""
    rooms, found = rooms_of(request), await _taught(request, body)
    chosen, text = await _chosen(request, found.id, body), written(body.text)
    if not text:
        raise bad_request("there is nothing on the card")

    def work() -> int:
        rooms.store.require_room()
        whole = [match.row.id for match in rooms.store.class_matches(found.id)]
        if len({card.number for card in rooms.store.cards(whole)}) >= MOST_CARDS:
            raise conflict("too_many_cards", f"a class has {MOST_CARDS} cards at most")
        return rooms.store.hand_out(found.id, text, body.turn, chosen)

    number = await rooms.in_thread(work)
    for match_id in chosen:
        seats_changed(await rooms.open(match_id))
    return {"number": number}
