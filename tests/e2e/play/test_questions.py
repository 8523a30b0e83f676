"""Questions answered for the player on request, and answers that are asked for twice."""

from __future__ import annotations

import os
import re
import urllib.request
from typing import Any

from playwright.sync_api import expect

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.e2e.asked import GUARD
from tests.e2e.conftest import PHONE, Open
from tests.e2e.ended import lost_by_a_die
from tests.e2e.table import COVERED, PATIENCE, Table
from tests.support import PATIENCE as SECONDS

NO_CURTAIN = "localStorage['rasputitsa.prefs'] ??= JSON.stringify({ pace: 'instant', curtain: 'never' })"
SEEDS = 60

QUIET = {
    "empty": True, "turn": 3, "phase": "attack", "side": "axis",
    "units": {"7Inf": "X16", "11A": "X17 dispersed", "8A": "V19"},
}  # fmt: skip
"""Only the Dispersed army could be attacked; the other one, out of everybody's way, might leave."""

EXCHANGE: dict[str, Any] = {
    "empty": True, "turn": 7, "phase": "attack", "side": "axis", "units": {"1Inf": "V23", "2Inf": "V23", "11A": "V24"},
}  # fmt: skip
FAR = {"18AOK": "K4", "9AOK": "L4", "56Pz": "M4", "42Inf": "M3", "34Inf": "N4"}
TO_THE_DIE = ("stand_all", "attack V24: 1Inf,2Inf", "done", "done", "resolve 1")


def start(position: dict[str, Any], *actions: str, asking: str, offering: str = "") -> Session:
    """A game from a position, with dice that lead to a question, and to an answer to it."""
    for seed in range(SEEDS):
        session = new_session("portfolio", "june22", {}, seed=seed, position=position)
        for action in actions:
            session.play(action)
        decision = session.decision()
        verbs = [action.verb for action in decision.options] if decision is not None else []
        if decision is not None and decision.kind == asking and (not offering or offering in verbs):
            return session
    raise AssertionError(f"no die leads to {asking}")


def sit_down(sit: Open, session: Session) -> Table:
    """Both sides at one screen."""
    table = sit(at_once=False)
    table.page.context.add_init_script(NO_CURTAIN)
    take_in(table, session)
    return table


def take_in(table: Table, session: Session) -> None:
    """Import a game and open it."""
    bring_in(table, session.save())


def bring_in(table: Table, saved: str) -> None:
    """Import a saved game and open it."""
    request = urllib.request.Request(f"{table.server.url}/api/import", saved.encode(), method="POST")
    request.add_header("content-type", "application/x-ndjson")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        assert answer.status < 300
    newest = max(table.server.ask("GET", "/matches"), key=lambda row: int(row["id"]))
    table.open(str(newest["id"]))


def test_nobody_is_asked_to_retreat_where_nothing_threatens(sit: Open) -> None:
    table = sit_down(sit, start(QUIET, asking="window"))
    page = table.page
    table.until_asked("attack")
    assert table.until("mine") == "mine"
    assert table.ply == 1, "the army stands without its player being asked"

    # who always wants to be asked is asked
    page.locator("header").get_by_role("button", name="Layers").click()
    page.get_by_label("Ask whether units should retreat").select_option("always")
    page.keyboard.press("Escape")
    take_in(table, start(QUIET, asking="window"))
    table.until_asked("window")
    assert table.until("mine") == "mine"
    assert table.ply == 0
    expect(table.prompt.get_by_role("button", name="Stand", exact=True)).to_be_visible()


def test_an_exchange_is_not_declined_by_a_slip(sit: Open) -> None:
    table = sit_down(sit, start(EXCHANGE, *TO_THE_DIE, asking="exchange"))
    page = table.page
    table.until("mine")
    table.ready_again()
    ply = table.ply
    page.locator("#map").focus()
    page.keyboard.press("Space")
    page.wait_for_timeout(400)
    assert table.ply == ply
    decline = table.prompt.get_by_role("button", name="Decline")
    decline.click()
    expect(table.prompt.get_by_role("button", name="Really?")).to_be_visible(timeout=PATIENCE)
    assert table.ply == ply
    table.after(table.prompt.get_by_role("button", name="Really?").click)
    table.until_asked("retreat")


EVEN = {**QUIET, "units": {"7Inf": "X16", "11A": "X17"}}


def test_neither_the_space_bar_nor_escape_throws_a_won_battle_away(sit: Open) -> None:
    orders = ("stand_all", "attack X17: 7Inf", "done", "done", "resolve 1")
    table = sit_down(sit, start(EVEN, *orders, asking="retreat", offering="halt"))
    page = table.page
    table.until_asked("retreat")
    table.until("mine")
    table.ready_again()
    ply = table.ply
    assert not table.prompt.locator(".primary").count()
    page.locator("#map").focus()
    for key in ("Space", "Escape"):
        page.keyboard.press(key)
        page.wait_for_timeout(400)
        assert table.ply == ply, key
    halt = table.button("halt")
    halt.click()
    expect(table.prompt.get_by_role("button", name=re.compile("Really.*nobody advances"))).to_be_visible()
    assert table.ply == ply
    table.ready_again()
    table.after(halt.click)


def test_a_phase_is_not_ended_without_its_attacks_by_a_slip(sit: Open) -> None:
    table = sit_down(sit, start(EVEN, "stand_all", asking="attack"))
    table.until_asked("attack")
    table.until("mine")
    table.ready_again()
    ply = table.ply
    table.page.locator("#map").focus()
    table.page.keyboard.press("Space")
    table.page.wait_for_timeout(400)
    assert table.ply == ply
    expect(table.page.get_by_role("alert").filter(has_text="could be attacked")).to_be_visible()
    table.button("done").click()
    expect(table.prompt.get_by_role("button", name=re.compile("Really.*could be attacked"))).to_be_visible()


def test_a_list_and_a_tip_are_in_words_that_fit(sit: Open) -> None:
    table = sit(**PHONE)
    table.page.context.add_init_script(NO_CURTAIN)
    take_in(table, start(EVEN, "stand_all", asking="attack"))
    table.until_asked("attack")
    expect(table.prompt).to_contain_text("Choose an enemy hex")
    expect(table.prompt).not_to_contain_text("drag")
    table.page.get_by_role("tab", name="Orders").tap()
    table.page.locator("details.all").evaluate("list => (list.open = true)")
    everything = table.page.get_by_role("region", name="Everything you may do now")
    expect(everything.locator('[data-action="done"]')).to_contain_text("End of announcing")


def test_the_page_opens_on_the_place_that_a_question_is_about(sit: Open) -> None:
    """Whether to exchange offers neither units nor hexes; the other units stand far away."""
    units = {**EXCHANGE["units"], **FAR}
    session = start({**EXCHANGE, "units": units}, *TO_THE_DIE, asking="exchange_first")
    table = sit_down(sit, session)
    table.until_asked("exchange_first")
    table.settled()
    assert not table.page.evaluate(COVERED, list(table.point("V24")))
    table.page.set_viewport_size({"width": 1280, "height": 800})
    table.lobby()
    session = new_session("portfolio", "june22", {}, seed=1)
    session.play("done")
    take_in(table, session)
    expect(table.button("siberia")).to_be_visible()
    assert table.prompt.evaluate("(e) => e.offsetHeight") < 130, "five lines"


def test_who_calls_in_the_siberian_reserve_sees_what_it_has_brought(sit: Open) -> None:
    session = new_session("portfolio", "june22", {}, seed=1, position=GUARD)
    session.play("siberia")
    orders = sit_down(sit, session).page.get_by_role("tabpanel", name="Orders")
    expect(orders).to_contain_text("Siberian points: 7 armor")
    session.play("done")
    session.play("pick 4")
    decision = session.decision()
    assert decision is not None and "the Axis wins" in decision.prompt, "the die may lose the game"


def test_the_card_at_the_end_names_the_die_that_decided_and_hides_no_button_on_a_phone(sit: Open) -> None:
    table = sit(**PHONE)
    take_in(table, lost_by_a_die())
    over = table.page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text("the die shows 4, the Axis had picked 4")
    if folder := os.environ.get("RASPUTITSA_PICTURES"):
        table.page.screenshot(path=f"{folder}/end-390.png")
    for name in ("Replay the game", "New game"):
        expect(over.get_by_text(name)).to_be_in_viewport(ratio=1)
