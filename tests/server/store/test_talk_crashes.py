"""The server dies while somebody speaks, notes something down or ends the game: it is kept once, or did not happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.record.entries import DRAWN, RESIGNED
from tests.duel.game import HEXES
from tests.server.store.test_claim_crashes import answered, invited_at_the_start
from tests.server.store.test_kill import Crashing, check_sound

REQUEST = "a message of some length"
ENDS = {"resign": RESIGNED, "draw": DRAWN}


@pytest.fixture
def server(tmp_path: Path, duel_installed: None) -> Iterator[Crashing]:
    crashing = Crashing(tmp_path)
    yield crashing
    crashing.close()


class Table:
    """Two people who have sat down."""

    def __init__(self, server: Crashing) -> None:
        self.server = server
        server.start()
        self.match, red, token = invited_at_the_start(server)
        claim = {"token": token, "request_id": "x" * 20, "share": "c3" * 16}
        self.keys = {"red": red, "blue": answered(server, "POST", "/api/invitations/claim", claim)["key"]}

    def path(self, what: str, seat: str) -> str:
        return f"/api/matches/{self.match}/{what}?seat={seat}&key={self.keys[seat]}"

    def post(self, what: str, seat: str, **body: Any) -> tuple[int, Any] | None:
        body = {"seat": seat, "key": self.keys[seat], **body}
        return self.server.request("POST", f"/api/matches/{self.match}/{what}", body)

    def die(self, step: str, number: int, what: str, seat: str, **body: Any) -> None:
        """Ask for something; the server dies at a step of it, and another one starts."""
        self.server.kill()
        self.server.start(step, number)
        assert self.post(what, seat, **body) is None, "it died"
        self.server.start()

    def said(self, seat: str) -> list[str]:
        messages = answered(self.server, "GET", self.path("talk", seat))["messages"]
        return [message["text"] for message in messages]


@pytest.mark.parametrize("step", ["say: written", "commit"])
def test_a_message_is_said_once_though_the_server_dies_over_it(server: Crashing, step: str) -> None:
    table = Table(server)
    table.die(step, 1, "talk", "red", text="Hello", request_id=REQUEST)
    assert table.said("blue") == []
    for _ in range(2):
        answer = table.post("talk", "red", text="Hello", request_id=REQUEST)
        assert answer is not None and answer[0] == 201
        assert table.said("blue") == ["Hello"]
    server.kill()
    server.start()
    again = table.post("talk", "red", text="Hello", request_id=REQUEST)
    assert again == answer and table.said("blue") == ["Hello"], "also by the next server"
    server.kill()
    check_sound(server.data)


@pytest.mark.parametrize("step", ["notes: written", "commit"])
def test_notes_are_the_old_ones_or_the_new_ones(server: Crashing, step: str) -> None:
    table = Table(server)
    before = table.post("notes", "red", text="before")
    assert before is not None and before[0] == 200
    table.die(step, 1, "notes", "red", text="after", **before[1])
    assert answered(server, "GET", table.path("notes", "red")) == {"text": "before", **before[1]}
    after = table.post("notes", "red", text="after", **before[1])
    assert after is not None and after[0] == 200
    server.kill()
    server.start()
    assert table.post("notes", "red", text="after", **before[1]) == after, "also by the next server"
    assert answered(server, "GET", table.path("notes", "red")) == {"text": "after", **after[1]}
    server.kill()
    check_sound(server.data)


@pytest.mark.parametrize("step", ["sketch: written", "commit"])
def test_map_notes_are_the_old_ones_or_the_new_ones(server: Crashing, step: str) -> None:
    table = Table(server)
    before, after = ([{"at": HEXES[0], "to": "", "text": text, "share": "me"}] for text in ("before", "after"))
    first = table.post("map-notes", "red", marks=before)
    assert first is not None and first[0] == 200
    table.die(step, 1, "map-notes", "red", marks=after, **first[1])
    assert answered(server, "GET", table.path("map-notes", "red"))["marks"] == before
    second = table.post("map-notes", "red", marks=after, **first[1])
    assert second is not None and second[0] == 200
    assert answered(server, "GET", table.path("map-notes", "red"))["marks"] == after
    server.kill()
    check_sound(server.data)


@pytest.mark.parametrize("how", ["resign", "draw"])
@pytest.mark.parametrize(
    "step",
    [
        "append: version raised", "append: journal written", "append: match written", "commit", "together: committed",
    ],
)  # fmt: skip
def test_a_game_is_ended_whole_or_not_at_all(server: Crashing, step: str, how: str) -> None:
    """With the offers it was ended by: none of them is left for the other to accept."""
    table = Table(server)
    if how == "draw":
        answer = table.post("end", "blue", how="draw")
        assert answer is not None and answer[1]["done"] is False
    table.die(step, 1, "end", "red", how=how)
    done = step == "together: committed"
    for seat in ("red", "blue"):
        view = answered(server, "GET", table.path("view", seat))
        assert (view["outcome"] is not None) is done
        seats = answered(server, "GET", table.path("seats", seat))
        assert seats["draws"] == ([] if done or how == "resign" else ["blue"]) and seats["resigns"] == []
    again = table.post("end", "red", how=how)
    assert again is not None and again[0] == (409 if done else 200)
    view = answered(server, "GET", table.path("view", "blue"))
    assert view["outcome"]["winner"] == ("blue" if how == "resign" else None)
    log = answered(server, "GET", table.path("log", "blue"))
    assert sum(entry["action"].startswith(ENDS[how]) for entry in log) == 1, [entry["action"] for entry in log]
    server.kill()
    check_sound(server.data)
