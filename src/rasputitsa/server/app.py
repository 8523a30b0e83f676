"""The ASGI application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

import anyio
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from rasputitsa.server.accounts.passkeys import PasskeyDesk
from rasputitsa.server.accounts.passwords import PasswordDesk
from rasputitsa.server.classroom.keeping import forget_old_classes
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.encoding import Packing, ReadyAnswer
from rasputitsa.server.errors import ApiError, retry_headers, too_many
from rasputitsa.server.gate.proxies import Proxies
from rasputitsa.server.gate.security import SecurityMiddleware
from rasputitsa.server.gate.throttle import Throttle
from rasputitsa.server.health.metrics import Measured, Metrics
from rasputitsa.server.health.ready import Readiness, WriteWatch
from rasputitsa.server.letters.letter_files import LetterFiles
from rasputitsa.server.matches.reading import SaveReader
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.matches.watches.clocks import ClockWatch
from rasputitsa.server.matches.watches.standing import StandingWatch
from rasputitsa.server.matches.watches.watching import Watch
from rasputitsa.server.models import REFUSALS
from rasputitsa.server.notices.notifier import Notifier
from rasputitsa.server.notices.push import PushKey
from rasputitsa.server.pages import ClientFiles
from rasputitsa.server.ratings.standings import Ratings
from rasputitsa.server.routes import (
    analysis,
    calendar,
    classes,
    clock,
    ending,
    games,
    health,
    letters,
    live,
    map_notes,
    matches,
    notices,
    pupils,
    ratings,
    rematch,
    saves,
    seats,
    standing,
    table,
    tables,
    talk,
)
from rasputitsa.server.routes.accounts import blocks, passkeys, signing_in
from rasputitsa.server.routes.accounts import own as own_account
from rasputitsa.server.shapes.document import document
from rasputitsa.server.store import (
    CrowdedError,
    DamagedStoreError,
    DiskFullError,
    LockedStoreError,
    QuotaError,
    ReadOnlyStoreError,
    Store,
    StoreError,
    UnknownMatchError,
)
from rasputitsa.server.store.startup_checks import public_name
from rasputitsa.server.workers.analysis_jobs import AnalysisJobs
from rasputitsa.server.workers.bots import BotPool

log = logging.getLogger(__name__)

QUOTA_SECONDS = HOUR_SECONDS = 3600

_CODES = {404: "not_found", 405: "bad_method", 408: "too_slow", 413: "too_large", 503: "busy"}

_STORE_CODES: tuple[tuple[type[StoreError], int, str], ...] = (
    (DiskFullError, 507, "disk_full"),
    (ReadOnlyStoreError, 503, "read_only"),
    (LockedStoreError, 503, "locked"),
    (DamagedStoreError, 503, "damaged"),
)


def create_app(config: ServerConfig, store: Store) -> FastAPI:
    """The application on an open store, which it closes at the end."""
    push = PushKey.of(config.data, config.notices.push) if config.notices and config.notices.push else None
    app = FastAPI(
        title="rasputitsa",
        version=metadata.version("rasputitsa"),
        lifespan=lambda app: _working(app, config, store),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        responses=REFUSALS,
    )
    app.state.throttle, app.state.metrics = Throttle(config.limits, local=config.local), Metrics(app.version)
    app.state.push = push
    _add_routes(app, config)
    app.openapi = lambda: document(app)  # type: ignore[method-assign]  # as FastAPI documents it
    _add_gates(app, config, store)
    app.add_exception_handler(ApiError, _on_api_error)
    app.add_exception_handler(StoreError, _on_store_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    return app


@asynccontextmanager
async def _working(app: FastAPI, config: ServerConfig, store: Store) -> AsyncIterator[None]:
    """All that works next to the requests, from the start of the server to its end."""
    if not config.local:
        store.most_tables, store.most_mails = int(config.limits.tables), int(config.limits.mails)
        store.quota, store.disk.reserve = int(config.limits.kept_bytes), int(config.limits.free_bytes)
    bots = BotPool(config.bot_workers, config.bot_seconds, store.creator)
    rooms = Rooms(store, bots, config)
    analysis_jobs = AnalysisJobs(config.limits.jobs)
    reader = SaveReader(config.import_budget)
    app.state.rooms, app.state.config, app.state.analysis_jobs = rooms, config, analysis_jobs
    app.state.reader, app.state.letters = reader, LetterFiles(config.data)
    app.state.passwords, app.state.passkeys, app.state.ratings = PasswordDesk(), PasskeyDesk(), Ratings(store.results)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(rooms.resume)
            group.start_soon(_look_after, rooms)
            watches = _watches(app, config, rooms)
            for watch in watches:
                group.start_soon(watch.run)
            app.state.readiness = Readiness(rooms, watches)
            yield
            group.cancel_scope.cancel()
    finally:
        rooms.stop_bots()
        await analysis_jobs.close()
        await anyio.to_thread.run_sync(app.state.passwords.close)
        await anyio.to_thread.run_sync(reader.close)
        await anyio.to_thread.run_sync(bots.close)
        await rooms.close()
        store.close()


def _watches(app: FastAPI, config: ServerConfig, rooms: Rooms) -> list[Watch]:
    """What looks after matches that nobody asks about."""
    app.state.clock_watch, app.state.standing_watch = ClockWatch(rooms), StandingWatch(rooms)
    watches: list[Watch] = [app.state.clock_watch, app.state.standing_watch]
    if not config.local:
        watches.append(WriteWatch(rooms))
    if config.notices is not None:
        app.state.telling = Notifier(rooms, config.notices, push=app.state.push)
        watches.append(app.state.telling)
    return watches


ROOMS = (
    signing_in, passkeys, own_account, blocks, games, matches, seats, table, tables, classes, pupils, clock, ending,
    notices, calendar, standing, ratings, rematch, talk, map_notes, letters, saves, analysis, health, live,
)  # fmt: skip


def _add_routes(app: FastAPI, config: ServerConfig) -> None:
    app.router.routes.append(Route("/api/matches/{match_id}/actions", matches.act_directly, methods=["POST"]))
    app.router.routes.append(Route("/api/openapi.json", _description))
    for room in ROOMS:
        app.include_router(room.router)
    app.mount("/", ClientFiles(config.client))


def _add_gates(app: FastAPI, config: ServerConfig, store: Store) -> None:
    """What every request passes, the innermost first."""
    app.add_middleware(Packing, minimum_size=2000, compresslevel=1)
    app.add_middleware(
        SecurityMiddleware,
        local=config.local,
        hosts=config.hosts,
        max_body=config.max_body,
        max_import=config.max_import,
        throttle=app.state.throttle,
        proxied=bool(config.proxies),
        store=lambda: public_name(store.engine),
    )
    if config.proxies:
        app.add_middleware(Proxies, proxies=config.proxies)
    app.add_middleware(Measured, metrics=app.state.metrics)


async def _look_after(rooms: Rooms) -> None:
    """Every hour, and at the start in ``run``, how long the server was up is noted, and what is too old goes."""
    while True:
        await forget_old_classes(rooms)
        await asyncio.sleep(HOUR_SECONDS)
        await rooms.in_thread(rooms.store.look_after)


def _answer(problem: ApiError) -> JSONResponse:
    return JSONResponse(problem.to_json(), problem.status, retry_headers(problem))


async def _on_api_error(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, ApiError)
    return _answer(problem)


async def _on_store_error(request: Request, problem: Exception) -> JSONResponse:
    if isinstance(problem, UnknownMatchError):
        return _answer(ApiError(404, "unknown_match", str(problem)))
    if isinstance(problem, CrowdedError):
        return _answer(too_many(str(problem), QUOTA_SECONDS))
    if isinstance(problem, QuotaError):
        return _answer(too_many(str(problem), QUOTA_SECONDS, "too_much_kept"))
    log.error("%s", problem)
    for kind, status, code in _STORE_CODES:
        if isinstance(problem, kind):
            return _answer(ApiError(status, code, str(problem)))
    return _answer(ApiError(503, "store", str(problem)))


async def _on_invalid(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _answer(ApiError(400, "bad_request", f"{where}: {first['msg']}"))


async def _on_http(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, HTTPException)
    code = _CODES.get(problem.status_code, "bad_request")
    body = ApiError(problem.status_code, code, str(problem.detail)).to_json()
    return JSONResponse(body, problem.status_code, problem.headers)


async def _description(request: Request) -> Response:
    """What the programming interface is, for programs; it is large, and the same for everybody."""
    state = request.app.state
    if not hasattr(state, "description"):
        state.description = await run_in_threadpool(lambda: ReadyAnswer(request.app.openapi()))
    kept: ReadyAnswer = state.description
    return kept.answer(request)
