"""No window is too small: each kind of question at fifteen sizes, with nothing clipped or laid over something else."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import CDPSession, ViewportSize, expect

from tests.e2e.asked import every_question
from tests.e2e.conftest import Open
from tests.e2e.play.test_questions import NO_CURTAIN, bring_in
from tests.e2e.table import Table


class Size(NamedTuple):
    """Width and height in CSS pixels, and the size of the text."""

    width: int
    height: int
    text: float = 1.0


TOUCHED = {
    "small phone": Size(360, 640), "phone": Size(390, 844), "large phone": Size(430, 932),
    "phone across": Size(844, 390), "small phone across": Size(640, 360),
    "tablet upright": Size(768, 1024), "larger tablet upright": Size(820, 1180), "tablet across": Size(1024, 768),
    "small phone, 200 % text": Size(360, 640, 2.0), "phone, 200 % text": Size(390, 844, 2.0),
    "tablet, 200 % text": Size(820, 1180, 2.0),
}  # fmt: skip
NARROW = {name: TOUCHED[name] for name in (
    "small phone", "phone", "large phone", "tablet upright", "larger tablet upright", "tablet across",
)}  # fmt: skip
LARGE = """localStorage['rasputitsa.prefs'] = JSON.stringify(
  { pace: 'instant', curtain: 'never', textScale: 150 })"""
POINTED = {
    "notebook": Size(1366, 768), "desktop": Size(1920, 1080), "large screen": Size(2560, 1440),
    "200 % text": Size(1366, 768, 2.0),
}  # fmt: skip
LETTER = 16
"""Height of a letter of text of the usual size, in pixels."""

SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)))"""
"""Until the window has its new form: a transition that runs yet shows neither the old nor the new."""
SPOILED = """() => {
  const unread = '.sr, [aria-hidden="true"], #map, option, details:not([open]) > :not(summary)';
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    e.getClientRects().length > 0 && !e.closest(unread);
  const name = (e) => `${e.tagName.toLowerCase()} "${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50)}"`;
  const found = [];
  const prompt = document.querySelector('[aria-label="What is asked"]');
  const bar = document.querySelector('.page > header');
  const panels = document.querySelector('[aria-label="Panels"]');
  const scrolls = (e, way) => {
    for (let p = e; p && p !== document.documentElement; p = p.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(p)[`overflow${way}`])) return true;
    return false;
  };
  // what boxes that scroll leave of an element
  const seen = (e, part) => {
    let { left, right, top, bottom } = e.getBoundingClientRect();
    for (let p = e.parentElement; p && p !== part.parentElement; p = p.parentElement) {
      const style = getComputedStyle(p);
      const box = p.getBoundingClientRect();
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  for (const part of [bar, prompt, panels].filter(Boolean)) {
    const texts = [...part.querySelectorAll('*')].filter(
      (e) => shown(e) && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()),
    );
    for (const e of texts) {
      const range = document.createRange();
      range.selectNodeContents(e);
      const text = range.getBoundingClientRect();
      if (text.width < 1 || text.height < 1) { found.push(`${name(e)} has no room`); continue; }
      if (!scrolls(e, 'X') && (text.left < -1 || text.right > innerWidth + 1))
        found.push(`${name(e)} is beside the window`);
      if (!scrolls(e, 'Y') && (text.top < -1 || text.bottom > innerHeight + 1))
        found.push(`${name(e)} is below the window`);
      for (let p = e; p && p !== part.parentElement; p = p.parentElement) {
        const style = getComputedStyle(p);
        const box = p.getBoundingClientRect();
        // panels scroll; of the question and the bar all must be seen at once
        const [x, y] = [style.overflowX, style.overflowY].map((o) => o !== 'visible');
        const across = ['hidden', 'clip'].includes(style.overflowX) || (part !== panels && x);
        const down = ['hidden', 'clip'].includes(style.overflowY) || (part !== panels && y);
        if (across && (text.right > box.right + 2 || text.left < box.left - 2)) found.push(`${name(e)} is cut off`);
        if (down && (text.bottom > box.bottom + 2 || text.top < box.top - 2)) found.push(`${name(e)} is cut off below`);
      }
    }
    // what can be pressed or read, beside each other
    const sorts = 'button, a, p, strong, h1, h2, h3, h4, label, select, summary, th, td';
    const boxes = [...part.querySelectorAll(sorts)].filter((e) => shown(e) && e.textContent.trim());
    const rects = boxes.map((e) => seen(e, part));
    for (const [i, a] of boxes.entries())
      for (let j = i + 1; j < boxes.length; j++) {
        const [p, q] = [rects[i], rects[j]];
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 2 && high > 2 && !a.contains(boxes[j]) && !boxes[j].contains(a))
          found.push(`${name(a)} and ${name(boxes[j])} overlap`);
      }
  }
  const map = document.querySelector('#map').getBoundingClientRect();
  if (map.height < innerHeight / 4 || map.width < 200) found.push(`the map is left ${map.width} x ${map.height}`);
  if (!prompt || prompt.getBoundingClientRect().width < 200) found.push('the prompt has no width');
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push('the page is wider than the window');
  if (document.documentElement.scrollHeight > innerHeight + 1) found.push('the page is longer than the window');
  return [...new Set(found)];
}"""
"""Texts of the bar, the prompt and the panels that cannot be read."""


def spoiled(table: Table, devtools: CDPSession, size: Size) -> list[str]:
    """What cannot be read of the question at a size."""
    page = table.page
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": round(LETTER * size.text)}})
    page.set_viewport_size(ViewportSize(width=size.width, height=size.height))
    page.evaluate(SETTLED)
    found: list[str] = page.evaluate(SPOILED)
    return found


@pytest.mark.parametrize("sizes", [TOUCHED, POINTED, NARROW], ids=["touched", "pointed", "large letters"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_every_question_can_be_read_at_every_size(sit: Open, game: str, sizes: dict[str, Size]) -> None:
    """Also with the letters of the interface at 150 %, as the page has them, in narrow windows."""
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
                expect(table.page.locator("html")).to_have_css("font-size", "24px")
    assert not found, "\n".join(found)
