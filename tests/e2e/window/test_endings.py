"""The card at the end of a lesson, an evening or a whole game: its buttons are in view in every window."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Open
from tests.e2e.ended import every_end
from tests.e2e.fit import SPOILED, Size, resize
from tests.e2e.play.test_questions import NO_CURTAIN, bring_in
from tests.e2e.window.test_sizes import LARGE, NARROW, POINTED, TOUCHED

CARD = "[role=dialog]"
OUT_OF_VIEW = """(card, first) => [...card.querySelectorAll('.buttons :is(button, a.btn)')]
  .toSorted((a, b) => b.matches('.primary') - a.matches('.primary')).slice(0, first).filter((e) => {
  const box = e.getBoundingClientRect();
  const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const inside = box.top >= -1 && box.left >= -1 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
  return !inside || !e.contains(middle);
}).map((e) => `${e.textContent.trim()} is not in view`)"""
"""Of the first buttons, of which the one that leads on is the foremost, those that cannot be pressed at once."""
LEAST = 390
"""Where the window is lower, or the letters are large on a phone, one may have to scroll to the other buttons."""
UPRIGHT = 768
"""The narrower side of a tablet."""
EVERY = 99


def spoiled(page: Page, size: Size, large: bool) -> list[str]:
    """What cannot be read or pressed of the card."""
    found: list[str] = page.evaluate(SPOILED, [[], [CARD]])
    cramped = size.text > 1 or size.height < LEAST or (large and min(size.width, size.height) < UPRIGHT)
    return found + list(page.locator(CARD).evaluate(OUT_OF_VIEW, 1 if cramped else EVERY))


@pytest.mark.parametrize("sizes", [TOUCHED, POINTED, NARROW], ids=["touched", "pointed", "large letters"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_every_end_can_be_read_and_left_at_every_size(sit: Open, game: str, sizes: dict[str, Size]) -> None:
    """Also with the letters of the interface at 200 %."""
    table = sit(has_touch=sizes is not POINTED, is_mobile=sizes is not POINTED)
    page = table.page
    if sizes is NARROW:
        page.context.add_init_script(LARGE)
    page.context.add_init_script(NO_CURTAIN)
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    for end, saved in every_end(game).items():
        bring_in(table, saved)
        expect(page.locator(CARD)).to_be_visible()
        assert page.locator(CARD).locator(".buttons .btn").count() > 1
        for name, size in sizes.items():
            resize(page, devtools, size)
            wrong = spoiled(page, size, large=sizes is NARROW)
            found += [f"{end}, {name}: {what}" for what in wrong]
            if (folder := os.environ.get("RASPUTITSA_PICTURES")) and wrong:
                page.screenshot(path=f"{folder}/{game} {end} {name}.png")
    assert not found, "\n".join(found)
