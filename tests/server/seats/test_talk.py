"""What people say to each other, and the private notes of each."""

from __future__ import annotations

import itertools
import logging
import os
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store, backup, talking
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim
from tests.server.seats.test_seats import post, refused
from tests.server.seats.test_table import four, sit_down


def say(duel: Duelist, seat: str, text: str, **body: Any) -> Any:
    return post(duel, "talk", seat, **{"text": text, "request_id": os.urandom(12).hex(), **body})


def said(duel: Duelist, seat: str, since: int = 0) -> list[str]:
    answer = duel.client.get(duel.url("talk"), params={**duel.auth(seat), "since": since})
    assert answer.status_code == 200, answer.text
    return [f"{message['seat']}: {message['text']}" for message in answer.json()["messages"]]


def notes(duel: Duelist, seat: str) -> str:
    return str(noted(duel, seat)["text"])


def noted(duel: Duelist, seat: str) -> dict[str, str]:
    """The notes of a seat, and their version."""
    answer: dict[str, str] = duel.client.get(duel.url("notes"), params=duel.auth(seat)).json()
    return answer


def test_both_read_what_either_says_and_it_changes_nothing_of_the_match(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    before = [duel.view(seat) for seat in ("red", "blue", None)]
    updated = rooms_of(client).store.match(int(duel.id)).updated_ms
    assert say(duel, "red", "Good luck!").status_code == 201
    number = say(duel, "blue", "And to you").json()["number"]
    assert said(duel, "red") == said(duel, "blue") == ["red: Good luck!", "blue: And to you"]
    say(duel, "red", "Your turn.")
    assert said(duel, "blue", since=number) == ["red: Your turn."]
    assert [duel.view(seat) for seat in ("red", "blue", None)] == before
    assert rooms_of(client).store.match(int(duel.id)).updated_ms == updated
    for path in ("export",):
        duel.client.post(duel.url("end"), json={**duel.auth("red"), "how": "resign"})
        assert "luck" not in client.get(duel.url(path), params=duel.auth("red")).text


def test_onlookers_and_strangers_read_and_hear_nothing(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    wrong = {"seat": "blue", "key": duel.keys["red"]}
    assert client.get(duel.url("talk")).status_code == 400
    for path in ("talk", "notes"):
        refused(client.get(duel.url(path), params=wrong), 403, "bad_key")
        refused(client.get(duel.url(path), params={"seat": ""}), 403, "bad_key")
    body = {**wrong, "text": "it is I", "request_id": "x" * 20}
    refused(client.post(duel.url("talk"), json=body), 403, "bad_key")
    refused(client.post(duel.url("notes"), json={**wrong, "text": ""}), 403, "bad_key")
    with duel.live(None) as onlooker, duel.live("blue") as window:
        onlooker.receive_json(), window.receive_json()
        say(duel, "red", "psst")
        assert window.receive_json() == {"type": "talk"}
        duel.client.post(duel.url("agree"), json={**duel.auth("red"), "topic": "hints"})
        assert onlooker.receive_json() == {"type": "seats"}, "nothing came before that"


def test_a_word_to_the_own_side_reaches_nobody_else(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        say(duel, "axis_north", "We attack in the south", to="side")
        say(duel, "axis_north", "Good day")
        with duel.live("soviet_south") as enemy:
            enemy.receive_json()
            say(duel, "axis_south", "Yes", to="side")
            say(duel, "soviet_north", "Let them come", to="side")
            assert enemy.receive_json() == {"type": "talk"}
            assert said(duel, "soviet_south") == ["axis_north: Good day", "soviet_north: Let them come"]
        private = ["axis_north: We attack in the south", "axis_north: Good day", "axis_south: Yes"]
        assert said(duel, "axis_south") == said(duel, "axis_north") == private


def test_who_comes_later_reads_neither_what_was_said_before_nor_the_notes(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    say(duel, "blue", "I will not be long")
    post(duel, "notes", "blue", text="a bluff")
    token = post(duel, "invitations", "blue", of="blue").json()["token"]
    duel.keys["blue"] = client.post("/api/invitations/claim", json={"token": token, "request_id": "x" * 20}).json()[
        "key"
    ]
    assert said(duel, "blue") == [] and notes(duel, "blue") == ""
    say(duel, "red", "Welcome")
    assert said(duel, "blue") == ["red: Welcome"]
    told = client.get(duel.url("talk"), params=duel.auth("red")).json()["messages"]
    assert [(message["text"], message["former"]) for message in told] == [
        ("I will not be long", True),
        ("Welcome", False),
    ]
    say(duel, "blue", "Thank you")
    post(duel, "leave", "blue")
    assert said(duel, "red")[-1] == "blue: Thank you"


def test_said_once_though_sent_twice(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    first = say(duel, "red", "Hello", request_id="a request of some length")
    assert say(duel, "red", "Hello", request_id="a request of some length").json() == first.json()
    assert said(duel, "blue") == ["red: Hello"]


def test_a_request_id_stands_for_one_message(client: TestClient) -> None:
    """Another one would be lost without a word; and one who sits down later may draw the same id."""
    duel = Duelist.between_two(client)
    request = "a request of some length"
    first = say(duel, "blue", "Hello", request_id=request)
    for other in ({"text": "Something else"}, {"text": "Hello", "to": "side"}):
        refused(say(duel, "blue", **{"request_id": request, **other}), 409, "request_reused")
    token = post(duel, "invitations", "blue", of="blue").json()["token"]
    duel.keys["blue"] = claim(client, token)["key"]
    mine = say(duel, "blue", "I am the new one", request_id=request)
    assert mine.status_code == 201 and mine.json() != first.json()
    assert said(duel, "red") == ["blue: Hello", "blue: I am the new one"]


def test_numbers_do_not_tell_how_often_others_speak_to_their_own_side(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted one by one, the numbers of what an enemy reads would have gaps."""
    now = time.time_ns()
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        numbers = []
        for place, private in enumerate((0, 5, 0, 9)):
            at = now + 1000 * place * 10**9
            monkeypatch.setattr("time.time_ns", lambda at=at: at)
            for number in range(private):
                assert say(duel, "axis_north", f"secret {number}", to="side").status_code == 201
            later = at + 900 * 10**9
            monkeypatch.setattr("time.time_ns", lambda later=later: later)
            numbers.append(say(duel, "soviet_north", "Hm").json()["number"])
        steps = {second - first for first, second in itertools.pairwise(numbers)}
        assert steps == {1_000_000}, "they tell the time, and nothing else"
        monkeypatch.setattr("time.time_ns", lambda: now - 3600 * 10**9)
        back = [say(duel, seat, "the clock was set back").json()["number"] for seat in ("axis_south", "soviet_south")]
        assert numbers[-1] <= back[0] < back[1], "and what is said still comes in its order"
        heard = said(duel, "soviet_south", since=numbers[-1] - 1)
        assert heard[1:] == [f"{seat}: the clock was set back" for seat in ("axis_south", "soviet_south")]


def test_what_is_said_is_one_printable_line(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    duel = Duelist.between_two(client)
    say(duel, "red", "one\r\ntwo\x1b[31m \u202eevil\u2066 <b>bold</b>")
    assert said(duel, "blue") == ["red: one two [31m evil <b>bold</b>"]
    refused(say(duel, "red", "\u202e \n\x00"), 400, "bad_request")
    assert say(duel, "red", "x" * 401).status_code == 400 and say(duel, "red", "").status_code == 400
    assert say(duel, "red", "short id", request_id="1").status_code == 400
    post(duel, "notes", "red", text="a\nb\x1b\x00c")
    assert notes(duel, "red") == "a\nbc"
    assert post(duel, "notes", "red", text="x" * 10_001).status_code == 400
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("rasputitsa")]
    assert not any("bold" in line or duel.keys["red"] in line for line in ours)


def test_who_talks_too_much_has_to_wait_and_loses_only_own_words(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talking, "MOST_MESSAGES", 5)
    duel = Duelist.between_two(client)
    say(duel, "blue", "mind your manners")
    for number in range(talking.MOST_IN_A_MINUTE):
        assert say(duel, "red", str(number)).status_code == (201)
    monkeypatch.setattr(talking, "MOST_IN_A_MINUTE", 5)
    late = say(duel, "red", "more")
    refused(late, 429, "too_many")
    assert int(late.headers["retry-after"]) == 60 and say(duel, "blue", "finally").status_code == 201
    assert said(duel, "red") == ["blue: mind your manners", *(f"red: {n}" for n in range(7, 12)), "blue: finally"]
    now = time.time_ns()
    monkeypatch.setattr("time.time_ns", lambda: now + 61 * 10**9)
    assert say(duel, "red", "again").status_code == 201


def test_notes_are_kept_for_their_seat_alone_and_go_with_the_match(config: ServerConfig, tmp_path: Path) -> None:
    with connect(config) as client:
        duel = Duelist.between_two(client)
        before = post(duel, "notes", "red", text="feint left").json()
        assert post(duel, "notes", "red", text="feint right", **before).status_code == 200
        say(duel, "red", "Hm")
        assert notes(duel, "red") == "feint right" and notes(duel, "blue") == ""
        backup.back_up(config.database, tmp_path / "copy.db")
    with connect(config) as client:
        duel.client = client
        assert notes(duel, "red") == "feint right" and said(duel, "blue") == ["red: Hm"]
        client.delete(duel.url("x").removesuffix("/x"), params=duel.auth("red"))
        with rooms_of(client).store.engine.connect() as connection:
            for table in ("messages", "desks"):
                assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
    copy = Store(tmp_path / "copy.db")
    assert copy.notes(int(duel.id), "red") == "feint right"
    copy.close()


def test_two_screens_of_one_seat_write_nothing_of_each_other_over(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    empty = noted(duel, "red")
    assert empty == {"text": "", "version": ""}
    here = post(duel, "notes", "red", **{**empty, "text": "feint left"}).json()
    assert here == {"version": noted(duel, "red")["version"]} and here["version"]
    late = post(duel, "notes", "red", **{**empty, "text": "feint right"})
    refused(late, 409, "notes_changed")
    assert notes(duel, "red") == "feint left" and "left" not in late.text
    there = post(duel, "notes", "red", **here, text="feint left and right").json()
    refused(post(duel, "notes", "red", **here, text=""), 409, "notes_changed")
    assert notes(duel, "red") == "feint left and right"
    again = post(duel, "notes", "red", **here, text="feint left and right")
    assert (again.status_code, again.json()) == (200, there), (
        "an answer that was lost: what is there already may come again"
    )
    assert post(duel, "notes", "red", **there, text="").json() == {"version": ""}
    refused(post(duel, "notes", "red", text="x", version="y" * 65), 400, "bad_request")


def test_room_is_asked_for_as_much_as_a_text_may_take(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four bytes a character, in UTF-8."""
    duel = Duelist.between_two(client)
    asked: list[int] = []
    monkeypatch.setattr(rooms_of(client).store, "require_room", lambda size=0: asked.append(size))
    assert say(duel, "red", "Good luck!").status_code == 201
    version = noted(duel, "red")["version"]
    assert post(duel, "notes", "red", text="hold the hill", version=version).status_code == 200
    assert asked == [4 * len("Good luck!"), 4 * len("hold the hill")]
