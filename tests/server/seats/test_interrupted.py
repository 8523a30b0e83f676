"""The server restarts, with its clock set, in the middle of talk, notes, an offer of a draw and a hint."""

from __future__ import annotations

import time

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist, claim
from tests.server.seats.test_seats import post, refused
from tests.server.seats.test_talk import noted, said, say

HELLO = {"text": "Hello", "request_id": "a message of some length"}


def two_who_agree_to_hints(client: TestClient) -> Duelist:
    match = Duelist.start(client, game="portfolio", scenario="june22", guests=["soviet"])
    match.keys["soviet"] = claim(client, match.links["soviet"])["key"]
    for seat in match.keys:
        assert post(match, "agree", seat, topic="hints").status_code == 200
    return match


@pytest.mark.parametrize("days", [-30, -1, 0, 30])
def test_a_restart_and_a_clock_that_was_set_lose_and_double_nothing(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    with connect(config) as client:
        match = two_who_agree_to_hints(client)
        first = say(match, "axis", **HELLO).json()
        version = post(match, "notes", "axis", text="Hold", version="").json()["version"]
        assert post(match, "end", "axis", how="draw").json()["done"] is False
        job = post(match, "hint", "axis").json()
        assert job["state"] in ("waiting", "running")
        action = match.body("axis", match.view("axis")["decision"]["options"][0]["action"])
        played = match.send(action).json()["view"]["ply"]
    now = time.time_ns()
    monkeypatch.setattr("time.time_ns", lambda: now + days * 86_400 * 10**9)
    with connect(config) as client:
        match.client = client
        assert noted(match, "axis") == {"text": "Hold", "version": version}
        assert client.get(match.url("seats"), params=match.auth("soviet")).json()["draws"] == ["axis"]
        assert say(match, "axis", **HELLO).json() == first, "said again it is the same"
        assert match.send(action).json()["view"]["ply"] == played == match.view("axis")["ply"]
        second = say(match, "soviet", "And to you").json()
        assert second["number"] > first["number"] and said(match, "axis", first["number"]) == ["soviet: And to you"]
        assert post(match, "notes", "axis", text="Hold on", version=version).status_code == 200
        refused(client.get(match.url(f"analysis/{job['id']}"), params=match.auth("axis")), 404, "unknown_job")
        for _ in range(2):
            assert post(match, "end", "axis", how="draw").json()["done"] is False, "an offer again is one offer"
        assert post(match, "end", "soviet", how="draw").json()["done"] is True
        refused(post(match, "end", "soviet", how="draw"), 409, "over")
        log = client.get(match.url("log"), params=match.auth("axis")).json()
        assert sum("draw" in event["text"] for entry in log for event in entry["events"]) == 1
        assert said(match, "soviet") == ["axis: Hello", "soviet: And to you"]


def test_an_offer_to_go_back_outlives_a_restart_and_stands_no_longer_than_without_one(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.between_two(client, scenario="long")
        duel.play(TURN[:3])
        assert duel.undo("red", to=1).json()["view"]["ply"] == duel.view("red")["ply"]
        offers = {seat: duel.view(seat)["undo_offers"] for seat in ("red", "blue")}
        assert offers["blue"] == {"red": 1}
    with connect(config) as client:
        duel.client = client
        assert {seat: duel.view(seat)["undo_offers"] for seat in ("red", "blue")} == offers
        assert "back" not in str(client.get(duel.url("seats")).json()["agreed"])
        duel.act("red", "done")
        assert duel.view("blue")["undo_offers"] == {}
        duel.undo("blue", to=1)
    with connect(config) as client:
        duel.client = client
        assert duel.view("blue")["undo_offers"] == {"blue": 1}, "that of Red was overtaken"
        duel.undo("blue", to=2)
        assert duel.view("red")["undo_offers"] == {"blue": 2}
    with connect(config) as client:
        duel.client = client
        assert duel.view("red")["undo_offers"] == {"blue": 2}
        assert duel.undo("red", to=2).json()["view"]["ply"] == 2
    with connect(config) as client:
        duel.client = client
        assert duel.view("red")["undo_offers"] == {} and duel.view("red")["ply"] == 2


def test_offers_to_go_back_are_void_when_a_seat_changes_hands_also_after_a_restart(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.between_two(client, scenario="long")
        duel.play(TURN[:3])
        duel.undo("red", to=1)
        token = post(duel, "invitations", "blue", of="blue").json()["token"]
        duel.keys["blue"] = claim(client, token)["key"]
        assert duel.view("blue")["undo_offers"] == {}
    with connect(config) as client:
        duel.client = client
        assert duel.view("blue")["undo_offers"] == {}
