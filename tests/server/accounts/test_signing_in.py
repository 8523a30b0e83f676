"""Accounts by name and password: registering, signing in and out, and what strangers try."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from typing import Any

import pytest
from argon2 import Type
from starlette.testclient import TestClient

from rasputitsa.server.accounts import passwords
from rasputitsa.server.accounts.names import plain_name
from rasputitsa.server.accounts.passwords import HASHER, MOST_WAITING, PasswordDesk
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.errors import ApiError
from rasputitsa.server.naming import seen_as
from rasputitsa.server.store.people import accounts
from rasputitsa.server.store.uptimes import Uptime
from tests.server.accounts.browsers import PASSWORD, SITE, Browser, error, keeping
from tests.server.conftest import connect, rooms_of
from tests.support import PATIENCE

REAL = HASHER
OTHER = "an umbrella for the bear"


def test_whoever_registers_is_signed_in_and_finds_the_account_at_another_browser(house: TestClient) -> None:
    here, there = Browser(house).register("Anna"), Browser(house)
    assert here.account()["name"] == here.account()["shown"] == "Anna" and there.account() is None
    there.sign_in("anna")
    assert there.account()["name"] == "Anna"
    assert [known["here"] for known in there.account()["sessions"]].count(True) == 1
    assert len(here.account()["sessions"]) == 2
    there.done("/sign-out")
    assert there.cookie == "" and there.account() is None and here.account()["name"] == "Anna"


def test_what_a_browser_is_given_is_for_this_site_alone(house: TestClient) -> None:
    """No page reads it, no other site sends it, and under https no page in clear can set it."""
    plain = Browser(house).register("Anna")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in plain.given[-1].split(";")}
    assert "Secure" not in plain.given[-1] and "Domain" not in plain.given[-1]
    safe = Browser(house)
    answer = safe.ask(
        "POST", "/api/account/sign-in", {"name": "Anna", "password": PASSWORD}, origin=SITE.replace("http", "https")
    )  # fmt: skip
    assert answer.status_code == 200 and "Secure" in safe.given[-1]
    assert safe.cookie.startswith("__Host-") and safe.account()["name"] == "Anna"
    safe.cookie = safe.cookie.removeprefix("__Host-")
    assert safe.account() is None, "a session of https is none under http"


def test_wrong_names_and_wrong_passwords_are_answered_alike(house: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    Browser(house).register("Anna")
    looked: list[bool] = []
    real = PasswordDesk._compare

    def compare(desk: PasswordDesk, kept: str | None, password: str) -> bool:
        looked.append(kept is not None)
        return real(desk, kept, password)

    monkeypatch.setattr(PasswordDesk, "_compare", compare)
    answers = [Browser(house).post("/sign-in", name=name, password=OTHER) for name in ("Anna", "Berta")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].json() == answers[1].json()
    assert looked == [True, False], "a digest is worked out for both"
    names = [{name for name in answer.headers if name != "date"} for answer in answers]
    assert names[0] == names[1]


def test_nothing_in_the_database_signs_in(house: TestClient, config: ServerConfig) -> None:
    browser = Browser(house).register("Anna")
    token = browser.cookie.partition("=")[2]
    with sqlite3.connect(config.database) as raw:
        held = str([raw.execute(f"SELECT * FROM {table}").fetchall() for table in ("accounts", "account_sessions")])
        (kept,) = raw.execute("SELECT digest FROM account_sessions").fetchone()
    assert token not in held and PASSWORD not in held and "$argon2id$" in held
    for forged in (kept, kept[:32], "a" * 32, "", "x" * 4000, "../../etc"):
        browser.cookie = f"rasputitsa={forged}"
        assert browser.account() is None
    twice = f"rasputitsa={token}; rasputitsa={'b' * 32}"
    assert browser.ask("GET", "/api/account", cookie=twice).json()["account"] is None, "nobody adds a second one"


def test_digests_of_passwords_are_costly() -> None:
    """At least what OWASP asks for: 19 MiB gone through twice."""
    assert REAL.type is Type.ID and REAL.memory_cost >= 19 * 1024 and REAL.time_cost >= 2 and REAL.salt_len >= 16


def test_a_token_that_somebody_else_has_set_is_never_taken_over(house: TestClient) -> None:
    Browser(house).register("Anna")
    victim = Browser(house)
    victim.cookie = f"rasputitsa={'e' * 32}"
    victim.sign_in("Anna")
    assert victim.cookie != f"rasputitsa={'e' * 32}"
    before = victim.cookie
    victim.sign_in("Anna")
    after, victim.cookie = victim.cookie, before
    assert after != before and victim.account() is None, "what was shown before a new signing in is void"


def test_under_https_a_cookie_that_others_can_set_signs_nobody_in(house: TestClient) -> None:
    """Or what is played would be kept with the account of its setter: a page in clear, or of a sister site."""
    planted = Browser(house).register("Thief").cookie
    victim = Browser(house)
    victim.cookie = planted
    assert victim.account(), "in clear there is no other cookie"
    https = {"origin": SITE.replace("http", "https")}
    assert error(victim.ask("POST", "/api/account/seats", {"keys": {}}, **https)) == (403, "not_signed_in")
    looking = {"origin": "", "host": "192.0.2.7", "sec-fetch-site": "same-origin"}
    assert victim.ask("GET", "/api/account", **looking).json()["account"] is None
    assert victim.ask("GET", "/api/account", **{**looking, "host": "localhost"}).json()["account"]


def test_a_session_that_was_ended_opens_nothing(house: TestClient) -> None:
    """Signed out, from another browser too, or after another password; a copy of the cookie does not help."""
    one, two, three = (Browser(house, f"203.0.113.{n}") for n in (1, 2, 3))
    one.register("Anna"), two.sign_in(), three.sign_in()
    stolen = Browser(house)
    stolen.cookie = two.cookie
    assert stolen.account()
    (listed,) = [known for known in two.account()["sessions"] if known["here"]]
    one.done("/sessions/end", session=listed["id"])
    assert two.account() is None and stolen.account() is None and three.account()
    stolen.cookie = one.cookie
    assert error(one.post("/password", password=OTHER, new=OTHER)) == (403, "bad_password")
    one.done("/password", password=PASSWORD, new=OTHER)
    assert one.account() and stolen.account() is None and three.account() is None
    assert error(two.post("/sign-in", name="Anna", password=PASSWORD)) == (403, "bad_password")
    two.sign_in(password=OTHER)
    one.done("/sessions/end")
    assert two.account() is None and one.account()


def test_a_password_that_the_host_has_set_is_good_for_taking_another_one_alone(house: TestClient) -> None:
    """So one who finds it later, in a message or on a screen, has nothing."""
    before, store = Browser(house).register("Anna"), rooms_of(house).store
    (anna,) = (use.account for use in store.account_uses())
    store.reset_account(anna, passwords.once("abcd-efgh-jkmn"))
    assert before.account() is None
    browser = Browser(house)
    asked = {"name": "Anna", "password": "abcd-efgh-jkmn"}
    assert error(browser.post("/sign-in", **asked)) == (403, "password_due")
    assert error(browser.post("/sign-in", **{**asked, "password": PASSWORD}, new=OTHER)) == (403, "bad_password")
    for bad in ("short", "abcd-efgh-jkmn", "Anna12345678"):
        assert error(browser.post("/sign-in", **asked, new=bad)) == (400, "bad_request")
    assert browser.account() is None and browser.cookie == ""
    browser.done("/sign-in", **asked, new=OTHER)
    assert browser.account()["name"] == "Anna"
    assert error(Browser(house).post("/sign-in", **asked, new="yet another one")) == (403, "bad_password")
    Browser(house).sign_in("Anna", OTHER)
    assert error(Browser(house).post("/sign-in", name="Anna", password=PASSWORD)) == (403, "bad_password")


def test_without_a_session_nothing_is_done(house: TestClient) -> None:
    Browser(house).register("Anna")
    stranger = Browser(house)
    asked: dict[str, dict[str, Any]] = {
        "/password": {"password": PASSWORD, "new": OTHER}, "/profile": {"shown": "x"}, "/sessions/end": {},
        "/seats": {"keys": {}}, "/export": {}, "/delete": {"password": PASSWORD},
    }  # fmt: skip
    for path, body in asked.items():
        assert error(stranger.post(path, **body)) == (403, "not_signed_in")


def test_other_sites_cannot_ask_in_somebodys_name(house: TestClient) -> None:
    browser = Browser(house).register("Anna")
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        for path in ("/sign-out", "/sign-in", "/delete", "/seats"):
            body = {"name": "Anna", "password": PASSWORD}
            answer = browser.ask("POST", f"/api/account{path}", body, **headers)
            assert error(answer) == (403, "bad_origin")
    answer = browser.ask("GET", "/api/account", **{"sec-fetch-site": "cross-site"})
    assert error(answer) == (403, "bad_origin")
    form = house.post(
        "/api/account/sign-out", data={"a": "b"}, headers={"cookie": browser.cookie, "x-forwarded-for": "203.0.113.5"}
    )
    assert error(form) == (415, "bad_content_type")
    assert browser.account()


def test_guesses_are_slowed_down_where_they_come_from_and_nobody_is_locked_out(house: TestClient) -> None:
    Browser(house).register("Anna")
    thief = Browser(house, "198.51.100.7")
    told = [error(thief.post("/sign-in", name="Anna", password=f"guess number {n}")) for n in range(20)]
    assert told.count((403, "bad_password")) == 12 and told[-1] == (429, "too_many")
    assert error(thief.post("/sign-in", name="Anna", password=PASSWORD)) == (429, "too_many"), "the right one, too"
    assert error(thief.post("/sign-in", name="АNNА", password=PASSWORD)) == (429, "too_many"), "however it is written"
    Browser(house, "203.0.113.9").sign_in("Anna")


def test_an_address_makes_a_limited_number_of_accounts(config: ServerConfig) -> None:
    settings = keeping(config)
    limited = ServerConfig(
        data=settings.data, client=settings.client, accounts=True, proxies=settings.proxies, bot_workers=1,
        limits=settings.limits.changed(["accounts=2"]),
    )  # fmt: skip
    with connect(limited) as client:
        Browser(client).register("Anna"), Browser(client).register("Berta")
        assert error(Browser(client).post("/register", name="Clara", password=PASSWORD)) == (429, "too_many")
        Browser(client, "198.51.100.1").register("Clara")


NAMES = {
    "Anna": "Anna", "Jörg Groß": "Jörg Groß", "Дмитрий": "Дмитрий", "山田 太郎": "山田 太郎", "やまだ 太": "やまだ 太",
    "O'Neill-2": "O'Neill-2", "\uff21nna": "Anna",
}  # fmt: skip
NO_NAMES = [
    "", "a", "a" * 41, "Аnna", "Anna\n", " Anna", "An\u202ena", "An\u200bna", "\x00\x00\x00", "An<b>na",
    "a" + 6 * "\u0301" + "b", "...", "\ud800\ud800\ud800", "The Computer", "\U0001f600\U0001f600",
    "A deleted account", "a Deleted-Account",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script(name: str) -> None:
    assert plain_name(name) == NAMES[name]


@pytest.mark.parametrize("name", NO_NAMES, ids=ascii)
def test_names_that_could_be_taken_for_others_are_refused(name: str) -> None:
    with pytest.raises(ApiError):
        plain_name(name)


def test_there_is_one_account_of_a_name_however_it_is_written(house: TestClient) -> None:
    Browser(house).register("Anna Vera")
    for name in (
        "anna vera",
        "ANNA-VERA",
        "Ánna Vera",
        "\uff21nna Vera",
        "АNNА VЕRА".replace("V", "В").replace("R", "Р"),
    ):
        answer = Browser(house).post("/register", name=name, password=PASSWORD)
        assert answer.status_code in (400, 409), name
    assert error(Browser(house).post("/register", name="anna vera", password=PASSWORD)) == (409, "name_taken")


APART = [
    "राम", "रीमा", "रमा", "रम", "राम्या", "రామ", "రమ", "কমল", "কামাল", "மணி", "மீனா", "มาลี", "มะลิ", "มาลี่", "ສີ", "ສາ",
    "សុខ", "សំ", "မေ", "မီ", "བོད", "བུད",
]  # fmt: skip
ALIKE = {
    "Ánna": "anna", "Ἀθηνά": "Αθηνα", "Йорг": "Иорг", "Ёлка": "Елка", "שָׁלוֹם": "שלום", "مُحَمَّد": "محمد", "क़मर": "कमर",
    "राममम": "राममम\u0951", "राामा": "रामा", "र\u0941\u0902": "र\u0902\u0941", "Anna\u0e48": "anna",
    "An\u093ena": "anna", "Anna\ufe0f": "anna", "An\u034fna": "anna",
}  # fmt: skip


def test_vowel_signs_make_another_name_and_accents_do_not() -> None:
    """Nor do signs that are put on letters of another script, or twice, where they do not show."""
    assert len({seen_as(name) for name in APART}) == len(APART)
    assert {name: seen_as(name) for name in ALIKE} == {name: seen_as(other) for name, other in ALIKE.items()}


def test_passwords_that_are_guessed_first_or_make_work_are_refused(house: TestClient) -> None:
    browser = Browser(house)
    for password in ("short", "aaaaaaaaaaaa", "Anna12345678", "qwertyuiop", "x" * 201, "\ud800" * 3):
        answer = browser.post("/register", name="Anna", password=password) if password.isprintable() else None
        assert answer is None or answer.status_code == 400, password
    assert browser.post("/sign-in", name="Anna", password="x" * 1001).status_code == 400
    assert browser.post("/sign-in", name="Anna", password="x" * 100_000).status_code == 413
    assert browser.post("/sign-in", name="Anna", password=["x"]).status_code == 400
    browser.register("Anna", "\uff53even wet boots")
    Browser(house).sign_in("Anna", "seven wet boots")


def test_a_short_name_may_stand_in_a_password_by_chance(house: TestClient) -> None:
    browser = Browser(house)
    for password in ("Al12345678", "tell al the rest"):
        assert error(browser.post("/register", name="Al", password=password)) == (400, "bad_request")
    browser.register("Al", "seven wet walruses")


def test_two_who_register_at_once_get_one_account(house: TestClient) -> None:
    answers: list[Any] = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(
                house.post(
                    "/api/account/register",
                    json={"name": "Anna", "password": PASSWORD},
                    headers={"x-forwarded-for": "203.0.113.5"},
                )
            )
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


def test_who_signs_in_while_the_password_changes_is_not_let_in_by_the_old_one(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, thief = Browser(house).register("Anna"), Browser(house, "198.51.100.7")
    real = PasswordDesk.fits

    async def fits(desk: PasswordDesk, kept: str | None, password: str, network: str) -> bool:
        found = await real(desk, kept, password, network)
        with sqlite3.connect(rooms_of(house).store.path) as raw:
            raw.execute("UPDATE accounts SET password = 'another'")
        return found

    monkeypatch.setattr(PasswordDesk, "fits", fits)
    assert error(thief.post("/sign-in", name="Anna", password=PASSWORD)) == (403, "bad_password")
    assert thief.account() is None and owner.account()


def test_a_storm_of_passwords_waits_in_a_line_that_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is checked at a time, outside the loop; networks take turns, and those who come too late are refused."""
    gate, order, inside, at_once = threading.Event(), list[str](), list[str](), list[int]()

    def compare(desk: PasswordDesk, kept: str | None, password: str) -> bool:
        inside.append(password)
        at_once.append(len(inside))
        assert gate.wait(PATIENCE)
        order.append(password)
        inside.remove(password)
        return False

    async def storm() -> list[Any]:
        desk = PasswordDesk()
        networks = [f"many {n % 4}" for n in range(MOST_WAITING - 1)]
        waiting = [asyncio.create_task(desk.fits(None, network, network)) for network in networks]
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(desk.fits(None, "few", "few")))
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as refused:
            await desk.fits(None, "late", "late")
        assert (refused.value.status, refused.value.code) == (503, "busy")
        gate.set()  # the loop has gone on although the thread stands still
        found = await asyncio.gather(*waiting)
        desk.close()
        return found

    monkeypatch.setattr(PasswordDesk, "_compare", compare)
    found = asyncio.run(storm())
    assert found == [False] * MOST_WAITING and set(at_once) == {1}, "one at a time"
    assert order.index("few") <= 5, "who asks little waits for one of each other network at most"


def test_one_network_does_not_fill_the_line_for_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or nobody else could sign in as long as it asks: of its own addresses each may try a good many."""
    gate = threading.Event()
    monkeypatch.setattr(PasswordDesk, "_compare", lambda desk, kept, password: gate.wait(PATIENCE))

    async def flood() -> list[Any]:
        desk = PasswordDesk()
        waiting = [asyncio.create_task(desk.fits(None, "x", "many")) for _ in range(3 * MOST_WAITING)]
        await asyncio.sleep(0)
        other = asyncio.create_task(desk.fits(None, "x", "other"))
        await asyncio.sleep(0)
        gate.set()
        found = await asyncio.gather(other, *waiting, return_exceptions=True)
        desk.close()
        return found

    found = asyncio.run(flood())
    assert found[0] is True and found.count(True) < MOST_WAITING


def test_a_session_that_nobody_uses_ends(house: TestClient) -> None:
    browser, store = Browser(house).register("Anna"), rooms_of(house).store
    store.up = Uptime(store.up.ms() + accounts.UNUSED_MS - 60_000)
    assert browser.account()
    store.up = Uptime(store.up.ms() + 120_000)
    assert browser.account(), "it was used meanwhile"
    store.up = Uptime(store.up.ms() + accounts.UNUSED_MS + 60_000)
    assert browser.account() is None
    store.look_after()
    with sqlite3.connect(store.path) as raw:
        assert raw.execute("SELECT count(*) FROM account_sessions").fetchone() == (0,)


@pytest.mark.parametrize("name", ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_READONLY", "SQLITE_BUSY"])
def test_on_a_full_disk_whoever_is_signed_in_stays_so(house: TestClient, name: str) -> None:
    """It is noted once a day that a session is in use; where that cannot be written, it is noted another time."""
    browser, store = Browser(house).register("Anna"), rooms_of(house).store
    fails = True

    def full(step: str) -> None:
        if fails and step == "commit":
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = name
            raise error

    store._step = full
    store.up = Uptime(store.up.ms() + accounts.UNUSED_MS - 60_000)
    assert browser.account() and browser.ask("POST", "/api/lobby", {"keys": {}}).status_code == 200
    fails = False
    assert browser.account()
    store.up = Uptime(store.up.ms() + 120_000)
    assert browser.account(), "it was noted when there was room again"


def test_browsers_of_one_account_are_limited(house: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "MOST_SESSIONS", 2)
    first, second, third = (Browser(house, f"203.0.113.{n}") for n in (1, 2, 3))
    first.register("Anna"), second.sign_in(), third.sign_in()
    assert [bool(browser.account()) for browser in (first, second, third)].count(True) == 2 and third.account()


def test_a_server_that_offers_none_has_none(client: TestClient) -> None:
    """On one's own machine, and in a class."""
    assert client.get("/api/account").json() == {"offered": False, "account": None}
    answer = client.post("/api/account/register", json={"name": "Anna", "password": PASSWORD})
    assert error(answer) == (403, "no_accounts")
