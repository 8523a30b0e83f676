"""A server with clocks, whose time a test sets, and what they show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from rasputitsa.server.matches.watches.clocks import ClockWatch
from rasputitsa.server.store.people.clocks import FREE_MS
from rasputitsa.server.store.uptimes import Uptime
from tests.server.conftest import rooms_of
from tests.server.player import Duelist

MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR
FREE = FREE_MS["live"] / 1000
LIVE = {"pace": "live", "bank_minutes": 10, "turn_minutes": 5, "lapse": "computer"}
DAYS = {"pace": "days", "bank_minutes": 5 * 24 * 60, "turn_minutes": 24 * 60, "holiday_days": 10, "lapse": "computer"}


class Hall:
    """A server with clocks, whose time the test sets."""

    def __init__(self, client: TestClient, before: float = 0.0) -> None:
        self.client, self.now = client, 0.0
        self.store = rooms_of(client).store
        self.store.up = Uptime(int(1000 * before), lambda: self.now)
        assert isinstance(client.app, FastAPI)
        self.watch: ClockWatch = client.app.state.clock_watch
        self.watch._looked = self.watch._noted = self.store.up.ms()

    def look(self, seconds: float = 0.0) -> None:
        """Let time pass in which the server could be played on, and have it look."""
        self.now += seconds
        self.watch._looked = self.store.up.ms()
        self.call(self.watch.look)

    def call(self, what: Callable[[], Any]) -> None:
        assert self.client.portal is not None
        self.client.portal.call(what)

    def table(self, **clock: Any) -> Duelist:
        return Duelist.between_two(self.client, clock={**LIVE, **clock})


def clock(duel: Duelist) -> Any:
    answer = duel.client.get(duel.url("clock"))
    assert answer.status_code == 200, answer.text
    return answer.json()["clock"]


def left(duel: Duelist, seat: str) -> float:
    """Minutes that a seat has left."""
    return float(clock(duel)["seats"][seat]["left_ms"]) / 60_000


def free(duel: Duelist, seat: str) -> float:
    """Seconds until the time of a seat runs."""
    return float(clock(duel)["seats"][seat]["free_ms"]) / 1000


def running(duel: Duelist) -> Any:
    return clock(duel)["running"]
