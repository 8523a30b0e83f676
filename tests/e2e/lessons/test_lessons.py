"""Lessons: offered in the lobby, won and lost in the browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.seats.test_rematch import resign
from tests.e2e.table import COVERED, PATIENCE, Table

MOVES = {"4AOK": "Q11", "2Inf": "Q11", "24Pz": "R11", "39Pz": "P11"}
TRIES = 4
STEPS = 60


def begin(table: Table, title: str) -> None:
    table.lobby()
    start = table.page.get_by_role("button", name=f"Start the lesson {title}", include_hidden=True)
    lessons = table.page.locator("details", has=start)
    expect(lessons).to_be_visible()
    if lessons.get_attribute("open") is None:  # it stands open only for those who have no game yet
        lessons.get_by_text("Learn by playing").click()
    start.click()
    table.arrived()
    table.until_mine()


def goal(table: Table) -> Locator:
    return table.page.get_by_role("region", name="Goal of the game")


def over(table: Table) -> Locator:
    return table.page.get_by_role("dialog", name="The lesson is over")


def option(table: Table, action: str) -> dict[str, Any] | None:
    return next((o for o in table.options() if o["action"] == action), None)


def attack_orsha(table: Table) -> None:
    """The four units move up, attack together, and one of them goes in."""
    for unit, hex_id in MOVES.items():
        for action in (f"move {unit}", f"to {hex_id}", "halt"):
            found = option(table, action)
            if found is not None:
                table.answer(found)
                table.until_mine()
    for _ in range(STEPS):
        if table.until("mine", "waiting", "showing", "over") == "over":
            return
        if table.state != "mine":
            table.until_mine()
            continue
        lines = [o["action"] for o in table.options()]
        wanted = ["to Q12", "attack Q12", *(f"with {unit}" for unit in MOVES), "ready", "resolve 1"]
        wanted += [*(f"advance {unit}" for unit in MOVES), "halt", "done", "refrain"]
        if table.kind == "attack" and table.view()["attacks"]:
            wanted = ["done"]
        if table.kind.startswith("retreat"):
            wanted = lines[:1]
        line = next((line for line in wanted if line in lines), lines[-1])
        found = option(table, line)
        assert found is not None
        table.answer(found)


def test_the_first_lesson_is_won(table: Table) -> None:
    page = table.page
    begin(table, "First attack")
    expect(goal(table)).to_contain_text("Take Orsha (Q12)")
    expect(goal(table)).to_contain_text("0 of 1")
    expect(goal(table)).to_contain_text("by 1 Aug 41, this is the last turn")
    expect(page.locator("#map path.goal-line")).to_have_count(1)
    for _ in range(TRIES):  # one roll in six only sends the enemy back by a hex
        attack_orsha(table)
        if over(table).get_by_role("heading", name="Goal reached").is_visible():
            break
        over(table).get_by_role("button", name="Try again").click()
        expect(over(table)).to_be_hidden()
        table.arrived()
        table.until_mine()
    end = over(table)
    expect(end).to_contain_text("Goal reached")
    expect(end.locator("li.met")).to_contain_text("hold Orsha (Q12)")
    end.get_by_role("button", name="Next lesson: Close a pocket").click()
    expect(end).to_be_hidden()
    table.until_mine()
    expect(goal(table)).to_contain_text("Minsk (Q8)")
    expect(goal(table).locator("li")).to_have_count(2)

    # the lobby remembers, and offers the next one first
    table.lobby()
    lessons = page.locator("details.lessons").first
    expect(lessons).to_contain_text("1 done")
    expect(lessons.locator("li.done h3")).to_contain_text("First attack")
    expect(lessons.locator("li.first h3")).to_have_text("Close a pocket")


@pytest.mark.parametrize("where", ["desk", "phone"])
def test_a_lesson_is_lost_and_begun_again(sit: Open, where: str) -> None:
    table = sit(**PHONE) if where == "phone" else sit()
    page = table.page
    begin(table, "First attack")
    if where == "phone":
        expect(goal(table)).not_to_contain_text("Take Orsha")
        goal(table).get_by_role("button").first.tap()
    expect(goal(table)).to_contain_text("Take Orsha")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(STEPS):
        if table.until("mine", "over") == "over":
            break
        done = option(table, "done")
        table.answer(done or table.options()[0])
        table.until("mine", "over")
    expect(over(table)).to_contain_text("Not reached this time")
    expect(over(table).locator("ul:not(.remarks) li:not(.met)")).to_contain_text("0 of 1")
    first = table.match_id
    over(table).get_by_role("button", name="Try again").click()
    page.wait_for_url(re.compile(rf"#/match/(?!{first}$)"))
    table.arrived()
    table.until_mine()
    assert table.view()["lesson"] == "first_attack"


def test_the_goal_by_keyboard_and_as_text(table: Table) -> None:
    page, keys = table.page, table.page.keyboard
    begin(table, "Stand or fall back")
    keys.press("j")
    spoken = page.locator('[aria-live="assertive"]').first
    expect(spoken).to_contain_text("still on the map: 20A, 21A, 22A: 3 of 3")
    expect(spoken).to_contain_text("one more turn after this")
    keys.press("t")
    text = page.locator("#text-view")
    expect(text.get_by_role("heading", name="Goal of the game")).to_be_visible()
    expect(text).to_contain_text("still on the map: 20A, 21A, 22A: 3 of 3, reached")


def test_a_lesson_of_war_in_russia_is_begun(table: Table) -> None:
    begin(table, "Depots forward")
    expect(goal(table)).to_contain_text("Have groups 3, 6 and 17 in supply")
    expect(goal(table)).to_contain_text("0 of 3")
    assert table.view()["lesson"] == "depots"


def test_an_evening_ends_as_a_game_and_not_as_a_lesson(table: Table) -> None:
    table.begin("Leningrad, August 1941", "Axis")
    table.until_mine()
    resign(table)
    end = table.page.get_by_role("dialog", name="The game is over")
    # nobody has reached a goal: it is said what ended the game
    expect(end.get_by_role("heading")).to_have_text("Soviet victory")
    expect(end).to_contain_text("The Axis resigned")
    expect(end.get_by_role("button", name="Play again, sides swapped")).to_be_visible()
    expect(end.get_by_role("link", name="New game")).to_be_visible()
    expect(end.get_by_role("link", name="All lessons")).to_have_count(0)


@pytest.mark.parametrize("where", ["desk", "phone"])
@pytest.mark.parametrize(
    ("title", "hexes"), [("Fuel", "AA9 DD7 DD14 EE14 FF16"), ("Winter counterblow", "M19 N18 O17 S18 T18 T20")]
)
def test_a_lesson_opens_on_its_units_and_its_goal(sit: Open, where: str, title: str, hexes: str) -> None:
    table = sit(**(PHONE if where == "phone" else {"viewport": {"width": 1280, "height": 800}}))
    begin(table, title)
    table.settled()
    hidden = [hex_id for hex_id in hexes.split() if table.page.evaluate(COVERED, table.point(hex_id))]
    assert not hidden


def test_a_hint_leaves_the_answers_to_a_long_question_free(sit: Open) -> None:
    table = sit(viewport={"width": 1280, "height": 800})
    begin(table, "Stand or fall back")
    table.page.get_by_role("button", name="Hint", exact=True).click()
    card = table.page.locator('[data-advice="hint"]')
    expect(card).to_be_visible(timeout=PATIENCE)
    top, prompt = card.bounding_box(), table.prompt.bounding_box()
    assert top and prompt and top["y"] >= prompt["y"] + prompt["height"]


def test_the_buttons_of_a_low_map_stay_clear_of_the_goal(sit: Open) -> None:
    table = sit(**PHONE)
    begin(table, "Winter counterblow")
    table.page.get_by_role("tab", name="Orders").tap()
    table.page.wait_for_function("document.querySelector('#map').getBoundingClientRect().height < 300")
    buttons, strip = table.page.get_by_role("group", name="Zoom").bounding_box(), goal(table).bounding_box()
    assert buttons and strip and buttons["y"] >= strip["y"] + strip["height"]
