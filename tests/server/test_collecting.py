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


class Watched:
    """A collector whose looks are counted instead of done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, young: int = collecting.ENOUGH) -> None:
        self.clock, self.some, self.full = Clock(), list[float](), list[float]()
        self.collector = Collector(
            self.clock, lambda: self.some.append(self.clock.now), lambda: self.full.append(self.clock.now)
        )
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, young))

    def tick(self, seconds: float, served: int) -> None:
        self.clock.now += seconds
        self.collector.tick(served)


def test_a_full_collection_waits_until_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    for served in range(1, 4 * int(collecting.EVERY_SECONDS) + 40):
        watched.tick(0.25, served)
    assert watched.full == [] and len(watched.some) > 2000, "what is new is looked through meanwhile"
    watched.tick(collecting.QUIET_SECONDS, served)
    assert watched.full == [watched.clock.now]
    for _ in range(100):
        watched.tick(collecting.QUIET_SECONDS, served)
    assert len(watched.full) == 1, "it is not repeated at once"


def test_where_it_is_never_quiet_it_comes_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    for served in range(1, int(4.6 * collecting.LONGEST_SECONDS)):
        watched.tick(0.5, served)
    assert watched.full == [collecting.LONGEST_SECONDS, 2 * collecting.LONGEST_SECONDS]


def test_where_nothing_was_made_there_is_nothing_to_look_for(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, collecting.ENOUGH - 1)
    watched.tick(10 * collecting.LONGEST_SECONDS, 0)
    assert watched.full == watched.some == []


def test_a_look_goes_through_what_is_new_alone(tidy: None) -> None:
    """What was looked through before is set aside; garbage in it waits for a full collection."""

    class Knot:
        def __init__(self) -> None:
            self.itself = self

    old = Knot()
    collecting.look()
    new, gone = Knot(), weakref.ref(old)
    gone_too = weakref.ref(new)
    del old, new
    kept = Knot()
    collecting.look()
    assert gone_too() is None and gone() is not None
    assert all(found is not kept for found in gc.get_objects()), "what is new is set aside in its turn"
    collecting.look_through_all()
    assert gone() is None


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
    room = rooms._in_memory[int(made["id"])]
    assert room.match is not None
    gc.collect()
    gc.disable()
    match, state = weakref.ref(room.match), weakref.ref(room.match.session)
    rooms._let_go(room)
    del room
    assert match() is None and state() is None
