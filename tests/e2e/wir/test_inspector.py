"""What the inspector tells of a group's supply, and what the figure on counters can say."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import PHONE, Open
from tests.e2e.fit import unread
from tests.e2e.play.test_questions import NO_CURTAIN, bring_in
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.e2e.window.test_access import check
from tests.e2e.wir.test_staff import opened, to_movement

GROUP = "48"


def test_supply_and_figures_of_a_group(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    table = opened(sit, server, context_of(), session)
    page = table.page
    table.until_asked("movement")
    place = table.where(GROUP)
    assert place is not None
    table.click_hex(place)
    table.until_asked("orders")
    told = page.locator(f'[data-supply="{GROUP}"]').first
    line = table.query("line", unit=GROUP)
    expect(told).to_contain_text(line["text"][1:], timeout=PATIENCE)
    assert line["cut"]
    expect(told).to_contain_text("Cut off if the enemy comes to")
    told.get_by_role("button", name="Supply line").click()
    expect(told.get_by_role("button", name="Supply line")).to_have_attribute("aria-pressed", "true")
    assert check(page, "supply of a group") == []
    page.get_by_role("tab", name="Orders").click()
    assert unread(page, '[aria-label="Panels"]') == []
    unit = next(u for u in table.view()["units"] if u["id"] == GROUP)
    figure = table.counter(GROUP).locator(".figure")
    expect(figure).to_have_text(str(unit["strength"]))
    page.keyboard.press("w")
    expect(figure).to_have_text(str(unit["power"]))
    page.keyboard.press("w")
    expect(page.get_by_text("Counters show fatigue")).to_be_visible()


def test_what_is_touched_in_the_adjustment_always_answers(sit: Open) -> None:
    table = sit(**PHONE)
    table.page.context.add_init_script(NO_CURTAIN)
    bring_in(table, new_session("wir", "barbarossa_short", {}, seed=3).save())
    table.until_asked("adjust")
    table.until_mine()
    divided = next(o for o in table.options() if o["verb"] == "divide")
    group = table.where(divided["unit"])
    enemy = next(u for u in table.view()["units"] if u["side"] == "soviet" and u["hex"])
    assert group is not None
    for place, words in (
        (enemy["hex"], f"Group {enemy['id']} belongs to the other side"),
        (group, "What can be done here is listed under Orders"),
        ("0101", "There is no city in that hex"),
    ):
        table.click_hex(place)
        expect(table.page.get_by_text(re.compile(words, re.IGNORECASE)).first).to_be_visible(timeout=PATIENCE)
