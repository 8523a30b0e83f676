"""``backup``, ``restore``, ``matches`` and ``accounts`` as they are typed."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.server.accounts.passwords import HASHER, ONCE, is_once
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.lock import DataLock
from rasputitsa.server.naming import seen_as
from rasputitsa.server.store import AccountRow, MatchStart, Store
from tests.server.store.test_store import old_database
from tests.unit.cli.command import Command


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two matches; in the first people play, in the second the computer plays Blue."""
    folder = tmp_path / "data"
    store = Store(ServerConfig(data=folder).database)
    for title, blue in (("one", "human"), ("two [b]\x1b[31m\n", "bot")):
        players = {"red": {"kind": "human"}, "blue": {"kind": blue}}
        keys = {"red": "red key", "blue": "blue key" if blue == "human" else None}
        store.create(MatchStart(title=title, header="{}", summary={"controllers": players}, over=False, keys=keys))
    store.close()
    return folder


def numbers(run: Command, data: Path) -> list[int]:
    return sorted(each["match"] for each in json.loads(run("matches", "list", "--json", "--data", data).out))


def test_the_list_is_a_table_or_json(run: Command, data: Path) -> None:
    table = run("matches", "list", "--data", data).out
    assert re.search(r"1 +one", table) and re.search(r"2 +two \[b\]", table)
    assert "\x1b[31m" not in table, "a title does not paint the terminal"
    (row,) = (each for each in json.loads(run("matches", "list", "--json", "--data", data).out) if each["match"] == 1)
    assert (row["title"], row["entries"], row["over"]) == ("one", 0, False)
    assert row["last_played"].endswith("+00:00")
    run.fails("matches", "list", "--data", data.parent / "none", says="there is no database")
    assert not (data.parent / "none").exists()


def test_looking_at_a_database_of_an_earlier_version_leaves_it_to_the_server_that_runs(
    run: Command, tmp_path: Path
) -> None:
    """After an update of the program the server of before may still be at work on it."""
    path = ServerConfig(data=tmp_path / "old").database
    old_database(path, "0003")
    assert numbers(run, path.parent) == [7]
    assert run("export", "--data", path.parent).code == 0
    with contextlib.closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_game_is_read_into_a_database_of_an_earlier_version_when_no_server_runs(
    run: Command, tmp_path: Path, save: Path
) -> None:
    path = ServerConfig(data=tmp_path / "old").database
    old_database(path, "0003")
    lock = DataLock(path.parent)
    run.fails("import", save, "--data", path.parent, says="is already running")
    with contextlib.closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]
    lock.release()
    assert run("import", save, "--data", path.parent).code == 0
    lock = DataLock(path.parent)
    assert run("import", save, "--data", path.parent).code == 0, "one of today is shared with a server"
    lock.release()


def test_a_match_is_deleted_only_when_asked_for_twice(
    run: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    run.fails("matches", "delete", 1, "--data", data, says="nothing was changed")
    assert numbers(run, data) == [1, 2]
    assert run("matches", "delete", 1, "--yes", "--data", data).code == 0
    assert numbers(run, data) == [2]
    run.fails("matches", "delete", 1, "--yes", "--data", data, says="there is no match 1")
    assert run("matches", "delete", "x", "--data", data).code == 2


def test_new_keys_make_the_old_ones_void(run: Command, data: Path) -> None:
    answer = run("matches", "rekey", 1, "--yes", "--data", data)
    links = dict(re.findall(r"^(red|blue) +#/invite/(\S+)$", answer.out, re.MULTILINE))
    assert set(links) == {"red", "blue"}
    store = Store(ServerConfig(data=data).database)
    assert not store.seats(1)["red"].opens("red key") and not store.seats(1)["blue"].opens("blue key")
    taken = store.claim(links["blue"], "a request of some length")
    assert (taken.match_id, taken.seat) == (1, "blue")
    assert store.seats(1)["blue"].opens(taken.key)
    store.close()
    again = run("matches", "rekey", 1, "--seat", "blue", "--yes", "--data", data)
    assert again.out.count("#/invite/") == 1
    assert not Store(ServerConfig(data=data).database).seats(1)["blue"].opens(taken.key)


def test_the_computer_gets_no_key(run: Command, data: Path) -> None:
    assert run("matches", "rekey", 2, "--yes", "--data", data).out.count("#/invite/") == 1
    run.fails("matches", "rekey", 2, "--seat", "blue", "--yes", "--data", data, says="nobody plays the seat 'blue'")
    run.fails("matches", "rekey", 9, "--yes", "--data", data, says="there is no match 9")


def test_a_backup_goes_to_a_folder_or_a_file(run: Command, data: Path, tmp_path: Path) -> None:
    for number in range(4):
        told = run("backup", "--keep", 2, "--data", data)
        assert (told.code, "2 matches with 0 entries" in told.out) == (0, True)
        assert len(list((data / "backups").iterdir())) == min(number + 1, 2)
    assert "removed 1 older, 2 stay" in told.out
    file = tmp_path / "mine.db"
    assert run("backup", "--to", file, "--data", data).code == 0
    run.fails("backup", "--to", file, "--data", data, says="exists already; nothing was written")
    assert run("backup", "--to", tmp_path / "elsewhere", "--data", data).code == 0
    assert len(list((tmp_path / "elsewhere").iterdir())) == 1
    run.fails("backup", "--to", tmp_path / "none" / "mine.db", "--data", data, says="none")
    run.fails("backup", "--data", tmp_path / "none", says="there is no database")


def test_a_backup_is_put_back(run: Command, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.db"
    run("backup", "--to", file, "--data", data)
    run("matches", "delete", 1, "--yes", "--data", data)
    with monkeypatch.context() as patched:
        patched.setattr("typer.confirm", lambda *_, **__: False)
        run.fails("restore", file, "--data", data, says="nothing was changed")
    told = run("restore", file, "--yes", "--data", data)
    assert "restored 2 matches" in told.out
    aside = Path(re.search(r"what was there before is in (.+)", told.out)[1])  # type: ignore[index]
    assert (aside / "matches.db").is_file()
    assert numbers(run, data) == [1, 2]
    run.fails("restore", "--data", data, says="name a backup")
    run.fails("restore", file, "--accept", "--data", data, says="name a backup")
    run.fails("restore", tmp_path / "none", "--yes", "--data", data, says="there is no backup")
    assert run("restore", file, "--yes", "--data", tmp_path / "new machine").code == 0
    assert numbers(run, tmp_path / "new machine") == [1, 2]


def test_what_is_missing_can_be_accepted(run: Command, data: Path) -> None:
    store = Store(ServerConfig(data=data).database)
    reached = store._mark.read()
    assert reached is not None
    store.close()
    store._mark.replace(type(reached)(reached.store, reached.changes + 3, reached.changed_ms))
    run.fails("serve", "--data", data, "--port", 0, says="lacks the last 3 changes")
    run.fails("backup", "--data", data, says="lacks the last 3 changes")
    assert "going on with 2 matches" in run("restore", "--accept", "--yes", "--data", data).out
    assert run("backup", "--data", data).code == 0


@pytest.fixture
def people(data: Path) -> Path:
    """Anna is signed in and holds Red in match 1; Berta, put there by a stranger, would paint the terminal."""
    store = Store(ServerConfig(data=data).database)
    for name in ("Anna", "Berta\x1b[31m\n\u202e"):
        store.add_account(AccountRow(name[:1], name, "a digest", name, 86_400_000), seen_as(name))
    anna = store.account_named("anna")
    assert anna is not None and store.open_session(anna, "a token", "Firefox on Linux") == set()
    (session,) = store.sessions("A")
    assert store.keep_with_account(session.digest, {1: {"red": "red key"}}) == {1: ["red"]}
    store.close()
    return data


def listed(run: Command, data: Path) -> dict[str, Any]:
    told = json.loads(run("accounts", "list", "--json", "--data", data).out)
    return {each.pop("name")[:5]: each for each in told}


def test_accounts_are_listed_without_their_secrets(run: Command, people: Path) -> None:
    table = run("accounts", "list", "--data", people).out
    assert re.search(r"^ Anna +1970-01-02 +today +1 +1 *$", table, re.M) and re.search(r"^ Berta.*1970", table, re.M)
    assert "\x1b[31m" not in table and "\u202e" not in table, "a name does not paint the terminal"
    asked = run("accounts", "list", "--json", "--data", people).out
    assert listed(run, people) == {
        "Anna": {"created": "1970-01-02T00:00:00+00:00", "days_unseen": 0, "signed_in": 1, "matches": [1]},
        "Berta": {"created": "1970-01-02T00:00:00+00:00", "days_unseen": None, "signed_in": 0, "matches": []},
    }
    assert "digest" not in table + asked and "\x1b" not in asked


def test_an_account_is_deleted_by_the_host_with_all_that_its_browsers_could_open(
    run: Command, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        asked: list[str] = []
        patched.setattr("typer.confirm", lambda text, **_: asked.append(text))
        run.fails("accounts", "delete", "ANNA", "--data", people, says="nothing was changed")
        run.fails("accounts", "delete", "Berta31m", "--data", people, says="nothing was changed")
    assert asked[0] == "Delete the account Anna, with which seats in 1 match are kept, for good?"
    assert asked[1].isprintable()
    told = run("accounts", "delete", "ANNA", "--yes", "--data", people)
    assert told.code == 0 and "new invitations to: 1" in told.out
    run.fails("accounts", "delete", "Anna\x1b[2J", "--yes", "--data", people, says="there is no account 'Anna .2J'")
    assert set(listed(run, people)) == {"Berta"} and numbers(run, people) == [1, 2]
    store = Store(ServerConfig(data=people).database)
    assert store.session("a token") is None and not store.seats(1)["red"].opens("red key")
    assert store.seats(1)["blue"].opens("blue key")
    store.close()


def test_a_password_that_the_host_has_set_is_shown_once_and_signs_out_everywhere(run: Command, people: Path) -> None:
    told = run("accounts", "reset", "anna", "--yes", "--data", people)
    (password,) = re.findall(r"^Anna  ((?:[a-z2-9]{4}-){4}[a-z2-9]{4})$", told.out, re.M)
    store = Store(ServerConfig(data=people).database)
    anna = store.account_named("anna")
    assert anna is not None and is_once(anna.password) and password not in anna.password
    assert HASHER.verify(anna.password.removeprefix(ONCE), password)
    assert store.session("a token") is None and not store.seats(1)["red"].opens("red key")
    store.close()
    with contextlib.closing(sqlite3.connect(people / "matches.db")) as raw:
        assert raw.execute("SELECT account FROM account_seats").fetchall() == [("A",)], "the seats stay hers"
    assert password not in run("accounts", "reset", "Anna", "--yes", "--data", people).out
    run.fails("accounts", "reset", "Clara", "--yes", "--data", people, says="there is no account 'Clara'")


def test_while_a_server_runs_only_what_is_safe_is_done(run: Command, data: Path, tmp_path: Path) -> None:
    lock = DataLock(data)
    assert run("backup", "--to", tmp_path / "mine.db", "--data", data).code == 0
    assert numbers(run, data) == [1, 2]
    assert run("accounts", "list", "--data", data).code == 0
    for command in (("restore", tmp_path / "mine.db"), ("restore", "--accept"), ("matches", "delete", 1),
                    ("matches", "rekey", 1), ("accounts", "delete", "x"), ("accounts", "reset", "x")):  # fmt: skip
        run.fails(*command, "--yes", "--data", data, says="already running .*; stop it first")
    assert numbers(run, data) == [1, 2]
    lock.release()
