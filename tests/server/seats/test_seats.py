"""Who holds a seat: invitations, keys, and what nobody can do for another."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import DiskFullError, MatchStart, SpentError, Store, seating
from rasputitsa.server.store.people.keys import MAX_KEYS
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim

REQUEST = "a request of some length"


def refused(response: Any, status: int, code: str) -> None:
    assert (response.status_code, response.json()["error"]["code"]) == (status, code), response.text


def post(duel: Duelist, path: str, seat: str, **body: Any) -> Any:
    return duel.client.post(duel.url(path), json={**duel.auth(seat), **body})


def test_a_guest_gets_a_key_that_nobody_else_has(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"], title="Friday", controllers={"red": {"kind": "human", "name": "Eva"}})
    assert set(duel.keys) == {"red"} and set(duel.links) == {"blue"}
    seen = client.post("/api/invitations/look", json={"token": duel.links["blue"]}).json()
    assert (seen["match"], seen["title"], seen["seat"], seen["inviter"]) == (duel.id, "Friday", "blue", ["red"])
    assert seen["controllers"]["red"]["name"] == "Eva" and seen["waiting"] == ["blue"]
    assert not seen["spent"] and not seen["hints"] and "key" not in seen
    taken = claim(client, duel.links["blue"], name=" Jan\t K. ")
    assert (taken["id"], taken["seat"]) == (duel.id, "blue")
    duel.keys["blue"] = taken["key"]
    assert duel.view("red")["controllers"]["blue"] == {"kind": "human", "name": "Jan K."}
    duel.act("red", "hide 3")
    duel.act("blue", "guess 3")
    assert client.post("/api/invitations/look", json={"token": duel.links["blue"]}).json()["spent"]
    again = client.post("/api/invitations/claim", json={"token": duel.links["blue"], "request_id": REQUEST})
    refused(again, 409, "spent")


def test_a_claim_sent_again_after_a_lost_answer_gets_a_key(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Duelist.start(client, guests=["blue"])
    lost = claim(client, duel.links["blue"], request_id=REQUEST)["key"]
    duel.keys["blue"] = claim(client, duel.links["blue"], request_id=REQUEST)["key"]
    assert duel.keys["blue"] != lost
    duel.view("blue")
    refused(client.get(duel.url("view"), params={"seat": "blue", "key": lost}), 403, "bad_key")
    log = client.get(duel.url("log"), params=duel.auth("red")).json()
    assert [item["action"] for item in log].count("@control human") <= 1
    body = {"token": duel.links["blue"], "request_id": REQUEST}
    refused(client.post("/api/invitations/claim", json={**body, "request_id": REQUEST + "!"}), 409, "spent")
    now = time.time_ns()
    monkeypatch.setattr("time.time_ns", lambda: now + (seating.REPEAT_MS + 1000) * 1_000_000)
    refused(client.post("/api/invitations/claim", json=body), 409, "spent")
    duel.view("blue")


def test_a_claim_sent_again_does_not_bring_a_given_up_seat_back(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    body = {"token": duel.links["blue"], "request_id": REQUEST}
    duel.keys["blue"] = claim(client, **body)["key"]
    assert post(duel, "leave", "blue").status_code == 200
    refused(client.post("/api/invitations/claim", json=body), 409, "spent")


def test_the_creator_cannot_act_see_undo_or_invite_for_a_seat_somebody_claimed(client: TestClient) -> None:
    """On the same machine, too."""
    duel = Duelist.between_two(client)
    assert set(client.post(duel.url("sit"), json={}).json()["keys"]) == {"red"}
    assert client.get("/api/matches").json()[0]["owned"] == ["red"]
    for key in ("", duel.keys["red"], duel.links["blue"]):
        for path in ("view", "log", "query?kind=reach", "course"):
            joint = "&" if "?" in path else "?"
            refused(client.get(duel.url(f"{path}{joint}seat=blue&key={key}")), 403, "bad_key")
        duel.refused("blue", "guess 1", 403, "bad_key", key=key)
        for path in ("keys", "keys/only", "leave", "hurry", "hint", "course"):
            refused(post(duel, path, "blue", key=key), 403, "bad_key")
        refused(post(duel, "undo", "blue", key=key, version=0), 403, "bad_key")
    for kind in ("guest", "device"):
        refused(post(duel, "invitations", "red", of="blue", kind=kind), 403, "not_yours")
        refused(client.post(duel.url("invitations"), json={"of": "blue", "kind": kind}), 403, "not_yours")
    refused(post(duel, "invitations/revoke", "red", of="blue"), 403, "not_yours")
    for controller in ({"kind": "human"}, {"kind": "bot", "bot": "random"}):
        refused(post(duel, "controllers", "red", of="blue", controller=controller, opens=True), 403, "not_yours")
    for response in (
        client.get(duel.url("export")),
        client.get(duel.url("export"), params=duel.auth("red")),
        client.post(duel.url("copy"), json={}),
        client.post(duel.url("copy"), json={"at": 0, **duel.auth("red")}),
    ):
        refused(response, 403, "still_playing")


def test_an_unclaimed_invitation_can_be_renewed_and_revoked_by_the_creator_alone(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.start(client, guests=["blue"])
        other = Duelist.start(client)
        first = duel.links["blue"]
        body = {"of": "blue", "seat": "red", "key": other.keys["red"]}
        for path in ("invitations", "invitations/revoke"):
            refused(client.post(duel.url(path), json=body), 403, "bad_key")
            refused(client.post(duel.url(path), json={"of": "blue"}), 403, "bad_key")
        second = post(duel, "invitations", "red", of="blue").json()["token"]
        refused(client.post("/api/invitations/look", json={"token": first}), 404, "unknown_invitation")
        refused(
            client.post("/api/invitations/claim", json={"token": first, "request_id": REQUEST}),
            404, "unknown_invitation",
        )  # fmt: skip
        assert post(duel, "invitations/revoke", "red", of="blue").status_code == 200
        refused(client.post("/api/invitations/look", json={"token": second}), 404, "unknown_invitation")
        third = post(duel, "invitations", "red", of="blue").json()["token"]
        claim(client, third)
        refused(post(duel, "invitations", "red", of="blue"), 403, "not_yours")


def test_a_key_is_rotated_and_throws_the_old_windows_out(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    with duel.live("blue") as old, duel.live("red") as red:
        old.receive_json(), red.receive_json()
        fresh = post(duel, "keys", "blue").json()["key"]
        assert post(duel, "keys/only", "blue", key=fresh).status_code == 200
        assert old.receive_json()["code"] == "bad_key"
    refused(client.get(duel.url("view"), params=duel.auth("blue")), 403, "bad_key")
    duel.keys["blue"] = fresh
    duel.view("blue")
    duel.view("red")
    # sent again after a lost answer it does no harm
    assert post(duel, "keys/only", "blue").status_code == 200


def test_a_seat_is_taken_to_another_device(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Duelist.between_two(client)
    link = post(duel, "invitations", "blue", of="blue", kind="device").json()["token"]
    assert client.post("/api/invitations/look", json={"token": link}).json()["kind"] == "device"
    phone = claim(client, link)["key"]
    duel.view("blue")
    assert client.get(duel.url("view"), params={"seat": "blue", "key": phone}).status_code == 200
    late = post(duel, "invitations", "blue", of="blue", kind="device").json()["token"]
    now = time.time_ns()
    monkeypatch.setattr("time.time_ns", lambda: now + (seating.DEVICE_MS + 1000) * 1_000_000)
    refused(client.post("/api/invitations/claim", json={"token": late, "request_id": REQUEST}), 409, "spent")


def test_links_to_other_devices_do_not_pile_up(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    duel, now = Duelist.start(client), time.time_ns()
    for number in range(4):
        past = now + 2 * number * seating.REPEAT_MS * 1_000_000
        monkeypatch.setattr("time.time_ns", lambda past=past: past)
        claim(client, post(duel, "invitations", "blue", of="blue", kind="device").json()["token"])
    with rooms_of(client).store._reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM invitations WHERE kind = 'device'").scalar() == 1


@pytest.mark.parametrize("kind", ["device", "guest"])
def test_a_link_to_the_seat_is_void_when_the_keys_are_renewed(client: TestClient, kind: str) -> None:
    """A thief of a key may have made one, and would come back by it."""
    duel = Duelist.between_two(client)
    link = post(duel, "invitations", "blue", of="blue", kind=kind).json()["token"]
    assert post(duel, "keys/only", "blue").status_code == 200
    refused(
        client.post("/api/invitations/claim", json={"token": link, "request_id": REQUEST}), 404, "unknown_invitation"
    )
    duel.view("blue")


def test_a_seat_at_one_screen_is_passed_on_to_a_friend(client: TestClient) -> None:
    duel = Duelist.start(client)
    duel.act("red", "hide 3")
    duel.client.post(duel.url("undo"), json={**duel.auth("blue"), "version": 1, "to": 0})
    link = post(duel, "invitations", "red", of="blue").json()["token"]
    assert client.post("/api/invitations/look", json={"token": link}).json()["opened"]
    duel.view("blue")
    old = dict(duel.keys)
    duel.keys["blue"] = claim(client, link)["key"]
    refused(client.get(duel.url("view"), params={"seat": "blue", "key": old["blue"]}), 403, "bad_key")
    assert set(client.post(duel.url("sit"), json={}).json()["keys"]) == {"red"}
    log = client.get(duel.url("log"), params=duel.auth("red")).json()
    assert [item["action"] for item in log][1:] == ["@came"]
    duel.undo("red", to=0)
    assert duel.view("red")["ply"] == 2, "what the seat had agreed to before is not the friend's word"


def test_the_owner_of_the_machine_sits_down_from_any_browser(client: TestClient) -> None:
    duel = Duelist.start(client)
    first, second = (client.post(duel.url("sit"), json={}).json()["keys"] for _ in range(2))
    for keys in (duel.keys, first, second):
        assert client.get(duel.url("view"), params={"seat": "red", "key": keys["red"]}).status_code == 200
    kept = client.post(duel.url("sit"), json={"keys": {**first, "green": "x"}}).json()
    assert (kept["keys"], kept["to_move"]) == (first, "red"), "keys that fit are not drawn again"
    for _ in range(MAX_KEYS):
        client.post(duel.url("sit"), json={})
    refused(client.get(duel.url("view"), params=duel.auth("red")), 403, "bad_key")


def test_the_seat_of_the_computer_is_nobodys(client: TestClient) -> None:
    duel = Duelist.start(client, controllers={"blue": {"kind": "bot", "bot": "random"}})
    assert set(duel.keys) == {"red"}
    assert set(client.post(duel.url("sit"), json={}).json()["keys"]) == {"red"}
    watched = Duelist.start(client, controllers={seat: {"kind": "bot", "bot": "random"} for seat in ("red", "blue")})
    assert set(watched.keys) == {"red", "blue"}, "a match of computers is its creator's to watch"


def test_nobody_is_invited_to_what_is_no_persons_seat(client: TestClient) -> None:
    body = {"game": "duel", "scenario": "short", "controllers": {"blue": {"kind": "bot", "bot": "random"}}}
    for guests in (["blue"], ["green"]):
        refused(client.post("/api/matches", json={**body, "guests": guests}), 400, "bad_request")


def test_the_list_shows_what_one_has_a_key_to(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        mine, theirs = Duelist.start(client, guests=["blue"]), Duelist.start(client)
        keys = {
            mine.id: {**mine.keys, "blue": "x"},
            theirs.id: {"red": "x"},
            "999": {"red": "x"},
            "9" * 19: {},
            "x": {"red": "x"},
            "\u0661": {},
        }
        (row,) = client.post("/api/lobby", json={"keys": keys}).json()
        assert (row["id"], row["mine"], row["waiting"], row["to_move"]) == (mine.id, ["red"], ["blue"], "red")
        assert client.post("/api/lobby", json={"keys": {}}).json() == []


@pytest.mark.parametrize("token", ["", "x", "\ud800", "x" * 64])
def test_a_token_that_was_never_given_leads_nowhere(client: TestClient, token: str) -> None:
    headers = {"content-type": "application/json"}
    for path, more in (("look", {}), ("claim", {"request_id": REQUEST})):
        content = json.dumps({"token": token, **more})
        response = client.post(f"/api/invitations/{path}", content=content, headers=headers)
        assert response.status_code in (400, 404), response.text


def test_deleting_a_match_voids_its_links(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    assert client.delete(f"/api/matches/{duel.id}").status_code == 200
    look = client.post("/api/invitations/look", json={"token": duel.links["blue"]})
    refused(look, 404, "unknown_invitation")


def test_of_many_who_claim_at_once_one_gets_the_seat(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    store = rooms_of(client).store

    def attempt(number: int) -> str | None:
        try:
            return store.claim(duel.links["blue"], f"request {number}").key
        except SpentError:
            return None

    with ThreadPoolExecutor(8) as threads:
        (key,) = [key for key in threads.map(attempt, range(24)) if key is not None]
    assert [seat.opens(key) for seat in store.seats(int(duel.id)).values()].count(True) == 1


def test_a_claim_that_fails_on_the_way_leaves_the_invitation_good(tmp_path: Path) -> None:
    fatal = ""

    def step(name: str) -> None:
        if name == fatal:
            raise KeyboardInterrupt

    store = Store(tmp_path / "matches.db", step)
    match_id = store.create(
        MatchStart(
            title="t", header="{}", summary={}, over=False, keys={"red": "r", "blue": None}, links={"blue": "token"}
        )
    )
    before = store.seats(match_id)
    for name in ("claim: seat given", "claim: link spent", "commit"):
        fatal = name
        with pytest.raises(KeyboardInterrupt):
            store.claim("token", REQUEST)
        assert store.seats(match_id) == before
    fatal = "together: committed"
    with pytest.raises(KeyboardInterrupt), store.together():
        store.claim("token", REQUEST)
    fatal = ""
    with pytest.raises(SpentError):
        store.claim("token", REQUEST + "!")
    again = store.claim("token", REQUEST)
    assert again.repeated and store.seats(match_id)["blue"].opens(again.key)


def test_on_a_full_disk_the_owner_looks_on(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = Duelist.start(client)

    def full(self: Store, match_id: int, seat: str) -> str:
        raise DiskFullError("no room")

    monkeypatch.setattr(Store, "add_key", full)
    assert client.post(duel.url("sit"), json={}).json()["keys"] == {}
    assert client.post(duel.url("sit"), json={"keys": duel.keys}).json()["keys"] == duel.keys


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_set_by_an_hour_while_people_play_harms_nothing(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    duel = Duelist.between_two(client)
    duel.act("red", "hide 3")
    for _ in range(MAX_KEYS):
        duel.keys["blue"] = client.post(duel.url("keys"), json=duel.auth("blue")).json()["key"]
    now = time.time_ns()
    monkeypatch.setattr("time.time_ns", lambda: now + hours * 3_600_000_000_000)
    fresh = client.post(duel.url("keys"), json=duel.auth("blue")).json()["key"]
    duel.keys["blue"] = fresh
    duel.act("blue", "guess 2")
    assert not any(seat["silent"] for seat in client.get(duel.url("seats")).json()["seats"].values())
    assert Duelist.between_two(client).view("red")["version"] >= 0, "new matches and invitations go on"
