"""Where a player wants notices of their turn, where the host of the server offers it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from fastapi.responses import RedirectResponse

from rasputitsa.server.errors import ApiError, BadAddressError, bad_request, forbidden, unknown
from rasputitsa.server.gate.creation_queue import network_key
from rasputitsa.server.mail_server import check_mail
from rasputitsa.server.matches.match import Match
from rasputitsa.server.models import SeatBody, StopBody, TellBody
from rasputitsa.server.notices.notice import PUSH
from rasputitsa.server.notices.push import PushKey, subscription_of
from rasputitsa.server.notices.webhook import parsed
from rasputitsa.server.routes.matches import KeyQuery, SeatQuery, check_seat, match_number, rooms_of, throttle_of
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.lists import MailAgreed, NoticeInfo, NoticeWay
from rasputitsa.server.shapes.live import Done
from rasputitsa.server.shapes.words import Form
from rasputitsa.server.store import RefusedAddressError
from rasputitsa.server.store.people.mails import MAIL

router = api_router()

StopToken = Annotated[str, Path(max_length=64)]


def _offered(request: Request) -> bool:
    return request.app.state.config.notices is not None


def _push(request: Request) -> str:
    """The public key for notices to browsers; empty where the host has not set them up."""
    key: PushKey | None = request.app.state.push
    return key.public if key else ""


def _may(request: Request, form: Form) -> bool:
    if form == MAIL:
        return _mails(request)
    return bool(_push(request)) if form == PUSH else _offered(request)


def _mails(request: Request) -> bool:
    return _offered(request) and request.app.state.config.notices.smtp is not None


@router.get("/matches/{match_id}/notices")
async def notices(request: Request, match_id: str, seat: SeatQuery = None, key: KeyQuery = "") -> NoticeInfo:
    """Where the caller gets notices, and whether this server sends any; ``trouble``: why the last one failed."""
    rooms = rooms_of(request)

    def work(match: Match) -> NoticeInfo:
        who = check_seat(match, seat, key)
        way = rooms.store.notice_way(match.id, who) if who else None
        told: NoticeWay | None = None
        if way is not None:
            told = {"form": way.form, "address": way.address, "trouble": way.trouble, "waiting": bool(way.confirm)}
        return {"offered": _offered(request), "mail": _mails(request), "push": _push(request), "way": told}

    return await rooms.read(await rooms.open(match_number(match_id)), work)


@router.post("/matches/{match_id}/notices")
async def tell(request: Request, match_id: str, body: TellBody) -> Done:
    """Tell the caller from now on; a first notice shows that it works, and by mail asks whether to."""
    rooms = rooms_of(request)
    if not _may(request, body.form):
        raise forbidden("no_notices", "the host of this server has not set up such notices")
    who = throttle_of(request).who(request.client)
    network = network_key(who) if who else ""

    def count(match: Match) -> None:
        match.require_key(body.seat, body.key)
        throttle_of(request).set_notice(request.client)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        rooms.store.tell_at(match.id, body.seat, body.form, body.address, body.proof, network)

    try:
        _check_form(body)
        await rooms.read(await rooms.open(match_number(match_id)), count)
        if body.form != MAIL:  # for players alone: a name is looked up
            await request.app.state.telling.check_reach(body.address)
        await rooms.change(await rooms.open(match_number(match_id)), work)
    except BadAddressError as problem:
        raise bad_request(str(problem)) from problem
    except RefusedAddressError as problem:
        raise forbidden("refused", str(problem)) from problem
    return {}


def _check_form(body: TellBody) -> None:
    """Refuse what is no address of its form; raises ``BadAddressError``."""
    if body.form == MAIL:
        check_mail(body.address)
    else:
        parsed(body.address)
    if body.form == PUSH:
        subscription_of(body.address)


@router.post("/matches/{match_id}/notices/off")
async def tell_no_more(request: Request, match_id: str, body: SeatBody) -> Done:
    """Tell the caller nothing any more."""
    rooms = rooms_of(request)

    def work(match: Match) -> None:
        match.require_key(body.seat, body.key)
        rooms.store.tell_no_more(match.id, body.seat)

    await rooms.read(await rooms.open(match_number(match_id)), work)
    return {}


@router.post("/notices/confirm")
async def confirm(request: Request, body: StopBody) -> MailAgreed:
    """The person who reads mail there agrees to notices of the match for which it was asked."""
    rooms = rooms_of(request)
    agreed = await rooms.in_thread(lambda: rooms.store.confirm_notices(body.token))
    if agreed is None:
        raise unknown("unknown_notice", "this was agreed to before, or is asked no longer")
    return {"address": agreed[0], "proof": agreed[1]}


@router.post("/notices/stop")
async def stop(request: Request, body: StopBody) -> Done:
    """A person who got a notice stops them: nothing goes to that address any more, for any match."""
    await _stop(request, body.token)
    return {}


@router.post("/notices/stop/{token}")
async def stop_at_once(request: Request, token: StopToken) -> Done:
    """The same as mail programs ask it, by one click (RFC 8058)."""
    await _stop(request, token)
    return {}


@router.get("/notices/stop/{token}", include_in_schema=False)
async def look_at_stop(request: Request, token: StopToken) -> RedirectResponse:
    """A mail program that shows the link leads to the page on which one can say so; looking alone ends nothing."""
    if not _offered(request):
        raise ApiError(404, "unknown_notice", "this server tells nobody")
    return RedirectResponse(f"{request.app.state.config.notices.url}/#/notices/{token}", 303)


async def _stop(request: Request, token: str) -> None:
    rooms = rooms_of(request)
    if not await rooms.in_thread(lambda: rooms.store.stop_notices(token)):
        raise unknown("unknown_notice", "these notices have been stopped before, or never were")
