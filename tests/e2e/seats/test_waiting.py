"""Several matches in one browser: which of them wait, and the way to the next."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Open
from tests.e2e.seats.test_company import picture
from tests.e2e.seats.test_seats import begin, claim, close, menu
from tests.e2e.server import Server
from tests.e2e.table import Table

NOBODY = "It is your turn in no other match of this browser."


def icon(page: Page) -> str:
    return page.locator('link[rel="icon"]').get_attribute("href") or ""


def invited(one: Table, two: Table) -> str:
    """One more match in which the Axis begins; gives its number."""
    link = begin(one)
    close(one)
    claim(two, link)
    return one.match_id


@pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])
def test_the_tab_tells_how_many_matches_wait_and_a_key_leads_round(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    one, two = sit(at=hosted, **settings), sit(at=hosted)
    first, second = invited(one, two), invited(one, two)
    page = one.page
    expect(page).to_have_title(re.compile(r"^\(2\) The Russian Portfolio: "))
    assert icon(page).startswith("data:image/svg+xml") and "2%3C%2Ftext" in icon(page)
    tools = page.get_by_role("navigation", name="Game tools")
    expect(tools.get_by_title("Your turn in 1 other match (M)")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(one, "waiting")
    page.keyboard.press("m")
    page.wait_for_url(f"**/#/match/{first}")
    one.arrived()
    tools.get_by_title("Your turn in 1 other match (M)").click()
    page.wait_for_url(f"**/#/match/{second}")
    one.arrived()
    # a player who is asked nowhere hears of nothing
    two.page.reload()
    two.arrived()
    expect(two.page).to_have_title(re.compile("^The Russian Portfolio: "))
    assert icon(two.page) == "/icon.svg"
    two.page.keyboard.press("m")
    expect(two.page.get_by_role("alert")).to_contain_text(NOBODY)


def test_the_list_begins_with_the_match_in_which_somebody_waits(sit: Open, hosted: Server) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    waits = invited(one, two)
    one.play_now("axis")
    alone = one.match_id
    expect(one.page).to_have_title(re.compile(r"^\(1\) The Russian Portfolio: "))
    one.lobby()
    expect(one.page).to_have_title("(1) rasputitsa")
    rows = one.page.locator("section ul.list a")
    expect(rows.first).to_have_attribute("href", f"#/match/{waits}")
    expect(rows.nth(1)).to_have_attribute("href", f"#/match/{alone}")
    expect(rows.first).to_contain_text("your turn")
    expect(one.page.get_by_role("link", name="Go on playing")).to_have_attribute("href", f"#/match/{waits}")
    picture(one, "waiting-list")
    # what the other one does there is heard of when the page is looked at again
    one.open(alone)
    dialog = menu(two)
    dialog.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Really? The game is lost for good.").click()
    expect(two.page.get_by_role("dialog", name="The game is over")).to_be_visible()
    one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(one.page).to_have_title(re.compile("^The Russian Portfolio: "))
    expect(menu(one).get_by_role("button", name="Next match with your turn")).to_have_count(0)
