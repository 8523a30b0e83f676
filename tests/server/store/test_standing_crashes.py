"""The server dies while a standing order answers: the answer is given and marked, once, whenever it dies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.store.test_claim_crashes import answered
from tests.server.store.test_kill import Crashing, check_sound

STEPS = (
    ("append: version raised", 1), ("append: journal written", 1), ("standing: noted", 1), ("commit", 1), ("commit", 2),
    ("together: committed", 1),
)  # fmt: skip
BODY = {"game": "wir", "scenario": "zitadelle", "guests": ["soviet"]}


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


@pytest.mark.parametrize(("step", "number"), STEPS)
def test_an_answer_is_given_and_marked_once(server: Crashing, step: str, number: int) -> None:
    server.start()
    made = answered(server, "POST", "/api/matches", BODY, 201)
    match, link = f"/api/matches/{made['id']}", made["invitations"]["soviet"]
    claiming = {"token": link, "request_id": "0123456789abcdef"}
    key = answered(server, "POST", "/api/invitations/claim", claiming)["key"]
    auth, axis = {"seat": "soviet", "key": key}, {"seat": "axis", "key": made["keys"]["axis"]}
    version = answered(server, "GET", f"{match}/view?seat=axis&key={axis['key']}")["version"]
    proposing = {**axis, "version": version, "action": "end_game", "request_id": "proposed once"}
    answered(server, "POST", f"{match}/actions", proposing)
    server.kill()
    server.start(step, number)
    orders = {**auth, "mode": "always", "policies": {"proposal": "decline"}}
    log = f"{match}/log?seat=soviet&key={key}"
    if server.request("POST", f"{match}/standing", orders) is not None:
        server.reap()
    server.start()
    if not answered(server, "GET", f"{match}/standing?seat=soviet&key={key}")["policies"]:
        answered(server, "POST", f"{match}/standing", orders)
    given: list[bool] = []
    while not given:
        entries = answered(server, "GET", log)
        given = [item.get("standing", False) for item in entries if item["action"] == "decline"]
    assert given == [True]
    server.kill()
    check_sound(server.data)
