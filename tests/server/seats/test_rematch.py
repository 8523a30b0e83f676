"""A rematch: one of the same scenario, the sides swapped, to which the people of a match come by their seats in it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from rasputitsa.core.game import SeatInfo
from rasputitsa.core.registry import get_game
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.rematching import swapped
from tests.server.conftest import connect
from tests.server.player import Duelist, brought, claim
from tests.server.seats.test_table import BOT

SHARES = {"red": "a1" * 16, "blue": "b2" * 16}


def ask(duel: Duelist, seat: str, request: str = "", client: TestClient | None = None) -> httpx.Response:
    headers = {"idempotency-key": request or os.urandom(16).hex()}
    body = {**duel.auth(seat), "share": SHARES[seat]}
    return (client or duel.client).post(duel.url("rematch"), json=body, headers=headers)


def refusal(client: TestClient, url: str, body: dict[str, Any]) -> str:
    answer = client.post(url, json=body)
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["error"]["code"])


def rematch(duel: Duelist, seat: str, request: str = "") -> Duelist:
    answer = ask(duel, seat, request)
    assert answer.status_code == 201, answer.text
    return Duelist(duel.client, answer.json()["id"], answer.json()["keys"], answer.json()["invitations"])


def told(duel: Duelist, seat: str | None) -> Any:
    return duel.client.get(duel.url("seats"), params=duel.auth(seat)).json()["rematch"]


def resigned(duel: Duelist, seat: str = "red") -> Duelist:
    answer = duel.client.post(duel.url("end"), json={**duel.auth(seat), "how": "resign"})
    assert answer.status_code == 200 and answer.json()["done"], answer.text
    return duel


def test_against_the_computer_it_starts_at_once_with_the_sides_swapped(client: TestClient) -> None:
    red = resigned(Duelist.start(client, controllers={"blue": {"kind": "bot", "bot": "random"}}, title="At home"))
    again = rematch(red, "red")
    assert list(again.keys) == ["blue"] and not again.links
    view = again.view("blue")
    assert view["controllers"] == {"red": {"kind": "bot", "bot": "random"}, "blue": {"kind": "human"}}
    before = red.view("red")
    assert [view[name] for name in ("scenario", "options", "title")] == [
        before[name] for name in ("scenario", "options", "title")
    ]
    assert told(red, "red") == {"match": again.id, "asked": ["red"], "door": "taken"}
    assert rematch(red, "red").id == again.id, "there is one"


def test_whoever_has_the_computer_play_itself_has_the_rematch_too(client: TestClient) -> None:
    watched = resigned(Duelist.start(client, controllers={"red": BOT, "blue": BOT}))
    again = rematch(watched, "red")
    assert told(watched, "red") == {"match": again.id, "asked": ["red", "blue"], "door": "taken"}
    assert rematch(watched, "blue").id == again.id


def test_the_other_comes_by_the_seat_of_the_former_match(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    named = {"kind": "human", "name": "Anna"}
    assert client.post(duel.url("controllers"), json={**duel.auth("red"), "controller": named}).status_code == 200
    red = rematch(duel, "red")
    assert list(red.keys) == ["blue"] and list(red.links) == ["red"], "a link, too, for whom it is easier"
    assert red.view("blue")["dice"]["awaits"] == ["red"], "no die falls before the other has come"
    assert told(duel, "blue") == {"match": red.id, "asked": ["red"], "door": "offered"}
    blue = rematch(duel, "blue")
    assert blue.id == red.id and list(blue.keys) == ["red"]
    red.keys |= blue.keys
    dice = red.view("red")["dice"]
    assert dice["awaits"] == [] and brought("red", SHARES["blue"]) in dice["sources"][-1]["shares"]
    assert red.view("red")["controllers"]["blue"] == named, "names go with their people"
    red.act("red", "hide 3")
    link = {"token": red.links["red"], "request_id": "x" * 20}
    assert refusal(client, "/api/invitations/claim", link) == "unknown_invitation"
    assert table_state(red, "blue") == {"red": "person", "blue": "yours"}


def table_state(duel: Duelist, seat: str) -> dict[str, str]:
    found = duel.client.get(duel.url("seats"), params=duel.auth(seat)).json()["seats"]
    return {name: info["state"] for name, info in found.items()}


def test_who_comes_again_gets_a_further_key_and_nothing_else_happens(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = resigned(Duelist.between_two(client))
        red, blue = rematch(duel, "red"), rematch(duel, "blue")
    with connect(config) as client:
        duel.client = client
        more = [rematch(duel, seat) for seat in ("red", "blue", "blue")]
        assert {one.id for one in more} == {red.id} == {blue.id}
        for one, seat in zip([red, blue, *more], ["blue", "red", "blue", "red", "red"], strict=True):
            one.client = client
            assert list(one.keys) == [seat]
            one.view(seat)
        log = client.get(red.url("log")).json()
        assert log == [], "nobody has come twice"
        assert len(client.get("/api/matches").json()) == 2


def test_a_double_click_or_both_at_once_make_one_rematch(client: TestClient) -> None:
    for _ in range(5):
        duel = resigned(Duelist.between_two(client))
        request = os.urandom(16).hex()
        with ThreadPoolExecutor(4) as pool:
            clicks = [("red", request), ("red", request), ("blue", ""), ("blue", "")]
            answers = [job.result() for job in [pool.submit(ask, duel, *click) for click in clicks]]
        assert [answer.status_code for answer in answers] == [201] * 4, [answer.text for answer in answers]
        assert len({answer.json()["id"] for answer in answers}) == 1
        again = Duelist(client, answers[0].json()["id"], answers[0].json()["keys"] | answers[2].json()["keys"])
        assert table_state(again, "red") == {"red": "yours", "blue": "person"}


def test_it_is_for_those_who_had_a_seat_and_after_the_end(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    url, body = duel.url("rematch"), duel.auth("red")
    assert refusal(client, url, body) == "still_playing"
    resigned(duel)
    assert refusal(client, url, {**body, "key": duel.keys["blue"]}) == "bad_key"
    assert refusal(client, url, {"seat": "green", "key": body["key"]}) == "bad_key"
    rematch(duel, "red")
    assert told(duel, None) is None, "an onlooker is told nothing of it"


def test_a_guest_who_asks_from_the_same_machine_does_not_hand_the_seat_to_its_owner(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    blue = rematch(duel, "blue")
    sat = client.post(blue.url("sit"), json={"keys": {}}).json()
    assert sat["keys"] == {}, "the owner of the machine has not come yet, and gets no other seat"
    rematch(duel, "red")
    assert list(client.post(blue.url("sit"), json={"keys": {}}).json()["keys"]) == ["blue"]


def test_a_seat_that_has_gone_to_others_is_not_found_by_the_former_one(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    red = rematch(duel, "red")
    stranger = claim(client, red.links["red"])["key"]
    assert told(duel, "blue")["door"] == "closed"
    assert refusal(client, duel.url("rematch"), duel.auth("blue")) == "spent"
    red.keys["red"] = stranger
    only = {"seat": "blue", "key": red.keys["blue"]}
    assert client.post(red.url("keys/only"), json=only).status_code == 200
    assert refusal(client, duel.url("rematch"), duel.auth("red")) == "spent", "all other ways in are void"
    red.view("red")
    red.view("blue")


def test_whoever_takes_a_former_seat_later_finds_no_way_into_the_rematch(client: TestClient) -> None:
    """The one who plays against its holder there, above all, who can be invited to it when it was given up."""
    duel = resigned(Duelist.between_two(client))
    red, blue = rematch(duel, "red"), rematch(duel, "blue")
    blue.view("red")
    assert client.post(duel.url("leave"), json=duel.auth("blue")).status_code == 200
    link = client.post(duel.url("agree"), json={**duel.auth("red"), "topic": "invite", "of": "blue"}).json()["token"]
    taken = Duelist(client, duel.id, {"blue": claim(client, link)["key"]})
    assert refusal(client, duel.url("rematch"), taken.auth("blue")) == "spent"
    assert told(taken, "blue")["door"] == "closed"
    red.view("blue")
    blue.view("red")


def test_an_invitation_that_is_withdrawn_withdraws_the_offer(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    red = rematch(duel, "red")
    body = {**red.auth("blue"), "of": "red"}
    assert client.post(red.url("invitations/revoke"), json=body).status_code == 200
    assert told(duel, "blue")["door"] == "closed"


def test_a_rematch_that_was_removed_can_be_asked_for_again(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    first = rematch(duel, "red")
    assert client.delete(f"/api/matches/{first.id}", params=first.auth("blue")).status_code == 200
    assert told(duel, "blue") is None
    second = rematch(duel, "blue")
    assert second.id != first.id and list(second.keys) == ["red"]


def test_the_list_of_matches_says_who_is_asked(client: TestClient) -> None:
    duel = resigned(Duelist.between_two(client))
    rematch(duel, "red")

    def row(seat: str) -> bool:
        rows = client.post("/api/lobby", json={"keys": {duel.id: {seat: duel.keys[seat]}}}).json()
        return bool(rows[0]["rematch"])

    assert row("blue") and not row("red")
    rematch(duel, "blue")
    assert not row("blue")


def test_on_a_server_for_others_it_counts_as_a_new_match(config: ServerConfig) -> None:
    hosted = replace(config, local=False, limits=config.limits.changed(["matches_burst=2", "matches=1"]))
    with connect(hosted) as client:
        first = resigned(Duelist.between_two(client))
        rematch(first, "red")
        assert ask(first, "blue").status_code == 201, "the guest makes none"
        assert refusal(client, "/api/matches", {"game": "duel", "scenario": "short"}) == "too_many"


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_each_seat_is_swapped_for_one_of_the_other_side(game: str) -> None:
    made = get_game(game)
    for options in ({}, *([{"players": "4"}] if game == "portfolio" else [])):
        seats = made.seats(options)
        swap, sides = swapped(seats), {seat.id: seat.side for seat in seats}
        assert sorted(swap.values()) == sorted(sides)
        assert all(sides[seat] != sides[other] and swap[other] == seat for seat, other in swap.items())


def test_where_sides_are_not_alike_everybody_stays() -> None:
    seats = [SeatInfo("a", "one", "A"), SeatInfo("b", "other", "B"), SeatInfo("c", "other", "C")]
    assert swapped(seats) == {"a": "a", "b": "b", "c": "c"}
    assert swapped([*seats[:2], SeatInfo("c", "third", "C")]) == {"a": "a", "b": "b", "c": "c"}
    assert swapped(seats[:1]) == {"a": "a"}
