"""Time-outs: what is looked at once more before a seat loses its time, and who has a say in a seat that has lost it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches.watches.clocks import LATE_MS, ClockWatch
from tests.server.conftest import connect
from tests.server.seats.hall import DAY, DAYS, FREE, MINUTE, Hall, left, running


@pytest.fixture
def hall(config: ServerConfig, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(ClockWatch, "seconds", 1e6)
    with connect(replace(config, local=False), host="10.0.0.1") as client:
        yield Hall(client)


@pytest.mark.parametrize("lapse", ["end", "open", "computer"])
def test_an_answer_that_comes_just_before_the_end_of_the_time_counts(hall: Hall, lapse: str) -> None:
    """The watch has found the time up, and looks again when it is its turn to write."""
    duel = hall.table(lapse=lapse)
    duel.act("red", "hide 3")
    hall.call(lambda: hall.watch._time_is_up(int(duel.id)))
    assert duel.view("red")["outcome"] is None and running(duel) == "blue"
    assert duel.view("red")["controllers"] == {"red": {"kind": "human"}, "blue": {"kind": "human"}}


def test_whoever_is_still_there_invites_to_a_seat_that_time_has_opened(hall: Hall) -> None:
    duel = hall.table(lapse="open")
    duel.act("red", "hide 3")
    hall.look(FREE + 11 * MINUTE)
    (table,) = hall.client.get("/api/tables").json()
    assert table["free"] == [{"seat": "blue", "pace": "live", "level": "any"}], "at the pace of the clock"
    seen = hall.client.post("/api/tables/look", json={"match": duel.id, "seat": "blue"}).json()
    assert seen["inviter"] == ["red"]


def test_a_substitute_has_no_more_than_the_most_there_is(hall: Hall) -> None:
    duel = hall.table(lapse="open", bank_minutes=1, turn_minutes=5)
    hall.look(FREE + 2 * MINUTE)
    assert left(duel, "red") == 1


def test_a_look_that_comes_just_too_late_gives_its_time_back(hall: Hall) -> None:
    duel = hall.table()
    hall.look(FREE)
    hall.now += LATE_MS / 1000
    hall.call(hall.watch.look)
    assert left(duel, "red") == 9.5
    hall.now += (LATE_MS + 1) / 1000
    hall.call(hall.watch.look)
    assert left(duel, "red") == 9.5


def test_a_holiday_under_way_can_be_made_longer(hall: Hall) -> None:
    duel = hall.table(**DAYS)
    for days, over in ((6, 6), (8, 8), (12, 10), (2, 2)):
        hall.store.take_holiday(int(duel.id), "red", int(1000 * DAY * days))
        times = hall.store.times(int(duel.id))
        assert times is not None
        seat = times.seats["red"]
        assert (seat.away_ms, seat.holiday_ms) == (1000 * DAY * over, 1000 * DAY * (10 - over))
