"""What the store keeps of passkeys: each belongs to an account, and to nobody's session but its own."""

from __future__ import annotations

import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import Store, backup, restoring
from rasputitsa.server.store.people.passkeys import PasskeyRow
from tests.server.accounts.browsers import PASSWORD, Browser, error, keeping
from tests.server.accounts.devices import Device, Named
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist


def test_a_session_that_goes_on_adds_and_removes_passkeys_of_its_own_account_alone(house: TestClient) -> None:
    store = rooms_of(house).store
    for name in ("Anna", "Boris"):
        Browser(house).register(name)
    people = {account: store.sessions(account)[0].digest for account in store.account_names()}
    for account, session in people.items():
        key = PasskeyRow(f"key of {account}", account, "play.example", "public", 0, "Firefox", 1)
        others = [*({*people.values()} - {session}), "0", "~"]  # those that have ended come before and after
        assert [store.add_passkey(key, other) for other in others] == [None] * 3
        assert (store.add_passkey(key, session), store.add_passkey(key, session)) == (True, False)
        assert [store.remove_passkey(account, key.id, other) for other in others] == [None] * 3
        assert store.passkeys_of(account) == [key]
        assert store.remove_passkey(account, "another", session) is False
        assert store.remove_passkey(account, key.id, session) is True and store.passkeys_of(account) == []


def test_of_two_signatures_at_once_with_one_passkey_one_counts(house: TestClient) -> None:
    """Both were looked at before either was noted."""
    store = rooms_of(house).store
    Browser(house).register("Anna")
    (account,) = store.account_names()
    read = PasskeyRow("key", account, "play.example", "public", 3, "Firefox", 1)
    assert store.add_passkey(read, store.sessions(account)[0].digest)
    assert (store.count_passkey(read, 5), store.count_passkey(read, 6)) == (True, False)
    assert [known.uses for known in store.passkeys_of(account)] == [5]


@pytest.mark.parametrize("revision", ["0023", "0024"])
def test_accounts_of_a_backup_from_before_passkeys_or_blocks_go_on_in_this_version(
    house: TestClient, config: ServerConfig, tmp_path: Path, revision: str
) -> None:
    """Nobody is signed in, and what there was not yet can be made."""
    anna, device, duel = Named(house).register("Anna"), Device(), Duelist.between_two(house)
    anna.keep(duel, "red")
    anna.add(device, password=PASSWORD)
    copy, later = tmp_path / "copy.db", keeping(dataclasses.replace(config, data=tmp_path / "later"))
    backup.back_up(config.database, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as raw:
        for table in ("account_blocks", "account_passkeys")[: 25 - int(revision)]:
            raw.execute(f"DROP TABLE {table}")
        raw.execute("UPDATE alembic_version SET version_num = ?", [revision])
    assert restoring.restore(copy, later.database).contents.revision == revision
    Store(later.database).close()
    with connect(later) as client:
        anna.client = client
        assert anna.account() is None, "after a restore nobody is signed in"
        entered = anna.post("/passkeys/sign-in", **device.sign(anna.asked()))
        assert entered.status_code == 200 if revision == "0024" else error(entered) == (403, "bad_passkey")
        account = anna.sign_in("Anna").account()
        assert account["seats"] == {duel.id: ["red"]} and account["blocks"] == []
        assert len(account["passkeys"]) == (revision == "0024")
        anna.add(Device(), password=PASSWORD)
        keys = {**duel.keys, **anna.sit(duel)}
        blocked = anna.done("/blocks", match=duel.id, of="blue", seat="red", key=keys["red"])
        assert len(blocked["account"]["blocks"]) == 1
