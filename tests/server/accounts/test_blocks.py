"""Blocked people: they are not met again, and are not told; what is shared already goes on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from rasputitsa.server.store import Store
from tests.server.accounts.browsers import PASSWORD, Browser, error
from tests.server.accounts.test_rated_games import start
from tests.server.player import Duelist
from tests.server.seats.test_rematch import told
from tests.server.seats.test_tables import WISH
from tests.server.seats.test_talk import say


@dataclass
class Shared:
    """A match of Anna, Red, and Boris, Blue."""

    anna: Browser
    boris: Browser
    duel: Duelist

    def block(self, by: str = "red", of: str = "blue") -> Any:
        """Anna blocks Boris, or the other way round."""
        browser = self.anna if by == "red" else self.boris
        return browser.done("/blocks", match=self.duel.id, of=of, **self.duel.auth(by))["account"]["blocks"]

    def resign(self) -> None:
        done = self.duel.client.post(self.duel.url("end"), json={**self.duel.auth("red"), "how": "resign"})
        assert done.json()["done"]

    def ask_for_rematch(self, seat: str) -> httpx.Response:
        browser = self.anna if seat == "red" else self.boris
        return browser.ask("POST", self.duel.url("rematch"), self.duel.auth(seat))

    def is_asked(self, browser: Browser) -> bool:
        """Whether the list of matches says that there is a rematch to come to."""
        rows = {row["id"]: row for row in browser.ask("POST", "/api/lobby", {"keys": {}}).json()}
        return bool(rows[self.duel.id]["rematch"])


@pytest.fixture
def shared(house: TestClient) -> Shared:
    anna, boris = Browser(house).register("Anna"), Browser(house, "203.0.113.9").register("Boris")
    duel = Duelist.between_two(house)
    anna.keep(duel, "red")
    boris.keep(duel, "blue")
    return Shared(anna, boris, duel)


def host(browser: Browser) -> Duelist:
    """A match with a seat that is open to everybody."""
    answer = browser.ask(
        "POST", "/api/matches", {"game": "duel", "scenario": "short", "guests": ["blue"], "publish": WISH}
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Duelist(browser.client, made["id"], made["keys"], made["invitations"])


def listed(browser: Browser) -> set[str]:
    return {table["id"] for table in browser.ask("GET", "/api/tables").json()}


def look(browser: Browser, table: str, seat: str = "blue") -> httpx.Response:
    return browser.ask("POST", "/api/tables/look", {"match": table, "seat": seat})


def take(browser: Browser, table: str, request: str = "", seat: str = "blue") -> httpx.Response:
    body = {"match": table, "seat": seat, "request_id": request or os.urandom(16).hex()}
    return browser.ask("POST", "/api/tables/take", body)


def test_tables_of_either_are_not_there_for_the_other(shared: Shared) -> None:
    of_anna, of_boris = host(shared.anna), host(shared.boris)
    assert listed(shared.anna) == listed(shared.boris) == {of_anna.id, of_boris.id}
    (blocked,) = shared.block()
    others = Browser(shared.duel.client, "203.0.113.77")
    for browser, own, other in ((shared.anna, of_anna, of_boris), (shared.boris, of_boris, of_anna)):
        assert listed(browser) == {own.id}
        gone = (look(browser, other.id).json(), take(browser, other.id).json())
        never = (look(browser, shared.duel.id).json(), take(browser, shared.duel.id).json())
        assert gone == never and gone[0]["error"]["code"] == "unknown_table", "as one that was never in the list"
        assert listed(others) == {of_anna.id, of_boris.id}, "who is not signed in sees all"
    assert listed(others.register("Clara")) == {of_anna.id, of_boris.id}
    assert take(others, of_anna.id).status_code == 200
    shared.anna.done("/blocks/remove", id=blocked["id"])
    assert listed(shared.anna) == {of_boris.id} == listed(shared.boris)
    assert take(shared.anna, of_boris.id).status_code == 200


def test_whether_a_seat_may_be_taken_is_decided_with_the_taking(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who is blocked at that moment is in before or does not come in; one who came in before gets the key again."""
    table, request = host(shared.anna), "r" * 20
    together: list[bool] = []
    found = Store.shut_tables

    def noted(self: Store, *args: Any) -> set[int]:
        together.append(self._joint.connection is not None)
        return found(self, *args)

    monkeypatch.setattr(Store, "shut_tables", noted)
    assert take(shared.boris, table.id, request).status_code == 200
    assert together == [True]
    shared.block()
    again = take(shared.boris, table.id, request)
    assert again.status_code == 200 and again.json()["seat"] == "blue"


def test_neither_a_seat_that_was_given_up_nor_a_rated_one_is_there_for_the_other(
    shared: Shared, house: TestClient
) -> None:
    """Where one sits at a table of somebody else, and where a match was started and no seat is kept yet."""
    clara = Browser(house, "203.0.113.77").register("Clara")
    table, rated = host(clara), start(shared.anna, publish=WISH)
    table.keys["blue"] = take(shared.anna, table.id).json()["key"]
    shared.anna.keep(table, "blue")
    house.post(table.url("leave"), json=table.auth("red"))
    for path, body in (("agree", {"topic": "invite"}), ("publish", WISH)):
        assert house.post(table.url(path), json={**table.auth("blue"), "of": "red", **body}).status_code == 200
    assert listed(shared.boris) == listed(clara) == {table.id, rated.id}
    shared.block()
    assert listed(shared.boris) == set() and listed(clara) == {table.id, rated.id}
    for match, seat in ((table.id, "red"), (rated.id, "blue")):
        assert error(take(shared.boris, match, seat=seat)) == error(look(shared.boris, match, seat))
        assert error(look(shared.boris, match, seat)) == (404, "unknown_table")
        assert take(clara, match, seat=seat).status_code == 200


def test_links_by_hand_stay_good_and_whoever_looks_on_looks_on(shared: Shared) -> None:
    shared.block()
    table = host(shared.anna)
    assert shared.boris.ask("GET", table.url("view")).status_code == 200
    body = {"token": table.links["blue"], "request_id": "r" * 20}
    assert shared.boris.ask("POST", "/api/invitations/claim", body).status_code == 200


def talk(shared: Shared, seat: str) -> list[tuple[str, bool]]:
    answer = shared.duel.client.get(shared.duel.url("talk"), params=shared.duel.auth(seat)).json()
    return [(said["text"], said["blocked"]) for said in answer["messages"]]


def state(shared: Shared, seat: str | None) -> Any:
    return shared.duel.client.get(shared.duel.url("seats"), params=shared.duel.auth(seat)).json()["blocked"]


def test_in_a_match_they_share_words_are_folded_for_who_has_blocked_and_nobody_else_hears_of_it(
    shared: Shared,
) -> None:
    duel = shared.duel
    say(duel, "blue", "Move!")
    with duel.live("red") as of_anna, duel.live("blue") as of_boris:
        for window in (of_anna, of_boris):
            assert window.receive_json()["type"] == "view"
        shared.block()
        assert {of_anna.receive_json()["type"] for _ in range(2)} == {"seats", "talk"}
        of_boris.send_json({"type": "ping"})
        assert of_boris.receive_json()["type"] == "pong", "nothing was said to Boris before"
    say(duel, "red", "Good luck!")
    assert talk(shared, "red") == [("Move!", True), ("Good luck!", False)]
    assert talk(shared, "blue") == [("Move!", False), ("Good luck!", False)]
    assert (state(shared, "red"), state(shared, "blue"), state(shared, None)) == (["blue"], [], [])
    duel.act("red", "hide 3")
    duel.client.post(duel.url("leave"), json=duel.auth("blue"))
    assert talk(shared, "red")[0] == ("Move!", True), "also when they have left"


def test_whom_one_has_blocked_is_listed_as_at_the_table_and_saved_with_ones_data(shared: Shared) -> None:
    (kept,) = shared.block()
    assert shared.block() == [kept], "once, though asked twice"
    assert kept["label"].startswith("Blue, ") and "Boris" not in kept["label"], "the name of an account is not told"
    assert shared.anna.account()["blocks"] == [kept] == shared.anna.done("/export")["blocks"]
    assert shared.boris.account()["blocks"] == [] == shared.boris.done("/export")["blocks"]


def test_nothing_tells_whether_somebody_has_an_account(shared: Shared, house: TestClient) -> None:
    (first,) = shared.block()
    guests = Duelist.between_two(house)
    shared.anna.keep(guests, "red")
    answer = shared.anna.post("/blocks", match=guests.id, of="blue", **guests.auth("red"))
    second = next(known for known in answer.json()["account"]["blocks"] if known["id"] != first["id"])
    assert answer.status_code == 201 and second["label"] == first["label"] and second.keys() == first.keys()
    before = shared.anna.account()["blocks"]
    Browser(house).register("Carl").keep(guests, "blue")
    assert shared.anna.account()["blocks"] == before


def test_what_makes_no_sense_is_refused(shared: Shared, house: TestClient) -> None:
    duel = shared.duel
    mine = {"match": duel.id, "of": "blue", **duel.auth("red")}

    def refused(browser: Browser = shared.anna, **changes: str) -> tuple[int, str]:
        return error(browser.post("/blocks", **{**mine, **changes}))

    assert refused(of="red") == (400, "bad_request"), "nobody blocks themselves"
    assert refused(of="none") == (400, "bad_request") and refused(match="999") == (404, "unknown_match")
    assert refused(key="x" * 32) == (403, "bad_key")
    assert refused(Browser(house)) == (403, "not_signed_in")
    assert refused(shared.boris) == (409, "not_kept"), "it is another account's seat"
    duel.client.post(duel.url("leave"), json=duel.auth("blue"))
    assert refused() == (409, "nobody")
    assert error(shared.anna.post("/blocks/remove", id="none")) == (404, "unknown_block")
    assert error(Browser(house).post("/blocks/remove", id="none")) == (403, "not_signed_in")
    both = Duelist.start(house)
    shared.anna.keep(both, *both.keys)
    assert error(shared.anna.post("/blocks", match=both.id, of="blue", **both.auth("red"))) == (400, "bad_request")
    assert shared.anna.account()["blocks"] == []


def test_who_is_blocked_finds_the_door_of_a_rematch_closed(shared: Shared) -> None:
    """As where its invitation was withdrawn."""
    shared.resign()
    made = shared.ask_for_rematch("red").json()
    assert told(shared.duel, "blue")["door"] == "offered" and shared.is_asked(shared.boris)
    (blocked,) = shared.block()
    assert told(shared.duel, "blue") == {"match": made["id"], "asked": ["red"], "door": "closed"}
    assert not shared.is_asked(shared.boris)
    assert error(shared.ask_for_rematch("blue")) == (409, "spent")
    assert set(shared.ask_for_rematch("red").json()["keys"]) == set(made["keys"]), "she finds her own way again"
    shared.anna.done("/blocks/remove", id=blocked["id"])
    assert shared.ask_for_rematch("blue").status_code == 201
    shared.block()
    assert told(shared.duel, "blue")["door"] == "taken", "who has come finds the way again"
    assert shared.ask_for_rematch("blue").status_code == 201


@pytest.mark.parametrize("by", ["red", "blue"])
def test_a_rematch_that_the_other_asks_for_is_made_and_not_shown(shared: Shared, by: str) -> None:
    """No matter who has blocked whom; and the one who asks is answered as always."""
    shared.block(by, "blue" if by == "red" else "red")
    shared.resign()
    made = shared.ask_for_rematch("blue")
    assert made.status_code == 201 and set(made.json()["invitations"]) == {"blue"}
    assert told(shared.duel, "blue")["door"] == "taken"
    assert told(shared.duel, "red")["door"] == "closed" and not shared.is_asked(shared.anna)
    assert error(shared.ask_for_rematch("red")) == (409, "spent")


@pytest.mark.parametrize("how", ["leave", "keys/only", "delete"])
def test_who_is_blocked_is_not_heard_again_by_parting_a_seat_from_the_account(
    shared: Shared, house: TestClient, how: str
) -> None:
    """By giving it up, taking it out of the account, or deleting that, in another match that the two share."""
    other = Shared(shared.anna, shared.boris, Duelist.between_two(house))
    for browser, seat in ((shared.anna, "red"), (shared.boris, "blue")):
        browser.keep(other.duel, seat)
    (blocked,) = shared.block()
    say(other.duel, "blue", "Move!")
    assert talk(other, "red") == [("Move!", True)] and state(other, "red") == ["blue"]
    if how == "delete":
        shared.boris.done("/delete", password=PASSWORD)
    else:
        house.post(other.duel.url(how), json=other.duel.auth("blue"))
    assert talk(other, "red") == [("Move!", True)] and talk(other, "blue" if how != "leave" else "red")
    assert state(other, "red") == ([] if how == "leave" else ["blue"])
    assert shared.anna.account()["blocks"] == [blocked], "it is the same block, and the list tells nothing of it"
    assert error(shared.anna.post("/blocks/remove", id=f"{blocked['id']}:x")) == (404, "unknown_block")
    shared.anna.done("/blocks/remove", id=blocked["id"])
    assert talk(other, "red") == [("Move!", False)] and state(other, "red") == []
