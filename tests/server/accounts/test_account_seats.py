"""What an account is for: its seats are found again at another browser, and by nobody else."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.store import AccountRow, Store, StoreError
from rasputitsa.server.store.backup import back_up
from rasputitsa.server.store.restoring import restore
from tests.server.accounts.browsers import PASSWORD, SITE, Browser, error, opens
from tests.server.conftest import rooms_of
from tests.server.player import Duelist
from tests.server.seats.test_seats import post
from tests.server.seats.test_stolen_keys import rid_of_others


@pytest.fixture
def duel(house: TestClient) -> Duelist:
    return Duelist.between_two(house)


@pytest.fixture
def anna(house: TestClient, duel: Duelist) -> Browser:
    """Anna, who holds Red."""
    anna = Browser(house).register("Anna")
    assert anna.keep(duel, "red") == {duel.id: ["red"]}
    return anna


def test_whoever_signs_in_elsewhere_finds_the_match_and_sits_down(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    there = Browser(house)
    assert there.matches() == {} and there.sit(duel) == {}
    there.sign_in("Anna")
    assert there.matches() == {duel.id: ["red"]} == anna.matches()
    keys = there.sit(duel)
    assert set(keys) == {"red"} and keys["red"] != duel.keys["red"]
    assert there.sit(duel, red=keys["red"]) == keys, "no further key for who has one"
    duel.keys["red"] = keys["red"]
    duel.act("red", "hide 3")


def test_nobody_else_finds_or_opens_it(house: TestClient, duel: Duelist, anna: Browser) -> None:
    others = [Browser(house), Browser(house).register("Berta")]
    for other in others:
        assert other.matches() == {} and other.sit(duel) == {}
    assert others[1].account()["seats"] == {}
    token = anna.cookie.partition("=")[2]
    assert not opens(duel, "red", token) and not opens(duel, "red", ""), "a session is no key"
    answer = anna.ask("GET", duel.url("view") + "?seat=red")
    assert error(answer) == (403, "bad_key"), "nor does the cookie let anybody look"
    answer = anna.ask("POST", duel.url("actions"), duel.body("red", "hide 3", key=""))
    assert error(answer) == (403, "bad_key")


def test_no_window_is_opened_by_a_cookie(house: TestClient, duel: Duelist, anna: Browser) -> None:
    """Another site could open a WebSocket, with which a browser sends its cookies."""
    with duel.live("red", key="", cookie=anna.cookie, origin=SITE) as window:
        assert window.receive_json()["code"] == "bad_key"
    foreign = duel.live("red", key="", cookie=anna.cookie, origin="https://evil.example")
    with pytest.raises(WebSocketDisconnect) as closed, foreign:
        pass
    assert isinstance(closed.value, WebSocketDenialResponse) and error(closed.value) == (403, "bad_origin")


def test_a_key_that_fits_nothing_keeps_nothing(house: TestClient, duel: Duelist, anna: Browser) -> None:
    berta = Browser(house).register("Berta")
    unfit: list[dict[str, dict[str, str]]] = [
        {duel.id: {"red": "x" * 32}}, {duel.id: {"blue": duel.keys["red"]}}, {"999": {"red": duel.keys["red"]}},
        {duel.id: {"none": ""}}, {"0": {"red": ""}}, {str(2**63): {"red": ""}}, {"-1": {}}, {"x": {}},
    ]  # fmt: skip
    for keys in unfit:
        assert berta.done("/seats", keys=keys)["kept"] == {}
    assert berta.done("/seats", keys={duel.id: {"red": duel.keys["red"]}})["kept"] == {}, "it is kept with Anna's"
    assert berta.account()["seats"] == {} and anna.account()["seats"] == {duel.id: ["red"]}
    assert berta.keep(duel, "blue") == {duel.id: ["blue"]}
    assert berta.sit(duel).keys() == {"blue"}


def test_thousands_of_keys_that_fit_nothing_keep_nobody_from_moving(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    """They are looked for together: nobody can write as long as it takes."""
    asked: list[str] = []
    engine = rooms_of(house).store.engine
    event.listen(engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    keys = {duel.id: {f"seat {n}": "x" for n in range(1000)}, **{str(n): {"red": "x"} for n in range(100, 400)}}
    assert anna.done("/seats", keys=keys)["kept"] == {}
    assert len(asked) < 30


def test_keys_end_with_the_session_that_they_were_given_in(house: TestClient, duel: Duelist, anna: Browser) -> None:
    """Signed out, from elsewhere too, and after another password; windows that use one are closed."""
    there = Browser(house).sign_in("Anna")
    keys = there.sit(duel)
    further = post(duel, "keys", "red", key=keys["red"]).json()["key"]
    with duel.live("red", key=keys["red"]) as window:
        window.receive_json()
        there.done("/sign-out")
        with pytest.raises(WebSocketDisconnect):
            while True:
                window.receive_json()
    assert not opens(duel, "red", keys["red"]) and not opens(duel, "red", further)
    assert opens(duel, "red", duel.keys["red"]) and opens(duel, "blue", duel.keys["blue"])
    there.sign_in("Anna")
    keys = there.sit(duel)
    anna.done("/sessions/end")
    assert not opens(duel, "red", keys["red"]) and opens(duel, "red", duel.keys["red"])
    keys = there.sign_in("Anna").sit(duel)
    anna.done("/password", password=PASSWORD, new="an umbrella for the bear")
    assert not opens(duel, "red", keys["red"])
    assert opens(duel, "red", duel.keys["red"]), "the browser in which it was changed stays as it is"
    anna.done("/sign-out")
    assert not opens(duel, "red", duel.keys["red"]), "a seat that was kept with the account goes with it"
    assert anna.matches() == {}


def take_over(browser: Browser, duel: Duelist, token: str, request: str = "r" * 20) -> str:
    """Open a link for another device; gives the key, or nothing."""
    answer = browser.ask("POST", "/api/invitations/claim", {"token": token, "request_id": request})
    found: str = answer.json().get("key", "")
    return found


def test_a_link_for_another_device_ends_with_the_session_that_it_was_made_in(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    """A person who had a session for a moment would have the seat for good: claimed or not, and by a key of a key."""
    thief, phone, there = Browser(house, "198.51.100.9"), Browser(house), Browser(house).sign_in("Anna")
    key = there.sit(duel)["red"]
    further = post(duel, "keys", "red", key=key).json()["key"]

    def link(by: str) -> str:
        token: str = post(duel, "invitations", "red", of="red", kind="device", key=by).json()["token"]
        return token

    taken = take_over(thief, duel, link(further))
    again = post(duel, "keys", "red", key=taken).json()["key"]
    by_link = take_over(thief, duel, link(taken))
    waiting = link(by_link)
    mine = take_over(phone.sign_in("Anna"), duel, link(key))
    waiting = link(by_link)
    assert all(opens(duel, "red", one) for one in (key, further, taken, again, by_link, mine))
    (listed,) = [known for known in there.account()["sessions"] if known["here"]]
    anna.done("/sessions/end", session=listed["id"])
    assert not any(opens(duel, "red", one) for one in (key, further, taken, again, by_link))
    assert take_over(thief, duel, waiting) == "", "nor does the link that nobody has opened"
    assert opens(duel, "red", mine), "who is signed in at the other device has a key of that session"
    phone.done("/sign-out")
    assert not opens(duel, "red", mine)
    waiting = link(duel.keys["red"])
    anna.sign_in("Anna")
    assert opens(duel, "red", take_over(thief, duel, waiting)), "signing in again goes on with what there is"


def test_a_link_for_another_device_outlives_an_account_that_is_deleted_where_it_was_made(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    """As the keys of that browser do; one who is not signed in makes links that end with nothing."""
    token = post(duel, "invitations", "red", of="red", kind="device").json()["token"]
    other = post(duel, "invitations", "blue", of="blue", kind="device").json()["token"]
    anna.done("/delete", password=PASSWORD)
    assert opens(duel, "red", take_over(Browser(house), duel, token))
    assert opens(duel, "blue", take_over(Browser(house), duel, other))


def test_another_person_in_the_same_browser_finds_nothing_of_the_first(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    before = anna.cookie
    anna.done("/register", name="Berta", password=PASSWORD)
    assert anna.matches() == {} and not opens(duel, "red", duel.keys["red"])
    anna.cookie = before
    assert anna.account() is None


def test_whoever_makes_all_other_keys_void_is_rid_of_a_thief_with_an_account(house: TestClient, duel: Duelist) -> None:
    thief = Browser(house).register("Thief")
    assert thief.keep(duel, "red")
    duel.keys["red"] = post(duel, "invitations", "red", of="red", kind="device").json()["token"]
    taken = house.post(
        "/api/invitations/claim", json={"token": duel.keys["red"], "request_id": "r" * 20},
        headers={"x-forwarded-for": "203.0.113.77"},
    )  # fmt: skip
    duel.keys["red"] = taken.json()["key"]
    rid_of_others(duel, "red")
    assert thief.matches() == {} and thief.sit(duel) == {}
    anna = Browser(house).register("Anna")
    assert anna.keep(duel, "red")
    key = anna.ask("POST", duel.url("keys"), {"seat": "red", "key": duel.keys["red"]}).json()["key"]
    assert anna.ask("POST", duel.url("keys/only"), {"seat": "red", "key": key}).status_code == 200
    assert anna.matches() == {duel.id: ["red"]}, "it stays with the account in which it was done"


def test_a_thief_who_keeps_the_very_key_of_its_holder_is_got_rid_of_with_it(house: TestClient, duel: Duelist) -> None:
    """The key ends with the session of the thief from then on; one who makes all others void has one that does not."""
    thief = Browser(house).register("Thief")
    assert thief.keep(duel, "red")
    rid_of_others(duel, "red")
    assert thief.matches() == {} and thief.sit(duel) == {}
    thief.done("/sign-out")
    assert opens(duel, "red", duel.keys["red"])


def test_whoever_makes_all_other_keys_void_when_signed_in_keeps_the_seat_with_the_account(
    house: TestClient, duel: Duelist, anna: Browser
) -> None:
    """Also by a key that came by a link for another device."""
    token = post(duel, "invitations", "red", of="red", kind="device").json()["token"]
    key = anna.ask("POST", "/api/invitations/claim", {"token": token, "request_id": "r" * 20}).json()["key"]
    assert anna.ask("POST", duel.url("keys/only"), {"seat": "red", "key": key}).status_code == 200
    assert anna.matches() == {duel.id: ["red"]} and anna.sit(duel, red=key) == {"red": key}
    anna.done("/sign-out")
    assert not opens(duel, "red", key)


def test_a_seat_that_changes_hands_leaves_the_account(house: TestClient, duel: Duelist, anna: Browser) -> None:
    keys = anna.sit(duel)
    assert post(duel, "leave", "red", key=keys.get("red", duel.keys["red"])).status_code == 200
    assert anna.matches() == {} and anna.sit(duel) == {} and anna.account()["seats"] == {}


def test_an_account_is_one_person_wherever_it_sits_down(house: TestClient) -> None:
    """Who takes the other side by an invitation, in another browser, does not pass for somebody new."""
    duel = Duelist.start(house, guests=["blue"])
    anna, there = Browser(house).register("Anna"), Browser(house, "198.51.100.3")
    anna.keep(duel, "red")
    there.sign_in("Anna")
    body = {"token": duel.links["blue"], "request_id": "q" * 20}
    assert there.ask("POST", "/api/invitations/claim", body).status_code == 200
    assert rooms_of(house).store.opened(int(duel.id)), "everybody is told that one person has seen both sides"


def test_an_account_that_is_given_both_sides_afterwards_is_one_person_too(house: TestClient, duel: Duelist) -> None:
    """One who came as somebody new to the other side, and keeps both seats with one account, sees both sides."""
    store = rooms_of(house).store
    anna = Browser(house).register("Anna")
    anna.keep(duel, "red")
    assert not store.opened(int(duel.id))
    anna.keep(duel, "blue")
    assert store.opened(int(duel.id))
    log = house.get(duel.url("log"), params=duel.auth("red")).text
    assert log.count("one person sees both sides") == 1
    anna.keep(duel, "red", "blue")
    assert house.get(duel.url("log"), params=duel.auth("red")).text == log, "it is told once"


def test_whoever_deletes_the_account_keeps_the_seats_of_that_browser(
    house: TestClient, duel: Duelist, anna: Browser, config: ServerConfig
) -> None:
    there = Browser(house).sign_in("Anna")
    keys, before = there.sit(duel), anna.cookie
    assert error(anna.post("/delete", password="not my password")) == (403, "bad_password")
    anna.done("/delete", password=PASSWORD)
    assert anna.account() is None and there.account() is None
    assert opens(duel, "red", duel.keys["red"]) and not opens(duel, "red", keys["red"])
    anna.cookie = before
    assert error(anna.post("/export")) == (403, "not_signed_in")
    with sqlite3.connect(config.database) as raw:
        for table in ("accounts", "account_sessions", "account_seats"):
            assert raw.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
        assert raw.execute("SELECT count(*) FROM seat_keys WHERE session <> ''").fetchone() == (0,)
    again = Browser(house).register("Anna")
    assert again.matches() == {} and again.sit(duel) == {}, "the next owner of the name has none of it"


@pytest.mark.parametrize("killed", [False, True])
def test_a_deleted_account_leaves_no_copy_in_the_files_of_the_database(
    house: TestClient, duel: Duelist, anna: Browser, config: ServerConfig, killed: bool
) -> None:
    """Neither of what was deleted, nor of what it was called, or signed in by, before; nor while somebody reads, or
    where the server is killed then."""
    store, seen = rooms_of(house).store, set[int]()
    event.listen(store.engine, "connect", lambda raw, _: raw.execute("PRAGMA secure_delete=OFF"))
    store.engine.dispose()
    event.listen(
        store.engine, "before_cursor_execute",
        lambda connection, cursor, text, *_: seen.add(cursor.execute("PRAGMA secure_delete").fetchone()[0])
        if text.startswith("INSERT INTO journal") else None,
    )  # fmt: skip

    def left() -> list[bytes]:
        files = [config.database, config.database.with_name("matches.db-wal")]
        held = b"".join(file.read_bytes() for file in files)
        return [said for said in secret if said in held]

    (use,) = store.account_uses()
    others = "az09AZ_-".replace(use.account.id[14], "")  # so that no other one contains the account that is looked for
    for number in range(90):  # what makes room for others is copied
        name = f"{number * 37 % 90:02}{'x' * 30}"
        near = f"{use.account.id[:14]}{others[number % len(others)]}{number}"
        assert store.add_account(AccountRow(near, name, "$argon2id$" + "x" * 90, name, 0), name)
        if number == 30:
            anna.done("/profile", shown="Anna of the marshes")
    anna.done("/profile", shown="Anna of the steppe")
    before = store.account_named("anna")
    anna.done("/password", password=PASSWORD, new="an umbrella for the bear")
    after = store.account_named("anna")
    assert before and after and before.password != after.password
    secret = [b"Anna of the marshes", b"Anna of the steppe"]
    secret += [
        text.encode() for text in (before.id, before.password, after.password, store.sessions(before.id)[0].digest)
    ]
    assert len(left()) > 3
    with sqlite3.connect(config.database) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM accounts").fetchone()
        anna.done("/delete", password="an umbrella for the bear")
        assert left(), "who reads, as a backup does, goes on reading"
    reader.close()
    later = Store(config.database) if killed else store
    later.look_after()
    assert left() == [] and len(store.account_uses()) == 90
    duel.act("red", "hide 3")
    assert 1 not in seen, "what else is written takes no longer"


def test_one_gets_all_that_is_kept_of_oneself(house: TestClient, duel: Duelist, anna: Browser) -> None:
    anna.done("/profile", shown="  Anna\tof the marshes ")
    told = anna.done("/export")
    assert (told["name"], told["shown"]) == ("Anna", "Anna of the marshes")
    assert [(row["id"], row["seats"]) for row in told["matches"]] == [(duel.id, ["red"])]
    assert len(told["sessions"]) == 1
    assert duel.keys["red"] not in str(told) and anna.cookie.partition("=")[2] not in str(told)
    assert error(anna.post("/profile", shown="The computer")) == (400, "bad_request")


def test_a_match_that_is_deleted_leaves_the_account(house: TestClient, anna: Browser, duel: Duelist) -> None:
    alone = Duelist.start(house)
    anna.keep(alone, "red")
    assert house.delete(alone.url("").rstrip("/"), params=alone.auth("red")).status_code == 200
    assert anna.account()["seats"] == {duel.id: ["red"]}
    assert [row["id"] for row in anna.done("/export")["matches"]] == [duel.id]


STEPS = {
    "session: written": lambda browser, duel: browser.post("/sign-in", name="Anna", password=PASSWORD),
    "account: sessions ended": lambda browser, duel: browser.post("/delete", password=PASSWORD),
    "account seats: written": lambda browser, duel: browser.post("/seats", keys={duel.id: {"red": duel.keys["red"]}}),
    "key: written": lambda browser, duel: browser.ask("POST", duel.url("sit"), {"keys": {}}),
}


@pytest.mark.parametrize("step", STEPS)
def test_what_breaks_off_is_done_whole_or_not_at_all(
    house: TestClient, duel: Duelist, anna: Browser, config: ServerConfig, step: str
) -> None:
    def kept() -> list[object]:
        with sqlite3.connect(config.database) as raw:
            tables = ("accounts", "account_sessions", "account_seats", "seat_keys")
            return [sorted(raw.execute(f"SELECT * FROM {table}")) for table in tables]

    def die(name: str) -> None:
        if name == step:
            raise StoreError("the end")

    before, store = kept(), rooms_of(house).store
    store._step = die
    answer = STEPS[step](anna, duel)
    store._step = lambda name: None
    assert kept() == before and answer.status_code == (200 if step == "key: written" else 503)
    assert anna.account()["seats"] == {duel.id: ["red"]} and opens(duel, "red", duel.keys["red"])


def test_after_a_restore_nobody_is_signed_in(house: TestClient, duel: Duelist, anna: Browser, tmp_path: Path) -> None:
    """Or everybody who was signed out since the backup would be signed in again."""
    store = rooms_of(house).store
    other = tmp_path / "other" / "matches.db"
    other.parent.mkdir(mode=0o700)
    token = post(duel, "invitations", "red", of="red", kind="device").json()["token"]
    back_up(store.path, tmp_path / "backup.db")
    restore(tmp_path / "backup.db", other)
    again = Store(other)
    assert again.session(anna.cookie.replace("=", " ")) is None and store.session(anna.cookie.replace("=", " "))
    assert again.invitation(token) is None and store.invitation(token), "nor does a link that such a session has made"
    assert len(again.seats(int(duel.id))["red"].keys) < len(store.seats(int(duel.id))["red"].keys)
    again.close()
