"""The store: durability checked at the start, whole transactions, plain words when something is wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, event, inspect, text
from sqlalchemy.engine import Engine

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import (
    DamagedStoreError,
    DiskFullError,
    DuplicateRequestError,
    JournalRow,
    MatchStart,
    NewerStoreError,
    Request,
    StaleVersionError,
    Store,
    StoreError,
    UnknownMatchError,
    UnsafeStoreError,
    connecting,
    migrating,
)
from rasputitsa.server.store.schema import metadata
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "matches.db"


@pytest.fixture
def store(path: Path) -> Store:
    return Store(path)


def new_match(store: Store) -> int:
    return store.create(MatchStart(title="t", header="{}", summary={}, over=False, keys={"red": "r", "blue": "b"}))


def append(store: Store, match_id: int, version: int, request_id: str, seat: str = "red", lines: int = 1) -> int:
    return store.append(
        match_id, seat=seat, version=version, lines=[JournalRow(seat, request_id)] * lines, summary={"n": version},
        over=False, request=Request(seat, request_id, "digest"), answer={"n": version},
    )  # fmt: skip


def snapshot(store: Store, match_id: int) -> Any:
    return store.match(match_id), store.seats(match_id), store.journal(match_id), store.request(match_id, "red", "x")


def test_the_database_is_durable(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2


def test_a_database_that_cannot_be_durable_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a network disk that knows no write-ahead log."""
    path.parent.mkdir()
    monkeypatch.setattr(connecting, "_JOURNAL_MODE", "truncate")
    with pytest.raises(UnsafeStoreError, match="Choose a data directory on a local disk"):
        Store(path)


def test_the_migrations_lead_to_the_tables_the_program_uses(store: Store) -> None:
    found = inspect(store.engine)
    assert set(found.get_table_names()) == {*metadata.tables, "alembic_version"}
    for name, table in metadata.tables.items():
        columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(name)}
        dialect = store.engine.dialect
        assert columns == {c.name: (c.type.compile(dialect), c.nullable) for c in table.columns}
        assert set(found.get_pk_constraint(name)["constrained_columns"]) == {c.name for c in table.primary_key}


def test_match_numbers_are_64_bits_wide(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("INSERT INTO sqlite_sequence VALUES ('matches', :n)"), {"n": 2**53})
    match_id = new_match(store)
    assert match_id == 2**53 + 1
    assert append(store, match_id, 0, "x") == 1
    assert store.match(match_id).entries == 1


def test_versions_of_all_seats_rise_with_the_journal(store: Store) -> None:
    match_id = new_match(store)
    assert append(store, match_id, 0, "a", lines=3) == 3
    assert append(store, match_id, 3, "b", seat="blue") == 4
    assert {seat: row.version for seat, row in store.seats(match_id).items()} == {"red": 4, "blue": 4}
    assert [row.line for row in store.journal(match_id, 2)] == ["a", "b"]


def test_what_is_refused_changes_nothing(store: Store) -> None:
    match_id = new_match(store)
    append(store, match_id, 0, "a")
    before = snapshot(store, match_id)
    with pytest.raises(StaleVersionError):
        append(store, match_id, 0, "x")
    with pytest.raises(StaleVersionError):
        append(store, match_id, 1, "x", seat="green")
    with pytest.raises(DuplicateRequestError):
        append(store, match_id, 1, "a")
    with pytest.raises(UnknownMatchError):
        append(store, match_id + 1, 0, "x")
    assert snapshot(store, match_id) == before


def test_a_failure_between_two_writes_leaves_nothing_behind(path: Path) -> None:
    fatal = ""

    def step(name: str) -> None:
        if name == fatal:
            raise KeyboardInterrupt

    store = Store(path, step)
    match_id = new_match(store)
    before = snapshot(store, match_id)
    for name in ("append: request written", "append: journal written", "append: match written", "commit"):
        fatal = name
        with pytest.raises(KeyboardInterrupt):
            append(store, match_id, 0, "x")
        assert snapshot(store, match_id) == before
    fatal = ""
    assert append(store, match_id, 0, "x") == 1


def test_what_fails_together_leaves_nothing_behind_whatever_was_written_first(store: Store) -> None:
    match_id = new_match(store)
    with pytest.raises(RuntimeError), store.together():
        append(store, match_id, 0, "a")
        raise RuntimeError("the server fails before the second write")
    assert store.match(match_id).entries == 0
    assert append(store, match_id, 0, "a") == 1


def test_two_processes_on_one_match_cannot_both_win(path: Path) -> None:
    """Several workers share a database; the second to act on the same version is refused."""
    one, two = Store(path), Store(path)
    match_id = new_match(one)
    append(one, match_id, 0, "a")
    with pytest.raises(StaleVersionError):
        append(two, match_id, 0, "b")
    with pytest.raises(DuplicateRequestError):
        append(two, match_id, 1, "a")
    assert append(two, match_id, 1, "b") == 2


def test_a_deleted_match_leaves_nothing_behind(store: Store) -> None:
    match_id = new_match(store)
    append(store, match_id, 0, "a")
    store.delete(match_id)
    with store.engine.connect() as connection:
        for table in metadata.tables.keys() - {"store_state"}:
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0
    with pytest.raises(UnknownMatchError):
        store.delete(match_id)
    assert new_match(store) != match_id, "a number is never given twice"


def test_a_newer_database_is_refused_in_plain_words(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerStoreError, match=r"newer version of this program.*please update"):
        Store(path)


def old_database(path: Path, revision: str) -> None:
    """A database as an earlier version of the program has left it, with one match and keys in clear."""
    path.parent.mkdir()
    config = Config()
    config.set_main_option("script_location", str(Path(str(migrating.__file__)).with_name("migrations")))
    config.set_main_option("recursive_version_locations", "true")
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        players = {"red": {"kind": "human"}, "blue": {"kind": "bot", "bot": "random"}}
        connection.execute(
            text("INSERT INTO matches VALUES (7, 't', '{}', :summary, 0, 3, 1, 2)"),
            {"summary": json.dumps({"controllers": players})},
        )
        for seat in ("red", "blue"):
            connection.execute(text("INSERT INTO seats VALUES (7, :s, :k, 3)"), {"s": seat, "k": f"{seat}'s key"})
        connection.commit()
    engine.dispose()


@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
def test_before_a_migration_the_old_database_is_kept(path: Path, revision: str) -> None:
    """A database of an earlier version is brought up to date, and stays beside the new one."""
    old_database(path, revision)
    store = Store(path)
    assert store.match(7).title == "t"
    store.keep_analysis(7, "", {"version": 1})
    assert store.analysis(7, "") == {"version": 1}
    store.close()
    with sqlite3.connect(path.with_name(f"matches.db.before-{migrating.HEAD}")) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == (revision,)
        assert old.execute("SELECT title FROM matches").fetchone() == ("t",)


def test_keys_of_an_old_database_fit_and_stand_in_it_no_more(path: Path) -> None:
    old_database(path, "0003")
    store = Store(path)
    seats = store.seats(7)
    assert seats["red"].opens("red's key") and seats["blue"].opens("blue's key")
    assert not seats["red"].opens("blue's key")
    assert (seats["red"].version, seats["red"].owned, bool(seats["red"].holder)) == (3, True, True)
    assert not seats["blue"].holder, "the computer's seat is nobody's"
    store.close()
    assert b"red's key" not in path.read_bytes()


def test_nothing_in_the_database_opens_a_seat(path: Path) -> None:
    """Keys and tokens are kept as digests alone."""
    store = Store(path)
    match_id = store.create(MatchStart(
        title="t", header="{}", summary={}, over=False, keys={"red": "KEY-IN-CLEAR", "blue": None},
        links={"blue": "TOKEN-IN-CLEAR"},))  # fmt: skip
    claim = store.claim("TOKEN-IN-CLEAR", "REQUEST-IN-CLEAR")
    secrets = [store.add_key(match_id, "red"), claim.key, "-IN-CLEAR"]
    store.close()
    content = path.read_bytes()
    assert not [secret for secret in secrets if secret.encode() in content]


def test_an_analysis_is_kept_once_for_each_seat_and_goes_with_its_match(store: Store) -> None:
    match_id = new_match(store)
    store.keep_analysis(match_id, "axis", {"entries": 1})
    store.keep_analysis(match_id, "axis", {"entries": 2})
    assert store.analysis(match_id, "axis") == {"entries": 2}
    assert store.analysis(match_id, "soviet") is None and store.analysis(match_id, "") is None
    store.delete(match_id)
    assert store.analysis(match_id, "axis") is None
    store.keep_analysis(match_id, "axis", {"entries": 3})
    assert store.analysis(match_id, "axis") is None, "nothing is kept of a match that is gone"


def test_a_damaged_database_is_refused_in_plain_words(path: Path) -> None:
    store = Store(path)
    for number in range(50):
        append(store, new_match(store), 0, f"x{number}")
    store.close()
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 200] = b"\xa5" * 200
    path.write_bytes(content)
    with pytest.raises(DamagedStoreError, match="damaged"):
        Store(path)


def test_files_that_are_no_database_of_ours_are_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"These are my holiday photos. " * 100)
    with pytest.raises(DamagedStoreError, match="not a database"):
        Store(path)
    path.unlink()
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE photos (id)")
    with pytest.raises(DamagedStoreError, match="another program"):
        Store(path)


def test_a_data_directory_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot make the data folder"):
        Store(tmp_path / "file" / "matches.db")


# -- a full disk ---------------------------------------------------------------------------------------


def limit_pages(engine: Engine, spare: int) -> list[int]:
    """Let the database grow by no more than ``spare`` pages; what is in the list is how many it may have."""
    with engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
    engine.dispose()
    assert isinstance(pages, int)
    allowed = [pages + spare]

    @event.listens_for(engine, "connect")
    def limit(raw: Any, _record: object) -> None:
        raw.execute(f"PRAGMA max_page_count = {allowed[0]}")

    return allowed


def test_a_full_disk_changes_nothing(store: Store) -> None:
    match_id = new_match(store)
    limit_pages(store.engine, 2)
    version = 0
    with pytest.raises(DiskFullError, match="no room left"):
        for version in range(1000):
            append(store, match_id, version, f"{version}" * 10)
    assert version > 1
    assert store.match(match_id).entries == version == len(store.journal(match_id))


def test_on_a_full_disk_a_long_saved_game_is_refused_in_the_same_words(store: Store) -> None:
    limit_pages(store.engine, 2)
    lines = [JournalRow("red", "line " * 20)] * 2000
    with pytest.raises(DiskFullError, match="no room left"):
        store.create(MatchStart(title="", header="{}", summary={}, over=False, keys={"red": "key"}, lines=lines))
    assert store.matches() == []


def test_a_server_on_a_full_disk_loses_nothing_and_goes_on(config: ServerConfig) -> None:
    with connect(config) as client:
        duel = Duelist.start(client, scenario="long")
        duel.play(TURN[:3])
        store = rooms_of(client).store
        allowed = limit_pages(store.engine, 2)
        steps = 0
        while True:
            before = duel.view("red")
            body = duel.body("red", "walk A2-A1-A2-A1")
            response = duel.send(body)
            if response.status_code != 200:
                break
            steps += 1
        assert (response.status_code, response.json()["error"]["code"]) == (507, "disk_full")
        assert "no room left" in response.json()["error"]["message"]
        assert steps > 0
        assert duel.view("red") == before, "still readable, unchanged"
        new = {"game": "duel", "scenario": "short"}
        made = [client.post("/api/matches", json=new).status_code for _ in range(100)]
        assert set(made) == {201, 507}
        assert len(client.get("/api/matches").json()) == 1 + made.count(201)
        assert duel.view("red") == before
        allowed[0] += 1000
        store.engine.dispose()
        assert duel.send(body).status_code == 200, "once there is room the same request is accepted"
        assert duel.view("red")["ply"] == before["ply"] + 4
    with connect(config) as client:
        assert Duelist(client, duel.id, duel.keys).view("red")["ply"] == before["ply"] + 4
