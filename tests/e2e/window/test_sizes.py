"""No window is too small: each kind of question at sixteen sizes, with nothing clipped or laid over something else."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, expect

from tests.e2e.asked import every_question
from tests.e2e.conftest import Open
from tests.e2e.fit import SPOILED, Size, resize
from tests.e2e.play.test_questions import NO_CURTAIN, bring_in
from tests.e2e.table import Table

TOUCHED = {
    "small phone": Size(360, 640), "phone": Size(390, 844), "large phone": Size(430, 932),
    "phone across": Size(844, 390), "small phone across": Size(640, 360),
    "tablet upright": Size(768, 1024), "larger tablet upright": Size(820, 1180), "tablet across": Size(1024, 768),
    "small phone, 200 % text": Size(360, 640, 2.0), "phone, 200 % text": Size(390, 844, 2.0),
    "small phone across, 200 % text": Size(640, 360, 2.0),
    "tablet, 200 % text": Size(820, 1180, 2.0),
}  # fmt: skip
NARROW = {
    **{name: size for name, size in TOUCHED.items() if size.text == 1},
    "notebook": Size(1366, 768), "large screen": Size(2560, 1440),
}  # fmt: skip
LARGE = """localStorage['rasputitsa.prefs'] = JSON.stringify(
  { pace: 'instant', curtain: 'never', textScale: 200 })"""
POINTED = {
    "notebook": Size(1366, 768), "desktop": Size(1920, 1080), "large screen": Size(2560, 1440),
    "200 % text": Size(1366, 768, 2.0),
}  # fmt: skip
ROOM = """() => {
  const found = [];
  const prompt = document.querySelector('[aria-label="What is asked"]');
  const map = document.querySelector('#map').getBoundingClientRect();
  if (map.height < innerHeight / 4 || map.width < 200) found.push(`the map is left ${map.width} x ${map.height}`);
  if (!prompt || prompt.getBoundingClientRect().width < 200) found.push('the prompt has no width');
  const size = (e) => parseFloat(getComputedStyle(e).fontSize);
  const letter = size(document.documentElement);
  for (const e of document.querySelectorAll('.ask, .buttons .btn, header nav button, [role=tab]'))
    if (size(e) < letter * 0.8) found.push(`${e.textContent} is written smaller than chosen`);
  const answers = document.querySelector('.buttons');
  const lefts = [...answers.children].map((e) => e.getBoundingClientRect().left);
  const spare = Math.min(...lefts) - answers.getBoundingClientRect().left;
  if (lefts.length && getComputedStyle(answers).justifyContent === 'flex-end' && spare > 2)
    found.push(`next to the question ${spare} pixels stay empty`);
  const look = document.querySelector('.pinned')?.offsetHeight ?? 0;
  if (innerHeight < 500 && look > innerHeight * 0.3) found.push(`what is said of a hex takes ${look} pixels`);
  if (document.documentElement.scrollHeight > innerHeight + 1) found.push('the page is longer than the window');
  return found;
}"""
"""What is left of the map and the question."""
WHOLE = [".page > header", '[aria-label="What is asked"]']
PANELS = ['[aria-label="Panels"]']


def spoiled(table: Table, devtools: CDPSession, size: Size) -> list[str]:
    """What cannot be read of the question at a size."""
    page = table.page
    resize(page, devtools, size)
    found: list[str] = page.evaluate(SPOILED, [WHOLE, PANELS]) + page.evaluate(ROOM)
    return found


@pytest.mark.parametrize("sizes", [TOUCHED, POINTED, NARROW], ids=["touched", "pointed", "large letters"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_every_question_can_be_read_at_every_size(sit: Open, game: str, sizes: dict[str, Size]) -> None:
    """Also with the letters of the interface at 200 %, as the page has them, in windows from 360 to 2560 pixels."""
    table = sit(has_touch=sizes is not POINTED, is_mobile=sizes is not POINTED)
    if sizes is NARROW:
        table.page.context.add_init_script(LARGE)
    table.page.context.add_init_script(NO_CURTAIN)
    devtools = table.page.context.new_cdp_session(table.page)
    found: list[str] = []
    for kind, saved in every_question(game).items():
        bring_in(table, saved)
        table.until("mine")
        for name, size in sizes.items():
            found += [f"{kind}, {name}: {what}" for what in spoiled(table, devtools, size)]
            if sizes is NARROW:
                expect(table.page.locator("html")).to_have_css("font-size", "32px")
    assert not found, "\n".join(found)
