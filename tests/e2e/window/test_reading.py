"""What can be read beside the game: the map key, the guides to both sides, the rules."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.lessons.test_lessons import begin, goal
from tests.e2e.table import PATIENCE, Table
from tests.e2e.window.test_access import check

LESSON = {"portfolio": "First attack", "wir": "Brest, the first week"}
PAINTED = """(canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return colours.size;
}"""


def menu(page: Page) -> None:
    page.locator("header").get_by_role("button", name="Game", exact=True).click()


def unpainted(key: Locator) -> list[str]:
    """The pieces of map of a key on which there is nothing to be seen."""
    pieces = key.locator("div:has(> dt > canvas)")
    return [piece.inner_text() for piece in pieces.all() if piece.locator("canvas").evaluate(PAINTED) < 2]


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("portfolio", ["Dispersed (D)", "Stalin Line", "Victory city", "Zone of control"]),
        ("wir", ["Entrenchment", "German gauge", "Fortified city", "Front line"]),
    ],
)
def test_the_map_key_shows_each_sign_with_its_meaning(
    sit: Open, game: str, words: list[str], size: dict[str, Any]
) -> None:
    table = sit(**size)
    page = table.page
    begin(table, LESSON[game])
    menu(page)
    page.get_by_role("button", name="Map key").click()
    key = page.get_by_role("dialog", name="Map key")
    for word in words:
        expect(key.get_by_text(word, exact=True)).to_be_visible()
    signs = key.locator("dt")
    assert signs.count() > 30
    assert signs.locator("canvas, svg").count() == signs.count()
    assert unpainted(key) == []
    assert key.locator(".body").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert check(page, "map key") == []
    # Escape leads back to the menu it was opened from
    page.keyboard.press("Escape")
    expect(key).to_be_hidden()
    expect(page.get_by_role("button", name="Map key")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "own", "other"),
    [("portfolio", "Choose six points", "The Siberian reserve"), ("wir", "Rail and depots", "Factories")],
)
def test_the_guide_opens_at_ones_own_side(table: Table, game: str, own: str, other: str) -> None:
    page = table.page
    begin(table, LESSON[game])
    menu(page)
    page.get_by_role("button", name="Guide").click()
    guide = page.get_by_role("dialog", name="Guide")
    expect(guide.get_by_role("heading", name=own)).to_be_visible(timeout=PATIENCE)
    expect(guide.get_by_role("heading", name=other)).to_be_hidden()
    guide.get_by_role("button", name="Soviet").click()
    expect(guide.get_by_role("heading", name=other)).to_be_visible()
    assert check(page, "guide") == []


def test_guides_lead_to_the_paragraphs_they_name(table: Table) -> None:
    page = table.page
    table.lobby()
    table.card("War in Russia").get_by_role("link", name="Guide").click()
    link = page.get_by_role("link", name="8.9").first
    expect(link).to_have_attribute("href", "#/rules/wir/8.9")
    page.get_by_role("button", name="Soviet Union").click()
    page.wait_for_url("**/#/guide/wir/soviet")
    expect(page.get_by_role("heading", name="The first winter")).to_be_visible()


def test_the_rules_are_searched(table: Table) -> None:
    page = table.page
    page.goto(f"{table.server.url}/#/rules/wir")
    search = page.get_by_label("Search the rules")
    search.fill("partisans")
    expect(page.locator("article h3", has_text="8.7")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("article h3", has_text="1.3")).to_have_count(0)


def test_a_hex_tells_who_commanded_there_in_the_war(table: Table) -> None:
    begin(table, "First attack")
    table.click_hex("Q12")
    inspector = table.page.locator(".pinned .inspector")
    expect(inspector).to_contain_text("In the war under Pavel Kurochkin (date uncertain)")
    expect(inspector.get_by_text("Pavel Kurochkin")).to_have_attribute("title", re.compile("estimates"))


def test_a_campaign_begins_even(table: Table) -> None:
    table.begin("Barbarossa, first winter", "Axis")
    score = table.page.locator("header")
    expect(score).to_contain_text("±0 points since the start", timeout=PATIENCE)
    expect(score).not_to_contain_text("decisive")


def test_the_goal_of_the_enemy_is_called_so(table: Table) -> None:
    table.begin("Kursk, the southern face", "Axis")
    expect(goal(table)).to_contain_text("Soviet goal, to be prevented")
    table.begin("Kursk, the southern face", "Soviet Union")
    expect(goal(table).locator("strong")).to_have_text("Goal")


def test_counters_are_simpler_where_the_whole_map_is_seen(table: Table) -> None:
    table.begin("22 June 1941", "Axis")
    counters = table.page.locator("#map .slot")
    expect(counters.locator(".factors").first).to_be_attached()
    table.page.get_by_role("button", name="Whole map").click()
    table.settled()
    expect(counters.locator(".plain").first).to_be_attached()
    expect(counters.locator(".factors")).to_have_count(0)
