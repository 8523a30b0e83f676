"""What the store keeps of passkeys: each belongs to an account, and to nobody's session but its own."""

from __future__ import annotations

from starlette.testclient import TestClient

from rasputitsa.server.store.people.passkeys import PasskeyRow
from tests.server.accounts.browsers import Browser
from tests.server.conftest import rooms_of


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
