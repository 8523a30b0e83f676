"""The ASGI application."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

import anyio
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from rasputitsa.server import live, routes_analysis, routes_games, routes_matches
from rasputitsa.server.analysts import Analysts
from rasputitsa.server.bots import BotPool
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.guard import Guard
from rasputitsa.server.pages import ClientFiles
from rasputitsa.server.store import DiskFullError, Store, StoreError, UnknownMatchError
from rasputitsa.server.tables import Tables

log = logging.getLogger(__name__)

_CODES = {404: "not_found", 405: "bad_method", 413: "too_large"}


def create_app(config: ServerConfig, store: Store) -> FastAPI:
    """The application on an open store, which it closes at the end."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        bots = BotPool(config.bot_workers, config.bot_seconds)
        tables = Tables(store, bots, config)
        analysts = Analysts()
        app.state.tables, app.state.config, app.state.analysts = tables, config, analysts
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(tables.resume)
                yield
                group.cancel_scope.cancel()
        finally:
            await analysts.close()
            await anyio.to_thread.run_sync(bots.close)
            await tables.close()
            store.close()

    app = FastAPI(
        title="rasputitsa",
        version=metadata.version("rasputitsa"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(routes_games.router)
    app.include_router(routes_matches.router)
    app.include_router(routes_analysis.router)
    app.include_router(live.router)
    app.mount("/", ClientFiles(config.client))
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=5)
    app.add_middleware(
        Guard, local=config.local, hosts=config.hosts, max_body=config.max_body, max_import=config.max_import
    )
    app.add_exception_handler(ApiError, _on_api_error)
    app.add_exception_handler(StoreError, _on_store_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    return app


def _answer(problem: ApiError) -> JSONResponse:
    return JSONResponse(problem.to_json(), problem.status)


async def _on_api_error(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, ApiError)
    return _answer(problem)


async def _on_store_error(request: Request, problem: Exception) -> JSONResponse:
    if isinstance(problem, UnknownMatchError):
        return _answer(ApiError(404, "unknown_match", str(problem)))
    log.error("%s", problem)
    if isinstance(problem, DiskFullError):
        return _answer(ApiError(507, "disk_full", str(problem)))
    return _answer(ApiError(503, "store", str(problem)))


async def _on_invalid(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _answer(ApiError(400, "bad_request", f"{where}: {first['msg']}"))


async def _on_http(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, HTTPException)
    code = _CODES.get(problem.status_code, "bad_request")
    return _answer(ApiError(problem.status_code, code, str(problem.detail)))
