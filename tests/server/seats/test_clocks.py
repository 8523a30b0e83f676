"""Clocks: time is counted for the player who is asked, while the server can be played on, and when it is up that
happens once which was agreed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rasputitsa.core.record.entries import TIMED
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.watches import clocks as clock_watch
from rasputitsa.server.matches.watches.clocks import LATE_MS, ClockWatch
from rasputitsa.server.store import LowDiskError, Store
from rasputitsa.server.store.people.clocks import FREE_TIMES
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist, claim
from tests.server.seats.hall import DAY, DAYS, FREE, HOUR, LIVE, MINUTE, Hall, clock, free, left, running
from tests.server.seats.test_rematch import refusal, resigned
from tests.server.seats.test_seats import post
from tests.server.seats.test_table import four, sit_down, table


def players(duel: Duelist) -> dict[str, str]:
    view = duel.client.get(duel.url("view")).json()
    return {seat: player["kind"] for seat, player in view["controllers"].items()}


def told(duel: Duelist) -> list[str]:
    """What the log tells of the table."""
    log = duel.client.get(duel.url("log")).json()
    return [event["text"] for item in log for event in item["events"] if event["kind"] == "table"]


@pytest.fixture
def still(config: ServerConfig, monkeypatch: pytest.MonkeyPatch) -> ServerConfig:
    monkeypatch.setattr(clock_watch.ClockWatch, "seconds", 1e6)
    return replace(config, local=False)


@pytest.fixture
def hall(still: ServerConfig) -> Iterator[Hall]:
    with connect(still, host="10.0.0.1") as client:
        yield Hall(client)


def test_time_runs_for_whoever_is_asked_once_all_have_come(hall: Hall) -> None:
    duel = Duelist.start(hall.client, guests=["blue"], clock=LIVE)
    hall.look(HOUR)
    assert running(duel) is None and left(duel, "red") == 10
    duel.keys["blue"] = claim(hall.client, duel.links["blue"])["key"]
    assert running(duel) == "red" and free(duel, "red") == FREE
    hall.now += FREE
    assert left(duel, "red") == 10, "the first seconds of each question are free"
    hall.now += 3 * MINUTE
    assert left(duel, "red") == 7 and free(duel, "red") == 0
    duel.act("red", "hide 3")
    assert running(duel) == "blue" and left(duel, "red") == 7
    hall.now += FREE + MINUTE
    assert (left(duel, "red"), left(duel, "blue")) == (7, 9)
    for seat, action in TURN[1:]:
        duel.act(seat, action)
    assert (left(duel, "red"), left(duel, "blue")) == (10, 10), "a turn adds five minutes, up to ten"


def test_several_answers_in_a_row_are_one_time(hall: Hall) -> None:
    duel = hall.table()
    duel.act("red", "hide 3")
    hall.now += FREE + MINUTE
    duel.act("blue", "guess 2")
    hall.now += MINUTE
    assert left(duel, "blue") == 8, "the free seconds come once"


def test_a_turn_that_is_taken_back_adds_its_time_once(hall: Hall) -> None:
    duel = hall.table(turn_minutes=1)
    hall.now += FREE + 8 * MINUTE
    duel.play(TURN)
    assert left(duel, "red") == 3
    ply = duel.view("red")["ply"]
    for seat in ("red", "blue"):
        answer = post(duel, "undo", seat, version=duel.view(seat)["version"], to=ply - 1)
        assert answer.status_code == 200, answer.text
    duel.versions.clear()
    duel.act("blue", "done")
    assert left(duel, "red") == 3


def test_when_the_time_is_up_the_computer_plays_on(hall: Hall) -> None:
    duel = hall.table()
    hall.look(FREE + 10 * MINUTE - 1)
    assert players(duel) == {"red": "human", "blue": "human"}
    hall.look(1)
    assert players(duel) == {"red": "bot", "blue": "human"}
    assert [text for text in told(duel) if "time" in text] == ["Red: the time of this player is up"]
    assert refusal(hall.client, duel.url("leave"), duel.auth("red")) == "bad_key"
    assert running(duel) is None, "against the computer nobody is hurried"
    hall.look(10 * DAY)
    assert players(duel) == {"red": "bot", "blue": "human"}


def test_when_the_time_is_up_the_seat_is_open_to_a_substitute(hall: Hall) -> None:
    duel = hall.table(lapse="open")
    hall.look(FREE + 11 * MINUTE)
    (table,) = hall.client.get("/api/tables").json()
    assert table["id"] == duel.id and [free["seat"] for free in table["free"]] == ["red"]
    assert table["clock"] == {
        "pace": "live", "bank_ms": 600_000, "turn_ms": 300_000, "holiday_ms": 0, "lapse": "open",
    }  # fmt: skip
    assert running(duel) is None
    hall.look(HOUR)
    request = {"match": duel.id, "seat": "red", "request_id": "x" * 20, "name": "Carla"}
    assert hall.client.post("/api/tables/look", json={"match": duel.id, "seat": "red"}).json()["clock"] is not None
    taken = hall.client.post("/api/tables/take", json=request)
    assert taken.status_code == 200, taken.text
    assert running(duel) == "red" and left(duel, "red") == 5, "what a turn adds"


def test_who_lets_the_time_run_out_and_comes_back_as_a_substitute_gets_what_a_turn_adds_once(hall: Hall) -> None:
    duel = hall.table(lapse="open")
    waits: list[float] = []
    for number in range(4):
        waits.append(left(duel, "red"))
        hall.look(FREE + 60 * waits[-1] + 1)
        request = {"match": duel.id, "seat": "red", "request_id": f"{number}" * 20}
        duel.keys["red"] = hall.client.post("/api/tables/take", json=request).json()["key"]
    assert waits == [10, 5, 0, 0]
    for seat, action in TURN:
        duel.act(seat, action)
    assert left(duel, "red") == 5, "the next turn adds its time to all"


def test_a_substitute_has_a_minute_where_a_turn_adds_nothing(hall: Hall) -> None:
    duel = hall.table(lapse="open", turn_minutes=0)
    hall.look(FREE + 11 * MINUTE)
    assert left(duel, "red") == 1


def test_when_the_time_is_up_the_game_is_over(hall: Hall) -> None:
    duel = hall.table(lapse="end")
    post(duel, "end", "blue", how="draw")
    hall.look(FREE + 11 * MINUTE)
    view = duel.view("blue")
    assert view["decision"] is None and "Red resigns" in " ".join(told(duel))
    assert running(duel) is None


def test_who_passes_a_seat_on_gets_no_new_time(hall: Hall) -> None:
    duel = hall.table()
    hall.now += FREE + 9 * MINUTE
    token = post(duel, "invitations", "red", of="red", kind="guest").json()["token"]
    duel.keys["red"] = claim(hall.client, token)["key"]
    assert left(duel, "red") <= 1


def test_who_hands_the_seat_to_the_computer_and_takes_it_back_gets_no_new_free_time(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_of(hall.client), "play_bots", lambda room: None)  # too late to think
    duel = hall.table()
    hall.now += FREE + 9 * MINUTE
    for _ in range(4):
        for player in ({"kind": "bot", "bot": "random"}, {"kind": "human", "name": ""}):
            assert post(duel, "controllers", "red", controller=player).status_code == 200
            assert running(duel) == ("red" if player["kind"] == "human" else None)
        hall.look(FREE)
    assert players(duel)["red"] == "bot", "the time was up"


def test_who_takes_a_seat_back_in_the_free_time_keeps_the_rest_of_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_of(hall.client), "play_bots", lambda room: None)
    duel = hall.table()
    hall.now += FREE - 5
    for player in ({"kind": "bot", "bot": "random"}, {"kind": "human", "name": ""}):
        assert post(duel, "controllers", "red", controller=player).status_code == 200
    assert free(duel, "red") == 5
    duel.act("red", "hide 3")
    assert free(duel, "blue") == FREE
    duel.act("blue", "guess 2")


def test_who_is_asked_again_and_again_in_one_turn_has_no_free_time_in_the_end(hall: Hall) -> None:
    """War in Russia lets the one propose something as often as they like, which the other can only decline."""
    body = {"game": "wir", "scenario": "barbarossa_short", "guests": ["soviet"], "clock": LIVE}
    made = hall.client.post("/api/matches", json=body).json()
    war = Duelist(hall.client, made["id"], made["keys"], made["invitations"])
    war.keys["soviet"] = claim(hall.client, war.links["soviet"])["key"]
    for _ in range(FREE_TIMES + 4):
        hall.look(FREE)
        war.play([("axis", "end_game"), ("soviet", "decline")])
    assert free(war, "axis") == 0 and left(war, "soviet") == 10
    assert left(war, "axis") == 10 - 4 * FREE / MINUTE


def test_small_answers_that_come_at_once_take_next_to_nothing_of_the_free_time_of_a_turn(hall: Hall) -> None:
    duel = hall.table()
    hall.now += 5
    duel.act("red", "hide 3")
    rows = dict(clock_rows_of(hall, "seat, free_ms"))
    assert rows["red"] == (FREE_TIMES * FREE - 5) * 1000, "what was not used of it is there for other questions"
    hall.now += FREE + MINUTE
    duel.act("blue", "guess 2")
    for seat, action in TURN[2:]:
        duel.act(seat, action)
    assert dict(clock_rows_of(hall, "seat, free_ms"))["blue"] == FREE_TIMES * FREE * 1000, "a turn brings it again"


def clock_rows_of(hall: Hall, columns: str) -> Any:
    with hall.store._reading() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(f"SELECT {columns} FROM seat_clocks")]


def test_nobody_is_hurried_when_the_other_has_left(hall: Hall) -> None:
    duel = hall.table()
    assert post(duel, "leave", "blue").status_code == 200
    hall.look(DAY)
    assert running(duel) is None and players(duel)["red"] == "human"


def four_with_a_clock(hall: Hall) -> tuple[Duelist, str, str]:
    """Two people with two seats each; the seat that is asked, and its partner's."""
    duel = four(hall.client, clock=LIVE)
    sit_down(duel, "axis_south", keys={"axis_north": duel.keys["axis_north"]})
    sit_down(duel, "soviet_north")
    sit_down(duel, "soviet_south", keys={"soviet_north": duel.keys["soviet_north"]})
    asked = running(duel)
    side, _, _ = asked.partition("_")
    return duel, asked, next(seat for seat in duel.keys if seat.startswith(side) and seat != asked)


def test_who_gives_up_one_of_two_seats_does_not_stop_the_clock_for_the_other(hall: Hall) -> None:
    duel, asked, partner = four_with_a_clock(hall)
    assert post(duel, "leave", partner).status_code == 200
    assert running(duel) == asked
    hall.look(FREE + 11 * MINUTE)
    assert players(duel)[asked] == "bot", "the time was up"


def test_the_clock_waits_for_who_is_invited_until_the_invitation_is_withdrawn(hall: Hall) -> None:
    duel = four(hall.client, clock=LIVE)
    sit_down(duel, "soviet_north", "soviet_south")
    hall.look(HOUR)
    assert running(duel) is None, "one is still to come"
    assert post(duel, "invitations/revoke", "axis_north", of="axis_south").status_code == 200
    assert running(duel) == "axis_north"


def test_a_game_that_is_over_has_no_clock_running(hall: Hall) -> None:
    duel = hall.table()
    resigned(duel)
    hall.look(DAY)
    assert running(duel) is None


# -- outages -------------------------------------------------------------------------------------------


def test_while_the_server_is_off_no_clock_runs_and_everybody_gets_time_to_find_it_again(still: ServerConfig) -> None:
    with connect(still, host="10.0.0.1") as client:
        hall = Hall(client)
        duel = hall.table()
        hall.now += FREE + 4 * MINUTE
        hall.store.note_up()
    for before in (hall.now, 0.0):  # the second time it was killed, and the clock goes back
        with connect(still, host="10.0.0.1") as client:
            hall = Hall(client, before)
            duel.client = client
            hall.call(hall.watch.begin)
            hall.look()
            assert players(duel)["red"] == "human"
            assert 6 <= left(duel, "red") <= 10 and running(duel) == "red"


def test_time_in_which_the_server_stood_still_is_given_back(hall: Hall) -> None:
    duel = hall.table()
    hall.now += FREE
    hall.look()
    hall.now += 3 * HOUR
    hall.call(hall.watch.look)
    assert players(duel)["red"] == "human" and left(duel, "red") == 10
    hall.now += LATE_MS / 1000
    hall.call(hall.watch.look)
    assert left(duel, "red") == 9.5, "a little late is not still"


def test_time_in_which_nothing_could_be_kept_is_given_back(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = hall.table()
    hall.look(FREE)

    def full(*_: object) -> None:
        raise LowDiskError("full")

    monkeypatch.setattr(hall.store.disk, "check", full)
    for _ in range(100):
        hall.now += 30
        hall.call(lambda: hall.watch.careful(hall.watch.look))
    assert players(duel)["red"] == "human"
    monkeypatch.undo()
    hall.call(hall.watch.look)
    assert players(duel)["red"] == "human" and left(duel, "red") == 10


# -- once ----------------------------------------------------------------------------------------------


def test_a_match_that_cannot_be_followed_stops_no_clock_of_others(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = hall.table(), hall.table()
    rooms = rooms_of(hall.client)
    opened = rooms.open

    async def breaks(match_id: int) -> Any:
        if match_id == int(bad.id):
            raise ValueError("nobody thought of this")
        return await opened(match_id)

    monkeypatch.setattr(rooms, "open", breaks)
    hall.look(HOUR)
    monkeypatch.undo()
    assert (players(bad)["red"], players(good)["red"]) == ("human", "bot")


def test_two_who_look_at_the_same_time_do_it_once(hall: Hall) -> None:
    duel = hall.table(lapse="open")
    hall.now += FREE + 11 * MINUTE
    hall.watch._looked = hall.store.up.ms()
    other = ClockWatch(rooms_of(hall.client))

    async def both() -> None:
        await asyncio.gather(hall.watch.look(), other.look(), hall.watch.look())

    hall.call(both)
    assert [entry.action for entry in entries(duel) if entry.action == TIMED] == [TIMED]
    hall.look(HOUR)
    assert [entry.action for entry in entries(duel) if entry.action == TIMED] == [TIMED]


def entries(duel: Duelist) -> Any:
    match = rooms_of(duel.client)._rooms[int(duel.id)].match
    assert match is not None
    return match.session.entries


def test_who_answers_in_the_last_moment_keeps_the_seat(hall: Hall) -> None:
    duel = hall.table()
    hall.now += FREE + 11 * MINUTE
    duel.act("red", "hide 3")
    hall.look()
    assert players(duel) == {"red": "human", "blue": "human"} and left(duel, "red") == 0


class PowerError(Exception):
    """Is cut."""


@pytest.mark.parametrize("lapse", ["computer", "open", "end"])
@pytest.mark.parametrize("cut", [1, 2, 4, 6, 9])
def test_what_breaks_off_in_the_middle_is_done_whole_at_the_next_look(hall: Hall, lapse: str, cut: int) -> None:
    duel = hall.table(lapse=lapse)
    hall.now += FREE + 11 * MINUTE
    hall.watch._looked = hall.store.up.ms()
    steps = []

    def fail(name: str) -> None:
        steps.append(name)
        if len(steps) == cut:
            raise PowerError

    hall.store._step = fail
    hall.call(lambda: hall.watch.careful(hall.watch.look))
    hall.store._step = lambda _: None
    other = Store(hall.store.path)
    timed, done = any(TIMED in row.line for row in other.journal(int(duel.id))), lapsed(other, int(duel.id))
    other.close()
    assert timed == done, "all of it or nothing"
    hall.look()
    assert [entry.action for entry in entries(duel)].count(TIMED) == 1
    assert lapsed(hall.store, int(duel.id))


def lapsed(store: Store, match_id: int) -> bool:
    """Whether any of what may be agreed has happened to Red."""
    match = store.match(match_id)
    bot = match.summary["controllers"]["red"]["kind"] == "bot"
    return bot or match.over or not store.seats(match_id)["red"].holder


# -- secrets -------------------------------------------------------------------------------------------


def test_a_clock_tells_nothing_of_orders_in_secret(hall: Hall) -> None:
    body = {"game": "wir", "scenario": "barbarossa_short", "guests": ["soviet"], "clock": LIVE}
    made = hall.client.post("/api/matches", json=body).json()
    war = Duelist(hall.client, made["id"], made["keys"], made["invitations"])
    war.keys["soviet"] = claim(hall.client, war.links["soviet"])["key"]
    hall.now += FREE + MINUTE
    before, stored = clock(war), clock_rows(hall)
    for line in ("divide 40; back", "divide 40; back"):
        war.act("axis", line)
        assert clock(war) == before and clock_rows(hall) == stored
    war.act("axis", "done")
    assert clock(war) != before


def clock_rows(hall: Hall) -> Any:
    with hall.store._reading() as connection:
        return connection.exec_driver_sql("SELECT * FROM clocks, seat_clocks").all()


def test_nobody_is_silent_whose_time_a_clock_counts(hall: Hall) -> None:
    """On holiday above all; what becomes of the seat was agreed on when the match was started."""
    duel = hall.table(**{**DAYS, "holiday_days": 30})
    assert post(duel, "holiday", "red", days=20).status_code == 200
    hall.look(16 * DAY)
    assert not table(duel, "blue")["seats"]["red"]["silent"]
    takes = {**duel.auth("blue"), "topic": "computer", "of": "red", "bot": "random"}
    assert refusal(hall.client, duel.url("agree"), takes) == "not_yours"
    hall.look(10 * DAY)
    assert [text for text in told(duel) if "time" in text] == ["Red: the time of this player is up"]


# -- holidays ------------------------------------------------------------------------------------------


def test_on_holiday_the_own_time_stands_still(hall: Hall) -> None:
    duel = hall.table(**DAYS)
    hall.look(HOUR)
    assert post(duel, "holiday", "red", days=7).status_code == 200
    red = clock(duel)["seats"]["red"]
    assert red["away_ms"] == 7 * DAY * 1000 and red["holiday_ms"] == 3 * DAY * 1000
    hall.look(7 * DAY)
    assert left(duel, "red") == 5 * 24 * 60
    hall.look(2 * DAY)
    assert left(duel, "red") == 3 * 24 * 60
    over = post(duel, "holiday", "red", days=4)
    assert (over.status_code, over.json()["error"]["message"]) == (400, "3 days of holidays are left")
    assert post(duel, "holiday", "red", days=3).status_code == 200
    hall.look(DAY)
    assert post(duel, "holiday", "red", days=0).status_code == 200
    red = clock(duel)["seats"]["red"]
    assert (red["away_ms"], red["holiday_ms"]) == (0, 2 * DAY * 1000)
    hall.look(DAY)
    assert left(duel, "red") == 2 * 24 * 60


def test_a_holiday_that_is_ended_just_before_its_end_is_no_free_time(hall: Hall) -> None:
    duel = hall.table(**DAYS)
    hall.look(2 * HOUR)
    assert post(duel, "holiday", "red", days=1).status_code == 200
    hall.look(23 * HOUR + 30 * MINUTE)
    assert post(duel, "holiday", "red", days=0).status_code == 200
    assert free(duel, "red") == 0
    hall.look(30 * MINUTE)
    assert left(duel, "red") == 5 * 24 * 60 - 60 - 30


def test_who_is_asked_while_on_holiday_has_time_from_its_end(hall: Hall) -> None:
    duel = hall.table(**DAYS)
    assert post(duel, "holiday", "blue", days=10).status_code == 200
    duel.act("red", "hide 3")
    hall.look(9 * DAY)
    assert left(duel, "blue") == 5 * 24 * 60 and running(duel) == "blue"
    duel.act("blue", "guess 2")
    hall.look(2 * DAY)
    assert left(duel, "blue") == 4 * 24 * 60


def test_holidays_are_for_ones_own_seat_in_a_match_that_has_them(hall: Hall) -> None:
    duel = hall.table(**DAYS)
    assert refusal(hall.client, duel.url("holiday"), {"seat": "red", "key": duel.keys["blue"], "days": 1}) == "bad_key"
    live = hall.table(holiday_days=5)
    assert refusal(hall.client, live.url("holiday"), {**live.auth("red"), "days": 1}) == "bad_request"
    none = Duelist.between_two(hall.client)
    assert clock(none) is None
    assert refusal(hall.client, none.url("holiday"), {**none.auth("red"), "days": 1}) == "bad_request"


# -- what is agreed ------------------------------------------------------------------------------------


def test_a_clock_is_agreed_at_the_start_and_told_to_who_is_invited(hall: Hall) -> None:
    duel = Duelist.start(hall.client, guests=["blue"], clock=DAYS)
    looked = hall.client.post("/api/invitations/look", json={"token": duel.links["blue"]}).json()
    assert looked["clock"]["lapse"] == "computer" and looked["clock"]["holiday_ms"] == 10 * DAY * 1000
    for terms in ({**LIVE, "bank_minutes": 0}, {**LIVE, "lapse": "shoot"}, {**LIVE, "turn_minutes": -1}, {}):
        body = {"game": "duel", "scenario": "short", "guests": ["blue"], "clock": terms}
        assert refusal(hall.client, "/api/matches", body) == "bad_request"
    alone = {"game": "duel", "scenario": "short", "clock": LIVE}
    assert refusal(hall.client, "/api/matches", alone) == "bad_request"


def test_a_rematch_has_the_same_clock(hall: Hall) -> None:
    duel = hall.table()
    resigned(duel)
    again = post(duel, "rematch", "red").json()
    assert hall.client.get(f"/api/matches/{again['id']}/clock").json()["clock"]["terms"]["bank_ms"] == 600_000
