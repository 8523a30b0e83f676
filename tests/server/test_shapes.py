"""Views, logs, messages and lists say what the OpenAPI document says, no more and no less, over a stretch of play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.shapes.document import ANSWERS
from tests.server.conftest import connect
from tests.server.player import Duelist

STEPS = 120
EVERY = 10
"""How many actions lie between two looks at everything."""
OWN = {"BoardView", "View", "Piece", "StaticGame"}
"""What each game may add to."""
SCENARIOS = {"portfolio": "june22", "wir": "barbarossa"}
ASIDE = {"end_game", "level", "stop"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("shapes")
    with connect(ServerConfig(data=folder, local=True, client=folder, bot_workers=1)) as client:
        yield client


@pytest.fixture(scope="module")
def schemas(client: TestClient) -> dict[str, Any]:
    """The components of the document, closed against what they do not name."""
    found: dict[str, Any] = client.get("/api/openapi.json").json()["components"]["schemas"]
    for name, schema in found.items():
        if "properties" in schema and name not in OWN:
            schema.setdefault("additionalProperties", False)
    return found


def check(schemas: dict[str, Any], shape: dict[str, Any], value: Any) -> None:
    jsonschema.validate(value, {**shape, "components": {"schemas": schemas}})


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_every_operation_has_its_shape(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {(method, path) for path, methods in paths.items() for method in methods} == set(ANSWERS)


def test_lists_say_what_is_described(client: TestClient, schemas: dict[str, Any]) -> None:
    games = client.get("/api/games").json()
    check(schemas, {"type": "array", "items": ref("GameInfo")}, games)
    for game, scenario in SCENARIOS.items():
        check(schemas, ref("StaticGame"), client.get(f"/api/games/{game}/static?scenario={scenario}").json())
        check(schemas, ref("Rules"), client.get(f"/api/games/{game}/rules").json())


@pytest.mark.parametrize("game", SCENARIOS)
def test_a_game_says_what_is_described(client: TestClient, schemas: dict[str, Any], game: str) -> None:
    match = Duelist.start(client, game=game, scenario=SCENARIOS[game])
    events = {"type": "array", "items": {"anyOf": [ref(f"{game.capitalize()}Event")]}}
    rng, heard = Random(3), 0
    for number in range(STEPS):
        view = match.view("axis")
        if view["outcome"]:
            break
        asked = view["decision"]["seat"]
        mine = match.view(asked)
        for shown in (view, mine) if number % EVERY == 0 else ():
            check(schemas, ref("BoardView"), shown)
            check(schemas, {"type": "array", "items": ref("MatchSummary")}, client.get("/api/matches").json())
            check(schemas, ref("SeatsInfo"), client.get(match.url("seats"), headers=match.auth(asked)).json())
        verbs: dict[str, list[str]] = {}
        for option in mine["decision"]["options"]:
            if option["verb"] not in ASIDE:
                verbs.setdefault(option["verb"], []).append(option["action"])
        answer = match.act(asked, rng.choice(verbs[rng.choice(list(verbs))]))
        check(schemas, ref("BoardView"), answer)
    for seat in (*match.keys, None):
        log = client.get(match.url("log"), headers=match.auth(seat)).json()
        check(schemas, {"type": "array", "items": ref("LogEntry")}, log)
        for entry in log:
            check(schemas, events, entry["events"])
            heard += len(entry["events"])
    assert heard > STEPS / 4


def test_the_socket_says_what_is_described(client: TestClient, schemas: dict[str, Any]) -> None:
    match = Duelist.start(client)
    with match.live("red") as socket:
        socket.send_json({"type": "ping"})
        said = [socket.receive_json(), socket.receive_json()]
        match.act("red", "hide 3")
        said.append(socket.receive_json())
    for message in said:
        check(schemas, ref("LiveMessage"), message)
    assert {message["type"] for message in said} >= {"view", "pong"}
