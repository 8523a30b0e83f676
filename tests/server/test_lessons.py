"""Lessons through the server."""

from __future__ import annotations

import time

import pytest
from starlette.testclient import TestClient

from tests.server.player import Duelist
from tests.support import PATIENCE


def test_lessons_are_offered(client: TestClient) -> None:
    games = {game["id"]: game for game in client.get("/api/games").json()}
    lessons = games["portfolio"]["lessons"]
    assert lessons[0]["id"] == "first_attack"
    assert all(lesson["title"] and lesson["goal"] and lesson["seat"] for lesson in lessons)
    assert games["wir"]["lessons"][0]["id"] == "first_attack"
    assert len(games["wir"]["lessons"]) >= 6
    assert games["duel"]["lessons"] == []


def start(client: TestClient, **body: object) -> Duelist:
    response = client.post("/api/matches", json={"game": "portfolio", **body})
    assert response.status_code == 201, response.text
    made = response.json()
    return Duelist(client, made["id"], made["keys"])


def test_a_lesson_is_played_against_its_own_opponent(client: TestClient) -> None:
    match = start(client, lesson="first_attack", seed=1)
    view = match.view("axis")
    assert (view["title"], view["lesson"]) == ("First attack", "first_attack")
    assert view["goal"]["hexes"] == ["Q12"]
    assert view["decision"]["mine"]
    assert view["controllers"]["axis"] == {"kind": "human"}
    assert view["controllers"]["soviet"] == {"kind": "bot", "bot": "greedy"}
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = match.view("axis")
        if view["outcome"] is not None:
            break
        if view["decision"]["mine"]:
            lines = [option["action"] for option in view["decision"]["options"]]
            match.act("axis", "done" if "done" in lines else lines[0])
        else:
            time.sleep(0.1)
    assert view["outcome"]["level"] == "goal"
    assert view["outcome"]["winner"] == "soviet"
    assert view["goal"]["reached"] is False


def test_a_lesson_of_war_in_russia_is_played(client: TestClient) -> None:
    response = client.post("/api/matches", json={"game": "wir", "lesson": "first_attack", "seed": 1})
    assert response.status_code == 201, response.text
    made = response.json()
    match = Duelist(client, made["id"], made["keys"])
    view = match.view("axis")
    assert (view["title"], view["lesson"]) == ("Brest, the first week", "first_attack")
    assert view["goal"]["hexes"] == ["0519"] and view["goal"]["last_date"] == "29 June 1941"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = match.view("axis")
        if view["outcome"] is not None:
            break
        if view["decision"]["mine"]:
            lines = [option["action"] for option in view["decision"]["options"]]
            match.act("axis", next((line for line in ("done", "skip", "halt") if line in lines), lines[0]))
        else:
            time.sleep(0.1)
    assert (view["outcome"]["winner"], view["outcome"]["level"]) == ("soviet", "goal")


def test_who_plays_a_lesson_can_be_chosen(client: TestClient) -> None:
    bots = {"axis": {"kind": "human", "name": "Anna"}, "soviet": {"kind": "human"}}
    match = start(client, lesson="winter", controllers=bots, title="Evening")
    view = match.view("soviet")
    assert (view["title"], view["lesson"]) == ("Evening", "winter")
    assert view["controllers"] == {"axis": {"kind": "human", "name": "Anna"}, "soviet": {"kind": "human"}}


def test_a_whole_game_is_no_lesson(client: TestClient) -> None:
    view = start(client, scenario="june22", players=2, controllers={}).view("axis")
    assert view["lesson"] is None
    assert view.get("goal") is None


@pytest.mark.parametrize(
    "body",
    [
        {"lesson": "tea"},
        {"lesson": "winter", "scenario": "june22"},
        {"lesson": "winter", "options": {"october": "mud"}},
        {"lesson": "winter", "controllers": {"finland": {"kind": "human"}}},
        {"lesson": "winter", "controllers": {"axis": {"kind": "bot", "bot": "nobody"}}},
        {"game": "duel", "lesson": "winter"},
        {},
    ],
)
def test_what_cannot_be_started_is_refused(client: TestClient, body: dict[str, object]) -> None:
    response = client.post("/api/matches", json={"game": "portfolio", **body})
    assert response.status_code == 400
    assert response.json()["error"]["message"]


def test_a_hidden_defender_is_estimated_for_the_seat_that_asks_and_for_nobody_else(client: TestClient) -> None:
    response = client.post("/api/matches", json={"game": "wir", "lesson": "first_attack", "seed": 1})
    made = response.json()
    asked = {"kind": "odds", "units": "6,21", "target": "0519"}
    path = f"/api/matches/{made['id']}/query"
    found = client.get(path, params={**asked, "seat": "axis", "key": made["keys"]["axis"]}).json()
    assert found["estimate"]["worst"]["odds"] < found["odds"] < found["estimate"]["best"]["odds"]
    assert "estimate" not in client.get(path, params=asked).json()


def test_a_guided_lesson_shows_its_step_to_the_learner_alone(client: TestClient) -> None:
    match = start(client, lesson="first_attack", seed=1)
    guide = match.view("axis")["guide"]
    assert (guide["number"], guide["units"], guide["hexes"]) == (0, ["39Pz"], ["P10"])
    assert match.view(None)["guide"] is None
    match.act("axis", "move 24Pz")
    astray = match.view("axis")["guide"]
    assert astray["number"] == 0 and "another unit" in astray["astray"]
    match.act("axis", "back")
    match.act("axis", "move 39Pz")
    guide = match.view("axis")["guide"]
    assert guide["number"] == 1 and guide["astray"] == ""
    match.act("axis", "to P11")
    assert match.view("axis")["guide"]["number"] == 2
    games = {game["id"]: game for game in client.get("/api/games").json()}
    for game in ("portfolio", "wir"):
        assert [lesson["guided"] for lesson in games[game]["lessons"]][:3] == [True, True, False]
