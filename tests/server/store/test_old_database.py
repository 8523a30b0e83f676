"""A database of an earlier version of the program opens, and nothing of its matches is lost.

``old/`` holds one written by version 49e807a, and for its last match by 4e26ba6, which played War in Russia with other
data; beside it what that version told of each match.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from tests.server.conftest import connect

OLD = Path(__file__).parent / "old"
EXPECTED: dict[str, dict[str, Any]] = json.loads(gzip.decompress((OLD / "expected.json.gz").read_bytes()))
FORMER_DATA = "5"


@pytest.fixture
def old(config: ServerConfig) -> ServerConfig:
    config.data.mkdir(parents=True, exist_ok=True)
    config.database.write_bytes(gzip.decompress((OLD / "matches.db.gz").read_bytes()))
    return config


def view(client: TestClient, number: str, seat: str, key: str, **params: Any) -> dict[str, Any]:
    response = client.get(f"/api/matches/{number}/view", params={"seat": seat, "key": key, **params})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.parametrize("number", EXPECTED)
def test_an_old_match_stands_where_it_stood(old: ServerConfig, number: str) -> None:
    expected = EXPECTED[number]
    store = Store(old.database)
    try:
        for again in range(2):  # replayed and completed the first time, taken up from its position the second
            match = Match(store, int(number))
            session = match.session
            assert (match.entries, session.version) == (expected["entries"], expected["ply"])
            assert session.game.fingerprint(session.state) == expected["position"]
            assert [[entry.seat, entry.action] for entry in session.entries] == expected["log"]
            assert session.controllers == expected["controllers"] and match.title == expected["title"]
            ordered = [n for n, (_, action) in enumerate(expected["log"]) if not action.startswith("@")]
            places = [session.places[n] for n in ordered]
            assert [list(place or ()) for place in places] == [expected["places"][n] for n in ordered]
            assert again == 0 or all(entry.after for n, entry in enumerate(session.entries) if n in ordered)
            fresh = Session.load(match.session.save())
            assert fresh.state == session.state
            for ply in (0, 1, session.version // 2, session.version):
                assert session.state_at(ply) == fresh.state_at(ply)
    finally:
        store.close()


@pytest.mark.parametrize("number", EXPECTED)
def test_an_old_match_goes_on(old: ServerConfig, number: str) -> None:
    keys = EXPECTED[number]["keys"]
    with connect(old) as client:
        for step in range(40):
            seats = {seat: view(client, number, seat, key) for seat, key in keys.items()}
            if any(seen["outcome"] for seen in seats.values()):
                break
            seat, seen = next((s, v) for s, v in seats.items() if v["decision"] and v["decision"]["mine"])
            body = {
                "seat": seat, "key": keys[seat], "version": seen["version"], "request_id": f"new-{step}",
                "action": seen["decision"]["options"][-1]["action"],
            }  # fmt: skip
            assert client.post(f"/api/matches/{number}/actions", json=body).status_code == 200
        before = [view(client, number, seat, key) for seat, key in keys.items()]
    with connect(old) as client:
        after = [view(client, number, seat, key) for seat, key in keys.items()]
        assert after == before
        assert before[0]["ply"] >= EXPECTED[number]["ply"] + (1 if before[0]["outcome"] else 40)
        saved = client.get(f"/api/matches/{number}/export").text
    assert Session.load(saved).version == before[0]["ply"]


def test_a_request_of_before_is_answered_as_then(old: ServerConfig) -> None:
    with sqlite3.connect(old.database) as raw:
        rows = raw.execute("SELECT seat, request_id, digest, answer FROM requests WHERE match_id = 1").fetchall()
    store = Store(old.database)
    try:
        match = Match(store, 1)
        asked = [store.request(1, seat, request) for seat, request, _, _ in rows]
        assert all(row is not None for row in asked)
        for seat, request, _, answer in rows[::10]:
            told = json.loads(answer)
            seen = match._answered(store_request(seat, request, "digest"))
            assert seen is not None and seen["version"] == told["version"] and seen["seat"] == seat
    finally:
        store.close()


def store_request(seat: str, request_id: str, digest: str) -> Any:
    from rasputitsa.server.store import Request

    return Request(seat, request_id, digest)


def test_the_board_of_an_old_match_is_the_one_it_is_played_on(old: ServerConfig) -> None:
    with connect(old) as client:
        seen = view(client, FORMER_DATA, "axis", EXPECTED[FORMER_DATA]["keys"]["axis"])
        assert seen["data"] != get_game("wir").data_version
        asked = {"scenario": seen["scenario"], "data": seen["data"]}
        assert client.get("/api/games/wir/static", params=asked).status_code == 200
        fresh = client.get("/api/games/wir/static", params={"scenario": seen["scenario"]})
        assert fresh.status_code == 200
        asked["data"] = "0" * 16
        refused = client.get("/api/games/wir/static", params=asked)
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "unknown_data")
