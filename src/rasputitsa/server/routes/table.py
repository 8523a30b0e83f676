"""Seats and agreements: who holds what, seats that change hands, and what the people of a match agree on."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request

from rasputitsa.core.record.entries import HINTS_OFF, HINTS_ON, OPENED
from rasputitsa.server.accounts.rated_games import require_unrated
from rasputitsa.server.errors import bad_request, conflict, forbidden
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.offers import BACK, DRAW
from rasputitsa.server.matches.open_match import OpenMatch
from rasputitsa.server.matches.people import OWNER, People, sides_of
from rasputitsa.server.matches.rooms import Room
from rasputitsa.server.matches.seating import HINTS, Controller
from rasputitsa.server.models import AgreeBody, ControllersBody
from rasputitsa.server.naming import check_name
from rasputitsa.server.routes.ending import RESIGN, open_offers, resigning
from rasputitsa.server.routes.matches import (
    KeyQuery,
    SeatQuery,
    look_at,
    match_number,
    owns_machine,
    require_classless,
    rooms_of,
)
from rasputitsa.server.routes.ratings import rated_json
from rasputitsa.server.routes.rematch import rematch_json
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.seats import seats_changed
from rasputitsa.server.routes.starting import check_controller
from rasputitsa.server.shapes.lists import Agreed, Handed, Linked, SeatsInfo, SeatWish
from rasputitsa.server.shapes.words import Holding
from rasputitsa.server.store import Invitation, PlayerWanted, Store
from rasputitsa.server.store.seating import HEARD, seat_spoken_of

router = api_router()

OFFERS = (DRAW, RESIGN, BACK)
"""What other answers say, or not to everybody."""
SILENT_MS = 14 * 24 * 60 * 60_000
"""A player who has been asked for so long, on a server that was up, and has not answered counts as gone."""


async def _room(request: Request, match_id: str) -> Room:
    return await rooms_of(request).open(match_number(match_id))


def _people(request: Request, match: Match) -> People:
    return People.of(match, local=request.app.state.config.local)


def _silent(request: Request, match: Match) -> str | None:
    """The seat that is asked and whose person has not been heard of for long, although no clock counts their time.

    Orders in secret are answers too, although they change no time that others see.
    """
    decision, store = match.session.decision(), rooms_of(request).store
    if decision is None or decision.seat not in match.seats or not match.seats[decision.seat].holder:
        return None
    if store.quiet_ms(match.id, decision.seat) <= SILENT_MS:
        return None
    times = store.times(match.id)
    return decision.seat if times is None or times.running != decision.seat else None


def _kept_topic(store: Store, match: Match, topic: str) -> str:
    """How agreement to a topic is kept: about somebody who is silent only until they are heard of."""
    seat = seat_spoken_of(topic)
    held = seat in match.seats and match.seats[seat].holder
    return f"{topic}{HEARD}{store.stirred_ms(match.id, seat)}" if held else topic


def _agreed(store: Store, match: Match) -> dict[str, list[str]]:
    """The seats that have agreed, by topic, to what is still to be decided."""
    known = ((topic.partition(HEARD)[0], topic, seats) for topic, seats in store.agreements(match.id).items())
    return {
        told: sorted(seats)
        for told, topic, seats in known
        if told.partition(":")[0] not in OFFERS and topic == _kept_topic(store, match, told)
    }


# -- how things stand ----------------------------------------------------------------------------------


@router.get("/matches/{match_id}/seats")
async def seats(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> SeatsInfo:
    """Who holds the seats, as the caller may know it, and what has been agreed."""

    def work(match: Match) -> SeatsInfo:
        board, who = look_at(match, seat, key)
        if board is not match and not owns_machine(request):
            return _seats_seen(rooms_of(request).store, board)
        people, store = _people(request, match), rooms_of(request).store
        person = people.who(who) if who else OWNER if owns_machine(request) else ""
        links, agreed, silent = store.invitations(match.id), store.agreements(match.id), _silent(request, match)
        near, wanted_players = store.near(match.id), store.wanted_players(match.id)
        unheard = store.unheard(match.id, who) if who else set()
        return {
            "seats": {
                name: {
                    "state": _state(people, name, person),
                    "silent": name == silent,
                    "near": name in near,
                    "wish": _wish(wanted_players.get(name)),
                    **_link(people, links, name),
                }
                for name in match.seats
            },
            "owner": owns_machine(request),
            "alone": bool(person) and people.expected() <= {person},
            "opened": store.opened(match.id),
            "shown": store.shown(match.id),
            "hints": people.may_be_advised(agreed.get(HINTS, set())),
            "agreed": _agreed(store, match),
            "draws": sorted(open_offers(store, match)),
            "resigns": sorted(resigning(store, match, who)),
            "rematch": rematch_json(store, match, people, who),
            "classroom": bool(store.class_of(match.id)),
            "rated": rated_json(request, match),
            "blocked": [name for name, row in match.seats.items() if row.holder in unheard],
        }

    return await rooms_of(request).read(await _room(request, match_id), work)


def _seats_seen(store: Store, board: OpenMatch) -> SeatsInfo:
    """The seats of a match as they were: nothing of what its people have agreed on, or are about to, since then."""
    held: Mapping[str, Holding] = {"human": "person", "bot": "computer"}
    return {
        "seats": {
            name: {
                "state": held[board.controller(name).kind], "silent": False, "near": False, "wish": None,
                "link": False, "inviter": [],
            }
            for name in board.seats
        },
        "owner": False, "alone": False, "opened": store.opened(board.id), "shown": store.shown(board.id),
        "hints": False, "agreed": {}, "draws": [], "resigns": [], "rematch": None, "classroom": False, "rated": [],
        "blocked": [],
    }  # fmt: skip


def _wish(wanted: PlayerWanted | None) -> SeatWish | None:
    return None if wanted is None else {"pace": wanted.pace, "level": wanted.level}


def _state(people: People, seat: str, person: str) -> Holding:
    if people.seats[seat].holder:
        return "yours" if people.who(seat) == person else "person"
    return "waiting" if people.waits(seat) else "computer"


def _link(people: People, links: dict[str, Invitation], seat: str) -> Linked:
    """Whether an invitation is out, and who sent it."""
    link = links.get(seat)
    if link is None:
        return {"link": False, "inviter": []}
    inviter = [name for name, row in people.seats.items() if row.holder == link.inviter]
    return {"link": not link.void, "inviter": inviter}


# -- seats that change hands ---------------------------------------------------------------------------


@router.post("/matches/{match_id}/controllers")
async def controllers(request: Request, match_id: str, body: ControllersBody) -> Handed:
    """Hand one's own seat to the computer or take it back; or, playing alone, take a seat that is nobody's as well."""
    rooms, controller, seat = rooms_of(request), body.controller.controller(), body.of or body.seat

    def work(match: Match) -> Handed:
        match.require_key(body.seat, body.key)
        match.require_going_on(body.seat)
        if controller.kind == "bot" or seat != body.seat:
            require_unrated(rooms.store, match, "No seat changes hands")
        check_controller(match.session.header.game, set(match.seats), seat, controller)
        if controller != match.controller(seat):
            match.count_at_table(seat)
        if controller.kind == "human" and controller != match.controller(seat):
            people = _people(request, match)
            check_name(controller.name, people.names(besides=people.of_person(people.who(body.seat))))
        with match.together():
            keys = {} if seat == body.seat else _taken_over(request, match, body)
            match.set_controller(seat, controller)
        decision = match.session.decision()
        if controller.kind == "human" and decision is not None and decision.seat == seat:
            rooms.bots.hurry(match.id)  # what the computer still thinks of is asked no more
        return {"view": match.view(body.seat), "keys": keys}

    room = await _room(request, match_id)
    answer = await rooms.change(room, work)
    seats_changed(room)
    return answer


def _taken_over(request: Request, match: Match, body: ControllersBody) -> dict[str, str]:
    """Let the only person of a match have a seat that is nobody's; gives the new key."""
    people, store = _people(request, match), rooms_of(request).store
    seat, row = body.of or body.seat, match.seats[body.seat]
    caller = people.who(body.seat)
    if people.who(seat) == caller:
        return {}
    require_classless(request, match)
    if match.seats[seat].holder:
        raise forbidden("not_yours", f"the seat {seat} is somebody else's")
    if people.expected() - {caller, people.who(seat)}:
        raise conflict("others_play", "while others play, nobody can take a further seat")
    if body.controller.kind == "bot":
        raise bad_request("a seat that is nobody's is given to the computer by agreement")
    sides = sides_of(match)
    opens = not store.opened(match.id) and sides[seat] not in {sides[mine] for mine in people.of_person(caller)}
    if opens and not body.opens:
        raise conflict("opens_match", "you will see both sides, and the match will say so from then on")
    key = store.hold(match.id, seat, row.holder, owned=row.owned, opened=opens)
    match.reseat()
    if opens:
        match.remark(seat, OPENED)
    return {seat: key}


# -- what people agree on ------------------------------------------------------------------------------


@router.post("/matches/{match_id}/agree")
async def agree(request: Request, match_id: str, body: AgreeBody) -> Agreed:
    """Agree to something, or no longer; it is done once all people of the match have agreed to it.

    Hints from the computer are on as long as all agree. A seat that nobody holds, or whose person has been silent
    for long, is offered to somebody new or given to the computer; the owner of the machine may do so alone.
    """
    rooms = rooms_of(request)

    def work(match: Match) -> Agreed:
        people = _people(request, match)
        if body.seat:
            match.require_key(body.seat, body.key)
            person = people.who(body.seat)
        elif owns_machine(request) and body.topic != "hints":
            person = OWNER
        else:
            raise forbidden("bad_key", "a seat and its key are needed")
        with match.together():
            if body.topic == "hints":
                return _agree_to_hints(request, match, body, people.of_person(person) or [str(body.seat)])
            return _agree_to_seat(request, match, body, person)

    room = await _room(request, match_id)
    answer = await rooms.change(room, work)
    seats_changed(room)
    return answer


def _agree_to_hints(request: Request, match: Match, body: AgreeBody, mine: list[str]) -> Agreed:
    people, store = _people(request, match), rooms_of(request).store
    require_unrated(store, match, "There are no hints")
    before = people.may_be_advised(store.agreements(match.id).get(HINTS, set()))
    store.agree(match.id, mine, HINTS, yes=body.yes)
    after = people.may_be_advised(store.agreements(match.id).get(HINTS, set()))
    if before != after:
        match.count_at_table(mine[0])
        match.remark(mine[0], HINTS_ON if after else HINTS_OFF)
    return {"done": after}


def _agree_to_seat(request: Request, match: Match, body: AgreeBody, person: str) -> Agreed:
    require_classless(request, match)
    require_unrated(rooms_of(request).store, match, "No seat changes hands")
    store, people, seat = rooms_of(request).store, _people(request, match), str(body.of)
    controller = Controller("bot", body.bot or "") if body.topic == "computer" else Controller()
    if body.of is None or (body.topic == "computer" and not body.bot):
        raise bad_request("a seat is needed, and for the computer the name of the computer player")
    check_controller(match.session.header.game, set(match.seats), seat, controller)
    if match.seats[seat].holder and seat != _silent(request, match):
        raise forbidden("not_yours", f"the seat {seat} is held by somebody who has not been silent for long")
    asked = people.present() - {people.who(seat)}
    mine = [own for own in people.of_person(person) if own != seat]
    topic = _kept_topic(store, match, ":".join((body.topic, seat, *([controller.name] if controller.name else []))))
    if not owns_machine(request) or body.seat:
        if person not in asked:
            raise forbidden("not_yours", "only those who play decide about a seat")
        store.agree(match.id, mine[:1], topic, yes=body.yes)
        agreed = {people.who(own) for own in store.agreements(match.id).get(topic, set())}
        if not asked <= agreed:
            return {"done": False}
    inviter = match.seats[mine[0]].holder if mine else person
    store.release(match.id, seat)
    invites = body.topic == "invite"
    token = store.invite(match.id, seat, "guest", inviter, match_dice.draw_seed()) if invites else None
    match.reseat()
    match.set_controller(seat, controller)
    return {"done": True, "token": token} if token else {"done": True}
