"""Those who use the server: a player who holds every seat of a match, and windows that watch."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import aiohttp
import orjson

from bench.load.changes import apply

PATIENCE = aiohttp.ClientTimeout(total=60)
IDLE_SECONDS = 15
"""How long a connection is kept for the next request: less than the server keeps it."""
TRIES = 4


class LoadError(Exception):
    """The server answered what it should not."""


class Client:
    """Connections to one server."""

    def __init__(self, url: str, source: str | None = None) -> None:
        """``source``: the address of this machine to call from."""
        self.url = url
        local = (source, 0) if source else None
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS, local_addr=local), timeout=PATIENCE
        )

    async def ask(self, method: str, path: str, body: Any = None, expected: tuple[int, ...] = (200, 201)) -> Any:
        """One request to the programming interface; raises ``LoadError`` for another answer than expected."""
        data = None if body is None else orjson.dumps(body)
        headers = {} if body is None else {"content-type": "application/json"}
        async with self.session.request(method, f"{self.url}/api{path}", data=data, headers=headers) as answer:
            content = await answer.read()
            if answer.status not in expected:
                raise LoadError(f"{method} {path}: {answer.status} {content[:300]!r}")
            return orjson.loads(content)

    async def close(self) -> None:
        """Let go of all connections."""
        await self.session.close()


class Player:
    """Plays a match at random, for every seat, and remembers each action that was acknowledged."""

    def __init__(self, client: Client, match_id: str, keys: dict[str, str], seed: int) -> None:
        self.client = client
        self.id = match_id
        self.keys = keys
        self.acknowledged: list[tuple[str, str]] = []
        self.over = False
        self.busy = False
        self._dice = random.Random(seed)
        self._views: dict[str, dict[str, Any]] = {}
        self._seat = next(iter(keys))
        self._sent = 0
        self.repeated = 0
        """Requests that were sent again since their connection was lost."""

    @classmethod
    async def start(cls, client: Client, game: str, scenario: str, seed: int) -> Player:
        """A new match."""
        made = await client.ask("POST", "/matches", {"game": game, "scenario": scenario, "seed": seed})
        return cls(client, made["id"], made["keys"], seed)

    async def _view(self, seat: str) -> dict[str, Any]:
        path = f"/matches/{self.id}/view?seat={seat}&key={self.keys[seat]}"
        view: dict[str, Any] = await self.client.ask("GET", path)
        self._views[seat] = view
        return view

    async def ready(self) -> dict[str, Any] | None:
        """The view of the seat that has to decide, or None when the match is over."""
        view = self._views.get(self._seat) or await self._view(self._seat)
        while (decision := view["decision"]) is not None and decision["seat"] != self._seat:
            self._seat = decision["seat"]
            view = await self._view(self._seat)
        self.over = view["decision"] is None
        return None if self.over else view

    async def step(self, view: dict[str, Any]) -> float:
        """Send one legal action of a view, and take in the answer; gives the seconds it took."""
        seat = self._seat
        action = self._dice.choice(view["decision"]["options"])["action"]
        body = {
            "seat": seat, "key": self.keys[seat], "version": view["version"], "action": action,
            "request_id": f"load-{self._sent}",
        }  # fmt: skip
        if "tag" in view:
            body["have"] = view["tag"]
        self._sent += 1
        started = time.perf_counter()
        answer = await self._ask_until_answered(body)
        took = time.perf_counter() - started
        self.acknowledged.append((seat, action))
        self._views = {seat: answer["view"] if "view" in answer else apply(view, answer["change"])}
        return took

    async def _ask_until_answered(self, body: dict[str, Any]) -> Any:
        """As a window does: what was not answered is sent again with the same id, and counts once."""
        for _ in range(TRIES - 1):
            try:
                return await self.client.ask("POST", f"/matches/{self.id}/actions", body)
            except aiohttp.ClientConnectionError:
                self.repeated += 1
        return await self.client.ask("POST", f"/matches/{self.id}/actions", body)

    async def wrong(self) -> list[str]:
        """What the log of the match has otherwise than it was acknowledged: nothing, one hopes."""
        found: list[tuple[str, str]] = []
        seat = self._seat
        while True:
            path = f"/matches/{self.id}/log?from={len(found)}&seat={seat}&key={self.keys[seat]}"
            page = await self.client.ask("GET", path)
            found += [(item["seat"], item["action"]) for item in page]
            if not page:
                break
        problems = []
        if len(found) != len(self.acknowledged):
            problems.append(f"match {self.id}: {len(self.acknowledged)} acknowledged, {len(found)} in the log")
        for number, (sent, kept) in enumerate(zip(self.acknowledged, found, strict=False)):
            if sent[0] != kept[0] or not _same(sent[1], kept[1]):
                problems.append(f"match {self.id}, entry {number}: sent {sent}, found {kept}")
                break
        return problems


def _same(sent: str, kept: str) -> bool:
    """The log shows of another seat's secret order no more than its verb, or nothing."""
    return sent == kept or kept in ("", sent.partition(" ")[0])


class Watcher:
    """A window on a match, which keeps the view that it was told."""

    def __init__(self, player: Player, seat: str | None, differences: bool) -> None:
        self._player = player
        self._seat = seat
        self._differences = differences
        self._task: asyncio.Task[None] | None = None
        self.view: dict[str, Any] | None = None
        self.messages = 0
        self.failure = ""

    def start(self) -> None:
        """Begin to watch."""
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Close the window."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        client, player = self._player.client, self._player
        query = {"seat": self._seat, "key": player.keys[self._seat]} if self._seat else {}
        if self._differences:
            query["have"] = ""
        url = f"{client.url}/api/matches/{player.id}/live"
        try:
            async with client.session.ws_connect(url, params=query, max_msg_size=0, compress=0) as socket:
                async for message in socket:
                    if message.type is aiohttp.WSMsgType.TEXT:
                        await self._take(socket, orjson.loads(message.data))
                self.failure = self.failure or f"closed with {socket.close_code}"
        except (aiohttp.ClientError, TimeoutError, OSError) as problem:
            self.failure = str(problem) or type(problem).__name__

    async def _take(self, socket: aiohttp.ClientWebSocketResponse, message: dict[str, Any]) -> None:
        match message["type"]:
            case "view":
                self.messages += 1
                self.view = message["view"]
            case "change":
                self.messages += 1
                if self.view is None or self.view.get("tag") != message["change"]["base"]:
                    await socket.send_str('{"type": "view"}')
                else:
                    self.view = apply(self.view, message["change"])
            case "error":
                self.failure = str(message.get("message"))

    @property
    def match_id(self) -> str:
        """The match that is watched."""
        return self._player.id

    async def told_all(self, seconds: float = 20) -> bool:
        """Whether the window comes to the version that the match is at, and shows what a new one shows."""
        player, seat = self._player, self._seat
        asked = f"?seat={seat}&key={player.keys[seat]}" if seat else ""
        now = await player.client.ask("GET", f"/matches/{player.id}/view{asked}")
        end = time.monotonic() + seconds
        while time.monotonic() < end and (self.view is None or self.view["version"] < now["version"]):
            await asyncio.sleep(0.05)
        return self.view is not None and _settled(self.view) == _settled(now)


def _settled(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what depends on when one last looked."""
    return {name: value for name, value in view.items() if name not in ("last_events", "tag")}
