"""Room on the disk: what one address may have kept, what stays free, and what is forgotten."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Limits
from rasputitsa.server.store import DiskFullError, JournalRow, MatchStart, Request, Store, talking
from rasputitsa.server.store.disk_reserve import SPARE_BYTES, lay_by, spare_of
from rasputitsa.server.store.quota import HELD_MS
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist

STRANGER = "203.0.113.7"


@pytest.fixture
def small(config: ServerConfig) -> Iterator[TestClient]:
    """A server for others that keeps little for one address."""
    with connect(
        replace(config, local=False, limits=Limits(kept_bytes=20_000, free_bytes=0, requests=0)), STRANGER
    ) as client:
        yield client


def begin(client: TestClient, **body: Any) -> Duelist:
    """A match in which Red is to walk."""
    duel = Duelist.start(client, **body)
    duel.play(TURN[:3])
    return duel


def walk(duel: Duelist) -> Any:
    """The answer to a step of Red."""
    return duel.send(duel.body("red", "walk A2", version=duel.view("red")["version"]))


def go_on(duel: Duelist, most: int = 400) -> list[int]:
    """Walk and take it back until that is refused; how it was answered."""
    answers: list[int] = []
    while len(answers) < most and (not answers or answers[-1] == 200):
        answers.append(walk(duel).status_code)
        if answers[-1] == 200:
            body = {"seat": "red", "key": duel.keys["red"], "version": duel.view("red")["version"]}
            answers.append(duel.client.post(f"/api/matches/{duel.id}/undo", json=body).status_code)
    return answers


def test_acting_and_taking_back_without_end_is_stopped_and_others_play_on(small: TestClient) -> None:
    duel = begin(small, scenario="long")
    other = TestClient(small.app, base_url="http://127.0.0.1:8000", client=("203.0.113.99", 50000))
    theirs = begin(other, scenario="long")
    answers = go_on(duel)
    assert set(answers[:-1]) == {200} and answers[-1] == 429
    refused = walk(duel).json()["error"]
    assert refused["code"] == "too_much_kept" and "delete some" in refused["message"]
    new = {"game": "duel", "scenario": "short"}
    assert small.post("/api/matches", json=new).json()["error"]["code"] == "too_much_kept"
    assert duel.view("red") and small.get(f"/api/matches/{duel.id}/log").status_code == 200
    assert walk(theirs).status_code == 200
    gone = small.delete(f"/api/matches/{duel.id}", params={"seat": "red", "key": duel.keys["red"]})
    assert gone.status_code == 200
    assert small.post("/api/matches", json=new).status_code == 201, "what is deleted counts no more"


def test_what_counts_is_about_what_the_database_grows_by(small: TestClient) -> None:
    store = rooms_of(small).store
    store.quota = 10_000_000
    duel = begin(small, scenario="long")
    before = rows_of(store)
    held = held_by_stranger(store)
    assert set(go_on(duel, 200)) == {200}
    grown, counted = rows_of(store) - before, held_by_stranger(store) - held
    assert 0.5 * grown < counted < 2 * grown + 20_000


def test_talk_and_notes_are_counted_and_come_to_an_end_too(small: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "MOST_IN_A_MINUTE", 10**6)
    monkeypatch.setattr(talking, "MOST_MESSAGES", 20)
    store = rooms_of(small).store
    duel = begin(small, scenario="long")

    def note(text: str) -> Any:
        here = small.get(duel.url("notes"), params=duel.auth("red")).json()
        return small.post(duel.url("notes"), json={**here, **duel.auth("red"), "text": text})

    def say(number: int) -> Any:
        body = {**duel.auth("red"), "text": "x" * 400, "request_id": f"a request {number:020d}"}
        return small.post(duel.url("talk"), json=body)

    before = held_by_stranger(store)
    assert note("\u4e2d" * 1000).status_code == 200
    assert 3000 <= held_by_stranger(store) - before <= 3500, "bytes, not letters"
    for _ in range(20):
        assert note("\u4e2d" * 1000).status_code == 200
    assert held_by_stranger(store) - before <= 3500, "what takes the place of something else is no more"
    before = held_by_stranger(store)
    assert [say(number).status_code for number in range(20)] == [201] * 20
    grown = held_by_stranger(store) - before
    assert 20 * 400 <= grown <= 20 * 800
    assert [say(number).status_code for number in range(20, 60)] == [201] * 40
    assert held_by_stranger(store) - before == grown, "the oldest go"
    monkeypatch.setattr(talking, "MOST_MESSAGES", 10**6)
    answers = [say(number) for number in range(60, 100)]
    assert answers[-1].status_code == 429 and answers[-1].json()["error"]["code"] == "too_much_kept"
    assert note("\u4e2d" * 2000).json()["error"]["code"] == "too_much_kept"
    assert small.get(duel.url("talk"), params=duel.auth("red")).status_code == 200


def held_by_stranger(store: Store) -> int:
    return int(execute(store, "SELECT sum(bytes) FROM held"))


def rows_of(store: Store) -> int:
    """Bytes of the texts of a database."""
    with sqlite3.connect(store.path) as database:
        queries = (
            "SELECT coalesce(sum(length(line) + length(events) + length(place)), 0) FROM journal",
            "SELECT coalesce(sum(length(body)), 0) FROM snapshots",
            "SELECT coalesce(sum(length(answer) + length(request_id) + length(digest)), 0) FROM requests",
        )
        return sum(int(database.execute(query).fetchone()[0] or 0) for query in queries)


def test_an_address_is_forgotten_a_week_after_it_wrote_last(small: TestClient) -> None:
    store = rooms_of(small).store
    duel = begin(small, scenario="long")
    assert go_on(duel)[-1] == 429
    execute(store, "UPDATE held SET written_ms = written_ms - ?", HELD_MS + 1)
    store.prune()
    assert execute(store, "SELECT count(*) FROM held") == 0
    assert go_on(duel, 1) != [429]


def test_the_owner_of_the_machine_is_not_counted(config: ServerConfig) -> None:
    with connect(replace(config, limits=Limits(kept_bytes=1, free_bytes=1 << 60))) as client:
        assert set(go_on(begin(client, scenario="long"), 40)) == {200}
        assert execute(rooms_of(client).store, "SELECT count(*) FROM held") == 0


class Usage(NamedTuple):
    """What ``shutil.disk_usage`` tells."""

    total: int
    used: int
    free: int


def test_the_last_room_on_the_disk_is_kept_for_looking_saving_and_deleting(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(replace(config, local=False, limits=Limits(free_bytes=50_000_000)), STRANGER) as client:
        duel = begin(client, scenario="long")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - 49_000_000, 49_000_000))
        rooms_of(client).store.disk._seen = (-1e9, 0)
        before = duel.view("red")
        refused = walk(duel)
        assert (refused.status_code, refused.json()["error"]["code"]) == (507, "disk_full")
        assert "less than 47 megabytes" in refused.json()["error"]["message"]
        assert client.post("/api/matches", json={"game": "duel", "scenario": "short"}).status_code == 507
        seat = {"seat": "red", "key": duel.keys["red"]}
        assert duel.view("red") == before
        red = client.get(f"/api/matches/{duel.id}/export", params=seat)
        assert red.status_code == 200
        assert client.delete(f"/api/matches/{duel.id}", params=seat).status_code == 200


def test_requests_that_nobody_sends_again_are_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path / "matches.db")
    match_id = store.create(MatchStart(title="", header="{}", summary={}, over=False, keys={"red": "key"}))
    for number in range(1200):
        append(store, match_id, number)
    execute(store, "UPDATE requests SET created_ms = created_ms - ? WHERE request_id < '1100'", HELD_MS + 1)
    young = execute(store, "SELECT count(*) FROM requests WHERE created_ms > ?", 10**12 + HELD_MS)
    assert young == 1200
    store.prune()
    left = execute(store, "SELECT count(*) FROM requests")
    assert left == 1200 - sum(str(number) < "1100" for number in range(1200))
    assert store.request(match_id, "red", "0") is None and store.request(match_id, "red", "999") is not None
    store.close()


def append(store: Store, match_id: int, number: int) -> None:
    store.append(
        match_id, seat="red", version=number, lines=[JournalRow("red", "x", number)], summary=None, over=False,
        request=Request("red", str(number), "digest"), answer={},
    )  # fmt: skip


def execute(store: Store, statement: str, *values: Any) -> Any:
    database = sqlite3.connect(store.path, isolation_level=None)
    try:
        found = database.execute(statement, values).fetchone()
        return found and found[0]
    finally:
        database.close()


# -- a disk without one free page ----------------------------------------------------------------------


def test_on_a_disk_without_one_free_page_a_match_is_deleted_all_the_same(tmp_path: Path) -> None:
    """What the disk refuses is written once the room that was laid by for it is free again."""
    path = tmp_path / "matches.db"

    def step(name: str) -> None:
        if name == "delete: match removed" and spare_of(path).exists():
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error

    store = Store(path, step)
    lay_by(path)
    assert spare_of(path).stat().st_size == SPARE_BYTES
    match_id = store.create(MatchStart(title="", header="{}", summary={}, over=False, keys={"red": "key"}))
    store.delete(match_id)
    assert store.matches() == []
    assert spare_of(path).stat().st_size == SPARE_BYTES, "laid by again, since there is room"
    store.close()


def test_without_that_room_the_deletion_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"

    def step(name: str) -> None:
        if name == "delete: match removed":
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error

    store = Store(path, step)
    match_id = store.create(MatchStart(title="", header="{}", summary={}, over=False, keys={"red": "key"}))
    with pytest.raises(DiskFullError, match="no room left"):
        store.delete(match_id)
    assert [row.id for row in store.matches()] == [match_id]
    store.close()
