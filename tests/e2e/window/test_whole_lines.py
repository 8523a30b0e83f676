"""What lies over the map, and lists beside it: nothing covers anything else, and no line is cut in half."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from rasputitsa.core.record.new import lesson_session
from rasputitsa.core.record.session import Session
from tests.e2e.conftest import PHONE, Open
from tests.e2e.lessons.test_lessons import begin, goal, over
from tests.e2e.play.test_hints import brought_in
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.support import GAME, random_session

CUT = """(list) => {
  const top = list.getBoundingClientRect().top + list.clientTop + (list.querySelector('h4')?.offsetHeight ?? 0);
  return [...list.querySelectorAll('p')].filter((p) => {
    const r = p.getBoundingClientRect();
    return r.top < top - 1 && r.bottom > top + 1;
  }).map((p) => p.textContent);
}"""
"""The lines of a list that its upper edge cuts."""
AT_REST = """async (list) => {
  for (let was = NaN; was !== list.scrollTop; ) {
    was = list.scrollTop;
    await new Promise((done) => setTimeout(done, 150));
  }
}"""
ROOM = "(e) => e.clientHeight - e.scrollHeight"
SIZES: dict[str, dict[str, Any]] = {"desk": {"viewport": {"width": 1280, "height": 800}}, "phone": PHONE}


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def box(what: Locator) -> FloatRect:
    found = what.bounding_box()
    assert found is not None
    return found


def test_the_log_begins_with_a_whole_line(sit: Open, server: Server, size: str) -> None:
    table = sit(**SIZES[size])
    table.open(brought_in(server, random_session(4, 179).save()))
    table.page.get_by_role("tab", name="Log").click()
    entries = table.page.locator(".entries")
    expect(entries.locator("p").last).to_be_visible(timeout=PATIENCE)
    entries.evaluate(AT_REST)
    assert entries.evaluate("(list) => list.scrollHeight > list.clientHeight && list.scrollTop > 0")
    assert entries.evaluate(CUT) == []
    for up in (37, 111):
        entries.evaluate("(list, up) => list.scrollBy(0, -up)", up)
        entries.evaluate(AT_REST)
        assert entries.evaluate(CUT) == []


def test_a_lost_connection_covers_no_goal(sit: Open, server: Server) -> None:
    table = sit(**PHONE)
    begin(table, "First attack")
    table.page.context.set_offline(True)
    lost = table.page.locator(".banner", has_text="Connection lost")
    table.page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    expect(lost).to_be_visible(timeout=PATIENCE)
    assert box(lost)["y"] >= box(goal(table))["y"] + box(goal(table))["height"]
    table.page.context.set_offline(False)


def lost_lesson() -> Session:
    """A lesson with much to say at its end, played at random."""
    session, dice = lesson_session("portfolio", "pocket", seed=3), random.Random(3)
    while (decision := session.decision()) is not None:
        wanted = [o for o in decision.options if o.verb not in ("stop", "propose", "eliminate", "back")]
        session.play(GAME.format(session.state, dice.choice(wanted or decision.options)))
    return session


def test_the_end_of_a_lesson_fits_above_its_replay(sit: Open, server: Server, size: str) -> None:
    table = sit(**SIZES[size])
    table.open(brought_in(server, lost_lesson().save()))
    expect(over(table)).to_contain_text("Not reached this time", timeout=PATIENCE)
    assert over(table).evaluate(ROOM) >= 0
    table.page.locator("header").get_by_role("button", name="Game", exact=True).click()
    table.page.locator("dialog").get_by_role("button", name="Replay").click()
    expect(table.page.locator(".foot input[type=range]")).to_be_visible(timeout=PATIENCE)
    assert over(table).evaluate(ROOM) >= 0
    card, board = box(over(table)), box(table.page.locator(".board"))
    assert card["y"] >= board["y"] and card["y"] + card["height"] <= board["y"] + board["height"]
