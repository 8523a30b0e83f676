"""Opening a store: a loss is told from a new start."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rasputitsa.server.store import (
    DamagedStoreError,
    JournalRow,
    MissingChangesError,
    Store,
    data_folder,
)
from rasputitsa.server.store.commit_mark import SLOT_BYTES, Mark, StoreProgress
from tests.server.store.stores import delete_log, grow, left_running


def test_a_new_folder_is_a_new_start_and_keeps_to_itself(path: Path) -> None:
    store = Store(path)
    assert store.matches() == []
    grow(store)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes.keys() == {"matches.db", "matches.db-wal", "matches.db-shm", "matches.mark"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()
    assert {file.name for file in path.parent.iterdir()} == {"matches.db", "matches.mark"}


def test_files_that_others_could_read_are_closed_to_them(path: Path) -> None:
    Store(path).close()
    path.chmod(0o644)
    Store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_empty_database_is_a_loss(path: Path) -> None:
    store = Store(path)
    grow(store)
    store.close()
    path.write_bytes(b"")
    with pytest.raises(DamagedStoreError, match=r"is empty \(0 bytes\). It held 6 changes, the last on .* restore"):
        Store(path)
    path.with_suffix(".mark").unlink()
    with pytest.raises(DamagedStoreError, match=r"is empty .*if there never was a match in it, delete the file"):
        Store(path)
    assert path.read_bytes() == b""
    path.unlink()
    assert Store(path).matches() == []


@pytest.mark.parametrize(
    "trace", ["matches.mark", "matches.db-wal", "matches.db.before-0003", "before-restore-1", "backups/matches-1.db"]
)
def test_a_missing_database_is_a_loss_where_there_has_been_one(path: Path, trace: str) -> None:
    path.parent.mkdir()
    (path.parent / trace).parent.mkdir(exist_ok=True)
    (path.parent / trace).write_text("")
    with pytest.raises(DamagedStoreError, match=f"is gone, but not what belongs to it .{Path(trace).name}"):
        Store(path)
    assert not path.exists()


def test_a_truncated_database_is_a_loss(path: Path) -> None:
    store = Store(path)
    grow(store, 200)
    store.close()
    content = path.read_bytes()
    for size in (1, 99, 100, 4096, 5000, len(content) - 4096):
        path.write_bytes(content[:size])
        with pytest.raises(DamagedStoreError):
            Store(path)


def cut_log(log: Path) -> None:
    with log.open("rb+") as file:
        file.truncate(log.stat().st_size // 2)


def empty_log(log: Path) -> None:
    log.write_bytes(b"")


def spoil_log(log: Path) -> None:
    with log.open("rb+") as file:
        file.write(b"\0" * 32)


@pytest.mark.parametrize("harm", [delete_log, cut_log, empty_log, spoil_log])
def test_confirmed_changes_that_are_missing_are_reported(path: Path, harm: Callable[[Path], None]) -> None:
    left_running(path)
    harm(Path(f"{path}-wal"))
    for _ in range(2):  # and not only the first time
        with pytest.raises(MissingChangesError, match=r"lacks the last \d changes that were confirmed.*restore FILE"):
            Store(path)


def test_a_log_that_is_whole_is_read_and_kept(path: Path) -> None:
    left_running(path)
    store = Store(path)
    assert store.match(1).entries == 5


def test_a_database_from_elsewhere_next_to_this_mark_is_reported(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "matches.db"
    for place_ in (path, other):
        store = Store(place_)
        grow(store)
        store.close()
    shutil.copyfile(other, path)
    with pytest.raises(MissingChangesError, match="belongs to another database"):
        Store(path)


def test_without_a_mark_a_database_starts_and_says_so(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(path)
    grow(store)
    store.close()
    mark = path.with_suffix(".mark")
    for content in (None, b"", b"\xff" * 2000, b"rasputitsa-mark 1 x y z 0\n"):
        mark.unlink()
        if content is not None:
            mark.write_bytes(content)
        caplog.clear()
        Store(path).close()
        assert "nothing can tell whether the database is complete" in caplog.text
        assert Mark(mark).read() is not None


def test_a_link_or_a_pipe_in_place_of_the_mark_is_no_mark(path: Path, tmp_path: Path) -> None:
    Store(path).close()
    mark, mine = path.with_suffix(".mark"), tmp_path / "mine"
    mine.write_text("precious")
    mark.unlink()
    mark.symlink_to(mine)
    grow(Store(path))
    assert mine.read_text() == "precious" and not mark.is_symlink()
    mark.unlink()
    os.mkfifo(mark)
    Store(path).close()
    assert mark.is_file()


def test_two_that_begin_at_once_get_one_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = data_folder.put_in_place
    quicker: list[Store] = []

    def put_in_place(new: Path, target: Path) -> None:
        monkeypatch.setattr(data_folder, "put_in_place", real)
        quicker.append(Store(path))
        real(new, target)

    monkeypatch.setattr(data_folder, "put_in_place", put_in_place)
    store = Store(path)
    grow(quicker[0])
    assert [row.entries for row in store.matches()] == [5]


def test_a_torn_mark_tells_the_change_before(tmp_path: Path) -> None:
    mark = Mark(tmp_path / "mark")
    mark.replace(StoreProgress("s", 6, 0))
    mark.raise_to(StoreProgress("s", 7, 1))
    mark.close()
    content = bytearray(mark.path.read_bytes())
    assert mark.read() == StoreProgress("s", 7, 1)
    content[SLOT_BYTES + 20] ^= 1
    mark.path.write_bytes(content)
    assert mark.read() == StoreProgress("s", 6, 0)


def test_a_mark_never_falls_and_never_stops_a_change(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(path)
    mark = Mark(path.with_suffix(".mark"))
    match_id = grow(store)
    reached = mark.read()
    assert reached is not None and reached.changes == 6
    store._mark.raise_to(StoreProgress(reached.store, 3, 0))
    assert mark.read() == reached
    store._mark.close()
    mark.path.unlink()
    for version in (5, 6):
        store.append(
            match_id, seat="red", version=version, lines=[JournalRow("red", "x")], summary={}, over=False
        )  # fmt: skip
    assert store.match(match_id).entries == 7
    assert caplog.text.count("cannot be written") == 1


def test_a_clock_that_jumped_is_reported_and_harms_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = time.time_ns
    for year, warned in ((2080, False), (1970, True), (2026, False), (20_000, False), (2026, True)):
        monkeypatch.setattr(time, "time_ns", lambda year=year: real() + (year - 2026) * 365 * 86_400 * 10**9)
        caplog.clear()
        store = Store(path)
        match_id = grow(store)
        assert store.match(match_id).entries == 5
        store.close()
        assert ("was changed last in the future" in caplog.text) == warned
    assert len(Store(path).matches()) == 5
