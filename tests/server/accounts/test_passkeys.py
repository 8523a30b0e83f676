"""Accounts by passkey: made, signed in to, added to, removed; and what cheats send."""

from __future__ import annotations

import dataclasses
import itertools
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fido2 import cbor
from fido2.utils import websafe_encode
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from rasputitsa.server.accounts import passkeys
from rasputitsa.server.config import NoticeSettings, ServerConfig
from rasputitsa.server.store import DiskFullError
from rasputitsa.server.store.people.passkeys import MOST_PASSKEYS
from tests.server.accounts.browsers import PASSWORD, Browser, error, keeping
from tests.server.accounts.devices import NONE, PRESENT, Device, Named
from tests.server.conftest import connect, rooms_of
from tests.support import PATIENCE

OTHER = "an umbrella for the bear"


def test_an_account_without_a_password_is_found_again_by_its_passkey(house: TestClient) -> None:
    here, there, device = Named(house), Named(house, "203.0.113.6"), Device()
    here.begin_with(device)
    account = here.account()
    assert account["has_password"] is False and [known["id"] for known in account["passkeys"]] == [device.id]
    there.done("/passkeys/sign-in", **device.sign(there.asked()))
    assert there.account()["name"] == "Anna" and len(there.account()["sessions"]) == 2
    assert there.given[-1].startswith("rasputitsa=") and "HttpOnly" in there.given[-1]
    for password in ("", PASSWORD):
        assert error(Named(house).post("/sign-in", name="Anna", password=password)) == (403, "bad_password")


def test_a_passkey_is_added_to_an_account_that_has_a_password(house: TestClient) -> None:
    anna, device = Named(house).register("Anna"), Device()
    assert error(anna.post("/passkeys/add/ask", password="wrong password")) == (403, "bad_password")
    assert error(anna.post("/passkeys/add/ask")) == (403, "bad_password"), "the session alone is not enough"
    anna.add(device, password=PASSWORD)
    Named(house).done("/passkeys/sign-in", **device.sign(Named(house).asked()))
    asked = anna.asked("/passkeys/add/ask", **anna.proof(device))
    assert [known["id"] for known in asked["options"]["excludeCredentials"]] == [device.id]
    assert error(anna.post("/passkeys/add", **device.make(asked))) == (409, "passkey_known")
    assert len(anna.account()["passkeys"]) == 1


def test_the_last_way_in_is_not_removed(house: TestClient) -> None:
    first, second, anna = Device(), Device(), Named(house)
    anna.begin_with(first)
    assert error(anna.post("/passkeys/remove", id=first.id, **anna.proof(first))) == (409, "last_passkey")
    anna.add(second, **anna.proof(first))
    anna.done("/passkeys/remove", id=first.id, **anna.proof(second))
    assert [known["id"] for known in anna.account()["passkeys"]] == [second.id]
    assert error(Named(house).post("/passkeys/sign-in", **first.sign(Named(house).asked()))) == (403, "bad_passkey")
    anna.done("/password", new=OTHER, **anna.proof(second))
    anna.done("/passkeys/remove", id=second.id, password=OTHER)
    assert anna.account()["passkeys"] == [] and anna.account()["has_password"]
    assert error(anna.post("/passkeys/remove", id=second.id, password=OTHER)) == (403, "bad_passkey"), "it is gone"
    assert Named(house).sign_in("Anna", OTHER).account()


def test_what_takes_the_person_again_takes_a_passkey_of_the_same_account(house: TestClient) -> None:
    mine, theirs = Device(), Device()
    anna, thief = Named(house).begin_with(mine), Named(house, "203.0.113.9")
    thief.begin_with(theirs, "Thief")
    for path, body in (("/delete", {}), ("/password", {"new": OTHER}), ("/passkeys/remove", {"id": mine.id})):
        assert error(anna.post(path, **body, **anna.proof(theirs))) == (403, "bad_passkey")
        assert error(anna.post(path, **body)) == (403, "bad_password")
    assert error(thief.post("/passkeys/remove", id=mine.id, **thief.proof(theirs))) == (403, "bad_passkey")
    assert anna.asked(again=True)["options"]["allowCredentials"] == [{"type": "public-key", "id": mine.id}]
    assert error(Named(house).post("/passkeys/ask", again=True)) == (403, "not_signed_in")
    assert error(Named(house).register("Berta").post("/passkeys/ask", again=True)) == (403, "bad_passkey"), "has none"
    assert anna.account() and anna.account()["passkeys"]
    anna.done("/delete", **anna.proof(mine))
    assert anna.account() is None
    assert error(anna.post("/passkeys/sign-in", **mine.sign(anna.asked()))) == (403, "bad_passkey")


def test_what_was_signed_once_more_is_good_in_that_browser_and_what_was_signed_to_sign_in_is_not(
    house: TestClient,
) -> None:
    """A thief of the cookie gets no further by what its owner signs elsewhere, nor in by what shows a person again."""
    device = Device()
    anna, there = Named(house).begin_with(device), Named(house, "203.0.113.9")
    there.done("/passkeys/sign-in", **device.sign(there.asked()))
    for path, body in (("/delete", {}), ("/password", {"new": OTHER}), ("/passkeys/add/ask", {})):
        for proof in (there.proof(device), {"passkey": device.sign(anna.asked())}):
            assert error(anna.post(path, **body, **proof)) == (409, "passkey_stale")
    assert error(Named(house).post("/passkeys/sign-in", **anna.proof(device)["passkey"])) == (409, "passkey_stale")
    anna.done("/delete", **anna.proof(device))


@pytest.mark.parametrize("path", ["/passkeys/sign-in", "/passkeys/remove", "/passkeys/add", "/password"])
def test_whoever_was_put_out_meanwhile_gets_no_further(
    house: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The owner removes a passkey and signs out everywhere while a thief's request is on its way."""
    mine, taken, store = Device(), Device(), rooms_of(house).store
    thief = Named(house).begin_with(mine)
    thief.add(taken, **thief.proof(mine))
    account = store.account_named("anna")
    assert account is not None
    bodies: dict[str, Callable[[], dict[str, Any]]] = {
        "/passkeys/sign-in": lambda: taken.sign(thief.asked()),
        "/passkeys/remove": lambda: {"id": mine.id, **thief.proof(taken)},
        "/passkeys/add": lambda: Device().make(thief.asked("/passkeys/add/ask", **thief.proof(taken))),
        "/password": lambda: {"new": OTHER, **thief.proof(taken)},
    }
    body = bodies[path]()
    at, real = (
        ("require_room", store.require_room) if path == "/passkeys/add" else ("count_passkey", store.count_passkey)
    )

    def meanwhile(*args: Any) -> Any:
        found = real(*args)
        with sqlite3.connect(store.path) as raw:
            raw.execute("DELETE FROM account_passkeys WHERE id = ?", [taken.id])
            raw.execute("DELETE FROM account_sessions")
        return found

    with monkeypatch.context() as changed:
        changed.setattr(store, at, meanwhile)
        code = "bad_passkey" if path == "/passkeys/sign-in" else "not_signed_in"
        assert error(thief.post(path, **body)) == (403, code)
    assert [known.id for known in store.passkeys_of(account.id)] == [mine.id] and not store.sessions(account.id)


def test_a_passkey_that_was_made_for_one_account_is_not_kept_with_another(house: TestClient) -> None:
    """A person who signs in to another account meanwhile, or is made to, adds it to none."""
    anna, device = Named(house).begin_with(Device()), Device()
    berta = Named(house, "203.0.113.9").register("Berta")
    asked = berta.asked("/passkeys/add/ask", password=PASSWORD)
    assert error(anna.post("/passkeys/add", **device.make(asked))) == (409, "passkey_stale")
    assert error(Named(house).post("/passkeys/add", **device.make(asked))) == (403, "not_signed_in")
    assert len(anna.account()["passkeys"]) == 1 and berta.account()["passkeys"] == []
    berta.done("/passkeys/add", **device.make(asked))


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "http://localhost.evil.example"}, {"origin": "http://evil.localhost:8000"},
        {"origin": "https://localhost:8000"}, {"origin": "http://localhost:9"}, {"origin": "null"},
        {"flags": PRESENT}, {"flags": NONE}, {"site": "evil.example"}, {"kind": "create"},
    ],
)  # fmt: skip
def test_what_was_signed_for_something_else_signs_nobody_in(house: TestClient, changed: dict[str, Any]) -> None:
    device = Device()
    Named(house).begin_with(device)
    there, path = Named(house), "/api/account/passkeys/sign-in"
    for headers in ({}, {"origin": ""}):  # also where no page is named, as no browser does
        signed = device.sign(there.asked(), **changed)
        assert error(there.ask("POST", path, signed, **headers)) == (403, "bad_passkey")
    assert there.cookie == ""


@pytest.mark.parametrize("told", ["https://play.example", "https://play.example:443/games"])
def test_a_page_at_another_port_of_the_host_gets_nobody_in(config: ServerConfig, told: str) -> None:
    """It sends on what it had signed, and says that it had called the server by its own port, or by the right one."""
    named = dataclasses.replace(keeping(config), hosts=("play.example",), notices=NoticeSettings(told))
    evil, device = "https://play.example:8443", Device()
    with connect(named) as client:
        anna = Named(client)
        anna.origin = "https://play.example"
        made = device.make(anna.asked("/passkeys/register/ask", name="Anna"), origin=anna.origin)
        anna.done("/passkeys/register", **made)
        thief = Named(client, "203.0.113.9")
        for claimed in (evil, anna.origin):
            thief.origin = anna.origin
            signed = device.sign(thief.asked(), origin=evil)
            asked = thief.asked("/passkeys/register/ask", name="Berta")
            thief.origin = claimed
            assert error(thief.post("/passkeys/sign-in", **signed)) == (403, "bad_passkey")
            made = Device().make(asked, origin=evil)
            assert error(thief.post("/passkeys/register", **made)) == (400, "bad_request")
        for thief.origin, told in ((evil, anna.origin), ("https://play.example:99999", "name")):
            refused = thief.post("/passkeys/ask")
            assert error(refused) == (400, "bad_request") and told in refused.text
        anna.done("/passkeys/sign-in", **device.sign(anna.asked(), origin=anna.origin))


@pytest.mark.parametrize("told", [None, "http://play.example", "https://other.example"])
def test_where_no_address_is_known_at_which_passkeys_can_be_any_page_of_the_name_is_its_own(
    config: ServerConfig, told: str | None
) -> None:
    notices = told and NoticeSettings(told)
    named = dataclasses.replace(keeping(config), hosts=("play.example",), notices=notices or None)
    with connect(named) as client:
        anna, device = Named(client), Device()
        anna.origin = "https://play.example:8443"
        anna.done(
            "/passkeys/register",
            **device.make(anna.asked("/passkeys/register/ask", name="Anna"), origin=anna.origin),
        )


@pytest.mark.parametrize(
    "changed", [{"origin": "http://evil.localhost:8000"}, {"flags": PRESENT}, {"flags": NONE}, {"kind": "get"}]
)
def test_what_was_made_for_something_else_is_no_passkey_here(house: TestClient, changed: dict[str, Any]) -> None:
    there = Named(house)
    asked = there.asked("/passkeys/register/ask", name="Anna")
    assert error(there.post("/passkeys/register", **Device().make(asked, **changed))) == (400, "bad_request")
    assert there.account() is None
    assert error(there.post("/passkeys/register", **Device(unusual=True).make(asked))) == (400, "bad_request")
    there.done("/passkeys/register", **Device().make(asked))


def test_a_ticket_serves_once_for_its_purpose_and_for_some_minutes(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, there = Device(), Named(house)
    asked = there.asked("/passkeys/register/ask", name="Anna")
    made = device.make(asked)
    there.done("/passkeys/register", **made)
    assert error(Named(house).post("/passkeys/register", **made)) == (409, "passkey_stale")
    signed = device.sign(there.asked())
    there.done("/passkeys/sign-in", **signed)
    assert error(Named(house).post("/passkeys/sign-in", **signed)) == (409, "passkey_stale"), "nobody sends it again"
    asked = there.asked("/passkeys/add/ask", **there.proof(device))
    asked["options"]["rpId"] = "localhost"
    assert error(there.post("/passkeys/sign-in", **device.sign(asked))) == (409, "passkey_stale")
    for ticket in ("", "x", "é", asked["ticket"][:-2], "gAAAA" + "A" * 90):
        body = {**device.sign(asked), "ticket": ticket}
        assert error(there.post("/passkeys/sign-in", **body)) == (409, "passkey_stale")
    asked, now = there.asked(), time.time()
    monkeypatch.setattr(time, "time", lambda: now + passkeys.TICKET_SECONDS + 1)
    assert error(there.post("/passkeys/sign-in", **device.sign(asked))) == (409, "passkey_stale")


@pytest.mark.parametrize(
    ("later", "back"),
    [(passkeys.TICKET_SECONDS, 0), (passkeys.TICKET_SECONDS + 0.6, 0), (2 * passkeys.TICKET_SECONDS, 400)],
)
def test_what_was_signed_is_never_sent_again_whatever_the_clock_says(
    house: TestClient, monkeypatch: pytest.MonkeyPatch, later: float, back: float
) -> None:
    """In the second in which it ends, and when the clock is set back meanwhile."""
    wall, steady, device = int(time.time()), time.monotonic(), Device()
    Named(house).begin_with(device)
    monkeypatch.setattr(time, "time", lambda: float(wall))
    monkeypatch.setattr(time, "monotonic", lambda: steady)
    signed = device.sign(Named(house).asked())
    Named(house).done("/passkeys/sign-in", **signed)
    monkeypatch.setattr(time, "time", lambda: wall + later - back)
    monkeypatch.setattr(time, "monotonic", lambda: steady + later)
    Named(house).done("/passkeys/sign-in", **device.sign(Named(house).asked()))
    assert error(Named(house).post("/passkeys/sign-in", **signed)) == (409, "passkey_stale")


def test_another_challenge_or_a_stranger_s_key_signs_nobody_in(house: TestClient) -> None:
    device, there = Device(), Named(house)
    Named(house).begin_with(device)
    signed = {**device.sign(there.asked()), "ticket": there.asked()["ticket"]}
    assert error(there.post("/passkeys/sign-in", **signed)) == (403, "bad_passkey")
    forger = Device(device.name)
    assert error(there.post("/passkeys/sign-in", **forger.sign(there.asked()))) == (403, "bad_passkey")


def test_a_copy_of_a_passkey_that_counts_is_noticed(house: TestClient) -> None:
    device, there = Device(), Named(house)
    there.begin_with(device)
    there.done("/passkeys/sign-in", **device.sign(there.asked(), uses=5))
    for uses in (5, 3, 0):
        refused = there.post("/passkeys/sign-in", **device.sign(there.asked(), uses=uses))
        assert error(refused) == (403, "bad_passkey") and "a copy of it" in refused.text
    there.done("/passkeys/sign-in", **device.sign(there.asked(), uses=6))


def test_passkeys_need_a_name_of_the_server(house: TestClient) -> None:
    for path, body in (("/passkeys/ask", {}), ("/passkeys/register/ask", {"name": "Anna"})):
        assert error(Browser(house).post(path, **body)) == (400, "bad_request")


def test_a_name_that_is_taken_is_taken(house: TestClient) -> None:
    """Also where somebody has taken it since the passkey was asked for; the passkey is not kept then."""
    one, two, device = Named(house), Named(house, "203.0.113.9"), Device()
    asked = one.asked("/passkeys/register/ask", name="Anna")
    two.register("Anna")
    assert error(one.post("/passkeys/register/ask", name="ÁNNA")) == (409, "name_taken")
    assert error(one.post("/passkeys/register", **device.make(asked))) == (409, "name_taken")
    one.begin_with(device, "Berta")


@pytest.mark.parametrize("when", ["require_room", "_step"])
def test_on_a_full_disk_a_ticket_is_not_used_up(house: TestClient, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    """The same answer does once there is room, also where the disk fills while it is written."""
    browser, device = Named(house), Device()
    made = device.make(browser.asked("/passkeys/register/ask", name="Anna"))

    def full(*_: Any) -> None:
        raise DiskFullError("there is no room")

    with monkeypatch.context() as filled:
        filled.setattr(rooms_of(house).store, when, full)
        assert browser.post("/passkeys/register", **made).status_code == 507
        asked = browser.post("/passkeys/register/ask", name="Berta").status_code
        assert asked == (507 if when == "require_room" else 200), "no device makes one that is not kept"
    assert browser.done("/passkeys/register", **made)["account"]["name"] == "Anna"


@pytest.mark.parametrize("fails", [False, True])
def test_a_ticket_that_is_used_twice_at_once_makes_one_account(
    house: TestClient, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """The second comes while the first is written; where the first fails after all, the same answer is good again."""
    made = Device().make(Named(house).asked("/passkeys/register/ask", name="Anna"))
    second: list[tuple[int, str]] = []

    def meanwhile(step: str) -> None:
        if step != "account: written" or second:
            return
        with ThreadPoolExecutor(1) as other:
            answer = other.submit(lambda: Named(house, "203.0.113.9").post("/passkeys/register", **made))
            second.append(error(answer.result(PATIENCE)))
        if fails:
            raise DiskFullError("there is no room")

    with monkeypatch.context() as changed:
        changed.setattr(rooms_of(house).store, "_step", meanwhile)
        assert Named(house).post("/passkeys/register", **made).status_code == (507 if fails else 201)
    assert second == [(409, "passkey_stale")]
    again = Named(house).post("/passkeys/register", **made)
    assert again.status_code == 201 if fails else error(again) == (409, "passkey_stale")
    assert list(rooms_of(house).store.account_names().values()) == ["Anna"]


def test_after_the_server_has_died_between_two_steps_one_begins_again(config: ServerConfig) -> None:
    """Nothing is kept of what was asked, also not the name; what was done before the end is there."""
    mine, other, third = Device(), Device(), Device()
    with connect(keeping(config)) as client:
        anna = Named(client).begin_with(mine)
        made = other.make(Named(client).asked("/passkeys/register/ask", name="Berta"))
        added = other.make(anna.asked("/passkeys/add/ask", **anna.proof(mine)))
        signed, again = mine.sign(Named(client).asked()), anna.proof(mine)
        lost = third.make(Named(client).asked("/passkeys/register/ask", name="Clara"))
        with pytest.MonkeyPatch.context() as dying:
            dying.setattr(rooms_of(client).store, "open_session", lambda *_: 1 / 0)
            for path, body in (("/passkeys/register", lost), ("/passkeys/sign-in", mine.sign(Named(client).asked()))):
                assert Named(client).post(path, **body).status_code == 500
    with connect(keeping(config)) as client:
        anna.client = client
        for path, body in (
            ("/passkeys/register", made), ("/passkeys/register", lost), ("/passkeys/sign-in", signed),
            ("/passkeys/add", added), ("/delete", again),
        ):  # fmt: skip
            assert error(anna.post(path, **body)) == (409, "passkey_stale")
        assert [known["id"] for known in anna.account()["passkeys"]] == [mine.id]
        Named(client).begin_with(other, "Berta")
        for device, name in ((mine, "Anna"), (third, "Clara")):
            entered = Named(client).done("/passkeys/sign-in", **device.sign(Named(client).asked()))
            assert entered["account"]["name"] == name
        assert error(Named(client).post("/passkeys/register/ask", name="Clara")) == (409, "name_taken")


def test_accounts_by_passkey_count_like_others(config: ServerConfig) -> None:
    """From when one is asked for, which tells whether its name is taken."""
    with connect(keeping(config)) as client:
        browser = Named(client)
        codes = []
        for number in range(45):
            asked = browser.post("/passkeys/register/ask", name=f"Anna {number}")
            if asked.status_code != 200:
                codes.append(asked.status_code)
                continue
            codes.append(browser.post("/passkeys/register", **Device().make(asked.json())).status_code)
        assert browser.post("/passkeys/register/ask", name="Anna 1").status_code == 429
    assert codes.count(201) == 40 and set(codes[40:]) == {429}


def test_an_account_has_a_limited_number_of_passkeys(house: TestClient) -> None:
    first, anna = Device(), Named(house)
    anna.begin_with(first)
    for _ in range(MOST_PASSKEYS - 2):
        anna.add(Device(), **anna.proof(first))
    asked = [anna.asked("/passkeys/add/ask", **anna.proof(first)) for _ in range(2)]
    anna.done("/passkeys/add", **Device().make(asked[0]))
    assert anna.post("/passkeys/add", **Device().make(asked[1])).status_code == 429, "two were asked for at once"
    refused = anna.post("/passkeys/add/ask", **anna.proof(first))
    assert refused.status_code == 429 and "remove one first" in refused.text, "before a device makes one"
    assert len(anna.account()["passkeys"]) == MOST_PASSKEYS


def test_a_reset_by_the_host_removes_passkeys(house: TestClient) -> None:
    """One who has taken over an account, and added one, is out."""
    store, device = rooms_of(house).store, Device()
    anna = Named(house).begin_with(device)
    found = store.account_named("anna")
    assert found is not None
    store.reset_account(found, "digest")
    assert anna.account() is None
    assert error(anna.post("/passkeys/sign-in", **device.sign(anna.asked()))) == (403, "bad_passkey")


def test_nothing_of_a_passkey_stays_in_the_database(house: TestClient, config: ServerConfig) -> None:
    device, anna = Device(b"A name of a passkey, to be found"), Named(house)
    anna.register("Anna")
    anna.add(device, password=PASSWORD)
    assert device.id in anna.done("/export")["passkeys"][0]["id"]
    anna.done("/passkeys/remove", id=device.id, password=PASSWORD)
    rooms_of(house).store._empty_log()
    for path in config.database.parent.iterdir():
        assert device.id.encode() not in path.read_bytes(), path.name


def test_nothing_in_the_database_signs_in(house: TestClient, config: ServerConfig) -> None:
    device = Device()
    Named(house).begin_with(device)
    with sqlite3.connect(config.database) as raw:
        held = str(raw.execute("SELECT * FROM account_passkeys").fetchall())
    secret = device.key.private_numbers().private_value
    assert device.id in held and f"{secret:x}" not in held


COUNTED = itertools.count()
JUNK = st.text("ABCDEFwxyz0189-_", min_size=1, max_size=300)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(client=JUNK, told=JUNK, cut=st.integers(0, 200), flip=st.integers(0, 200), which=st.booleans())
def test_junk_is_refused_in_plain_words(
    house: TestClient, client: str, told: str, cut: int, flip: int, which: bool
) -> None:
    """Bytes of chance, and of passkeys cut off or changed in the middle: nothing else than a refusal."""
    device, there = Device(), Named(house, f"10.{os.getpid() % 200}.{next(COUNTED)}.1")
    asked = there.asked("/passkeys/register/ask", name=f"Anna {time.monotonic_ns()}")
    made = device.make(asked)
    broken = {**made, "made": _harmed(made["made"], cut, flip)} if which else {**made, "client": client}
    assert there.post("/passkeys/register", **broken).status_code in (201, 400, 429)
    signed = device.sign(there.asked())
    broken = {**signed, "told": told} if which else {**signed, "signature": _harmed(signed["signature"], cut, flip)}
    assert there.post("/passkeys/sign-in", **broken).status_code in (403, 409, 429)


@pytest.mark.parametrize("told", [2**62, -1, "text", [1, 2], {}])
def test_a_passkey_that_says_a_number_takes_no_memory(house: TestClient, told: Any) -> None:
    """Where bytes belong; made into bytes, they would be as many."""
    there = Named(house)
    made = Device().make(there.asked("/passkeys/register/ask", name="Anna"))
    made["made"] = websafe_encode(cbor.encode({"fmt": "none", "attStmt": {}, "authData": told}))
    assert error(there.post("/passkeys/register", **made)) == (400, "bad_request")


def _harmed(text: str, cut: int, flip: int) -> str:
    """Some letters fewer at the end, and one of another kind."""
    short = text[: max(2, len(text) - cut)]
    at = flip % len(short)
    return short[:at] + ("A" if short[at] != "A" else "Q") + short[at + 1 :]
