"""Matches by letters, for the owner of the machine: begin, join, read, give orders on the map, write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from fastapi import Depends, Query, Request, Response
from starlette.status import HTTP_404_NOT_FOUND

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.mail.correspondent import Correspondent, people_of, terms_for
from rasputitsa.mail.envelope import parted, unwrapped
from rasputitsa.mail.errors import KnownLetterError, MailError
from rasputitsa.mail.match import MailMatch, posted
from rasputitsa.mail.news import news_of
from rasputitsa.server.errors import ApiError, conflict, forbidden, unknown
from rasputitsa.server.letters.board import LetterBoard
from rasputitsa.server.letters.letter_files import LetterFiles
from rasputitsa.server.letters.summaries import match_json, terms_json
from rasputitsa.server.models import (
    MAX_INT,
    ActionBody,
    JoinBody,
    LettersBody,
    NewLetters,
    UndoBody,
    WriteBody,
)
from rasputitsa.server.routes.games import known_game
from rasputitsa.server.routes.matches import PlyQuery, SeatQuery, owns_machine, query_args
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.letters import DamagedLetters, LetterMatch, LetterRead, LetterTerms, LetterText
from rasputitsa.server.shapes.lists import Sat
from rasputitsa.server.shapes.live import Acted, Done, Undone
from rasputitsa.server.shapes.views import BoardView, LogEntry
from rasputitsa.server.store.copies import ENDING

FILE_TYPE = "application/octet-stream"
NOT_HERE = (
    "Letters are signed with a key that their writer keeps: play by letters with the program on your own machine, "
    "`rasputitsa play`"
)
TRUST = (
    "this is a trusting match: the player who gives orders sees the dice at once, and a changed program could "
    "foresee them. Say that you agree to that"
)


def _owner_alone(request: Request) -> None:
    if not owns_machine(request):
        raise forbidden("not_here", NOT_HERE)


router = api_router("/api/letters", dependencies=[Depends(_owner_alone)])


def shelf_of(request: Request) -> LetterFiles:
    """Where the matches lie."""
    return cast(LetterFiles, request.app.state.letters)


@router.get("")
def letters(request: Request) -> list[LetterMatch | DamagedLetters]:
    """The matches by letters on this machine, what changed last first; of one that is damaged, why.

    Last comes what lies in their folder under a name that is none of a match.
    """
    shelf = shelf_of(request)
    found: list[LetterMatch | DamagedLetters] = []
    for code in shelf.codes():
        try:
            found.append(shelf.glance(code, lambda board: match_json(board.correspondent)))
        except ApiError as problem:
            if problem.status != HTTP_404_NOT_FOUND:  # thrown away meanwhile
                found.append({"id": code, "damaged": problem.message, "stray": False})
    found.extend({"id": name, "damaged": why, "stray": True} for name, why in shelf.unknown_files().items())
    return found


@router.post("", status_code=201)
def begin(request: Request, body: NewLetters) -> LetterMatch:
    """Begin a match, and write the letter that invites to it."""
    game = known_game(body.game)
    try:
        people = people_of(game, body.options, body.seat, each_seat=body.each_seat)
        terms = terms_for(
            body.game, body.scenario, body.options, people=people, title=body.title, trusting=body.trusting
        )
        correspondent = Correspondent.inviting(terms, body.name)
    except RasputitsaError as problem:
        raise ApiError(422, "letter", str(problem)) from problem
    return _match(request, shelf_of(request).begin(correspondent))


@router.post("/look")
def look(request: Request, body: LettersBody) -> LetterTerms:
    """What an invitation leads to."""
    try:
        match = MailMatch(posted(*unwrapped(parted(body.text)[0])))
        for text in parted(body.text)[1:]:
            match.add(posted(*unwrapped(text)))
    except RasputitsaError as problem:
        raise ApiError(422, "letter", str(problem)) from problem
    if match.joined:
        raise ApiError(422, "letter", "in this match every place is taken")
    return terms_json(match, len(match.letters))


@router.post("/join", status_code=201)
def join(request: Request, body: JoinBody) -> LetterMatch:
    """Take the next place in a match, and write the letter that says so."""
    try:
        correspondent = Correspondent.joining(parted(body.text), body.name)
    except RasputitsaError as problem:
        raise ApiError(422, "letter", str(problem)) from problem
    if correspondent.match.terms.trusting and not body.trusting:
        raise conflict("letter", TRUST)
    return _match(request, shelf_of(request).begin(correspondent))


@router.get("/{code}")
def match(request: Request, code: str) -> LetterMatch:
    """How a match stands, and one's last letter."""
    return _match(request, code)


def _match(request: Request, code: str) -> LetterMatch:
    return shelf_of(request).read(code, lambda board: match_json(board.correspondent))


@router.get(
    "/{code}/file",
    response_class=Response,
    responses={200: {"content": {FILE_TYPE: {"schema": {"type": "string", "format": "binary"}}}}},
)
def file(request: Request, code: str) -> Response:
    """The file of a match with its key, letters and orders, as it is; also one that is damaged."""
    content = shelf_of(request).content(code)
    headers = {"content-disposition": f'attachment; filename="{code}{ENDING}"'}
    return Response(content, media_type=FILE_TYPE, headers=headers)


@router.delete("/{code}")
def delete(request: Request, code: str) -> Done:
    """Throw a match away, with the key that signs its letters."""
    shelf_of(request).remove(code)
    return {}


@router.get("/{code}/letters/{number}")
def letter(request: Request, code: str, number: int) -> LetterText:
    """Any letter of the match again, no matter who wrote it."""

    def work(board: LetterBoard) -> LetterText:
        if not 0 <= number < len(board.correspondent.match.letters):
            raise unknown("unknown_letter", f"letter {number} was not read here yet")
        return {"text": board.correspondent.letter(number)}

    return shelf_of(request).read(code, work)


@router.post("/{code}/read")
def read(request: Request, code: str, body: LettersBody) -> LetterRead:
    """Read the next letter, or several in their order; where nothing is to be decided the answer is written."""

    def work(board: LetterBoard) -> LetterRead:
        return _read(board, parted(body.text))

    return shelf_of(request).change(code, work)


def _read(board: LetterBoard, texts: Sequence[str]) -> LetterRead:
    correspondent, before = board.correspondent, len(board.correspondent.match.truth.board.entries)
    known, answered, number = False, False, len(correspondent.match.letters) - 1
    for text in texts:
        try:
            answered = board.open(text)
        except KnownLetterError:
            known = number == len(correspondent.match.letters) - 1
        except MailError as problem:
            if len(correspondent.match.letters) - 1 == number:
                raise
            raise conflict("letter", f"one letter was read, and the next one not: {problem}") from problem
    read_now = [
        one.letter for one in correspondent.match.letters[number + 1 :] if one.letter.writer != correspondent.me
    ]
    said = (read_now or [correspondent.match.letters[-1].letter])[-1]
    return {
        "match": match_json(correspondent),
        "number": said.number,
        "writer": correspondent.match.name(said.writer),
        "note": said.note,
        "news": news_of(correspondent, before),
        "known": known and not read_now,
        "answered": answered,
    }


@router.post("/{code}/write")
def write(request: Request, code: str, body: WriteBody) -> LetterMatch:
    """Write the next letter; one that is written stays as it is, and is answered again."""

    def work(board: LetterBoard) -> LetterMatch:
        correspondent = board.correspondent
        if correspondent.due or correspondent.match.letters[-1].letter.writer != correspondent.me:
            board.write(body.note, resign=body.resign)
        elif body.note or body.resign:
            raise conflict("letter", "your letter is written, and stays as it is; read the answer first")
        return match_json(correspondent)

    return shelf_of(request).change(code, work)


# -- the map -------------------------------------------------------------------------------------------


@router.post("/{code}/sit")
def sit(request: Request, code: str) -> Sat:
    """One's own seats, which need no keys here, and who must decide."""

    def work(board: LetterBoard) -> Sat:
        view = board.view(board.correspondent.seats[0])
        decision = view["decision"]
        return {
            "keys": dict.fromkeys(board.correspondent.seats, "letters"),
            "to_move": decision["seat"] if decision else None,
            "controllers": view["controllers"],
        }

    return shelf_of(request).read(code, work)


@router.get("/{code}/view")
def view(request: Request, code: str, seat: SeatQuery = None, at: PlyQuery = None) -> BoardView:
    """The match as one's seat may see it, now or after its first ``at`` entries."""
    return shelf_of(request).read(code, lambda board: board.view(seat) if at is None else board.view_at(seat, at))


@router.get("/{code}/log")
def log(
    request: Request,
    code: str,
    seat: SeatQuery = None,
    start: Annotated[int, Query(alias="from", ge=0, le=MAX_INT)] = 0,
) -> list[LogEntry]:
    """What happened, as one's seat may know it."""
    return shelf_of(request).read(code, lambda board: board.log(seat, start))


@router.get("/{code}/query")
def query(
    request: Request, code: str, kind: Annotated[str, Query(max_length=40)], seat: SeatQuery = None
) -> Mapping[str, Any]:
    """A read-only question to the engine; all other parameters are its arguments."""
    args = query_args(request)
    return shelf_of(request).read(code, lambda board: board.query(seat, kind, args))


@router.post("/{code}/actions")
def act(request: Request, code: str, body: ActionBody) -> Acted:
    """Give an order for the next letter."""

    def work(board: LetterBoard) -> Acted:
        return {"view": board.order(body.seat, body.version, body.action)}

    return shelf_of(request).change(code, work)


@router.post("/{code}/undo")
def undo(request: Request, code: str, body: UndoBody) -> Undone:
    """Take orders back that are in no letter yet."""

    def work(board: LetterBoard) -> Undone:
        return {"view": board.undo(body.seat, body.version, body.to)}

    return shelf_of(request).change(code, work)


@router.get("/{code}/export")
def export(request: Request, code: str) -> LetterText:
    """The match as a saved game; one with secret orders when it is over."""

    def work(board: LetterBoard) -> LetterText:
        return {"text": board.correspondent.session().save()}

    return shelf_of(request).read(code, work)
