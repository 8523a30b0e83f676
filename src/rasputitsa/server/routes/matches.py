"""Matches: the list, the views, and everything that changes one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import islice
from typing import Annotated, Any, TypeVar, cast

from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from rasputitsa.server.accounts.rated_games import rated_start, require_unmet
from rasputitsa.server.accounts.signed_in import find_signed_in
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.encoding import Json, dumps
from rasputitsa.server.errors import forbidden, unknown
from rasputitsa.server.gate.throttle import COSTLY, Throttle
from rasputitsa.server.limits import is_loopback
from rasputitsa.server.matches import match_dice
from rasputitsa.server.matches.archive import MatchTerms
from rasputitsa.server.matches.creating import Creating, RequestId
from rasputitsa.server.matches.match import LookBackError, Match, digest_of
from rasputitsa.server.matches.open_match import OpenMatch
from rasputitsa.server.matches.people import OWNER, People, sides_of
from rasputitsa.server.matches.rebuilding import BrokenMatchError, unchecked_save
from rasputitsa.server.matches.rooms import Room, Rooms
from rasputitsa.server.matches.seating import key_fits
from rasputitsa.server.models import (
    MAX_INT,
    ActionBody,
    CopyBody,
    LobbyBody,
    NewMatch,
    SeatBody,
    UndoBody,
    WishBody,
)
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.routes.starting import check_guests, new_lesson, new_scenario
from rasputitsa.server.shapes.lists import Created, MatchSummary
from rasputitsa.server.shapes.live import Done, Undone
from rasputitsa.server.shapes.views import BoardView, LogEntry
from rasputitsa.server.store import MatchRow, OpenTable, PlayerWanted, Rematch, SeatRow, Store
from rasputitsa.server.store import Request as StoreRequest

router = api_router()
T = TypeVar("T")

SeatQuery = Annotated[str | None, Query(max_length=40)]
KeyQuery = Annotated[str, Query(max_length=64)]
PlyQuery = Annotated[int | None, Query(ge=0, le=MAX_INT)]

SAVE_TYPE = "application/x-ndjson"
MOST_KEPT = 500
"""The most matches kept with an account that are listed, the newest ones."""
SHORT_LOG = 300
"""This many entries are read for the price of a plain request."""


def rooms_of(request: Request) -> Rooms:
    """The server's rooms."""
    return cast(Rooms, request.app.state.rooms)


async def in_thread(request: Request, work: Callable[[Store], T]) -> T:
    """Do something with the store, out of the way of the games."""
    rooms = rooms_of(request)
    return await rooms.in_thread(lambda: work(rooms.store))


def throttle_of(request: Request) -> Throttle:
    """What addresses have used up."""
    return cast(Throttle, request.app.state.throttle)


def is_owner(config: ServerConfig, host: str | None) -> bool:
    """Whether the caller sits at the machine of a server that one person runs for personal use."""
    return config.local and host is not None and is_loopback(host)


def owns_machine(request: Request) -> bool:
    """Whether the caller is the owner of the machine."""
    return is_owner(request.app.state.config, request.client.host if request.client else None)


def match_number(match_id: str) -> int:
    """The number a match id stands for, or 404."""
    if not match_id.isascii() or not match_id.isdigit() or len(match_id) > 19:
        raise unknown("unknown_match", "there is no such match")
    return int(match_id)


async def _room(request: Request, match_id: str) -> Room:
    return await rooms_of(request).open(match_number(match_id))


def check_seat(match: Match, seat: str | None, key: str) -> str | None:
    """Let an onlooker pass (no seat, or an empty one), and a player with the key of a seat; gives the seat."""
    if not seat:
        return None
    match.require_key(seat, key)
    return seat


def look_at(match: Match, seat: str | None, key: str) -> tuple[OpenMatch, str | None]:
    """The match as the caller may see it, an onlooker or the holder of a seat's key; and that seat."""
    who = check_seat(match, seat, key)
    return match.seen_by(who), who


# -- the list ------------------------------------------------------------------------------------------


@router.get("/matches")
async def matches(request: Request) -> list[MatchSummary]:
    """For the owner of the machine: its matches, last played first, with the seats that the owner may take."""
    rooms = rooms_of(request)
    if not owns_machine(request):
        return []

    def work() -> list[MatchSummary]:
        rows = rooms.store.matches()
        seats = rooms.store.seats_of([row.id for row in rows])
        follow = rooms.store.rematches_of([row.id for row in rows])
        owned = {row.id: [s.seat for s in seats[row.id].values() if s.owned and s.holder] for row in rows}
        rows = rooms.store.as_seen(rows, owned)
        return [
            {**lobby_row(row, seats[row.id], owned[row.id], follow.get(row.id)), "owned": owned[row.id]} for row in rows
        ]

    return await rooms.in_thread(work)


@router.post("/lobby")
async def lobby(request: Request, body: LobbyBody) -> list[MatchSummary]:
    """The matches in which the caller has a key that fits, or that are kept with the account, last played first."""
    rooms = rooms_of(request)
    shown = {int(number): keys for number, keys in body.keys.items() if number.isascii() and number.isdigit()}

    def work() -> list[MatchSummary]:
        signed_in = find_signed_in(request, rooms.store)
        kept = rooms.store.seats_of_account(signed_in.session.digest) if signed_in else {}
        known = dict.fromkeys((*shown, *islice(kept, MOST_KEPT)))
        seats = rooms.store.seats_of(list(known))
        follow = rooms.store.rematches_of(list(known))
        rows: list[MatchSummary] = []
        for number in known:
            fitting = [seat for seat, key in shown.get(number, {}).items() if key_fits(seats[number], seat, key)]
            mine = list(dict.fromkeys((*fitting, *kept.get(number, []))))
            if mine:
                row = lobby_row(rooms.store.match(number), seats[number], mine, follow.get(number))
                rows.append({**row, "mine": mine})
        return sorted(rows, key=lambda row: row["updated"], reverse=True)

    return await rooms.in_thread(work)


def lobby_row(
    row: MatchRow, seats: Mapping[str, SeatRow], own: Collection[str] = (), rematch: Rematch | None = None
) -> MatchSummary:
    """A line of the list of matches; ``waiting``: the seats for which somebody is still to come."""
    told = row.summary
    people = {seat for seat, player in told["controllers"].items() if player["kind"] == "human"}
    waiting = [s.seat for s in seats.values() if not s.holder and s.seat in people]
    return {
        "id": str(row.id), "title": row.title, "over": row.over, "updated": row.updated_ms,
        "game": told["game"], "scenario": told["scenario"], "turn_label": told["turn_label"],
        "phase_label": told["phase_label"], "to_move": told["to_move"], "controllers": told["controllers"],
        "waiting": waiting,
        "rematch": rematch is not None and any(rematch.doors.get(seat) == "offered" for seat in own),
    }  # fmt: skip


@router.post("/matches", status_code=201)
async def create(request: Request, body: NewMatch, request_id: RequestId = None) -> Created:
    """Start a match; the answer holds the keys of the caller's seats, and a token for each guest."""
    creating = Creating(request, request_id, body.model_dump_json())
    if (answer := await creating.answered()) is not None:
        return answer
    session = await creating.work(lambda: new_lesson(body) if body.lesson else new_scenario(body))
    check_guests(session, body)
    rated = await rated_start(request, rooms_of(request), session, body) if body.rated else None
    match_dice.begin(session, body.seed, body.share, body.guests)
    owned = owns_machine(request)
    clock = body.clock.terms(rated=body.rated) if body.clock else None
    table = await rooms_of(request).in_thread(partial(_open_table, request, body.publish)) if body.publish else None
    terms = MatchTerms(
        session.header.title, guests=body.guests, hints=body.hints, owned=owned, table=table, clock=clock,
        behind=body.behind, rated=rated,
    )  # fmt: skip
    return await creating.keep(session, terms)


def _open_table(request: Request, publish: WishBody) -> OpenTable:
    """The open seats of a new match, with their host if somebody is signed in."""
    host = find_signed_in(request, rooms_of(request).store, note=False)
    return OpenTable(PlayerWanted(publish.pace, publish.level), host.session.digest if host else "")


# -- reading -------------------------------------------------------------------------------------------


@router.get("/matches/{match_id}/view")
async def view(
    request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "", at: PlyQuery = None
) -> Response:
    """The match as a seat may see it, now or after its first ``at`` entries."""
    room = await _room(request, match_id)

    def work(match: Match) -> bytes:
        board, who = look_at(match, seat, key)
        return room.screens.view(board, who) if at is None else dumps(board.view_at(who, at))

    return Json(await rooms_of(request).read(room, work))


@router.get("/matches/{match_id}/log")
async def log(
    request: Request,
    match_id: str,
    seat: SeatQuery = None,
    key: KeyQuery = "",
    start: Annotated[int, Query(alias="from", ge=0, le=MAX_INT)] = 0,
) -> list[LogEntry]:
    """What happened, as a seat may know it."""

    rooms, room = rooms_of(request), await _room(request, match_id)

    def work(match: Match, long: bool) -> list[LogEntry]:
        board, who = look_at(match, seat, key)
        sight = board.sight(who)
        if not long and board.session.version - sight.entry_at(min(start, sight.count)) > SHORT_LOG:
            raise LookBackError
        return board.log(who, start)

    try:
        return await rooms.read(room, partial(work, long=False))
    except LookBackError:
        async with throttle_of(request).look_back(request.client, COSTLY):
            return await rooms.read(room, partial(work, long=True))


@router.get("/matches/{match_id}/query")
async def query(
    request: Request,
    match_id: str,
    kind: Annotated[str, Query(max_length=40)],
    seat: SeatQuery = None,
    key: KeyQuery = "",
) -> Mapping[str, Any]:
    """A read-only question to the engine; all other parameters are its arguments."""
    args = query_args(request)

    def work(match: Match) -> Mapping[str, Any]:
        board, who = look_at(match, seat, key)
        return board.query(who, kind, args)

    return await rooms_of(request).read(await _room(request, match_id), work)


def query_args(request: Request) -> dict[str, Any]:
    """The arguments of a question, as they stand in the address."""
    args: dict[str, Any] = {}
    for name in request.query_params:
        if name not in ("seat", "key", "kind"):
            values = request.query_params.getlist(name)
            args[name] = values[0] if len(values) == 1 else values
    return args


@router.get(
    "/matches/{match_id}/export",
    response_class=Response,
    responses={200: {"content": {SAVE_TYPE: {"schema": {"type": "string"}}}, "description": "JSON lines"}},
)
async def export(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> Response:
    """The saved game: everything, seed included, and so not for one player of several."""

    def work(match: Match) -> str:
        _require_table(request, match, seat, key)
        _note_shown(request, match)
        return match.export()

    rooms, number = rooms_of(request), match_number(match_id)
    try:
        text = await rooms.read(await rooms.open(number), work)
    except BrokenMatchError:
        await rooms.in_thread(lambda: _require_broken(request, number, seat, key))
        text = await rooms.in_thread(lambda: unchecked_save(rooms.store, number))
    headers = {"content-disposition": f'attachment; filename="rasputitsa-{number}.jsonl"'}
    return Response(text, media_type=SAVE_TYPE, headers=headers)


def _require_table(request: Request, match: Match, seat: str | None, key: str, *, guests_count: bool = True) -> None:
    """Some things show or end the whole match; they are for those who wrong nobody by it.

    That is the only person of the match, anybody who has a seat once it is over, and the owner of the machine where
    nobody else plays.
    """
    owner = owns_machine(request)
    people = People.of(match, local=request.app.state.config.local)
    caller = OWNER
    if seat or not owner:
        if not seat:
            raise forbidden("bad_key", "a seat and its key are needed")
        match.require_key(seat, key)
        caller = people.who(seat)
    others = (people.expected() if guests_count else people.present()) - {caller}
    if others and match.session.decision() is not None:
        raise forbidden("still_playing", "not while another person is still playing this match")


def require_classless(request: Request, match: Match) -> None:
    """A board of a class is its teacher's, who alone decides who sits there; and what others made of it would outlive
    the class, with the names there."""
    if rooms_of(request).store.class_of(match.id):
        raise forbidden("of_a_class", "this board belongs to a class; your teacher keeps it")


def _note_shown(request: Request, match: Match) -> None:
    """Keep for those who are invited later that somebody could look at what the sides hide from each other.

    It is kept before anything is shown; a full disk is no reason to refuse to save a match, and then it is remembered.
    """
    store = rooms_of(request).store
    if match.session.decision() is not None and match.session.version and not store.shown(match.id):
        store.note_shown(match.id)


def _require_broken(request: Request, number: int, seat: str | None, key: str) -> None:
    """What cannot be played any more may be saved and deleted by anybody who has a seat."""
    if not owns_machine(request) and not (seat and key_fits(rooms_of(request).store.seats(number), seat, key)):
        raise forbidden("bad_key", "a seat and its key are needed")


# -- changing ------------------------------------------------------------------------------------------


@router.post("/matches/{match_id}/actions")
async def act(request: Request, match_id: str, body: ActionBody) -> Response:
    """Play a line of notation, whole or not at all, and only once; answered with the view, or what changed of it."""
    asked = StoreRequest(body.seat, body.request_id, digest_of(body.seat, body.version, body.action))

    rooms = rooms_of(request)
    room = await rooms.open(match_number(match_id))

    def work(match: Match, past: bool) -> bytes:
        match.require_key(body.seat, body.key)
        base = room.screens.find(body.seat, body.have) if body.have else None
        view = match.act(body.seat, body.version, body.action, asked, past=past)
        return room.screens.answer(match, body.seat, view, base)

    try:
        return Json(await rooms.change(room, partial(work, past=False)))
    except LookBackError:
        async with throttle_of(request).look_back(request.client):
            return Json(await rooms.change(room, partial(work, past=True)))


async def act_directly(request: Request) -> Response:
    """The same without FastAPI's detour, which costs as much as the rules do."""
    try:
        body = ActionBody.model_validate_json(await request.body())
    except ValidationError as problem:
        raise RequestValidationError([{**e, "loc": ("body", *e["loc"])} for e in problem.errors()]) from problem
    return await act(request, request.path_params["match_id"], body)


@router.post("/matches/{match_id}/undo")
async def undo(request: Request, match_id: str, body: UndoBody) -> Undone:
    """Take a step back, or agree to."""

    def work(match: Match) -> BoardView:
        match.require_key(body.seat, body.key)
        return match.undo(body.seat, body.version, body.to)

    room = await _room(request, match_id)
    answer = await rooms_of(request).change(room, work)
    room.notify()  # an offer to go back is news although the match has not changed
    return {"view": answer}


@router.post("/matches/{match_id}/hurry")
async def hurry(request: Request, match_id: str, body: SeatBody) -> Done:
    """Ask the bot at work to decide at once."""
    rooms, room = rooms_of(request), await _room(request, match_id)
    await rooms.read(room, lambda match: match.require_key(body.seat, body.key))
    await hurry_bot(rooms, room, body.seat, local=request.app.state.config.local)
    rooms.play_bots(room)  # one that gave up may try again
    return {}


async def hurry_bot(rooms: Rooms, room: Room, seat: str, *, local: bool) -> None:
    """Make the bot at work decide at once, if a seat may do that to those it plays with."""

    def check(match: Match) -> None:
        decision, sides = match.session.decision(), sides_of(match)
        if decision and not People.of(match, local=local).may_hurry(seat, decision.seat, sides):
            raise forbidden("not_yours", "the computer plays there together with somebody else, and takes its time")

    await rooms.read(room, check)
    rooms.bots.hurry(room.id)


@router.delete("/matches/{match_id}")
async def delete(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> Done:
    """Remove a match for good; the owner of the machine may always."""
    rooms, number = rooms_of(request), match_number(match_id)

    def work(match: Match) -> None:
        if not owns_machine(request):
            _require_table(request, match, seat, key, guests_count=False)
            require_classless(request, match)
            require_unmet(rooms.store, match)

    try:
        await rooms.remove(number, work)
        request.app.state.analysis_jobs.forget(number)
    except BrokenMatchError:
        await rooms.in_thread(lambda: _require_broken(request, number, seat, key))
        await rooms.in_thread(lambda: rooms.store.delete(number))
    return {}


@router.post("/matches/{match_id}/copy", status_code=201)
async def copy(request: Request, match_id: str, body: CopyBody, request_id: RequestId = None) -> Created:
    """A new match that begins as this one did, with dice of its own from there on."""
    creating = Creating(request, request_id, body.model_dump_json())
    if (answer := await creating.answered()) is not None:
        return answer

    def work(match: Match) -> tuple[match_dice.Branch, str]:
        _require_table(request, match, body.seat, body.key)
        require_classless(request, match)
        _note_shown(request, match)
        return match.branch(body.seat, body.at), match.title

    rooms = rooms_of(request)
    found, title = await rooms.read(await _room(request, match_id), work)
    session = await creating.work(lambda: match_dice.branch(found), large=True)
    return await creating.keep(session, MatchTerms(f"{title} (copy)"[:200], owned=owns_machine(request)))
