"""What is under way besides playing while the connection, the server or the clock fails: talk, offers and advice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.play.test_hints import to_movement
from tests.e2e.proxy import Proxy
from tests.e2e.seats.test_seats import begin, claim, close, menu
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.e2e.trouble.test_mute import Muted
from tests.e2e.trouble.test_mute import proxy as proxy

SET_CLOCK = """() => {
  const now = Date.now.bind(Date);
  window.behind = 0;
  Date.now = () => now() - window.behind;
}"""
ANSWERED = """() => {
  const say = [...document.querySelectorAll("button")].find((button) => button.textContent.trim() === "Say it");
  const field = say.closest("form")?.querySelector("input, textarea");
  return !say.disabled || !field.value;
}"""
"""The message has gone, or can be sent again."""
HOUR_MS = 3_600_000
AWAY_MS = 3000
POLLS_MS = 1500
"""Long enough for a page to ask several times how a job stands."""


@pytest.fixture
def between(hosted: Server) -> Iterator[Proxy]:
    proxy = Proxy(hosted.port)
    yield proxy
    proxy.close()


def test_what_was_said_and_offered_in_the_silence_is_there_when_the_network_is_back(
    sit: Open, hosted: Server, between: Proxy
) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    link = begin(one)
    close(one)
    claim(two, link.replace(hosted.url, between.url))
    page = two.page
    page.get_by_role("tab", name="Talk").click()
    expect(page.get_by_label("My notes")).to_be_enabled()
    between.mute()
    one.page.get_by_role("tab", name="Talk").click()
    one.page.get_by_role("button", name="Good luck!").click()
    dialog = menu(one)
    dialog.get_by_role("button", name="Offer a draw").click()
    dialog.get_by_role("button", name="Really? Offer a draw").click()
    expect(dialog).to_contain_text("Your offer of a draw stands")
    close(one)
    page.get_by_label("My notes").fill("Hold the Dnieper")
    page.get_by_label("Say something").fill("Are you there?")
    page.get_by_role("button", name="Say it").click()
    expect(page.get_by_role("alert").filter(has_text="Connection lost")).to_be_visible(timeout=PATIENCE)
    between.unmute(forget=True)
    said = page.get_by_role("list", name="What was said")
    expect(said).to_contain_text("Good luck!")
    expect(page.get_by_role("status").filter(has_text="Axis offers a draw.")).to_be_visible()
    # what was said into the silence has come, or waits in the field to be said again: once, in any case
    page.wait_for_function(ANSWERED, timeout=PATIENCE)
    if page.get_by_label("Say something").input_value():
        page.get_by_role("button", name="Say it").click()
    for table in (one, two):
        words = table.page.get_by_role("list", name="What was said")
        expect(words).to_contain_text("Are you there?")
        expect(words.get_by_text("Are you there?")).to_have_count(1)
    page.get_by_label("My notes").press("End")
    page.get_by_label("My notes").press_sequentially("!")
    expect(page.get_by_role("status").filter(has_text="read by nobody else")).to_be_visible()
    page.reload()
    page.get_by_role("tab", name="Talk").click()
    expect(page.get_by_label("My notes")).to_have_value("Hold the Dnieper!")


def test_a_hint_comes_although_nobody_answers_for_a_while(sit: Open) -> None:
    table = sit()
    table.new_match(seed=3, soviet="greedy")
    to_movement(table)
    page = table.page
    page.route("**/analysis/*", lambda route: route.abort())
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator('[data-advice="thinking"]')).to_be_visible()
    page.wait_for_timeout(POLLS_MS)
    expect(page.locator('[data-advice="thinking"]')).to_be_visible()
    page.unroute("**/analysis/*")
    expect(page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)


def test_a_hint_comes_although_the_server_has_died_over_it(sit: Open, tmp_path: Path) -> None:
    """What one server had in hand, the next one is asked for again."""
    slow, quick = (Server(tmp_path / "games", bot_seconds=seconds) for seconds in (60, 0.15))
    try:
        slow.start()
        table = sit(at=slow)
        table.new_match(seed=3, soviet="greedy")
        to_movement(table)
        page = table.page
        page.get_by_role("button", name="Hint", exact=True).click()
        expect(page.locator('[data-advice="thinking"]')).to_be_visible()
        page.wait_for_timeout(POLLS_MS)
        slow.kill()
        page.wait_for_timeout(AWAY_MS)
        quick.port = slow.port
        quick.start()
        expect(page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)
    finally:
        slow.kill()
        quick.kill()


def test_a_clock_that_is_set_back_hides_no_silence(sit: Open, proxy: Proxy) -> None:
    """A page that counts time by the clock would hold itself for up to date until the clock is where it was."""
    table = sit(at_once=False)
    table.page.context.add_init_script(f"({SET_CLOCK})()")
    muted = Muted(table, proxy)
    page = table.page
    proxy.mute()
    ply = muted.act_elsewhere()
    page.evaluate(f"() => {{ window.behind = {HOUR_MS} }}")
    expect(muted.lost).to_be_visible(timeout=PATIENCE)
    proxy.unmute(forget=True)
    muted.is_whole_at(ply)
