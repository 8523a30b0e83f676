"""A match with a clock: agreed at the start, told to who is invited and to who looks for a game, seen at the table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_seats import claim, close, menu
from tests.e2e.server import Server

AGREED = "Each has 10 days at first and at most, 3 days more with each turn, and 14 days of holidays."


@SIZES
def test_a_clock_is_agreed_at_the_start_and_seen_at_the_table(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    one, two = sit(at=hosted, **settings), sit(at=hosted, **settings)
    page = one.page
    page.goto(f"{hosted.url}/#/new/portfolio")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    page.get_by_label("Clock").select_option("days")
    page.get_by_label("When the time of a player is up").select_option("computer")
    page.get_by_label("Put it on the list under Find a game").check()
    page.get_by_label("Clock").scroll_into_view_if_needed()
    picture(one, "clock-fields")
    page.get_by_role("button", name="Start the game").click()
    one.arrived()
    link = page.get_by_role("dialog", name="Invite the other players").get_by_label("Link: Soviet Union").input_value()
    two.page.goto(f"{hosted.url}/#/find")
    expect(two.page.get_by_role("list", name="Open tables", exact=True)).to_contain_text(AGREED)
    picture(two, "clock-in-the-list")
    two.page.goto(link)
    expect(two.page.get_by_role("main")).to_contain_text(f"{AGREED} When the time of a player is up, the computer")
    claim(two, link, "Jan")
    close(one)
    for table in (one, two):
        left = table.page.get_by_role("timer", name="Time left")
        expect(left).to_contain_text(re.compile(r"Axis 10 d 0 h runs\s*Soviet Union 10 d 0 h"))
    picture(two, "clock")
    dialog = menu(two)
    dialog.get_by_label("Days of holidays, of 14 left").fill("5")
    dialog.get_by_role("button", name="Go on holiday").scroll_into_view_if_needed()
    picture(two, "holidays")
    dialog.get_by_role("button", name="Go on holiday").click()
    expect(dialog).to_contain_text("You are on holiday for another 4 d 23 h")
    expect(one.page.get_by_role("timer", name="Time left")).to_contain_text("on holiday")
    dialog.get_by_role("button", name="I am back").click()
    expect(dialog.get_by_label("Days of holidays, of 13 left")).to_be_visible()
    expect(one.page.get_by_role("timer", name="Time left")).not_to_contain_text("on holiday")
