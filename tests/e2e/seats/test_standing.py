"""Standing orders in the menu of a match: given, seen again after a reload, withdrawn, and set by the keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.seats.test_seats import menu
from tests.e2e.server import Server


@SIZES
def test_a_player_gives_standing_orders_and_withdraws_them(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    _, two = two_people(sit, hosted, settings)
    dialog = menu(two)
    dialog.get_by_text("Standing orders for small decisions").click()
    give = dialog.get_by_role("button", name="Give these orders")
    expect(give).to_be_disabled()
    dialog.get_by_label("Withdraw units that are not under attack").select_option(label="Never")
    way = dialog.get_by_label("The way of retreats")
    way.focus()
    two.page.keyboard.press("ArrowDown")
    expect(way).to_have_value("supply")
    dialog.get_by_label("When they answer").scroll_into_view_if_needed()
    picture(two, "standing-orders")
    assert two.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing is cut off"
    give.click()
    expect(dialog.get_by_text("Standing orders: 2 given")).to_be_visible()
    two.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    two.page.reload()
    two.arrived()
    dialog = menu(two)
    dialog.get_by_text("Standing orders: 2 given").click()
    expect(dialog.get_by_label("The way of retreats")).to_have_value("supply")
    dialog.get_by_label("Withdraw units that are not under attack").scroll_into_view_if_needed()
    picture(two, "standing-orders-given")
    dialog.get_by_role("button", name="Withdraw them all").click()
    expect(dialog.get_by_text("Standing orders for small decisions")).to_be_visible()
