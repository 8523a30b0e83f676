"""A week of War in Russia without a pointing device, from the first screen to the report."""

from __future__ import annotations

import re
from functools import partial

from playwright.sync_api import Page, expect

from tests.e2e.table import Table

AT = """(words) => (document.activeElement.ariaLabel ?? document.activeElement.textContent).includes(words)
  && document.activeElement.tagName"""
LISTEN = """() => {
  window.spoken = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const live = (target.closest ? target : target.parentElement)?.closest('[aria-live]');
      if (live && live.ariaLive !== 'off') window.spoken.push(live.textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
PLOTS = {"22": "2", "6": "3", "21": "3"}


def tab_to(page: Page, words: str, tag: str = "BUTTON") -> None:
    """Go on with Tab to what is called so."""
    for _ in range(90):
        page.keyboard.press("Tab")
        if page.evaluate(AT, words) == tag:
            return
    raise AssertionError(f"Tab does not lead to {words!r}")


def begin_by_keyboard(table: Table, game: str, lesson: str) -> None:
    """Open the first screen, and start a lesson of a game from it without a pointing device."""
    page = table.page
    table.lobby()
    start = page.get_by_role("button", name=f"Start the lesson {lesson}", include_hidden=True)
    if page.locator("details", has=start).get_attribute("open") is None:
        tab_to(page, game, "SUMMARY")
        page.keyboard.press("Enter")
    tab_to(page, f"Start the lesson {lesson}")
    page.keyboard.press("Enter")
    table.arrived()
    table.until_mine()


def test_a_week_by_keyboard_alone(table: Table) -> None:
    page, keys = table.page, table.page.keyboard
    begin_by_keyboard(table, "War in Russia", "Brest, the first week")
    assert page.evaluate("() => document.activeElement.id") == "map"
    page.evaluate(LISTEN)
    given = set[str]()
    for _ in range(10):
        keys.press("n")
        table.until_asked("orders")
        table.until_mine()
        found = re.search(r"roup (\d+)", table.prompt.inner_text())
        group = found[1] if found else ""
        if group in PLOTS.keys() - given:
            keys.press("p")
            way = PLOTS[group]
            table.after(partial(keys.press, way))
            given.add(group)
        table.ready_again()
        keys.press("q")
        table.until_asked("movement")
        table.until_mine()
        if given == PLOTS.keys():
            break
    assert {u["id"]: u["plot"] for u in table.view()["units"] if u.get("plot")} == PLOTS
    # Space puts down what is in hand, asks about the group that has no orders, and ends the phase
    asked = False
    for _ in range(12):  # while an answer is under way a press does nothing
        table.ready_again()
        asked = asked or page.get_by_role("button", name=re.compile("Really")).is_visible()
        if table.state == "over":
            break
        if table.state == "mine":
            keys.press("Space")
    assert asked
    table.until("over")
    report = page.get_by_role("dialog", name="The lesson is over")
    expect(report).to_contain_text("All three groups fought together.")
    spoken = page.evaluate("() => window.spoken")
    assert any("Orders for Group" in text for text in spoken) and any("against Group" in text for text in spoken)
    assert not [text for text in spoken if "{" in text], "marks are read aloud"
