"""Browsers on a server that keeps accounts: each has cookies and an address of its own."""

from __future__ import annotations

from typing import Any, Self

import httpx2 as httpx
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.server.player import Duelist

PASSWORD = "seven wet boots in a row"
SITE = "http://127.0.0.1:8000"


def keeping(config: ServerConfig) -> ServerConfig:
    """A server for others, behind a proxy that tells who calls, so that callers have addresses."""
    return ServerConfig(
        data=config.data, client=config.client, bot_workers=1, accounts=True, proxies=("127.0.0.1",)
    )  # fmt: skip


class Browser:
    """One browser."""

    def __init__(self, client: TestClient, address: str = "203.0.113.5") -> None:
        self.client, self.address, self.cookie = client, address, ""
        self.given: list[str] = []
        """The cookies that the server has set, with all that was said of each."""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = {"x-forwarded-for": self.address, "origin": SITE, **headers}
        if self.cookie:
            sent.setdefault("cookie", self.cookie)
        sent = {name: value for name, value in sent.items() if value}
        self.client.cookies.clear()
        answer = self.client.request(method, path, json=body, headers=sent)
        self.client.cookies.clear()
        for given in answer.headers.get_list("set-cookie"):
            self.given.append(given)
            if "Max-Age=0" not in given:
                self.cookie = given.partition(";")[0]
            elif self.cookie.partition("=")[0] == given.partition("=")[0]:
                self.cookie = ""
        return answer

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.ask("POST", f"/api/account{path}", body)

    def done(self, path: str, **body: Any) -> Any:
        answer = self.post(path, **body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def register(self, name: str = "Anna", password: str = PASSWORD) -> Self:
        assert self.done("/register", name=name, password=password)["account"]["name"] == name
        return self

    def sign_in(self, name: str = "Anna", password: str = PASSWORD) -> Self:
        self.done("/sign-in", name=name, password=password)
        return self

    def account(self) -> Any:
        """What the page knows of who is signed in; None if nobody is."""
        return self.ask("GET", "/api/account").json()["account"]

    def keep(self, duel: Duelist, *seats: str) -> dict[str, list[str]]:
        """Keep seats with the account."""
        keys = {duel.id: {seat: duel.keys[seat] for seat in seats}}
        kept: dict[str, list[str]] = self.done("/seats", keys=keys)["kept"]
        return kept

    def sit(self, duel: Duelist, **keys: str) -> dict[str, str]:
        """Open a match with these keys; gives those that fit, and fresh ones."""
        answer = self.ask("POST", duel.url("sit"), {"keys": keys})
        assert answer.status_code == 200, answer.text
        found: dict[str, str] = answer.json()["keys"]
        return found

    def matches(self) -> dict[str, list[str]]:
        """The seats that are listed as one's own, by match."""
        rows = self.ask("POST", "/api/lobby", {"keys": {}}).json()
        return {row["id"]: row["mine"] for row in rows}


def opens(duel: Duelist, seat: str, key: str) -> bool:
    """Whether a key shows a seat."""
    answer = duel.client.get(duel.url("view"), params={"seat": seat, "key": key})
    assert answer.status_code in (200, 403), answer.text
    return bool(answer.status_code == 200)


def error(answer: httpx.Response) -> tuple[int, str]:
    """How a request was refused."""
    return answer.status_code, answer.json()["error"]["code"]
