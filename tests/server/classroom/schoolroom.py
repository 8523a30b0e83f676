"""A class on a server, with its teacher and those who come to it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from tests.server.player import Duelist

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hugo", "Ines", "Jan", "Kim", "Lea"]


@dataclass
class Schoolroom:
    """What a teacher's browser knows of a class."""

    client: TestClient
    code: str
    key: str
    boards: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, client: TestClient, boards: int = 1, **task: Any) -> Schoolroom:
        answer = client.post("/api/classes", json={"title": "9b"})
        assert answer.status_code == 201, answer.text
        room = cls(client, **answer.json())
        for _ in range(boards):
            room.add_board(**task)
        return room

    def add_board(self, **task: Any) -> str:
        made = self.ask("matches", 201, **{"game": "duel", "scenario": "short", **task})
        self.boards.append(made["id"])
        return str(made["id"])

    @property
    def auth(self) -> dict[str, str]:
        return {"code": self.code, "key": self.key}

    def ask(self, path: str, status: int = 200, **body: Any) -> Any:
        """What the teacher asks for."""
        answer = self.client.post(f"/api/classes/{path}", json={**self.auth, **body})
        assert answer.status_code == status, answer.text
        return answer.json()

    def refused(self, path: str, status: int, **body: Any) -> str:
        """The code of a refusal."""
        return str(self.ask(path, status, **body)["error"]["code"])

    def info(self) -> Any:
        return self.ask("boards")

    def board(self, number: int = 1) -> Any:
        return self.info()["boards"][number - 1]

    def join(self, name: str, status: int = 200, **body: Any) -> Any:
        """Somebody types the code and a name."""
        asked = {"code": self.code, "name": name, "request_id": os.urandom(16).hex(), **body}
        answer = self.client.post("/api/classes/join", json=asked)
        assert answer.status_code == status, answer.text
        return answer.json()

    def refused_to(self, name: str, status: int, **body: Any) -> str:
        return str(self.join(name, status, **body)["error"]["code"])

    def fill(self, count: int) -> list[Any]:
        """That many pupils come, one after the other."""
        return [self.join(name) for name in NAMES[:count]]

    def at(self, *joined: Any) -> Duelist:
        """The board at which pupils sit, played by them."""
        (match,) = {pupil["id"] for pupil in joined}
        return Duelist(self.client, match, {pupil["seat"]: pupil["key"] for pupil in joined})

    def desk(self, pupil: Any, status: int = 200) -> Any:
        """What a pupil is shown besides the match."""
        answer = self.client.post(
            f"/api/matches/{pupil['id']}/class", json={"seat": pupil["seat"], "key": pupil["key"]}
        )
        assert answer.status_code == status, answer.text
        return answer.json()

    def reply(self, pupil: Any, card: int, text: str, status: int = 200) -> Any:
        body = {"seat": pupil["seat"], "key": pupil["key"], "card": card, "text": text}
        answer = self.client.post(f"/api/matches/{pupil['id']}/class/answer", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()
