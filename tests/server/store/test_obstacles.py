"""What keeps a store from being opened or written: every obstacle is named in plain words, with the way out."""

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
    ReadOnlyStoreError,
    StaleVersionError,
    Store,
    StoreError,
    UnsafeStoreError,
    batches,
    connecting,
    data_folder,
)
from rasputitsa.server.store import store as store_module
from rasputitsa.server.store.alarm import WriteAlarm
from tests.server.conftest import connect
from tests.server.player import Duelist
from tests.server.store.stores import grow, left_running


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


def test_missing_permissions_are_reported(path: Path) -> None:
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
def test_what_the_disk_refuses_at_the_start_is_reported(
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


def test_something_else_in_the_place_of_the_file_is_reported(path: Path, tmp_path: Path) -> None:
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
    monkeypatch.setattr(data_folder, "_MOUNTS", mounts)
    with pytest.raises(UnsafeStoreError, match=r"on a network disk \(nfs4\).*local disk"):
        Store(path)
    Store(path.parent / "local" / "matches.db").close()


def test_a_database_locked_by_another_program_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    with data_folder.workplace(path.parent, ".before-") as inside:
        (inside / "matches.db").touch()
        os.utime(inside, (0, 0))
        data_folder.sweep(path.parent)
        assert (inside / "matches.db").exists()
        copy = shutil.copytree(inside, path.parent / ".before-killed")
    data_folder.sweep(path.parent)
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
    (folder / "server.lock").unlink()
    shutil.copy(mine, folder / "server.lock")
    with pytest.raises(UnsafeStoreError, match=r"server\.lock is not the lock file this program makes; move it away"):
        DataLock(folder)
    assert (folder / "server.lock").read_text() == "precious"


def test_a_folder_open_to_others_is_reported(path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
