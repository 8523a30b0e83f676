"""The game without a mouse, on a phone, in the dark, in large letters, and read aloud."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.plan import Plan
from tests.e2e.table import PATIENCE, Table
from tests.e2e.wir.test_keys import begin_by_keyboard, tab_to

CAMPAIGN_BEGUN_LAST = """localStorage.setItem('rasputitsa.scenarios', '{"portfolio": "june22"}')"""
GRAVE = ("serious", "critical")
BOXES = "body, header, main, aside, .panel, .pinned, .prompt, dialog .body"
OVERFLOWING = """(boxes) => [...document.querySelectorAll(boxes)]
  .filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.tagName}.${e.className}: ${e.scrollWidth} in ${e.clientWidth}`)"""


def verb(table: Table, name: str) -> dict[str, Any]:
    return next(o for o in table.options() if o["verb"] == name)


def test_a_turn_by_keyboard_alone(table: Table) -> None:
    page, keys = table.page, table.page.keyboard
    page.context.add_init_script(CAMPAIGN_BEGUN_LAST)
    table.lobby()
    for _ in range(12):
        keys.press("Tab")
        if page.evaluate("() => document.activeElement.textContent.includes('as the Axis')"):
            break
    keys.press("Enter")
    table.arrived()
    table.until_mine()
    assert page.evaluate("() => document.activeElement.id") == "map"

    # Space asks before it ends a phase, then ends it
    table.ready_again()
    keys.press("Space")
    expect(page.get_by_role("button", name=re.compile("Really"))).to_be_visible()
    table.ready_again()
    table.after(lambda: keys.press("Space"))
    table.until_mine()
    assert table.kind == "movement"

    # N goes to a unit, Enter takes it up, arrows go to a lit hex, Enter moves there
    for _ in range(40):
        keys.press("n")
        cursor = selected(table)
        alone = [u for u in table.view()["units"] if u["hex"] == cursor]
        if len(alone) == 1:
            break
    unit = alone[0]["id"]
    table.after(lambda: keys.press("Enter"))
    assert table.kind == "moving"
    reach = {o["hex"] for o in table.options() if o["hex"]}
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp"):
        keys.press(key)
        target = spoken_hex(table)
        if target in reach:
            break
    assert target in reach, "the cursor found no hex in reach"
    table.after(lambda: keys.press("Enter"))
    table.until_mine()
    assert table.where(unit) == target

    # a whole move as one typed line, and a line that is refused with its paragraph
    if table.kind == "moving":
        table.after(lambda: keys.press("Escape"))
    option = next(o for o in table.options() if o["verb"] == "move")
    mover = option["units"][0]
    origin = table.where(mover)
    goal = table.query("reach", units=mover)["plain"][0]["hex"]
    keys.press("/")
    line = page.get_by_label("Notation")
    expect(line).to_be_focused()
    keys.type(f"move {mover} {origin}-{goal}")
    table.after(lambda: keys.press("Enter"))
    assert table.where(mover) == goal
    keys.type(f"move {mover} {goal}-A1")
    keys.press("Enter")
    expect(page.get_by_role("log").filter(has_text=mover).first).to_contain_text(re.compile("[IVX]+"))
    keys.type("? turn")
    keys.press("Enter")
    expect(page.get_by_role("form", name="Command line")).to_contain_text("22 Jun 41")
    keys.press("Escape")
    expect(line).to_be_hidden()

    # the rest of the player-turn with the space bar and typed lines
    plan = Plan(moves=0, attacks=1, advances=1)
    for _ in range(40):
        table.until_mine()
        view = table.view()
        if view["phase"]["id"].startswith("reserve") or view["outcome"]:
            break
        action = plan.choose(view)["action"]
        keys.press("/")
        expect(line).to_be_focused()
        keys.type(action)
        table.after(lambda: keys.press("Enter"))
        keys.press("Escape")
        expect(line).to_be_hidden()
    assert table.view()["phase"]["id"].startswith("reserve")


def test_a_game_by_keyboard_alone(table: Table) -> None:
    """From the first screen to the report at the end, in the order of its own decisions."""
    page, keys = table.page, table.page.keyboard
    begin_by_keyboard(table, "The Russian Portfolio", "First attack")
    moves = {"39Pz": "P10-P11", "24Pz": "R10-R11", "4AOK": "Q10-Q11", "2Inf": "Q10-Q11"}

    def type_line(line: str) -> None:
        keys.press("/")
        expect(page.get_by_label("Notation")).to_be_focused()
        keys.type(line)
        table.after(partial(keys.press, "Enter"))
        keys.press("Escape")

    for line in (*(f"move {unit} {way}" for unit, way in moves.items()), "done", f"attack Q12: {','.join(moves)}"):
        type_line(line)
        table.until_mine()
    for _ in range(40):
        if table.until("mine", "waiting", "showing", "over") == "over":
            break
        table.ready_again()  # a press while an answer is under way does nothing
        inside = any(table.where(unit) == "Q12" for unit in moves)
        steps = [option["action"] for option in table.options() if option["verb"] == "to"]
        if steps and not inside:  # of the beaten army, or into its hex
            type_line("to Q12" if "to Q12" in steps else steps[0])
        elif table.kind == "advance" and not inside:
            keys.press("n")
            keys.press("Enter")
        elif table.kind == "breakthrough":  # Space gives up no attack: the button does, when it is pressed twice
            tab_to(page, "End breakthrough")
            keys.press("Enter")
            keys.press("Enter")
        else:
            keys.press("Space")
    report = page.get_by_role("dialog", name="The lesson is over")
    expect(report).to_be_visible()
    tab_to(page, "Try again")
    first = table.match_id
    keys.press("Enter")
    page.wait_for_url(re.compile(rf"#/match/(?!{first}$)"))


def selected(table: Table) -> str:
    """The hex the panel below the orders tells about."""
    header = table.page.locator(".pinned .inspector header")
    found = re.search(r"\b[A-Z]{1,2}\d{1,2}\b", header.inner_text())
    assert found is not None
    return found.group()


def spoken_hex(table: Table) -> str:
    spoken = table.page.locator('[aria-live="assertive"]')
    return (spoken.text_content() or "").split(",")[0].split(".")[0].strip()


def test_the_position_as_text(table: Table) -> None:
    page = table.page
    table.new_match(soviet="greedy")
    table.until("mine")
    # what was said of a hex on the map does not lie over the text
    option = next(o for o in table.options() if o["verb"] == "rail")
    table.hover(str(table.where(option["units"][0])))
    tip = page.locator(".board .tip")
    expect(tip).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("t")
    expect(tip).to_be_hidden()
    heading = page.get_by_role("heading", name="Position as text")
    expect(heading).to_be_focused()
    text = page.locator("#text-view")
    expect(text).to_contain_text(re.compile("22 Jun 41, Good, Replacements"))
    view = table.view()
    on_map = [u for u in view["units"] if u["hex"]]
    expect(text.locator("tbody tr:has(td:nth-child(6))")).to_have_count(len(on_map))
    expect(text.get_by_role("row", name=re.compile("39. PzKps.*39Pz.*7-5-6.*Ready"))).to_be_visible()
    # it can be played from here
    done = text.locator('[data-action="done"]')
    if not done.is_visible():
        text.get_by_text("Done", exact=True).first.click()
    table.after(done.click)
    table.until_mine()
    expect(text).to_contain_text("choose a unit to move")
    page.keyboard.press("t")
    expect(heading).to_be_hidden()


def test_a_phone_starts_a_match_and_moves(sit: Open) -> None:
    table = sit(**PHONE)
    page = table.page
    page.context.add_init_script(CAMPAIGN_BEGUN_LAST)
    table.lobby()
    assert overflow(page) == []
    table.card().get_by_role("button", name=re.compile("as the Axis")).tap()
    table.arrived()
    table.until_mine()
    end = page.get_by_role("button", name="End this phase", exact=True)
    end.tap()
    table.ready_again()
    table.after(lambda: page.get_by_role("button", name=re.compile("Really")).tap())
    table.until_mine()
    assert table.kind == "movement"
    assert overflow(page) == []
    by_hex: dict[str, list[dict[str, Any]]] = {}
    for option in table.options():
        if option["verb"] == "move":
            by_hex.setdefault(str(table.where(option["units"][0])), []).append(option)
    # one that stands alone at the first touch, one of a stack from the menu that opens
    for many in (False, True):
        option = next(options[-1] for options in by_hex.values() if (len(options) > 1) is many)
        unit = option["units"][0]
        here = str(table.where(unit))
        table.page.touchscreen.tap(*table.bring(here))
        if many:
            entry = page.get_by_role("menu").locator(f'[data-action="{option["action"]}"]')
            expect(entry).to_be_visible()
            table.after(entry.tap)
        table.until_asked("moving")
        reach = [c["hex"] for c in table.query("reach", units=unit)["plain"] if c["cost"] == 2]
        table.answer({"action": f"to {reach[0]}", "verb": "to", "hex": reach[0]})
        assert table.where(unit) == reach[0]
        if table.kind == "moving":
            table.ready_again()
            table.after(lambda: table.prompt.get_by_role("button", name=re.compile("Halt|Back")).first.tap())
        table.until_mine()
    # the panels come up as a sheet
    page.get_by_role("tab", name="Log").tap()
    expect(page.get_by_label("Game log")).to_be_visible()
    assert overflow(page) == []


def overflow(page: Page) -> list[str]:
    return list(page.evaluate(OVERFLOWING, BOXES))


def test_the_dark_theme(sit: Open) -> None:
    table = sit(color_scheme="dark")
    page = table.page
    table.new_match(soviet="greedy")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    dark = brightness(page)
    page.get_by_role("button", name="Layers").click()
    page.get_by_label("Colours").select_option("light")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "light"
    assert dark < 80 < 180 < brightness(page)
    page.reload()
    table.arrived()
    assert page.evaluate("() => document.documentElement.dataset.theme") == "light", "the choice is not kept"


def brightness(page: Page) -> float:
    color = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    return sum(float(part) for part in re.findall(r"\d+", color)[:3]) / 3


def test_reduced_motion_moves_at_once(sit: Open) -> None:
    table = sit(reduced_motion="reduce")
    table.new_match(soviet="greedy")
    times = table.page.evaluate(
        """() => [...document.querySelectorAll('#map .slot, aside, .btn')]
          .map((e) => getComputedStyle(e).transitionDuration)"""
    )
    assert set(times) == {"0s"}
    table.until("mine")
    table.answer(verb(table, "done"))
    table.until_mine()
    # N jumps to a unit out of sight without a ride across the map
    before = table.page.locator("#map .world").get_attribute("style")
    for _ in range(3):
        table.page.keyboard.press("p")
    at_once = table.page.evaluate("() => document.querySelector('#map .world').style.transform")
    table.settled()
    assert table.page.evaluate("() => document.querySelector('#map .world').style.transform") == at_once
    assert at_once not in str(before)


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["desktop", "phone"])
def test_letters_of_double_size_need_no_scrolling_sideways(sit: Open, settings: dict[str, Any]) -> None:
    table = sit(**settings)
    page = table.page
    double = "document.documentElement.style.fontSize = '200%'"
    table.lobby()
    page.evaluate(double)
    assert overflow(page) == [], "lobby"
    table.new_match(soviet="greedy")
    page.evaluate(double)
    for tab in ("Orders", "Log", "Situation", "Forces"):
        page.get_by_role("tab", name=tab).click()
        assert overflow(page) == [], tab
    page.get_by_role("button", name="Layers").click()
    assert overflow(page) == [], "Layers"


def check(page: Page, where: str) -> list[str]:
    """Grave findings of axe, each with the place it was found."""
    found = Axe().run(page).response["violations"]
    return [
        f"{where}: {v['id']} ({v['impact']}): {node['html'][:160]}"
        for v in found if v["impact"] in GRAVE for node in v["nodes"][:3]
    ]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_grave_barriers(sit: Open, scheme: str) -> None:
    table = sit(color_scheme=scheme)
    page = table.page
    problems: list[str] = []
    table.lobby()
    problems += check(page, "lobby")
    table.card().get_by_role("link", name="New game with choices").click()
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    problems += check(page, "new game")
    page.goto(f"{table.server.url}/#/rules/portfolio")
    expect(page.get_by_text("XIII.A").first).to_be_visible(timeout=PATIENCE)
    problems += check(page, "rules")
    table.new_match(soviet="greedy")
    table.until("mine")
    for tab in ("Orders", "Log", "Situation", "Forces"):
        page.get_by_role("tab", name=tab).click()
        problems += check(page, tab)
    for name in ("Layers", "Help", "Game"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        problems += check(page, name)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Text", exact=True).click()
    problems += check(page, "text")
    page.keyboard.press("Escape")
    plan = Plan(moves=0, attacks=1)
    for _ in range(30):
        table.until_mine()
        if table.kind == "build_attack" and table.page.locator(".final").count():
            break
        table.answer(plan.choose(table.view()))
    problems += check(page, "attack")
    assert not problems, "\n".join(problems)
