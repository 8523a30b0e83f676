"""Stores with something in them, as an orderly and as a killed server leave them."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

from rasputitsa.server.store import JournalRow, MatchStart, Store


def grow(store: Store, changes: int = 5) -> int:
    """A match with that many entries, one transaction each."""
    match_id = store.create(MatchStart(title="t", header="{}", summary={}, over=False, keys={"red": "r"}))
    for version in range(changes):
        store.append(
            match_id, seat="red", version=version, lines=[JournalRow("red", f"{version}")], summary={}, over=False
        )
    return match_id


def left_running(path: Path, changes: int = 5) -> None:
    """A store as a killed server leaves it: the newest changes are in the write-ahead log alone."""
    child = multiprocessing.get_context("fork").Process(target=_grow_and_die, args=(path, changes))
    child.start()
    child.join()
    assert Path(f"{path}-wal").stat().st_size > 0


def _grow_and_die(path: Path, changes: int) -> None:
    grow(Store(path), changes)
    os._exit(0)


def delete_log(log: Path) -> None:
    """Lose the write-ahead log."""
    log.unlink()
