"""Being told by mail: asked for at the table, agreed to by the link in the mail, not asked again in that browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Chromium, Open
from tests.e2e.fit import unread
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import close, menu
from tests.e2e.server import Server
from tests.server.mailbox import Mailbox
from tools import client


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def mailing(chromium: Chromium, mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose host has set up mail."""
    client.build()
    options = ["--notices", "http://127.0.0.1", "--smtp", f"smtp+plain://127.0.0.1:{mailbox.port}"]
    options += ["--mail-from", "games@games.example"]
    server = Server(tmp_path_factory.mktemp("mailing"), others=True, options=options)
    server.start()
    yield server
    server.kill()


@SIZES
def test_a_player_asks_for_mail_agrees_by_its_link_and_need_not_again(
    sit: Open, mailing: Server, mailbox: Mailbox, settings: dict[str, object]
) -> None:
    mailbox.read()
    address = f"jan{len(settings)}@mail.example"
    _, two = two_people(sit, mailing, settings)
    dialog = menu(two)
    dialog.get_by_text("Get notices when it is your turn").click()
    dialog.get_by_label(re.compile("^By")).select_option("mail")
    dialog.get_by_role("textbox", name="Address").fill("jan")
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog.get_by_role("alert")).to_contain_text("this is no mail address")
    dialog.get_by_role("textbox", name="Address").fill(address)
    dialog.get_by_role("button", name="Send notices there").scroll_into_view_if_needed()
    picture(two, "by-mail")
    assert unread(two.page, "dialog[open]") == []
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog).to_contain_text("A mail waits for your answer")
    dialog.get_by_role("button", name="Stop these notices").scroll_into_view_if_needed()
    picture(two, "mail-waits")
    while not mailbox.mails:
        two.page.wait_for_timeout(200)
    (question,) = mailbox.read()
    close(two)
    table = two.page.url
    two.page.goto(f"{mailing.url}/#{question.links[0].partition('#')[2]}")
    picture(two, "agree-to-mail")
    assert unread(two.page, "main") == []
    two.page.get_by_role("button", name="Yes, send notices there").click()
    expect(two.page.get_by_role("status")).to_contain_text(f"You get notices at {address}")
    picture(two, "agreed-to-mail")
    two.page.goto(table)
    two.arrived()
    dialog = menu(two)
    dialog.get_by_text("You get notices when it is your turn").click()
    dialog.get_by_role("button", name="Stop these notices").click()
    expect(dialog.get_by_role("textbox", name="Address")).to_have_value(address)
    dialog.get_by_role("button", name="Send notices there").click()
    expect(dialog).to_contain_text("You get notices when it is your turn")
    assert mailbox.mails == []
