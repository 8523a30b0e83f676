"""Somebody who plays Duel through the server, holding both seats."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import httpx2 as httpx
from starlette.testclient import TestClient, WebSocketTestSession

TURN = [("red", "hide 3"), ("blue", "guess 2"), ("blue", "roll"), ("red", "done"), ("blue", "done")]
"""A turn of Duel; the short game has two."""


def brought(seat: str, share: str) -> dict[str, str]:
    """What a view tells of a share of the dice that somebody has brought."""
    return {"seat": seat, "share": share, "by": "player"}


def claim(client: TestClient, token: str, **body: Any) -> dict[str, Any]:
    """Take the seat that an invitation leads to."""
    request = {"token": token, "request_id": os.urandom(16).hex(), **body}
    response = client.post("/api/invitations/claim", json=request)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@dataclass
class Duelist:
    """Sends actions with the version last seen by the seat, and remembers it."""

    client: TestClient
    id: str
    keys: dict[str, str]
    links: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    sent: int = 0

    @classmethod
    def start(cls, client: TestClient, **body: Any) -> Duelist:
        response = client.post("/api/matches", json={"game": "duel", "scenario": "short", **body})
        assert response.status_code == 201, response.text
        made = response.json()
        return cls(client, made["id"], made["keys"], made["invitations"])

    @classmethod
    def between_two(cls, client: TestClient, **body: Any) -> Duelist:
        """A match of two people: Red has started it, and Blue has come by invitation."""
        duel = cls.start(client, guests=["blue"], **body)
        duel.keys["blue"] = claim(client, duel.links["blue"])["key"]
        return duel

    def take_over(self, seat: str, by: str) -> None:
        """Play a seat of the computer as well, and so see both sides."""
        body = {**self.auth(by), "of": seat, "controller": {"kind": "human"}, "opens": True}
        response = self.client.post(self.url("controllers"), json=body)
        assert response.status_code == 200, response.text
        self.keys |= response.json()["keys"]

    def url(self, path: str) -> str:
        return f"/api/matches/{self.id}/{path}"

    def auth(self, seat: str | None) -> dict[str, str]:
        return {} if seat is None else {"seat": seat, "key": self.keys[seat]}

    def view(self, seat: str | None, **query: Any) -> dict[str, Any]:
        response = self.client.get(self.url("view"), params={**self.auth(seat), **query})
        assert response.status_code == 200, response.text[:300]
        view: dict[str, Any] = response.json()
        if seat is not None and "at" not in query:
            self.versions[seat] = view["version"]
        return view

    def body(self, seat: str, action: str, **changes: Any) -> dict[str, Any]:
        self.sent += 1
        if seat not in self.versions:
            self.view(seat)
        request_id = f"{os.urandom(4).hex()}-{self.sent}"
        body = {"version": self.versions[seat], "action": action, "request_id": request_id}
        return {**self.auth(seat), **body, **changes}

    def send(self, body: dict[str, Any]) -> httpx.Response:
        return self.client.post(self.url("actions"), json=body)

    def act(self, seat: str, action: str) -> dict[str, Any]:
        """Play as a window that is up to date."""
        self.view(seat)
        response = self.send(self.body(seat, action))
        assert response.status_code == 200, response.text[:300]
        view: dict[str, Any] = response.json()["view"]
        return view

    def play(self, steps: Iterable[tuple[str, str]]) -> None:
        """Play several actions."""
        for seat, action in steps:
            self.act(seat, action)

    def refused(self, seat: str, action: str, status: int, code: str, **changes: Any) -> dict[str, Any]:
        """Send something that must be refused and change nothing; gives the error."""
        before = self.view(seat)
        response = self.send(self.body(seat, action, **changes))
        assert (response.status_code, response.json()["error"]["code"]) == (status, code), response.text
        after = self.view(seat)
        assert after == before
        error: dict[str, Any] = response.json()["error"]
        return error

    def live(
        self, seat: str | None, key: str | None = None, have: str | None = None, **headers: str
    ) -> WebSocketTestSession:
        """A window on the match; use it as a context manager."""
        query = {**self.auth(seat), **({} if key is None else {"key": key}), **({} if have is None else {"have": have})}
        url = f"ws://127.0.0.1:8000{self.url('live')}?{urlencode(query)}"
        return self.client.websocket_connect(url, headers=headers)

    def undo(self, seat: str, **changes: Any) -> httpx.Response:
        return self.client.post(
            self.url("undo"), json={**self.auth(seat), "version": self.view(seat)["version"], **changes}
        )
