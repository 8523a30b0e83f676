"""What happened in the war, beside the game: folded away, never ahead of it, and the front of then on the map."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.conftest import Open
from tests.e2e.table import Table
from tests.e2e.window.test_access import check

NARROW: ViewportSize = {"width": 360, "height": 740}
BIG_TEXT = """() => { document.documentElement.style.fontSize = '200%'; }"""
SPILT = """(e) => [e, ...e.querySelectorAll('*')].filter((x) => {
  const { left, right } = x.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1 || (x.clientWidth > 0 && x.scrollWidth > x.clientWidth + 1);
}).map((x) => x.outerHTML.slice(0, 80))"""
"""What of an element and its parts sticks out of the window, or of the box it is in."""


def play(table: Table, game: str, scenario: str) -> None:
    """A scenario with both sides at this screen."""
    made = table.server.ask(
        "POST", "/matches",
        {"game": game, "scenario": scenario, "options": {}, "players": 2, "seed": 3,
         "controllers": {"axis": {"kind": "human"}, "soviet": {"kind": "human"}}},
    )  # fmt: skip
    table.open(str(made["id"]))


def unfold(table: Table) -> None:
    table.page.get_by_role("tab", name="Situation").click()
    chronicle = table.page.locator("details.chronicle")
    expect(chronicle).to_be_visible()
    assert not chronicle.evaluate("(e) => e.open"), "nobody is told what they did not ask for"
    chronicle.locator("summary").click()


def test_the_war_is_told_up_to_the_present_and_its_front_drawn(sit: Open) -> None:
    table = sit()
    play(table, "portfolio", "kiev")
    unfold(table)
    chronicle = table.page.locator("details.chronicle")
    expect(chronicle.get_by_role("heading")).to_have_text("1 to 20 August 1941")
    expect(chronicle).to_contain_text("Uman")
    expect(chronicle).to_contain_text("Glantz, Barbarossa Derailed")
    expect(chronicle).to_contain_text("figures are estimates")
    expect(chronicle.get_by_role("button", name="Later")).to_be_disabled()
    chronicle.get_by_role("button", name="Earlier").click()
    expect(chronicle.get_by_role("heading")).to_have_text("11 to 31 July 1941")
    expect(table.page.locator("#map path.history")).to_have_count(0)
    chronicle.get_by_label("Show on the map where the front ran on 1 August 1941").check()
    expect(table.page.locator('#map path.history[data-turn="3"]')).to_be_visible()
    expect(table.page.locator("#map").get_by_text("In the war: 1 August 1941")).to_have_count(3)
    assert check(table.page, "chronicle") == []


def test_what_comes_is_not_told_before_it_is_played(sit: Open) -> None:
    table = sit()
    play(table, "wir", "uranus")
    unfold(table)
    chronicle = table.page.locator("details.chronicle")
    expect(chronicle.get_by_role("heading")).to_have_text("October 1942")
    for _ in range(16):
        chronicle.get_by_role("button", name="Earlier").click()
    expect(chronicle.get_by_role("heading")).to_have_text("June 1941")
    expect(chronicle.get_by_role("button", name="Earlier")).to_be_disabled()


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "kiev"), ("wir", "uranus")])
def test_it_can_be_read_on_a_small_screen_and_with_large_text(sit: Open, game: str, scenario: str) -> None:
    table = sit(viewport=NARROW)
    play(table, game, scenario)
    unfold(table)
    chronicle = table.page.locator("details.chronicle")
    assert chronicle.evaluate(SPILT) == []
    table.page.evaluate(BIG_TEXT)
    assert chronicle.evaluate(SPILT) == []
