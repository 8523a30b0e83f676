"""Seats: sitting down, invitations, keys, and seats that change hands."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence

from fastapi import Request

from rasputitsa.core.record.entries import CAME, LEFT, OPENED, SHOWN
from rasputitsa.server.accounts.rated_games import require_unrated, sit_down, still_rated
from rasputitsa.server.accounts.signed_in import find_signed_in, held_here
from rasputitsa.server.errors import bad_request, conflict, forbidden, unknown
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import default_title
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.people import OWNER, People, sides_of
from rasputitsa.server.matches.rooms import SEATS_CHANGED, Room
from rasputitsa.server.matches.seating import HINTS, Controller, key_fits, one_line
from rasputitsa.server.matches.times import terms_json
from rasputitsa.server.matches.views import controllers_json
from rasputitsa.server.models import ClaimBody, InviteBody, OfSeatBody, SeatBody, SitBody, TokenBody
from rasputitsa.server.naming import check_name
from rasputitsa.server.routes.matches import match_number, owns_machine, require_classless, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.lists import Claimed, InvitationInfo, NewKey, Sat, Token
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.store import Claim, Invitation, SpentError, StoreError

log = logging.getLogger(__name__)

router = api_router()


async def _room(request: Request, match_id: str) -> Room:
    return await rooms_of(request).open(match_number(match_id))


def _people(request: Request, match: Match) -> People:
    return People.of(match, local=request.app.state.config.local)


# -- sitting down --------------------------------------------------------------------------------------


@router.post("/matches/{match_id}/sit")
async def sit(request: Request, match_id: str, body: SitBody) -> Sat:
    """Which of the caller's keys fit; the owner of the machine gets fresh ones for seats without one, and so does
    the person signed in for the seats kept with the account."""
    rooms = rooms_of(request)

    def work(match: Match) -> Sat:
        keys = {seat: key for seat, key in body.keys.items() if key_fits(match.seats, seat, key)}
        fitting = len(keys)
        try:
            _add_fresh_keys(request, match, keys)
        except StoreError as problem:  # a full disk takes no new keys, but looking on is still possible
            log.warning("no new key for match %d: %s", match.id, problem)
        if len(keys) > fitting:
            match.reseat()
        session = match.seen_by(next(iter(keys), None)).session
        decision = session.decision()
        to_move = decision.seat if decision else None
        return {"keys": keys, "to_move": to_move, "controllers": controllers_json(session)}

    return await rooms.read(await _room(request, match_id), work)


def _add_fresh_keys(request: Request, match: Match, keys: dict[str, str]) -> None:
    """Keys to seats that are the caller's without one."""
    store, owner = rooms_of(request).store, owns_machine(request)
    for seat in [seat for seat, row in match.seats.items() if owner and row.owned and row.holder]:
        if seat not in keys:
            keys[seat] = store.add_key(match.id, seat)
    if (signed_in := find_signed_in(request, store)) is None:
        return
    for seat in store.seats_of_account(signed_in.session.digest, match.id).get(match.id, []):
        if seat not in keys and (key := store.key_for_session(match.id, seat, signed_in.session.digest)):
            keys[seat] = key


@router.post("/matches/{match_id}/keys", status_code=201)
async def another_key(request: Request, match_id: str, body: SeatBody) -> NewKey:
    """A further key to the caller's seat. To have a new one instead, ask for it and then give up the others."""
    rooms = rooms_of(request)

    def work(match: Match) -> NewKey:
        match.require_key(body.seat, body.key)
        key = rooms.store.add_key(match.id, body.seat, like=body.key)
        match.reseat()
        return {"key": key}

    return await rooms.read(await _room(request, match_id), work)


@router.post("/matches/{match_id}/keys/only")
async def only_key(request: Request, match_id: str, body: SeatBody) -> Done:
    """Make every other key to the caller's seat void, and all links to it; windows that use such a key are closed.

    Notices, calendar and standing orders of the seat end, no matter who has set them up. It leaves every account but
    that of the person signed in.
    """
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        signed_in = find_signed_in(request, rooms.store)
        rooms.store.keep_only(match.id, body.seat, body.key, signed_in.session.digest if signed_in else "")
        match.reseat()

    room = await _room(request, match_id)
    await rooms.read(room, work)
    seats_changed(room)
    return {}


@router.post("/matches/{match_id}/leave")
async def leave(request: Request, match_id: str, body: SeatBody) -> Done:
    """Give up a seat for good; it waits for another player."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        require_unrated(rooms.store, match, "No seat is given up")
        with match.together():
            rooms.store.release(match.id, body.seat)
            match.reseat()
            match.remark(body.seat, LEFT)

    room = await _room(request, match_id)
    await rooms.change(room, work)
    seats_changed(room)
    return {}


def seats_changed(room: Room, seats: Collection[str] | None = None) -> None:
    """Tell the windows of ``seats``, or of everybody, to ask again how things stand."""
    room.close_strangers()
    for subscriber in room.present():
        if seats is None or subscriber.seat in seats:
            subscriber.notify(SEATS_CHANGED)


# -- invitations ---------------------------------------------------------------------------------------


@router.post("/matches/{match_id}/invitations", status_code=201)
async def invite(request: Request, match_id: str, body: InviteBody) -> Token:
    """A link to a seat, in place of an unclaimed one: for somebody else, or for another device of the caller.

    A seat can be passed on by who holds it, and offered again by who invited to it as long as nobody has come. A link
    for another device that is made by a key that ends with a session ends with it as well.
    """
    rooms = rooms_of(request)

    def work(match: Match) -> Token:
        person = require_say(request, match, body, invited=body.kind == "guest")
        if body.kind == "guest":
            require_classless(request, match)
            if match.seats[body.of].holder:
                require_unrated(rooms.store, match, "No seat is passed on")
        if body.kind == "guest" and match.controller(body.of).kind != "human":
            raise conflict("not_yours", f"{body.of} is played by the computer; nobody can be invited to it")
        inviter = match.seats[body.seat].holder if body.seat else person
        like = (body.seat or "", body.key) if body.kind == "device" else ("", "")
        seed = match_dice.draw_seed()
        return {"token": rooms.store.invite(match.id, body.of, body.kind, inviter, seed, like=like)}

    room = await _room(request, match_id)
    answer = await rooms.read(room, work)
    seats_changed(room, _concerned(body.of, body.kind))
    return answer


@router.post("/matches/{match_id}/invitations/revoke")
async def revoke(request: Request, match_id: str, body: OfSeatBody) -> Done:
    """Make an unclaimed link for somebody else void."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        require_say(request, match, body, invited=True)
        with match.together():
            rooms.store.uninvite(match.id, body.of)
            rooms.store.look_at_clock(match.id)

    room = await _room(request, match_id)
    await rooms.read(room, work)
    room.notify(SEATS_CHANGED)
    return {}


def require_say(request: Request, match: Match, body: OfSeatBody, *, invited: bool) -> str:
    """Who the caller is, if entitled to decide about a seat: its holder or, where ``invited``, its guest's host."""
    people = _people(request, match)
    if body.of not in match.seats:
        raise bad_request(f"there is no seat {body.of!r}")
    if body.seat:
        match.require_key(body.seat, body.key)
        person = people.who(body.seat)
    elif owns_machine(request):
        person = OWNER
    else:
        raise forbidden("bad_key", "a seat and its key are needed")
    mine = person == people.who(body.of)
    offered = rooms_of(request).store.invitations(match.id).get(body.of)
    as_known = {match.seats[seat].holder for seat in people.of_person(person)} | {person}
    if mine or (invited and people.waits(body.of) and offered is not None and offered.inviter in as_known):
        return person
    raise forbidden("not_yours", f"the seat {body.of} is not yours to give")


@router.post("/invitations/look")
async def look(request: Request, body: TokenBody) -> InvitationInfo:
    """What a link leads to. The token comes in the body, so that it stands in no log."""
    rooms = rooms_of(request)
    found = await rooms.in_thread(lambda: rooms.store.invitation(body.token))
    if found is None:
        raise unknown("unknown_invitation", "this link leads to no seat any more; ask for a new one")
    room = await rooms.open(found.match_id)
    return await rooms.read(room, lambda match: invitation_view(request, match, found))


def invitation_view(request: Request, match: Match, found: Invitation) -> InvitationInfo:
    """What a seat is like that a link leads to."""
    session = match.session
    people = _people(request, match)
    agreed = rooms_of(request).store.agreements(match.id).get(HINTS, set())
    inviting = [seat for seat in match.seats if found.inviter and match.seats[seat].holder == found.inviter]
    return {
        "match": str(match.id), "title": match.title,
        "named": match.title != default_title(session), "game": session.header.game,
        "scenario": session.header.scenario, "options": session.header.options, "seat": found.seat,
        "kind": found.kind, "spent": found.claimed or found.void, "inviter": inviting,
        "controllers": {seat: match.controller(seat).to_json() for seat in match.seats},
        "waiting": [seat for seat in match.seats if people.waits(seat)],
        "hints": people.all_agree(agreed, besides=found.seat),
        "ply": match.seen_by(None).sight(None).count, "over": match.lies_open,
        "behind": match.behind, "opened": rooms_of(request).store.opened(match.id),
        "shown": rooms_of(request).store.shown(match.id),
        "rated": still_rated(rooms_of(request).store, match) is not None,
        "clock": terms_json(rooms_of(request).store.clock_terms([match.id]).get(match.id)),
        "dice": match.commitment or match_dice.commitment_of(found.committed_seed),
    }  # fmt: skip


@router.post("/invitations/claim")
async def claim(request: Request, body: ClaimBody) -> Claimed:
    """Take the seat; the answer holds its key, which nobody else has.

    The same request id, sent again after a lost answer, gets a key as well; no other request does. Seat, share in the
    dice and what the log tells are written together: a guest who has come has a share in the seed.
    """
    rooms = rooms_of(request)
    found = await rooms.in_thread(lambda: rooms.store.invitation(body.token))
    if found is None:
        raise unknown("unknown_invitation", "this link leads to no seat any more; ask for a new one")
    room = await rooms.open(found.match_id)

    def work(match: Match) -> Claimed:
        mine = seats_held(request, match, body.keys, besides=found.seat)
        check_guest(request, match, found.seat, body.name, mine)
        with match.together():
            claimed = let_in(request, match, found, body, mine)
        return {"id": str(match.id), "seat": claimed.seat, "key": claimed.key}

    answer = await rooms.change(room, work)
    seats_changed(room, _concerned(found.seat, found.kind))
    return answer


def seats_held(request: Request, match: Match, keys: Mapping[str, str], *, besides: str) -> list[str]:
    """The seats of a match that are known to be the caller's: by a key, or by the account of the person signed in."""
    held = [seat for seat, key in keys.items() if key_fits(match.seats, seat, key)]
    return [
        seat for seat in dict.fromkeys((*held, *held_here(request, rooms_of(request), match.id))) if seat != besides
    ]


def _concerned(seat: str, kind: str) -> set[str] | None:
    """Whom a link concerns: another device of the same person is nobody else's business."""
    return {seat} if kind == "device" else None


def check_guest(request: Request, match: Match, seat: str, name: str, mine: Sequence[str]) -> None:
    """Refuse a guest whose name is somebody else's or the computer's."""
    check_name(one_line(name), _people(request, match).names(besides=(seat, *mine)))


def let_in(
    request: Request, match: Match, found: Invitation, guest: ClaimBody, mine: Sequence[str], *, owned: bool = False
) -> Claim:
    """Give a guest the seat a link leads to, within a transaction of the caller's.

    Args:
        mine: other seats of the match that are the guest's.
        owned: the guest is the owner of the machine.
    """
    store = rooms_of(request).store
    agreed = [HINTS] if guest.hints and invitation_view(request, match, found)["hints"] else []
    holder = match.seats[mine[0]].holder if mine and found.kind == "guest" else ""
    owned = owned or (bool(holder) and match.seats[mine[0]].owned)
    opens = bool(holder) and not store.opened(match.id) and _other_side(match, found.seat, holder)
    origin, signed_in = throttle_of(request).who(request.client) or "", find_signed_in(request, store, note=False)
    if found.kind == "guest" and not found.claimed:
        sit_down(request, store, match, found.seat, both=bool(mine))
    try:
        claimed = store.claim(
            guest.token, guest.request_id, agreed, origin=origin, holder=holder, owned=owned, opened=opens,
            session=signed_in.session.digest if signed_in else "",
        )  # fmt: skip
    except SpentError as problem:
        raise conflict("spent", str(problem)) from problem
    match.reseat()
    if claimed.kind == "guest" and not claimed.repeated:
        match.count_at_table(claimed.seat, taken=True)
        match.take_share(claimed.seat, guest.share, claimed.committed_seed)
        _tell_of_guest(match, claimed.seat, one_line(guest.name))
        if opens:
            match.remark(claimed.seat, OPENED)
        elif store.shown(match.id):
            match.remark(claimed.seat, SHOWN)
    return claimed


def _other_side(match: Match, seat: str, holder: str) -> bool:
    """Whether a seat is of a side that its new holder has not seen so far."""
    sides = sides_of(match)
    return sides[seat] not in {sides[name] for name, row in match.seats.items() if row.holder == holder}


def _tell_of_guest(match: Match, seat: str, name: str) -> None:
    """Put on record that a guest has come: by name if one is given, and in any case where the game is under way."""
    before = match.controller(seat)
    match.set_controller(seat, Controller("human", name))
    if match.controller(seat) == before and match.session.version:
        match.remark(seat, CAME)
