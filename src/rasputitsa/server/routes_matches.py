"""Matches: the list, the views, and everything that changes one."""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request, Response

from rasputitsa.ai.players import find
from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.record import Entry, Header, Session, lesson_session, new_session
from rasputitsa.server.archive import keep_session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError, bad_request, forbidden, unknown
from rasputitsa.server.match import BrokenMatchError, Match, digest_of, unchecked_save
from rasputitsa.server.models import (
    MAX_INT,
    ActionBody,
    ControllersBody,
    CopyBody,
    NewMatch,
    SeatBody,
    UndoBody,
)
from rasputitsa.server.routes_games import PLAYERS_OPTION, known_game, seat_counts
from rasputitsa.server.seating import Controller
from rasputitsa.server.store import MatchRow
from rasputitsa.server.store import Request as StoreRequest
from rasputitsa.server.tables import Table, Tables

router = APIRouter(prefix="/api")

SeatQuery = Annotated[str | None, Query(max_length=40)]
KeyQuery = Annotated[str, Query(max_length=64)]
PlyQuery = Annotated[int | None, Query(ge=0, le=MAX_INT)]

SEED_BITS = 127
SAVE_TYPE = "application/x-ndjson"


def tables_of(request: Request) -> Tables:
    """The server's tables."""
    return cast(Tables, request.app.state.tables)


def is_owner(config: ServerConfig, host: str | None) -> bool:
    """Whether the caller sits at the machine of a server one person runs for himself."""
    if not config.local or host is None:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _owner(request: Request) -> bool:
    return is_owner(request.app.state.config, request.client.host if request.client else None)


def match_number(match_id: str) -> int:
    """The number a match id stands for, or 404."""
    if not match_id.isascii() or not match_id.isdigit() or len(match_id) > 19:
        raise unknown("unknown_match", "there is no such match")
    return int(match_id)


async def _table(request: Request, match_id: str) -> Table:
    return await tables_of(request).open(match_number(match_id))


def check_seat(match: Match, seat: str | None, key: str) -> str | None:
    """Let an onlooker pass (no seat, or an empty one), and a player with his key; gives the seat."""
    if not seat:
        return None
    match.require_key(seat, key)
    return seat


# -- the list ------------------------------------------------------------------------------------------


@router.get("/matches")
async def matches(request: Request) -> list[dict[str, Any]]:
    """The matches, last played first; with seat keys for the owner of the machine."""
    tables, owner = tables_of(request), _owner(request)

    def work() -> list[dict[str, Any]]:
        rows = tables.store.matches()
        keys = tables.store.keys([row.id for row in rows]) if owner else {}
        return [_lobby_row(row, keys.get(row.id)) for row in rows]

    return await tables.in_thread(work)


def _lobby_row(row: MatchRow, keys: dict[str, str] | None) -> dict[str, Any]:
    shown = {"id": str(row.id), "title": row.title, "over": row.over, "updated": row.updated_ms, **row.summary}
    return {**shown, "keys": keys} if keys else shown


@router.post("/matches", status_code=201)
async def create(request: Request, body: NewMatch) -> dict[str, Any]:
    """Start a match; the answer holds the key of every seat."""
    tables = tables_of(request)
    session = await tables.in_thread(lambda: _new_lesson(body) if body.lesson else _new_session(body))
    return await _store_session(tables, session, session.header.title)


def _new_lesson(body: NewMatch) -> Session:
    """A match of a lesson; seats nobody was named for are the learner's and the lesson's own opponent's."""
    if body.scenario is not None or body.options:
        raise bad_request("a lesson brings its own scenario and options")
    game = known_game(body.game)
    lesson = next((info for info in game.lessons() if info.id == body.lesson), None)
    if lesson is None:
        raise bad_request(f"there is no lesson {body.lesson!r}")
    try:
        seats = {seat.id for seat in game.seats(game.lesson(lesson.id).get("options", {}))}
        for seat, chosen in body.controllers.items():
            check_controller(body.game, seats, seat, chosen.controller())
        players = {seat: f"bot {lesson.opponent}" for seat in seats if seat != lesson.seat}
        players |= {seat: str(chosen.controller()) for seat, chosen in body.controllers.items()}
        return lesson_session(
            body.game, lesson.id, seed=_seed(body), title=body.title or lesson.title, controllers=players
        )
    except RasputitsaError as problem:
        raise bad_request(str(problem)) from problem


def _seed(body: NewMatch) -> int:
    return body.seed if body.seed is not None else secrets.randbits(SEED_BITS)


def _new_session(body: NewMatch) -> Session:
    if body.scenario is None:
        raise bad_request("a match needs a scenario or a lesson")
    game = known_game(body.game)
    counts = seat_counts(game)
    if str(body.players) not in counts:
        raise bad_request(f"{game.title} is for {' or '.join(counts)} players, not {body.players}")
    options = dict(body.options)
    if any(option.id == PLAYERS_OPTION for option in game.options()):
        options[PLAYERS_OPTION] = str(body.players)
    controllers = {seat: chosen.controller() for seat, chosen in body.controllers.items()}
    try:
        seats = {seat.id for seat in game.seats(options)}
        for seat, controller in controllers.items():
            check_controller(body.game, seats, seat, controller)
        return new_session(
            body.game,
            body.scenario,
            options,
            seed=_seed(body),
            title=body.title,
            controllers={seat: str(controller) for seat, controller in controllers.items()},
        )
    except RasputitsaError as problem:
        raise bad_request(str(problem)) from problem


def check_controller(game_id: str, seats: set[str], seat: str, controller: Controller) -> None:
    """Refuse an unknown seat or bot."""
    if seat not in seats:
        raise bad_request(f"there is no seat {seat!r}; known: {', '.join(sorted(seats))}")
    if controller.kind == "bot" and find(controller.name, game_id) is None:
        raise bad_request(f"there is no computer player {controller.name!r} for this game")


async def _store_session(tables: Tables, session: Session, title: str) -> dict[str, Any]:
    """Keep a session as a new match, and open it."""
    match_id, keys = await tables.in_thread(lambda: keep_session(tables.store, session, title))
    await tables.open(match_id, session)
    return {"id": str(match_id), "keys": keys}


# -- reading -------------------------------------------------------------------------------------------


@router.get("/matches/{match_id}/view")
async def view(
    request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "", at: PlyQuery = None
) -> dict[str, Any]:
    """The match as a seat may see it, now or after its first ``at`` entries."""

    def work(match: Match) -> dict[str, Any]:
        who = check_seat(match, seat, key)
        return match.view(who) if at is None else match.view_at(who, at)

    return await tables_of(request).read(await _table(request, match_id), work)


@router.get("/matches/{match_id}/log")
async def log(
    request: Request,
    match_id: str,
    seat: SeatQuery = None,
    key: KeyQuery = "",
    start: Annotated[int, Query(alias="from", ge=0, le=MAX_INT)] = 0,
) -> list[dict[str, Any]]:
    """What happened, as a seat may know it."""

    def work(match: Match) -> list[dict[str, Any]]:
        return match.log(check_seat(match, seat, key), start)

    return await tables_of(request).read(await _table(request, match_id), work)


@router.get("/matches/{match_id}/query")
async def query(
    request: Request,
    match_id: str,
    kind: Annotated[str, Query(max_length=40)],
    seat: SeatQuery = None,
    key: KeyQuery = "",
) -> dict[str, Any]:
    """A read-only question to the engine; all other parameters are its arguments."""
    args = _query_args(request)

    def work(match: Match) -> dict[str, Any]:
        return match.query(check_seat(match, seat, key), kind, args)

    return await tables_of(request).read(await _table(request, match_id), work)


def _query_args(request: Request) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for name in request.query_params:
        if name not in ("seat", "key", "kind"):
            values = request.query_params.getlist(name)
            args[name] = values[0] if len(values) == 1 else values
    return args


@router.get("/matches/{match_id}/export")
async def export(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> Response:
    """The saved game: everything, seed included, and so not for one player of several."""
    owner = _owner(request)

    def work(match: Match) -> str:
        _require_table(match, owner, seat, key)
        return match.export()

    tables, number = tables_of(request), match_number(match_id)
    try:
        text = await tables.read(await tables.open(number), work)
    except BrokenMatchError:
        if not owner:
            raise
        text = await tables.in_thread(lambda: unchecked_save(tables.store, number))
    headers = {"content-disposition": f'attachment; filename="rasputitsa-{number}.jsonl"'}
    return Response(text, media_type=SAVE_TYPE, headers=headers)


def _require_table(match: Match, owner: bool, seat: str | None, key: str) -> None:
    """Some things show or end the whole match; they are for its owner, or when nobody is left to wrong."""
    if owner:
        return
    if not seat:
        raise forbidden("bad_key", "a seat and its key are needed")
    match.require_key(seat, key)
    if not match.holds_table({seat: key}):
        raise forbidden("still_playing", "not while another person is still playing this match")


# -- changing ------------------------------------------------------------------------------------------


@router.post("/matches/{match_id}/actions")
async def act(request: Request, match_id: str, body: ActionBody) -> dict[str, Any]:
    """Play a line of notation, whole or not at all, and only once."""
    asked = StoreRequest(body.seat, body.request_id, digest_of(body.seat, body.version, body.action))

    def work(match: Match) -> dict[str, Any]:
        match.require_key(body.seat, body.key)
        return match.act(body.seat, body.version, body.action, asked)

    return {"view": await tables_of(request).change(await _table(request, match_id), work)}


@router.post("/matches/{match_id}/undo")
async def undo(request: Request, match_id: str, body: UndoBody) -> dict[str, Any]:
    """Take a step back, or agree to."""

    def work(match: Match) -> dict[str, Any]:
        match.require_key(body.seat, body.key)
        return match.undo(body.seat, body.version, body.to)

    table = await _table(request, match_id)
    answer = await tables_of(request).change(table, work)
    table.tell()  # an offer to go back is news although the match has not changed
    return {"view": answer}


@router.post("/matches/{match_id}/controllers")
async def controllers(request: Request, match_id: str, body: ControllersBody) -> dict[str, Any]:
    """Hand a seat to a person or a bot."""
    controller = body.controller.controller()

    def work(match: Match) -> dict[str, Any]:
        match.require_key(body.seat, body.key)
        check_controller(match.session.header.game, set(match.seats), body.seat, controller)
        return match.set_controller(body.seat, controller)

    tables = tables_of(request)
    answer = await tables.change(await _table(request, match_id), work)
    if controller.kind == "human":
        tables.bots.hurry(match_number(match_id))
    return {"view": answer}


@router.post("/matches/{match_id}/hurry")
async def hurry(request: Request, match_id: str, body: SeatBody) -> dict[str, Any]:
    """Ask the bot at work to decide at once."""
    table = await _table(request, match_id)
    await tables_of(request).read(table, lambda match: match.require_key(body.seat, body.key))
    tables_of(request).bots.hurry(table.match.id)
    tables_of(request).play_bots(table)  # one that gave up may try again
    return {}


@router.delete("/matches/{match_id}")
async def delete(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> dict[str, Any]:
    """Remove a match for good."""
    owner = _owner(request)
    tables, number = tables_of(request), match_number(match_id)
    try:
        await tables.read(await tables.open(number), lambda match: _require_table(match, owner, seat, key))
        request.app.state.analysts.forget(number)
        await tables.remove(number)
    except BrokenMatchError:
        if not owner:
            raise
        await tables.in_thread(lambda: tables.store.delete(number))
    return {}


@router.post("/matches/{match_id}/copy", status_code=201)
async def copy(request: Request, match_id: str, body: CopyBody) -> dict[str, Any]:
    """A new match that begins as this one did, with dice of its own from there on."""
    owner = _owner(request)

    def work(match: Match) -> tuple[Header, list[Entry], str]:
        _require_table(match, owner, body.seat, body.key)
        return *match.branch(body.at), match.title

    tables = tables_of(request)
    header, entries, title = await tables.read(await _table(request, match_id), work)
    session = await tables.in_thread(lambda: _branch(header, entries))
    return await _store_session(tables, session, f"{title} (copy)"[:200])


def _branch(header: Header, entries: list[Entry]) -> Session:
    """Play the entries again under a new seed: the copy must not foretell the dice of the match."""
    fresh = Header(**{**vars(header), "seed": secrets.randbits(SEED_BITS)})
    return Session.from_entries(fresh, entries)


@router.post("/import", status_code=201)
async def import_(request: Request) -> dict[str, Any]:
    """A new match from a saved game."""
    body = await request.body()

    def load() -> Session:
        try:
            return Session.load(body.decode("utf-8"))
        except UnicodeDecodeError as problem:
            raise ApiError(422, "bad_save", "the saved game is not UTF-8 text") from problem
        except RasputitsaError as problem:
            raise ApiError(422, "bad_save", str(problem)) from problem

    tables = tables_of(request)
    session = await tables.in_thread(load)
    return await _store_session(tables, session, session.header.title[:200])
