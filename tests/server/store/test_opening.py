"""Opening a store: a loss is told from a new start, and every obstacle in plain words."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import shutil
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.lock import DataLock, InUseError
from rasputitsa.server.store import (
    DamagedStoreError,
    DiskFullError,
    JournalRow,
    LockedStoreError,
    MissingChangesError,
    ReadOnlyStoreError,
    StaleVersionError,
    Store,
    StoreError,
    UnsafeStoreError,
    batches,
    connecting,
    place,
)
from rasputitsa.server.store import store as store_module
from rasputitsa.server.store.alarm import WriteAlarm
from rasputitsa.server.store.mark import SLOT_BYTES, Mark, Reached
from tests.server.conftest import connect
from tests.server.player import Duelist


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.db"


def grow(store: Store, changes: int = 5) -> int:
    """A match with so many entries, one transaction each."""
    match_id = store.create(title="t", header="{}", summary={}, over=False, keys={"red": "r"})
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


# -- a loss, and a new start -------------------------------------------------------------------------


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


def delete_log(log: Path) -> None:
    log.unlink()


def cut_log(log: Path) -> None:
    with log.open("rb+") as file:
        file.truncate(log.stat().st_size // 2)


def empty_log(log: Path) -> None:
    log.write_bytes(b"")


def spoil_log(log: Path) -> None:
    with log.open("rb+") as file:
        file.write(b"\0" * 32)


@pytest.mark.parametrize("harm", [delete_log, cut_log, empty_log, spoil_log])
def test_confirmed_changes_that_are_missing_are_told(path: Path, harm: Callable[[Path], None]) -> None:
    left_running(path)
    harm(Path(f"{path}-wal"))
    for _ in range(2):  # and not only the first time
        with pytest.raises(MissingChangesError, match=r"lacks the last \d changes that were confirmed.*restore FILE"):
            Store(path)


def test_a_log_that_is_whole_is_read_and_kept(path: Path) -> None:
    left_running(path)
    store = Store(path)
    assert store.match(1).entries == 5


def test_a_database_from_elsewhere_beside_this_mark_is_told(path: Path, tmp_path: Path) -> None:
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
    real = place.put_in_place
    quicker: list[Store] = []

    def put_in_place(new: Path, target: Path) -> None:
        monkeypatch.setattr(place, "put_in_place", real)
        quicker.append(Store(path))
        real(new, target)

    monkeypatch.setattr(place, "put_in_place", put_in_place)
    store = Store(path)
    grow(quicker[0])
    assert [row.entries for row in store.matches()] == [5]


def test_a_torn_mark_tells_the_change_before(tmp_path: Path) -> None:
    mark = Mark(tmp_path / "mark")
    mark.replace(Reached("s", 6, 0))
    mark.raise_to(Reached("s", 7, 1))
    mark.close()
    content = bytearray(mark.path.read_bytes())
    assert mark.read() == Reached("s", 7, 1)
    content[SLOT_BYTES + 20] ^= 1
    mark.path.write_bytes(content)
    assert mark.read() == Reached("s", 6, 0)


def test_a_mark_never_falls_and_never_stops_a_change(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(path)
    mark = Mark(path.with_suffix(".mark"))
    match_id = grow(store)
    reached = mark.read()
    assert reached is not None and reached.changes == 6
    store._mark.raise_to(Reached(reached.store, 3, 0))
    assert mark.read() == reached
    store._mark.close()
    mark.path.unlink()
    for version in (5, 6):
        store.append(
            match_id, seat="red", version=version, lines=[JournalRow("red", "x")], summary={}, over=False
        )  # fmt: skip
    assert store.match(match_id).entries == 7
    assert caplog.text.count("cannot be written") == 1


def test_a_clock_that_jumped_is_told_and_harms_nothing(
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


# -- obstacles ---------------------------------------------------------------------------------------


def as_nobody(work: Callable[[], None]) -> None:
    """Run in a process without the rights of the superuser, to whom no permission is denied."""
    if os.geteuid():
        work()
        return
    child = multiprocessing.get_context("fork").Process(target=_as_nobody, args=(work,))
    child.start()
    child.join()
    assert child.exitcode == 0


def _as_nobody(work: Callable[[], None]) -> None:
    os.setgid(65534)
    os.setuid(65534)
    try:
        work()
    except BaseException as problem:
        print(repr(problem), file=sys.stderr)
        os._exit(1)
    os._exit(0)


def test_missing_permissions_are_told(path: Path) -> None:
    Store(path).close()
    for folder in (path.parent, *path.parent.parents[:4]):
        if folder.owner() != "nobody" and folder != Path(folder.anchor) and "pytest" in str(folder):
            folder.chmod(0o755)
    path.chmod(0o644)

    def refused(match: str) -> None:
        with pytest.raises(ReadOnlyStoreError, match=match):
            Store(path)

    if os.geteuid():
        path.parent.chmod(0o500)
    as_nobody(lambda: refused("no permission to write in .*choose another folder with --data"))
    path.parent.chmod(0o777)
    path.chmod(0o400)
    as_nobody(lambda: refused("no permission to read|cannot be written"))
    path.parent.chmod(0o700)


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.EROFS, ReadOnlyStoreError, "is read-only"),
        (errno.ENOSPC, DiskFullError, "no room left on the disk"),
        (errno.EDQUOT, DiskFullError, "no room left on the disk"),
        (errno.EACCES, ReadOnlyStoreError, "no permission to write"),
        (errno.EIO, StoreError, "Input/output error"),
    ],
)
def test_what_the_disk_refuses_at_the_start_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[StoreError], words: str
) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(kind, match=words):
        Store(path)
    with pytest.raises(kind, match=words):
        DataLock(path.parent)


def test_a_store_on_a_full_disk_is_opened_to_be_read_and_made_smaller(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    left_running(path, 3)
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    lock, store = DataLock(path.parent), Store(path)
    assert len(store.journal(1)) == 3 and "nothing new can be kept" in caplog.text
    store.delete(1)
    assert store.matches() == []
    store.close()
    lock.release()


def test_something_else_in_the_place_of_the_file_is_told(path: Path, tmp_path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(DamagedStoreError, match="is a folder, where a database was expected"):
        Store(path)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(DamagedStoreError, match="is no ordinary file"):
        Store(path)
    path.unlink()
    Store(tmp_path / "else" / "matches.db").close()
    path.symlink_to(tmp_path / "else" / "matches.db")
    with pytest.raises(UnsafeStoreError, match="is a symbolic link"):
        Store(path)
    path.unlink()
    path.symlink_to(tmp_path / "nothing")
    with pytest.raises(UnsafeStoreError, match="is a symbolic link"):
        Store(path)


def test_a_network_disk_is_refused(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    there = str(tmp_path).replace(" ", "\\040")
    mounts.write_text(
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        f"23 22 0:40 / {there} rw shared:7 - nfs4 host:/home rw\n"
        f"24 22 0:41 / {there}/data/local rw - xfs /dev/sdb rw\nodd line\n"
    )
    monkeypatch.setattr(place, "_MOUNTS", mounts)
    with pytest.raises(UnsafeStoreError, match=r"on a network disk \(nfs4\).*local disk"):
        Store(path)
    Store(path.parent / "local" / "matches.db").close()


def test_a_database_locked_by_another_program_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    monkeypatch.setattr(connecting, "_BUSY_SECONDS", 0.1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LockedStoreError, match="another program holds the database locked"):
        Store(path)
    other.close()
    Store(path).close()


@pytest.mark.parametrize(
    ("trouble", "status", "code"),
    [
        ("SQLITE_READONLY", 503, "read_only"),
        ("SQLITE_BUSY", 503, "locked"),
        ("SQLITE_CORRUPT", 503, "damaged"),
        ("SQLITE_FULL", 507, "disk_full"),
        ("SQLITE_IOERR_FSYNC", 507, "disk_full"),
        ("SQLITE_CANTOPEN", 503, "read_only"),
        ("SQLITE_PROTOCOL", 503, "store"),
    ],
)
def test_trouble_while_playing_has_a_code_and_words(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch, trouble: str, status: int, code: str
) -> None:
    with connect(config) as client:
        duel = Duelist.start(client)
        body = duel.body("red", "hide 3")
        before = duel.view("red")

        def refuse(*_: object) -> Any:
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorname = trouble
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(batches, "count_change", refuse)
            answer = duel.send(body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert len(answer.json()["error"]["message"]) > 30
        assert duel.view("red") == before
        assert duel.send(body).status_code == 200


# -- one server to a folder --------------------------------------------------------------------------


def test_a_second_server_is_sent_to_the_first(path: Path) -> None:
    lock = DataLock(path.parent)
    lock.tell("http://127.0.0.1:8642/")
    with pytest.raises(InUseError) as refused:
        DataLock(path.parent)
    assert refused.value.address == "http://127.0.0.1:8642/"
    lock.release()
    DataLock(path.parent).release()


def _lock_and_die(folder: Path) -> None:
    DataLock(folder).tell("http://127.0.0.1:1/")
    os._exit(0)


def test_a_killed_server_leaves_no_lock_and_no_address(path: Path) -> None:
    child = multiprocessing.get_context("fork").Process(target=_lock_and_die, args=(path.parent,))
    child.start()
    child.join()
    assert (path.parent / "server.address").exists()
    lock = DataLock(path.parent)
    with pytest.raises(InUseError) as refused:
        DataLock(path.parent)
    assert refused.value.address == "", "the address of the dead server is not told"
    lock.release()


def test_what_killed_programs_left_is_swept_up(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    for name in (".rehearsal-old", ".new-young", ".restoring-old", "backups", ".other-old"):
        (path.parent / name).mkdir()
        (path.parent / name / "matches.db").touch()
        if not name.endswith("young"):
            os.utime(path.parent / name, (0, 0))
    (tmp_path / "mine").mkdir()
    (path.parent / ".new-link").symlink_to(tmp_path / "mine")
    os.utime(path.parent / ".new-link", (0, 0), follow_symlinks=False)
    DataLock(path.parent).release()
    left = {file.name for file in path.parent.iterdir()}
    assert left == {".new-young", "backups", ".other-old", ".new-link", "server.lock"}
    assert (tmp_path / "mine").is_dir()


def test_where_somebody_is_still_at_work_nothing_is_swept_up(path: Path) -> None:
    path.parent.mkdir()
    with place.workplace(path.parent, ".before-") as inside:
        (inside / "matches.db").touch()
        os.utime(inside, (0, 0))
        place.sweep(path.parent)
        assert (inside / "matches.db").exists()
        copy = shutil.copytree(inside, path.parent / ".before-killed")
    place.sweep(path.parent)
    assert not inside.exists() and not copy.exists()


def test_files_that_others_put_there_are_neither_followed_nor_believed(path: Path, tmp_path: Path) -> None:
    folder = path.parent
    folder.mkdir()
    mine = tmp_path / "mine"
    mine.write_text("precious")
    (folder / "server.address").symlink_to(mine)
    lock = DataLock(folder)
    (folder / "server.address").symlink_to(mine)
    lock.tell("http://127.0.0.1:8642/")
    assert mine.read_text() == "precious"
    assert stat.S_IMODE((folder / "server.address").stat().st_mode) == 0o600
    for lie in ("file:///etc/passwd", "http://127.0.0.1:1/ [bold]", "http://a@b:1/", "x" * 10_000, "http://a:1/x"):
        (folder / "server.address").write_text(lie)
        with pytest.raises(InUseError) as refused:
            DataLock(folder)
        assert refused.value.address == ""
    (folder / "server.address").unlink()
    os.mkfifo(folder / "server.address")
    with pytest.raises(InUseError):
        DataLock(folder)
    lock.release()
    (folder / "server.lock").unlink()
    (folder / "server.lock").symlink_to(mine)
    with pytest.raises(UnsafeStoreError, match="no ordinary file"):
        DataLock(folder)
    assert mine.read_text() == "precious"


def test_a_folder_open_to_others_is_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o777)
    Store(path).close()
    assert "other users of this machine can write to the data folder" in caplog.text


# -- alarm -------------------------------------------------------------------------------------------


def test_five_minutes_without_a_write_raise_an_alarm(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    alarm = WriteAlarm(lambda: now[0])

    def ask(problem: Exception | None, after: float) -> None:
        now[0] += after
        with contextlib.suppress(StoreError), alarm.watching():
            if problem:
                raise problem

    for _ in range(30):
        ask(DiskFullError("no room"), 9.9)
    assert not caplog.records
    ask(StaleVersionError("old"), 20)
    assert not caplog.records, "a refusal says nothing of the disk"
    ask(DiskFullError("no room"), 20)
    assert [(r.levelname, r.message) for r in caplog.records] == [
        ("CRITICAL", "ALARM: nothing could be written for 5 minutes: no room")
    ]
    for _ in range(29):
        ask(DiskFullError("no room"), 10)
    assert len(caplog.records) == 1, "not every time"
    ask(DiskFullError("no room"), 10)
    assert caplog.records[-1].message == "ALARM: nothing could be written for 10 minutes: no room"
    ask(None, 60)
    assert caplog.records[-1].message == "writing works again after 11 minutes"
    ask(DiskFullError("no room"), 10)
    ask(None, 400)
    assert len(caplog.records) == 3


def test_every_kind_of_write_is_watched(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(path)
    match_id = grow(store)
    failed: list[StoreError] = []
    monkeypatch.setattr(WriteAlarm, "_failed", lambda _self, problem: failed.append(problem))
    for module in (store_module, batches):
        monkeypatch.setattr(module, "count_change", _full)
    with pytest.raises(DiskFullError):
        store.delete(match_id)
    with pytest.raises(DiskFullError):
        store.append(match_id, seat="red", version=5, lines=[JournalRow("red", "x")], summary={}, over=False)
    assert len(failed) == 2


def _full(*_: object) -> Any:
    error = sqlite3.OperationalError("full")
    error.sqlite_errorname = "SQLITE_FULL"
    raise error
