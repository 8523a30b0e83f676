"""Whether the server lives, whether it can be played on, and its figures."""

from __future__ import annotations

import hmac
import shutil

from fastapi import Request, Response

from rasputitsa.server.errors import ApiError, forbidden
from rasputitsa.server.gate.security import FORWARDED
from rasputitsa.server.health.metrics import FORM, TEXT_TYPE, Sample
from rasputitsa.server.limits import is_loopback
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.routes.matches import rooms_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.live import Alive, Ready

router = api_router()

AGAIN_SECONDS = 10
_BEARER = "bearer "


@router.get("/health")
async def health() -> Alive:
    """The server answers; nothing is looked at."""
    return {"alive": True}


@router.get("/ready")
async def ready(request: Request) -> Ready:
    """The server can be played on: something could be written, the database is up to date, the workers answer."""
    if trouble := await request.app.state.readiness.trouble():
        raise ApiError(503, "not_ready", f"the server is not ready: {trouble}", retry_after=AGAIN_SECONDS)
    return {"ready": True}


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {TEXT_TYPE: {"schema": {"type": "string"}}}, "description": "For Prometheus"}},
)
async def metrics(request: Request) -> Response:
    """Figures of the server in the form of Prometheus, for callers on this machine or with the host's token."""
    _check_caller(request)
    rooms = rooms_of(request)
    windows, in_memory = rooms.windows(), rooms.in_memory()
    sample = await rooms.in_thread(lambda: _sample(rooms, windows, in_memory))
    return Response(request.app.state.metrics.text(sample), media_type=TEXT_TYPE + FORM)


def _check_caller(request: Request) -> None:
    token: str = request.app.state.config.metrics_token
    given = request.headers.get("authorization", "")
    if token and given[: len(_BEARER)].lower() == _BEARER:
        if hmac.compare_digest(given[len(_BEARER) :].strip().encode(), token.encode()):
            return
    elif _on_this_machine(request):
        return
    raise forbidden("not_yours", "the figures are for the host of this server")


def _on_this_machine(request: Request) -> bool:
    """Whether somebody on this machine asks directly: a proxy on it asks for others."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return is_loopback(request.client.host)


def _sample(rooms: Rooms, windows: int, in_memory: int) -> Sample:
    store = rooms.store
    counts = store.counts()
    log = store.path.with_name(f"{store.path.name}-wal")
    return Sample(
        playing=counts[False],
        over=counts[True],
        in_memory=in_memory,
        windows=windows,
        bots=rooms.bots.processes(),
        since_written=store.alarm.since_written(),
        wanting=store.alarm.wanting(),
        free=shutil.disk_usage(store.path.parent).free,
        kept=sum(path.stat().st_size for path in (store.path, log) if path.exists()),
    )
