"""The power is cut a hundred times, and with it goes what was not synced; nothing that was confirmed is lost.

``RASPUTITSA_CUTS=100`` for the long run.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rasputitsa.mail.book import Book
from rasputitsa.server.store import DamagedStoreError, Store, backup, copies, restoring
from tests.mail.pair import decide, play, seated
from tests.server.conftest import ROOT
from tests.server.powercut.disk import HOW, Disk, build_recorder, compiler, records
from tests.server.powercut.match import CutServer, LostError, NoStartError, Player, play_at_once
from tests.server.store.stores import left_running
from tests.server.store.test_kill import check_database
from tests.server.store.test_store import old_database

CUTS = int(os.environ.get("RASPUTITSA_CUTS", "20"))
FROM_NOTHING = 5
"""A number of cuts after each other, then on an empty disk again."""
PLAYERS = 3

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the recorder is preloaded as Linux does it")


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if compiler() is None:
        reason = "no C compiler on this machine, so no recorder of what reaches the disk"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return build_recorder(tmp_path_factory.mktemp("recorder"))


@pytest.fixture
def server(recorder: Path, duel_installed: None) -> Iterator[CutServer]:
    server = CutServer(recorder)
    yield server
    server.close()


class Chain:
    """Cut after cut, each server on the disk the last one left."""

    def __init__(self, server: CutServer, folder: Path, seed: int, synchronous: str = "FULL") -> None:
        self.server, self.folder, self.synchronous = server, folder, synchronous
        self.dice = random.Random(seed)
        self.number = 0
        self.confirmed = 0
        self.marked = True
        self.seconds = 0.3
        self._start_over()

    def _start_over(self) -> None:
        self.root = self.folder / f"disk{self.number}"
        self.root.mkdir(parents=True)
        self.players = [Player(self.server, Path()) for _ in range(PLAYERS)]

    def cut(self, how: str) -> None:
        """Play, cut the power at some moment, and look at what is left."""
        log = self.folder / f"log{self.number}"
        disk = Disk(self.root)
        for player in self.players:
            player.begin(log)
        self.server.start(self.root, log, self.synchronous)
        play_at_once(self.players, self.server, self.dice, self.seconds)
        position = self._moment(log)
        for record in records(log):
            if record.end > position:
                break
            disk.follow(record)
        self.number += 1
        left = self.folder / f"disk{self.number}-left"
        disk.cut(left, self.dice, how)
        self.look(left, position)
        shutil.rmtree(self.root, ignore_errors=True)  # a worker of the killed server may still tidy up there
        log.unlink()
        self.root = left
        if self.number % FROM_NOTHING == 0:
            self._start_over()

    def _moment(self, log: Path) -> int:
        """Just after an answer, where it hurts most, or at any time, or at the end."""
        size = log.stat().st_size
        answers = [at for player in self.players for at, _, _ in player.confirmed if at]
        self.confirmed += len(answers)
        moments = [self.dice.randrange(size + 1), size, *([self.dice.choice(answers)] * 2 if answers else [])]
        return self.dice.choice(moments)

    def look(self, left: Path, position: int) -> None:
        """Start a server on what is left, and ask it; then see whether the database is sound."""
        check = self.folder / "check.log"
        if not self.marked:
            (left / "a" / "data" / "matches.mark").unlink(missing_ok=True)
        self.server.start(left, check, self.synchronous)
        for player in self.players:
            player._connection = None
            player.look(position)
        ready = self.players[0].request("GET", "/api/matches")
        assert ready is not None and ready[0] == 200
        self.server.kill()
        check.unlink(missing_ok=True)
        check_database(left / "a" / "data")


def test_a_hundred_power_cuts_lose_nothing(server: CutServer, tmp_path: Path) -> None:
    chain = Chain(server, tmp_path, 21)
    for number in range(CUTS):
        chain.cut(HOW[number % len(HOW)])
    assert chain.confirmed > CUTS * 3, "there was something to lose"
    print(f"{chain.number} power cuts, {chain.confirmed} confirmed answers, none lost")


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL", "unsynced"])
def test_with_less_care_the_same_cuts_do_lose(server: CutServer, tmp_path: Path, synchronous: str) -> None:
    """The layer is no toy: it takes from a server that syncs less than ours."""
    chain = Chain(server, tmp_path, 22, synchronous)
    chain.marked = False
    with pytest.raises(LostError):
        for _ in range(20):
            chain.cut("none")


def test_what_less_care_loses_is_noticed_at_the_next_start(server: CutServer, tmp_path: Path) -> None:
    chain = Chain(server, tmp_path, 23, "NORMAL")
    chain.seconds = 0.05  # too short for the log to be synced because it is long
    with pytest.raises(NoStartError):
        for _ in range(20):
            chain.cut("none")


def recorded(recorder: Path, root: Path, log: Path, *command: object) -> None:
    """Run a program below a folder, and record what it does to it."""
    subprocess.run(
        [sys.executable, "-m", *map(str, command)], check=True, cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(recorder), "POWERCUT_ROOT": str(root), "POWERCUT_LOG": str(log)},
    )  # fmt: skip


def cuts_of(before: Path, log: Path, root: Path, folder: Path, count: int) -> Iterator[Path]:
    """What cuts at moments all over a record leave; ``before`` is the folder as it was."""
    dice = random.Random(24)
    content = list(records(log))
    for number in range(count):
        disk = Disk(before, known_as=root)
        for record in content[: round(number * len(content) / (count - 1))]:
            disk.follow(record)
        left = folder / f"left{number}"
        disk.cut(left, dice, HOW[dice.randrange(len(HOW))])
        yield left


def entries(path: Path) -> int:
    store = Store(path)
    try:
        return len(store.journal(1))
    finally:
        store.close()


def test_cut_in_the_middle_of_a_restore_nothing_is_mixed_up(recorder: Path, tmp_path: Path) -> None:
    """What is there is the old state, the new one, or nothing that would start; and the restore can be run again."""
    root, before = tmp_path / "root", tmp_path / "before"
    left_running(root / "data" / "matches.db", 7)
    copy = tmp_path / "copy.db"
    backup.back_up(root / "data" / "matches.db", copy)
    shutil.rmtree(root)
    left_running(root / "data" / "matches.db", 12)
    shutil.copytree(root, before)
    recorded(recorder, root, tmp_path / "log", "tests.server.powercut.restore", copy, root / "data" / "matches.db")
    seen: dict[int | str, int] = {}
    for left in cuts_of(before, tmp_path / "log", root, tmp_path, 2 * CUTS):
        path = left / "data" / "matches.db"
        try:
            found: int | str = entries(path)
        except DamagedStoreError as problem:
            assert "is gone, but not what belongs to it" in str(problem)
            found = "refused"
            restoring.restore(copy, path)
            assert entries(path) == 7
        seen[found] = seen.get(found, 0) + 1
    assert set(seen) == {7, 12, "refused"}, seen


def test_cut_in_the_middle_of_a_restore_every_match_by_letters_is_as_before_or_as_after(
    recorder: Path, tmp_path: Path
) -> None:
    """One is gone, one not as far as in the backup, one damaged, and one further than there."""
    root, before, copy = tmp_path / "root", tmp_path / "before", tmp_path / "copy.db"
    database, folder = root / "data" / "matches.db", root / "data" / copies.FOLDER
    left_running(database, 3)
    folder.mkdir(mode=0o700)
    early, late, names = dict[str, bytes](), dict[str, bytes](), dict[str, Path]()
    for name in ("gone", "early", "damaged", "further"):
        correspondents = seated("portfolio", "june22")
        file = folder / f"{correspondents[0].match.code}{copies.ENDING}"
        book = Book.begin(file, correspondents[0])
        early[name] = file.read_bytes()
        while correspondents[0].match.due != 0:
            play(correspondents, random.Random(4), 1)
        decide(correspondents[0], random.Random(4))
        correspondents[0].write()
        book.save()
        late[name] = file.read_bytes()
        names[name] = file.relative_to(root)
    (root / names["further"]).write_bytes(early["further"])
    backup.back_up(database, copy)
    there: dict[str, bytes | None] = {
        "gone": None, "early": early["early"], "damaged": late["damaged"][:-9], "further": late["further"],
    }  # fmt: skip
    for name, content in there.items():
        if content is None:
            (root / names[name]).unlink()
        else:
            (root / names[name]).write_bytes(content)
    shutil.copytree(root, before)
    recorded(recorder, root, tmp_path / "log", "tests.server.powercut.restore", copy, database)
    seen = {name: set[bool]() for name in late}
    for left in cuts_of(before, tmp_path / "log", root, tmp_path, CUTS):
        for name, content in there.items():
            file = left / names[name]
            found = file.read_bytes() if file.exists() else None
            assert found in (content, late[name]), name
            seen[name].add(found == late[name])
        restoring.restore(copy, left / "data" / "matches.db")
        assert {name: (left / names[name]).read_bytes() for name in late} == late
        shutil.rmtree(left)
    assert seen == {"gone": {True, False}, "early": {True, False}, "damaged": {True, False}, "further": {True}}


def test_cut_in_the_middle_of_a_migration_nothing_is_lost(recorder: Path, tmp_path: Path) -> None:
    root, before = tmp_path / "root", tmp_path / "before"
    root.mkdir()
    path = root / "data" / "matches.db"
    old_database(path, "0003")
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.executemany("INSERT INTO journal VALUES (7, ?, 'red', ?, 0)", [(n, f"line {n}") for n in range(3)])
        raw.commit()
    shutil.copytree(root, before)
    recorded(recorder, root, tmp_path / "log", "tests.server.powercut.migrate", path)
    for left in cuts_of(before, tmp_path / "log", root, tmp_path, CUTS):
        store = Store(left / "data" / "matches.db")
        assert len(store.journal(7)) == 3
        assert store.seats(7)["red"].opens("red's key")
        store.close()
