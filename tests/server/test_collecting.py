"""When garbage is looked for, and that what leaves memory is no garbage that has to be looked for."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from rasputitsa.server import collecting
from rasputitsa.server.collecting import Collector
from tests.server.conftest import rooms_of


@pytest.fixture
def tidy() -> Iterator[None]:
    """The interpreter as it was, afterwards."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()
    gc.enable()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_full_collection_waits_until_nobody_asks(tidy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, done = Clock(), list[float]()
    collector = Collector(clock, lambda: done.append(clock.now))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, collecting.ENOUGH))
    for served in range(1, 41):
        clock.now += 0.25
        collector.tick(served)
    assert done == []
    clock.now += collecting.QUIET_SECONDS
    collector.tick(40)
    assert done == [clock.now]


def test_where_it_is_never_quiet_it_comes_at_last(tidy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, done = Clock(), list[float]()
    collector = Collector(clock, lambda: done.append(clock.now))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, collecting.ENOUGH))
    for served in range(1, 1400):
        clock.now += 0.5
        collector.tick(served)
    assert done == [collecting.LONGEST_SECONDS, 2 * collecting.LONGEST_SECONDS]


def test_where_nothing_was_made_there_is_nothing_to_look_for(tidy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, done = Clock(), list[float]()
    collector = Collector(clock, lambda: done.append(clock.now))
    monkeypatch.setattr(gc, "get_count", lambda: (700, 9, collecting.ENOUGH - 1))
    clock.now += 10 * collecting.LONGEST_SECONDS
    collector.tick(0)
    assert done == []


def test_the_interpreter_makes_no_full_collection_by_itself(tidy: None) -> None:
    Collector().begin()
    full = gc.get_stats()[2]["collections"]
    kept = [[[number] for number in range(40)] for _ in range(20_000)]
    assert len(kept) == 20_000 and gc.get_stats()[2]["collections"] == full


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "june22"), ("wir", "barbarossa")])
def test_a_match_that_leaves_memory_is_freed_at_once(client: TestClient, tidy: None, game: str, scenario: str) -> None:
    rooms = rooms_of(client)
    made = client.post("/api/matches", json={"game": game, "scenario": scenario}).json()
    for seat, key in made["keys"].items():
        client.get(f"/api/matches/{made['id']}/view", params={"seat": seat, "key": key})
    room = rooms._awake[int(made["id"])]
    assert room.match is not None
    gc.collect()
    gc.disable()
    match, state = weakref.ref(room.match), weakref.ref(room.match.session)
    rooms._let_go(room)
    del room
    assert match() is None and state() is None
