"""Guided lessons in the browser: the step is said, its place and its button are marked, a wrong order is answered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.lessons.test_lessons import begin, over
from tests.e2e.table import PATIENCE, Table

ORSHA = [
    "move 39Pz", "to P11", "move 24Pz", "to R11", "move 4AOK", "to Q11", "move 2Inf", "to Q11", "done", "attack Q12",
    "with 39Pz", "with 24Pz", "with 4AOK", "with 2Inf", "ready", "done", "resolve 1",
]  # fmt: skip
BREST = [
    "get 22", "plot 2", "halt", "get 6", "plot 3", "halt", "get 21", "plot 3", "halt", "get 54", "ground 0519", "halt",
    "done",
]  # fmt: skip
LAST = 40
OFF_THE_MAPS = """(text) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(text).font;
  pen.textBaseline = "middle";
  const below = -pen.measureText(text.textContent).alphabeticBaseline;
  return text.getStartPositionOfChar(0).y - Number(text.getAttribute("y")) - below;
}"""
"""How much lower the letters of a name stand than on the map under it, which is a canvas."""


def guide(table: Table) -> Locator:
    return table.page.get_by_role("region", name="Step of the lesson")


def step(table: Table) -> int:
    return int(guide(table).get_attribute("data-step") or -1)


def option(table: Table, action: str) -> dict[str, Any]:
    return next(o for o in table.options() if o["action"] == action)


def carry_out(table: Table, lines: list[str]) -> list[int]:
    """Give orders as the steps ask for them; the steps that were shown before each."""
    shown = []
    for line in lines:
        table.until_mine()
        shown.append(step(table))
        found = [o for o in table.options() if o["action"] == line]
        if line.startswith("plot"):
            table.after(lambda: table.click_hex("0519"))
        elif found:  # a move may end by itself
            table.answer(found[0])
    return shown


def on(table: Table) -> None:
    """Give the order that leads on from what is asked."""
    lines = [o["action"] for o in table.options()]
    wanted = ["to Q12", "advance 39Pz", "halt", "done", "auto_supply"]
    line = lines[0] if table.kind.startswith("retreat") else next((w for w in wanted if w in lines), lines[-1])
    table.answer(option(table, line))


def to_the_end(table: Table) -> None:
    for _ in range(LAST):
        if table.until("mine", "over") == "over":
            return
        on(table)


def test_the_first_lesson_leads_by_the_hand(table: Table) -> None:
    page = table.page
    begin(table, "First attack")
    expect(guide(table)).to_contain_text("Step 1 of 16")
    expect(guide(table)).to_contain_text("Choose the 39th Panzer Corps in P10.")
    expect(page.locator("#map g.guided")).to_have_attribute("data-guide", "P10")
    table.answer(option(table, "move 24Pz"))
    expect(guide(table)).to_contain_text("That is another unit")
    guide(table).get_by_role("button", name="Undo").click()
    expect(guide(table)).not_to_contain_text("That is another unit")
    shown = carry_out(table, ORSHA[:9])
    assert shown == sorted(shown) and shown[0] == 0
    table.until_mine()
    expect(guide(table)).to_contain_text("Choose Orsha (Q12) to attack it.")
    name = page.locator("#map .guided + .names text")
    expect(name).to_have_text("Orsha")
    assert abs(name.evaluate(OFF_THE_MAPS)) < 0.5, "the name is not written over that of the map"
    carry_out(table, ORSHA[9:14])
    expect(guide(table)).to_contain_text("confirm: the attack is ready")
    ready = page.locator('button[data-action="ready"]').first
    assert "dashed" in ready.evaluate("e => getComputedStyle(e).outlineStyle")
    carry_out(table, ORSHA[14:])
    to_the_end(table)
    remarks = over(table).get_by_role("list", name="What was good, and what was not")
    expect(remarks).to_contain_text("All four units attacked together")
    expect(guide(table)).to_be_hidden()


def test_a_barred_click_is_answered_and_the_step_is_said_again(table: Table) -> None:
    begin(table, "First attack")
    table.answer(option(table, "move 39Pz"))
    table.click_hex("A20")
    expect(guide(table)).to_contain_text("Now choose P11")
    first = table.match_id
    guide(table).get_by_role("button", name="Start again").click()
    table.page.wait_for_url(re.compile(rf"#/match/(?!{first}$)"))
    table.arrived()
    table.until_mine()
    assert step(table) == 0


def test_the_first_lesson_of_war_in_russia_leads_by_the_hand(table: Table) -> None:
    begin(table, "Brest, the first week")
    expect(guide(table)).to_contain_text("Choose group 22")
    assert carry_out(table, BREST[:2]) == [0, 1]
    expect(table.page.locator(".estimate").first).to_contain_text("the order of battle at the start")
    expect(table.page.locator(".odds .final").first).to_contain_text("≈")
    carry_out(table, BREST[2:])
    to_the_end(table)
    expect(over(table).get_by_role("list", name="What was good, and what was not")).to_contain_text("All three groups")


def test_the_last_week_is_shown_before_the_end_is_announced(sit: Open) -> None:
    table = sit(at_once=False)
    page = table.page
    begin(table, "Brest, the first week")
    carry_out(table, BREST)
    week = page.get_by_role("region", name="Execution of the week")
    expect(week).to_be_visible(timeout=PATIENCE)
    table.until("over")
    expect(over(table)).to_be_hidden()
    expect(table.prompt).to_contain_text("shown on the map, step by step")
    week.get_by_role("button", name="Skip to the report").click()
    expect(over(table)).to_be_visible()
    expect(page.get_by_role("button", name="Report of the week")).to_be_visible()


def test_what_is_left_to_do_is_said_as_it_is(table: Table) -> None:
    begin(table, "First attack")
    expect(table.prompt).to_contain_text("framed unit")
    carry_out(table, ORSHA[:8])
    table.until_mine()
    expect(table.prompt).to_contain_text("No unit can move any more in this phase.")
    carry_out(table, ORSHA[8:14])
    table.answer(option(table, "ready"))
    expect(table.prompt).to_contain_text("No further hex can be attacked in this phase.")


@pytest.mark.parametrize("lesson", ["First attack", "Brest, the first week"])
def test_the_step_fits_on_a_phone(sit: Open, lesson: str) -> None:
    table = sit(**PHONE)
    begin(table, lesson)
    box = guide(table).bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # the map keeps its room
    table.page.wait_for_function("document.querySelector('#map').getBoundingClientRect().height > 300")
    carry_out(table, ["get 22" if "Brest" in lesson else "move 39Pz"])
    expect(guide(table)).to_contain_text("Step 2 of")


@pytest.mark.parametrize(("lesson", "enemy"), [("First attack", "Q12"), ("Brest, the first week", "0519")])
def test_what_is_touched_in_vain_is_answered(sit: Open, lesson: str, enemy: str) -> None:
    """Also while no unit is in hand; and the card of a term goes away when the map is touched."""
    table = sit(**PHONE)
    begin(table, lesson)
    hint = table.page.locator("div.tip")
    table.click_hex(enemy)
    expect(hint).to_contain_text("belongs to the other side")
    carry_out(table, ["get 22" if "Brest" in lesson else "move 39Pz"])
    guide(table).locator(".term").first.tap()
    card = table.page.locator("[popover]:popover-open")
    expect(card).to_be_visible()
    table.press(table.point(enemy))
    expect(card).to_have_count(0)


def test_an_empty_hex_touched_in_vain_says_where_to_choose(table: Table) -> None:
    begin(table, "First attack")
    table.click_hex("O12")
    expect(table.page.locator("div.tip")).to_contain_text("units that may act are framed")


def test_a_phone_across_keeps_its_map(sit: Open) -> None:
    table = sit(**PHONE | {"viewport": {"width": 844, "height": 390}})
    begin(table, "First attack")
    carry_out(table, ["move 24Pz"])
    expect(guide(table)).to_contain_text("That is another unit")
    box = table.page.locator("#map").bounding_box()
    assert box and box["height"] > 175
    buttons = table.page.locator(".zoom button")
    for button in buttons.all():
        place = button.bounding_box()
        assert place and place["y"] >= box["y"], "a button of the map lies under the question"


def test_the_place_of_a_step_comes_into_view(sit: Open) -> None:
    table = sit(**PHONE)
    begin(table, "Depots forward")
    expect(guide(table)).to_contain_text("Send it to 1217")
    table.settled()
    x, y = table.point("1217")
    assert table.page.evaluate("([x, y]) => !!document.elementFromPoint(x, y)?.closest('#map')", [x, y])


def test_the_newest_lines_of_a_battle_are_seen(sit: Open) -> None:
    table = sit(**PHONE)
    made = table.server.ask("POST", "/matches", {"game": "portfolio", "lesson": "first_attack", "seed": 2})
    table.open(str(made["id"]))
    carry_out(table, ORSHA)
    table.until_mine()
    table.answer(option(table, "advance 39Pz"))
    table.until_mine()
    lines = table.page.get_by_role("region", name="The last battle")
    expect(lines).to_be_visible()
    assert lines.evaluate("e => e.scrollHeight > e.clientHeight"), "there are more lines than room"
    assert lines.evaluate("e => e.scrollTop + e.clientHeight >= e.scrollHeight - 1")


@pytest.mark.parametrize("size", [{}, PHONE])
def test_a_term_is_explained_where_it_is_met(sit: Open, size: dict[str, Any]) -> None:
    table = sit(**size)
    page = table.page
    table.begin("22 June 1941", "Axis")
    table.until_mine()
    words = page.locator(".prompt .term")
    expect(words.first).to_be_visible()
    words.first.click()
    card = page.locator("[popover]:popover-open")
    expect(card).to_contain_text("Rule IX.A")
    box, window = card.bounding_box(), page.viewport_size
    assert box and window
    assert box["x"] >= 0 and box["x"] + box["width"] <= window["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= window["height"]
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.evaluate("localStorage.setItem('rasputitsa.prefs', '{\"terms\": false}')")
    page.reload()
    table.arrived()
    table.until_mine()
    expect(words).to_have_count(0)


@pytest.mark.parametrize(("game", "term"), [("portfolio", "Siberian gamble"), ("wir", "Penalty hex")])
def test_all_terms_are_listed_and_found(table: Table, game: str, term: str) -> None:
    page = table.page
    page.goto(f"{table.server.url}/#/rules/{game}/terms")
    expect(page.get_by_role("term").filter(has_text=term)).to_be_visible()
    page.get_by_label("Search the rules").fill(term)
    expect(page.get_by_role("term")).to_have_count(1)
