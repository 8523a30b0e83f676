"""Requests that come twice, late, torn, huge, forged or from elsewhere."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import re
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rasputitsa.core.record.seeds import digest_of
from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

JSON = {"content-type": "application/json"}


def untagged(view: dict[str, Any]) -> dict[str, Any]:
    """A past view has no tag: nothing is told as a difference from it."""
    return {name: value for name, value in view.items() if name != "tag"}


def test_a_repeated_request_gets_the_same_answer_and_is_applied_once(duel: Duelist) -> None:
    body = duel.body("red", "hide 3")
    first = duel.send(body)
    assert [duel.send(body).json() for _ in range(3)] == [first.json()] * 3
    assert duel.view("red")["ply"] == 1


def test_a_repeated_request_gets_its_old_answer_after_play_went_on(duel: Duelist) -> None:
    hide = duel.body("red", "hide 3")
    first = duel.send(hide).json()
    for seat, action in [("blue", "guess 1"), ("blue", "roll"), ("red", "walk A2-A3"), ("red", "done")]:
        duel.act(seat, action)
    assert duel.send(hide).json()["view"] == untagged(first["view"])


def test_a_repeated_request_gets_its_old_answer_after_an_undo(duel: Duelist) -> None:
    for seat, action in [("red", "hide 3"), ("blue", "guess 1"), ("blue", "roll")]:
        duel.act(seat, action)
    duel.view("red")
    walk = duel.body("red", "walk A2-A3")
    first = duel.send(walk).json()
    duel.undo("red")
    duel.act("red", "walk A1")
    assert duel.send(walk).json()["view"] == untagged(first["view"])
    assert duel.view("red")["units"][0]["hex"] == "A1"


def test_a_request_id_cannot_be_used_for_something_else(duel: Duelist) -> None:
    body = duel.body("red", "hide 3")
    duel.send(body)
    other = duel.send({**body, "action": "hide 4"})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "request_reused")


def test_two_seats_may_use_the_same_request_id(duel: Duelist) -> None:
    duel.send({**duel.body("red", "hide 3"), "request_id": "same"})
    assert duel.send({**duel.body("blue", "guess 3"), "request_id": "same"}).status_code == 200


def test_thousands_of_requests_sent_several_times_in_any_order_are_each_applied_once(config: ServerConfig) -> None:
    """Also across restarts: every request of a long match comes one to four times, late ones among new ones."""
    dice = random.Random(7)
    sent: list[dict[str, Any]] = []
    answers: dict[str, Any] = {}
    with connect(config) as client:
        duel = Duelist.start(client, scenario="long")
        version, place = 0, 0
        script = ["hide 3", "guess 3", "roll"]
        for turn in range(4):
            for number in range(250):
                if turn == 0 and number < 3:
                    seat, action = ("red" if number == 0 else "blue"), script[number]
                else:
                    place += 1 if place == 0 or (place < 8 and dice.random() < 0.5) else -1
                    seat, action = "red", f"step red A{place + 1}"
                body: dict[str, Any] = {
                    **duel.auth(seat),
                    "version": version,
                    "action": action,
                    "request_id": f"{turn}.{number}",
                }
                response = client.post(duel.url("actions"), json=body)
                assert response.status_code == 200, response.text[:300]
                answers[body["request_id"]] = response.json()["view"]["version"]
                version += 1
                sent.append(body)
                for again in dice.choices(sent[-20:], k=dice.randrange(3)):
                    repeated = client.post(duel.url("actions"), json=again)
                    assert repeated.status_code == 200
                    assert repeated.json()["view"]["version"] == answers[again["request_id"]]
            assert duel.view("red")["version"] == version
    with connect(config) as client:
        for body in dice.sample(sent, 20):
            answer = client.post(Duelist(client, duel.id, duel.keys).url("actions"), json=body)
            assert answer.json()["view"]["version"] == answers[body["request_id"]]
        view = Duelist(client, duel.id, duel.keys).view("red")
        assert (view["ply"], view["units"][0]["hex"]) == (1000, f"A{place + 1}")


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"", JSON, 400),
        (b"{", JSON, 400),
        (b"null", JSON, 400),
        (b"[]", JSON, 400),
        (b'{"seat": "red"}', JSON, 400),
        (b"\xff\xfe", JSON, 400),
        (b"[" * 50_000, JSON, 400),
        (b'{"seat": 1e999}', JSON, 400),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"{}", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {}, 415),
        (gzip.compress(b"{}", mtime=0), JSON | {"content-encoding": "gzip"}, 415),
        (b"{}", JSON | {"content-encoding": "br"}, 415),
        (b"{", JSON | {"content-encoding": "Identity"}, 400),
        (b" " * 70_000, JSON, 413),
    ],
)
def test_torn_and_huge_bodies_are_refused(duel: Duelist, content: bytes, headers: dict[str, str], status: int) -> None:
    for path in ("actions", "undo", "controllers", "copy"):
        if path == "copy" and b"seat" in content:
            continue  # a copy needs no more
        response = duel.client.post(duel.url(path), content=content, headers=headers)
        assert response.status_code == status, response.text
        assert response.json()["error"]["message"]


def test_a_huge_body_without_a_length_is_cut_off(duel: Duelist) -> None:
    response = duel.client.post(duel.url("actions"), content=(b" " * 1000 for _ in range(100)), headers=JSON)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


def test_a_huge_save_is_refused(config: ServerConfig) -> None:
    with connect(config) as client:
        content = b" " * (config.max_import + 1)
        response = client.post("/api/import", content=content, headers={"content-type": "application/x-ndjson"})
        assert response.status_code == 413


@pytest.mark.parametrize(
    "changes",
    [
        {"version": -1}, {"version": 1.5}, {"version": "0"}, {"version": True}, {"version": 2**64}, {"version": None},
        {"action": ""}, {"action": None}, {"action": 3}, {"action": "x" * 5000}, {"request_id": ""},
        {"request_id": "x" * 100}, {"seat": None}, {"key": None}, {"extra": 1},
    ],
)  # fmt: skip
def test_fields_of_the_wrong_kind_are_refused(duel: Duelist, changes: dict[str, Any]) -> None:
    response = duel.send({**duel.body("red", "hide 3"), **changes})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request"), response.text
    assert duel.view("red")["ply"] == 0


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.168.1.5", "", "::"]
)
def test_a_local_server_answers_to_its_own_names_only(client: TestClient, host: str) -> None:
    """A foreign name pointed at this machine (DNS rebinding) must not reach it."""
    response = client.get("/api/matches", headers={"host": host})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_host")


MALFORMED = [
    "[",
    "]",
    "[::1",
    "::1]",
    "[::1]]",
    "[zz]",
    "a]b",
    "[v1.x]",
    "127.0.0.1:x",
    "127.0.0.1:",
    "127.0.0.1/a",
    "a@127.0.0.1",
    "[::1%lo]",
]


@pytest.mark.parametrize("host", MALFORMED)
def test_a_malformed_host_is_refused_like_a_wrong_one(client: TestClient, host: str) -> None:
    response = client.get("/api/matches", headers={"host": host})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_host")
    assert "content-security-policy" in response.headers


@pytest.mark.parametrize("host", MALFORMED)
def test_a_malformed_origin_is_refused_like_a_wrong_one(client: TestClient, host: str) -> None:
    for origin in (host, f"http://{host}"):
        response = client.post("/api/matches", json={"game": "duel"}, headers={"origin": origin})
        assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin"), origin
        assert "content-security-policy" in response.headers
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/api/matches/1/live", headers={"origin": origin}),
        ):
            pass


@pytest.mark.parametrize("name", ["host", "origin", "content-length"])
def test_a_header_that_decides_something_may_come_once_only(client: TestClient, name: str) -> None:
    value = {"host": "127.0.0.1:8000", "origin": "http://127.0.0.1:8000", "content-length": "2"}[name]
    headers = [(name, value), (name, value), ("content-type", "application/json")]
    response = client.post("/api/matches", content=b"{}", headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("content-type", "text/plain"), ("content-encoding", "gzip"), ("sec-fetch-site", "cross-site"),
        ("x-seat-key", "another"),
    ],
)  # fmt: skip
def test_of_two_headers_that_say_different_things_none_is_taken(client: TestClient, name: str, other: str) -> None:
    said = {"content-type": "application/json", "content-encoding": "identity", "sec-fetch-site": "same-origin"}
    headers = [*said.items(), ("x-seat-key", "key"), (name, other)]
    response = client.post("/api/lobby", content=b'{"keys": {}}', headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


def test_a_body_that_is_packed_on_its_way_is_refused(client: TestClient) -> None:
    """A proxy might unpack it, and the program reads it as it is."""
    headers = {"content-type": "application/json", "transfer-encoding": "gzip, chunked"}
    response = client.post("/api/lobby", content=b'{"keys": {}}', headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "127.0.0.2"])
def test_a_local_server_knows_its_own_names(client: TestClient, host: str) -> None:
    assert client.get("/api/matches", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    ],
)  # fmt: skip
def test_other_sites_cannot_make_a_browser_act(duel: Duelist, headers: dict[str, str]) -> None:
    response = duel.client.post(duel.url("actions"), json=duel.body("red", "hide 3"), headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin")
    assert duel.client.delete(f"/api/matches/{duel.id}", headers=headers).status_code == 403
    assert duel.view("red")["ply"] == 0


def test_other_sites_cannot_make_a_browser_save_a_game(client: TestClient) -> None:
    """It would be noted for those who come later, as if its player had looked at what the computer hides."""
    alone = Duelist.start(client, controllers={"blue": {"kind": "bot", "bot": "random"}}, scenario="long")
    alone.act("red", "hide 3")
    elsewhere = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    response = client.get(alone.url("export"), headers=elsewhere)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin")
    assert not client.get(alone.url("seats"), params=alone.auth("red")).json()["shown"]
    for site in ("same-origin", "none"):
        assert client.get(alone.url("seats"), headers={"sec-fetch-site": site}).status_code == 200
    assert client.get("/", headers=elsewhere).status_code != 403, "links lead to the page from everywhere"


def test_our_own_pages_may_act(duel: Duelist) -> None:
    headers = {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    assert duel.client.post(duel.url("actions"), json=duel.body("red", "hide 3"), headers=headers).status_code == 200


def test_keys_go_to_the_owner_of_the_machine_only(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.start(client)
        assert client.get("/api/matches").json()[0]["owned"] == ["blue", "red"]
        fresh = client.post(duel.url("sit"), json={}).json()["keys"]
        assert set(fresh) == {"red", "blue"} and set(fresh.values()).isdisjoint(duel.keys.values())
        assert client.get(duel.url("export")).status_code == 200
    with connect(config, host="192.168.1.7") as client:
        assert client.get("/api/matches").json() == []
        assert client.post(duel.url("sit"), json={}).json()["keys"] == {}
        assert client.get(duel.url("export")).status_code == 403


def test_every_answer_carries_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/assets/none.js"):
        headers = client.get(path).headers
        assert "script-src 'self';" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
    assert client.get("/api/games").headers["cache-control"] == "no-store"


def test_every_answer_names_the_store_without_telling_its_identity(config: ServerConfig, tmp_path: Path) -> None:
    def name(settings: ServerConfig, path: str = "/api/games") -> str:
        with connect(settings) as client:
            return client.get(path).headers["x-rasputitsa-store"]

    first = name(config)
    assert re.fullmatch("[0-9a-f]{16}", first)
    assert name(config, "/api/nothing") == first, "refusals and later starts name it, too"
    with contextlib.closing(sqlite3.connect(config.database)) as database:
        assert first not in database.execute("SELECT store FROM store_state").fetchone()[0]
    assert name(replace(config, data=tmp_path / "other")) != first


def test_unknown_paths_and_methods_are_answered_in_the_same_form(client: TestClient) -> None:
    for method, path, status in [("GET", "/api/nope", 404), ("PUT", "/api/matches", 405), ("POST", "/x", 405)]:
        response = client.request(method, path, json={})
        assert response.status_code == status
        assert response.json()["error"]["message"]


def test_the_client_is_served_with_its_page_for_every_path_of_its_own(config: ServerConfig) -> None:
    (config.client / "assets").mkdir(parents=True)
    (config.client / "index.html").write_text("the page")
    (config.client / "assets" / "a-1.js").write_text("code")
    (config.client.parent / "secret.txt").write_text("secret")
    with connect(config) as client:
        for path in ("/", "/index.html", "/match/1"):
            response = client.get(path)
            assert (response.text, response.headers["cache-control"]) == ("the page", "no-cache")
        assert "immutable" in client.get("/assets/a-1.js").headers["cache-control"]
        for path in ("/assets/none.js", "/..%2fsecret.txt", "/%2e%2e/secret.txt"):
            assert client.get(path).status_code == 404
            assert "secret" not in client.get(path).text


def test_an_internal_error_tells_nothing_and_changes_nothing(duel: Duelist, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.duel.game import Duel

    def broken(*_: object) -> None:
        raise RuntimeError("the key is hunter2")

    with monkeypatch.context() as patched:
        patched.setattr(Duel, "apply", broken)
        response = duel.send(duel.body("red", "hide 3"))
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal")
    assert "hunter2" not in response.text
    assert duel.act("red", "hide 3")["ply"] == 1


def test_export_and_copy_are_not_for_one_of_two_players(config: ServerConfig) -> None:
    """The save holds the seed and the secrets; only at the end, or playing alone, is nobody wronged."""
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.between_two(client)
        for response in (
            client.get(duel.url("export"), params=duel.auth("red")),
            client.post(duel.url("copy"), json=duel.auth("red")),
            client.delete(f"/api/matches/{duel.id}", params=duel.auth("red")),
        ):
            assert (response.status_code, response.json()["error"]["code"]) == (403, "still_playing")
        duel.play(TURN * 2)
        assert client.get(duel.url("export"), params=duel.auth("red")).status_code == 200
        wrong = client.get(duel.url("export"), params={"seat": "red", "key": "x"})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "bad_key")
        assert client.delete(f"/api/matches/{duel.id}", params=duel.auth("red")).status_code == 200


def test_hidden_things_reach_nobody_else(duel: Duelist) -> None:
    """Whatever Red hides, Blue and onlookers get the same bytes; the seed is in nothing they get."""
    seen: dict[int, list[Any]] = {}
    questions: list[tuple[str, dict[str, str]]] = [
        ("view", {}), ("log", {}), ("query", {"kind": "reach"}), ("view", {"at": "1"}),
    ]  # fmt: skip
    for number in (2, 5):
        made = Duelist.start(duel.client, seed=987654321987654321, title="same")
        digest = made.view("red")["dice"]["digest"]
        made.act("red", f"hide {number}")
        texts = []
        for who in (made.auth("blue"), {}):
            for path, query in questions:
                texts.append(duel.client.get(made.url(path), params={**who, **query}).text)
        texts.append(made.send(made.body("blue", "guess 99")).text)
        with made.live("blue") as socket:
            texts.append(json.dumps(socket.receive_json()))
        lobby = [row for row in duel.client.get("/api/matches").json() if row["id"] == made.id]
        texts.append(json.dumps([{k: v for k, v in row.items() if k not in ("keys", "updated")} for row in lobby]))
        assert all("987654321987654321" not in text for text in texts)
        assert made.view("red")["secret"] == number
        # tags follow from the rest of a view, the digest of the dice included: tests/server/secrecy/test_screens.py
        texts = [re.sub('"tag": ?"[0-9a-f]{24}"', '"tag":"TAG"', text) for text in texts]
        seen[number] = [text.replace(f'"{made.id}"', '"ID"').replace(digest, "DIGEST") for text in texts]
        assert len(seen[number]) == 11
    assert seen[2] == seen[5]


def test_the_seed_is_promised_at_the_start_and_shown_at_the_end(client: TestClient) -> None:
    duel = Duelist.start(client, seed=4242)
    before = duel.view("red")["dice"]
    assert before["seed"] is None and "seed" not in before["sources"][0] and "salt" not in before["sources"][0]
    duel.play(TURN * 2)
    told = duel.view("red")["dice"]
    (source,) = told["sources"]
    assert told["seed"] == source["seed"] == "4242"
    assert told["digest"] == before["digest"] == digest_of(4242, source["salt"])
    assert told["digest"] not in {digest_of(seed, "") for seed in range(5000)}, "a small seed is not found by trying"


def test_a_key_may_come_in_a_header_and_need_be_in_no_address(duel: Duelist) -> None:
    key = {"x-seat-key": duel.keys["red"]}
    for path in ("view", "log", "query"):
        params = {"seat": "red", "kind": "reach"}
        assert duel.client.get(duel.url(path), params=params, headers=key).status_code == 200
        assert duel.client.get(duel.url(path), params=params, headers={"x-seat-key": "x&seat=blue"}).status_code == 403
        both = {**params, "key": duel.keys["red"]}
        assert duel.client.get(duel.url(path), params=both, headers={"x-seat-key": "x"}).status_code == 403


def test_a_window_may_bring_its_key_as_a_protocol(duel: Duelist) -> None:
    url = f"ws://127.0.0.1:8000{duel.url('live')}?seat=red"
    offered = ["rasputitsa", f"key.{duel.keys['red']}"]
    with duel.client.websocket_connect(url, subprotocols=offered) as window:
        assert window.receive_json()["view"]["seat"] == "red"
        assert window.accepted_subprotocol == "rasputitsa"
    with duel.client.websocket_connect(url, subprotocols=["rasputitsa", "key.x"]) as window:
        assert window.receive_json()["code"] == "bad_key"


def test_answers_with_keys_are_kept_by_no_cache(client: TestClient) -> None:
    made = client.post("/api/matches", json={"game": "duel", "scenario": "short"})
    assert made.headers["cache-control"] == "no-store"
    assert client.get("/api/matches").headers["cache-control"] == "no-store"
    assert made.headers["referrer-policy"] == "no-referrer"
