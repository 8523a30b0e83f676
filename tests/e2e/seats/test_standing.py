"""Standing orders in the menu of a match: given, seen again after a reload, withdrawn, and set by the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Request, expect

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


SEEN = """() => {
  const seen = (window.seen = []);
  const look = () => {
    const { state, kind } = document.querySelector('[aria-label="What is asked"]')?.dataset ?? {};
    if (seen.at(-1) !== `${state} ${kind}`) seen.push(`${state} ${kind}`);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Notes each question that stands on the screen, however shortly, and whether it is for the player."""


@pytest.mark.parametrize("policy", ["never", "computer"])
def test_what_a_standing_order_answers_is_neither_asked_nor_answered_by_the_page(
    sit: Open, hosted: Server, policy: str
) -> None:
    one, two = two_people(sit, hosted, {})
    orders = {"seat": "soviet", "key": two.keys["soviet"], "mode": "always", "policies": {"withdraw": policy}}
    hosted.ask("POST", f"/matches/{two.match_id}/standing", orders)
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/actions"):
            sent.append(str(request.post_data))

    two.page.on("request", note)
    for table in (one, two):
        table.until("mine")
        table.answer(next(o for o in table.options() if o["verb"] == "done"))
    sent.clear()
    two.page.evaluate(SEEN)
    while True:
        decision = one.view("axis")["decision"]
        # read after the question: where nothing was answered by now, the Axis is still asked in its own phase
        log = hosted.ask("GET", f"/matches/{two.match_id}/log?seat=soviet&key={two.keys['soviet']}")
        if any(entry.get("standing") for entry in log):
            break
        if decision["seat"] == "axis":
            one.until("mine")
            one.answer(next(o for o in decision["options"] if o["verb"] == "done"))
    two.arrived_at(len(log))
    seen = two.page.evaluate("window.seen")
    assert "mine window" not in seen
    assert sent == [], "the page has answered nothing"
    expect(two.page.get_by_role("alert")).to_have_count(0)
