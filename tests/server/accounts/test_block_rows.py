"""What the store keeps of blocked people."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.store import CrowdedError, Store
from rasputitsa.server.store.people import blocks
from tests.server.accounts.browsers import PASSWORD, Browser
from tests.server.conftest import rooms_of
from tests.server.player import Duelist


@pytest.fixture
def duel(house: TestClient) -> Duelist:
    return Duelist.between_two(house)


def holder(store: Store, duel: Duelist, seat: str) -> str:
    return store.seats(int(duel.id))[seat].holder


def test_a_block_is_its_accounts_own_and_made_once(house: TestClient, duel: Duelist) -> None:
    store = rooms_of(house).store
    for name, seat in (("Anna", "red"), ("Boris", "blue")):
        Browser(house).register(name).keep(duel, seat)
    people = {name: account for account, name in store.account_names().items()}
    anna, boris = (store.sessions(people[name])[0].digest for name in ("Anna", "Boris"))
    number, blue = int(duel.id), holder(store, duel, "blue")
    assert store.block("no session", number, blue, "Blue") is None
    assert store.block(boris, number, blue, "Blue") is False, "nobody blocks their own person"
    assert [store.block(anna, number, blue, label) for label in ("Blue", "Blue again")] == [True, True]
    (kept,) = store.blocks_of(people["Anna"])
    assert kept.label == "Blue" and store.blocks_of(people["Boris"]) == []
    assert store.unheard(number, "red") == {blue} and store.unheard(number, "blue") == set()
    assert (store.unblock("no session", kept.id), store.unblock(boris, kept.id)) == (None, False)
    assert store.unblock(anna, "another") is False and store.blocks_of(people["Anna"]) == [kept]
    assert store.unblock(anna, kept.id) is True and store.blocks_of(people["Anna"]) == []
    assert store.unheard(number, "red") == set()


def test_a_guest_who_keeps_the_seat_later_is_blocked_by_the_account(house: TestClient, duel: Duelist) -> None:
    """Before and after it all looks the same to who has blocked them."""
    store, number = rooms_of(house).store, int(duel.id)
    Browser(house).register("Anna").keep(duel, "red")
    (anna,) = store.account_names()
    assert store.block(store.sessions(anna)[0].digest, number, holder(store, duel, "blue"), "Blue")
    before = store.blocks_of(anna)
    elsewhere = Duelist.between_two(house)
    guest = Browser(house).register("Boris")
    guest.keep(elsewhere, "red")
    (boris,) = store.account_names().keys() - {anna}
    assert store.shut_tables(anna, {int(elsewhere.id)}) == store.shut_tables(boris, {number}) == set()
    assert guest.keep(duel, "blue") == {duel.id: ["blue"]}
    assert store.shut_tables(anna, {int(elsewhere.id)}) == {int(elsewhere.id)}
    assert store.shut_tables(boris, {int(elsewhere.id), number}) == set(), "where they sit themselves"
    others = Duelist.between_two(house)
    Browser(house).sign_in("Anna").keep(others, "red")
    assert store.shut_tables(boris, {int(others.id)}) == {int(others.id)}
    assert store.shut_tables("", {int(others.id), number}) == set()
    assert store.blocks_of(anna) == before


def test_blocks_go_with_the_account_and_the_account_goes_from_those_of_others(house: TestClient, duel: Duelist) -> None:
    store, number = rooms_of(house).store, int(duel.id)
    browsers = {name: Browser(house).register(name) for name in ("Anna", "Boris")}
    for browser, seat in ((browsers["Anna"], "red"), (browsers["Boris"], "blue")):
        browser.keep(duel, seat)
    people = {name: account for account, name in store.account_names().items()}
    for name, other in (("Anna", "blue"), ("Boris", "red")):
        assert store.block(store.sessions(people[name])[0].digest, number, holder(store, duel, other), other)
    before = store.blocks_of(people["Anna"])
    browsers["Boris"].done("/delete", password=PASSWORD)
    assert store.blocks_of(people["Anna"]) == before, "a block that disappeared would tell that there was an account"
    assert store.unheard(number, "red") == {holder(store, duel, "blue")}
    store._empty_log()
    assert people["Boris"].encode() not in store.path.read_bytes()
    browsers["Anna"].done("/delete", password=PASSWORD)
    assert store.blocks_of(people["Anna"]) == []


def test_there_is_a_most_of_blocks(house: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_BLOCKS", 2)
    store, anna = rooms_of(house).store, Browser(house).register("Anna")
    (account,) = store.account_names()
    session = store.sessions(account)[0].digest
    duels = [Duelist.between_two(house) for _ in range(3)]
    for duel in duels:
        anna.keep(duel, "red")
    made = [(int(duel.id), holder(store, duel, "blue"), "Blue") for duel in duels]
    assert [store.block(session, *block) for block in made[:2]] == [True, True]
    with pytest.raises(CrowdedError, match="you have blocked 2 people"):
        store.block(session, *made[2])
    assert store.block(session, *made[0]) is True
