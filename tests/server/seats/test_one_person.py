"""One person in several seats, and several who may be one."""

from __future__ import annotations

from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect
from tests.server.player import Duelist, claim
from tests.server.seats.test_table import actions, four, sit_down, states, table


def test_who_proves_to_be_there_already_stays_one_person_and_the_match_says_so(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.start(client, guests=["blue"])
        duel.keys["blue"] = claim(client, duel.links["blue"], keys={"red": duel.keys["red"]})["key"]
        assert states(duel, "red") == ["yours", "yours"] == states(duel, "blue")
        assert table(duel)["opened"] and actions(duel) == ["@opened"]
        assert table(duel, "red")["alone"]


def test_the_owner_of_the_machine_stays_one_person_by_an_own_invitation(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    duel.keys["blue"] = claim(client, duel.links["blue"], keys={"red": duel.keys["red"]})["key"]
    assert states(duel, "red") == ["yours", "yours"] and table(duel)["opened"]


def test_a_key_that_opens_nothing_proves_nothing(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.start(client, guests=["blue"])
        duel.keys["blue"] = claim(client, duel.links["blue"], keys={"red": "wrong", "blue": "x", "green": "y"})["key"]
        assert states(duel, "red") == ["yours", "person"] and not table(duel)["opened"]


def test_a_further_seat_of_the_same_side_opens_nothing_by_invitation_either(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        match = four(client)
        (mine,) = match.keys
        match.keys["axis_south"] = claim(client, match.links["axis_south"], keys={mine: match.keys[mine]})["key"]
        assert not table(match)["opened"]
        assert table(match, mine)["seats"]["axis_south"]["state"] == "yours"


def test_seats_that_were_taken_from_one_address_are_reported(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        match = four(client)
    for seat, host in (("axis_south", "10.0.0.7"), ("soviet_north", "10.0.0.7"), ("soviet_south", "10.0.0.8")):
        with connect(config, host=host) as client:
            match.client = client
            sit_down(match, seat)
    with connect(config, host="10.0.0.5") as client:
        match.client = client
        near = {name for name, seat in table(match)["seats"].items() if seat["near"]}
        assert near == {"axis_south", "soviet_north"}
    content = b"".join(path.read_bytes() for path in config.data.glob("matches.db*"))
    assert b"10.0.0.7" not in content and b"10.0.0.9" in content, "of guests' addresses there are digests alone"


def test_a_guest_from_where_the_match_was_started_is_reported(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.between_two(client)
        assert table(duel)["seats"]["blue"]["near"] and not table(duel)["seats"]["red"]["near"]
