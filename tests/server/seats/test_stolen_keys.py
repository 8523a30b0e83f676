"""What somebody has set up with a stolen key: it ends when the holder of the seat makes all other keys void."""

from __future__ import annotations

from typing import Any

from tests.server.player import Duelist
from tests.server.seats.test_calendar import joined, told
from tests.server.seats.test_notices import Endpoint, House, endpoint, house, noticing, tell, way
from tests.server.seats.test_seats import post

__all__ = ["endpoint", "house", "noticing"]  # fixtures


def rid_of_others(duel: Duelist, seat: str) -> None:
    """Make all keys to a seat void but a new one."""
    duel.keys[seat] = post(duel, "keys", seat).json()["key"]
    assert post(duel, "keys/only", seat).status_code == 200


def standing(duel: Duelist, seat: str) -> Any:
    return duel.client.get(duel.url("standing"), params=duel.auth(seat)).json()["policies"]


def test_notices_and_a_calendar_end_with_the_stolen_key(house: House, endpoint: Endpoint) -> None:
    duel = Duelist.between_two(house.client)
    tell(duel, "blue", endpoint.address())
    calendar = joined(duel, "blue")
    duel.act("red", "hide 3")
    assert told(house.client, calendar), "it is Blue's turn"
    rid_of_others(duel, "blue")
    house.away()
    assert endpoint.heard() == [] and way(duel, "blue") is None
    assert told(house.client, calendar) == []
    tell(duel, "blue", endpoint.address())
    house.away()
    assert len(endpoint.heard()) == 2, "the holder can have notices again: a first one, and the turn"


def test_standing_orders_end_with_the_stolen_key(house: House) -> None:
    duel = Duelist.start(house.client, game="wir", scenario="barbarossa_short", guests=["soviet"])
    offered = house.client.get(duel.url("standing"), params=duel.auth("axis")).json()["offered"]
    policies = {offered[0]["id"]: offered[0]["policies"][0]["id"]}
    given = post(duel, "standing", "axis", mode="always", policies=policies)
    assert given.json()["policies"] == policies == standing(duel, "axis")
    rid_of_others(duel, "axis")
    assert standing(duel, "axis") == {}
