"""Notes and arrows on the map: by mouse, finger and keys, kept, taken back, and shown to whom they are for."""

from __future__ import annotations

from playwright.sync_api import Locator, Route, expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture, two_people
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.window.test_access import check

EVIL = "<img src=x onerror=alert(1)> {unit:39Pz}"


def pen(table: Table) -> Locator:
    """Takes up the pen."""
    table.page.get_by_role("button", name="Notes and arrows").click()
    return table.page.get_by_role("region", name="Notes and arrows")


def marks(table: Table, number: int) -> None:
    expect(table.page.locator("#map g.map-notes")).to_have_attribute("data-marks", str(number))


@SIZES
def test_what_one_draws_is_ones_own_until_it_is_shown(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = two_people(sit, hosted, settings)
    two.touch = bool(settings.get("has_touch"))
    bar, before = pen(two), two.ply
    two.click_hex("N6")
    bar.get_by_label("Text at N6").fill(EVIL)
    bar.get_by_role("button", name="Arrow").click()
    two.click_hex("N4")
    expect(bar.get_by_role("status")).to_contain_text("From N4")
    two.click_hex("N6")
    bar.get_by_label("Text at N4").fill("and on to the Dnieper before the mud comes")
    bar.get_by_label("Text at N4").press("Enter")
    marks(two, 2)
    assert two.page.locator("#map img").count() == 0 and two.ply == before, "and nothing was played"
    picture(two, "map-notes")
    marks(one, 0)
    bar.get_by_label("For").select_option("everybody")
    marks(one, 1)
    picture(one, "map-notes-shown")
    expect(one.page.locator("#map g.map-notes text").first).to_contain_text("and on to the")
    one.page.get_by_role("button", name="Notes and arrows").click()
    listed = one.page.get_by_role("region", name="Notes and arrows")
    listed.get_by_text("0 of your own, 1 of others").click()
    expect(listed.get_by_role("listitem")).to_contain_text("N4 → N6: and on to the Dnieper")
    assert check(two.page, "map-notes") == []
    for _ in range(2):  # that it is for everybody, and the text
        bar.get_by_role("button", name="Take back").click()
    marks(one, 0)
    two.page.reload()
    two.arrived()
    marks(two, 2)
    onlooker = sit(at=hosted)
    onlooker.page.goto(one.page.url)
    onlooker.arrived()
    marks(onlooker, 0)
    expect(onlooker.page.get_by_role("button", name="Notes and arrows")).to_have_count(0)


def test_keys_draw_and_the_layer_hides(sit: Open) -> None:
    table = sit()
    table.play_now("axis")
    page, before = table.page, table.ply
    page.locator("#map").focus()
    page.keyboard.press("Shift+D")
    bar = page.get_by_role("region", name="Notes and arrows")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("Hold")
    page.keyboard.press("Enter")
    marks(table, 1)
    expect(page.locator("#map g.map-notes text")).to_have_text("Hold")
    expect(bar.get_by_label("For")).to_have_count(0)
    bar.get_by_role("button", name="Remove").click()
    marks(table, 0)
    sent: list[Route] = []
    page.route("**/map-notes", lambda route: sent.append(route))
    bar.get_by_role("button", name="Take back").click()
    marks(table, 1)
    page.locator("#map").focus()
    with page.expect_response(lambda answer: "/map-notes?" in answer.url):
        sent[0].continue_()
    page.unroute("**/map-notes")
    page.wait_for_timeout(100)
    assert page.evaluate("document.activeElement.id") == "map", (
        "what the server says later leaves the focus where it is"
    )
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    assert table.ply == before
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("checkbox", name="Notes and arrows").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#map g.map-notes")).to_have_count(0)


def test_a_drag_draws_an_arrow_and_moves_no_counter(sit: Open) -> None:
    table = sit()
    table.play_now("axis")
    bar, before = pen(table), table.ply
    bar.get_by_role("button", name="Arrow").click()
    start, end = table.bring("N4"), table.point("N6")
    table.page.mouse.move(*start)
    table.page.mouse.down()
    table.page.mouse.move(*end, steps=5)
    table.page.mouse.up()
    expect(bar.get_by_label("Text at N4")).to_be_focused()
    marks(table, 1)
    assert table.ply == before


def test_two_screens_and_a_lost_answer_lose_nothing(sit: Open, hosted: Server) -> None:
    table, _ = two_people(sit, hosted, {})
    page = table.page
    other = page.context.new_page()
    other.goto(page.url)
    there = Table(other, hosted)
    there.arrived()
    pen(table), pen(there)
    page.route("**/map-notes", lambda route: (route.fetch(), route.abort()) if route.request.method == "POST" else None)
    table.click_hex("N6")
    expect(page.get_by_role("alert").filter(has_text="Not kept")).to_be_visible()
    there.click_hex("N4")
    page.unroute("**/map-notes")
    table.click_hex("P6")
    marks(table, 3)
    marks(there, 3)
