"""Matches by letters are in every backup; a restore brings them back, and never sets one back."""

from __future__ import annotations

import contextlib
import errno
import random
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from rasputitsa.mail.book import Book
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import DamagedStoreError, Store, StoreError, backup, copies, restoring
from tests.mail.pair import decide, play, seated
from tests.server.conftest import connect
from tests.server.store.stores import grow


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.db"


@pytest.fixture
def correspondents(path: Path) -> list[Correspondent]:
    """A match of the owner of the store, with some letters and an order that is not sent yet."""
    store = Store(path)
    grow(store)
    store.close()
    folder = path.parent / copies.FOLDER
    folder.mkdir(mode=0o700)
    correspondents = seated("portfolio", "june22")
    play(correspondents, random.Random(4), 2)
    while correspondents[0].match.due != 0:
        play(correspondents, random.Random(4), 1)
    decide(correspondents[0], random.Random(4))
    Book.begin(file_of(path, correspondents[0]), correspondents[0])
    return correspondents


def file_of(path: Path, correspondent: Correspondent) -> Path:
    return path.parent / copies.FOLDER / f"{correspondent.match.code}{copies.ENDING}"


def test_letters_go_along_to_another_machine(
    path: Path, copy: Path, tmp_path: Path, correspondents: list[Correspondent]
) -> None:
    content = file_of(path, correspondents[0]).read_bytes()
    assert backup.back_up(path, copy).letters == 1
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    new = tmp_path / "new" / "matches.db"
    restored = restoring.restore(copy, new)
    assert (restored.letters, restored.stayed, restored.aside) == (1, 0, None)
    there = file_of(new, correspondents[0])
    assert there.read_bytes() == content
    assert (stat.S_IMODE(there.stat().st_mode), stat.S_IMODE(there.parent.stat().st_mode)) == (0o600, 0o700)
    assert correspondents[0].keys.secret.encode() not in new.read_bytes(), "the key is in its own file alone"
    Store(new).close()
    play([Book.read(there).correspondent, correspondents[1]], random.Random(1), 2)
    elsewhere = tmp_path / "elsewhere" / "matches.db"
    assert restoring.restore(path, elsewhere).letters == 1, "a folder copied by hand has them beside its database"
    assert file_of(elsewhere, correspondents[0]).read_bytes() == content


def test_a_restore_brings_back_what_is_gone_or_damaged_or_not_as_far(
    path: Path, copy: Path, correspondents: list[Correspondent]
) -> None:
    there = file_of(path, correspondents[0])
    early = there.read_bytes()
    book = Book.read(there)
    book.correspondent.write()
    book.save()
    content = there.read_bytes()
    backup.back_up(path, copy)
    for spoil in (lambda: there.unlink(), lambda: there.write_bytes(content[:-9]), lambda: there.write_bytes(early)):
        spoil()
        before = there.read_bytes() if there.exists() else None
        restored = restoring.restore(copy, path)
        assert (restored.letters, restored.stayed) == (1, 0)
        assert there.read_bytes() == content
        assert restored.aside is not None
        kept = restored.aside / copies.FOLDER / there.name
        assert (kept.read_bytes() if kept.exists() else None) == before


def test_a_restore_sets_no_match_by_letters_back(path: Path, copy: Path, correspondents: list[Correspondent]) -> None:
    """Its owner would write a letter twice; and matches that came later are not thrown away."""
    backup.back_up(path, copy)
    there = file_of(path, correspondents[0])
    book = Book.read(there)
    sent = book.correspondent.write()
    book.save()
    content = there.read_bytes()
    later = seated("portfolio", "june22")[0]
    Book.begin(file_of(path, later), later)
    restored = restoring.restore(copy, path)
    assert (restored.letters, restored.stayed) == (0, 1)
    assert there.read_bytes() == content and file_of(path, later).is_file()
    assert Book.read(there).correspondent.letter(len(correspondents[0].match.letters)) == sent


def test_the_other_side_of_a_match_is_not_overwritten(
    path: Path, copy: Path, tmp_path: Path, correspondents: list[Correspondent]
) -> None:
    there = file_of(path, correspondents[0])
    backup.back_up(path, copy)
    there.unlink()
    Book.begin(there, seated("portfolio", "june22")[1])
    other = there.read_bytes()
    assert restoring.restore(copy, path).stayed == 1
    assert there.read_bytes() == other


def test_what_is_no_match_by_letters_is_left_out(path: Path, copy: Path, correspondents: list[Correspondent]) -> None:
    folder = path.parent / copies.FOLDER
    (folder / "holiday.mail").write_text("not ours")
    (folder / f"{'0' * 12}.mail").touch()
    (folder / f"{'1' * 12}.mail").mkdir()
    assert backup.back_up(path, copy).letters == 1
    with (folder / f"{'2' * 12}.mail").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(StoreError, match=r"no backup was made: .*2222.mail is larger than"):
        backup.back_up(path, copy.with_name("other.db"))
    assert not copy.with_name("other.db").exists()


def columns(raw: sqlite3.Connection) -> None:
    raw.execute("DROP TABLE letters")
    raw.execute("CREATE TABLE letters (code TEXT, content BLOB, more TEXT)")
    raw.execute("INSERT INTO letters VALUES ('0123456789ab', x'00', 'x')")


def test_a_link_among_the_letters_of_a_folder_from_elsewhere_is_not_followed(
    path: Path, tmp_path: Path, correspondents: list[Correspondent]
) -> None:
    """It could lead to any file of the restorer, which would lie among the letters and in backups from then on."""
    secret, link = tmp_path / "secret", path.parent / copies.FOLDER / "0123456789ab.mail"
    secret.write_text("of somebody else's concern", encoding="utf-8")
    link.symlink_to(secret)
    new = tmp_path / "new" / "matches.db"
    assert restoring.restore(path, new).letters == 1
    assert not (new.parent / copies.FOLDER / link.name).exists()


@pytest.mark.parametrize(
    "harm",
    [
        columns,
        lambda raw: raw.execute("UPDATE letters SET code = '../../x'"),
        lambda raw: raw.execute("UPDATE letters SET code = '0123456789ab' || char(10)"),
        lambda raw: raw.execute("UPDATE letters SET code = x'30'"),
        lambda raw: raw.execute("UPDATE letters SET content = 'a text'"),
        lambda raw: raw.execute("UPDATE letters SET content = x''"),
        lambda raw: raw.execute("UPDATE letters SET content = zeroblob(64000001)"),
    ],
)
def test_letters_of_another_form_are_refused_and_nothing_is_changed(
    path: Path,
    copy: Path,
    tmp_path: Path,
    correspondents: list[Correspondent],
    harm: Callable[[sqlite3.Connection], object],
) -> None:
    backup.back_up(path, copy)
    with contextlib.closing(sqlite3.connect(copy)) as raw, raw:
        harm(raw)
    before = {each: each.read_bytes() for each in path.parent.rglob("*") if each.is_file()}
    with pytest.raises(DamagedStoreError, match="letters of another form"):
        restoring.restore(copy, path)
    assert {each: each.read_bytes() for each in path.parent.rglob("*") if each.is_file()} == before


def test_a_backup_put_in_place_by_hand_says_how_it_is_done(
    path: Path, copy: Path, correspondents: list[Correspondent]
) -> None:
    backup.back_up(path, copy)
    other = copy.parent / "other"
    other.mkdir()
    shutil.copyfile(copy, other / "matches.db")
    with pytest.raises(DamagedStoreError, match=r"backup with matches by letters: use `rasputitsa restore FILE`"):
        Store(other / "matches.db")
    with pytest.raises(StoreError):
        restoring.accept(other / "matches.db")


def test_a_restore_without_room_for_letters_says_so_and_can_be_run_again(
    path: Path, copy: Path, correspondents: list[Correspondent], monkeypatch: pytest.MonkeyPatch
) -> None:
    backup.back_up(path, copy)
    there = file_of(path, correspondents[0])
    content = there.read_bytes()
    there.unlink()

    really = Path.replace

    def full(new: Path, target: Path) -> Path:
        if new.suffix == copies.ENDING:
            raise OSError(errno.ENOSPC, "No space left on device")
        return really(new, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(StoreError, match=r"not all of those by letters.*run the restore again"):
            restoring.restore(copy, path)
    assert restoring.restore(copy, path).letters == 1
    assert there.read_bytes() == content


def test_what_was_restored_is_played_on_in_the_browser(
    path: Path, copy: Path, tmp_path: Path, correspondents: list[Correspondent]
) -> None:
    backup.back_up(path, copy)
    config = ServerConfig(data=tmp_path / "new", local=True, client=tmp_path, bot_workers=1)
    restoring.restore(copy, config.database)
    with connect(config) as client:
        (match,) = client.get("/api/letters").json()
        assert (match["id"], match["draft"]) == (correspondents[0].match.code, list(correspondents[0].draft))
        text = client.post(f"/api/letters/{match['id']}/write", json={}).json()["text"]
    correspondents[1].read(text)
