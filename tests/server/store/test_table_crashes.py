"""The server dies while a seat is put into the list of open tables, or taken from it: it is done, or it is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.player import brought
from tests.server.store.test_claim_crashes import answered
from tests.server.store.test_kill import Crashing, check_sound

ASKING = ("create: match written", "create: open seats written", "create: request written", "commit")
TAKING = ("claim: seat given", "claim: link spent", "append: journal written", "commit", "together: committed")
BODY = {"game": "duel", "scenario": "short", "guests": ["blue"], "publish": {"pace": "day"}}
ONCE = {"Idempotency-Key": "an id of a request, drawn"}


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


@pytest.mark.parametrize("step", ASKING)
def test_a_table_is_open_once_or_not_at_all(server: Crashing, step: str) -> None:
    server.start(step, 1)
    assert server.request("POST", "/api/matches", BODY, **ONCE) is None, "it died"
    server.start()
    assert answered(server, "GET", "/api/tables") == []
    made = server.request("POST", "/api/matches", BODY, **ONCE)
    assert made is not None and server.request("POST", "/api/matches", BODY, **ONCE) == made
    assert [table["id"] for table in answered(server, "GET", "/api/tables")] == [made[1]["id"]]
    server.kill()
    check_sound(server.data)


@pytest.mark.parametrize("step", TAKING)
def test_an_open_seat_is_taken_whole_or_stays_in_the_list(server: Crashing, step: str) -> None:
    server.start()
    made = answered(server, "POST", "/api/matches", BODY, 201)
    taking = {"match": made["id"], "seat": "blue", "request_id": "0123456789abcdef", "share": "b2" * 16}
    server.kill()
    server.start(step, 1)
    assert server.request("POST", "/api/tables/take", taking) is None, "it died"
    server.start()
    done = step == "together: committed"
    assert len(answered(server, "GET", "/api/tables")) == (0 if done else 1)
    key = answered(server, "POST", "/api/tables/take", taking)["key"]
    assert answered(server, "GET", "/api/tables") == []
    view = answered(server, "GET", f"/api/matches/{made['id']}/view?seat=blue&key={key}")
    assert brought("blue", "b2" * 16) in view["dice"]["sources"][-1]["shares"] and not view["dice"]["awaits"]
    server.kill()
    check_sound(server.data)
