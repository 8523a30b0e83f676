"""Blocking somebody at the table, what is folded away then, and undoing it on the page of the account."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_account import account_page, enter, known
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_rematch import resign
from tests.e2e.seats.test_seats import begin, claim, close, menu, row
from tests.e2e.server import Server


@SIZES
def test_somebody_is_blocked_at_the_table_and_unblocked_later(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    name = f"Dora {settings['viewport']['width']}"  # type: ignore[index]
    dora, jan = sit(at=hosted, **settings), sit(at=hosted)
    enter(dora, name, fresh=True)
    expect(dora.page.get_by_role("heading", name=name)).to_be_visible()
    link = begin(dora)
    close(dora)
    claim(jan, link, "Jan")
    jan.page.get_by_role("tab", name="Talk").click()
    jan.page.get_by_role("button", name="Well played.").click()
    page = dora.page
    tab = page.get_by_role("tab", name=re.compile("^Talk"))
    expect(tab).to_contain_text("1 unread")
    menu(dora)
    seat = row(dora, "soviet")
    seat.locator("summary").click()
    picture(dora, "block")
    seat.get_by_role("button", name="Block this person, who plays Soviet Union").click()
    expect(seat).to_contain_text("You have blocked this person.")
    picture(dora, "blocked")
    close(dora)
    expect(tab).not_to_contain_text("unread")
    tab.click()
    expect(page.get_by_role("button", name="Hide what Soviet Union says")).to_have_count(0)
    words = page.get_by_role("list", name="What was said")
    expect(words.get_by_text("Well played.")).to_be_hidden()
    words.get_by_text("Folded away: you have blocked this person").click()
    expect(words.get_by_text("Well played.")).to_be_visible()
    picture(dora, "blocked-talk")
    expect(jan.page.get_by_role("list", name="What was said")).to_contain_text("Well played.")
    menu(jan)
    expect(row(jan, "axis")).not_to_contain_text("lock")
    resign(dora)
    over = page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text("You have blocked the player of Soviet Union")
    picture(dora, "blocked-rematch")
    over.get_by_role("button", name="Look at the map").click()
    account_page(dora)
    listed = page.get_by_role("list", name="Blocked people")
    expect(listed).to_contain_text("Jan (Soviet Union)")
    picture(dora, "account-blocked")
    page.get_by_role("button", name=re.compile(r"^Unblock: Jan \(Soviet Union\)")).click()
    expect(listed).to_have_text("Nobody.")
    expect(page.get_by_role("heading", name="Blocked people")).to_be_focused()
    assert known(dora)["blocks"] == []
