"""Orders to a staff: army groups that are ordered by one click, a week in few clicks, last week's plots once more."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, expect

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.e2e.conftest import Open
from tests.e2e.fit import unread
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table
from tests.e2e.window.test_access import check
from tests.support import PATIENCE as SECONDS

MARK = 25
"""Clicks that a week may take with the help of a staff."""
ALONE = "localStorage['rasputitsa.prefs'] ??= JSON.stringify({ pace: 'instant', curtain: 'never' })"
TO_MOVEMENT = {"adjust": "done", "depot": "auto supply"}
STAFF_IS_DONE = "() => !document.querySelector('[data-advice]')"


class Hand:
    """Clicks, and counts the clicks."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.presses = 0

    def click(self, what: Locator) -> None:
        self.table.ready_again()
        what.click(timeout=PATIENCE)
        self.presses += 1

    def press(self, name: str) -> None:
        self.click(self.table.page.get_by_role("button", name=name).first)

    def order(self, body: str, stance: str) -> None:
        """One click, and the staff goes to work."""
        self.click(self.table.page.get_by_role("button", name=f"{stance}: {body}", exact=True))
        self.table.page.wait_for_function(STAFF_IS_DONE, timeout=PATIENCE)
        expect(self.table.page.get_by_role("button", name="End movement")).to_be_enabled(timeout=PATIENCE)

    def end(self, phase: str) -> None:
        """Ends a phase, and says so again where that is asked."""
        self.press(f"End {phase}")
        really = self.table.page.get_by_role("button", name="Really")
        if self.table.kind == phase.replace("adjustment", "adjust") and really.is_visible():
            self.click(really)


def opened(sit: Open, server: Server, context: BrowserContext, session: Session) -> Table:
    context.add_init_script(ALONE)
    table = sit(context=context)
    request = urllib.request.Request(f"{server.url}/api/import", session.save().encode(), method="POST")
    request.add_header("content-type", "application/x-ndjson")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        table.open(str(json.loads(answer.read())["id"]))
    return table


def to_movement(session: Session) -> None:
    """On to the next movement phase of the Axis; nobody else does anything."""
    while (decision := session.decision()) is not None and (decision.kind, decision.seat) != ("movement", "axis"):
        session.play(TO_MOVEMENT.get(decision.kind, "done"), decision.seat)


def plots(table: Table) -> dict[str, str]:
    return {u["id"]: u["plot"] for u in table.view()["units"] if u.get("plot")}


def test_a_week_with_a_staff_takes_few_clicks(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    context = context_of(viewport={"width": 1600, "height": 1000})
    context.add_init_script(ALONE)
    table = sit(context=context)
    made = server.ask(
        "POST", "/matches",
        {
            "game": "wir", "scenario": "case_blue_short", "options": {}, "players": 2, "seed": 3,
            "controllers": {"axis": {"kind": "human"}, "soviet": {"kind": "bot", "bot": "planner"}},
        },
    )  # fmt: skip
    table.open(str(made["id"]))
    hand, page = Hand(table), table.page
    table.until_asked("adjust")
    table.until_mine()
    hand.press("Hint")
    page.locator('[data-advice="hint"]').wait_for(timeout=PATIENCE)
    every = page.get_by_role("button", name="Do all")
    if every.is_visible():
        hand.click(every)
        page.get_by_text("orders given").wait_for(timeout=PATIENCE)
    hand.end("adjustment")
    table.until_asked("depot")
    table.until_mine()
    hand.click(page.get_by_role("button", name="Staff: place this and all other depots"))
    table.until_asked("movement")
    table.until_mine()
    hand.order("Army Group South", "Fight")
    fighting = plots(table)
    assert len(fighting) > 3
    hand.order("Army Group Centre", "Hold")
    hand.order("Army Group North", "Hold")
    hand.order("Air groups", "Fight")
    assert plots(table) == fighting
    page.get_by_role("tab", name="Orders").click()
    assert unread(page, '[aria-label="Panels"]') == []
    # what the staff has ordered can be changed
    group = next(iter(fighting))
    hand.click(page.get_by_role("button", name=f"group {group} ").first)
    table.until_asked("orders")
    table.after(lambda: hand.press("Stop"))
    assert plots(table)[group] != fighting[group]
    hand.press("Put down")
    table.until_asked("movement")
    hand.end("movement")
    table.until_asked("adjust")
    print(f"a week with a staff: {hand.presses} clicks")
    assert hand.presses <= MARK


def test_orders_of_a_staff_are_taken_back_at_once_and_withdrawn(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    table = opened(sit, server, context_of(), session)
    hand, page = Hand(table), table.page
    table.until_asked("movement")
    assert check(page, "orders to a staff") == []
    hand.order("Army Group South", "Fight")
    assert plots(table)
    hand.press("Undo")
    page.wait_for_function(
        "(ply) => Number(document.querySelector('[aria-label=\"What is asked\"]').dataset.ply) <= ply",
        arg=session.version, timeout=PATIENCE,
    )  # fmt: skip
    assert not plots(table)
    hand.order("Army Group South", "Fight")
    given = len(plots(table))
    hand.press(f"Take back {given}: Everyone")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0, timeout=PATIENCE)
    assert not plots(table)


def test_last_weeks_plots_are_given_again(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    first = {"33": "3B", "34": "4B", "44": "3S"}
    for group, plot in first.items():
        session.play(f"plot {group} {plot}", "axis")
    session.play("done", "axis")
    to_movement(session)
    table = opened(sit, server, context_of(), session)
    table.until_asked("movement")
    assert not plots(table)
    Hand(table).press("Repeat last week's plots (3)")
    expect(table.page.get_by_text("3 orders repeated")).to_be_visible(timeout=PATIENCE)
    assert plots(table) == first
