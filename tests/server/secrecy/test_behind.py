"""Onlookers who are behind the players see the match as it stood then, at every door, and nothing newer."""

from __future__ import annotations

import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.onlookers.delayed import DelayedMatch
from rasputitsa.server.matches.open_match import OpenMatch
from rasputitsa.server.matches.rebuilding import BrokenMatchError
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist
from tests.server.seats.hall import LIVE, MINUTE, Hall
from tests.server.secrecy.everything import at_the_table, look_around, session_of
from tests.server.secrecy.twins import Twin, Work, assert_alike, spy_on

REAL = [("portfolio", "june22", "soviet"), ("wir", "barbarossa_short", "soviet")]
GAMES = pytest.mark.parametrize(("game", "scenario", "guest"), [("duel", "short", "blue"), *REAL])
BESIDES = ("clock", "standing", "calendar", "notices")
"""What an onlooker may ask besides what the spies of other tests do."""


def table(client: TestClient, behind: int | str, **body: Any) -> Duelist:
    return Duelist.between_two(client, behind=behind, **body)


def begin(client: TestClient, game: str, scenario: str, guest: str, **body: Any) -> Duelist:
    """A match of two people of some game."""
    duel = Duelist.start(client, game=game, scenario=scenario, guests=[guest], **body)
    answer = client.post(
        "/api/invitations/claim", json={"token": duel.links[guest], "request_id": "a request of some length"}
    )
    duel.keys[guest] = answer.json()["key"]
    return duel


def step(duel: Duelist, chooser: random.Random) -> bool:
    """The seat that is asked gives some answer; whether there was one."""
    decision = duel.view(next(iter(duel.keys)))["decision"]
    if decision is None:
        return False
    options = duel.view(decision["seat"])["decision"]["options"]
    keeping = [option["action"] for option in options if "gives_up" not in option]
    done = ["done"] if "done" in keeping and chooser.random() < 0.4 else []
    duel.act(decision["seat"], chooser.choice(done or keeping or [options[0]["action"]]))
    return True


def onlooking(duel: Duelist, spy: TestClient) -> Twin:
    """All that an onlooker is answered."""
    twin = Twin(duel, spy, Work())
    twin.settle()
    spy_on(twin, session_of(twin), None, 1, 2)
    del twin.answers["list"]  # of the owner of the machine, who plays
    look_around(twin, None)
    for path in BESIDES:
        twin.ask(path, "GET", path)
    return twin


@pytest.mark.parametrize(("game", "scenario", "guest"), REAL)
def test_whatever_the_players_do_an_onlooker_is_answered_as_before_until_the_time_is_up(
    house: tuple[TestClient, TestClient], game: str, scenario: str, guest: str
) -> None:
    client, spy = house
    hall, chooser = Hall(client), random.Random(1)
    duel = begin(client, game, scenario, guest, behind=15, clock=LIVE)
    for _ in range(6):
        step(duel, chooser)
    hall.now += 15 * MINUTE
    before = onlooking(duel, spy)
    paths = client.get("/api/openapi.json").json()["paths"]
    doors = {path for path, methods in paths.items() if "get" in methods and path.startswith("/api/matches/{match_id}")}
    assert {path for method, path in before.asked if method == "GET"} >= doors
    for _ in range(30):
        step(duel, chooser)
    at_the_table(Twin(duel, spy, Work()), guest)
    hall.now += 15 * MINUTE - 0.1
    after = onlooking(duel, spy)
    assert_alike(before.answers, after.answers)
    hall.now += 0.2
    later = onlooking(duel, spy)
    assert later.answers["view"] != before.answers["view"], "or the test shows nothing"


def test_whether_hints_are_on_now_is_told_at_no_door(client: TestClient) -> None:
    duel = table(client, 15)

    def told() -> list[Any]:
        job = duel.url("analysis/none")
        return [answer.text for answer in (client.get(job), client.delete(job), client.get(duel.url("course")))]

    before = told()
    for seat in ("red", "blue"):
        client.post(duel.url("agree"), json={**duel.auth(seat), "topic": "hints"})
    assert client.get(duel.url("seats"), params=duel.auth("red")).json()["hints"]
    assert told() == before


def test_the_list_of_matches_has_the_order_of_what_onlookers_see(house: tuple[TestClient, TestClient]) -> None:
    """The owner of the machine has no seat in one of two, in which there are moves."""
    owner, guest = house
    duel = table(guest, 15)
    own = Duelist.start(owner)
    before = owner.get("/api/matches").json()
    assert [row["id"] for row in before[:2]] == [own.id, duel.id]
    duel.play(TURN[:2])
    assert owner.get("/api/matches").json() == before


def live_view(client: TestClient, duel: Duelist) -> dict[str, Any]:
    """What everybody sees of the match as it stands."""
    rooms = rooms_of(client)

    def look(match: Match) -> dict[str, Any]:
        return dict(OpenMatch.view(match, None))

    async def work() -> dict[str, Any]:
        return await rooms.read(await rooms.open(int(duel.id)), look)

    assert client.portal is not None
    return client.portal.call(work)


def settled(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the phase in which orders are given in secret: when a window hears of that is left open."""
    secret = (view["decision"] or {}).get("kind") == "secret"
    return {name: value for name, value in view.items() if not secret or name not in ("phase", "scan")}


def let_go(client: TestClient, duel: Duelist) -> None:
    """The match leaves the memory, as when others need the room."""
    rooms = rooms_of(client)
    rooms._let_go(rooms._rooms[int(duel.id)])


@pytest.mark.parametrize("seed", range(3))
@GAMES
def test_an_onlooker_sees_what_was_public_so_long_ago(
    config: ServerConfig, game: str, scenario: str, guest: str, seed: int
) -> None:
    """Steps back, gaps, a full memory and restarts included."""
    chooser, past = random.Random(seed), list[tuple[float, dict[str, Any]]]()
    duel, passed, seen = None, 0.0, 0
    for _ in range(3):
        with connect(config) as client:
            hall = Hall(client, passed)
            duel = duel or begin(client, game, scenario, guest, behind=5)
            duel.client = client
            if not past:
                hall.now += 5 * MINUTE
                past.append((0.0, live_view(client, duel)))
            for _ in range(15):
                hall.now += chooser.choice([0.0, 0.5, 2.0, 6.0]) * MINUTE
                if not step(duel, chooser):
                    break
                if chooser.random() < 0.2:
                    duel.undo(next(iter(duel.keys)))
                past.append((passed + hall.now, live_view(client, duel)))
                if chooser.random() < 0.2:
                    let_go(client, duel)
                now = passed + hall.now - 5 * MINUTE
                then = next((view for when, view in reversed(past) if when <= now), past[0][1])
                told = duel.view(None)
                assert told.pop("tag")
                if past[-1][1]["outcome"] is None:
                    assert settled(told) == settled(then)
                    seen += told["ply"] > 0
            hall.store.note_up()
            passed += hall.now
    assert seen


def test_a_server_that_was_killed_shows_no_less_than_before_and_nothing_newer(config: ServerConfig) -> None:
    """It has not noted for how long it was up at last."""
    with connect(config) as client:
        hall, duel = Hall(client), table(client, 5)
        duel.act(*TURN[0])
        hall.now += 5 * MINUTE
        duel.play(TURN[1:2])
        seen = duel.view(None)
        assert seen["ply"] == 1
    with connect(config) as client:
        hall, duel.client = Hall(client, 4.5 * MINUTE), client
        assert duel.view(None) == seen
        with duel.live(None) as window:
            until(window, "view")
            hall.now += 5.49 * MINUTE
            assert duel.view(None) == seen
            hall.now += 0.02 * MINUTE
            assert duel.view(None)["ply"] == 2


def test_what_other_rules_cannot_replay_for_onlookers_is_tried_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take seconds, in which nobody plays, and onlookers ask again and again."""
    tried: list[int] = []

    def reload(board: DelayedMatch) -> None:
        assert board.seen is not None
        tried.append(board.seen.entries)
        raise BrokenMatchError(ValueError("other rules"))

    monkeypatch.setattr(DelayedMatch, "_reload", reload)
    hall, duel = Hall(client), table(client, 5)

    def look() -> None:
        for path in ("view", "log", "view"):
            answer = client.get(duel.url(path))
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "rules_changed")

    look()
    duel.act(*TURN[0])
    look()
    assert len(tried) == 1
    hall.now += 6 * MINUTE
    look()
    assert len(tried) == len(set(tried)) == 2, "there is more to see"


def test_a_turn_is_seen_when_it_is_over(client: TestClient) -> None:
    duel = table(client, "turn")
    begins = duel.view(None)
    duel.play(TURN[:-1])
    assert duel.view(None) == begins
    blue = duel.act(*TURN[-1])
    seen = duel.view(None)
    assert (seen["ply"], seen["turn"]["number"]) == (blue["ply"], 2)
    duel.act("red", "hide 4")
    assert duel.view(None) == seen


def test_going_back_behind_a_turn_that_was_seen_shows_nothing_of_what_is_played_then(client: TestClient) -> None:
    duel = table(client, "turn")
    duel.play(TURN)
    seen = duel.view(None)
    for seat in ("red", "blue"):
        assert duel.undo(seat, to=3).status_code == 200
    assert duel.view(None) == seen
    duel.play(TURN[3:4])
    assert duel.view(None) == seen
    duel.play(TURN[4:])
    assert duel.view(None)["version"] > seen["version"]


def test_when_the_game_is_over_everything_is_open(client: TestClient) -> None:
    duel = table(client, 60)
    duel.act("red", "hide 3")
    answer = client.post(duel.url("end"), json={**duel.auth("red"), "how": "resign"})
    assert answer.status_code == 200, answer.text
    seen = duel.view(None)
    assert (seen["outcome"]["winner"], seen["secret"], seen["ply"]) == ("blue", 3, duel.view("red")["ply"])
    assert client.get(duel.url("log")).json()[0]["action"] == "hide 3"


@pytest.mark.parametrize("behind", [60, "turn"])
def test_going_back_behind_the_end_hides_again_what_the_sides_hide(client: TestClient, behind: int | str) -> None:
    duel = table(client, behind)
    duel.act("red", "hide 3")
    assert client.post(duel.url("end"), json={**duel.auth("red"), "how": "resign"}).status_code == 200
    assert duel.view(None)["secret"] == 3
    for seat in ("red", "blue"):
        assert duel.undo(seat, to=1).status_code == 200
    seen = duel.view(None)
    assert (seen["ply"], seen["outcome"], seen["secret"]) == (1, None, duel.view("blue")["secret"])
    assert client.get(duel.url("log")).json()[0]["action"] == ""
    duel.act("blue", "guess 2")
    assert duel.view(None) == seen


def test_who_has_given_up_a_seat_is_an_onlooker(client: TestClient) -> None:
    duel = table(client, 15)
    begins = duel.view(None)
    duel.play(TURN[:2])
    assert client.post(duel.url("leave"), json=duel.auth("blue")).status_code == 200
    for path in ("view", "log", "clock"):
        assert client.get(duel.url(path), params=duel.auth("blue")).status_code == 403
    assert duel.view(None) == begins


def until(window: Any, kind: str) -> list[dict[str, Any]]:
    """What a window is told, up to a message of some kind."""
    told = [window.receive_json()]
    while told[-1]["type"] != kind:
        told.append(window.receive_json())
    return told


def said(window: Any) -> list[str]:
    """What a window was told by now."""
    window.send_json({"type": "ping"})
    return [message["type"] for message in until(window, "pong")]


def test_a_window_is_told_when_the_time_is_up_and_nothing_before(client: TestClient) -> None:
    hall, duel = Hall(client), table(client, 15)
    hall.now += 15 * MINUTE
    with duel.live(None) as window:
        assert window.receive_json()["view"]["behind"] == 15
        duel.play(TURN[:2])
        client.post(duel.url("agree"), json={**duel.auth("red"), "topic": "hints"})
        assert said(window) == ["pong"]
        hall.now += 15 * MINUTE - 0.02
        duel.play(TURN[2:3])
        assert said(window) == ["pong"]
        hall.now += 0.03
        assert until(window, "view")[-1]["view"]["ply"] == 2


def test_nobody_hears_early_that_a_computer_player_thinks(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = table(client, 15, controllers={"red": {"kind": "human"}, "blue": {"kind": "human"}})
        with duel.live(None) as window:
            window.receive_json()
            room = rooms_of(client)._rooms[int(duel.id)]
            assert room.delays and {subscriber.seat for subscriber in room.present()} == set()


def test_who_looks_for_a_table_reads_the_turn_that_onlookers_see(client: TestClient) -> None:
    hall, wish = Hall(client), {"pace": "live", "level": "any"}
    duel = Duelist.start(client, guests=["blue"], behind=15, publish=wish)
    before = client.get("/api/tables").json()[0]["turn_label"]
    duel.act("red", "hide 3")
    (table,) = client.get("/api/tables").json()
    assert table["turn_label"] == before
    look = client.post("/api/tables/look", json={"match": duel.id, "seat": "blue"}).json()
    assert look["ply"] == 0
    hall.now += 15 * MINUTE
    assert client.post("/api/tables/look", json={"match": duel.id, "seat": "blue"}).json()["ply"] == 1


def test_a_delay_is_for_a_match_with_guests(client: TestClient) -> None:
    for behind in (15, "turn"):
        answer = client.post("/api/matches", json={"game": "duel", "scenario": "short", "behind": behind})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    for behind in (0, 1441, "week", -5):
        body = {"game": "duel", "scenario": "short", "guests": ["blue"], "behind": behind}
        assert client.post("/api/matches", json=body).status_code == 400


def test_a_rematch_has_the_same_delay(client: TestClient) -> None:
    duel = table(client, 60)
    client.post(duel.url("end"), json={**duel.auth("red"), "how": "resign"})
    made = client.post(duel.url("rematch"), json=duel.auth("red")).json()
    assert client.get(f"/api/matches/{made['id']}/view").json()["behind"] == 60


def test_what_onlookers_need_no_more_is_forgotten(config: ServerConfig) -> None:
    """A match of many changes keeps a note for each within the delay, and no more."""
    with connect(config) as client:
        hall, duel = Hall(client), table(client, 5)
        for number in range(8):
            duel.act(*TURN[number % len(TURN)])
            hall.now += 2 * MINUTE
        with hall.store._reading() as connection:
            kept = connection.exec_driver_sql("SELECT count(*) FROM disclosures").scalar_one()
        assert kept <= 4
