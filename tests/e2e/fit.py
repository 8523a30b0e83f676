"""Whether all on a page can be read in a window of a size: nothing clipped, nothing laid over something else."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import CDPSession, Page, ViewportSize


class Size(NamedTuple):
    """Width and height in CSS pixels, and the size of the text."""

    width: int
    height: int
    text: float = 1.0


LETTER = 16
"""Height of a letter of text of the usual size, in pixels."""

SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished)))"""
"""Until the window has its new form: a transition that runs yet shows neither the old nor the new."""
SPOILED = """([strict, loose]) => {
  const unread = '.sr, [aria-hidden="true"], #map, option, details:not([open]) > :not(summary)';
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    e.getClientRects().length > 0 && !e.closest(unread) && getComputedStyle(e).clipPath === 'none';
  const name = (e) => `${e.tagName.toLowerCase()} "${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50)}"`;
  const found = [];
  const all = (names) => names.flatMap((name) => [...document.querySelectorAll(name)]).filter(shown);
  const whole = all(strict);
  const scrolls = (e, way) => {
    for (let p = e; p && p !== document.documentElement; p = p.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(p)[`overflow${way}`])) return true;
    return way === 'Y' && document.documentElement.scrollHeight > innerHeight + 1;
  };
  // what boxes that scroll leave of a piece of an element
  const seen = (e, part, piece) => {
    let { left, right, top, bottom } = piece;
    for (let p = e.parentElement; p && p !== part.parentElement; p = p.parentElement) {
      const style = getComputedStyle(p);
      const box = p.getBoundingClientRect();
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  for (const part of [...whole, ...all(loose)]) {
    const frame = part.getBoundingClientRect();
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
      if (!scrolls(e, 'Y') && text.bottom > frame.bottom + 2) found.push(`${name(e)} runs out of its part`);
      let [freeX, freeY] = [false, false];
      for (let p = e; p && p !== part.parentElement; p = p.parentElement) {
        const style = getComputedStyle(p);
        const box = p.getBoundingClientRect();
        // panels and pages scroll; of the question and the bar all must be seen at once
        const [x, y] = [style.overflowX, style.overflowY].map((o) => o !== 'visible');
        const across = ['hidden', 'clip'].includes(style.overflowX) || (whole.includes(part) && x);
        const down = ['hidden', 'clip'].includes(style.overflowY) || (whole.includes(part) && y);
        if (across && !freeX && (text.right > box.right + 2 || text.left < box.left - 2))
          found.push(`${name(e)} is cut off`);
        if (down && !freeY && (text.bottom > box.bottom + 2 || text.top < box.top - 2))
          found.push(`${name(e)} is cut off below`);
        [freeX, freeY] = [freeX || (x && !across), freeY || (y && !down)];
      }
    }
    // what can be pressed or read, beside each other
    const sorts = 'button, a, p, strong, h1, h2, h3, h4, label, select, summary, th, td';
    const boxes = [...part.querySelectorAll(sorts)].filter((e) => shown(e) && e.textContent.trim());
    const rects = boxes.map((e) => [...e.getClientRects()].map((piece) => seen(e, part, piece)));
    const sticks = (e) => {
      for (let p = e; p && p !== part; p = p.parentElement) if (getComputedStyle(p).position === 'sticky') return true;
      return false;
    };
    const stuck = boxes.map(sticks);
    const meet = (p, q) =>
      Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 &&
      Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 2;
    for (const [i, a] of boxes.entries())
      for (let j = i + 1; j < boxes.length; j++) {
        // what stays at the edge of a page lies over what passes beneath
        if (stuck[i] !== stuck[j] || a.contains(boxes[j]) || boxes[j].contains(a)) continue;
        if (rects[i].some((p) => rects[j].some((q) => meet(p, q))))
          found.push(`${name(a)} and ${name(boxes[j])} overlap`);
      }
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push('the page is wider than the window');
  return [...new Set(found)];
}"""
"""Texts that cannot be read: in parts of the page that must be seen whole, and in those that may scroll."""

WINDOWS = {
    "small phone": Size(360, 640), "small phone, 200 % text": Size(360, 640, 2.0),
    "phone across, 200 % text": Size(844, 390, 2.0), "tablet, 200 % text": Size(820, 1180, 2.0),
    "tablet across": Size(1024, 768), "notebook, 200 % text": Size(1366, 768, 2.0), "large screen": Size(2560, 1440),
}  # fmt: skip
"""For pages that are not about a question."""


def resize(page: Page, devtools: CDPSession, size: Size) -> None:
    """Give a page a window of a size."""
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": round(LETTER * size.text)}})
    page.set_viewport_size(ViewportSize(width=size.width, height=size.height))
    page.evaluate(SETTLED)


def unread(page: Page, part: str) -> list[str]:
    """What cannot be read of a part of a page, which may scroll, in small and large windows."""
    devtools = page.context.new_cdp_session(page)
    before = page.viewport_size
    assert before is not None
    found: list[str] = []
    for name, size in WINDOWS.items():
        resize(page, devtools, size)
        assert page.locator(part).first.is_visible(), f"{name}: there is no {part}"
        found += [f"{name}: {what}" for what in page.evaluate(SPOILED, [[], [part]])]
    resize(page, devtools, Size(before["width"], before["height"]))
    return found
