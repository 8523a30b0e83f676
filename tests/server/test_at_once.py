"""Everything that can be done in a room, done at the same time, in every order: nothing comes in between."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import httpx2 as httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Limits
from rasputitsa.server.matches.rooms import Room
from rasputitsa.server.matches.subscriber import Subscriber
from rasputitsa.server.store import Store
from tests.server.conftest import connect
from tests.server.player import Duelist

ROUNDS = int(os.environ.get("RASPUTITSA_AT_ONCE", "3"))

Answer = httpx.Response


class Guesthouse:
    """A match of Red, who holds a seat, and a link to Blue's, with everything that may happen to it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.id, self.key, self.link = "", "", ""

    async def open(self) -> None:
        body = {"game": "duel", "scenario": "short", "guests": ["blue"]}
        made = (await self._client.post("/api/matches", json=body)).json()
        self.id, self.key, self.link = made["id"], made["keys"]["red"], made["invitations"]["blue"]

    @property
    def red(self) -> dict[str, str]:
        return {"seat": "red", "key": self.key}

    async def _post(self, path: str, **body: Any) -> Answer:
        return await self._client.post(f"/api/matches/{self.id}/{path}", json={**self.red, **body})

    async def claim(self) -> Answer:
        body = {"token": self.link, "request_id": os.urandom(16).hex()}
        return await self._client.post("/api/invitations/claim", json=body)

    async def claim_too(self) -> Answer:
        return await self.claim()

    async def delete(self) -> Answer:
        return await self._client.delete(f"/api/matches/{self.id}", params=self.red)

    async def revoke(self) -> Answer:
        return await self._post("invitations/revoke", of="blue")

    async def renew(self) -> Answer:
        return await self._post("invitations", of="blue", kind="guest")

    async def rotate(self) -> Answer:
        return await self._post("keys/only")

    async def leave(self) -> Answer:
        return await self._post("leave")

    async def copy(self) -> Answer:
        return await self._post("copy")

    async def export(self) -> Answer:
        return await self._client.get(f"/api/matches/{self.id}/export", params=self.red)

    async def undo(self) -> Answer:
        return await self._post("undo", version=1)

    async def act(self) -> Answer:
        return await self._post("actions", version=0, action="hide 3", request_id=os.urandom(8).hex())


NAMES = ("claim", "claim_too", "delete", "revoke", "renew", "rotate", "leave", "copy", "export", "undo", "act")


async def served(config: ServerConfig, work: Callable[[FastAPI, httpx.AsyncClient], Awaitable[None]]) -> None:
    app = create_app(config, Store(config.database))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, client=("10.0.0.1", 5000))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            await work(app, client)


def people(config: ServerConfig) -> ServerConfig:
    free = replace(Limits(), requests=0, requests_burst=0, matches=0, matches_burst=0, matches_week=0)
    return replace(config, local=False, hosts=("testserver",), limits=free)


async def check(app: FastAPI, house: Guesthouse, told: dict[str, Answer]) -> None:
    done = {name for name, answer in told.items() if answer.status_code < 300}
    assert all(answer.status_code < 500 for answer in told.values()), told
    claims = done & {"claim", "claim_too"}
    assert len(claims) < 2, "a seat is claimed once"
    if "leave" not in told:
        assert not (claims and "delete" in done), "nobody's match is deleted while they play"
        assert not done & {"copy", "export"}, "somebody is still to come, or there"
    assert not (claims and "revoke" in done), "a link that was made void leads nowhere"
    assert not (claims and "renew" in done), "a link that was replaced leads nowhere"
    store = app.state.rooms.store
    if "delete" in done:
        assert house.id not in {str(row.id) for row in store.matches()}
        return
    seats = store.seats(int(house.id))
    assert bool(seats["blue"].holder) == bool(claims)
    assert seats["red"].opens(house.key) == ("leave" not in done)
    for name in claims:
        assert seats["blue"].opens(told[name].json()["key"]) and not seats["blue"].opens(house.key)
    entries = [row for row in store.journal(int(house.id)) if '"hide 3"' in row.line]
    assert len(entries) == ("act" in done)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_whatever_is_done_at_once_is_done_in_some_order(config: ServerConfig, count: int) -> None:
    chooser = random.Random(count)
    rounds: list[tuple[str, ...]] = list(itertools.permutations(NAMES, 2)) if count == 2 else []
    rounds += [tuple(chooser.sample(NAMES, count)) for _ in range(10 * ROUNDS)]

    async def work(app: FastAPI, client: httpx.AsyncClient) -> None:
        for names in rounds:
            house = Guesthouse(client)
            await house.open()
            answers = await asyncio.gather(*(getattr(house, name)() for name in names))
            await check(app, house, dict(zip(names, answers, strict=True)))

    asyncio.run(served(people(config), work))


# -- windows -------------------------------------------------------------------------------------------


class Late:
    """Lets a thing happen between a window's being let in and its being kept up to date."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, what: Callable[[], object]) -> None:
        before = Room.add

        def add(room: Room, window: Subscriber) -> None:
            what()
            before(room, window)

        monkeypatch.setattr(Room, "add", add)


def _told_and_closed(client: TestClient, url: str) -> list[str]:
    told = []
    with client.websocket_connect(url, headers={"host": "127.0.0.1:8000"}) as socket:
        while (message := socket.receive())["type"] != "websocket.close":
            told.append(message["text"])
    return told


def test_a_window_let_in_while_its_key_becomes_void_shows_nothing(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(config) as client:
        duel = Duelist.start(client)
        room = client.app.state.rooms._in_memory[int(duel.id)]  # type: ignore[attr-defined]

        def rotated() -> None:
            store = room.match._store
            store.keep_only(room.id, "red", store.add_key(room.id, "red"))
            room.match.reseat()
            client.app.state.rooms._note(room, room.match)  # type: ignore[attr-defined]

        Late(monkeypatch, rotated)
        (told,) = _told_and_closed(client, f"/api/matches/{duel.id}/live?seat=red&key={duel.keys['red']}")
        assert '"bad_key"' in told


def test_a_window_let_in_while_its_match_is_deleted_is_closed(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(config) as client:
        duel = Duelist.start(client)
        room = client.app.state.rooms._in_memory[int(duel.id)]  # type: ignore[attr-defined]

        def deleted() -> None:
            room.gone = True
            room.sleep()

        Late(monkeypatch, deleted)
        (told,) = _told_and_closed(client, f"/api/matches/{duel.id}/live?seat=red&key={duel.keys['red']}")
        assert '"deleted"' in told
