"""Requests to the server, some in a row: never a 5xx, every refusal in the form that is documented."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.archive import Packed
from rasputitsa.server.matches.reading import packed_of
from rasputitsa.server.store import Store
from tests.fuzz.mutate import written
from tests.fuzz.targets import Target

MOST_REQUESTS = 6


async def _no_bot(turn: Any, report: Any) -> str:
    """Computer players are no part of this."""
    from rasputitsa.server.workers.bots import BotError

    raise BotError("no computer player here")


def without_processes(app: Any) -> None:
    """Let a running app start no process: no computer player, no analysis, and saved games are read in this one."""
    app.state.rooms.bots.choose = _no_bot
    app.state.reader = _Here()
    app.state.analysis_jobs.start = lambda *args, **kwargs: _Idle()


class Requests(Target):
    """A list of requests: method, path, headers and body. ``$red`` and ``$blue`` stand for the keys."""

    name = "requests"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._store = Store(folder / "matches.db")
        config = ServerConfig(data=folder, local=True, client=folder, bot_workers=1)
        self._app = create_app(config, self._store)
        self._client = TestClient(
            self._app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 50000), raise_server_exceptions=False
        )
        self._client.__enter__()
        without_processes(self._app)
        self._keys: dict[str, str] = {}
        self._id = ""

    def _begin(self) -> None:
        body = {"game": "portfolio", "lesson": "first_attack", "controllers": {"soviet": {"kind": "human"}}}
        made = self._client.post("/api/matches", json=body).json()
        self._id, self._keys = made["id"], made["keys"]

    def run(self, data: bytes) -> None:
        try:
            asked = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(asked, list):
            return
        self._begin()
        try:
            for one in asked[:MOST_REQUESTS]:
                if isinstance(one, list) and len(one) == 4:
                    self._ask(*one)
        finally:
            for row in self._client.get("/api/matches").json():
                assert self._client.delete(f"/api/matches/{row['id']}").status_code == 200

    def _filled(self, text: str) -> str:
        for name, key in (("$id", self._id), *((f"${seat}", key) for seat, key in self._keys.items())):
            text = text.replace(name, key)
        return text

    def _ask(self, method: Any, path: Any, headers: Any, body: Any) -> None:
        if not isinstance(method, str) or not isinstance(path, str) or not path.startswith("/"):
            return
        content = body if isinstance(body, str) else written(body)
        given = {str(k): str(v) for k, v in headers.items()} if isinstance(headers, dict) else {}
        try:
            response = self._client.request(
                method,
                self._filled(path),
                headers=given,
                content=self._filled(content).encode("utf-8", "surrogatepass"),
            )
        except (UnicodeError, ValueError, TypeError):
            return  # cannot even be sent
        except Exception as problem:
            if type(problem).__module__.startswith("httpx"):
                return  # the client will not send it
            raise
        assert response.status_code < 500, f"{response.status_code} {response.text[:500]}"
        assert "content-security-policy" in response.headers, "every answer carries the security headers"
        if response.status_code >= 400 and method != "HEAD":
            error = response.json()["error"]
            assert error["code"] and error["message"]

    def seeds(self) -> Iterator[bytes]:
        kind = {"content-type": "application/json", "host": "127.0.0.1:8000"}
        seat = {"seat": "axis", "key": "$axis"}
        act = {**seat, "version": 0, "action": "move 39Pz", "request_id": "1"}
        save = next(_saves())
        rows: list[list[Any]] = [
            [["POST", "/api/matches/$id/actions", kind, act], ["POST", "/api/matches/$id/actions", kind, act]],
            [
                ["POST", "/api/matches", kind, {"game": "wir", "scenario": "barbarossa", "title": "T", "seed": 3}],
                ["GET", "/api/matches", {}, ""],
            ],
            [["POST", "/api/matches", kind, {
                "game": "portfolio", "scenario": "june22", "players": 4, "options": {"overrun": "others"},
                "controllers": {"axis_north": {"kind": "bot", "bot": "planner"}}}]],
            [["GET", "/api/matches/$id/view?seat=axis&key=$axis&at=0", {}, ""]],
            [["GET", "/api/matches/$id/log?from=0", {}, ""]],
            [["GET", "/api/matches/$id/query?kind=reach&units=39Pz&seat=axis&key=$axis", {}, ""]],
            [["POST", "/api/matches/$id/undo", kind, {**seat, "version": 0, "to": 0}]],
            [["POST", "/api/matches/$id/controllers", kind, {**seat, "controller": {"kind": "human", "name": "A"}}]],
            [["POST", "/api/matches/$id/hurry", kind, seat], ["POST", "/api/matches/$id/hint", kind, seat]],
            [["POST", "/api/matches/$id/copy", kind, {"at": 0}], ["GET", "/api/matches/$id/export", {}, ""]],
            [["POST", "/api/matches/$id/course", kind, seat], ["GET", "/api/matches/$id/course", {}, ""]],
            [["GET", "/api/matches/$id/analysis/x", {}, ""], ["DELETE", "/api/matches/$id/analysis/x", {}, ""]],
            [["POST", "/api/import", {**kind, "content-type": "application/x-ndjson"}, save]],
            [["GET", "/api/games", {}, ""], ["GET", "/api/games/wir/static?scenario=barbarossa", {}, ""]],
            [["GET", "/api/games/wir/rules", {}, ""], ["GET", "/assets/../x", {}, ""]],
            [["PUT", "/api/matches", kind, {}]],
            [["DELETE", "/api/matches/$id?seat=axis&key=$axis", {}, ""]],
            [["POST", "/api/matches", {**kind, "origin": "http://evil", "sec-fetch-site": "cross-site"}, {}]],
        ]  # fmt: skip
        for row in rows:
            yield written(row).encode()

    def mutate(self, data: bytes, chooser: random.Random) -> bytes | None:
        return super().mutate(data, chooser)


class _Here:
    """Reads saved games in this process, where it is seen what they do."""

    async def read(self, content: bytes, name: str | None = None, group: str = "") -> Packed:
        return packed_of(content, 60)

    def progress(self, name: str | None) -> tuple[int, int] | None:
        return (0, 1) if name else None

    def close(self) -> None:
        """Nothing to end."""


class _Idle:
    """A job nobody works on."""

    kind = "hint"
    result = None

    def to_json(self) -> dict[str, Any]:
        return {"id": "x"}


def _saves() -> Iterator[str]:
    from rasputitsa.core.record.new import new_session

    yield new_session("portfolio", "june22", seed=1, title="T").save()
