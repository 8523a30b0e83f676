"""On to the next unit and the next combat, by buttons and by keys, in both games."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import Open
from tests.e2e.plan import Plan
from tests.e2e.play.test_questions import NO_CURTAIN, bring_in
from tests.e2e.table import Table
from tests.e2e.window.test_access import selected


def test_on_to_every_combat_of_the_portfolio(sit: Open) -> None:
    table = sit()
    table.new_match(soviet="greedy")
    plan = Plan(moves=0, attacks=1)
    while table.kind != "attack":
        table.until_mine()
        table.answer(plan.choose(table.view()))
    page = table.page
    page.get_by_role("button", name="Next combat").click()
    targets = {option["hex"] for option in table.options() if option["verb"] == "attack"}
    targets |= {attack["targets"][0] for attack in table.view()["attacks"] if attack["state"] == "open"}
    page.locator("#map").focus()
    seen = {selected(table)}
    for _ in range(len(targets)):
        page.keyboard.press("Shift+C")
        seen.add(selected(table))
    assert seen == targets


def test_groups_without_orders_and_combats_plotted(sit: Open) -> None:
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    for line in ("done", "done", "auto supply"):
        session.play(line)
    table: Table = sit()
    table.page.context.add_init_script(NO_CURTAIN)
    bring_in(table, session.save())
    table.until("mine")
    page = table.page
    waiting = [u for u in table.view()["units"] if u.get("waits")]
    following = page.get_by_role("button", name=re.compile("Next without orders"))
    expect(following).to_contain_text(str(len(waiting)))
    expect(page.get_by_role("button", name="Next combat")).to_be_disabled()
    following.click()
    table.until_asked("orders")
    group = table.view()["decision"]["units"][0]
    assert group in {u["id"] for u in waiting}
