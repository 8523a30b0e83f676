"""Another server of board games under the same kind of load: Rally the Troops, from a checkout that you name.

Its source is at https://git.rally-the-troops.com, under the ISC licence; the games are modules next to it. Nothing of
it is here: this starts a checkout ready to run (``npm install`` done, a game in ``public/``) on a fresh database,
puts players and games into that, and plays at random over its WebSocket.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson

from bench.load.phases import Plan, Result, Say
from bench.load.server import ServerError, processor_time, resident

STARTING_SECONDS = 20.0
GAMES_AT_A_TABLE = 60
ANSWER_SECONDS = 10.0
BACKWARD = ("undo", "resign")
SETUP = """
const [title, count] = process.argv.slice(1);
const rules = require(`./public/${title}/rules.js`);
const scenario = rules.scenarios[0];
const roles = typeof rules.roles === "function" ? rules.roles(scenario, {}) : rules.roles;
const states = Array.from({ length: Number(count) }, (_, seed) => rules.setup(seed + 1, scenario, {}));
console.log(JSON.stringify({ scenario, roles, states: states.map((s) => [String(s.active), JSON.stringify(s)]) }));
"""


@dataclass
class Games:
    """The games in a database: their numbers, roles and the sessions of their players."""

    title: str
    roles: list[str]
    numbers: list[int]


def _title(checkout: Path) -> str:
    found = sorted(rules.parent.name for rules in checkout.glob("public/*/rules.js"))
    if not found or not (checkout / "node_modules").is_dir():
        raise ServerError(f"{checkout} needs `npm install` and a game in public/")
    return found[0]


def _prepare(checkout: Path, database: Path, count: int) -> Games:
    """A fresh database with games that have begun; the session of each role's player is its place in the roles."""
    title = _title(checkout)
    made = subprocess.run(
        ["node", "-e", SETUP, title, str(count)], cwd=checkout, capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise ServerError(made.stderr.strip()[-500:])
    told = json.loads(made.stdout)
    with sqlite3.connect(database) as db:
        db.executescript((checkout / "schema.sql").read_text())
        db.execute("INSERT INTO titles (title_id, title_name) VALUES (?, ?)", (title, title))
        for sid, role in enumerate(told["roles"], start=1):
            db.execute(
                "INSERT INTO users (user_id, name, mail) VALUES (?, ?, ?)", (sid, f"p{sid}", f"p{sid}@localhost")
            )
            db.execute("INSERT INTO logins VALUES (?, ?, julianday() + 1)", (sid, sid))
            db.executemany(
                "INSERT INTO players (game_id, role, user_id, is_invite) VALUES (?, ?, ?, 0)",
                [(number, role, sid) for number in range(1, count + 1)],
            )
        players = len(told["roles"])
        for number, (active, state) in enumerate(told["states"], start=1):
            db.execute(
                "INSERT INTO games (game_id, status, title_id, scenario, options, player_count, join_count, user_count,"
                " active) VALUES (?, 1, ?, ?, '{}', ?, ?, ?, ?)",
                (number, title, told["scenario"], players, players, players, active),
            )
            db.execute("INSERT INTO game_state VALUES (?, ?)", (number, state))
    db.close()
    return Games(title, told["roles"], list(range(1, count + 1)))


@contextmanager
def _running(checkout: Path, database: Path) -> Iterator[tuple[str, int]]:
    """The server on a free port; gives its address and process number."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["node", "server.js"], cwd=checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"DATABASE": str(database), "HTTP_HOST": "127.0.0.1", "HTTP_PORT": str(port)},
    )  # fmt: skip
    try:
        end = time.monotonic() + STARTING_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if time.monotonic() > end or process.poll() is not None:
                    raise ServerError("the other server did not start") from None
                time.sleep(0.1)
        yield f"ws://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


class _Table:
    """Games played one after another, every role by this program."""

    def __init__(self, session: aiohttp.ClientSession, url: str, games: Games, numbers: list[int]) -> None:
        self._session, self._url, self._games, self._numbers = session, url, games, numbers
        self._dice = random.Random(numbers[0])

    async def play(self, end: float, result: Result) -> None:
        """Act until the time is over or there are no games left."""
        for number in self._numbers:
            if time.perf_counter() >= end:
                return
            sockets = [await self._join(number, place) for place in range(1, len(self._games.roles) + 1)]
            try:
                await self._one(sockets, end, result)
            finally:
                for one in sockets:
                    await one.close()

    async def _join(self, number: int, sid: int) -> aiohttp.ClientWebSocketResponse:
        query = {"title": self._games.title, "game": str(number), "role": self._games.roles[sid - 1], "seen": "0"}
        url, headers = f"{self._url}/play-socket", {"cookie": f"login={sid}"}
        return await self._session.ws_connect(url, params=query, headers=headers, max_msg_size=0)

    async def _one(self, sockets: list[aiohttp.ClientWebSocketResponse], end: float, result: Result) -> None:
        views = [await self._state(one) for one in sockets]
        while time.perf_counter() < end:
            asked = next((place for place, told in enumerate(views) if _options(told)), None)
            if asked is None:
                return
            told = views[asked]
            assert told is not None
            started = time.perf_counter()
            await sockets[asked].send_str(json.dumps(["action", [*self._dice.choice(_options(told)), told[1]]]))
            views[asked] = await self._state(sockets[asked])
            result.times.append(time.perf_counter() - started)
            result.actions += 1
            if not _options(views[asked]):
                views = [views[asked] if one is sockets[asked] else await self._state(one) for one in sockets]

    async def _state(self, one: aiohttp.ClientWebSocketResponse) -> list[Any] | None:
        """The newest position told, or None when the game is over."""
        newest: list[Any] | None = None
        while True:
            try:
                message = await one.receive(None if newest is None else 0.0005)
            except TimeoutError:
                return newest
            if message.type is not aiohttp.WSMsgType.TEXT:
                return newest
            kind, *rest = orjson.loads(message.data)
            if kind == "state":
                newest = rest
            elif kind in ("finished", "error"):
                return None


def _options(told: list[Any] | None) -> list[tuple[str, Any]]:
    actions = (told[0].get("actions") if told else None) or {}
    found: list[tuple[str, Any]] = []
    for verb, args in actions.items():
        if verb not in BACKWARD:
            found += [(verb, arg) for arg in args] if isinstance(args, list) else [(verb, None)] if args else []
    return found


async def run(plan: Plan, checkout: Path, say: Say) -> Result:
    """Play as many games at once as a plan has matches, at full speed; raises ``ServerError``."""
    result = Result(0, 0.0)
    with tempfile.TemporaryDirectory(prefix="rasputitsa-load-") as folder:
        database = Path(folder) / "db"
        say("Rally the Troops: games are made")
        games = _prepare(checkout, database, plan.matches * GAMES_AT_A_TABLE)
        with _running(checkout, database) as (url, process):
            async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
                tables = [
                    _Table(session, url, games, games.numbers[start :: plan.matches]) for start in range(plan.matches)
                ]
                say(f"Rally the Troops: measuring for {plan.seconds:.0f} s")
                before, started = processor_time(process), time.perf_counter()
                await asyncio.gather(*(table.play(started + plan.seconds, result) for table in tables))
                result.seconds = time.perf_counter() - started
                result.processor = processor_time(process) - before
                result.memory = [resident(process)]
    return result
