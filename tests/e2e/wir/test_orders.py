"""War in Russia by mouse and keys: menus of the adjustment, an attack weighed, an air strike, weeks looked back on."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import COVERED, PATIENCE, Table
from tests.e2e.wir.test_table import QUICK, kind_is, press
from tests.support import PATIENCE as SECONDS

CRAMPED = (
    "() => [...document.querySelectorAll('.pools dt')].filter((name) => name.scrollWidth > name.clientWidth).length"
)
ABOVE = """(name) => Boolean(
  document.querySelector('#map .site').compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING)"""
LINES = """(e) => {
  const range = document.createRange();
  range.selectNodeContents(e);
  return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size;
}"""
MOVEMENT = ("done", "done", "auto supply", "done", "auto supply")


@pytest.fixture
def game(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> Callable[..., Table]:
    """A match of two persons at one screen, after some orders."""

    def make(*lines: str, **options: str) -> Table:
        context = context_of()
        context.add_init_script(QUICK.replace("fast", "instant").replace("}", ", curtain: 'never' }"))
        table = sit(context=context)
        session = new_session("wir", "barbarossa_short", options, seed=3)
        for line in lines:
            session.play(line)
        request = urllib.request.Request(f"{server.url}/api/import", session.save().encode(), method="POST")
        request.add_header("content-type", "application/x-ndjson")
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            table.open(str(json.loads(answer.read())["id"]))
        return table

    return make


def ask(table: Table, words: str) -> None:
    expect(table.prompt).to_contain_text(words, timeout=PATIENCE)


def all_spent() -> list[str]:
    """What the Soviet side may order in the first week until it can build no more."""
    session = new_session("wir", "barbarossa_short", {}, seed=3)
    session.play("done")
    lines = ["done"]
    while (decision := session.decision()) is not None:
        found = {option.verb: option for option in decision.options}
        wanted = ("build",) if decision.kind == "adjust" else ("strength", "type", "form", "halt")
        order = next((found[verb] for verb in wanted if verb in found), None)
        if order is None:
            break
        lines.append(session.game.format(session.state, order))
        session.play(lines[-1])
    return lines


def test_why_nothing_can_be_built_is_said(game: Callable[..., Table]) -> None:
    table = game(*all_spent())
    kind_is(table, "adjust")
    panel = table.page.get_by_role("tabpanel")
    expect(panel).to_contain_text("the pools do not suffice for 10 points", timeout=PATIENCE)


def test_the_report_of_one_side_is_not_left_open_for_the_other(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT)
    kind_is(table, "movement")
    press(table, "End movement")
    table.page.get_by_role("button", name="Really").click()
    report = table.page.get_by_role("region", name="Report of the week")
    expect(report).to_contain_text("Axis production", timeout=PATIENCE)
    kind_is(table, "adjust")
    press(table, "End adjustment")
    expect(report).to_contain_text("Soviet production", timeout=PATIENCE)
    expect(report).not_to_contain_text("Axis production")


def test_a_stack_fanned_out_does_not_hide_the_enemy_beside_it(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 1")
    kind_is(table, "orders")
    (x, y), (to_x, to_y) = table.bring("0415"), table.point("0515")
    table.page.mouse.move(x, y)
    fanned = table.page.locator('#map .slot[data-raised][data-hex="0415"]')
    expect(fanned).to_have_count(2, timeout=PATIENCE)
    near = (to_x + (x - to_x) * 0.3, to_y + (y - to_y) * 0.3)
    table.page.mouse.move(*near, steps=4)
    table.page.mouse.click(*near)
    group = table.page.get_by_role("region", name="Group in hand")
    expect(group.locator(".written b")).to_have_text("2", timeout=PATIENCE)


def test_menus_of_the_adjustment_by_mouse_and_by_number(game: Callable[..., Table]) -> None:
    table = game(ledger="shown")
    page = table.page
    kind_is(table, "adjust")
    expect(page.locator(".pools dt")).to_have_count(7)
    assert not page.evaluate(CRAMPED), "the name of a pool runs over the edge of its box"
    name = page.locator("#map .names").get_by_text("Germany")
    assert name.evaluate(ABOVE), "the ring of a city strikes its name through"
    page.locator("#map").focus()
    page.keyboard.press("/")
    for number in range(200, 208):
        page.get_by_label("Notation").fill(f"divide {number}")
        page.keyboard.press("Enter")
        expect(page.locator(".said p").last).to_contain_text(str(number))
    expect(page.locator(".said p").last).to_be_in_viewport()
    page.get_by_role("button", name="Close the command line").click()
    page.get_by_text("Divide a group").first.click()
    page.get_by_label("Find a group to divide").fill("16")
    page.locator('[data-action="divide 16"]').first.click()
    ask(table, "Group 16 divides")
    page.locator("#map").focus()
    page.keyboard.press("2")  # an infantry group, as in the original
    ask(table, "which unit goes over")
    expect(page.get_by_text(re.compile("is formed with the first unit"))).to_be_visible()
    # to send nothing gives the division up, which is asked about once
    panel = page.get_by_role("region", name="Transfer")
    table.ready_again()
    panel.get_by_role("button", name="Do not divide the group").click()
    really = panel.get_by_role("button", name="Really? No unit is sent yet, so no group is formed")
    expect(really).to_be_visible()
    assert table.kind == "transfer"
    page.locator("#map").focus()
    expect(really).to_be_hidden()
    page.keyboard.press("1")
    expect(panel.get_by_text("Axis infantry group")).to_have_count(2)
    table.ready_again()
    page.keyboard.press("q")
    kind_is(table, "adjust")

    press(table, "Germany")
    ask(table, "Which kind of group takes the new units in")
    page.locator('[data-action="form 1"]').first.click()
    expect(
        page.get_by_role("button", name=re.compile("at most 150 points at 1 infantry and 1 vehicle"))
    ).to_be_visible()
    page.locator('[data-action="type 1"]').first.click()
    expect(
        page.get_by_text(re.compile("PZ with 150 points: costs 150 infantry and 150 vehicle points"))
    ).to_be_visible()
    table.ready_again()
    page.keyboard.press("a")
    ask(table, "Which unit is built")


def test_an_attack_on_a_hidden_enemy_is_weighed_by_what_is_supposed(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 4; plot 3")
    page = table.page
    kind_is(table, "orders")
    card = page.locator(".odds")
    expect(card).to_contain_text("Hidden from you")
    expect(card.locator(".final")).to_have_text(re.compile(r"^≈ [\d.]+-[\d.]+\s*$"))
    card.get_by_role("button", name=re.compile("As an average")).first.click()
    expect(card.locator(".final")).to_have_text(re.compile(r"^[\d.]+-[\d.]+\s*$"))
    expect(card).to_contain_text("Retreat")
    before = card.locator(".final").text_content() or ""
    works = card.get_by_label(re.compile("Entrenchment of group"))
    works.select_option("5")
    expect(card.locator(".final")).not_to_have_text(before)
    expect(card).to_contain_text("in entrenchments of level 5")
    expect(card).to_contain_text("× 2")


def test_an_air_strike_is_flown_by_the_digits(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 54")
    page = table.page
    kind_is(table, "orders")
    ply = table.ply
    table.click_hex("0216")
    expect(page.get_by_role("alert")).to_contain_text("no enemy group in 0216")
    assert table.ply == ply
    target = next(option["hex"] for option in table.options() if option["verb"] == "ground")
    page.mouse.move(*table.bring(target))
    card = page.get_by_role("region", name="Group in hand")
    expect(card).to_contain_text("May intercept")
    expect(card).to_contain_text("Flak")
    table.click_hex(target)
    chooser = page.get_by_role("menu").locator(f'[data-action="ground {target}"]')
    page.wait_for_function(
        "() => document.querySelector('[role=menu]') || document.body.textContent.includes('Call the strike off')",
        timeout=PATIENCE,
    )
    if chooser.count():
        chooser.click()
    expect(page.get_by_role("button", name="Call the strike off")).to_be_visible()
    expect(page.locator("#map .arrow.strike")).to_have_count(1)


def test_one_press_takes_a_staff_order_back(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT)
    kind_is(table, "movement")
    before = table.ply
    table.after(lambda: press(table, "Staff: replacements and guns"))
    assert table.ply > before + 1
    table.ready_again()
    table.after(lambda: table.page.get_by_role("button", name="Undo").click())
    assert table.ply == before


def test_a_week_of_the_past_is_watched_and_its_losses_are_read(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 36; plot 2; halt", "get 37; plot 2; halt", "done")
    page = table.page
    kind_is(table, "adjust")
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_label("Position in the game").fill("3")
    page.locator('[data-state="past"]').wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Situation").click()
    expect(page.get_by_role("columnheader", name="Pool", exact=True)).to_be_visible()
    expect(page.get_by_role("columnheader", name="Next")).to_have_count(0)
    page.get_by_role("tab", name="Orders").click()
    page.get_by_role("button", name=re.compile("^Watch(?! on)")).click()
    player = page.get_by_role("region", name="Execution of the week")
    expect(player).to_be_visible()
    table.ready_again()
    page.keyboard.press("Escape")
    report = page.get_by_role("region", name="Report of the week")
    expect(report).to_contain_text("losses of the week")
    page.set_viewport_size({"width": 820, "height": 1180})
    again = report.get_by_role("button", name="Replay it")
    assert report.locator(".when").evaluate(LINES) == again.evaluate(LINES) == 1
    page.set_viewport_size({"width": 1366, "height": 768})
    report.get_by_text("All that happened").click()
    hex_id = report.locator(".fight .mark", has_text=re.compile(r"^\d{4}")).first
    hex_id.click()
    table.settled()
    assert not page.evaluate(COVERED, list(table.point(hex_id.inner_text()[:4]))), "the report lies over the place"
    report.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Close the replay").click()
    press(table, "Report of the week")
    report.get_by_role("button", name="Replay it").click()
    player.get_by_role("button", name="Pause").click()
    player.get_by_role("button", name="One step back").click()
    expect(page.get_by_role("tabpanel", name="Orders")).to_contain_text("not shown yet")
    home = table.where("14")
    assert home
    table.click_hex(home)
    expect(page.get_by_role("region", name="Hex and groups")).to_contain_text("group 14")
    assert page.locator("[data-supply]").count() == 0, "the supply line of the present, in a week of the past"
    page.keyboard.press("Escape")
    report.get_by_role("button", name="Close").click()
    press(table, "Tables and charts")
    expect(page.get_by_role("columnheader", name="Next week")).to_be_visible()
    page.get_by_role("tab", name="Losses").click()
    rows = page.get_by_role("row", name=re.compile("Infantry strength"))
    expect(rows).to_contain_text(re.compile(r"[1-9]"))
    expect(page.get_by_role("img", name=re.compile("Infantry strength"))).to_be_visible()


def test_question_and_units_have_room_in_middling_windows(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 36; plot 2; halt")
    page = table.page
    page.set_viewport_size({"width": 1280, "height": 800})
    kind_is(table, "movement")
    assert re.fullmatch(r"End movement \(\d+\)", table.prompt.locator(".primary").inner_text())
    assert table.prompt.evaluate("(e) => e.offsetHeight") < 90, "three lines"
    page.set_viewport_size({"width": 768, "height": 1024})
    page.keyboard.press("n")
    kind_is(table, "orders")
    assert page.locator("table .act").first.is_visible()
    beside = "(e) => e.querySelector('table').getBoundingClientRect().right - e.getBoundingClientRect().right"
    assert page.locator(".panels, [aria-label='Panels']").first.evaluate(beside) <= 0


def test_a_click_too_far_away_tells_how_far_the_group_may_march_or_plot(game: Callable[..., Table]) -> None:
    table = game(*MOVEMENT, "get 14")
    kind_is(table, "orders")
    table.click_hex("0810")
    told = table.page.get_by_role("alert")
    expect(told).to_contain_text("group 14 may move", timeout=PATIENCE)
    expect(told).to_contain_text("6.2")
    table.page.keyboard.press("p")
    table.click_hex("0810")
    expect(told).to_contain_text("a plot of group 14 leads", timeout=PATIENCE)
    expect(told).to_contain_text("6.6")
