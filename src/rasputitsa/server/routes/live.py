"""The WebSocket that keeps an open window up to date."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import Query, WebSocket, WebSocketDisconnect

from rasputitsa.server.encoding import dumps
from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.rooms import Room, Rooms
from rasputitsa.server.matches.subscriber import Subscriber
from rasputitsa.server.routes.matches import check_seat, hurry_bot, match_number
from rasputitsa.server.routes.router import api_router
from rasputitsa.server.shapes.live import ErrorMessage
from rasputitsa.server.store import StoreError

router = api_router()

MAX_MESSAGE = 1000

CLOSE_REFUSED = 4403
CLOSE_GOING_AWAY = 1001


@router.websocket("/matches/{match_id}/live")
async def live(
    socket: WebSocket,
    match_id: str,
    seat: Annotated[str | None, Query(max_length=40)] = None,
    key: Annotated[str, Query(max_length=64)] = "",
    have: Annotated[str | None, Query(max_length=40)] = None,
) -> None:
    """Send the view at once and after every change; notices of bots and errors between.

    With ``have``, the tag of the view that the window shows or nothing, only what changed since is sent.
    """
    rooms = cast(Rooms, socket.app.state.rooms)
    await socket.accept()
    try:
        room = await rooms.open(match_number(match_id))
        who = await rooms.read(room, lambda match: check_seat(match, seat, key))
    except ApiError as problem:
        await _send_error(socket, problem.code, problem.message)
        await socket.close(CLOSE_REFUSED, problem.code)
        return
    except StoreError as problem:
        await _send_error(socket, "unknown_match", str(problem))
        await socket.close(CLOSE_REFUSED, "unknown_match")
        return
    subscriber = Subscriber(who, key)
    subscriber.shown = room.screens.find(who, have) if have else None
    room.add(subscriber)
    writer = asyncio.create_task(_write(socket, rooms, room, subscriber, have is not None))
    try:
        await _listen(socket, rooms, room, subscriber)
    finally:
        room.subscribers.discard(subscriber)
        _out_of_sight(rooms, room, subscriber)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writer


async def _write(socket: WebSocket, rooms: Rooms, room: Room, subscriber: Subscriber, differs: bool) -> None:
    try:
        while True:
            await subscriber.wake.wait()
            subscriber.wake.clear()
            for notice in subscriber.take_notices():
                await socket.send_text(dumps(notice).decode())
            if subscriber.closed:
                break
            if subscriber.due:
                subscriber.due = False
                base = subscriber.shown
                screen, text = await rooms.screen(room, subscriber.seat, base, differs)
                if subscriber.closed:
                    continue
                subscriber.shown = screen
                if screen.tag != subscriber.tag:
                    subscriber.tag = screen.tag
                    await socket.send_text(text.decode())
        await socket.close(CLOSE_GOING_AWAY)
    except (WebSocketDisconnect, RuntimeError, ApiError, StoreError):
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(CLOSE_GOING_AWAY)


async def _listen(socket: WebSocket, rooms: Rooms, room: Room, subscriber: Subscriber) -> None:
    """The client says little: that it is alive, and that a bot should hurry; nothing once its key is void."""
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        if subscriber.closed:
            continue
        said = _said(message.get("text") or "")
        kind = str(said.get("type", ""))
        if kind == "ping":
            was_hidden, subscriber.hidden = subscriber.hidden, said.get("hidden") is True
            if subscriber.hidden and not was_hidden:
                _out_of_sight(rooms, room, subscriber)
            subscriber.notify({"type": "pong"})
        elif kind == "view":
            subscriber.show_all()
        elif kind == "hurry" and subscriber.seat is not None:
            with contextlib.suppress(ApiError, StoreError):
                await hurry_bot(rooms, room, subscriber.seat, local=socket.app.state.config.local)


def _out_of_sight(rooms: Rooms, room: Room, subscriber: Subscriber) -> None:
    if subscriber.seat is not None and not subscriber.closed:
        rooms.presence.left((room.id, subscriber.seat))


def _said(text: str) -> Mapping[str, Any]:
    if len(text) > MAX_MESSAGE:
        return {}
    with contextlib.suppress(ValueError, RecursionError):
        message = json.loads(text)
        if isinstance(message, dict):
            return message
    return {}


async def _send_error(socket: WebSocket, code: str, message: str) -> None:
    said: ErrorMessage = {"type": "error", "code": code, "message": message}
    await socket.send_json(said)
