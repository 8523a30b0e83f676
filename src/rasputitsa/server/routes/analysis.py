"""Advice: hints for the question at hand, and the course of a match.

Nothing here shows a seat more than it may know. While a match is being played it is judged with the eyes of the seat
that asks; when it is over, everything is laid open to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import Path, Query, Request

from rasputitsa.ai.advice.analysis import knows
from rasputitsa.ai.advice.shapes import Course, HintResult
from rasputitsa.ai.advice.staff_limits import StaffLimits
from rasputitsa.core.record.session import CHANGED
from rasputitsa.server.errors import ApiError, conflict, forbidden, unknown
from rasputitsa.server.gate.throttle import Throttle
from rasputitsa.server.matches.match import Match, digest_of
from rasputitsa.server.matches.people import People
from rasputitsa.server.matches.rooms import Room
from rasputitsa.server.matches.seating import HINTS
from rasputitsa.server.models import HintBody, SeatBody
from rasputitsa.server.routes.matches import check_seat, match_number, rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.live import Job, KeptCourse
from rasputitsa.server.workers import analysis_jobs as jobs
from rasputitsa.server.workers.analysis_jobs import AnalysisJobs, CourseTask, HintTask

router = api_router()

SeatQuery = Annotated[str | None, Query(max_length=40)]
KeyQuery = Annotated[str, Query(max_length=64)]
JobPath = Annotated[str, Path(max_length=40)]

COURSE_SECONDS = 5.0
"""Thinking time for each turning point at most."""
ALL = ""
"""Who may see the course of a match that is over."""


def _analysis_jobs(request: Request) -> AnalysisJobs:
    return cast(AnalysisJobs, request.app.state.analysis_jobs)


def _caller(request: Request) -> str | None:
    """Whom a job counts for."""
    return cast(Throttle, request.app.state.throttle).who(request.client)


async def _room(request: Request, match_id: str) -> Room:
    return await rooms_of(request).open(match_number(match_id))


@router.post("/matches/{match_id}/hint", status_code=202)
async def hint(request: Request, match_id: str, body: HintBody) -> Job:
    """Ask what the computer would do in a seat's place now; the answer is a job to look after.

    With units it plans as a staff, for these alone.
    """
    rooms = rooms_of(request)
    seconds = request.app.state.config.bot_seconds

    def work(match: Match) -> tuple[int, int, HintTask]:
        match.require_key(body.seat, body.key)
        _require_advice(request, match)
        session = match.session
        decision = session.decision()
        if decision is None or decision.seat != body.seat:
            raise conflict("not_your_turn", "nothing is asked of this seat now")
        _require_known(session.header.game)
        view = session.game.view_of(session.state, body.seat)
        asked = decision._replace(options=tuple(decision.options))
        header, ply = session.header, match.sight(body.seat).count
        memory = match.memory_of(body.seat)
        staff = StaffLimits(tuple(body.units), body.stance) if body.units else None
        task = HintTask(header.game, header.options, view, asked, seconds, header.data, memory, staff)
        return ply, match.version(body.seat), task

    room = await _room(request, match_id)
    ply, version, task = await rooms.read(room, work)
    job = _analysis_jobs(request).start(room.id, body.seat, ply, task, version=version, caller=_caller(request))
    return await _answer(request, room, job, body.seat)


@router.post("/matches/{match_id}/course", status_code=202)
async def start_course(request: Request, match_id: str, body: SeatBody) -> Job:
    """Go through the match so far; the answer is a job to look after. What is known of it already is built upon."""
    rooms = rooms_of(request)
    store = rooms.store
    seconds = min(COURSE_SECONDS, request.app.state.config.bot_seconds)

    def work(match: Match) -> tuple[int, int, str, CourseTask, str]:
        match.require_key(body.seat, body.key)
        _require_advice(request, match)
        scope = _scope(match, body.seat)
        session = match.session
        _require_known(session.header.game)
        known = _kept(match, store.analysis(match.id, scope))
        if session.floor:
            raise conflict("rules_changed", CHANGED)
        sight = match.sight(body.seat)
        end = sight.entry_at(sight.count)
        task = CourseTask(session.header.sealed(), session.entries[:end], scope or None, known, seconds)
        return sight.count, match.version(scope or None), scope, task, _digest(match, end)

    room = await _room(request, match_id)
    ply, version, scope, task, digest = await rooms.read(room, work)
    match_number_ = room.id

    def keep(result: HintResult | Course) -> None:
        rooms.spawn(rooms.in_thread(lambda: store.keep_analysis(match_number_, scope, {**result, "digest": digest})))

    job = _analysis_jobs(request).start(match_number_, scope, ply, task, keep, version=version, caller=_caller(request))
    return await _answer(request, room, job, body.seat)


@router.get("/matches/{match_id}/course")
async def kept_course(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> KeptCourse:
    """What is known of the course of the match, as far as it was worked out; nothing is begun."""
    rooms = rooms_of(request)

    def work(match: Match) -> KeptCourse:
        who = check_seat(match, seat, key)
        scope = _scope(match, who)
        _require_advice(request, match)
        known = _kept(match, rooms.store.analysis(match.id, scope))
        return {"course": None if known is None else _as_counted(match, who, known)}

    return await rooms.read(await _room(request, match_id), work)


@router.get("/matches/{match_id}/analysis/{job_id}")
async def look(request: Request, match_id: str, job_id: JobPath, seat: SeatQuery = None, key: KeyQuery = "") -> Job:
    """How far a job has come, and what it has found."""
    room, job = await _job(request, match_id, job_id, seat, key)
    return await _answer(request, room, job, seat)


@router.delete("/matches/{match_id}/analysis/{job_id}")
async def cancel(request: Request, match_id: str, job_id: JobPath, seat: SeatQuery = None, key: KeyQuery = "") -> Job:
    """Stop a job."""
    room, job = await _job(request, match_id, job_id, seat, key)
    _analysis_jobs(request).cancel(job)
    return await _answer(request, room, job, seat)


async def _job(request: Request, match_id: str, job_id: str, seat: str | None, key: str) -> tuple[Room, jobs.Job]:
    """A job the caller may see: one of the caller's own seat while advice is allowed, or of a match that is over."""
    room = await _room(request, match_id)

    def work(match: Match) -> str | None:
        who = check_seat(match, seat, key)
        if not who and match.session.decision() is not None:
            raise _unknown_job()  # before the end onlookers have none, and are not to learn who has agreed to hints
        _require_advice(request, match)
        return who

    who = await rooms_of(request).read(room, work)
    job = _analysis_jobs(request).job(job_id)
    if job is None or job.match_id != room.id or job.seat not in (ALL, who):
        raise _unknown_job()
    return room, job


def _unknown_job() -> ApiError:
    return unknown("unknown_job", "there is no such analysis")


def _scope(match: Match, seat: str | None) -> str:
    """Whose eyes a course is seen with: everybody's once the match is over."""
    if match.session.decision() is None:
        return ALL
    if not seat:
        raise forbidden("still_playing", "the course of a match is shown to onlookers when it is over")
    return seat


def _require_advice(request: Request, match: Match) -> None:
    """Between people the computer advises nobody before the end, unless all have agreed to it."""
    people = People.of(match, local=request.app.state.config.local)
    agreed = rooms_of(request).store.agreements(match.id).get(HINTS, set())
    if match.session.decision() is not None and not people.may_be_advised(agreed):
        raise forbidden("hints_off", "between people there are hints only when all have agreed to them")


def _require_known(game_id: str) -> None:
    if not knows(game_id):
        raise ApiError(422, "no_analysis", "the computer has no advice for this game")


async def _answer(request: Request, room: Room, job: jobs.Job | None, seat: str | None) -> Job:
    if job is None:
        raise ApiError(503, "busy", "too many analyses are waiting; please try again later")
    told = job.to_json()
    found = job.result
    if found is not None and "points" in found:
        told["result"] = await rooms_of(request).read(room, lambda match: _as_counted(match, seat, found))
    return told


def _as_counted(match: Match, seat: str | None, found: Course) -> Course:
    """A course in the plies of a seat."""
    ply_at = match.sight(seat).ply_at
    return {
        **found,
        "entries": ply_at(found["entries"]),
        "points": [{**point, "ply": ply_at(point["ply"])} for point in found["points"]],
        "turns": [{**turn, "ply": ply_at(turn["ply"]), "end": ply_at(turn["end"])} for turn in found["turns"]],
    }


def _kept(match: Match, kept: Mapping[str, Any] | None) -> Course | None:
    """What was kept, if it is about the match as it was played, which an undo may have changed; without the digest of
    entries that not everybody may know."""
    if kept is None:
        return None
    entries = kept.get("entries")
    if not isinstance(entries, int) or entries > match.session.version or kept.get("digest") != _digest(match, entries):
        return None
    return cast(Course, {name: value for name, value in kept.items() if name != "digest"})


def _digest(match: Match, entries: int) -> str:
    return digest_of([entry.to_json() for entry in match.session.entries[:entries]])
