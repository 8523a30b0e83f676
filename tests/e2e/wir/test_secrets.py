"""War in Russia: who sees what at one screen, what a log says of an order, and what a game that is over lays open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table
from tests.e2e.wir.test_orders import MOVEMENT
from tests.e2e.wir.test_orders import game as game  # the fixture
from tests.e2e.wir.test_table import hand_over, kind_is, new_war, press

HINTLESS = {"error": {"code": "no_analysis", "message": "No hint for the Axis", "rule": ""}}
BAR = "document.querySelector('header.bar').getBoundingClientRect().height"
LONGEST = """() => {
  const bar = document.querySelector('header.bar');
  bar.querySelector('.turn strong .narrow').textContent = '28 Dec 42';
  bar.querySelector('.weather').textContent = 'Very cold';
  bar.querySelector('.cities strong').textContent = '−1221';
}"""


def propose(table: Table, what: str) -> None:
    table.page.get_by_text("Propose").first.click()
    table.page.get_by_role("button", name=what).click()
    table.page.get_by_role("button", name=re.compile(f"Really.*{what}")).click()


def test_a_proposal_passes_behind_the_curtain_and_the_end_lays_all_open(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    war = new_war(sit, server, context_of())
    page = war.page
    kind_is(war, "adjust")
    figure = page.locator('#map .slot[data-unit="85"] .figure')
    expect(figure).to_have_count(0)
    propose(war, "End the game")
    # the phase is still that of the Axis: nothing of the Soviet groups may show before the seats have changed
    expect(page.get_by_role("dialog", name="Change of seat")).to_be_visible(timeout=PATIENCE)
    hand_over(page, "Soviet Union")
    kind_is(war, "proposal")
    press(war, "Agree")
    expect(page.get_by_text("The game is over")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Replay the game").click()
    page.get_by_label("Position in the game").fill("0")
    page.locator('[data-state="past"]').wait_for(timeout=PATIENCE)
    for unit in ("85", "15"):
        expect(page.locator(f'#map .slot[data-unit="{unit}"] .figure').first).to_have_text(re.compile(r"\d+"))
    page.get_by_role("tab", name="Situation").click()
    for side, infantry in (("Axis", 2300), ("Soviet", 0)):
        page.get_by_role("group", name="Whose books").get_by_role("button", name=side).click()
        expect(page.get_by_role("row", name=re.compile(rf"^Infantry\s+{infantry}\b"))).to_be_visible(timeout=PATIENCE)


def test_a_page_loaded_again_keeps_the_curtain(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    war = new_war(sit, server, context_of())
    kind_is(war, "adjust")
    press(war, "End adjustment")
    curtain = war.page.get_by_role("dialog", name="Change of seat")
    expect(curtain).to_be_visible(timeout=PATIENCE)
    war.page.reload()
    expect(curtain).to_be_visible(timeout=PATIENCE)
    hand_over(war.page, "Soviet Union")
    kind_is(war, "adjust")
    # a player who has said so stays: no curtain before their own groups
    war.page.reload()
    war.arrived()
    kind_is(war, "adjust")
    expect(curtain).to_have_count(0)


def test_nothing_is_read_copied_or_reached_behind_the_curtain(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    war = new_war(sit, server, context_of())
    page = war.page
    kind_is(war, "adjust")
    page.keyboard.press("/")
    page.keyboard.type("? rules of supply")
    page.keyboard.press("Enter")
    line = page.locator("#cmd")
    expect(page.get_by_text("? rules of supply")).to_be_visible()
    press(war, "End adjustment")
    expect(page.get_by_role("dialog", name="Change of seat")).to_be_visible(timeout=PATIENCE)
    shown = page.locator("body").inner_text()
    assert "Go on as the Soviet Union" in shown and len(shown) < 200, f"shown behind the curtain: {shown[:400]!r}"
    spoken = page.locator("[aria-live]").evaluate_all(
        "all => all.filter(e => e.checkVisibility({visibilityProperty: true})).length"
    )
    assert spoken == 0
    for _ in range(6):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('.curtain')"
        )
        assert inside, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    hand_over(page, "Soviet Union")
    kind_is(war, "adjust")
    if not line.is_visible():
        page.keyboard.press("/")
    expect(line).to_be_visible()
    expect(page.get_by_text("? rules of supply")).to_have_count(0)
    line.press("ArrowUp")
    expect(line).to_have_value("")


def test_whoever_sits_down_next_reads_nothing_the_last_one_had_open(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    """The look back, news of orders, a plan of the computer and notes: the turn is ended from another window."""
    war = new_war(sit, server, context_of())
    page = war.page
    kind_is(war, "adjust")
    page.keyboard.press("/")
    line = page.get_by_label("Notation")
    line.fill("dismantle Bucharest")
    line.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="factories of Bucharest")).to_be_visible(timeout=PATIENCE)
    page.route("**/hint", lambda route: route.fulfill(status=500, json=HINTLESS))
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.get_by_text("No hint for the Axis")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("tab", name="Notes").click()
    page.get_by_label("My notes").fill("We strike at Kiev")
    expect(page.get_by_role("status").filter(has_text="read by nobody else")).to_be_visible()
    page.get_by_role("button", name="Replay", exact=True).first.click()
    page.get_by_label("Position in the game").fill("0")
    page.locator('[data-state="past"]').wait_for(timeout=PATIENCE)
    page.route("**/notes?*", lambda route: route.abort())
    server.ask("POST", f"/matches/{war.match_id}/actions", body_for(war, "done"))
    expect(page.get_by_role("dialog", name="Change of seat")).to_be_visible(timeout=PATIENCE)
    hand_over(page, "Soviet Union")
    kind_is(war, "adjust")
    for secret in ("factories of Bucharest", "No hint for the Axis"):
        expect(page.get_by_text(secret)).to_have_count(0)
    expect(page.get_by_label("My notes")).to_have_value("")


def test_notes_are_put_away_before_the_network_has_kept_them(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    """And they are there again when their writer is."""
    war = new_war(sit, server, context_of())
    page = war.page
    kind_is(war, "adjust")
    page.get_by_role("tab", name="Notes").click()
    notes = page.get_by_label("My notes")
    swallowed: list[Route] = []
    page.route("**/notes", lambda route: swallowed.append(route))
    with page.expect_request("**/notes"):
        notes.fill("We strike at Kiev")
    server.ask("POST", f"/matches/{war.match_id}/actions", body_for(war, "done"))
    expect(page.get_by_role("dialog", name="Change of seat")).to_be_visible(timeout=PATIENCE)
    hand_over(page, "Soviet Union")
    kind_is(war, "adjust")
    expect(notes).to_have_value("")
    for route in swallowed:
        route.continue_()
    page.unroute("**/notes")
    expect(notes).to_be_enabled()
    expect(notes).to_have_value("")
    axis = json.loads(page.evaluate("localStorage.getItem('rasputitsa.keys')"))
    key = next(keys["axis"] for place, keys in axis.items() if place.partition("@")[0] == war.match_id)
    assert server.ask("GET", f"/matches/{war.match_id}/notes?seat=axis&key={key}")["text"] == "We strike at Kiev"


def test_what_became_of_an_order_is_said(game: Callable[..., Table]) -> None:
    table = game()
    page = table.page
    kind_is(table, "adjust")
    page.locator("#map").focus()
    page.keyboard.press("/")
    line = page.get_by_label("Notation")
    line.fill("dismantle Bucharest")
    line.press("Enter")
    told = page.get_by_role("alert").filter(has_text="factories of Bucharest are dismantled for")
    expect(told).to_be_visible(timeout=PATIENCE)
    line.fill("build Moscow inf INF 70")
    line.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("4.9", timeout=PATIENCE)
    expect(line).to_have_value("build Moscow inf INF 70")


def test_the_scan_waits_for_the_depots(game: Callable[..., Table]) -> None:
    table = game()
    page = table.page
    kind_is(table, "adjust")
    marks, signs = page.locator("#map .isolated"), page.locator("#map .state.U")
    page.locator("#map").focus()
    page.keyboard.press("s")
    expect(page.get_by_text("Your depots have not moved yet this week")).to_be_visible()
    expect(marks).to_have_count(0)
    expect(signs).to_have_count(0)
    for line in ("done", "done", "auto supply", "done"):
        table.server.ask("POST", f"/matches/{table.match_id}/actions", body_for(table, line))
    kind_is(table, "depot")
    # while the depots move, who is left without only waits
    expect(page.locator("#map .state.U.calm").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#map .state.U:not(.calm)")).to_have_count(0)
    page.locator('[data-action="auto_supply"]:visible').click()
    kind_is(table, "movement")
    expect(marks.first).to_be_attached(timeout=PATIENCE)
    expect(page.locator("#map .state.U.calm")).to_have_count(0)


def body_for(table: Table, action: str) -> dict[str, object]:
    view = table.view()
    seat = view["decision"]["seat"]
    version = table.view(seat)["version"]
    return {
        "seat": seat,
        "key": table.keys[seat],
        "version": version,
        "action": action,
        "request_id": f"{seat}{version}",
    }


def test_a_written_plot_is_read_by_the_engine(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 4; plot 3")
    page = table.page
    kind_is(table, "orders")
    group = page.get_by_role("region", name="Group in hand")
    field = group.get_by_role("textbox", name="Plot")
    for wrong in ("234", "0B", "7"):
        field.fill(wrong)
        group.get_by_role("button", name="Write").click()
        expect(page.get_by_role("alert")).to_contain_text(f"'{wrong}' is no plot", timeout=PATIENCE)
        expect(page.get_by_role("alert")).to_contain_text("6.6")
    expect(group.locator(".written b")).to_have_text("3")
    field.fill("3S4")  # what follows the S is ignored
    group.get_by_role("button", name="Write").click()
    expect(group.locator(".written b")).to_have_text("3S", timeout=PATIENCE)
    # a plot that only bombards is weighed by its shells
    field.fill("3B")
    group.get_by_role("button", name="Write").click()
    expect(group.locator(".odds")).to_contain_text("A bombardment alone", timeout=PATIENCE)


def test_after_the_depots_the_map_is_where_it_was(game: Callable[..., Table]) -> None:
    table = game("done", "done", "auto supply")
    page = table.page
    kind_is(table, "movement")
    x, y = table.bring("0519")
    press(table, "End movement")
    page.get_by_role("button", name="Really").click()
    kind_is(table, "depot")
    table.settled()
    page.locator('[data-action="auto_supply"]:visible').click()
    kind_is(table, "movement")
    table.settled()
    again = table.point("0519")
    assert abs(again[0] - x) < 3 and abs(again[1] - y) < 3


def test_the_bar_of_a_phone_keeps_to_one_line(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    war = new_war(sit, server, context_of(**PHONE))
    kind_is(war, "adjust")
    assert war.page.evaluate(BAR) < 52
    war.page.evaluate(LONGEST)
    war.page.evaluate("document.fonts.ready.then(() => true)")  # the minus sign may bring a further font file
    assert war.page.evaluate(BAR) < 52
    assert war.page.evaluate("document.documentElement.scrollWidth") <= 390
