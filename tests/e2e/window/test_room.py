"""How a player makes room: panels that fold and take another width, an overview that hides, letters of another size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import PHONE, Open
from tests.e2e.fit import Size
from tests.e2e.play.test_questions import bring_in
from tests.e2e.seats.test_company import picture
from tests.e2e.table import Table
from tests.e2e.window.test_access import check
from tests.e2e.window.test_sizes import POINTED, TOUCHED, spoiled

LARGE = """localStorage['rasputitsa.prefs'] = JSON.stringify(
  { pace: 'instant', curtain: 'never', textScale: 150 })"""
SMALL = LARGE.replace("150", "90")


def wide(page: Page) -> int:
    box = page.get_by_role("complementary", name="Panels").bounding_box()
    return round(box["width"]) if box else 0


def letters(page: Page) -> str:
    return str(page.evaluate("() => getComputedStyle(document.documentElement).fontSize"))


def test_panels_fold_and_take_another_width_and_both_are_remembered(sit: Open) -> None:
    table = sit()
    table.new_match(soviet="greedy")
    page = table.page
    usual = wide(page)
    edge = page.get_by_role("separator", name="Width of the panels")
    edge.focus()
    page.keyboard.press("ArrowLeft")
    assert wide(page) == usual + 16
    devtools = page.context.new_cdp_session(page)
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    for size in (POINTED["notebook"], TOUCHED["tablet across"]):
        found = spoiled(table, devtools, size)
        picture(table, "wide-panels")
        assert found == []
    page.set_viewport_size({"width": 1366, "height": 768})
    edge.hover(position={"x": 4, "y": 40})
    page.mouse.down()
    page.mouse.move(700, 300, steps=4)
    page.mouse.up()
    assert abs(wide(page) - (1366 - 700)) <= 16
    assert check(page, "resized") == []
    page.reload()
    table.arrived()
    assert abs(wide(page) - (1366 - 700)) <= 16
    page.get_by_role("button", name="Panels next to the map").click()
    expect(page.get_by_role("complementary", name="Panels")).to_be_hidden()
    assert page.locator("#map").bounding_box()["width"] == 1366  # type: ignore[index]
    picture(table, "folded")
    page.reload()
    table.arrived()
    expect(page.get_by_role("complementary", name="Panels")).to_be_hidden()
    page.locator("#map").focus()
    page.keyboard.press("o")
    expect(page.get_by_role("complementary", name="Panels")).to_be_visible()
    edge.dblclick()
    assert wide(page) == usual


def test_the_overview_hides_and_comes_back(sit: Open) -> None:
    table = sit()
    table.play_now("axis")
    page = table.page
    overview = page.locator(".minimap")
    expect(overview).to_be_visible()
    page.get_by_role("button", name="Hide the overview").click()
    expect(overview).to_have_count(0)
    page.reload()
    table.arrived()
    expect(overview).to_have_count(0)
    page.get_by_role("button", name="Layers").click()
    page.get_by_role("checkbox", name="Overview in the corner").check()
    expect(overview).to_have_count(1)


def test_a_phone_that_has_no_overview_offers_none(sit: Open) -> None:
    table = sit(**PHONE)
    table.play_now("axis")
    table.page.get_by_role("button", name="Layers").click()
    layers = table.page.get_by_role("dialog")
    expect(layers.get_by_label("Place names")).to_be_visible()
    expect(layers.get_by_label("Overview in the corner")).to_have_count(0)


def test_letters_of_another_size_are_remembered_everywhere(sit: Open) -> None:
    table = sit(viewport={"width": 2560, "height": 1440})
    table.play_now("axis")
    page = table.page
    assert letters(page) == "16px"
    page.get_by_role("button", name="Layers").click()
    page.get_by_label("Text of the interface").fill("150")
    assert letters(page) == "24px"
    picture(table, "letters")
    page.reload()
    table.arrived()
    assert letters(page) == "24px"
    table.lobby()
    assert letters(page) == "24px"


@pytest.mark.parametrize("letter", [LARGE, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("sizes", [TOUCHED, POINTED], ids=["touched", "pointed"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_questions_can_be_read_in_letters_of_every_size(
    sit: Open, game: str, sizes: dict[str, Size], letter: str
) -> None:
    """One about units, at the twelve sizes."""
    table: Table = sit(has_touch=sizes is TOUCHED, is_mobile=sizes is TOUCHED)
    table.page.context.add_init_script(letter)
    devtools = table.page.context.new_cdp_session(table.page)
    bring_in(table, moving(game))
    table.until("mine")
    found: list[str] = []
    for name, size in sizes.items():
        found += [f"{name}: {what}" for what in spoiled(table, devtools, size)]
        if folder := os.environ.get("RASPUTITSA_PICTURES"):
            kind = f"{game}-{'large' if letter is LARGE else 'small'}-{name}"
            table.page.screenshot(path=Path(folder) / f"letters-{kind}.png")
    assert not found, "\n".join(found)


def moving(game: str) -> str:
    """A saved match in which units are to be moved."""
    if game == "portfolio":
        return new_session("portfolio", "june22", {}, seed=1).save()
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    for line in ("done", "done", "auto supply"):
        session.play(line)
    return session.save()
