"""Open tables: seats that are put into a list, taken by the first who comes, and gone from it then."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store.people.tables import HOUR_MS, MOST_SHOWN
from rasputitsa.server.store.uptimes import Uptime
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, brought, claim
from tests.server.seats.test_rematch import refusal, resigned, table_state
from tests.server.seats.test_seats import post
from tests.server.seats.test_table import BOT, sit_down

WISH = {"pace": "day", "level": "some"}


@pytest.fixture
def hosted(config: ServerConfig) -> ServerConfig:
    return replace(config, local=False)


@pytest.fixture
def guest_house(hosted: ServerConfig) -> Any:
    with connect(hosted, host="10.0.0.1") as client:
        yield client


def tables(client: TestClient) -> list[dict[str, Any]]:
    answer = client.get("/api/tables")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def open_table(client: TestClient, **body: Any) -> Duelist:
    return Duelist.start(client, guests=["blue"], publish=WISH, **body)


def take(client: TestClient, match: str, seat: str = "blue", request: str = "", **body: Any) -> httpx.Response:
    request = request or os.urandom(16).hex()
    return client.post("/api/tables/take", json={"match": match, "seat": seat, "request_id": request, **body})


def test_who_starts_a_match_may_leave_its_seats_open_to_everybody(guest_house: TestClient) -> None:
    red = open_table(guest_house, controllers={"red": {"kind": "human", "name": "Anna"}}, options={})
    private = Duelist.start(guest_house, guests=["blue"])
    (found,) = tables(guest_house)
    assert found["id"] == red.id != private.id, "a match is private unless its creator chooses otherwise"
    assert (found["game"], found["scenario"], found["free"]) == ("duel", "short", [{"seat": "blue", **WISH}])
    assert found["controllers"]["red"] == {"kind": "human", "name": "Anna"} and found["attended"] is False
    with red.live("red") as window:
        window.receive_json()
        assert tables(guest_house)[0]["attended"] is True
    seen = guest_house.post("/api/tables/look", json={"match": red.id, "seat": "blue"}).json()
    assert (seen["seat"], seen["inviter"], seen["spent"]) == ("blue", ["red"], False)
    assert seen["dice"] == red.view("red")["dice"]["digest"], "what the guest's share is added to"
    answer = take(guest_house, red.id, name="Jan", share="e5" * 16)
    assert answer.status_code == 200 and set(answer.json()) == {"id", "seat", "key"}
    red.keys["blue"] = answer.json()["key"]
    view = red.view("blue")
    assert view["controllers"]["blue"] == {"kind": "human", "name": "Jan"}
    assert brought("blue", "e5" * 16) in view["dice"]["sources"][-1]["shares"]
    assert table_state(red, "red") == {"red": "yours", "blue": "person"}
    assert tables(guest_house) == []
    link = {"token": red.links["blue"], "request_id": "x" * 20}
    assert refusal(guest_house, "/api/invitations/claim", link) == "unknown_invitation", "the private link is void"


def test_the_first_who_comes_has_the_seat(hosted: ServerConfig) -> None:
    with connect(hosted, host="10.0.0.1") as client:
        red = open_table(client)
        first = take(client, red.id, request="a" * 20)
        assert take(client, red.id, request="b" * 20).status_code == 404
        look = {"match": red.id, "seat": "blue"}
        assert refusal(client, "/api/tables/look", look) == "unknown_table"
    with connect(hosted, host="10.0.0.1") as client:
        again = take(client, red.id, request="a" * 20)
        assert again.status_code == 200, "an answer that was lost, also across a restart"
        red.client, red.keys["blue"] = client, again.json()["key"]
        red.view("blue")
        red.keys["blue"] = first.json()["key"]
        assert client.get(red.url("view"), params=red.auth("blue")).status_code == 403, "one key for one claim"
        assert take(client, red.id, "red").status_code == 404, "a seat that nobody has offered"
        assert take(client, "999").status_code == 404 and take(client, "x").status_code == 404


def test_who_may_invite_to_a_seat_may_put_it_into_the_list_and_nobody_else(guest_house: TestClient) -> None:
    red = Duelist.start(guest_house, guests=["blue"])
    url, wish = red.url("publish"), {"of": "blue", **WISH}
    assert refusal(guest_house, url, wish) == "bad_key"
    assert refusal(guest_house, url, {**wish, "seat": "red", "key": "x"}) == "bad_key"
    assert refusal(guest_house, url, {**red.auth("red"), **wish, "of": "red"}) == "not_yours", "it is held"
    assert refusal(guest_house, url, {**red.auth("red"), **wish, "pace": "soon"}) == "bad_request"
    assert tables(guest_house) == []
    assert post(red, "publish", "red", **wish).status_code == 200
    assert post(red, "publish", "red", **{**wish, "pace": "live"}).status_code == 200
    assert tables(guest_house)[0]["free"] == [{"seat": "blue", "pace": "live", "level": "some"}]
    wishes = guest_house.get(red.url("seats"), params=red.auth("red")).json()["seats"]
    assert wishes["blue"]["wish"] == {"pace": "live", "level": "some"} and wishes["red"]["wish"] is None
    assert refusal(guest_house, red.url("publish/withdraw"), {"of": "blue"}) == "bad_key"
    assert post(red, "publish/withdraw", "red", of="blue").status_code == 200
    assert tables(guest_house) == []
    claim(guest_house, red.links["blue"])
    assert refusal(guest_house, url, {**red.auth("red"), **wish}) == "not_yours", "somebody has come"


def test_dice_that_a_listed_seat_was_told_of_are_those_it_gets(guest_house: TestClient) -> None:
    """One who comes to a match that a person began alone learns of a seed before taking the seat, and gets it."""
    duel = Duelist.start(guest_house, controllers={"blue": BOT})
    assert post(duel, "agree", "red", topic="invite", of="blue").json()["done"]
    assert post(duel, "publish", "red", of="blue", **WISH).status_code == 200
    told = guest_house.post("/api/tables/look", json={"match": duel.id, "seat": "blue"}).json()["dice"]
    assert told and duel.view("red")["dice"]["digest"] != told, "one person's own dice are theirs"
    duel.keys["blue"] = take(guest_house, duel.id, share="e5" * 16).json()["key"]
    assert duel.view("blue")["dice"]["digest"] == told


def test_no_seat_of_a_match_that_is_over_is_put_into_the_list(guest_house: TestClient) -> None:
    red = Duelist.start(guest_house, guests=["blue"])
    resigned(red)
    assert refusal(guest_house, red.url("publish"), {**red.auth("red"), "of": "blue", **WISH}) == "over"


@pytest.mark.parametrize("what", ["claimed", "withdrawn", "over", "deleted", "the computer's"])
def test_a_seat_that_is_not_to_be_had_is_not_in_the_list(guest_house: TestClient, what: str) -> None:
    red = open_table(guest_house)
    if what == "claimed":
        claim(guest_house, red.links["blue"])
    elif what == "withdrawn":
        post(red, "invitations/revoke", "red", of="blue")
    elif what == "over":
        resigned(red)
    elif what == "deleted":
        assert guest_house.delete(f"/api/matches/{red.id}", params=red.auth("red")).status_code == 200
    else:
        assert post(red, "agree", "red", topic="computer", of="blue", bot="random").json()["done"]
    assert tables(guest_house) == []
    assert take(guest_house, red.id).status_code == 404


@pytest.mark.parametrize("header", ["null", "{", "[1]", '{"options": 5}', "[" * 100_000])
def test_a_table_with_a_damaged_header_stays_in_the_list(hosted: ServerConfig, header: str) -> None:
    """Its options cannot be told; the others are listed as they are."""
    with connect(hosted) as client:
        bad, good = open_table(client, options={}), open_table(client, options={})
        before = {table["id"]: table["options"] for table in tables(client)}
    with sqlite3.connect(hosted.database) as raw:
        raw.execute("UPDATE matches SET header = ? WHERE id = ?", [header, int(bad.id)])
    with connect(hosted) as client:
        assert {table["id"]: table["options"] for table in tables(client)} == {**before, bad.id: {}}
    assert good.id in before


def test_a_seat_that_was_given_up_is_taken_over_from_the_list(guest_house: TestClient) -> None:
    duel = Duelist.between_two(guest_house)
    duel.act("red", "hide 3")
    former = duel.keys["blue"]
    assert post(duel, "leave", "blue").status_code == 200
    assert post(duel, "publish", "red", of="blue", **WISH).status_code == 403, "all who play agree first"
    assert post(duel, "agree", "red", topic="invite", of="blue").json()["done"]
    assert post(duel, "publish", "red", of="blue", **WISH).status_code == 200
    assert tables(guest_house)[0]["turn_label"]
    duel.keys["blue"] = take(guest_house, duel.id).json()["key"]
    duel.act("blue", "guess 2")
    assert duel.keys["blue"] != former


def test_a_seat_leaves_the_list_when_the_server_was_up_for_long(guest_house: TestClient) -> None:
    store = rooms_of(guest_house).store
    passed = [0.0]
    store.up = Uptime(0, lambda: passed[0])
    live = Duelist.start(guest_house, guests=["blue"], publish={"pace": "live"})
    slow = open_table(guest_house)
    passed[0] = 5.9 * HOUR_MS / 1000
    assert [found["id"] for found in tables(guest_house)] == [slow.id, live.id]
    passed[0] = 6.1 * HOUR_MS / 1000
    assert [found["id"] for found in tables(guest_house)] == [slow.id]
    assert take(guest_house, live.id).status_code == 404
    assert post(live, "publish", "red", of="blue", pace="live").status_code == 200, "once more"
    assert len(tables(guest_house)) == 2
    passed[0] = 15 * 24 * HOUR_MS / 1000
    assert tables(guest_house) == []
    store.look_after()
    with sqlite3.connect(store.path) as raw:
        assert raw.execute("SELECT count(*) FROM open_seats").fetchone() == (0,)


def test_listed_seats_of_one_address_are_limited(hosted: ServerConfig) -> None:
    limited = replace(hosted, limits=hosted.limits.changed(["tables=2"]))
    passed = [0.0]
    with connect(limited, host="10.0.0.1") as client:
        rooms_of(client).store.up = Uptime(0, lambda: passed[0])
        first, _ = open_table(client), open_table(client)
        body = {"game": "duel", "scenario": "short", "guests": ["blue"], "publish": WISH}
        assert refusal(client, "/api/matches", body) == "too_many"
        assert len(tables(client)) == 2
        private = Duelist.start(client, guests=["blue"])
        assert refusal(client, private.url("publish"), {**private.auth("red"), "of": "blue", **WISH}) == "too_many"
        assert post(first, "publish", "red", of="blue", **WISH).status_code == 200, "it is one of the two"
        post(first, "publish/withdraw", "red", of="blue")
        assert post(private, "publish", "red", of="blue", **WISH).status_code == 200
        assert refusal(client, first.url("publish"), {**first.auth("red"), "of": "blue", **WISH}) == "too_many"
        passed[0] = 15 * 24 * HOUR_MS / 1000
        assert post(first, "publish", "red", of="blue", **WISH).status_code == 200, "those two have left the list"


def test_seats_taken_by_one_address_are_limited_by_the_hour(hosted: ServerConfig) -> None:
    limited = replace(hosted, limits=hosted.limits.changed(["taken=2"]))
    with connect(limited, host="10.0.0.1") as client:
        red = [open_table(client) for _ in range(3)]
        assert [take(client, duel.id).status_code for duel in red] == [200, 200, 429]
        assert [found["id"] for found in tables(client)] == [red[2].id]


def test_who_offers_many_seats_does_not_hide_those_of_others(guest_house: TestClient) -> None:
    store = rooms_of(guest_house).store
    red = open_table(guest_house)
    header, summary = store.match(int(red.id)).header, store.match(int(red.id)).summary
    with sqlite3.connect(store.path) as raw:
        for number in range(1000, 1000 + 2 * MOST_SHOWN):
            raw.execute(
                "INSERT INTO matches (id, title, header, summary, over, entries, created_ms, updated_ms, opened, shown)"
                " VALUES (?, 'crowd', ?, ?, 0, 0, 0, 0, 0, 0)", (number, header, str(summary)),
            )  # fmt: skip
            raw.execute(
                "INSERT INTO open_seats VALUES (?, 'blue', 'day', 'any', 'crowd', ?, ?)",
                (number, 2**50 + number, 2**50),
            )
    found = tables(guest_house)
    assert len(found) == MOST_SHOWN and found[-1]["id"] == red.id, "the newest of each address first"
    assert found[0]["game"] == "", "a summary that cannot be read harms no other row"


def test_a_person_who_has_a_seat_stays_one_person(guest_house: TestClient) -> None:
    red = open_table(guest_house)
    answer = take(guest_house, red.id, keys={"red": red.keys["red"]})
    assert answer.status_code == 200
    assert guest_house.get(red.url("seats"), params=red.auth("red")).json()["opened"] is True


def test_each_seat_of_four_is_open_by_itself(guest_house: TestClient) -> None:
    guests = ["axis_south", "soviet_north", "soviet_south"]
    match = Duelist.start(
        guest_house, game="portfolio", scenario="june22", players=4, guests=guests, publish={"pace": "week"}
    )
    assert [free["seat"] for free in tables(guest_house)[0]["free"]] == guests
    request = os.urandom(16).hex()
    assert take(guest_house, match.id, "soviet_north", request).json()["seat"] == "soviet_north"
    sit_down(match, "axis_south")
    assert [free["seat"] for free in tables(guest_house)[0]["free"]] == ["soviet_south"]
    assert take(guest_house, match.id, "soviet_south", request).json()["seat"] == "soviet_south"


def test_nothing_in_the_list_opens_a_seat_or_tells_a_secret(guest_house: TestClient) -> None:
    red = open_table(guest_house, title="Come in")
    text = guest_house.get("/api/tables").text
    header = rooms_of(guest_house).store.match(int(red.id)).header
    for secret in (red.keys["red"], red.links["blue"], "seed", "salt", "10.0.0.1"):
        assert secret not in text
    assert "seed" in header
