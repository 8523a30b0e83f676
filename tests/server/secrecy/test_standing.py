"""Nobody learns that a seat has standing orders, nor that an answer was given by one."""

from __future__ import annotations

from starlette.testclient import TestClient

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.server.secrecy.twins import Twin, Work, assert_alike, spy_on, twins

Pair = tuple[Twin, Twin]


def compare(pair: Pair, session: Session) -> None:
    for seat in ("axis", None):
        first, second = (spy_on(twin, session, seat, 1, 1, asked=seat == "axis") for twin in pair)
        assert_alike(first, second)


def test_orders_and_answers_look_to_others_as_if_a_person_had_answered(
    house: tuple[TestClient, TestClient], work: Work
) -> None:
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    pair = twins(*house, session, work)
    ordered, by_hand = pair
    body = {**ordered.players.auth("soviet"), "mode": "always", "policies": {"proposal": "decline"}}
    assert ordered.players.client.post(ordered.players.url("standing"), json=body).status_code == 200
    compare(pair, session)
    for twin in pair:
        twin.players.act("axis", "end_game")
        twin.settle()
    assert by_hand.players.view("axis")["decision"]["seat"] == "soviet"
    by_hand.players.act("soviet", "decline")
    for twin in pair:
        twin.settle()
        assert twin.players.view("axis")["decision"]["seat"] == "axis"
    compare(pair, session)
    own = [ordered.players.client.get(twin.players.url("log"), params=twin.params("soviet")).json() for twin in pair]
    assert [[item.get("standing", False) for item in log][-1] for log in own] == [True, False]
