"""Sounds are off until they are wished for; then dice, orders and one's turn are heard, and a hidden page is silent."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.conftest import Open
from tests.e2e.plan import Plan

EAR = """() => {
  window.sounds = { tones: 0, knocks: 0, contexts: 0 };
  const { AudioContext: Real } = window;
  window.AudioContext = class extends Real { constructor() { super(); window.sounds.contexts++; } };
  for (const [kind, name] of [[OscillatorNode, 'tones'], [AudioBufferSourceNode, 'knocks']]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...args) { window.sounds[name]++; return start.apply(this, args); };
  }
}"""
HIDE = """(hidden) => Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })"""


def sounds(page: Page) -> dict[str, int]:
    return dict(page.evaluate("() => ({ ...window.sounds })"))


def volume(page: Page, percent: int) -> None:
    page.get_by_role("button", name="Layers").click()
    page.get_by_label("Sounds for dice").fill(str(percent))
    page.keyboard.press("Escape")


def test_sounds_are_heard_only_where_they_are_wished(sit: Open) -> None:
    table = sit()
    page = table.page
    page.add_init_script(f"({EAR})()")
    table.new_match(soviet="greedy")
    plan = Plan(moves=1, attacks=1)
    for _ in range(4):
        table.until_mine()
        table.answer(plan.choose(table.view()))
    table.until_mine()  # or that it is one's turn again would be heard as well
    assert sounds(page) == {"tones": 0, "knocks": 0, "contexts": 0}
    volume(page, 40)
    tried = sounds(page)
    assert tried["tones"] == 2 and tried["contexts"] == 1, "what was chosen is heard at once"
    while not sounds(page)["knocks"]:
        table.until_mine()
        table.answer(plan.choose(table.view()))
    heard = sounds(page)
    assert heard["tones"] > 2 and heard["knocks"] % 4 == 0
    page.evaluate(HIDE, True)
    for _ in range(3):
        table.until_mine()
        table.answer(plan.choose(table.view()))
    assert sounds(page)["knocks"] == heard["knocks"], "nobody looks at the page"
    page.evaluate(HIDE, False)
    volume(page, 0)
    silent = sounds(page)
    for _ in range(2):
        table.until_mine()
        table.answer(plan.choose(table.view()))
    assert sounds(page) == silent
