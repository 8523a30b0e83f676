"""Backups are whole, private and never in the way; a restored store is the one that was backed up, in every row."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import (
    DamagedStoreError,
    DiskFullError,
    MissingChangesError,
    NewerStoreError,
    Store,
    StoreError,
    backup,
    migrating,
    restoring,
)
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist, claim
from tests.server.store.stores import delete_log, grow, left_running
from tests.server.store.test_store import old_database
from tests.support import random_session

Rows = dict[str, list[Any]]


def rows(path: Path) -> Rows:
    """Every row of every table, but for the identity of the store."""
    with contextlib.closing(sqlite3.connect(path)) as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {table: sorted(raw.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}
    found["store_state"] = [(one, changes) for one, _, changes, *_ in found.get("store_state", ())]
    return found


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# -- backup ------------------------------------------------------------------------------------------


def test_a_backup_holds_every_row_and_is_private(path: Path, tmp_path: Path) -> None:
    store = Store(path)
    grow(store, 50)
    target = tmp_path / "copy.db"
    contents = backup.back_up(path, target)
    assert (contents.matches, contents.entries, contents.incomplete) == (1, 50, ())
    assert rows(target) == rows(path)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == {"copy.db", "data"}, "nothing else is left there"


def test_backups_are_taken_while_people_play(config: ServerConfig, tmp_path: Path) -> None:
    with connect(config) as client:
        duel = Duelist.start(client, scenario="long")
        confirmed, stop = [0], threading.Event()

        def play() -> None:
            while not stop.is_set():
                for seat, action in (*TURN[:3], ("red", "step red A2"), ("red", "done"), ("blue", "done"),
                                     *TURN[:3], ("red", "step red A1"), ("red", "done"), ("blue", "done")):  # fmt: skip
                    duel.act(seat, action)
                    confirmed[0] += 1

        player = threading.Thread(target=play)
        player.start()
        for number in range(8):
            before = confirmed[0]
            target = tmp_path / f"{number}.db"
            contents = backup.back_up(config.database, target)
            assert before <= contents.entries <= confirmed[0] + 1
            assert not contents.incomplete
        stop.set()
        player.join()
    assert contents.entries > 0


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    grow(Store(path))
    for make in (Path.touch, Path.mkdir, lambda target: target.symlink_to(tmp_path / "nowhere")):
        target = tmp_path / "there"
        make(target)
        with pytest.raises(StoreError, match="exists already; nothing was written"):
            backup.back_up(path, target)
        target.rmdir() if target.is_dir() else target.unlink()


def test_a_disk_without_hard_links_will_do(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    store = Store(path)
    grow(store)
    store.close()
    target = tmp_path / "copy.db"
    backup.back_up(path, target)
    assert restoring.restore(target, path).contents.entries == 5
    real = backup.check

    def slow(new: Path) -> backup.Contents:
        (tmp_path / "other.db").write_text("somebody else's")
        return real(new)

    monkeypatch.setattr(backup, "check", slow)
    with pytest.raises(StoreError, match="exists already"):
        backup.back_up(path, tmp_path / "other.db")
    assert (tmp_path / "other.db").read_text() == "somebody else's"


def test_a_backup_of_a_damaged_or_older_database_is_refused(path: Path, tmp_path: Path) -> None:
    left_running(path)
    delete_log(Path(f"{path}-wal"))
    with pytest.raises(MissingChangesError):
        backup.back_up(path, tmp_path / "copy.db")
    path.write_bytes(b"")
    with pytest.raises(DamagedStoreError):
        backup.back_up(path, tmp_path / "copy.db")
    path.unlink()
    with pytest.raises(StoreError, match="there is no database"):
        backup.back_up(path, tmp_path / "copy.db")
    assert names(tmp_path) == {"data"}


def test_a_backup_that_cannot_be_written_leaves_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(Store(path))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(DiskFullError, match="no room left"):
            backup.back_up(path, tmp_path / "copy.db")
    with monkeypatch.context() as patched:
        patched.setattr(backup, "check", lambda _: (_ for _ in ()).throw(DamagedStoreError("spoilt")))
        with pytest.raises(DamagedStoreError):
            backup.back_up(path, tmp_path / "copy.db")
    assert names(tmp_path) == {"data"}


def test_a_match_that_lacks_entries_is_reported(path: Path, tmp_path: Path) -> None:
    store = Store(path)
    for _ in range(4):
        grow(store)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM journal WHERE (match_id = 2 AND seq = 4) OR (match_id = 3 AND seq = 1)")
        connection.exec_driver_sql("DELETE FROM journal WHERE match_id = 4")
    assert backup.back_up(path, tmp_path / "copy.db").incomplete == (2, 3, 4)


def test_only_the_latest_backups_stay(path: Path, tmp_path: Path) -> None:
    grow(Store(path))
    folder = tmp_path / "backups"
    folder.mkdir()
    mine = folder / "matches-holiday.db"
    mine.touch()
    made = []
    for number in range(5):
        made.append(backup.new_name(folder))
        backup.back_up(path, made[-1])
        os.utime(made[-1], (number, number))
    assert len(set(made)) == 5, "also within a second"
    os.utime(made[-1], (0, 0))  # a clock that jumped back
    assert backup.prune(folder, 3, made[-1]) == made[:2]
    assert set(folder.iterdir()) == {*made[2:], mine}


def test_a_disk_that_cannot_be_written_is_still_read(path: Path, tmp_path: Path) -> None:
    left_running(path)
    path.parent.chmod(0o500)
    path.chmod(0o400)

    def read_only(_path: Any, mode: int) -> bool:
        return mode != os.W_OK

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "access", read_only)
        contents = backup.back_up(path, tmp_path / "copy.db")
    assert contents.entries == 5, "what is in the log alone is there, too"
    path.parent.chmod(0o700)


# -- restore -----------------------------------------------------------------------------------------


def a_busy_server(client: TestClient) -> list[Duelist]:
    """Matches of every kind: under way, over, taken back, with a guest and without, of the real games."""
    alone = Duelist.start(client, title="alone")
    alone.play(TURN[:3])
    alone.act("red", "step red A2")
    assert alone.undo("red").status_code == 200
    over = Duelist.start(client)
    over.play(TURN * 2)
    two = Duelist.between_two(client, title="two")
    two.play(TURN[:2])
    waiting = Duelist.start(client, guests=["blue"], title="waiting")
    waiting.act("red", "hide 4")
    saved = client.post(
        "/api/import", content=random_session(3, 120).save().encode(), headers={"content-type": "application/x-ndjson"}
    ).json()
    portfolio = Duelist(client, saved["id"], saved["keys"])
    russia = Duelist.start(client, game="wir", scenario="barbarossa")
    return [alone, over, two, waiting, portfolio, russia]


def by_letters(client: TestClient) -> Any:
    """A match by letters, to which somebody was invited."""
    made = client.post("/api/letters", json={"game": "portfolio", "scenario": "june22", "name": "Anna"}).json()
    return client.get(f"/api/letters/{made['id']}").json()


def seen(matches: list[Duelist]) -> list[Any]:
    """What every seat of every match is shown, and its log."""
    return [
        (duel.view(seat), duel.client.get(duel.url("log"), params=duel.auth(seat)).json())
        for duel in matches for seat in duel.keys
    ]  # fmt: skip


def test_the_restore_drill(config: ServerConfig, tmp_path: Path) -> None:
    """All is as it was at the backup: every row, what every seat sees, every key and invitation; and play goes on."""
    with connect(config) as client:
        matches = a_busy_server(client)
        views, letter = seen(matches), by_letters(client)
        Store(config.database).keep_analysis(1, "red", {"version": 1})
        backup.back_up(config.database, tmp_path / "copy.db")
        matches[2].act("blue", "roll")
        client.delete(matches[1].url("").rstrip("/"), params=matches[1].auth("red"))
        client.delete(f"/api/letters/{letter['id']}")
        Duelist.start(client, title="afterwards")
    expected = rows(tmp_path / "copy.db")
    assert len(expected.pop("letters")) == 1
    restored = restoring.restore(tmp_path / "copy.db", config.database)
    aside = restored.aside
    assert (restored.contents.matches, restored.contents.incomplete) == (len(matches), ())
    assert rows(config.database) == expected
    assert aside is not None and len(rows(aside / "matches.db")["matches"]) == len(matches), "one deleted, one new"
    with connect(config) as client:
        for duel in matches:
            duel.client = client
        assert seen(matches) == views
        assert client.get("/api/letters").json() == [letter]
        alone, _, two, waiting, portfolio, russia = matches
        assert two.act("blue", "roll")["ply"] == 3
        waiting.keys["blue"] = claim(client, waiting.links["blue"])["key"]
        waiting.act("blue", "guess 4")
        for duel in (alone, portfolio, russia):
            for _ in range(3):
                moves = [(seat, duel.view(seat)["decision"]) for seat in duel.keys]
                seat, decision = next((s, d) for s, d in moves if d and d["seat"] == s and d["options"])
                duel.act(seat, decision["options"][0]["action"])
    assert rows(config.database)["journal"] != expected["journal"]


def test_an_earlier_version_s_copy_can_be_restored(path: Path, tmp_path: Path) -> None:
    old_database(path, "0003")
    Store(path).close()
    kept = path.with_name(f"matches.db.before-{migrating.HEAD}")
    expected = rows(path)
    before = rows(kept)
    restoring.restore(kept, path)
    assert rows(path) == before
    store = Store(path)
    assert store.seats(7)["red"].opens("red's key")
    store.close()
    assert {k: v for k, v in rows(path).items() if k != "seat_keys"} == {
        k: v for k, v in expected.items() if k != "seat_keys"
    }, "and migrated once more it is what it was"
    elsewhere = tmp_path / "new machine" / "matches.db"
    assert restoring.restore(kept, elsewhere).aside is None
    assert Store(elsewhere).match(7).title == "t"


def spoil(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 200] = b"\xa5" * 200
    path.write_bytes(content)


def cut(path: Path) -> None:
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size - 4096)


def foreign(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE photos (id)")


def newer(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
        raw.commit()


def orphan(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE journal SET match_id = 99 WHERE match_id = 3")
        raw.commit()


def backdoor(path: Path) -> None:
    """The maker of this file holds a key to every match that is started later."""
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute(
            "CREATE TRIGGER door AFTER INSERT ON seats BEGIN"
            " INSERT INTO seat_keys VALUES (new.match_id, new.seat, 'digest of a key', 0, ''); END"
        )


def shadow(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE VIEW other AS SELECT * FROM matches")


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        (backdoor, DamagedStoreError),
        (shadow, DamagedStoreError),
        (spoil, DamagedStoreError),
        (cut, DamagedStoreError),
        (foreign, DamagedStoreError),
        (orphan, DamagedStoreError),
        (newer, NewerStoreError),
        (lambda path: path.write_bytes(b""), DamagedStoreError),
        (lambda path: path.write_bytes(b"holiday photos " * 400), DamagedStoreError),
        (Path.unlink, StoreError),
    ],
)  # fmt: skip
def test_a_bad_backup_is_refused_and_changes_nothing(
    path: Path, tmp_path: Path, harm: Callable[[Path], object], kind: type[StoreError]
) -> None:
    store = Store(path)
    for _ in range(20):
        grow(store)
    store.close()
    backup.back_up(path, tmp_path / "copy.db")
    harm(tmp_path / "copy.db")
    before, there = rows(path), names(path.parent)
    with pytest.raises(kind):
        restoring.restore(tmp_path / "copy.db", path)
    assert (rows(path), names(path.parent)) == (before, there)


def no_database(path: Path) -> None:
    path.write_bytes(b"")
    os.truncate(path, 2**40)


def larger_than_the_disk(path: Path) -> None:
    os.truncate(path, 2**40)


def endless_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("harm", "kind"),
    [(no_database, DamagedStoreError), (larger_than_the_disk, DiskFullError), (endless_log, DamagedStoreError)],
)
def test_no_disk_is_filled_with_what_is_no_backup(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], object], kind: type[StoreError]
) -> None:
    """In files of terabytes there may be nothing, and a link next to a backup may lead to what has no end."""

    def copied(source: Path, target: Path) -> None:
        assert source.is_file() and source.stat().st_size < 2**30, "it would go on for hours"
        target.write_bytes(source.read_bytes())

    store = Store(path)
    grow(store)
    store.close()
    backup.back_up(path, tmp_path / "copy.db")
    harm(tmp_path / "copy.db")
    monkeypatch.setattr(shutil, "copyfile", copied)
    with pytest.raises(kind):
        restoring.restore(tmp_path / "copy.db", path)


def test_a_database_that_acts_on_its_own_is_not_opened(path: Path) -> None:
    Store(path).close()
    backdoor(path)
    with pytest.raises(DamagedStoreError, match=r"triggers or views \('door'\).*do not trust it"):
        Store(path)


def test_a_folder_copied_by_hand_is_restored_with_its_log_or_not_at_all(path: Path, tmp_path: Path) -> None:
    left_running(path, 5)
    whole = shutil.copytree(path.parent, tmp_path / "whole")
    torn = shutil.copytree(path.parent, tmp_path / "torn")
    (torn / "matches.db-wal").unlink()
    there = tmp_path / "there" / "matches.db"
    with pytest.raises(MissingChangesError, match=r"lacks \d changes .* was not copied along"):
        restoring.restore(torn / "matches.db", there)
    assert names(there.parent) == set()
    assert restoring.restore(whole / "matches.db", there).contents.entries == 5
    assert Store(there).match(1).entries == 5
    assert names(whole) == names(torn) | {"matches.db-wal"}, "the copies are left alone"


def test_restored_and_old_state_are_never_taken_for_each_other(path: Path, tmp_path: Path) -> None:
    store = Store(path)
    grow(store)
    store.close()
    backup.back_up(path, tmp_path / "copy.db")
    aside = restoring.restore(tmp_path / "copy.db", path).aside
    Store(path).close()
    assert aside is not None
    shutil.copyfile(aside / "matches.db", path)
    with pytest.raises(MissingChangesError, match="belongs to another database"):
        Store(path)


def test_one_can_go_on_without_what_is_missing(path: Path) -> None:
    left_running(path)
    delete_log(Path(f"{path}-wal"))
    with pytest.raises(MissingChangesError):
        Store(path)
    contents = restoring.accept(path)
    assert contents.entries == 0
    store = Store(path)
    grow(store)
    store.close()
    Store(path).close()
    path.write_bytes(b"")
    with pytest.raises(DamagedStoreError):
        restoring.accept(path)


def test_a_full_disk_stops_a_restore_before_anything_is_moved(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(path)
    grow(store)
    store.close()
    backup.back_up(path, tmp_path / "copy.db")
    there, before = names(path.parent), rows(path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(DiskFullError):
        restoring.restore(tmp_path / "copy.db", path)
    assert (names(path.parent), rows(path)) == (there, before)
