"""Playing a match through the server."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

ROLLED = TURN[:3]


def test_a_new_match_shows_the_first_decision_to_the_seat_that_has_it(duel: Duelist) -> None:
    red, blue = duel.view("red"), duel.view("blue")
    assert red["decision"]["mine"] and not blue["decision"]["mine"]
    assert [o["action"] for o in red["decision"]["options"]] == [f"hide {n}" for n in range(1, 7)]
    assert red["decision"]["options"][0]["number"] == 1
    assert blue["decision"]["options"] == []
    assert red["version"] == red["ply"] == 0
    assert red["controllers"] == {"red": {"kind": "human"}, "blue": {"kind": "human"}}


def test_an_accepted_action_is_answered_with_the_new_view_and_what_happened(duel: Duelist) -> None:
    view = duel.act("red", "hide 4")
    assert view["phase"]["id"] == "guess"
    assert [item["action"] for item in view["last_events"]] == ["hide 4"]
    assert view["last_events"][0]["events"][0]["text"] == "Red has hidden a number"
    assert view["last_events"][0]["phase"] == "Hide"


def test_options_name_units_and_hexes(duel: Duelist) -> None:
    duel.play(ROLLED)
    (option, *_) = duel.view("red")["decision"]["options"]
    assert (option["verb"], option["units"], option["hex"]) == ("step", ["red"], "A2")


def test_a_compound_line_is_played_whole_or_not_at_all(duel: Duelist) -> None:
    duel.play(ROLLED)
    error = duel.refused("red", "walk A2-A3-A9", 422, "illegal")
    assert error["rule"] == "II.B"
    view = duel.act("red", "walk A2-A3-A4")
    assert view["version"] == view["ply"] == 6
    assert view["units"][0]["hex"] == "A4"


def test_a_whole_match_ends_with_an_outcome(duel: Duelist) -> None:
    duel.play(TURN * 2)
    view = duel.view("red")
    assert view["decision"] is None
    assert view["outcome"]["winner"] == "blue"
    assert duel.client.get("/api/matches").json()[0]["over"]
    duel.refused("red", "hide 1", 409, "over")


@pytest.mark.parametrize(
    ("seat", "action", "status", "code"),
    [
        ("blue", "guess 3", 409, "not_your_turn"),
        ("blue", "hide 3", 409, "not_your_turn"),
        ("red", "hide 7", 422, "illegal"),
        ("red", "guess 3", 422, "illegal"),
        ("red", "hide x", 422, "bad_notation"),
        ("red", "hide", 422, "bad_notation"),
        ("red", "@control bot random", 422, "bad_notation"),
        ("red", "fly A1 to the moon", 422, "bad_notation"),
    ],
)
def test_what_is_not_on_the_list_is_refused(duel: Duelist, seat: str, action: str, status: int, code: str) -> None:
    error = duel.refused(seat, action, status, code)
    assert error["message"]
    assert error["view"]["decision"]["mine"] == (seat == "red")


def test_another_seats_key_opens_nothing(duel: Duelist) -> None:
    duel.refused("red", "hide 1", 403, "bad_key", key=duel.keys["blue"])
    duel.refused("red", "hide 1", 403, "bad_key", key="")
    strange = {**duel.body("red", "hide 1"), "seat": "green"}
    assert duel.send(strange).json()["error"]["code"] == "bad_key"
    for path in ("view", "log", "query?kind=reach"):
        joint = "&" if "?" in path else "?"
        response = duel.client.get(duel.url(f"{path}{joint}seat=red&key={duel.keys['blue']}"))
        assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_key")


def test_a_stale_version_is_refused_with_the_view(duel: Duelist) -> None:
    duel.act("red", "hide 3")
    error = duel.refused("blue", "guess 3", 409, "stale", version=0)
    assert error["view"]["version"] == 1
    duel.refused("blue", "guess 3", 409, "stale", version=2)


def test_after_an_undo_an_old_version_does_not_fit_again(duel: Duelist) -> None:
    duel.play(ROLLED)
    before = duel.view("red")["version"]
    duel.act("red", "walk A2")
    assert duel.undo("red").status_code == 200
    view = duel.view("red")
    assert view["ply"] == 3
    assert view["version"] == before + 2
    duel.refused("red", "walk A2", 409, "stale", version=before)


def test_undo_goes_back_to_the_last_die_and_no_further(duel: Duelist) -> None:
    duel.play(ROLLED)
    rolled = duel.view("red")
    assert not rolled["can_undo"]
    assert rolled["undo_to"] is None
    duel.act("red", "walk A2-A3")
    walked = duel.view("red")
    assert walked["can_undo"]
    assert walked["ply"] - walked["undo_to"] == 2
    assert duel.view("blue")["undo_to"] is None
    assert not duel.view("blue")["can_undo"]
    assert duel.undo("blue").json()["error"]["code"] == "no_undo"
    assert duel.undo("red").json()["view"]["units"][0]["hex"] == "A2"
    assert duel.undo("red").json()["view"]["units"][0]["hex"] == "A1"
    refused = duel.undo("red")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "no_undo")
    duel.act("red", "done")
    assert duel.undo("red").json()["error"]["code"] == "no_undo"


def test_several_own_steps_are_taken_back_at_once(duel: Duelist) -> None:
    duel.play(ROLLED)
    duel.act("red", "walk A2-A3-A4")
    assert duel.undo("red", to=3).json()["view"]["units"][0]["hex"] == "A1"
    assert duel.undo("red", to=9).status_code == 409


def test_beyond_its_own_die_a_seat_does_not_go_back_alone(client: TestClient) -> None:
    """The attacker casts and decides again after it, and names an entry before the die."""
    new = {"game": "portfolio", "scenario": "june22", "seed": 1}
    made = client.post("/api/matches", json=new).json()
    match = Duelist(client, made["id"], made["keys"])
    axis = ("attack P4", "with 3PzG", "ready", "attack Q3", "with 7Inf", "ready", "done")
    match.play([("axis", "done"), ("soviet", "done"), ("axis", "done"), ("soviet", "stand_all")])
    match.play([*(("axis", action) for action in axis), ("soviet", "done"), ("axis", "resolve 1")])
    cast = match.view("axis")["ply"]
    match.act("axis", "to O4")
    assert match.undo("axis", to=cast - 1).json()["view"]["ply"] == cast + 1
    assert match.view("soviet")["undo_offers"] == {"axis": cast - 1}
    assert match.undo("axis", to=cast).json()["view"]["ply"] == cast


def test_beyond_a_die_undo_takes_everybodys_consent(duel: Duelist) -> None:
    duel.play(ROLLED)
    score = duel.view("red")["score"]
    offered = duel.undo("red", to=0).json()["view"]
    assert offered["ply"] == 3
    assert duel.view("blue")["undo_offers"] == {"red": 0}
    assert duel.undo("blue", to=1).json()["view"]["ply"] == 3
    agreed = duel.undo("blue", to=0).json()["view"]
    assert (agreed["ply"], agreed["undo_offers"]) == (0, {})
    duel.play(ROLLED)
    assert duel.view("red")["score"] == score, "the same die falls again: going back is no second chance"


def test_an_offer_to_go_back_lapses_when_play_goes_on(duel: Duelist) -> None:
    duel.play(ROLLED)
    duel.undo("red", to=0)
    duel.act("red", "done")
    assert duel.undo("blue", to=0).json()["view"]["ply"] == 4


def test_going_back_leaves_the_seats_with_whoever_plays_them_now(duel: Duelist) -> None:
    duel.play(ROLLED)
    named = {"controller": {"kind": "human", "name": "Nadia"}}
    assert duel.client.post(duel.url("controllers"), json={**duel.auth("red"), **named}).status_code == 200
    duel.undo("red", to=0)
    view = duel.undo("blue", to=0).json()["view"]
    assert view["controllers"]["red"] == {"kind": "human", "name": "Nadia"}
    assert view["phase"]["id"] == "hide"


def test_the_past_can_be_looked_at(duel: Duelist) -> None:
    duel.play(TURN)
    views = [duel.view("red", at=ply) for ply in range(6)]
    assert [view["phase"]["id"] for view in views] == ["hide", "guess", "roll", "red", "blue", "hide"]
    assert [view["at"] for view in views] == list(range(6))
    assert all(view["decision"]["options"] == [] and not view["can_undo"] for view in views)
    assert views[3]["last_events"][0]["action"] == "roll"
    assert duel.client.get(duel.url("view"), params={**duel.auth("red"), "at": 6}).status_code == 400
    assert duel.client.get(duel.url("view"), params={**duel.auth("red"), "at": -1}).status_code == 400


def test_the_log_tells_turn_phase_and_events(duel: Duelist) -> None:
    duel.play(ROLLED)
    items = duel.client.get(duel.url("log"), params={**duel.auth("blue"), "from": 1}).json()
    assert [(item["ply"], item["seat"], item["phase"]) for item in items] == [(1, "blue", "Guess"), (2, "blue", "Roll")]
    assert items[1]["events"][0]["text"].startswith("Blue rolls ")
    assert duel.client.get(duel.url("log"), params={**duel.auth("blue"), "from": 99}).json() == []


def test_questions_go_to_the_engine(duel: Duelist) -> None:
    url = duel.url("query")
    answer = duel.client.get(
        url, params={**duel.auth("red"), "kind": "reach", "unit": "red", "via": ["A2", "A3"]}
    ).json()
    assert answer["asked"] == {"unit": "red", "via": ["A2", "A3"]}
    refused = duel.client.get(url, params={**duel.auth("red"), "kind": "nonsense"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_question")


def test_a_copy_begins_like_the_match_and_goes_its_own_way(duel: Duelist) -> None:
    duel.play(ROLLED)
    made = duel.client.post(duel.url("copy"), json={"at": 2}).json()
    other = Duelist(duel.client, made["id"], made["keys"])
    assert other.id != duel.id
    assert set(other.keys.values()).isdisjoint(duel.keys.values())
    view = other.view("blue")
    assert (view["ply"], view["phase"]["id"]) == (2, "roll")
    assert view["dice"]["digest"] != duel.view("blue")["dice"]["digest"], "else the copy foretells the dice"
    other.act("blue", "roll")
    assert duel.view("blue")["ply"] == 3
    assert duel.client.post(duel.url("copy"), json={"at": 4}).status_code == 400


def test_export_and_import_give_the_same_match(duel: Duelist) -> None:
    duel.play(ROLLED)
    duel.act("red", "walk A2-A3")
    duel.undo("red")
    saved = duel.client.get(duel.url("export"))
    assert saved.headers["content-disposition"].endswith('.jsonl"')
    made = duel.client.post("/api/import", content=saved.content, headers={"content-type": "application/x-ndjson"})
    assert made.status_code == 201, made.text
    other = Duelist(duel.client, made.json()["id"], made.json()["keys"])
    mine, theirs = duel.view("red"), other.view("red")
    different = {"match", "version", "last_events", "tag"}
    assert {k: v for k, v in mine.items() if k not in different} == {
        k: v for k, v in theirs.items() if k not in different
    }
    assert other.client.get(other.url("export")).content == saved.content


def _broken_saves() -> dict[str, Any]:
    header = {"format": "rasputitsa-game", "format_version": 1, "game": "duel", "scenario": "short", "seed": 1}
    end = {"end": 1, "position": "x"}
    entry = {"seat": "red", "action": "hide 3"}
    return {
        "empty": [],
        "not json": ["{", end],
        "no end": [header, entry],
        "wrong count": [header, entry, entry, end],
        "wrong position": [header, entry, end],
        "illegal entry": [header, {"seat": "red", "action": "hide 9"}, end],
        "wrong seat": [header, {"seat": "blue", "action": "hide 3"}, end],
        "missing die": [
            header,
            entry,
            {"seat": "blue", "action": "guess 3"},
            {"seat": "blue", "action": "roll"},
            {"end": 3},
        ],
        "die too many": [header, {**entry, "dice": [["luck", 3]]}, {"end": 1}],
        "newer format": [{**header, "format_version": 99}, {"end": 0}],
        "newer rules": [{**header, "rules_version": 99}, {"end": 0}],
        "unknown game": [{**header, "game": "chess"}, {"end": 0}],
        "unknown scenario": [{**header, "scenario": "x"}, {"end": 0}],
        "other program": [{"format": "x"}, {"end": 0}],
        "deep": ["[" * 100_000, end],
    }


@pytest.mark.parametrize("name", _broken_saves())
def test_broken_saves_are_refused_in_plain_words(client: TestClient, name: str) -> None:
    lines = _broken_saves()[name]
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    response = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"})
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_save"), response.text
    assert client.get("/api/matches").json() == []


def test_a_save_that_is_not_text_is_refused(client: TestClient) -> None:
    response = client.post("/api/import", content=b"\xff\xfe\x00", headers={"content-type": "application/octet-stream"})
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_save")


def test_a_deleted_match_is_gone(duel: Duelist) -> None:
    assert duel.client.delete(f"/api/matches/{duel.id}").status_code == 200
    assert duel.client.get("/api/matches").json() == []
    response = duel.client.get(duel.url("view"), params=duel.auth("red"))
    assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_match")


@pytest.mark.parametrize("match_id", ["0", "999", "-1", "x", "1.5", "9" * 19, "9" * 30, "١"])
def test_unknown_matches_are_not_found(client: TestClient, match_id: str) -> None:
    for method, path in [("GET", "view"), ("GET", "log"), ("GET", "export"), ("DELETE", "")]:
        response = client.request(method, f"/api/matches/{match_id}/{path}".rstrip("/"))
        assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_match")
    body = {"seat": "red", "key": "", "version": 0, "action": "hide 1", "request_id": "1"}
    response = client.post(f"/api/matches/{match_id}/actions", json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_match")


def test_a_restarted_server_goes_on_where_it_was(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.start(client)
        duel.play(ROLLED)
        duel.act("red", "walk A2-A3")
        duel.undo("red")
        before = duel.view("red"), duel.view("blue")
    with connect(config) as client:
        again = Duelist(client, duel.id, duel.keys)
        assert (again.view("red"), again.view("blue")) == before
        again.act("red", "done")


def test_names_of_players_are_kept_with_the_match(client: TestClient) -> None:
    duel = Duelist.start(client, title="Friday", controllers={"red": {"kind": "human", "name": " Ewa\n N. "}})
    (row,) = client.get("/api/matches").json()
    assert (row["title"], row["controllers"]["red"]) == ("Friday", {"kind": "human", "name": "Ewa N."})
    assert (row["to_move"], row["turn_label"], row["phase_label"]) == ("red", "Turn 1", "Hide")
    assert duel.view("red")["title"] == "Friday"


def test_games_list_scenarios_options_seats_and_bots(client: TestClient) -> None:
    (duel,) = [game for game in client.get("/api/games").json() if game["id"] == "duel"]
    assert [s["id"] for s in duel["scenarios"]] == ["short", "long"]
    assert duel["options"][0]["choices"][1] == {"id": "off", "title": "Off", "help": ""}
    assert [seat["id"] for seat in duel["seats"]["2"]] == ["red", "blue"]
    assert "random" in [bot["id"] for bot in duel["bots"]]
    static = client.get("/api/games/duel/static?scenario=short").json()
    assert len(static["map"]["hexes"]) == 9
    assert static["verbs"]["step"]["args"] == ["unit", "hex"]
    for path, code in [
        ("nope/static?scenario=x", "unknown_game"),
        ("duel/static?scenario=x", "unknown_scenario"),
        ("duel/rules", "no_rules"),
        ("duel/glossary", "no_glossary"),
        ("duel/guides", "no_guides"),
    ]:
        response = client.get(f"/api/games/{path}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, code)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"}, {"scenario": "x"}, {"options": {"x": "y"}}, {"options": {"luck": "maybe"}}, {"players": 4},
        {"players": 3}, {"controllers": {"green": {"kind": "human"}}}, {"controllers": {"red": {"kind": "bot"}}},
        {"controllers": {"red": {"kind": "bot", "bot": "x"}}}, {"controllers": {"red": {"kind": "ghost"}}},
        {"seed": -1}, {"seed": "1"}, {"seed": 2**200}, {"title": "x" * 1000}, {"nonsense": 1}, {"options": []},
    ],
)  # fmt: skip
def test_matches_that_cannot_be_are_refused(client: TestClient, changes: dict[str, Any]) -> None:
    response = client.post("/api/matches", json={"game": "duel", "scenario": "short", **changes})
    assert response.status_code in (400, 404), response.text
    assert response.json()["error"]["message"]
    assert client.get("/api/matches").json() == []


def test_a_match_that_cannot_be_replayed_can_be_saved_and_deleted(config: ServerConfig) -> None:
    """As after a change of the rules: nobody's game is lost, and the other matches go on."""
    with connect(config) as client:
        duel, other = Duelist.start(client), Duelist.start(client)
        duel.play(ROLLED)
        sound = client.get(duel.url("export")).text.splitlines()
    with sqlite3.connect(config.database) as raw:
        raw.execute("UPDATE journal SET line = replace(line, 'guess 2', 'guess 9') WHERE match_id = ?", [int(duel.id)])
        raw.execute("UPDATE snapshots SET body = x'78da' WHERE match_id = ?", [int(duel.id)])
    with connect(config) as client:
        response = client.get(duel.url("view"), params=duel.auth("red"))
        assert (response.status_code, response.json()["error"]["code"]) == (500, "broken_match")
        assert "damaged" in response.json()["error"]["message"]
        with Duelist(client, duel.id, duel.keys).live("red") as window:
            assert window.receive_json()["code"] == "broken_match"
        saved = client.get(duel.url("export")).text.splitlines()
        assert [line.replace("guess 9", "guess 2") for line in saved[1:-1]] == [
            json.dumps(json.loads(line), separators=(",", ":")) for line in sound[1:-1]
        ]
        assert json.loads(saved[0]) == json.loads(sound[0]) and json.loads(saved[-1]) == {"end": 3}
        Duelist(client, other.id, other.keys).act("red", "hide 1")
        assert client.delete(f"/api/matches/{duel.id}").status_code == 200
        assert [row["id"] for row in client.get("/api/matches").json()] == [other.id]
