"""Two matches that differ in their dice and in what one side keeps secret, and a spy who asks both everything."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.core.stack_game import StackGame
from rasputitsa.server.app import create_app
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Limits
from rasputitsa.server.matches.rooms import Room, Rooms
from rasputitsa.server.store import Store
from tests.server.player import Duelist, claim

SAVE = {"content-type": "application/x-ndjson"}
UNLIMITED = Limits(**{setting.name: 0 for setting in fields(Limits)})
OWN = frozenset({"match", "tag", "digest", "salt", "shares"})
"""Members that name the match or promise its dice: the only ones in which twins may differ."""

GIVEN = frozenset({"id", "key", "keys", "token", "dice", "number", "at", "updated"})
"""Members of answers about the table that are drawn at random, promise dice, name the match or tell the time."""

LENGTHS = frozenset({"content-length", "etag"})
"""Headers that follow from the text, and would differ with the length of the match's number."""

CLASS = 256
"""Orders carried out for an answer that make a gross difference: more than lie between two kept positions."""


def scrubbed(value: Any, own: frozenset[str] = frozenset()) -> Any:
    """An answer without what is the match's own."""
    if isinstance(value, dict):
        return {name: "" if name in OWN | own else scrubbed(item, own) for name, item in value.items()}
    return [scrubbed(item, own) for item in value] if isinstance(value, list) else value


def read(answer: Any) -> Any:
    """What an answer says; of a calendar the lines that neither name the match nor tell the time."""
    if not answer.headers["content-type"].startswith("text/calendar"):
        return answer.json()
    return [line for line in answer.text.splitlines() if not line.startswith(("UID", "DT"))]


class Work:
    """Counts what the engine has to do for an answer: of two that look alike one could take longer."""

    def __init__(self) -> None:
        self.applied = 0


@contextmanager
def counting(work: Work) -> Iterator[None]:
    """Count the orders that are carried out."""
    once = StackGame.apply

    def counted(self: Any, state: Any, action: Any, dice: Any) -> Any:
        work.applied += 1
        return once(self, state, action, dice)

    StackGame.apply = counted  # type: ignore[method-assign]
    try:
        yield
    finally:
        StackGame.apply = once  # type: ignore[method-assign]


@contextmanager
def server(folder: Path) -> Iterator[tuple[TestClient, TestClient]]:
    """A server, with a client of the owner of the machine and one of a stranger elsewhere."""
    config = ServerConfig(
        data=folder / "data",
        local=True,
        client=folder / "client",
        bot_workers=1,
        limits=UNLIMITED,
        hosts=("play.test",),
    )
    app: FastAPI = create_app(config, Store(config.database))
    with TestClient(app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 50000)) as owner:
        spy = TestClient(app, base_url="http://127.0.0.1:8000", client=("10.1.2.3", 50000))
        spy.portal = owner.portal
        yield owner, spy


def at_rest(room: Room) -> bool:
    """Whether nobody is at the match, and every window was handed all that there is for it.

    A computer player that comes to no end is at rest when all have been told that it thinks."""
    windows = [window for window in room.subscribers if not window.closed]
    told = room._news is None and not any(window.due or window.wake.is_set() or window._held_back for window in windows)
    return told and (room.idle or (not room.users and all(window.waits_for for window in windows)))


@dataclass
class Twin:
    """One of the two: its players, and the spy's way to it."""

    players: Duelist
    spy: TestClient
    work: Work
    answers: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    """What each question was answered: status, text and class of work."""
    asked: set[tuple[str, str]] = field(default_factory=set)
    """Method and path of every request, as the description of the interface has them."""

    def params(self, seat: str | None) -> dict[str, str]:
        return self.players.auth(seat) if seat else {}

    def ask(self, name: str, method: str, path: str, own: frozenset[str] = frozenset(), **request: Any) -> Any:
        """Ask, and write the answer down without what names the match; gives it whole. ``path`` is one of the match,
        unless it begins with a stroke."""
        before = self.work.applied
        url = path if path.startswith("/") else self.players.url(path).rstrip("/")
        answer = self.spy.request(method, url, **request)
        found = read(answer) if answer.content else None
        headers = {name: value for name, value in answer.headers.items() if name not in LENGTHS}
        text = json.dumps([scrubbed(found, own), headers])
        self.answers[name] = (answer.status_code, text, (self.work.applied - before) // CLASS)
        whole = url.replace(f"/matches/{self.players.id}", "/matches/{match_id}")
        whole = re.sub(r"/notices/stop/.+", "/notices/stop/{token}", whole)
        whole = re.sub(r"/api/calendar/(?!void).+", "/api/calendar/{token}", whole)
        self.asked.add((method, re.sub(r"/analysis/.+", "/analysis/{job_id}", whole)))
        return found

    def settle(self) -> None:
        """Wait until nothing more is to be told of the match by itself."""
        app, match = self.players.client.app, int(self.players.id)
        rooms: Rooms = app.state.rooms  # type: ignore[attr-defined]

        async def settled() -> None:
            room = await rooms.open(match)
            while not at_rest(room):
                await asyncio.sleep(0.01)

        assert self.players.client.portal is not None
        self.players.client.portal.call(settled)

    def list_row(self) -> str:
        """What the list of matches tells of it."""
        row = next(row for row in self.players.client.get("/api/matches").json() if row["id"] == self.players.id)
        return json.dumps({name: value for name, value in row.items() if name not in ("id", "keys")})


def kept(owner: TestClient, session: Session) -> Duelist:
    """The session as a match."""
    made = owner.post("/api/import", content=session.save(), headers=SAVE)
    assert made.status_code == 201, made.text
    return Duelist(owner, made.json()["id"], made.json()["keys"])


def twins(owner: TestClient, spy: TestClient, session: Session, work: Work) -> tuple[Twin, Twin]:
    """Two matches with the same past and different dice from here on."""
    root = kept(owner, session)
    return _copy(root, owner, spy, work), _copy(root, owner, spy, work)


def _copy(root: Duelist, owner: TestClient, spy: TestClient, work: Work) -> Twin:
    """A copy in which every seat is somebody's own."""
    made = owner.post(root.url("copy"), json={})
    assert made.status_code == 201, made.text
    players = Duelist(owner, made.json()["id"], made.json()["keys"])
    for seat in list(players.keys)[1:]:
        invited = owner.post(players.url("invitations"), json={"of": seat})
        assert invited.status_code == 201, invited.text
        players.keys[seat] = claim(spy, invited.json()["token"])["key"]
    twin = Twin(players, spy, work)
    twin.settle()  # what its seats remember of the record is made up
    return twin


Args = Callable[[random.Random], dict[str, str]]


def questions(session: Session, chooser: random.Random, number: int) -> list[tuple[str, dict[str, str]]]:
    """Questions of every kind with many arguments, sensible and not."""
    state, game = session.state, session.game
    static = game.static(session.header.scenario)
    units, hexes = [unit["id"] for unit in static["units"]], [hex_["id"] for hex_ in static["map"]["hexes"]]
    kinds = [*__import__(f"rasputitsa.{game.id}.api.queries", fromlist=["KINDS"]).KINDS, "asides", "nonsense"]
    names = ("unit", "units", "group", "to", "targets", "target", "hex", "side", "depot", "assume", "room")
    lines = orders(session, chooser, number)
    found = [("why", {"action": line}) for line in lines]
    for kind in kinds:
        for _ in range(max(1, number // 6)):
            args = {name: chooser.choice(_values(name, units, hexes, chooser)) for name in chooser.sample(names, 4)}
            found.append((kind, args))
    assert state is session.state
    return found


def _values(name: str, units: list[str], hexes: list[str], chooser: random.Random) -> list[str]:
    if name in ("unit", "group", "depot"):
        return [chooser.choice(units), "99999"]
    if name == "units":
        return [",".join(chooser.sample(units, 2)), chooser.choice(units), ""]
    if name == "side":
        return ["axis", "soviet", "x"]
    if name in ("room", "assume"):
        return ["1", ""]
    return [chooser.choice(hexes), ",".join(chooser.sample(hexes, 2)), "ZZ"]


def orders(session: Session, chooser: random.Random, number: int) -> list[str]:
    """Lines that might be orders: single ones, compound ones that go on past everything, and nonsense."""
    game, verbs = session.game, sorted(session.game.verbs)
    static = game.static(session.header.scenario)
    words = {
        "unit": [unit["id"] for unit in static["units"]],
        "hex": [hex_["id"] for hex_ in static["map"]["hexes"]],
        "number": [str(n) for n in range(1, 8)],
    }

    def one() -> str:
        verb = chooser.choice(verbs)
        return " ".join((verb, *(chooser.choice(words[kind]) for kind in game.verbs[verb])))

    found = ["", "b", "1", "q", "auto supply", "auto all", "auto replace", "nonsense", "done; done", "halt; halt"]
    for _ in range(number):
        found += [one(), f"done; {one()}", f"{one()}; {one()}", f"done; {one()}; {one()}"]
    return found


def spy_on(
    twin: Twin, session: Session, seat: str | None, seed: int, number: int = 6, *, asked: bool = False
) -> dict[str, tuple[int, str, int]]:
    """Ask everything that a seat can ask, and that changes nothing; ``asked``: the seat itself has to decide."""
    chooser = random.Random(seed)
    params = twin.params(seat)
    view = twin.spy.get(twin.players.url("view"), params=params).json()
    twin.answers.clear()
    twin.ask("view", "GET", "view", params=params)
    for ply in {0, view["ply"], view["ply"] + 1, *(chooser.randint(0, view["ply"]) for _ in range(3))}:
        twin.ask(f"at {ply}", "GET", "view", params={**params, "at": ply})
    for start in {0, max(view["ply"] - 3, 0), view["ply"], view["ply"] + 50}:
        twin.ask(f"log {start}", "GET", "log", params={**params, "from": start})
    for kind, args in questions(session, chooser, number):
        twin.ask(f"{kind} {args}", "GET", "query", params={**params, "kind": kind, **args})
    for path in ("course", "export", "analysis/none"):
        twin.ask(path, "GET", path, params=params)
    if seat is not None:
        _refusals(twin, session, seat, view["version"], chooser, number, asked=asked)
    twin.answers["list"] = (0, re.sub(r'"updated": \d+', "", twin.list_row()), 0)
    return dict(twin.answers)


def _refusals(
    twin: Twin, session: Session, seat: str, version: int, chooser: random.Random, number: int, *, asked: bool
) -> None:
    auth = twin.players.auth(seat)
    lines = [
        line
        for line in orders(session, chooser, number)
        if not asked or (line.startswith("done; ") and not line.endswith("halt"))
    ]
    for place, line in enumerate(lines):
        body = {
            **auth,
            "version": version,
            "action": line or " ",
            "request_id": f"{seat}-{version}-{place}-{line[:20]}",
        }
        twin.ask(f"act {line}", "POST", "actions", json=body)
        assert twin.answers[f"act {line}"][0] != 200, line
    stale = {**auth, "version": version + 1, "action": "done", "request_id": f"{seat}-stale-{version}"}
    twin.ask("act stale", "POST", "actions", json=stale)
    if not asked:
        twin.ask("undo", "POST", "undo", json={**auth, "version": version})
        twin.ask("hint", "POST", "hint", json=auth)


def assert_alike(first: dict[str, tuple[int, str, int]], second: dict[str, tuple[int, str, int]]) -> None:
    """Both were answered the same, byte for byte, and for the same work."""
    assert first.keys() == second.keys()
    for name, answer in first.items():
        assert answer[0] < 500, (name, answer)
        assert answer == second[name], (
            name,
            answer[0],
            second[name][0],
            answer[2],
            second[name][2],
            _differ(answer[1], second[name][1]),
        )


def _differ(one: str, other: str) -> tuple[str, str]:
    """Where two texts begin to differ."""
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[max(place - 60, 0) : place + 60], other[max(place - 60, 0) : place + 60]


def fresh(game_id: str, scenario: str, options: dict[str, str], seed: int) -> Session:
    """A session under the data shipped."""
    from rasputitsa.core.record.new import new_session

    assert get_game(game_id)
    return new_session(game_id, scenario, options, seed=seed)
