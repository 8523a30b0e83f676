"""Games that people end at the table: who may, who has to agree, and what the computer says to it."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.record.session import Session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import offers
from rasputitsa.server.routes import ending
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist
from tests.server.seats.test_seats import post, refused
from tests.server.seats.test_table import BOT, four, sit_down, table


def end(duel: Duelist, seat: str, how: str, **body: Any) -> dict[str, Any]:
    response = post(duel, "end", seat, how=how, **body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def outcome(duel: Duelist, seat: str | None = None) -> Any:
    found = duel.view(seat)["outcome"]
    return found and (found["winner"], found["reason"])


def test_who_resigns_has_lost_and_everything_is_laid_open(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.between_two(client)
        duel.act("red", "hide 3")
        assert duel.view("blue")["secret"] is None and duel.view("blue")["dice"]["seed"] is None
        assert end(duel, "red", "resign") == {"done": True, "word": ""}
        for seat in ("red", "blue", None):
            view = duel.view(seat)
            assert outcome(duel, seat) == ("blue", "Red resigned") and view["decision"] is None
            assert view["secret"] == 3 and view["dice"]["seed"] is not None
        duel.refused("blue", "guess 3", 409, "over")
        refused(post(duel, "end", "blue", how="resign"), 409, "over")
        refused(post(duel, "end", "blue", how="draw"), 409, "over")
        log = client.get(duel.url("log"), params=duel.auth("blue")).json()
        assert log[-1]["events"][0]["text"] == "Red resigns, and the game is over"
        saved = client.get(duel.url("export"), params=duel.auth("blue"))
        found = Session.load(saved.text).outcome()
        assert found is not None and found.winner == "blue"
    with connect(config, host="10.0.0.9") as client:
        duel.client = client
        assert outcome(duel, "blue") == ("blue", "Red resigned") and duel.view("blue", at=1)["outcome"] is None
        (row,) = client.post("/api/lobby", json={"keys": {duel.id: {"red": duel.keys["red"]}}}).json()
        assert row["over"] and row["to_move"] is None
        made = client.post("/api/import", content=saved.text, headers={"content-type": "application/x-ndjson"})
        copy = Duelist(client, made.json()["id"], made.json()["keys"])
        assert outcome(copy, "red") == ("blue", "Red resigned")


def test_nobody_resigns_for_another(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    refused(
        client.post(duel.url("end"), json={"seat": "blue", "key": duel.keys["red"], "how": "resign"}), 403, "bad_key"
    )
    refused(client.post(duel.url("end"), json={"seat": "grey", "key": "", "how": "resign"}), 403, "bad_key")
    assert client.post(duel.url("end"), json={**duel.auth("red"), "how": "win"}).status_code == 400
    assert outcome(duel) is None


def test_a_draw_takes_everybody(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    assert not end(duel, "red", "draw")["done"]
    assert table(duel, "blue")["draws"] == ["red"] and not table(duel, "blue")["agreed"]
    assert not end(duel, "red", "draw")["done"], "asking twice is not agreement"
    assert end(duel, "blue", "draw")["done"]
    assert outcome(duel, "red") == (None, "all players have agreed to a draw")
    assert table(duel, "red")["draws"] == []


def test_a_draw_can_be_declined_and_taken_back(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    end(duel, "red", "draw")
    end(duel, "blue", "draw", yes=False)
    assert table(duel, "red")["draws"] == [] and not end(duel, "blue", "draw")["done"]
    end(duel, "blue", "draw", yes=False)
    assert table(duel, "red")["draws"] == [] and not end(duel, "red", "draw")["done"]
    assert outcome(duel) is None


def test_a_draw_declined_or_an_end_leaves_everything_else_that_was_agreed_to(client: TestClient) -> None:
    duel, store = Duelist.between_two(client), rooms_of(client).store
    agreed = {"back:0:1": {"red"}, "hints": {"red"}}
    for topic, seats in agreed.items():
        store.agree(int(duel.id), seats, topic)
    for asking in ("blue", "red"):
        end(duel, asking, "draw")
        end(duel, "red", "draw", yes=False)
        assert store.agreements(int(duel.id)) == agreed
    end(duel, "blue", "draw")
    assert end(duel, "red", "resign")["done"]
    assert store.agreements(int(duel.id)) == agreed


def test_an_offer_of_a_draw_does_not_wait_until_it_suits_the_other(client: TestClient) -> None:
    duel = Duelist.between_two(client, scenario="long")
    end(duel, "red", "draw")
    duel.play(TURN)
    assert table(duel, "blue")["draws"] == ["red"]
    duel.play(TURN)
    assert table(duel, "blue")["draws"] == []
    assert not end(duel, "blue", "draw")["done"] and table(duel, "blue")["draws"] == ["blue"]


def test_an_offer_of_one_of_four_is_not_kept_up_by_others(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = 1
    monkeypatch.setattr(offers, "game_turn", lambda session: turn)
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        end(duel, "axis_north", "draw")
        turn = 2
        end(duel, "soviet_north", "draw")
        assert table(duel)["draws"] == ["axis_north", "soviet_north"]
        turn = 3
        end(duel, "soviet_south", "draw")
        assert table(duel)["draws"] == ["soviet_north", "soviet_south"], "the first one stood to the end of turn 2"
        end(duel, "soviet_south", "draw", yes=False)
        assert table(duel)["draws"] == ["soviet_north"], "who takes back an offer takes back no other"
        turn = 4
        assert not end(duel, "axis_south", "draw")["done"] and table(duel)["draws"] == ["axis_south"]


def test_who_sits_down_again_has_offered_nothing(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    end(duel, "blue", "draw")
    token = post(duel, "invitations", "blue", of="blue").json()["token"]
    sit = client.post("/api/invitations/claim", json={"token": token, "request_id": "x" * 20}).json()
    duel.keys["blue"] = sit["key"]
    assert table(duel, "red")["draws"] == [] and not end(duel, "red", "draw")["done"]


def test_an_offer_of_a_draw_does_not_come_back_after_its_turn_was_taken_back(client: TestClient) -> None:
    duel = Duelist.between_two(client, scenario="long")
    duel.play(TURN * 2)
    end(duel, "red", "draw")
    for seat in ("blue", "red"):
        assert post(duel, "undo", seat, version=duel.view(seat)["version"], to=1).status_code == 200
    duel.versions.clear()
    assert table(duel, "blue")["draws"] == []
    duel.play([*TURN[1:], *TURN])
    assert table(duel, "blue")["draws"] == [] and not end(duel, "blue", "draw")["done"]


def test_an_offer_of_a_draw_outlives_going_back_within_its_turn(client: TestClient) -> None:
    duel = Duelist.between_two(client, scenario="long")
    duel.play([*TURN, *TURN[:1]])
    end(duel, "red", "draw")
    for seat in ("blue", "red"):
        assert post(duel, "undo", seat, version=duel.view(seat)["version"], to=len(TURN)).status_code == 200
    assert table(duel, "blue")["draws"] == ["red"]


def test_nobody_draws_with_somebody_who_is_still_to_come(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    refused(post(duel, "end", "red", how="draw"), 409, "nobody_there")
    assert end(duel, "red", "resign")["done"] and outcome(duel) == ("blue", "Red resigned")


def test_a_side_of_two_resigns_together_and_the_others_do_not_hear_of_it_before(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        with duel.live("soviet_south") as partner, duel.live("axis_north") as enemy, duel.live(None) as onlooker:
            for window in (partner, enemy, onlooker):
                window.receive_json()
            assert not end(duel, "soviet_north", "resign")["done"]
            assert partner.receive_json() == {"type": "seats"}
            for window in (enemy, onlooker):
                window.send_json({"type": "ping"})
                assert window.receive_json() == {"type": "pong"}, "nothing came before that"
        assert table(duel, "soviet_south")["resigns"] == ["soviet_north"]
        for seat in ("axis_north", None):
            told = table(duel, seat)
            assert told["resigns"] == [] and not told["agreed"]
        end(duel, "soviet_north", "resign", yes=False)
        assert not end(duel, "soviet_south", "resign")["done"] and not end(duel, "axis_north", "resign")["done"]
        assert end(duel, "soviet_north", "resign")["done"]
        winner, reason = outcome(duel, "axis_north")
        assert winner == "axis" and reason.count("Soviet") == 2 and reason.endswith("resigned")


def test_a_draw_of_four_takes_all_four(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        for seat in ("axis_north", "soviet_north", "soviet_south"):
            assert not end(duel, seat, "draw")["done"]
        assert end(duel, "axis_south", "draw")["done"] and outcome(duel)[0] is None


@pytest.mark.parametrize(("value", "done"), [(0.8, True), (0.52, False), (0.2, False)])
def test_the_computer_takes_a_draw_when_it_stands_worse(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, value: float, done: bool
) -> None:
    """``value``: how likely the first side, which is the player's, is to win."""
    asked: list[Any] = []

    def judged(game: Any, state: Any, seat: str, options: Any) -> float:
        asked.append(seat)
        return value

    monkeypatch.setattr(ending, "evaluate", judged)
    body = {"game": "portfolio", "scenario": "june22", "controllers": {"soviet": BOT}}
    duel = Duelist.start(client, **body)
    answer = end(duel, "axis", "draw")
    assert answer == {"done": done, "word": "" if done else ending.PLAYS_ON}
    assert asked == ["axis"], "it is judged by what the player sees"
    assert (outcome(duel) is not None) == done and table(duel, "axis")["draws"] == []


def test_a_computer_that_cannot_judge_plays_on_and_takes_a_resignation(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried: list[int] = []
    monkeypatch.setattr(rooms_of(client).bots, "hurry", hurried.append)
    duel = Duelist.start(client, controllers={"blue": BOT})
    assert end(duel, "red", "draw") == {"done": False, "word": ending.PLAYS_ON} and not hurried
    assert end(duel, "red", "resign")["done"] and outcome(duel) == ("blue", "Red resigned")
    assert hurried == [int(duel.id)], "nobody waits any more for what it thinks about"


def test_who_plays_both_sides_calls_it_a_draw_alone(duel: Duelist) -> None:
    assert end(duel, "red", "draw")["done"] and outcome(duel)[0] is None


def test_all_together_can_go_back_behind_the_end(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    duel.play(TURN)
    ply = duel.view("red")["ply"]
    end(duel, "red", "resign")
    assert duel.undo("red").status_code == 409, "nobody alone"
    duel.undo("red", to=ply)
    assert outcome(duel) is not None
    assert duel.undo("blue", to=ply).status_code == 200
    assert outcome(duel) is None and duel.view("red")["dice"]["seed"] is None
    duel.act("red", "hide 2")
    room = rooms_of(client)
    assert room.store.match(int(duel.id)).over is False


def test_a_restart_after_the_end_does_not_stand_in_the_way_back(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.between_two(client)
        duel.play([*TURN, ("red", "hide 2")])
        before = {seat: client.get(duel.url("log"), params=duel.auth(seat)).json() for seat in ("red", "blue")}
        ply = duel.view("red")["ply"]
        end(duel, "red", "resign")
    with connect(config) as client:
        duel.client = client
        duel.undo("red", to=ply)
        assert duel.undo("blue", to=ply).status_code == 200
        for seat, log in before.items():
            assert client.get(duel.url("log"), params=duel.auth(seat)).json() == log
            assert duel.view(seat)["ply"] == len(log)
        duel.act("blue", "guess 2")
