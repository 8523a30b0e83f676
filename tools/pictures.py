"""Make the pictures of the README from the running program: `python -m tools.pictures`.

The match in them is played by the computer from a fixed seed of the dice, so that they change little between runs.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.plan import Plan
from tests.e2e.server import ROOT, Server
from tests.e2e.table import Table
from tools import client
from tools.browser import LAUNCH_ARGS, ensure

IMAGES = ROOT / "docs" / "images"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 860}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
SEED = 1941
PREFERENCES = """localStorage['rasputitsa.prefs'] = JSON.stringify({ pace: 'instant', layers: LAYERS })"""
LAYERS = ["weather", "reach", "names"]
TURNS_PLAYED = 4
PATIENCE = 180_000


def main() -> int:
    """Make every picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    client.build()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data), bot_seconds=2.0)
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(LAUNCH_ARGS))
        server.start()
        try:
            first_turn(browser, server)
            later(browser, server)
            week(browser, server)
        finally:
            server.kill()
            browser.close()
    return 0


@contextmanager
def sitting(browser: Browser, server: Server, settings: dict[str, Any], layers: list[str]) -> Iterator[Table]:
    """A page with its own browser profile."""
    context = browser.new_context(**settings, locale="en-GB", reduced_motion="reduce")
    context.add_init_script(PREFERENCES.replace("LAYERS", repr(layers)))
    yield Table(context.new_page(), server, touch=settings is PHONE)
    context.close()


def keep(page: Page, name: str) -> None:
    """Take the picture, once letters and map are drawn."""
    page.evaluate("() => document.fonts.ready")
    page.wait_for_timeout(500)
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path)
    print(path.relative_to(ROOT))


def first_turn(browser: Browser, server: Server) -> None:
    """Reach of a panzer group, an attack put together, and the same match on a phone."""
    with sitting(browser, server, DESKTOP, LAYERS) as table:
        table.new_match(seed=SEED, soviet="planner")
        match_id = table.match_id
        table.page.get_by_role("button", name="Zoom out").click()
        _answer(table, "done")
        _answer(table, "move 2PzG")
        table.page.wait_for_function("() => document.querySelectorAll('#map .over text.cost').length > 3")
        goal = table.query("reach", units="2PzG")["plain"][-1]["hex"]
        table.hover(goal)
        table.page.locator("#map .over path.route").wait_for()
        keep(table.page, "move")
        with sitting(browser, server, PHONE, LAYERS) as phone:
            phone.open(match_id)
            phone.until("mine")
            phone.page.wait_for_function("() => document.querySelectorAll('#map .over text.cost').length > 3")
            keep(phone.page, "phone")
        _answer(table, "back")
        _answer(table, "done")
        plan = Plan(attacks=1)
        while table.kind != "attack":
            table.answer(plan.choose(table.view()))
            table.until_mine()
        best = max(table.options(), key=lambda o: _strength(table, o["hex"]) if o["verb"] == "attack" else -1)
        _answer(table, best["action"])
        while joining := [o for o in table.options() if o["verb"] == "with"]:
            _answer(table, joining[0]["action"])
        table.page.locator(".odds .final").wait_for()
        table.page.mouse.move(5, 5)
        keep(table.page, "attack")


def _strength(table: Table, hex_id: str) -> int:
    """How many units of the side to move stand next to a hex."""
    x, y = table.centre(hex_id)
    near = 0
    for unit in table.view()["units"]:
        if unit["hex"] and unit["hex"] != hex_id and not unit["dispersed"]:
            a, b = table.centre(unit["hex"])
            near += (a - x) ** 2 + (b - y) ** 2 < 110**2
    return near


def _answer(table: Table, action: str) -> None:
    table.until_mine(PATIENCE)
    table.answer(next(o for o in table.options() if o["action"] == action))
    table.until_mine(PATIENCE)


def later(browser: Browser, server: Server) -> None:
    """The computer against itself for some turns: the replay, and the map in play."""
    with sitting(browser, server, DESKTOP, LAYERS) as table:
        page = table.page
        table.new_match(seed=SEED, axis="planner", soviet="planner")
        page.wait_for_function(
            """(turn) => Number(document.querySelector('.track .here .num')?.textContent) > turn
              || document.querySelector('[data-state=over]')""",
            arg=TURNS_PLAYED, timeout=PATIENCE,
        )  # fmt: skip
        page.get_by_role("button", name="Replay").click()
        last = table.view()["ply"]
        page.get_by_label("Position in the game").fill(str(int(last * 0.97)))
        page.get_by_role("tab", name="Log").click()
        page.locator('[data-state="past"]').wait_for()
        page.get_by_role("button", name="Whole map").click()
        for _ in range(4):
            page.get_by_role("button", name="Zoom in").click()
        keep(page, "replay")
        page.get_by_role("tab", name="Situation").click()
        page.get_by_role("button", name="Close the replay").click()
        table.until("waiting", "over", "mine")
        keep(page, "map")


STAFF = ("auto_supply", "done")
"""Answers that bring the Axis player of War in Russia to the movement phase."""


def week(browser: Browser, server: Server) -> None:
    """War in Russia: a mechanized group about to be plotted in the first week."""
    people = {"axis": {"kind": "human"}, "soviet": {"kind": "bot", "bot": "planner"}}
    game = {"game": "wir", "scenario": "barbarossa", "options": {}, "players": 2, "controllers": people, "seed": SEED}
    made = server.ask("POST", "/matches", game)
    with sitting(browser, server, DESKTOP, [*LAYERS, "rail", "plots"]) as table:
        table.open(str(made["id"]))
        table.until_mine(PATIENCE)
        while table.kind != "movement":
            offered = [option["action"] for option in table.options()]
            _answer(table, next(action for action in STAFF if action in offered))
        _answer(table, "get 5")
        table.page.mouse.move(5, 5)
        keep(table.page, "week")


if __name__ == "__main__":
    sys.exit(main())
