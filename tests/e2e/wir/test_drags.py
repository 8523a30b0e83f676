"""War in Russia in few clicks: depots dragged to where they supply, plots drawn by drag, groups listed by command."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.e2e.window.test_access import check
from tests.e2e.wir.test_staff import TO_MOVEMENT, opened, to_movement

GROUP = "48"
WIDE = {"width": 1600, "height": 1000}


def test_a_depot_that_is_dragged_supplies_at_once(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    while (decision := session.decision()) is not None and (decision.kind, decision.seat) != ("depot", "axis"):
        session.play(TO_MOVEMENT.get(decision.kind, "done"), decision.seat)
    table = opened(sit, server, context_of(viewport=WIDE), session)
    table.until_asked("depot")
    depot = table.view()["depot"]
    near = table.query("depot")["waves"][0]
    away = next(h for h in near if h != depot["hex"] and not any(u["hex"] == h for u in table.view()["units"]))
    table.bring(away)
    table.bring(depot["hex"])
    page, start, end = table.page, table.point(depot["hex"]), table.point(away)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    table.after(page.mouse.up)
    table.until_mine()
    assert (table.view()["depot"] or {}).get("id") != depot["id"]
    log = server.ask("GET", f"/matches/{table.match_id}/log?seat=axis&key={table.keys['axis']}")
    assert [entry["action"] for entry in log[-2:]] == [f"depot {away}", "supply"]


def test_with_shift_a_drag_plots(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    table = opened(sit, server, context_of(viewport=WIDE), session)
    page = table.page
    table.until_asked("movement")
    reach = table.query("reach", unit=GROUP)
    hex_id = next(p["hex"] for p in reach["plain"] if p["hex"] in reach["plot"])
    table.bring(reach["origin"])
    page.keyboard.down("Shift")
    table.after(lambda: table.drag(GROUP, hex_id))
    page.keyboard.up("Shift")
    expect(page.locator('[aria-label="Group in hand"]')).to_be_visible(timeout=PATIENCE)
    unit = next(u for u in table.view()["units"] if u["id"] == GROUP)
    assert (unit["hex"], bool(unit["plot"]), unit["moved"]) == (reach["origin"], True, False)


def test_groups_are_listed_by_command(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    table = opened(sit, server, context_of(), session)
    page = table.page
    page.get_by_role("tab", name="Forces").click()
    page.get_by_label("In which order").select_option("by command")
    expect(page.get_by_role("heading", name="Army Group South")).to_be_visible()
    page.get_by_label("Which groups").select_option("unsupplied")
    assert check(page, "groups by command") == []
