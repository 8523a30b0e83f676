"""Names of players: nobody is called like the computer or like somebody else, and what is no letter is left out."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from tests.server.player import Duelist, claim
from tests.server.seats.test_seats import post, refused
from tests.server.seats.test_table import sit_down, table


@pytest.mark.parametrize(
    "name", ["Computer (planner)", "the COMPUTER", "Соmрutеr", "c\u0301omputer", "C-o m.p u t e r", "C0mputer"]
)
def test_nobody_is_called_like_the_computer(client: TestClient, name: str) -> None:
    named = {"kind": "human", "name": name}
    made = {"game": "duel", "scenario": "short", "controllers": {"red": named}}
    refused(client.post("/api/matches", json=made), 400, "bad_request")
    duel = Duelist.start(client, guests=["blue"])
    refused(post(duel, "controllers", "red", controller=named), 400, "bad_request")
    guest = {"token": duel.links["blue"], "request_id": "sitting down at a table", "name": name}
    refused(client.post("/api/invitations/claim", json=guest), 400, "bad_request")
    assert table(duel, "red")["seats"]["blue"]["state"] == "waiting"


@pytest.mark.parametrize("name", ["Anna", "  anna ", "Аnnа", "Ánna"])
def test_nobody_is_called_like_somebody_else(client: TestClient, name: str) -> None:
    duel = Duelist.start(client, guests=["blue"], controllers={"red": {"kind": "human", "name": "Anna"}})
    guest = {"token": duel.links["blue"], "request_id": "sitting down at a table", "name": name}
    refused(client.post("/api/invitations/claim", json=guest), 409, "name_taken")
    sit_down(duel, "blue", name="Boris")
    refused(post(duel, "controllers", "blue", controller={"kind": "human", "name": name}), 409, "name_taken")
    assert post(duel, "controllers", "red", controller={"kind": "human", "name": name}).status_code == 200
    again = Duelist.start(
        client, guests=["blue"], publish={"pace": "day"}, controllers={"red": {"kind": "human", "name": "Anna"}}
    )
    open_seat = {"match": again.id, "seat": "blue", "request_id": "sitting down at a table", "name": name}
    refused(client.post("/api/tables/take", json=open_seat), 409, "name_taken")


def test_a_name_is_cleaned_before_it_is_kept(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    claim(client, duel.links["blue"], name="Jan\u2028\u0007 K\u202e.")
    assert duel.view("red")["controllers"]["blue"]["name"] == "Jan K ."
    for name, kept in (
        ("\u0e2a" + "\u0e47" * 60, "\u0e2a" + "\u0e47" * 4),  # marks without a combining class tower as well
        ("a" + "\u20dd" * 60, "a" + "\u20dd" * 4),
        ("Red\u3164", "Red"),
        ("\u115f \uffa0\u2800", None),
        ("\u0915\u094d\u0937\u093f", "\u0915\u094d\u0937\u093f"),
    ):
        duel = Duelist.start(client, guests=["blue"])
        claim(client, duel.links["blue"], name=name)
        assert duel.view("red")["controllers"]["blue"].get("name") == kept
    duel = Duelist.start(client, guests=["blue"])
    content = json.dumps({"token": duel.links["blue"], "request_id": "0123456789abcdef", "name": "\ud800 \udfff"})
    headers = {"content-type": "application/json"}
    taken = client.post("/api/invitations/claim", content=content, headers=headers)
    assert taken.status_code in (200, 400), taken.text
    duel.view("red")
