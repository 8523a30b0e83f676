"""The server dies while somebody takes a seat: they have it with a share in the promised dice, or nothing happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.record.seeds import DRAWN
from tests.server.player import brought
from tests.server.store.test_kill import Crashing, check_sound

STEPS = (
    "claim: seat given", "claim: link spent", "append: version raised", "append: journal written",
    "append: match written", "commit", "together: committed",
)  # fmt: skip
MINE, YOURS = "a1" * 16, "b2" * 16
REQUEST = "0123456789abcdef0123"


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


def answered(server: Crashing, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    answer = server.request(method, path, body)
    assert answer is not None and answer[0] == status, answer
    return answer[1]


def invited_at_the_start(server: Crashing) -> tuple[str, str, str]:
    """Match, key of Red and token of the link for Blue."""
    made = answered(
        server, "POST", "/api/matches",
        {"game": "duel", "scenario": "short", "guests": ["blue"], "share": MINE}, 201,
    )  # fmt: skip
    return made["id"], made["keys"]["red"], made["invitations"]["blue"]


def invited_to_a_game_of_one(server: Crashing) -> tuple[str, str, str]:
    """The same; Red has begun it alone, with a chosen seed."""
    made = answered(server, "POST", "/api/matches", {"game": "duel", "scenario": "short", "seed": 7}, 201)
    body = {"seat": "red", "key": made["keys"]["red"], "of": "blue"}
    token = answered(server, "POST", f"/api/matches/{made['id']}/invitations", body, 201)["token"]
    return made["id"], made["keys"]["red"], token


@pytest.mark.parametrize("invited", [invited_at_the_start, invited_to_a_game_of_one])
@pytest.mark.parametrize("step", STEPS)
def test_whoever_claims_a_seat_while_the_server_dies_keeps_a_share_in_the_promised_dice(
    server: Crashing, invited: Any, step: str
) -> None:
    server.start()
    match, key, token = invited(server)
    promised = answered(server, "POST", "/api/invitations/look", {"token": token})["dice"]
    server.kill()
    claim = {"token": token, "request_id": REQUEST, "share": YOURS, "name": "Anna"}
    server.start(step, 1)
    assert server.request("POST", "/api/invitations/claim", claim) is None, "it died"
    server.start()
    seen = answered(server, "GET", f"/api/matches/{match}/view?seat=red&key={key}")
    spent = answered(server, "POST", "/api/invitations/look", {"token": token})["spent"]
    assert spent is (step == "together: committed"), "before the end of it nothing has happened"
    if not spent:
        assert seen["version"] == 0 and YOURS not in str(seen["dice"]) and "Anna" not in str(seen)
    others = server.request("POST", "/api/invitations/claim", {**claim, "request_id": "x" * 20, "share": "c3" * 16})
    if spent:
        assert others is not None and others[0] == 409
        mine = answered(server, "POST", "/api/invitations/claim", claim)  # sent again: the answer was lost
    else:
        assert others is not None and others[0] == 200, "the link is as good as it was"
        mine = others[1]
    view = answered(server, "GET", f"/api/matches/{match}/view?seat=blue&key={mine['key']}")
    dice = view["dice"]
    assert dice["digest"] == promised, "no other seed than the promised one"
    (source,) = [known for known in dice["sources"] if known["digest"] == promised]
    assert source["made"] == DRAWN and dice["awaits"] == []
    shares = {share["seat"]: share for share in source["shares"]}
    assert shares["blue"] == brought("blue", YOURS if spent else "c3" * 16)
    assert [entry["action"] for entry in answered(server, "GET", f"/api/matches/{match}/log")].count(
        "@control human Anna"
    ) == 1
    server.kill()
    check_sound(server.data)
