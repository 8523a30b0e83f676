"""A match that was saved or copied whole says so to those who come into it later."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.store import DiskFullError
from tests.server.conftest import rooms_of
from tests.server.player import Duelist, claim


@pytest.fixture
def alone(client: TestClient) -> Duelist:
    """Red against the computer, with an order given."""
    duel = Duelist.start(client, scenario="long", controllers={"blue": {"kind": "bot", "bot": "random"}})
    duel.send(duel.body("red", "hide 3"))
    return duel


def look_at(duel: Duelist) -> tuple[dict[str, Any], list[str]]:
    """What the invitation to Blue tells, and what the log tells once the guest has come."""
    done = duel.client.post(duel.url("agree"), json={**duel.auth("red"), "topic": "invite", "of": "blue"})
    assert done.status_code == 200, done.text
    token = done.json()["token"]
    told = duel.client.post("/api/invitations/look", json={"token": token}).json()
    duel.keys["blue"] = claim(duel.client, token)["key"]
    log = duel.client.get(duel.url("log"), params=duel.auth("blue")).json()
    return told, [event["text"] for entry in log for event in entry["events"] if event["kind"] == "table"]


def says_so(texts: list[str]) -> bool:
    return any("before this player came the whole game was saved or copied" in text for text in texts)


def test_a_match_of_which_nothing_was_shown_says_nothing(alone: Duelist) -> None:
    told, log = look_at(alone)
    assert not told["shown"] and not says_so(log)


@pytest.mark.parametrize("way", ["export", "copy"])
def test_what_was_saved_or_copied_while_one_played_alone_is_reported_to_who_comes(alone: Duelist, way: str) -> None:
    if way == "export":
        assert alone.client.get(alone.url("export"), params=alone.auth("red")).status_code == 200
    else:
        assert alone.client.post(alone.url("copy"), json=alone.auth("red")).status_code == 201
    version = alone.view("red")["version"]
    assert alone.view("red")["version"] == version, "it changes nothing for who plays alone"
    told, log = look_at(alone)
    assert told["shown"] and says_so(log)
    assert alone.client.get(alone.url("seats"), params=alone.auth("blue")).json()["shown"]


def test_a_copy_and_what_was_read_from_a_file_say_so_too(alone: Duelist) -> None:
    """Somebody who has two copies looks at one of them and invites to the other."""
    made = alone.client.post(alone.url("copy"), json=alone.auth("red")).json()
    told, log = look_at(Duelist(alone.client, made["id"], made["keys"]))
    assert told["shown"] and says_so(log)
    save = alone.client.get(alone.url("export"), params=alone.auth("red")).content
    kind = {"content-type": "application/x-ndjson"}
    made = alone.client.post("/api/import", content=save, headers=kind).json()
    told, log = look_at(Duelist(alone.client, made["id"], made["keys"]))
    assert told["shown"] and says_so(log)


@pytest.mark.parametrize("copied", [False, True])
def test_whoever_ends_the_game_looks_and_goes_back_is_reported_too(alone: Duelist, copied: bool) -> None:
    """When a game is over everything lies open; alone one may go back behind the end."""
    resigned = alone.client.post(alone.url("end"), json={**alone.auth("red"), "how": "resign"})
    assert resigned.json()["done"]
    if copied:
        made = alone.client.post(alone.url("copy"), json=alone.auth("red")).json()
        alone = Duelist(alone.client, made["id"], made["keys"])
    ply = alone.view("red")["ply"]
    assert alone.undo("red", to=ply - 1).status_code == 200
    assert alone.view("red")["outcome"] is None
    told, log = look_at(alone)
    assert told["shown"] and says_so(log)


def test_on_a_full_disk_it_is_saved_and_remembered(alone: Duelist, monkeypatch: pytest.MonkeyPatch) -> None:
    store = rooms_of(alone.client).store

    def refuse(name: str) -> None:
        if name == "shown: written":
            raise DiskFullError("full")

    monkeypatch.setattr(store, "_step", refuse)
    assert alone.client.get(alone.url("export"), params=alone.auth("red")).status_code == 200
    monkeypatch.undo()
    told, log = look_at(alone)
    assert told["shown"] and says_so(log)


def test_the_record_keeps_it(alone: Duelist) -> None:
    alone.client.get(alone.url("export"), params=alone.auth("red"))
    look_at(alone)
    store = rooms_of(alone.client).store
    assert any('"@shown"' in row.line for row in store.journal(int(alone.id)))
