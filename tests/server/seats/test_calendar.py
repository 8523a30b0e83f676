"""A calendar of one's turns: what is in it, who can read it, and that it ends."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from starlette.testclient import TestClient

from rasputitsa.server.config import NoticeSettings, ServerConfig
from rasputitsa.server.routes import calendar as routes
from rasputitsa.server.store import CrowdedError, digest
from rasputitsa.server.store.people import calendars
from rasputitsa.server.store.uptimes import Uptime
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist, claim
from tests.server.seats.hall import FREE, Hall
from tests.server.seats.test_seats import post

NOW = datetime(2030, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is always the same moment."""
    monkeypatch.setattr(routes, "_now", lambda: NOW)


def joined(duel: Duelist, seat: str, calendar: str = "") -> str:
    """The token of the calendar that holds the turns of a seat."""
    made = duel.client.post(duel.url("calendar"), json={**duel.auth(seat), "calendar": calendar})
    assert made.status_code == 200, made.text
    token: str = made.json()["token"]
    return token


def events(client: TestClient, token: str) -> list[Any]:
    """What a calendar program finds."""
    answer = client.get(f"/api/calendar/{token}.ics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    found = Calendar.from_ical(answer.text)
    assert found["version"] == "2.0" and found["prodid"]
    return list(found.walk("VEVENT"))


def told(client: TestClient, token: str) -> list[str]:
    return [str(event["summary"]) for event in events(client, token)]


def gone(client: TestClient, token: str) -> bool:
    answer = client.get(f"/api/calendar/{token}.ics")
    return answer.status_code == 404 and bool(answer.json()["error"]["code"] == "unknown_calendar")


def test_a_match_is_in_it_while_it_is_ones_turn(client: TestClient) -> None:
    duel = Duelist.between_two(client, title="Our duel")
    red, blue = joined(duel, "red"), joined(duel, "blue")
    assert told(client, red) == ["Your turn: Our duel (Turn 1)"] and told(client, blue) == []
    (event,) = events(client, red)
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (date(2030, 5, 6), date(2030, 5, 7))
    assert event["transp"] == "TRANSPARENT"
    duel.act("red", "hide 3")
    assert told(client, red) == [] and told(client, blue) == ["Your turn: Our duel (Turn 1)"]
    assert post(duel, "end", "blue", how="resign").status_code == 200
    assert told(client, blue) == [], "nothing of a match that is over"


def test_it_tells_when_the_clock_runs_out(client: TestClient) -> None:
    hall = Hall(client)
    duel = hall.table(bank_minutes=30)
    red, blue = joined(duel, "red"), joined(duel, "blue")
    hall.look(FREE + 600)
    turn, up = events(client, red)
    assert str(up["summary"]).startswith("Your time is up: ")
    assert up.decoded("dtstart") == (NOW + timedelta(minutes=20)).replace(second=0)
    assert turn["uid"] != up["uid"]
    assert events(client, blue) == []
    again = [event["uid"] for event in events(client, red)]
    assert again == [turn["uid"], up["uid"]], "programs know an event again by its name"


def test_a_holiday_moves_the_time(client: TestClient) -> None:
    hall = Hall(client)
    duel = hall.table(pace="days", bank_minutes=24 * 60, holiday_days=5)
    token = joined(duel, "red")
    before = events(client, token)[1].decoded("dtstart")
    assert post(duel, "holiday", "red", days=2).status_code == 200
    assert events(client, token)[1].decoded("dtstart") - before > timedelta(days=1, hours=20)


def test_one_calendar_holds_the_turns_of_all_matches(client: TestClient) -> None:
    first, second = (Duelist.between_two(client, title=title) for title in ("First", "Second"))
    token = joined(first, "red")
    assert joined(second, "red", token) == token
    assert told(client, token) == ["Your turn: First (Turn 1)", "Your turn: Second (Turn 1)"]
    assert client.get(first.url("calendar"), params=first.auth("red")).json() == {"offered": True, "on": True}
    assert post(first, "calendar/off", "red").status_code == 200
    assert told(client, token) == ["Your turn: Second (Turn 1)"]
    assert client.get(first.url("calendar"), params=first.auth("red")).json() == {"offered": True, "on": False}
    assert joined(first, "red", token) == token, "and back"


def test_a_calendar_stays_when_its_matches_are_deleted(client: TestClient) -> None:
    duel, next_one = Duelist.between_two(client), Duelist.between_two(client)
    token = joined(duel, "red")
    rooms_of(client).store.delete(int(duel.id))
    assert told(client, token) == []
    assert joined(next_one, "red", token) == token


def test_who_plays_alone_is_waited_for_by_nobody(client: TestClient) -> None:
    duel = Duelist.start(client)
    assert client.get(duel.url("calendar"), params=duel.auth("red")).json()["offered"] is False
    assert told(client, joined(duel, "red")) == []


# -- who can read it ---------------------------------------------------------------------------------


def test_an_address_cannot_be_guessed_and_is_not_kept(client: TestClient, config: ServerConfig) -> None:
    duel = Duelist.between_two(client)
    tokens = {joined(duel, "red") for _ in range(20)}
    assert len(tokens) == 20 and min(map(len, tokens)) == 32, "192 bits of chance"
    (last,) = [token for token in tokens if not gone(client, token) and told(client, token)]
    with closing(sqlite3.connect(config.database)) as connection:
        kept = "\n".join(connection.iterdump())
    assert digest(last) in kept and not any(token in kept for token in tokens)
    for guess in ("", "x", last[:-1], last.upper(), f"{last}x", digest(last), "%00"):
        assert client.get(f"/api/calendar/{guess}").status_code == 404
    for length, status in ((64, 404), (65, 400)):
        assert client.get(f"/api/calendar/{'x' * length}.ics").status_code == status


def test_an_address_that_was_made_void_leads_nowhere_and_comes_back_for_nobody(client: TestClient) -> None:
    first, second = Duelist.between_two(client), Duelist.between_two(client)
    token = joined(first, "red")
    joined(second, "blue", token)
    assert client.post("/api/calendar/void", json={"token": token}).status_code == 200
    assert gone(client, token)
    assert client.post("/api/calendar/void", json={"token": token}).json()["error"]["code"] == "unknown_calendar"
    assert client.get(first.url("calendar"), params=first.auth("red")).json()["on"] is False
    again = joined(first, "red", token)
    assert again != token and gone(client, token)


def test_the_turns_of_a_seat_are_for_who_holds_it(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    wrong = client.post(duel.url("calendar"), json={"seat": "red", "key": duel.keys["blue"]})
    assert wrong.json()["error"]["code"] == "bad_key"
    off = client.post(duel.url("calendar/off"), json={"seat": "red", "key": duel.keys["blue"]})
    assert off.json()["error"]["code"] == "bad_key"
    token = joined(duel, "red")
    link = post(duel, "invitations", "red", of="red").json()["token"]
    duel.keys["red"] = claim(client, link)["key"]
    assert told(client, token) == [], "it has gone to somebody else"
    assert not gone(client, token), "the calendar of who held it stays"


def test_texts_of_others_are_texts(client: TestClient) -> None:
    title = "a\r\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:b; c, d\\n" + "\u00e4" * 60
    duel = Duelist.between_two(client, title=title)
    token = joined(duel, "red")
    (event,) = events(client, token)
    assert "END:VEVENT" in event["summary"] and "\n" not in str(event["summary"])
    raw = client.get(f"/api/calendar/{token}").content
    assert raw.count(b"\r\nBEGIN:VEVENT") == 1
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))


def test_it_links_to_the_match_where_the_host_has_said_how(config: ServerConfig) -> None:
    with connect(replace(config, notices=NoticeSettings("https://games.example"))) as client:
        duel = Duelist.between_two(client)
        (event,) = events(client, joined(duel, "red"))
        assert event["url"] == f"https://games.example/#/match/{duel.id}"


def test_nothing_in_it_opens_a_seat_or_tells_what_is_secret(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    token = joined(duel, "red")
    text = client.get(f"/api/calendar/{token}").text
    assert not any(key in text for key in duel.keys.values())
    duel.act("red", "hide 3")
    assert "3" not in "".join(told(client, joined(duel, "blue"))).replace("Duel: Short (Turn 1)", "")


# -- bounds ------------------------------------------------------------------------------------------


def test_a_calendar_has_a_most_of_seats(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calendars, "MOST_SEATS", 1)
    first, second = Duelist.between_two(client), Duelist.between_two(client)
    token = joined(first, "red")
    refused = client.post(second.url("calendar"), json={**second.auth("red"), "calendar": token})
    assert refused.status_code == 429
    assert told(client, token) == ["Your turn: Duel: Short (Turn 1)"]
    with pytest.raises(CrowdedError):
        rooms_of(client).store.join_calendar(int(second.id), "red", token)
    assert client.get(second.url("calendar"), params=second.auth("red")).json()["on"] is False


def test_an_empty_calendar_that_nobody_reads_is_forgotten(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    store, now = rooms_of(client).store, [0.0]
    store.up = Uptime(0, lambda: now[0])
    used, unread = joined(duel, "red"), joined(duel, "blue")
    for seat in ("red", "blue"):
        assert post(duel, "calendar/off", seat).status_code == 200
    now[0] = calendars.UNUSED_MS / 2000
    assert told(client, used) == []
    now[0] = calendars.UNUSED_MS / 1000
    filled = joined(duel, "red")
    store.look_after()
    assert not gone(client, used) and not gone(client, filled)
    assert gone(client, unread)


def test_it_is_there_after_a_restart(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.between_two(client)
        token = joined(duel, "red")
    with connect(config) as client:
        assert told(client, token) == ["Your turn: Duel: Short (Turn 1)"]
