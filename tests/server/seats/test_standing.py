"""Standing orders: small decisions that are answered for a player who is away, by what the player has chosen before."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.core.actions import Action
from rasputitsa.core.game import AS_COMPUTER, Choice, StandingOrder
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.standing.presence import AWAY_MS, Presence
from rasputitsa.server.matches.watches.standing import StandingWatch
from rasputitsa.server.store.uptimes import Uptime
from rasputitsa.server.workers.bots import BotError
from tests.duel.game import Duel, Table
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist
from tests.server.seats.test_seats import post

AWAY = AWAY_MS / 1000
GUESSES = {"guess": "two"}
NUMBERS = {"one": 1, "two": 2}


@pytest.fixture(autouse=True)
def guesses_may_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blue may have the guess answered, which is asked after Red has hidden a number."""
    offered = StandingOrder(
        "guess", "Guesses", "", "II.A", (Choice("one", "One"), Choice("two", "Two"), Choice("ask", "Ask"), AS_COMPUTER)
    )

    def orders(game: Duel) -> Sequence[StandingOrder]:
        return (offered,)

    def order(game: Duel, state: Table) -> str:
        return "guess" if state.stage == "guess" else ""

    def answer(game: Duel, state: Table, policy: str) -> Action | None:
        assert state.secret == 0, "a policy sees no more than its seat"
        return Action("guess", (NUMBERS[policy],)) if policy in NUMBERS else None

    monkeypatch.setattr(Duel, "standing_orders", orders)
    monkeypatch.setattr(Duel, "standing_order", order)
    monkeypatch.setattr(Duel, "standing_answer", answer)
    monkeypatch.setattr(StandingWatch, "seconds", 1e6)


class Hall:
    """A server with two people at a table, whose time the test sets."""

    def __init__(self, client: TestClient) -> None:
        self.client, self.now = client, 0.0
        self.rooms = rooms_of(client)
        self.rooms.store.up = Uptime(0, lambda: self.now)
        self.rooms.presence._began = 0
        assert isinstance(client.app, FastAPI)
        self.watch: StandingWatch = client.app.state.standing_watch

    def table(self) -> Duelist:
        return Duelist.between_two(self.client)

    def rest(self, duel: Duelist) -> None:
        """Wait until the server has answered all that it answers."""

        async def done() -> None:
            room = await self.rooms.open(int(duel.id))
            while room.bots is not None and not room.bots.done():
                await room.bots

        assert self.client.portal is not None
        self.client.portal.call(done)

    def look(self, duel: Duelist) -> None:
        assert self.client.portal is not None
        self.client.portal.call(self.watch.look)
        self.rest(duel)

    def act(self, duel: Duelist, seat: str, action: str) -> None:
        duel.act(seat, action)
        self.rest(duel)


@pytest.fixture
def hall(config: ServerConfig) -> Iterator[Hall]:
    with connect(replace(config, local=False), host="10.0.0.1") as client:
        yield Hall(client)


def choose(duel: Duelist, seat: str = "blue", mode: str = "always", **policies: str) -> dict[str, Any]:
    body = {**duel.auth(seat), "mode": mode, "policies": policies}
    answer = duel.client.post(duel.url("standing"), json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def chosen(duel: Duelist, seat: str | None = "blue") -> dict[str, Any]:
    answer = duel.client.get(duel.url("standing"), params=duel.auth(seat))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def kind(duel: Duelist) -> str:
    return str(duel.view("blue")["decision"]["kind"])


def log(duel: Duelist, seat: str | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = duel.client.get(duel.url("log"), params=duel.auth(seat)).json()
    return found


def given(duel: Duelist, seat: str | None) -> list[str]:
    """The actions that the log marks as given by standing orders."""
    return [item["action"] for item in log(duel, seat) if item.get("standing")]


def test_nothing_is_answered_unless_a_player_has_chosen_it(hall: Hall) -> None:
    duel = hall.table()
    assert chosen(duel) == {**chosen(duel), "mode": "away", "policies": {}}
    assert [order["id"] for order in chosen(duel)["offered"]] == ["guess"]
    hall.act(duel, "red", "hide 3")
    hall.now += 10 * AWAY
    hall.look(duel)
    assert kind(duel) == "guess"


def test_what_was_chosen_is_answered_and_marked_for_its_player_alone(hall: Hall) -> None:
    duel = hall.table()
    assert choose(duel, guess="two")["policies"] == GUESSES
    hall.act(duel, "red", "hide 3")
    assert kind(duel) == "roll", "what nobody has chosen a policy for is still asked"
    assert given(duel, "blue") == ["guess 2"]
    assert [item["words"] for item in log(duel, "blue") if item.get("standing")] == ["Guess 2"], "in plain words"
    assert given(duel, "red") == given(duel, None) == []
    assert not any(item.get("words") for seat in ("red", None) for item in log(duel, seat))
    assert [item["action"] for item in log(duel, None)] == ["", "guess 2"]


def test_it_may_be_changed_and_taken_back(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    assert choose(duel, mode="away", guess="one")["policies"] == {"guess": "one"} == chosen(duel)["policies"]
    assert chosen(duel)["mode"] == "away"
    choose(duel)
    hall.now += 10 * AWAY
    hall.act(duel, "red", "hide 3")
    hall.look(duel)
    assert kind(duel) == "guess" and chosen(duel)["policies"] == {}


def test_the_question_that_is_open_is_answered_at_once(hall: Hall) -> None:
    duel = hall.table()
    hall.act(duel, "red", "hide 3")
    choose(duel, guess="one")
    hall.rest(duel)
    assert kind(duel) == "roll" and given(duel, "blue") == ["guess 1"]


def test_a_policy_without_an_answer_leaves_the_question_to_the_player(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="ask")
    hall.act(duel, "red", "hide 3")
    hall.look(duel)
    assert kind(duel) == "guess"


def test_a_computer_player_may_answer_and_nobody_hears_it_think(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = hall.table()
    told: list[object] = []
    room = hall.rooms._rooms[int(duel.id)]
    monkeypatch.setattr(room, "notify_thinking", lambda *args: told.append(args))
    choose(duel, guess="computer")
    hall.act(duel, "red", "hide 3")
    assert kind(duel) == "roll" and len(given(duel, "blue")) == 1
    assert not told and room.answering is None


# -- what a view says of a question meanwhile ----------------------------------------------------------------


def hold(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers nothing for now."""
    monkeypatch.setattr(hall.rooms, "play_bots", lambda room: None)


def asked(duel: Duelist, seat: str = "blue") -> tuple[bool, bool, int]:
    """Whether the open question is one of this seat, whether it is answered for it, and how many answers are listed."""
    decision = duel.view(seat)["decision"]
    assert decision["kind"] == "guess"
    return decision["mine"], decision["answered"], len(decision["options"])


@pytest.mark.parametrize("policy", ["two", "computer"])
def test_a_question_that_is_being_answered_is_not_asked(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    duel = hall.table()
    choose(duel, guess=policy)
    hold(hall, monkeypatch)
    duel.act("red", "hide 3")
    assert asked(duel) == (False, True, 0)
    assert asked(duel, "red") == (False, False, 0), "nobody else is told"
    choose(duel)
    assert asked(duel) == (True, False, 6), "they were withdrawn in time"


@pytest.mark.parametrize(("mode", "policy"), [("away", "two"), ("always", "ask")])
def test_a_question_left_to_the_player_is_asked(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, mode: str, policy: str
) -> None:
    duel = hall.table()
    choose(duel, mode=mode, guess=policy)
    hold(hall, monkeypatch)
    duel.act("red", "hide 3")
    assert asked(duel) == (True, False, 6)


def test_an_answer_taken_back_is_asked(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    duel.undo("blue")
    assert asked(duel) == (True, False, 6)


def test_a_question_that_the_computer_cannot_answer_is_asked_after_all(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*args: object) -> object:
        raise BotError("the computer player has failed")

    duel = hall.table()
    choose(duel, guess="computer")
    monkeypatch.setattr(hall.rooms.bots, "choose", fail)
    with duel.live("blue") as window:
        window.receive_json()
        hall.act(duel, "red", "hide 3")
        assert asked(duel) == (True, False, 6)
        while not window.receive_json()["view"]["decision"]["mine"]:
            pass


# -- present or away -------------------------------------------------------------------------------------


def test_whoever_looks_decides_unless_it_is_always_answered(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, mode="away", guess="two")
    hall.now += 10 * AWAY
    with duel.live("blue") as window:
        window.receive_json()
        hall.act(duel, "red", "hide 3")
        hall.now += 10 * AWAY
        hall.look(duel)
        assert kind(duel) == "guess", "the window is open and in sight"
        choose(duel, mode="always", guess="two")
        hall.rest(duel)
        assert kind(duel) == "roll"


def test_whoever_closes_the_window_for_a_moment_is_not_away(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, mode="away", guess="two")
    hall.now += 10 * AWAY
    with duel.live("blue") as window:
        window.receive_json()
    hall.act(duel, "red", "hide 3")
    hall.now += AWAY - 1
    hall.look(duel)
    assert kind(duel) == "guess"
    hall.now += 1
    hall.look(duel)
    assert kind(duel) == "roll"


def test_a_window_out_of_sight_does_not_count(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, mode="away", guess="two")
    with duel.live("blue") as window:
        window.receive_json()
        hall.now += 10 * AWAY
        window.send_json({"type": "ping", "hidden": True})
        assert window.receive_json() == {"type": "pong"}
        hall.act(duel, "red", "hide 3")
        assert kind(duel) == "guess", "it was in sight a moment ago"
        hall.now += AWAY
        hall.look(duel)
        assert kind(duel) == "roll"


def test_after_a_start_players_have_time_to_come_back(config: ServerConfig) -> None:
    config = replace(config, local=False)
    with connect(config, host="10.0.0.1") as client:
        hall = Hall(client)
        duel = hall.table()
        choose(duel, mode="away", guess="two")
        hall.act(duel, "red", "hide 3")
        assert kind(duel) == "guess"
    with connect(config, host="10.0.0.1") as client:
        hall, duel.client = Hall(client), client
        hall.look(duel)
        assert kind(duel) == "guess" and chosen(duel)["policies"] == GUESSES
        hall.now += AWAY
        hall.look(duel)
        assert kind(duel) == "roll"


# -- taking back -----------------------------------------------------------------------------------------


def test_an_answer_can_be_taken_back_and_then_the_player_decides(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    assert duel.undo("blue").status_code == 200, "no die has fallen since, and nobody else has acted"
    hall.look(duel)
    assert kind(duel) == "guess" and given(duel, "blue") == []
    hall.act(duel, "blue", "guess 5")
    assert given(duel, "blue") == [], "that was by hand, though an answer had the same number"
    for seat, action in (("blue", "roll"), ("red", "done"), ("blue", "done"), ("red", "hide 4")):
        hall.act(duel, seat, action)
    assert kind(duel) == "roll" and given(duel, "blue") == ["guess 2"], "the next question is answered again"


def test_a_remark_at_the_table_changes_nothing_of_that(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    duel.undo("blue")
    room = hall.rooms._rooms[int(duel.id)]
    assert room.match is not None
    room.match.remark("red", "@hints on")
    hall.look(duel)
    assert kind(duel) == "guess"


def test_others_go_back_beyond_an_answer_only_by_agreement(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    assert duel.undo("red", to=0).status_code == 200 and kind(duel) == "roll", "it is an offer"
    assert duel.undo("blue", to=0).status_code == 200
    hall.act(duel, "red", "hide 1")
    assert kind(duel) == "roll" and given(duel, "blue") == ["guess 2"]


# -- whose they are --------------------------------------------------------------------------------------


def test_nobody_else_sets_them_or_sees_them(hall: Hall) -> None:
    duel = hall.table()
    body = {"seat": "blue", "key": duel.keys["red"], "mode": "always", "policies": GUESSES}
    assert duel.client.post(duel.url("standing"), json=body).status_code == 403
    assert duel.client.get(duel.url("standing"), params={"seat": "blue", "key": duel.keys["red"]}).status_code == 403
    before = chosen(duel, None)
    choose(duel, guess="two")
    assert chosen(duel, "red")["policies"] == {} and chosen(duel, None) == before


@pytest.mark.parametrize("policies", [{"guess": "seven"}, {"roll": "one"}, {"": ""}, {"guess": ""}])
def test_what_the_game_does_not_offer_is_refused(hall: Hall, policies: dict[str, str]) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    body = {**duel.auth("blue"), "mode": "always", "policies": policies}
    answer = duel.client.post(duel.url("standing"), json=body)
    assert answer.status_code == 400, answer.text
    assert chosen(duel)["policies"] == GUESSES, "nothing has changed"


def test_they_go_with_whoever_gives_up_the_seat(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    assert post(duel, "leave", "blue").status_code == 200
    store, number = hall.rooms.store, int(duel.id)
    assert store.standing(number) == {} and store.standing_answers(number, "blue") == frozenset()


def test_a_seat_of_the_computer_has_none(hall: Hall) -> None:
    duel = Duelist.start(hall.client, controllers={"red": {"kind": "bot", "bot": "random"}})
    body = {"seat": "red", "key": duel.keys.get("red", "x"), "mode": "always", "policies": GUESSES}
    assert duel.client.post(duel.url("standing"), json=body).status_code in (403, 409)


def test_a_saved_game_has_none_and_asks_for_none(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    hall.act(duel, "red", "hide 3")
    hall.act(duel, "blue", "roll")
    match = hall.rooms._rooms[int(duel.id)].match
    assert match is not None
    saved = match.export()
    assert "standing" not in saved and "two" not in saved
    entries = [json.loads(line) for line in saved.splitlines()[1:-1]]
    assert [entry["action"] for entry in entries if entry["seat"] == "blue"][-2:] == ["guess 2", "roll"]
    assert all(set(entry) <= {"seat", "action", "dice", "after"} for entry in entries)


def test_the_end_of_the_game_ends_them(hall: Hall) -> None:
    duel = hall.table()
    choose(duel, guess="two")
    assert post(duel, "end", "red", how="resign").status_code == 200
    body = {**duel.auth("blue"), "mode": "always", "policies": GUESSES}
    assert duel.client.post(duel.url("standing"), json=body).status_code == 409
    assert chosen(duel)["offered"] == []


def test_no_notice_is_sent_for_what_is_being_answered(hall: Hall) -> None:
    duel = hall.table()
    room = hall.rooms._rooms[int(duel.id)]
    room.answering = "blue"
    assert hall.rooms.answering() == {(int(duel.id), "blue")}
    room.answering = None
    assert hall.rooms.answering() == set()


def test_each_question_wakes_a_match_once(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = hall.table()
    choose(duel, guess="ask")
    hall.act(duel, "red", "hide 3")
    woken: list[int] = []
    monkeypatch.setattr(hall.rooms, "play_bots", lambda room: woken.append(room.id))
    assert hall.client.portal is not None
    for _ in range(3):
        hall.client.portal.call(hall.watch.look)
    assert woken == [int(duel.id)]
    hall.now += AWAY
    hall.client.portal.call(hall.watch.look)
    assert woken == [int(duel.id)] * 2, "and once when its player leaves"


def test_several_who_leave_at_once_are_all_away_only_after_a_while() -> None:
    now = 0
    presence = Presence(lambda: now)
    now = 10 * AWAY_MS
    windows = [(1, "red"), (1, "blue"), (2, "red")]
    for window in windows:
        presence.left(window)
    now += AWAY_MS - 1
    assert not any(presence.is_away(window) for window in windows)
    presence.left((3, "red"))
    now += 1
    assert all(presence.is_away(window) for window in windows) and not presence.is_away((3, "red"))
