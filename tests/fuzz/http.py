"""Requests to the server, some in a row: never a 5xx, every refusal in the form that is documented."""

from __future__ import annotations

import json
import tempfile
from abc import abstractmethod
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


class Browser(Target):
    """A server for the owner of the machine, and who sends it a list of requests: method, path, headers and body."""

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
        self.names: dict[str, str] = {}
        """What words with a ``$`` before them stand for in requests."""

    @abstractmethod
    def begin(self) -> None:
        """Make what is asked about."""

    @abstractmethod
    def end(self) -> None:
        """Take away whatever is there."""

    def run(self, data: bytes) -> None:
        try:
            asked = json.loads(data)
        except (ValueError, RecursionError):
            return
        if not isinstance(asked, list):
            return
        self.begin()
        try:
            for one in asked[:MOST_REQUESTS]:
                if isinstance(one, list) and len(one) == 4:
                    self._ask(*one)
        finally:
            self.end()

    def made(self, path: str, body: dict[str, Any]) -> Any:
        """What a request makes that is in order."""
        answer = self._client.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def remove_all(self, path: str) -> None:
        """Delete what a list holds."""
        for row in self._client.get(path).json():
            assert self._client.delete(f"{path}/{row['id']}").status_code == 200

    def _filled(self, text: str) -> str:
        for name in sorted(self.names, key=len, reverse=True):
            text = text.replace(f"${name}", self.names[name])
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


class Requests(Browser):
    """Requests about a match of one person, who has the keys ``$axis`` and ``$soviet``."""

    name = "requests"

    def begin(self) -> None:
        body = {"game": "portfolio", "lesson": "first_attack", "controllers": {"soviet": {"kind": "human"}}}
        made = self.made("/api/matches", body)
        self.names = {"id": made["id"], **made["keys"]}

    def end(self) -> None:
        self.remove_all("/api/matches")

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
