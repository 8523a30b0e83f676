"""The server dies while a rematch is asked for or come to: it is there whole, once, or nothing happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.store.test_claim_crashes import answered
from tests.server.store.test_kill import Crashing, check_sound
from tests.server.store.test_talk_crashes import Table

ASKING = ("create: match written", "create: seats written", "create: rematch written", "create: request written")
COMING = ("claim: seat given", "claim: link spent", "append: journal written", "commit", "together: committed")
REQUEST = "an id of a request, drawn"


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


def ask(table: Table, seat: str, request: str = "") -> tuple[int, Any] | None:
    body = {"seat": seat, "key": table.keys[seat], "share": "d4" * 16}
    headers = {"Idempotency-Key": request} if request else {}
    return table.server.request("POST", f"/api/matches/{table.match}/rematch", body, **headers)


def after_the_end(server: Crashing) -> Table:
    table = Table(server)
    answer = table.post("end", "red", how="resign")
    assert answer is not None and answer[1]["done"] is True
    return table


def states(server: Crashing, match: str, seat: str, key: str) -> list[str]:
    seats = answered(server, "GET", f"/api/matches/{match}/seats?seat={seat}&key={key}")["seats"]
    return [seats[name]["state"] for name in ("red", "blue")]


@pytest.mark.parametrize("step", [*ASKING, "commit", "create: committed"])
def test_there_is_one_rematch_though_the_server_dies_over_it(server: Crashing, step: str) -> None:
    table = after_the_end(server)
    server.kill()
    server.start(step, 1)
    assert ask(table, "red", REQUEST) is None, "it died"
    server.start()
    found = answered(server, "GET", table.path("seats", "blue"))["rematch"]
    assert (found is not None) is (step == "create: committed"), "whole, or not at all"
    first = ask(table, "red", REQUEST)
    assert first is not None and first[0] == 201 and list(first[1]["keys"]) == ["blue"]
    assert ask(table, "red", REQUEST) == first, "the answer that was lost"
    made = first[1]["id"]
    assert states(server, made, "blue", first[1]["keys"]["blue"]) == ["waiting", "yours"]
    other = ask(table, "blue")
    assert other is not None and other[1]["id"] == made
    server.kill()
    check_sound(server.data)


@pytest.mark.parametrize("step", COMING)
def test_who_comes_while_the_server_dies_has_come_or_not(server: Crashing, step: str) -> None:
    table = after_the_end(server)
    first = ask(table, "red")
    assert first is not None
    made, key = first[1]["id"], first[1]["keys"]["blue"]
    server.kill()
    server.start(step, 1)
    assert ask(table, "blue") is None, "it died"
    server.start()
    done = step == "together: committed"
    assert states(server, made, "blue", key) == ["person" if done else "waiting", "yours"]
    again = ask(table, "blue")
    assert again is not None and again[0] == 201 and again[1]["id"] == made
    assert states(server, made, "red", again[1]["keys"]["red"]) == ["yours", "person"]
    view = answered(server, "GET", f"/api/matches/{made}/view?seat=red&key={again[1]['keys']['red']}")
    assert view["dice"]["awaits"] == []
    assert sum(share["seat"] == "red" for share in view["dice"]["sources"][-1]["shares"]) == 1, "one share, once"
    server.kill()
    check_sound(server.data)
