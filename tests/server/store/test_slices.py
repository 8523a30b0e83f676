"""Long matches are written and deleted in slices: others have their turn meanwhile, and nobody sees a part of one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rasputitsa.server.store import JournalRow, MatchStart, SnapshotRow, Store, UnknownMatchError
from rasputitsa.server.store.backup import back_up
from rasputitsa.server.store.creations import Creation
from rasputitsa.server.store.store import SLICE
from tests.support import PATIENCE

LONG = 4 * SLICE + 7

Step = Callable[[str], None]


class CutError(Exception):
    """The process ends here."""


def rows(count: int) -> list[JournalRow]:
    return [JournalRow("red", f'{{"seat":"red","action":"{n}"}}', n, "[]", "[]") for n in range(count)]


def created(store: Store, count: int, creation: Creation | None = None) -> int:
    return store.create(MatchStart(
        title="T", header="{}", summary={}, over=False, keys={"red": "k" * 20, "blue": None}, lines=rows(count),
        kept=[SnapshotRow(0, b"a", 0), SnapshotRow(count, b"b", count)], creation=creation,))  # fmt: skip


@contextlib.contextmanager
def opened(path: Path, step: Step = lambda name: None) -> Iterator[Store]:
    with closing(Store(path, step)) as store:
        yield store


def played(store: Store, match_id: int) -> None:
    seat = store.seats(match_id)["red"]
    row = JournalRow("red", '{"seat":"red","action":"more"}', seat.version, "[]", "[]")
    store.append(match_id, seat="red", version=seat.version, lines=[row], summary={}, over=False)


def in_another_thread(work: Callable[[], None]) -> bool:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return not thread.is_alive()


def test_others_write_between_the_slices_of_an_import_and_see_nothing_of_it(tmp_path: Path) -> None:
    turns = list[bool]()

    def step(name: str) -> None:
        if name == "create: slice written":
            assert [row.id for row in store.matches()] == [other]
            with pytest.raises(UnknownMatchError):
                store.match(other + 1)
            assert store.seats(other + 1) == {}
            turns.append(in_another_thread(lambda: played(store, other)))

    with opened(tmp_path / "matches.db", step) as store:
        other = created(store, 3)
        number = created(store, LONG)
        assert len(turns) > LONG // SLICE and all(turns)
        assert store.match(other).entries == 3 + len(turns)
        assert store.match(number).entries == LONG == len(store.journal(number))
        assert [row.line for row in store.journal(number)] == [row.line for row in rows(LONG)]
        assert [row.body for row in store.snapshots(number)] == [b"b", b"a"]
        newest = next(store.snapshots(number))
        assert [row.body for row in store.snapshots(number, newest.seq)] == [b"b", b"a"], "that of the very moment too"
        assert [row.body for row in store.snapshots(number, newest.seq - 1)] == [b"a"]


def test_others_write_between_the_slices_of_a_deletion(tmp_path: Path) -> None:
    turns = list[bool]()

    def step(name: str) -> None:
        if name == "delete: slice removed":
            assert [row.id for row in store.matches()] == [other] and store.seats(number) == {}
            turns.append(in_another_thread(lambda: played(store, other)))

    with opened(tmp_path / "matches.db", step) as store:
        other = created(store, 3)
        number = created(store, LONG)
        store.delete(number)
        assert len(turns) > LONG // SLICE and all(turns)
        assert _rows_of(store, number) == 0
        with pytest.raises(UnknownMatchError):
            store.delete(number)


def _rows_of(store: Store, number: int) -> int:
    with store._reading() as connection:
        tables = ("journal", "snapshots", "seats", "seat_keys")
        found: list[int] = [
            connection.exec_driver_sql(f"SELECT count(*) FROM {table} WHERE match_id = {number}").scalar_one()
            for table in tables
        ]
        left: int = connection.exec_driver_sql(f"SELECT count(*) FROM matches WHERE id = {number}").scalar_one()
        return sum(found) + left


@pytest.mark.parametrize("work", ["create", "delete"])
def test_an_end_at_any_step_leaves_a_whole_match_or_nothing(tmp_path: Path, work: str) -> None:
    """The process ends at each step in turn: nothing of what it would have done afterwards is done."""
    ends = 0
    while True:
        path = tmp_path / f"{work}-{ends}" / "matches.db"
        left = ends
        dead = False

        def step(name: str) -> None:
            nonlocal left, dead
            if name.startswith(work) or dead:
                left -= 1
                if left < 0:
                    dead = True
                    raise CutError(name)

        finished = True
        with opened(path) as store:
            whole = created(store, LONG)
        with opened(path, step) as store:
            try:
                created(store, LONG) if work == "create" else store.delete(whole)
            except CutError:
                finished = False
        with opened(path) as store:
            store.sweep()
            known = store.matches()
            assert {row.id for row in known} <= {whole, whole + 1}
            for row in known:
                assert row.entries == LONG == len(store.journal(row.id)) and set(store.seats(row.id)) == {"red", "blue"}
            for number in {whole, whole + 1} - {row.id for row in known}:
                assert _rows_of(store, number) == 0
            assert whole in {row.id for row in known} or work == "delete"
        if finished:
            assert ends > LONG // SLICE
            return
        ends += 1


def test_a_backup_in_the_middle_of_an_import_is_sound_and_has_nothing_of_it(tmp_path: Path) -> None:
    copies = list[Path]()

    def step(name: str) -> None:
        if name == "create: slice written":
            copies.append(tmp_path / f"copy{len(copies)}.db")
            assert back_up(tmp_path / "matches.db", copies[-1]).incomplete == ()

    with opened(tmp_path / "matches.db", step) as store:
        created(store, LONG)
    (tmp_path / "other").mkdir()
    copies[2].rename(tmp_path / "other" / "matches.db")
    with opened(tmp_path / "other" / "matches.db") as store:
        assert store.matches() == []
        store.sweep()
        assert _rows_of(store, 1) == 0


def test_a_second_process_that_looks_leaves_an_import_under_way_alone(tmp_path: Path) -> None:
    def step(name: str) -> None:
        if name == "create: slice written":
            with opened(tmp_path / "matches.db") as reader:
                assert reader.matches() == []

    with opened(tmp_path / "matches.db", step) as store:
        assert len(store.journal(created(store, LONG))) == LONG
