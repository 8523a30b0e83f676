"""A week of War in Russia by two persons at one screen: orders by mouse and keys, the curtain, the replayed week."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.server import Server
from tests.e2e.table import Table
from tests.e2e.window.test_access import check

PANZERS, ENEMY = "4", "0517"
QUICK = "localStorage.setItem('rasputitsa.prefs', JSON.stringify({ pace: 'fast' }))"


@pytest.fixture
def war(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> Table:
    """A fresh match, both seats at this screen."""
    return new_war(sit, server, context_of())


def new_war(sit: Open, server: Server, context: BrowserContext) -> Table:
    games: Any = server.ask("GET", "/games")
    if "wir" not in [game["id"] for game in games]:
        pytest.skip("War in Russia is not among the installed games")
    context.add_init_script(QUICK)
    table = sit(context=context)
    people = {seat: {"kind": "human"} for seat in ("axis", "soviet")}
    made = server.ask(
        "POST",
        "/matches",
        {"game": "wir", "scenario": "barbarossa_short", "options": {}, "players": 2, "controllers": people, "seed": 3},
    )
    table.open(str(made["id"]))
    return table


def kind_is(table: Table, kind: str) -> None:
    expect(table.prompt).to_have_attribute("data-kind", kind)
    expect(table.prompt).to_have_attribute("data-state", "mine")


def press(table: Table, name: str) -> None:
    table.ready_again()
    table.page.get_by_role("button", name=name).first.click()


def hand_over(page: Page, to: str) -> None:
    page.get_by_role("button", name=f"Go on as the {to}").click()


def test_a_week_of_two_persons_at_one_screen(war: Table) -> None:
    page = war.page
    kind_is(war, "adjust")
    press(war, "End adjustment")
    expect(page.get_by_role("dialog", name="Change of seat")).to_be_visible()
    hand_over(page, "Soviet Union")
    kind_is(war, "adjust")
    press(war, "End adjustment")
    kind_is(war, "depot")
    press(war, "Staff: place this and all other depots")
    kind_is(war, "movement")
    press(war, "Staff: replacements")
    kind_is(war, "movement")
    # with groups still without orders the end is asked twice
    press(war, "End movement")
    page.get_by_role("button", name="Really").click()
    hand_over(page, "Axis")
    kind_is(war, "depot")
    press(war, "Staff: place this and all other depots")
    kind_is(war, "movement")

    # enemy groups are seen, not what is in them
    seen = {unit["id"]: unit for unit in war.view()["units"]}
    assert "units" in seen[PANZERS]
    assert "units" not in seen["85"]

    page.keyboard.press("/")
    page.get_by_label("Notation").fill(f"get {PANZERS}")
    page.keyboard.press("Enter")
    kind_is(war, "orders")
    page.get_by_role("button", name="Close the command line").click()

    # a click on the enemy beside it plots the attack, S holds the group back
    war.click_hex(ENEMY)
    group = page.get_by_role("region", name="Group in hand")
    expect(group.locator(".written")).to_contain_text("3")
    expect(group.get_by_text("Hidden from you")).to_be_visible()
    page.locator("#map").focus()
    page.keyboard.press("s")
    expect(group.locator(".written")).to_contain_text("3S")
    page.keyboard.press("s")
    expect(group.locator(".written b")).to_have_text("3")

    page.keyboard.press("Escape")
    kind_is(war, "movement")
    press(war, "End movement")
    page.get_by_role("button", name="Really").click()

    # the week is replayed, and then reported
    player = page.get_by_role("region", name="Execution of the week")
    expect(player).to_be_visible()
    page.get_by_role("button", name="Skip to the report").dispatch_event("click")  # it moves with the words beside it
    report = page.get_by_role("region", name="Report of the week")
    expect(report).to_contain_text("against")
    expect(report).to_contain_text("First player")
    kind_is(war, "adjust")
    assert war.view()["turn"]["number"] == 2
    entry = [item for item in war.server.ask("GET", log_path(war, "soviet")) if item["seat"] == "axis"]
    assert "4" not in json.dumps([item["action"] for item in entry]), "a seat reads no order of the other"


def log_path(table: Table, seat: str) -> str:
    return f"/matches/{table.match_id}/log?seat={seat}&key={table.keys[seat]}"


def test_the_position_of_the_war_as_text(war: Table) -> None:
    page = war.page
    kind_is(war, "adjust")
    page.locator("#map").focus()
    page.keyboard.press("v")
    heading = page.get_by_role("heading", name="Position as text")
    expect(heading).to_be_focused()
    expect(page.get_by_text("Soviet less Axis victory points")).to_be_visible()
    expect(page.locator("#text-view")).to_contain_text("Leningrad")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_grave_barriers_in_the_war(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext], scheme: str
) -> None:
    war = new_war(sit, server, context_of(color_scheme=scheme))
    page = war.page
    kind_is(war, "adjust")
    page.get_by_role("button", name="Germany").first.hover()
    problems = check(page, "adjust")
    for tab in ("Situation", "Forces"):
        page.get_by_role("tab", name=tab).click()
        problems += check(page, tab)
    page.get_by_role("tab", name="Orders").click()
    press(war, "Tables and charts")
    for tab in ("Cities", "Groups", "Charts", "Production"):
        page.get_by_role("tab", name=tab).click()
        problems += check(page, tab)
    page.get_by_role("button", name="Close").click()
    page.locator("#map").focus()
    page.keyboard.press("v")
    expect(page.get_by_role("heading", name="Position as text")).to_be_visible()
    problems += check(page, "text")
    assert problems == []


def test_the_war_on_a_phone(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    war = new_war(sit, server, context_of(**PHONE))
    page = war.page
    kind_is(war, "adjust")
    for seat in ("Soviet Union", ""):
        war.ready_again()
        page.get_by_role("button", name="End adjustment").tap()
        if seat:
            page.get_by_role("button", name=f"Go on as the {seat}").tap()
            kind_is(war, "adjust")
    kind_is(war, "depot")
    # what the thumb needs stands over the map while the panels are closed
    page.get_by_role("button", name="Staff: all depots").tap()
    kind_is(war, "movement")
    page.get_by_role("button", name="Next group").tap()
    kind_is(war, "orders")
    page.locator(".handbar").get_by_role("button", name="Plot").tap()
    expect(page.locator(".handbar").get_by_role("button", name="Plot")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
