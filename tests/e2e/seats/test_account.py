"""An account: signing in at another browser, one's games there, and leaving no trace in a browser that others use."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from rasputitsa.server.accounts.passwords import once
from tests.e2e.conftest import DESKTOP, Open
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_seats import begin, close
from tests.e2e.server import Server
from tests.e2e.table import Table

PASSWORD = "seven wet boots in a row"


def account_page(table: Table) -> None:
    """Go to the page of the account."""
    table.page.goto(f"{table.server.url}/#/")
    table.page.get_by_role("banner").locator(".me").click()


def enter(table: Table, name: str, *, fresh: bool = False, password: str = PASSWORD) -> None:
    """Register, or sign in."""
    account_page(table)
    if fresh:
        table.page.get_by_role("button", name="I am new here").click()
    picture(table, f"account-{'new' if fresh else 'sign-in'}")
    table.page.get_by_label("Name", exact=True).fill(name)
    table.page.get_by_label("Password").fill(password)
    table.page.get_by_role("button", name="Make the account" if fresh else "Sign in", exact=True).click()


def known(table: Table) -> Any:
    """What the server knows of who is signed in."""
    return table.page.evaluate("async () => (await (await fetch('/api/account')).json()).account")


@SIZES
def test_games_are_found_again_at_another_browser(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    name = f"Anna {settings['viewport']['width']}"  # type: ignore[index]
    home = sit(at=hosted, **settings)
    enter(home, name, fresh=True)
    expect(home.page.get_by_role("heading", name=name)).to_be_visible()
    begin(home)
    close(home)
    number, keys = home.match_id, home.keys
    home.page.wait_for_function(
        "async (id) => (await (await fetch('/api/account')).json()).account.seats[id]", arg=number
    )

    away = sit(at=hosted, **settings)
    enter(away, name, password="something else")
    expect(away.page.get_by_role("alert")).to_contain_text("name or password is wrong")
    expect(away.page.get_by_text("Passkeys need a newer browser, and an address with a name")).to_be_visible()
    enter(away, name)
    expect(away.page.get_by_role("heading", name=name)).to_be_visible()
    picture(away, "account")
    away.page.get_by_role("link", name="To your games").click()
    away.page.get_by_role("link", name="Go on playing").click()
    away.arrived()
    assert away.match_id == number and away.keys.keys() == keys.keys() and away.keys != keys
    picture(away, "account-match")

    account_page(away)
    page = away.page
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("localStorage['rasputitsa.keys']") in (None, "{}"), "no key is left for who comes next"
    page.goto(f"{hosted.url}/#/")
    expect(page.get_by_text("None yet.")).to_be_visible()
    assert home.keys == keys and home.view() is not None
    assert "rasputitsa" not in home.page.evaluate("document.cookie")


def test_games_of_before_are_kept_with_an_account_only_when_one_says_so(sit: Open, hosted: Server) -> None:
    table = sit(at=hosted, viewport=DESKTOP)
    begin(table)
    close(table)
    number = table.match_id
    enter(table, "Berta", fresh=True)
    asked = table.page.get_by_text("This browser has seats in a game from before you signed in.")
    expect(asked).to_be_visible()
    picture(table, "account-apart")
    table.open(number)
    assert known(table)["seats"] == {}
    account_page(table)
    table.page.get_by_role("button", name="Keep them with my account").click()
    expect(asked).to_have_count(0)
    assert list(known(table)["seats"]) == [number]


@SIZES
def test_ones_own_data(sit: Open, hosted: Server, settings: dict[str, object], tmp_path: Path) -> None:
    """Saved, changed and deleted; other browsers are listed and signed out."""
    name = f"Clara {settings['viewport']['width']}"  # type: ignore[index]
    one, two = sit(at=hosted, **settings), sit(at=hosted, **settings)
    enter(one, name, fresh=True)
    expect(one.page.get_by_role("heading", name=name)).to_be_visible()
    enter(two, name)
    expect(two.page.get_by_role("heading", name=name)).to_be_visible()
    page = one.page
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="this browser")).to_have_count(1)
    page.get_by_role("button", name="Sign it out").click()
    expect(page.get_by_role("button", name="Sign it out")).to_have_count(0)
    two.page.reload()
    expect(two.page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Your name there").fill("Clara of the marshes")
    page.get_by_role("button", name="Use this name").click()
    expect(page.get_by_role("button", name="Use this name")).to_be_disabled()
    page.get_by_label("Password now").fill(PASSWORD)
    page.get_by_label("New password").fill("an umbrella for the bear")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("status")).to_contain_text("The password is changed")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save everything stored about you").click()
    saving.value.save_as(tmp_path / "account.json")
    assert json.loads((tmp_path / "account.json").read_text())["shown"] == "Clara of the marshes"
    page.goto(f"{hosted.url}/#/new/portfolio")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    expect(page.get_by_label("Your name, if you like")).to_have_value("Clara of the marshes")
    account_page(one)
    page.get_by_role("link", name="What is stored, and who sees it").click()
    expect(page.get_by_role("heading", name="When you have an account")).to_be_visible()
    expect(page.get_by_text("to everybody in the list of open tables as long as you wait there")).to_be_visible()
    picture(one, "privacy")
    account_page(one)
    page.get_by_text("Delete the account", exact=True).click()
    page.get_by_label("Password", exact=True).fill("an umbrella for the bear")
    picture(one, "account-delete")
    page.get_by_role("button", name="Delete the account for good").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_the_focus_goes_to_what_is_said_and_other_tabs_follow(sit: Open, hosted: Server) -> None:
    """A button that is shut while it works, or gone afterwards, would leave the focus nowhere."""
    table = sit(at=hosted, viewport=DESKTOP)
    page, other = table.page, table.page.context.new_page()
    other.goto(f"{hosted.url}/#/account")
    enter(table, "Dora", password="something else")
    expect(page.get_by_role("alert")).to_be_focused()
    password = page.get_by_label("Password")
    page.get_by_role("button", name="Show password").click()
    expect(password).to_have_attribute("type", "text")
    enter(table, "Dora", fresh=True)
    expect(page.get_by_role("heading", name="Dora")).to_be_focused()
    expect(other.get_by_role("heading", name="Dora")).to_be_visible()
    page.get_by_label("Your name there").fill("Dora of the steppe")
    page.get_by_role("button", name="Use this name").click()
    expect(page.get_by_label("Your name there")).to_be_focused()
    expect(other.get_by_label("Your name there")).to_have_value("Dora of the steppe")
    page.get_by_label("Password now").fill("something else")
    page.get_by_label("New password").fill("an umbrella for the bear")
    page.get_by_role("button", name="Show password").first.click()
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Password now")).to_have_attribute("type", "password")
    page.get_by_role("button", name="Save everything stored about you").click()
    expect(page.get_by_role("button", name="Save everything stored about you")).to_be_focused()
    kept = page.locator("form").filter(
        has=page.get_by_role("button", name="Delete the account for good", include_hidden=True)
    )
    assert kept.locator("input[autocomplete=username]").input_value() == "Dora"
    third = sit(at=hosted, viewport=DESKTOP)
    enter(third, "Dora")
    expect(third.page.get_by_role("heading", name="Dora")).to_be_focused()
    page.reload()
    page.get_by_role("button", name="Sign it out").click()
    expect(page.get_by_role("heading", name="Where you are signed in")).to_be_focused()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()

    with contextlib.closing(sqlite3.connect(hosted.database)) as raw, raw:
        raw.execute("UPDATE accounts SET password = ? WHERE name = 'Dora'", [once("abcd-efgh-jkmn")])
    enter(table, "Dora", password="abcd-efgh-jkmn")
    expect(page.get_by_role("alert")).to_contain_text("good once")
    picture(table, "account-due")
    page.get_by_label("New password").fill("an umbrella for the bear")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Dora")).to_be_focused()


def test_on_ones_own_machine_there_are_no_accounts(table: Table) -> None:
    table.page.goto(f"{table.server.url}/#/account")
    expect(table.page.get_by_text("This server keeps no accounts, and none is needed")).to_be_visible()
    expect(table.page.get_by_role("banner").locator(".me")).to_have_count(0)
    table.page.goto(f"{table.server.url}/#/privacy")
    expect(table.page.get_by_role("heading", name="When you play")).to_be_visible()
    expect(table.page.get_by_text("When you have an account")).to_have_count(0)


WITHOUT_METHODS = "PublicKeyCredential.prototype.toJSON = () => { throw new TypeError('Illegal invocation'); };"
"""What extensions that keep passkeys hand out has the parts of a credential, and not always its methods."""
TAKEN = {"error": {"code": "name_taken", "message": "there is an account of that name; take another name", "rule": ""}}


@SIZES
def test_an_account_by_passkey_alone(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    """Made, found again, kept through a restart; where the device says no, plain words tell so.

    The device is told of passkeys that open nothing.
    """
    name = f"Paula {settings['viewport']['width']}"  # type: ignore[index]
    table = sit(at=hosted, **settings)
    table.page.add_init_script(WITHOUT_METHODS)
    page, url = table.page, hosted.url.replace("127.0.0.1", "localhost")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    held = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    made = device.send("WebAuthn.addVirtualAuthenticator", {"options": {**held, "isUserVerified": True}})
    one = made["authenticatorId"]

    def offered() -> int:
        return len(device.send("WebAuthn.getCredentials", {"authenticatorId": one})["credentials"])

    page.goto(f"{url}/#/account")
    page.get_by_role("button", name="I am new here").click()
    page.get_by_role("button", name="Make it with a passkey, without a password").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_label("Name", exact=True).fill(name)
    picture(table, "passkey-new")
    page.route("**/passkeys/register", lambda route: route.fulfill(status=409, json=TAKEN))
    page.get_by_role("button", name="Make it with a passkey, without a password").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "There is an account of that name; take another name. Your device has made a passkey that opens"
    )
    expect(page.get_by_role("alert")).to_be_focused()
    picture(table, "passkey-left")
    assert offered() == 0
    page.unroute("**/passkeys/register")
    page.get_by_role("button", name="Make it with a passkey, without a password").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Remove it: .+, since .+"))).to_have_count(1)
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing else would let you sign in")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("has a passkey of your account already")
    picture(table, "passkeys")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    hosted.kill()
    hosted.start()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Set a password").click()
    expect(page.get_by_role("status")).to_contain_text("The password is set")
    expect(page.get_by_text("Or leave it empty, and use your passkey.")).to_have_count(3)
    with contextlib.closing(sqlite3.connect(hosted.database)) as raw, raw:
        raw.execute("UPDATE account_passkeys SET site = 'elsewhere.example'")
    page.reload()
    expect(page.get_by_text("for elsewhere.example")).to_be_visible()
    expect(page.get_by_text("Or leave it empty, and use your passkey.")).to_have_count(0)
    with contextlib.closing(sqlite3.connect(hosted.database)) as raw, raw:
        raw.execute("UPDATE account_passkeys SET site = 'localhost'")
    page.reload()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("button", name="Remove it")).to_have_count(0)
    assert offered() == 0
    page.get_by_role("button", name="Sign out", exact=True).click()
    picture(table, "passkey-sign-in")
    device.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": one})
    device.send("WebAuthn.addVirtualAuthenticator", {"options": {**held, "isUserVerified": False}})
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")
