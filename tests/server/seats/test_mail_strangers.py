"""Who may have a mailbox asked, and how often: no stranger keeps its owner away, and it is not flooded."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store.people.mails import AT_ONCE, MOST_ASKED
from tests.server.conftest import connect
from tests.server.mailbox import Mailbox
from tests.server.player import Duelist
from tests.server.seats.test_mail import ANNA, DAY, agree, ask
from tests.server.seats.test_mail import mailbox as mailbox
from tests.server.seats.test_mail import mailing as mailing
from tests.server.seats.test_notices import MINUTE, House, way
from tests.server.seats.test_notices import noticing as noticing


def test_no_stranger_uses_up_what_its_owner_may_ask(mailing: ServerConfig, mailbox: Mailbox) -> None:
    with connect(mailing, host="10.0.0.1") as client:
        strange, house = Duelist.between_two(client), House(client)
        stranger = {**strange.auth("blue"), "form": "mail", "address": ANNA}
        for _ in range(MOST_ASKED):
            ask(strange)
        for neighbour in ("10.0.0.1", "10.0.0.200"):
            assert asked_from(client, neighbour, strange.url("notices"), stranger) == 429
        own = Duelist.between_two(client)
        owner = {**own.auth("blue"), "form": "mail", "address": "An.na+games@mail.example"}
        assert asked_from(client, "192.0.2.7", own.url("notices"), owner) == 200
        house.look()
        question = next(found for found in mailbox.read() if found.to == ["An.na+games@mail.example"])
        agree(house, question)
        assert way(own, "blue")["waiting"] is False


def test_from_many_networks_a_mailbox_is_asked_seven_times_in_a_day_at_most(
    mailing: ServerConfig, mailbox: Mailbox
) -> None:
    with connect(mailing, host="10.0.0.1") as client:
        duel, house = Duelist.between_two(client), House(client)
        body = {**duel.auth("blue"), "form": "mail", "address": ANNA}

        def swarm(first: int) -> int:
            """How many of twenty networks may have the mailbox asked."""
            path = duel.url("notices")
            return [asked_from(client, f"10.{first}.{n}.1", path, body) for n in range(20)].count(200)

        assert swarm(1) == AT_ONCE
        for hours, more in ((3.9, 0), (4.1, 1), (11.9, 0), (12.1, 1), (23.9, 0)):
            house.now = hours * 60 * MINUTE
            assert swarm(2) == more, hours
        house.now = DAY + MINUTE
        assert swarm(3) == AT_ONCE, "the next day"


def asked_from(client: TestClient, host: str, path: str, body: dict[str, Any]) -> int:
    """What a caller from another address is answered; the server is the same."""
    caller = TestClient(client.app, base_url=str(client.base_url), client=(host, 50000))
    caller.portal = client.portal
    return caller.post(path, json=body).status_code
