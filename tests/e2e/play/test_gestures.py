"""Single gestures of a fast player: odds pointed out, a stack and a way drawn by drag, putting down, touch."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.play.test_clicks import ALONE, Hand, give, log
from tests.e2e.table import PATIENCE, Table


def seated(sit: Open, context_of: Callable[..., BrowserContext], phase: str, **settings: object) -> Table:
    """A game for two at one screen, at the Axis movement or attack phase."""
    context = context_of(**settings)
    context.add_init_script(ALONE)
    table = sit(context=context, **settings)
    table.new_match(seed=1)
    orders = {"movement": ["done", "done"], "attack": ["done", "done", "done", "stand_all"]}
    for order in orders[phase]:
        give(table, str(table.view()["decision"]["seat"]), order)
    table.until_asked(phase)
    return table


def given(table: Table) -> list[str]:
    return [str(e["action"]) for e in log(table)]


def test_a_stack_goes_together_and_a_click_on_it_puts_it_down(
    sit: Open, context_of: Callable[..., BrowserContext]
) -> None:
    table = seated(sit, context_of, "movement")
    hand = Hand(table)
    table.after(lambda: hand.drag("39Pz", "M3", together=True))
    expect(table.prompt).to_have_attribute("data-kind", "moving", timeout=PATIENCE)
    hand.told("to M3")
    assert given(table)[2:] == ["move 39Pz", "with 2Inf", "to M3"]
    table.ready_again()
    table.after(lambda: table.press(hand.grasp("39Pz")))
    table.until_asked("movement")
    assert given(table)[-1] == "halt"
    assert table.where("2Inf") == "M3"


def test_a_way_is_drawn_hex_by_hex(sit: Open, context_of: Callable[..., BrowserContext]) -> None:
    table = seated(sit, context_of, "movement")
    page = table.page
    hand = Hand(table)
    start = hand.grasp("4PzG")
    page.keyboard.down("Alt")
    page.mouse.move(*start)
    page.mouse.down()
    for hex_id in ("M4", "M3", "M2"):
        page.mouse.move(*table.point(hex_id), steps=6)
    expect(page.locator("#map .over path.route")).to_be_visible()
    page.mouse.up()
    page.keyboard.up("Alt")
    hand.told("halt")
    walked = [order for order in given(table) if order.startswith(("to ", "step "))]
    assert walked == ["step M4", "to M3", "to M2"], given(table)


def test_the_odds_of_all_are_shown_where_an_enemy_is_pointed_at(
    sit: Open, context_of: Callable[..., BrowserContext]
) -> None:
    table = seated(sit, context_of, "attack")
    target = next(o["hex"] for o in table.options() if o["verb"] == "attack")
    odds = table.query("odds", targets=target, units="all")
    table.hover(target)
    expect(table.page.locator(".board .tip")).to_contain_text(f"{odds['attack']} against {odds['defence']}")
    # a unit that cannot attack there says why, and nothing is announced
    assert table.kind == "attack"


def test_attacks_and_dice_by_touch(sit: Open, context_of: Callable[..., BrowserContext]) -> None:
    table = seated(sit, context_of, "attack", **PHONE)
    target = next(
        o["hex"] for o in table.options()
        if o["verb"] == "attack" and len(table.query("odds", targets=o["hex"], units="all")["units"]) > 1
    )  # fmt: skip
    table.click_hex(target)
    table.until_asked("build_attack")
    others = table.page.get_by_role("button", name="All others join")
    if not others.is_visible():
        table.page.get_by_role("tab", name="Orders").tap()
    others.tap()
    expect(others).to_have_count(0)
    joined = [order for order in given(table) if order.startswith("with ")]
    assert len(joined) > 1
    table.ready_again()
    table.button("ready").tap()
    table.until_asked("attack")
    expect(table.page.get_by_role("button", name=re.compile("Resolve"))).to_have_count(0)
