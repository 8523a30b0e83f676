"""New matches: each request makes one, however often it is sent, and an address makes a limited number."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.limits import Limits
from rasputitsa.server.store import Store, creations
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist

STRANGER = "10.1.2.3"
SEVEN_DAYS_MS = 604_800_000
NEW = {"game": "duel", "scenario": "short"}
GUEST = {**NEW, "guests": ["blue"]}


def create(client: TestClient, request_id: str, body: dict[str, Any] = NEW) -> httpx.Response:
    return client.post("/api/matches", json=body, headers={"idempotency-key": request_id})


def bring(client: TestClient, request_id: str, save: str) -> httpx.Response:
    headers = {"idempotency-key": request_id, "content-type": "application/x-ndjson"}
    return client.post("/api/import", content=save, headers=headers)


def copy(client: TestClient, request_id: str, match: str) -> httpx.Response:
    return client.post(f"/api/matches/{match}/copy", json={}, headers={"idempotency-key": request_id})


def matches(config: ServerConfig) -> int:
    store = Store(config.database)
    try:
        return len(store.matches())
    finally:
        store.close()


def test_a_match_asked_for_twice_is_made_once_also_across_a_restart(config: ServerConfig) -> None:
    request_id = secrets.token_urlsafe(24)
    with connect(config) as client:
        first = create(client, request_id, GUEST)
        assert first.status_code == 201
    with connect(config) as client:
        again = create(client, request_id, GUEST)
        assert (again.status_code, again.json()) == (201, first.json())
        duel = Duelist(client, again.json()["id"], again.json()["keys"])
        assert duel.act("red", "hide 3")["ply"] == 1, "the keys of the repeated answer open the seats"
        token = again.json()["invitations"]["blue"]
        assert len(token) >= 32
    assert matches(config) == 1


def test_copies_and_imports_sent_twice_are_made_once_also_across_a_restart(config: ServerConfig) -> None:
    ids = [secrets.token_urlsafe(24) for _ in range(2)]
    with connect(config) as client:
        duel = Duelist.start(client)
        duel.play(TURN)
        save = client.get(duel.url("export")).text
        copied, brought = copy(client, ids[0], duel.id).json(), bring(client, ids[1], save).json()
    with connect(config) as client:
        assert copy(client, ids[0], duel.id).json() == copied
        assert bring(client, ids[1], save).json() == brought
    assert matches(config) == 3


def test_a_request_id_cannot_be_used_for_another_match(client: TestClient) -> None:
    request_id = secrets.token_urlsafe(24)
    made = create(client, request_id).json()
    for other in (
        create(client, request_id, {**NEW, "title": "another"}),
        copy(client, request_id, made["id"]),
        bring(client, request_id, "{}"),
    ):
        assert (other.status_code, other.json()["error"]["code"]) == (409, "request_reused")


def test_the_same_request_many_times_at_once_makes_one_match(config: ServerConfig) -> None:
    request_id = secrets.token_urlsafe(24)
    with connect(config) as client, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: create(client, request_id).json(), range(16)))
    assert all(answer == answers[0] for answer in answers)
    assert matches(config) == 1


def test_requests_without_an_id_or_with_others_make_matches_of_their_own(config: ServerConfig) -> None:
    with connect(config) as client:
        made = [client.post("/api/matches", json=NEW).json() for _ in range(2)]
        made += [create(client, secrets.token_urlsafe(24)).json() for _ in range(2)]
    assert len({answer["id"] for answer in made}) == 4
    assert len({key for answer in made for key in answer["keys"].values()}) == 8


def test_a_refused_request_may_be_sent_again(client: TestClient) -> None:
    request_id = secrets.token_urlsafe(24)
    assert create(client, request_id, {**NEW, "scenario": "nowhere"}).status_code == 400
    assert create(client, request_id).status_code == 201


@pytest.mark.parametrize("request_id", ["", "1", "x" * 19, "x" * 81])
def test_a_request_id_that_could_be_guessed_is_refused(client: TestClient, request_id: str) -> None:
    """Anyone who knows it gets the keys of the match."""
    response = create(client, request_id)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


def test_no_key_and_no_request_id_is_in_the_database(config: ServerConfig) -> None:
    request_id = secrets.token_urlsafe(24)
    with connect(config) as client:
        made = create(client, request_id, GUEST).json()
    stored = b"".join(path.read_bytes() for path in config.data.glob("matches.db*"))
    secret = [request_id, *made["keys"].values(), *made["invitations"].values()]
    assert all(text.encode() not in stored for text in secret)


def test_new_matches_of_a_stranger_are_limited(config: ServerConfig) -> None:
    """505 were started by one stranger within a minute."""
    settings = replace(config, local=False, limits=Limits(requests=0), proxies=(STRANGER,))
    with connect(settings, STRANGER) as client:
        answers = [client.post("/api/matches", json=NEW) for _ in range(60)]
        made = [answer for answer in answers if answer.status_code == 201]
        assert 30 <= len(made) <= 32
        refused = answers[-1]
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many")
        assert "please wait a while" in refused.json()["error"]["message"]
        assert int(refused.headers["retry-after"]) >= 1
        assert client.post("/api/matches", json=NEW, headers={"x-forwarded-for": "10.9.9.9"}).status_code == 201


def test_a_week_is_counted_across_restarts_and_deletions(config: ServerConfig) -> None:
    settings = replace(config, local=False, limits=Limits(requests=0, matches=0, matches_week=3))
    for number in range(5):
        with connect(settings, STRANGER) as client:
            made = client.post("/api/matches", json={**NEW, "controllers": {"blue": {"kind": "bot", "bot": "random"}}})
            assert made.status_code == (201 if number < 3 else 429)
            if number == 0:
                where = {"seat": "red", "key": made.json()["keys"]["red"]}
                assert client.delete(f"/api/matches/{made.json()['id']}", params=where).status_code == 200
    assert "this week" in made.json()["error"]["message"]


def test_a_request_counts_and_is_known_for_seven_days(config: ServerConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(config, local=False, limits=Limits(requests=0, matches=0, matches_week=1))
    now = 1_900_000_000_000
    monkeypatch.setattr(creations, "now_ms", lambda: now)
    request_id = secrets.token_urlsafe(24)
    with connect(settings, STRANGER) as client:
        first = create(client, request_id).json()["id"]
        assert create(client, secrets.token_urlsafe(24)).status_code == 429
        now += SEVEN_DAYS_MS - 1
        assert create(client, secrets.token_urlsafe(24)).status_code == 429
        assert create(client, request_id).json()["id"] == first
        now += 1
        assert create(client, secrets.token_urlsafe(24)).status_code == 201


def test_a_repeated_request_does_not_count(config: ServerConfig) -> None:
    request_id = secrets.token_urlsafe(24)
    settings = replace(config, local=False, limits=Limits(requests=0, matches=0, matches_week=1))
    with connect(settings, STRANGER) as client:
        assert [create(client, request_id).status_code for _ in range(3)] == [201] * 3
        assert create(client, secrets.token_urlsafe(24)).status_code == 429


def test_a_title_is_kept_as_it_can_be_shown(client: TestClient) -> None:
    for title, kept in (
        ("\u202e\u2066evil\u2069", "evil"),
        ("a\u0000b", "a b"),
        ("\u001b]0;pwn\u0007", "]0;pwn"),
        ("e" + "\u0301" * 110 + "!", "e" + "\u0301" * 4 + "!"),
    ):
        made = client.post("/api/matches", json={**NEW, "title": title}).json()
        assert client.get(f"/api/matches/{made['id']}/view").json()["title"] == kept
