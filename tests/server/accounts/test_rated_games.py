"""Matches that count for ratings: who can play one, that nobody gets around its result, and what it changes."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.game import AS_COMPUTER, Choice, StandingOrder
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.ratings.standings import Ratings, SideWorth, Standing, Standings
from rasputitsa.server.routes import ratings
from rasputitsa.server.store import RatedSeat, StoreError
from rasputitsa.server.store.people.rated import SECOND
from tests.duel.game import Duel
from tests.server.accounts.browsers import PASSWORD, Browser, error, keeping
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist

CLOCK = {"pace": "days", "bank_minutes": 60, "turn_minutes": 60, "lapse": "end"}
TERMS = {"game": "duel", "scenario": "short", "guests": ["blue"], "clock": CLOCK, "rated": True}


@pytest.fixture
def anna(house: TestClient) -> Browser:
    return Browser(house).register("Anna")


@pytest.fixture
def boris(house: TestClient) -> Browser:
    return Browser(house, "203.0.113.9").register("Boris")


def start(browser: Browser, **terms: Any) -> Duelist:
    answer = browser.ask("POST", "/api/matches", {**TERMS, **terms})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Duelist(browser.client, made["id"], made["keys"], made["invitations"])


def come(browser: Browser, duel: Duelist, seat: str = "blue") -> Any:
    """Claim the seat that waits for a guest."""
    body = {"token": duel.links[seat], "request_id": os.urandom(16).hex()}
    return browser.ask("POST", "/api/invitations/claim", body)


def between(anna: Browser, boris: Browser, **terms: Any) -> Duelist:
    duel = start(anna, **terms)
    answer = come(boris, duel, *terms.get("guests", ()))
    assert answer.status_code == 200, answer.text
    duel.keys[answer.json()["seat"]] = answer.json()["key"]
    return duel


def end(duel: Duelist, seat: str, how: str = "resign") -> Any:
    return duel.client.post(duel.url("end"), json={**duel.auth(seat), "how": how, "yes": True})


def table(browser: Browser) -> dict[str, tuple[int, int, int, int]]:
    """Rating, and matches won, drawn and lost, by name."""
    found = browser.ask("GET", "/api/ratings/duel").json()
    return {row["name"]: (row["rating"], row["won"], row["drawn"], row["lost"]) for row in found["players"]}


def rated(duel: Duelist, seat: str = "red") -> Any:
    found = duel.client.get(duel.url("seats"), params=duel.auth(seat)).json()["rated"]
    return {who["seat"]: who for who in found}


def test_a_rated_match_changes_both_ratings_when_it_ends_and_once_only(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    assert table(anna) == {} and anna.account()["ratings"] == []
    assert {seat: (who["name"], who["rating"], who["after"]) for seat, who in rated(duel).items()} == {
        "red": ("Anna", 1500, None), "blue": ("Boris", 1500, None),
    }  # fmt: skip
    assert end(duel, "blue").json()["done"]
    found = table(anna)
    (won, *_), (lost, *_) = found["Anna"], found["Boris"]
    assert found == {"Anna": (won, 1, 0, 0), "Boris": (lost, 0, 0, 1)}
    assert 1600 < won < 1700 and won - 1500 == 1500 - lost
    assert [(own["game"], own["rating"], own["games"]) for own in boris.account()["ratings"]] == [("duel", lost, 1)]
    told = {seat: (who["rating"], who["after"]) for seat, who in rated(duel).items()}
    assert told == {"red": (1500, won), "blue": (1500, lost)}
    back = {seat: {**duel.auth(seat), "version": duel.view(seat)["version"], "to": 0} for seat in ("red", "blue")}
    for body in back.values():
        assert duel.client.post(duel.url("undo"), json=body).status_code in (200, 409)
    end(duel, "red")
    assert table(anna) == found, "a match that is taken up again does not count twice"


def test_what_is_played_to_its_end_counts_with_the_last_move(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    with duel.live("red") as window:
        for seat, action in TURN * 2:
            duel.act(seat, action)
        while window.receive_json()["type"] != "seats":
            pass  # who looks on asks again how things stand, ratings included
    outcome = duel.view("red")["outcome"]
    first = {"red": (1, 0, 0), "blue": (0, 0, 1), None: (0, 1, 0)}[outcome["winner"]]
    assert table(anna)["Anna"][1:] == first


def test_a_draw_between_equals_changes_no_rating_but_makes_it_surer(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    end(duel, "red", "draw")
    assert end(duel, "blue", "draw").json()["done"]
    rows = anna.ask("GET", "/api/ratings/duel").json()["players"]
    assert [(row["name"], row["rating"], row["drawn"]) for row in rows] == [("Anna", 1500, 1), ("Boris", 1500, 1)]
    assert all(row["high"] - row["low"] < 2 * 1.96 * 350 and row["provisional"] for row in rows)


def test_the_list_has_the_best_first_and_behind_them_who_is_provisional(
    house: TestClient, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("Carl", "Dora", "Boris")):
        Browser(house, f"203.0.113.{20 + number}").register(name)
    strong = {"Anna": (1400, 50), "Carl": (1900, 300), "Dora": (1500, 50), "Boris": (1500, 50)}
    ids = {name: account for account, name in rooms_of(house).store.account_names().items()}
    known = Standings({"gone": Standing(2000, 50), **{ids[name]: Standing(*rating) for name, rating in strong.items()}})
    known.sides |= {"short": SideWorth(40.4, 10, 3), "long": SideWorth(-10, 20, 5)}
    monkeypatch.setattr(Ratings, "of", lambda ratings, game: known)
    found = anna.ask("GET", "/api/ratings/duel").json()
    assert [row["name"] for row in found["players"]] == ["Boris", "Dora", "Anna", "Carl"]
    assert found["sides"] == [
        {"scenario": "long", "side": "red", "points": -10, "low": -49, "high": 29, "games": 5},
        {"scenario": "short", "side": "red", "points": 40, "low": 21, "high": 60, "games": 3},
    ]
    monkeypatch.setattr(ratings, "MAX_LISTED_PLAYERS", 3)
    assert len(anna.ask("GET", "/api/ratings/duel").json()["players"]) == 3


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"clock": None}, "needs a clock"),
        ({"clock": {**CLOCK, "lapse": "computer"}}, "needs a clock that ends the game"),
        ({"clock": {**CLOCK, "lapse": "open"}}, "needs a clock that ends the game"),
        ({"hints": True}, "without hints"),
        ({"guests": []}, "a clock is for a match with guests"),
        ({"guests": [], "clock": None}, "only a scenario for two people"),
        ({"guests": ["red", "blue"]}, "only a scenario for two people"),
        ({"controllers": {"red": {"kind": "bot", "bot": "random"}}}, "with the computer is not rated"),
    ],
)
def test_what_cannot_count_is_refused_with_the_reason(anna: Browser, terms: dict[str, Any], why: str) -> None:
    answer = anna.ask("POST", "/api/matches", {**TERMS, **terms})
    assert answer.status_code == 400 and why in answer.json()["error"]["message"]
    assert anna.matches() == {}


@pytest.mark.parametrize(("rated", "lapse"), [(True, "end"), (False, "open")])
def test_the_server_says_what_happens_when_time_is_up_where_nobody_does(anna: Browser, rated: bool, lapse: str) -> None:
    clock = {name: value for name, value in CLOCK.items() if name != "lapse"}
    duel = start(anna, clock=clock, rated=rated)
    terms = duel.client.get(duel.url("clock")).json()["clock"]["terms"]
    assert terms["lapse"] == lapse


def test_only_who_is_signed_in_starts_or_takes_a_rated_match(house: TestClient, anna: Browser) -> None:
    assert error(Browser(house).ask("POST", "/api/matches", TERMS)) == (403, "not_signed_in")
    duel, guest = start(anna), Browser(house, "203.0.113.20")
    look = guest.ask("POST", "/api/invitations/look", {"token": duel.links["blue"]}).json()
    assert look["rated"] and not look["spent"]
    assert error(come(guest, duel)) == (403, "not_signed_in")
    assert error(come(anna, duel)) == (409, "rated"), "nobody plays against their own account"
    assert error(come(Browser(house).sign_in("Anna"), duel)) == (409, "rated")
    guest.register("Boris")
    both = {"token": duel.links["blue"], "request_id": os.urandom(16).hex(), "keys": {"red": duel.keys["red"]}}
    assert error(guest.ask("POST", "/api/invitations/claim", both)) == (409, "rated"), "nor with a second account"
    assert come(guest, duel).status_code == 200


def test_an_open_table_says_that_it_is_rated_and_is_taken_likewise(house: TestClient, anna: Browser) -> None:
    duel = start(anna, publish={"pace": "day", "level": "any"})
    (found,) = anna.ask("GET", "/api/tables").json()
    assert found["rated"] and found["host"] == {"name": "Anna", "rating": 1500, "provisional": True}
    friendly = start(anna, publish={"pace": "day", "level": "any"}, rated=False)
    told = {found["id"]: found["host"] for found in anna.ask("GET", "/api/tables").json()}
    assert told[friendly.id] is None, "elsewhere an account shows nothing of itself"
    body = {"match": duel.id, "seat": "blue", "request_id": os.urandom(16).hex(), "keys": {}}
    guest = Browser(house, "203.0.113.20")
    assert error(guest.ask("POST", "/api/tables/take", body)) == (403, "not_signed_in")
    assert guest.register("Boris").ask("POST", "/api/tables/take", body).status_code == 200
    assert guest.ask("POST", "/api/tables/take", body).status_code == 200, "sent again after a lost answer"
    assert rated(duel)["blue"]["name"] == "Boris"


def test_nobody_sits_down_twice_nor_when_signed_out_nor_to_what_does_not_count(anna: Browser, boris: Browser) -> None:
    store, duel, friendly = rooms_of(anna.client).store, start(anna), start(anna, rated=False)
    sessions = {name: store.sessions(account)[0].digest for account, name in store.account_names().items()}
    for match, session in ((duel, sessions["Anna"]), (duel, "signed out"), (friendly, sessions["Boris"])):
        with pytest.raises(StoreError):
            store.sit_down_to_rated(int(match.id), RatedSeat(SECOND, session))
    assert rated(duel).keys() == {"red"} and rated(friendly) == {}


def test_nobody_gets_around_the_result(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    own = duel.auth("blue")
    bot = {"kind": "bot", "bot": "random"}
    tries = [
        ("leave", own),
        ("controllers", {**own, "controller": bot}),
        ("invitations", {**own, "of": "blue", "kind": "guest"}),
        ("agree", {**own, "topic": "hints", "yes": True}),
        ("agree", {**own, "topic": "computer", "of": "red", "bot": "random", "yes": True}),
    ]
    for path, body in tries:
        answer = duel.client.post(duel.url(path), json=body)
        assert error(answer) == (409, "rated"), path
    answer = duel.client.delete(duel.url("")[:-1], params=own)
    assert error(answer) == (403, "still_playing")
    named = {**own, "controller": {"kind": "human", "name": "B."}}
    assert duel.client.post(duel.url("controllers"), json=named).status_code == 200, "a name is no way around"
    device = {**own, "of": "blue", "kind": "device"}
    assert duel.client.post(duel.url("invitations"), json=device).status_code == 201
    end(duel, "blue")
    assert duel.client.post(duel.url("leave"), json=own).status_code == 200, "after the end everything is open"
    assert table(anna)["Boris"][1:] == (0, 0, 1)


def test_nothing_is_left_to_the_computer_by_standing_orders(
    anna: Browser, boris: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = StandingOrder("guess", "Guesses", "", "II.A", (Choice("one", "One"), AS_COMPUTER))
    monkeypatch.setattr(Duel, "standing_orders", lambda game: (order,))
    duel, friendly = between(anna, boris), between(anna, boris, rated=False)
    for match, status, offered in ((duel, 409, ["one"]), (friendly, 200, ["one", "computer"])):
        for policy, answered in (("one", 200), ("computer", status)):
            body = {**match.auth("blue"), "mode": "always", "policies": {"guess": policy}}
            assert match.client.post(match.url("standing"), json=body).status_code == answered
        told = match.client.get(match.url("standing"), params=match.auth("blue")).json()
        assert [choice["id"] for choice in told["offered"][0]["policies"]] == offered
    assert told["policies"] == {"guess": "computer"}


def test_no_match_is_deleted_while_the_other_player_waits_for_a_link(config: ServerConfig) -> None:
    with connect(keeping(config)) as client:
        anna, boris = Browser(client).register("Anna"), Browser(client, "203.0.113.9").register("Boris")
        duel, alone = between(anna, boris), start(anna)
        rooms_of(client).store.reseat(int(duel.id), "blue")
    with connect(keeping(config)) as client:
        for known, code in ((duel, 409), (alone, 200)):
            answer = client.delete(known.url("")[:-1], params=known.auth("red"))
            assert answer.status_code == code, answer.text


def test_a_new_link_from_the_host_is_for_the_same_account(house: TestClient, anna: Browser, boris: Browser) -> None:
    duel, carl = between(anna, boris), Browser(house, "203.0.113.40").register("Carl")
    duel.links["blue"] = rooms_of(house).store.reseat(int(duel.id), "blue")
    for other in (carl, anna):
        assert error(come(other, duel)) == (409, "rated")
    assert come(boris, duel).status_code == 200
    assert rated(duel)["blue"]["name"] == "Boris"


def test_a_match_nobody_came_to_does_not_count_and_says_so_to_who_comes_later(anna: Browser, boris: Browser) -> None:
    duel = start(anna)
    look = {"token": duel.links["blue"]}
    assert duel.client.post("/api/invitations/look", json=look).json()["rated"] and rated(duel)["red"]
    assert end(duel, "red").json()["done"]
    assert not duel.client.post("/api/invitations/look", json=look).json()["rated"]
    assert come(boris, duel).status_code == 200
    assert rated(duel) == {} and table(anna) == {}


def test_a_result_outlives_its_match_and_the_other_account(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    end(duel, "blue")
    before = table(anna)["Anna"]
    assert duel.client.delete(duel.url("")[:-1], params=duel.auth("red")).status_code == 200
    assert table(anna)["Anna"] == before
    told = boris.done("/export")
    assert [(r["game"], r["scenario"], r["first_side"], r["score"]) for r in told["results"]] == [
        ("duel", "short", False, 0.0)
    ]
    boris.done("/delete", password=PASSWORD)
    assert table(anna) == {"Anna": before}


def test_nothing_of_a_deleted_account_stays_in_results(config: ServerConfig) -> None:
    with connect(keeping(config)) as client:
        anna, boris = Browser(client).register("Anna"), Browser(client, "203.0.113.9").register("Boris")
        end(between(anna, boris), "blue")
        running = between(anna, boris)
        assert table(anna)["Boris"][1:] == (0, 0, 1)
        with sqlite3.connect(config.data / "matches.db") as database:
            (ident,) = database.execute("SELECT id FROM accounts WHERE name = 'Boris'").fetchone()
        boris.done("/delete", password=PASSWORD)
        assert end(running, "blue").status_code in (200, 403)
        end(running, "red")
        assert rated(running)["blue"]["name"] == "A deleted account"
        before = table(anna)
    with sqlite3.connect(config.data / "matches.db") as database:
        found = database.execute("SELECT first, second FROM results UNION SELECT first, second FROM rated_matches")
        assert not any(ident in row for row in found)
    with connect(keeping(config)) as client:
        assert table(Browser(client)) == before, "ratings follow from the results, after a restart as before"


def test_whoever_is_deleted_takes_nobody_else_out_of_the_results(house: TestClient) -> None:
    """Ids fall by chance, so the one in the middle goes."""
    people = {name: Browser(house, f"203.0.113.{n}").register(name) for n, name in enumerate(("Anna", "Boris", "Carl"))}
    low, middle, high = sorted(rooms_of(house).store.account_names().items())
    for first, second in ((low, middle), (middle, high), (low, high)):
        end(between(people[first[1]], people[second[1]]), "blue")
        between(people[second[1]], people[first[1]])
    people[middle[1]].done("/delete", password=PASSWORD)
    with rooms_of(house).store.engine.connect() as connection:
        for kept, times in (("results", 2), ("rated_matches", 4)):
            rows = connection.exec_driver_sql(f"SELECT first, second FROM {kept}").all()
            found = Counter(who for row in rows for who in row)
            assert found[low[0]] == found[high[0]] == times and middle[0] not in found


def test_a_rematch_is_rated_too_and_swaps_the_sides(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    end(duel, "blue")
    for seat in ("red", "blue"):
        assert duel.client.post(duel.url("agree"), json={**duel.auth(seat), "topic": "hints"}).status_code == 200
    answer = anna.ask("POST", duel.url("rematch"), duel.auth("red"))
    assert answer.status_code == 201, answer.text
    again = Duelist(duel.client, answer.json()["id"], answer.json()["keys"])
    assert list(again.keys) == ["blue"]
    stranger = Browser(duel.client, "203.0.113.30")
    assert error(stranger.ask("POST", duel.url("rematch"), duel.auth("blue"))) == (403, "not_signed_in")
    came = boris.ask("POST", duel.url("rematch"), duel.auth("blue"))
    assert came.status_code == 201, came.text
    again.keys |= came.json()["keys"]
    assert not again.client.get(again.url("seats"), params=again.auth("red")).json()["hints"]
    assert {seat: who["name"] for seat, who in rated(again, "blue").items()} == {"blue": "Anna", "red": "Boris"}
    end(again, "blue")
    assert table(anna)["Boris"][1:] == (1, 0, 1)


def test_a_rematch_is_not_rated_for_another_account_nor_for_who_holds_both_sides(
    house: TestClient, anna: Browser, boris: Browser
) -> None:
    """Anyone who has the key of a seat may ask for one, signed in or not."""
    for asking in (Browser(house), Browser(house, "203.0.113.40").register("Carl"), anna):
        duel = between(anna, boris)
        end(duel, "blue")
        if asking is anna:
            link = duel.client.post(duel.url("invitations"), json={**duel.auth("blue"), "of": "blue"}).json()
            both = {"token": link["token"], "request_id": os.urandom(16).hex(), "keys": {"red": duel.keys["red"]}}
            assert anna.ask("POST", "/api/invitations/claim", both).status_code == 200
        made = asking.ask("POST", duel.url("rematch"), duel.auth("red")).json()
        assert rated(Duelist(duel.client, made["id"], made["keys"]), "blue") == {}


def test_a_crash_with_the_last_move_keeps_move_and_result_or_neither(anna: Browser, boris: Browser) -> None:
    duel = between(anna, boris)
    store = rooms_of(duel.client).store
    step = store._step

    def fail(name: str) -> None:
        if name == "append: match written":
            raise StoreError("no more room")

    store._step = store._batches._step = fail
    assert end(duel, "blue").status_code == 503
    store._step = store._batches._step = step
    assert table(anna) == {} and duel.view("red")["outcome"] is None
    assert end(duel, "blue").json()["done"]
    assert table(anna)["Anna"][1:] == (1, 0, 0)
