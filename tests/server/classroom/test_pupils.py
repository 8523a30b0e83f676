"""Pupils: coming in, coming back, and what they cannot do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.gate.throttle import WORD_BURST, WORD_RATE, Throttle
from rasputitsa.server.limits import Buckets, Limits
from rasputitsa.server.store.classroom.classes import KEPT_DAYS
from rasputitsa.server.store.classroom.codes import CODE_LETTERS, LETTERS, WORD_LETTERS, new_code, new_word
from tests.server.classroom.schoolroom import Schoolroom
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist


@pytest.fixture
def hosted(config: ServerConfig) -> ServerConfig:
    return replace(config, local=False)


@pytest.fixture
def school(hosted: ServerConfig) -> Iterator[TestClient]:
    with connect(hosted, host="10.0.0.1") as client:
        yield client


def throttle_of(client: TestClient) -> Throttle:
    assert isinstance(client.app, FastAPI)
    throttle = client.app.state.throttle
    assert isinstance(throttle, Throttle)
    return throttle


def post(client: TestClient, path: str, body: dict[str, Any]) -> tuple[int, str]:
    answer = client.post(path, json=body)
    return answer.status_code, answer.json().get("error", {}).get("code", "")


def test_a_pupil_comes_back_with_name_and_word_and_nobody_else_does(school: TestClient) -> None:
    room = Schoolroom.open(school)
    anna, ben = room.fill(2)
    back = room.join("  anna ", word=anna["word"].lower())
    assert (back["id"], back["seat"], back["name"]) == (anna["id"], anna["seat"], "Anna")
    assert back["key"] != anna["key"]
    room.at(back, ben).act("red", "hide 3")
    assert room.refused_to("Anna", 403, word=ben["word"]) == "bad_word"
    assert room.refused_to("Ben", 403, word=anna["word"]) == "bad_word"
    assert room.refused_to("Anna", 409) == "name_taken"
    assert room.refused_to("ANNA.", 409) == "name_taken"


def test_a_new_word_from_the_teacher_ends_the_old_one_and_every_window(school: TestClient) -> None:
    room = Schoolroom.open(school)
    anna, _ = room.fill(2)
    (pupil, _) = room.board()["pupils"]
    told = room.ask("pupils/word", match=anna["id"], pupil=pupil["number"])
    assert told["name"] == "Anna" and told["word"] != anna["word"]
    assert room.refused_to("Anna", 403, word=anna["word"]) == "bad_word"
    room.desk(anna, 403)
    back = room.join("Anna", word=told["word"])
    assert room.desk(back)["pupils"] == ["Anna"]


def test_words_cannot_be_tried_one_after_the_other(school: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle_of(school), "_words", Buckets(WORD_RATE, 8))
    monkeypatch.setattr(throttle_of(school), "_clock", lambda: 0.0)
    room = Schoolroom.open(school)
    anna, ben = room.fill(2)
    tried = [room.client.post("/api/classes/join", json=_trying(room, "Anna")).status_code for _ in range(12)]
    assert tried[0] == 403 and tried[-1] == 429
    assert room.join("Ben", word=ben["word"])["seat"] == ben["seat"], "others come back meanwhile"
    (pupil, _) = room.board()["pupils"]
    told = room.ask("pupils/word", match=anna["id"], pupil=pupil["number"])
    assert room.join("Anna", word=told["word"])["seat"] == anna["seat"], "a new word ends it"


def test_nobody_who_types_words_keeps_a_pupil_out_and_guessing_stays_hopeless() -> None:
    now = 0.0
    throttle = Throttle(Limits(), local=False, clock=lambda: now)
    for _ in range(900):
        throttle.try_word("Anna's")
    with pytest.raises(ApiError):
        for _ in range(200):
            throttle.try_word("Anna's")
    chances = WORD_BURST + WORD_RATE * KEPT_DAYS * 24 * 3600
    assert chances / len(LETTERS) ** WORD_LETTERS < 0.001


def _trying(room: Schoolroom, name: str) -> dict[str, str]:
    return {"code": room.code, "name": name, "word": new_word(), "request_id": os.urandom(16).hex()}


def test_codes_cannot_be_tried_one_after_the_other(hosted: ServerConfig) -> None:
    with connect(replace(hosted, limits=Limits(class_joins=20)), host="10.0.0.1") as client:
        room = Schoolroom.open(client)
        tried = []
        for _ in range(24):
            asked = {"code": new_code(), "name": "Max", "request_id": os.urandom(16).hex()}
            tried.append(post(client, "/api/classes/join", asked))
        assert tried[0] == (404, "unknown_class") and tried[-1] == (429, "too_many")
        wrong = [post(client, "/api/classes/boards", {"code": code, "key": "x"}) for code in (room.code, new_code())]
        assert wrong == [(403, "bad_key")] * 2, "a teacher's page tells no more of codes that there are"


def test_wrong_codes_keep_nobody_out_of_a_class_that_is_taught_or_played_at_the_address(
    hosted: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(replace(hosted, limits=Limits(class_joins=20)), host="10.0.0.1") as client:
        monkeypatch.setattr(throttle_of(client), "_clock", lambda: 0.0)
        taught, far = Schoolroom.open(client), Schoolroom.open(client, boards=0)
        taught.info()
        for _ in range(24):
            asked = {"code": new_code(), "name": "Max", "request_id": os.urandom(16).hex()}
            tried = post(client, "/api/classes/join", asked)
        assert tried == (429, "too_many")
        anna = taught.join("Anna")
        assert taught.join("Anna", word=anna["word"])["seat"] == anna["seat"]
        assert far.refused_to("Max", 429) == "too_many", "elsewhere a right code is refused as a wrong one is"


def test_many_come_in_with_the_right_code_from_one_address(hosted: ServerConfig) -> None:
    with connect(replace(hosted, limits=Limits(class_joins=2)), host="10.0.0.1") as client:
        room = Schoolroom.open(client, boards=0)
        assert [room.refused_to(name, 409) for name in ("Anna", "Ben", "Cleo", "Dan")] == ["class_full"] * 4


def test_codes_and_words_are_drawn_from_many() -> None:
    assert len(LETTERS) == 31 and not set("ILO01") & set(LETTERS)
    assert len(new_code().replace("-", "")) == CODE_LETTERS and len(new_word()) == WORD_LETTERS
    assert len(LETTERS) ** CODE_LETTERS > 8 * 10**11


def test_a_request_sent_again_gets_the_same_seat(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2)
    request = os.urandom(16).hex()
    first, again = (room.join("Anna", request_id=request) for _ in range(2))
    assert (first["id"], first["seat"]) == (again["id"], again["seat"])
    assert len(room.board()["pupils"]) == 1
    assert room.join("Anna", word=again["word"])["seat"] == first["seat"]


def test_a_closed_door_lets_in_who_was_there_before_alone(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2)
    anna = room.join("Anna")
    room.ask("door", closed=True)
    assert room.refused_to("Max", 409) == "closed"
    assert room.join("Anna", word=anna["word"])["seat"] == anna["seat"]
    room.ask("door", closed=False)
    room.join("Max")


def test_who_comes_late_takes_a_seat_from_the_computer_or_shares_one(school: TestClient) -> None:
    room = Schoolroom.open(school, boards=2)
    anna, ben, cleo = room.fill(3)
    room.ask("computer", match=cleo["id"], bot="random")
    room.at(cleo).act("red", "hide 3")
    late = room.join("Dan")
    assert (late["id"], late["seat"]) == (cleo["id"], "blue")
    assert room.board(2)["controllers"]["blue"] == {"kind": "human", "name": "Dan"}
    shared = room.join("Eva")
    assert (shared["id"], shared["seat"]) == (anna["id"], anna["seat"])
    assert room.board()["controllers"]["red"]["name"] == "Anna and Eva"
    assert room.desk(shared)["pupils"] == ["Anna", "Eva"]
    room.at(shared, ben).play(TURN[:2])
    assert room.join("Anna", word=anna["word"])["seat"] == "red"


def test_a_class_is_full_when_four_share_each_seat(school: TestClient) -> None:
    room = Schoolroom.open(school)
    room.fill(8)
    assert room.refused_to("Max", 409) == "class_full"


def test_a_freed_seat_waits_for_somebody_else(school: TestClient) -> None:
    room = Schoolroom.open(school)
    anna, ben = room.fill(2)
    (pupil, _) = room.board()["pupils"]
    room.ask("pupils/remove", match=anna["id"], pupil=pupil["number"])
    assert room.board()["waiting"] == ["red"]
    room.desk(anna, 403)
    assert room.refused_to("Anna", 403, word=anna["word"]) == "bad_word"
    max_ = room.join("Max")
    assert max_["seat"] == "red"
    room.at(max_, ben).act("red", "hide 3")


def test_one_of_those_who_share_a_seat_is_removed_alone(school: TestClient) -> None:
    room = Schoolroom.open(school)
    anna, _, cleo = room.fill(3)
    assert (cleo["id"], cleo["seat"]) == (anna["id"], anna["seat"])
    card = room.ask("cards", 201, text="Why?")["number"]
    room.reply(anna, card, "Because")
    pupils = {pupil["name"]: pupil["number"] for pupil in room.board()["pupils"]}
    room.ask("pupils/remove", match=cleo["id"], pupil=pupils["Cleo"])
    assert [pupil["name"] for pupil in room.board()["pupils"]] == ["Anna", "Ben"]
    assert room.board()["controllers"]["red"]["name"] == "Anna"
    assert room.board()["waiting"] == []
    assert [reply["text"] for reply in room.info()["cards"][0]["replies"]] == ["Because"]
    room.desk(cleo, 403)
    assert room.refused_to("Cleo", 403, word=cleo["word"]) == "bad_word"
    back = room.join("Anna", word=anna["word"])
    assert back["seat"] == "red" and room.desk(back)["pupils"] == ["Anna"]


@pytest.mark.parametrize("name", ["", "  ", "Computer", "--"])
def test_names_that_are_none_are_refused(school: TestClient, name: str) -> None:
    room = Schoolroom.open(school)
    assert room.refused_to(name, 400) == "bad_request"


def test_pupils_can_do_nothing_to_other_boards_or_to_the_class(school: TestClient) -> None:
    room, other = Schoolroom.open(school, boards=2), Schoolroom.open(school)
    pupils = room.fill(4)
    mine, theirs = pupils[0], room.at(*pupils[2:])
    stolen = {"seat": "red", "key": mine["key"]}
    order = {**stolen, "version": 0, "action": "hide 3", "request_id": "x"}
    for path, body in (("actions", order), ("undo", {**stolen, "version": 0}), ("class", stolen), ("leave", stolen)):
        assert post(school, theirs.url(path), body) == (403, "bad_key")
    for path, body in (
        ("boards", {}), ("pause", {"paused": True}), ("back", {"match": theirs.id}), ("delete", {}),
        ("door", {"closed": True}), ("cards", {"text": "?"}), ("computer", {"match": theirs.id}),
        ("pupils/word", {"match": theirs.id, "pupil": 1}), ("pupils/remove", {"match": theirs.id, "pupil": 1}),
        ("matches", {"game": "duel", "scenario": "short"}),
    ):  # fmt: skip
        taken = {"code": room.code, "key": mine["key"], **body}
        assert post(school, f"/api/classes/{path}", taken) == (403, "bad_key"), path
        strange = {**other.auth, **body}
        if "match" in body:
            assert post(school, f"/api/classes/{path}", strange) == (404, "unknown_match"), "another teacher's"
    assert post(school, "/api/classes/pause", {**other.auth, "paused": True, "matches": room.boards}) == (
        404, "unknown_match",
    )  # fmt: skip
    assert not any(board["paused"] for board in room.info()["boards"])


def test_a_board_is_deleted_copied_and_followed_by_nobody_but_its_teacher(school: TestClient) -> None:
    """Else names would outlive the class, or a board be gone before it is talked about."""
    room = Schoolroom.open(school)
    pupils = room.fill(2)
    table = room.at(*pupils)
    table.play([*TURN, *TURN])
    auth = table.auth("red")
    deleted = school.delete(f"/api/matches/{table.id}", params=auth)
    assert (deleted.status_code, deleted.json()["error"]["code"]) == (403, "of_a_class")
    assert post(school, table.url("copy"), auth) == (403, "of_a_class")
    assert post(school, table.url("rematch"), auth) == (403, "of_a_class")


def test_a_pupil_gives_no_seat_to_anybody_and_takes_no_second_one(school: TestClient) -> None:
    """Else who comes first sees what both sides hide, or keeps classmates out."""
    room = Schoolroom.open(school)
    (anna,) = room.fill(1)
    table = room.at(anna)
    auth = table.auth("red")
    human, bot = {"kind": "human", "name": ""}, {"kind": "bot", "bot": "random"}
    for path, body in (
        ("controllers", {"of": "blue", "opens": True, "controller": human}),
        ("controllers", {"of": "blue", "controller": bot, "opens": True}),
        ("agree", {"topic": "invite", "of": "blue"}),
        ("agree", {"topic": "computer", "of": "blue", "bot": "random"}),
        ("invitations", {"kind": "guest", "of": "red"}),
    ):
        assert post(school, table.url(path), {**auth, **body}) == (403, "of_a_class"), (path, body)
    assert room.board()["waiting"] == ["blue"]
    assert room.join("Ben")["seat"] == "blue"


def test_a_pupil_hands_no_seat_to_the_computer_in_a_pause(school: TestClient) -> None:
    room = Schoolroom.open(school)
    table = room.at(*room.fill(2))
    room.ask("pause", paused=True)
    body = {**table.auth("red"), "controller": {"kind": "bot", "bot": "random"}}
    assert post(school, table.url("controllers"), body) == (409, "paused")


def test_a_match_of_no_class_has_no_desk(school: TestClient) -> None:
    duel = Duelist.start(school)
    assert post(school, duel.url("class"), duel.auth("red")) == (404, "unknown_class")
    seats = school.get(duel.url("seats"), params=duel.auth("red")).json()
    assert seats["classroom"] is False
    room = Schoolroom.open(school)
    table = room.at(*room.fill(2))
    assert school.get(table.url("seats"), params=table.auth("red")).json()["classroom"] is True
