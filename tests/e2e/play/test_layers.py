"""Layers that show what decides: strength, odds, and who has no way to retreat."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESKTOP, PHONE, Open
from tests.e2e.play.test_hints import brought_in
from tests.e2e.seats.test_company import picture

HIDDEN_BY_FIGURES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((e) => [e, e.getBoundingClientRect()]);
  const numbers = boxes('#map .slot .id');
  return boxes('#map [data-figure]').flatMap(([figure, a]) => numbers
    .filter(([number]) => number.closest('.slot').dataset.hex === figure.dataset.figure)
    .filter(([, b]) => Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > (a.bottom - a.top) * 0.35)
    .map(([number]) => `${figure.textContent} over ${number.textContent}`));
}"""
"""Numbers of units under the figures of their hex; boxes of text have room above and below the letters."""


@pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_strength_and_odds_are_drawn_with_figures_and_a_legend(
    sit: Open, game: str, settings: dict[str, object]
) -> None:
    table = sit(**settings)
    scenario = {"portfolio": "june22", "wir": "barbarossa"}[game]
    seats = {seat: {"kind": "human"} for seat in ("axis", "soviet")}
    made = table.server.ask(
        "POST", "/matches",
        {"game": game, "scenario": scenario, "options": {}, "players": 2, "seed": 1, "controllers": seats},
    )  # fmt: skip
    table.open(str(made["id"]))
    legend = table.page.get_by_role("region", name="Shades on the map")
    figures = table.page.locator("#map svg .heat")
    expect(legend).to_have_count(0)
    for title in ("Strength, hex by hex", "Odds against each hex"):
        table.page.get_by_role("button", name="Layers").click()
        table.page.get_by_role("dialog").get_by_label(title).check()
        table.page.keyboard.press("Escape")
    expect(legend).to_contain_text("from 5:1")
    expect(legend).to_contain_text("Soviet")
    expect(figures.first).to_be_attached()
    told = table.query("strengths")["hexes"]
    expect(figures).to_have_count(len(told))
    known = next(row["text"] for row in told if row["value"] is not None)
    expect(table.page.locator("#map svg text", has_text=re.compile(f"^{known}$")).first).to_be_attached()
    if game == "wir":
        hidden = [row for row in told if row["side"] == "soviet"]
        assert all(row["estimated"] and row["text"].startswith("≈ ") for row in hidden), "the enemy is hidden"
        expect(legend).to_contain_text("an estimate")
    assert not table.page.evaluate(HIDDEN_BY_FIGURES)
    picture(table, f"strength-and-odds-{game}")


@pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])
def test_who_has_no_way_to_retreat_is_marked_on_the_map_and_told_in_the_inspector(
    sit: Open, saved_game: str, settings: dict[str, object]
) -> None:
    table = sit(**settings)
    table.open(brought_in(table.server, saved_game))
    trapped = table.query("trapped")["units"]
    assert trapped
    where = {unit["id"]: unit["hex"] for unit in table.view()["units"]}
    expect(table.page.locator("[data-trapped]")).to_have_count(len({where[u["unit"]] for u in trapped if u["pressed"]}))
    if table.touch:
        table.click_hex(where[trapped[0]["unit"]])
        table.page.get_by_role("tab", name="Hex").tap()
    else:
        table.hover(where[trapped[0]["unit"]])
    inspector = table.page.locator("aside .inspector:visible").last
    expect(inspector).to_contain_text(trapped[0]["text"])
    if table.touch:
        assert inspector.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), "the sheet scrolls, not a part of it"
    picture(table, "no-way-to-retreat")
