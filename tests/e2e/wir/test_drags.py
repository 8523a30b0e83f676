"""War in Russia in few clicks: depots dragged to where they supply, plots drawn by drag, groups listed by command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import BrowserContext, expect

from bench.wir.clicks import BY_HAND, BY_RAIL, DRAG, ENDINGS, ROUTINE, WITH_STAFF, middle_of_case_blue, presses_of
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.e2e.window.test_access import check
from tests.e2e.wir.test_staff import TO_MOVEMENT, opened, to_movement

GROUP = "48"
COUNT_PRESSES = """window.presses = 0;
  addEventListener('pointerdown', () => { window.presses += 1; }, true);"""
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


def test_a_week_takes_few_clicks_by_hand_and_fewer_with_a_staff() -> None:
    """A week of the computer's, put into the gestures whose presses the next test counts."""
    week = middle_of_case_blue()
    assert sum(bool(presses_of(orders)) for orders in week.groups.values()) > 20, "a week in which much is ordered"
    assert week.by_hand <= BY_HAND
    assert week.staff <= WITH_STAFF
    assert week.one_by_one > 2 * week.by_hand


def offered(session: Session, group: str, verb: str) -> list[str]:
    """The hexes for which a group that stands alone is offered an order."""
    game, trial = session.game, session.state.copy()
    game.apply(trial, game.parse(trial, f"get {group}")[0], ScriptedDice([]))
    decision = game.decision(trial)
    assert decision is not None
    found = [game.format(trial, option).split() for option in decision.options]
    return [words[1] for words in found if words[0] == verb]


def apart(one: str, other: str) -> int:
    """How far two hexes lie apart, roughly: near ones are on the screen together."""
    return sum(abs(int(a) - int(b)) for a, b in ((one[:2], other[:2]), (one[2:], other[2:])))


def test_orders_by_hand_take_the_presses_that_are_counted(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    """What `make bench` counts of a week by hand, each gesture with a real mouse."""
    session = new_session("wir", "case_blue_short", {}, seed=3)
    to_movement(session)
    context = context_of(viewport=WIDE)
    context.add_init_script(COUNT_PRESSES)
    table = opened(sit, server, context, session)
    page = table.page
    table.until_asked("movement")
    units = table.view()["units"]
    stacks = Counter(u["hex"] for u in units)
    own = [u for u in units if u["side"] == "axis" and stacks[u["hex"]] == 1 and u["id"] != GROUP and u["waits"]]
    enemies = {u["hex"] for u in units if u["side"] != "axis"}
    air = {u["id"] for u in own if "aircraft" in u}
    ways = {u["id"]: table.query("reach", unit=u["id"]) for u in own if u["id"] not in air}

    def presses(made: Callable[[], None]) -> int:
        before = int(page.evaluate("window.presses"))
        table.after(made)
        table.until_mine()
        return int(page.evaluate("window.presses")) - before

    def drag(group: str, to: str) -> Callable[[], None]:
        table.bring(next(u["hex"] for u in units if u["id"] == group))
        table.bring(to)
        return partial(table.drag, group, to)

    def now(group: str) -> Any:
        return next(u for u in table.view()["units"] if u["id"] == group)

    # with Shift the way is plotted, also where a march would lead, and a button stops it there
    reach = table.query("reach", unit=GROUP)
    hex_id = next(p["hex"] for p in reach["plain"] if p["hex"] in reach["plot"])
    page.keyboard.down("Shift")
    assert presses(drag(GROUP, hex_id)) == DRAG
    page.keyboard.up("Shift")
    expect(page.locator('[aria-label="Group in hand"]')).to_be_visible(timeout=PATIENCE)
    assert (now(GROUP)["hex"], bool(now(GROUP)["plot"]), now(GROUP)["moved"]) == (reach["origin"], True, False)
    assert presses(page.get_by_role("button", name="Stop").first.click) == 1
    assert now(GROUP)["plot"].endswith(ENDINGS)
    # the next one taken up puts it down: a march, an attack, a strike
    march, way = next((g, w) for g, w in ways.items() if len(w["plain"]) > 2)
    to = way["plain"][-1]["hex"]
    assert presses(drag(march, to)) == DRAG
    assert now(march)["hex"] == to
    attack, enemy = next((g, h) for g, w in ways.items() if g != march for h in w["plot"] if h in enemies)
    assert presses(drag(attack, enemy)) == DRAG
    assert now(attack)["plot"]
    strike = next(g for g in sorted(air) if offered(session, g, "ground"))
    target = offered(session, strike, "ground")[0]
    assert presses(drag(strike, target)) == DRAG
    assert now(strike)["strike"]["hex"] == target
    train = next(g for g in ways if g not in (march, attack) and offered(session, g, "railmove"))
    place = min(offered(session, train, "railmove"), key=partial(apart, now(train)["hex"]))
    table.bring(place)
    table.bring(now(train)["hex"])

    def by_rail() -> None:
        table.click_unit(train)
        table.until_asked("orders")
        page.get_by_role("button", name="Rail", exact=False).first.click()
        table.click_hex(place)

    assert presses(by_rail) == BY_RAIL
    assert now(train)["hex"] == place
    table.until_asked("movement")
    assert presses(page.get_by_role("button", name="Staff: replacements and guns").first.click) == ROUTINE


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
