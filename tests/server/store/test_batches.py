"""Changes that share a transaction: each is answered when it is on disk, and one that is refused harms no other."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from rasputitsa.server.store import DiskFullError, StaleVersionError, Store
from tests.server.store.test_store import append, new_match
from tests.support import PATIENCE

MANY = 24


class Disk:
    """Counts commits, and holds the first one back until it is let go."""

    def __init__(self) -> None:
        self.commits = 0
        self.go_on = threading.Event()
        self.reached = threading.Event()
        self.fails: Callable[[], None] = lambda: None

    def step(self, name: str) -> None:
        if name == "commit":
            self.commits += 1
            self.reached.set()
            self.go_on.wait(PATIENCE)
            self.fails()


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def store(tmp_path: Path, disk: Disk) -> Store:
    disk.go_on.set()
    return Store(tmp_path / "matches.db", disk.step)


def together(store: Store, disk: Disk, works: Sequence[Callable[[], int]]) -> list[Future[int]]:
    """Start the first, and while it is being committed the others; then let it go on."""
    disk.go_on.clear()
    disk.reached.clear()
    disk.commits = 0
    with ThreadPoolExecutor(len(works)) as pool:
        first = pool.submit(works[0])
        assert disk.reached.wait(PATIENCE)
        others = [pool.submit(work) for work in works[1:]]
        while len(store._batches._waiting) < len(others):
            assert not first.done()
        assert not any(future.done() for future in [first, *others]), "answered before it was on disk"
        disk.go_on.set()
        return [first, *others]


def test_what_waits_together_is_committed_together(store: Store, disk: Disk) -> None:
    ids = [new_match(store) for _ in range(MANY)]
    futures = together(store, disk, [partial(append, store, number, 0, "a") for number in ids])
    assert [future.result() for future in futures] == [1] * MANY
    assert disk.commits == 2
    assert all(len(store.journal(number)) == 1 for number in ids)


def test_one_that_is_refused_harms_no_other(store: Store, disk: Disk) -> None:
    ids = [new_match(store) for _ in range(MANY)]
    stale = ids[5]
    works = [partial(append, store, number, 3 if number == stale else 0, "a") for number in ids]
    futures = dict(zip(ids, together(store, disk, works), strict=True))
    with pytest.raises(StaleVersionError):
        futures.pop(stale).result()
    assert {future.result() for future in futures.values()} == {1}
    assert {number: len(store.journal(number)) for number in ids} == {number: int(number != stale) for number in ids}


def test_two_on_the_same_version_cannot_share_a_transaction(store: Store, disk: Disk) -> None:
    one, two = new_match(store), new_match(store)
    others = [partial(append, store, two, 0, name) for name in "bcd"]
    first, *others_done = together(store, disk, [partial(append, store, one, 0, "a"), *others])
    assert first.result() == 1
    assert [type(future.exception()) for future in others_done].count(StaleVersionError) == 2
    assert len(store.journal(two)) == 1


def test_a_commit_that_fails_is_reported_to_everybody_in_it(store: Store, disk: Disk) -> None:
    ids = [new_match(store) for _ in range(MANY)]

    def full() -> None:
        if disk.commits > 1:
            problem = sqlite3.OperationalError("database or disk is full")
            problem.sqlite_errorname = "SQLITE_FULL"
            raise problem

    disk.fails = full
    first, *others = together(store, disk, [partial(append, store, number, 0, "a") for number in ids])
    assert first.result() == 1
    assert {type(future.exception()) for future in others} == {DiskFullError}
    disk.fails = lambda: None
    assert sum(len(store.journal(number)) for number in ids) == 1
    assert [append(store, number, 0, "a") for number in ids[1:]] == [1] * (MANY - 1)
