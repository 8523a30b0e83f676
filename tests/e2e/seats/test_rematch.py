"""A rematch, from the end of one match to the first view of the next."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import close, menu
from tests.e2e.server import Server
from tests.e2e.table import Table

HUMAN = {"kind": "human"}


def resign(table: Table) -> None:
    dialog = menu(table)
    dialog.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Really? The game is lost for good.").click()
    close(table)


@SIZES
def test_one_asks_for_a_rematch_and_the_other_comes(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = two_people(sit, hosted, settings)
    resign(one)
    former = two.page.url
    for table in (one, two):
        over = table.page.get_by_role("dialog", name="The game is over")
        expect(over.get_by_role("button", name="Ask for a rematch, sides swapped")).to_be_visible()
    picture(two, "over")
    two.page.get_by_role("button", name="Look at the map").click()
    ask = one.page.get_by_role("dialog", name="The game is over").get_by_role("button", name=re.compile("Ask for"))
    ask.dblclick()
    expect(one.page).not_to_have_url(former)
    one.arrived()
    expect(one.page.get_by_role("dialog", name="Invite the other players")).to_have_count(0)
    banner = two.page.get_by_role("status").filter(has_text="Axis asks for a rematch, with the sides swapped.")
    expect(banner).to_be_visible()
    picture(two, "asked-for-a-rematch")
    banner.get_by_role("button", name="Play the rematch").click()
    expect(two.page).to_have_url(one.page.url)
    two.arrived()
    seats = menu(two).get_by_role("list", name="Seats")
    expect(seats.locator("li", has_text="Axis")).to_have_attribute("data-state", "yours")
    expect(seats.locator("li", has_text="Soviet Union")).to_have_attribute("data-state", "person")
    close(two)
    picture(two, "rematch")
    again = two.page.url
    two.page.goto(former)
    over = two.page.get_by_role("dialog", name="The game is over")
    over.get_by_role("button", name="Go to the rematch").click()
    expect(two.page).to_have_url(again)
    two.arrived()
    menu(two).get_by_role("button", name="Dice").click()
    expect(two.page.get_by_role("dialog", name="Dice")).not_to_contain_text("missing")


def test_against_the_computer_one_click_begins_the_next_game(sit: Open, server: Server) -> None:
    made = server.ask(
        "POST", "/matches",
        {
            "game": "portfolio", "scenario": "june22",
            "controllers": {"axis": {"kind": "human"}, "soviet": {"kind": "bot", "bot": "random"}},
        },
    )  # fmt: skip
    table = sit()
    table.page.goto(f"{server.url}/#/match/{made['id']}?seat=axis&key={made['keys']['axis']}")
    table.arrived()
    resign(table)
    over = table.page.get_by_role("dialog", name="The game is over")
    over.get_by_role("button", name="Play again, sides swapped").click()
    expect(table.page).not_to_have_url(re.compile(f"/match/{made['id']}$"))
    table.arrived()
    seats = menu(table).get_by_role("list", name="Seats")
    expect(seats.locator("li", has_text="Soviet Union")).to_have_attribute("data-state", "yours")
    expect(seats.locator("li", has_text="Axis")).to_have_attribute("data-state", "computer")
