"""Views, logs, messages and lists say what the OpenAPI document says, no more and no less, over a stretch of play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from typing import Any, cast, get_type_hints

import jsonschema
import pytest
from fastapi import APIRouter, FastAPI, Response
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from rasputitsa.core.game import Game
from rasputitsa.core.registry import get_game
from rasputitsa.server import routes
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.shapes import document
from rasputitsa.server.shapes.document import ANSWERS
from rasputitsa.server.shapes.views import BoardView, View
from tests.server.accounts.browsers import Browser, keeping
from tests.server.classroom.schoolroom import Schoolroom
from tests.server.conftest import connect
from tests.server.player import Duelist

STEPS = 120
EVERY = 10
"""How many actions lie between two looks at everything."""
OWN = {"BoardView", "View", "Piece", "StaticGame", "StaticMap", "StaticHex", "StaticPlace", "StaticUnit"}
"""What each game may add to."""
SCENARIOS = {"portfolio": "june22", "wir": "barbarossa"}
BOARDLESS = {BoardView: View}
"""What each game adds to stands apart in the document."""
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


def test_no_shape_has_members_without_names(client: TestClient) -> None:
    """Whatever goes over the wire says what it is: a tuple would only say where it stands."""
    document = client.get("/api/openapi.json").json()
    places = {**document["components"]["schemas"], **document["paths"]}
    assert {place for place, schema in places.items() if "prefixItems" in json.dumps(schema)} == set()


def test_every_function_returns_the_shape_of_its_operation() -> None:
    """Or it writes its answer itself, or answers any kind of question."""
    returned = {
        (method.lower(), route.path): get_type_hints(route.endpoint)["return"]
        for found in walk_packages(routes.__path__, f"{routes.__name__}.")
        for route in getattr(import_module(found.name), "router", APIRouter()).routes
        if isinstance(route, APIRoute) and route.include_in_schema
        for method in route.methods or ()
    }
    assert returned.keys() == ANSWERS.keys()
    told = {operation: shape for operation, shape in returned.items() if shape not in (Response, Mapping[str, Any])}
    assert {operation: BOARDLESS.get(shape, shape) for operation, shape in told.items()} == {
        operation: ANSWERS[operation] for operation in told
    }
    assert len(told) > 2 * len(returned.keys() - told.keys())


def bare(schema: dict[str, Any]) -> bool:
    """Whether a shape says no more than that an object comes."""
    if "anyOf" in schema:
        return any(bare(part) for part in schema["anyOf"])
    return not schema or (schema.get("type") == "object" and "properties" not in schema)


@pytest.mark.parametrize(
    ("schema", "is_bare"),
    [
        ({}, True),
        ({"type": "object", "additionalProperties": True}, True),
        ({"anyOf": [{"$ref": "#/x"}, {"type": "object"}]}, True),
        ({"type": "object", "properties": {}, "additionalProperties": False}, False),
        ({"type": "string"}, False),
    ],
)
def test_a_bare_shape_would_be_found(schema: dict[str, Any], is_bare: bool) -> None:
    assert bare(schema) is is_bare


def test_every_answer_of_every_operation_is_described(client: TestClient) -> None:
    said = [
        (f"{method} {path} {status}", kind["schema"])
        for path, methods in client.get("/api/openapi.json").json()["paths"].items()
        for method, operation in methods.items()
        for status, answer in operation["responses"].items()
        for kind in answer.get("content", {"none": {"schema": {}}}).values()
        if status.startswith("2")
    ]
    undescribed = [place for place, schema in said if bare(schema)]
    queries = ["get /api/letters/{code}/query 200", "get /api/matches/{match_id}/query 200"]
    assert sorted(undescribed) == queries, "the duel does not describe its answers"
    assert not any(map(bare, document._answers([get_game(game) for game in SCENARIOS])))
    assert len(said) >= len(ANSWERS)


def test_lists_say_what_is_described(client: TestClient, schemas: dict[str, Any]) -> None:
    games = client.get("/api/games").json()
    check(schemas, {"type": "array", "items": ref("GameInfo")}, games)
    for game, scenario in SCENARIOS.items():
        static = client.get(f"/api/games/{game}/static?scenario={scenario}").json()
        check(schemas, ref("StaticGame"), static)
        check(schemas, ref(f"{game.capitalize()}Static"), static)
        check(schemas, ref("Rules"), client.get(f"/api/games/{game}/rules").json())
        check(schemas, ref("Glossary"), client.get(f"/api/games/{game}/glossary").json())
        guides = client.get(f"/api/games/{game}/guides").json()
        check(schemas, ref("Guides"), guides)
        assert [guide["side"] for guide in guides["guides"]] == ["axis", "soviet"]


def test_what_is_said_of_an_account_is_described(schemas: dict[str, Any], tmp_path: Path) -> None:
    with connect(keeping(ServerConfig(data=tmp_path, client=tmp_path))) as house:
        anna, duel = Browser(house).register("Anna"), Duelist.between_two(house)
        anna.keep(duel, "red")
        blocked = anna.done("/blocks", match=duel.id, of="blue", **duel.auth("red"))
        check(schemas, ref("AccountInfo"), blocked)
        (block,) = blocked["account"]["blocks"]
        check(schemas, ref("AccountExport"), anna.done("/export"))
        check(schemas, ref("SeatsInfo"), house.get(duel.url("seats"), params=duel.auth("red")).json())
        check(schemas, ref("AccountInfo"), anna.done("/blocks/remove", id=block["id"]))


def test_what_is_said_of_a_class_is_described(client: TestClient, schemas: dict[str, Any]) -> None:
    room = Schoolroom.open(client)
    check(schemas, ref("ClassBounds"), client.get("/api/classes").json())
    check(schemas, ref("ClassMade"), room.auth)
    pupils = room.fill(2)
    check(schemas, ref("ClassJoined"), pupils[0])
    number = room.ask("cards", 201, text="Why?")
    check(schemas, ref("CardNumber"), number)
    room.reply(pupils[0], number["number"], "So")
    check(schemas, ref("ClassInfo"), room.info())
    check(schemas, ref("PupilDesk"), room.desk(pupils[0]))
    check(schemas, ref("PupilWord"), room.ask("pupils/word", match=pupils[0]["id"], pupil=1))


def open_places(schemas: dict[str, Any]) -> Iterator[str]:
    """Where the document lets anything stand: components and their members."""
    for name, schema in schemas.items():
        for member, shape in schema.get("properties", {}).items():
            inner = shape.get("items", shape)
            if "$ref" not in inner and not isinstance(inner.get("additionalProperties"), dict) and bare(inner):
                yield f"{name}.{member}"


def test_whatever_may_hold_anything_is_known(schemas: dict[str, Any]) -> None:
    members_of_views = {"Change.put", "Rows.put"}
    said = {place for place in open_places(schemas) if not place.startswith("HTTP")}
    assert said == members_of_views
    charts = schemas["StaticGame"]["properties"]["charts"]["anyOf"]
    assert charts == [ref("PortfolioCharts"), ref("WirCharts"), ref("DuelCharts")]


def test_what_a_game_leaves_undescribed_is_a_table(monkeypatch: pytest.MonkeyPatch, client: TestClient) -> None:
    monkeypatch.setattr(type(get_game("duel")), "shapes", Game.shapes)
    app = cast(FastAPI, client.app)
    monkeypatch.setattr(app, "openapi_schema", None)
    schemas = document.document(app)["components"]["schemas"]
    for name, member in (("StaticGame", "charts"), ("BoardView", "victory")):
        *others, left = schemas[name]["properties"][member]["anyOf"]
        assert len(others) == 2 and left["type"] == "object"


def test_events_are_those_of_the_games(schemas: dict[str, Any]) -> None:
    assert schemas["LogEntry"]["properties"]["events"]["items"] == ref("GameEvent")
    assert schemas["GameEvent"]["anyOf"] == [ref("PortfolioEvent"), ref("WirEvent"), ref("DuelEvent")]


@pytest.mark.parametrize("game", SCENARIOS)
def test_a_game_says_what_is_described(client: TestClient, schemas: dict[str, Any], game: str) -> None:
    match = Duelist.start(client, game=game, scenario=SCENARIOS[game], seed=3)
    events = {"type": "array", "items": {"anyOf": [ref(f"{game.capitalize()}Event")]}}
    rng, heard = Random(3), 0
    asked_of: set[str] = set()
    for number in range(STEPS):
        view = match.view("axis")
        if view["outcome"]:
            break
        asked = view["decision"]["seat"]
        mine = match.view(asked)
        for shown in (view, mine) if number % EVERY == 0 else ():
            check(schemas, ref("BoardView"), shown)
            own = {name: value for name, value in shown.items() if name not in schemas["View"]["properties"]}
            check(schemas, ref(f"{game.capitalize()}Observation"), own)
            asked_of |= check_answers(schemas, match, game, shown)
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
    assert asked_of == set(schemas[f"{game.capitalize()}Answers"]["properties"])


def check_answers(schemas: dict[str, Any], match: Duelist, game: str, view: dict[str, Any]) -> set[str]:
    """Ask every kind of question that can be asked of what a seat sees; returns the kinds."""
    kinds = schemas[f"{game.capitalize()}Answers"]["properties"]
    seat, side = view["seat"], view["seat"].split("_")[0]
    questions = QUESTIONS[game](view, side)
    enemies = {unit["hex"] for unit in view["units"] if unit["side"] not in ("", side)} if game == "wir" else set()
    for kind, args in questions:
        url = match.url("query")
        answer = match.client.get(url, params={**match.auth(seat), "kind": kind, **args})
        assert answer.status_code == 200, (kind, args, answer.text)
        found = answer.json()
        check(schemas, kinds[kind], found)
        if kind == "reach" and found["plain"]:
            questions.append(("route", {**args, "to": found["plain"][0]["hex"]}))
        if kind == "reach" and len(found.get("plot", ())) <= 6:
            questions += [("odds", {"units": args["unit"], "target": h}) for h in found.get("plot", ()) if h in enemies]
    return {kind for kind, _ in questions}


Questions = list[tuple[str, dict[str, str]]]


def of_layers(side: str) -> Questions:
    """What layers of both games are drawn from."""
    return [("strengths", {}), ("trapped", {}), ("all_odds", {"side": side})]


def of_portfolio(view: dict[str, Any], side: str) -> Questions:
    """Questions about the first units on the map."""
    units = [unit["id"] for unit in view["units"] if unit["hex"] and not unit["spent"]][:3]
    found: Questions = [(kind, {"side": side}) for kind in ("zoc", "control", "supply", "rail", "pools")]
    found += [("front", {}), ("losses", {}), ("victory", {}), ("advance", {}), ("why", {"action": "done"})]
    found += of_layers(side)
    for unit in units:
        found += [("unit", {"units": unit}), ("line", {"unit": unit}), ("reach", {"units": unit})]
    for attack in view["attacks"]:
        found.append(("odds", {"targets": ",".join(attack["targets"]), "units": ",".join(attack["units"])}))
    return [*found, ("odds", {"targets": "N6", "units": units[0]})]


STAFF = {"movement": "all", "depot": "supply"}
"""What the staff can be asked to do, by the kind of decision."""


def of_wir(view: dict[str, Any], side: str) -> Questions:
    """Questions about one's own groups, and attacks on what is adjacent to them."""
    own = [unit for unit in view["units"] if unit["side"] == side]
    ground = next(unit for unit in own if unit["type"] != "air")
    of_side = ("zoc", "control", "supply", "rail", "forecast", "building", "menus")
    found: Questions = [(kind, {"side": side}) for kind in of_side]
    found += [("front", {}), ("victory", {}), ("why", {"action": "done"}), ("terrain", {"hex": ground["hex"]})]
    if view["decision"]["mine"] and view["decision"]["kind"] in STAFF:
        found.append(("staff", {"what": STAFF[view["decision"]["kind"]]}))
    for unit in own[:12]:
        found += [(kind, {"unit": unit["id"]}) for kind in ("reach", "plots", "line")]
    found += [("route", {"unit": ground["id"], "to": ground["hex"]}), ("plots", {"unit": ground["id"], "to": "0101"})]
    found += of_layers(side)
    found += [("depot", {"depot": "58" if side == "axis" else "122"})]
    found += [("area", {"hex": "1814"})]
    air = next((unit for unit in own if unit["type"] == "air"), None)
    enemy = {unit["hex"] for unit in view["units"] if unit["side"] != side}
    if air:
        found += [("strike", {"unit": air["id"]}), ("strike", {"unit": air["id"], "target": min(enemy)})]
    return found


QUESTIONS = {"portfolio": of_portfolio, "wir": of_wir}


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
