"""The first game-turn against the computer, played on the map with the mouse."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.conftest import Open
from tests.e2e.plan import Plan
from tests.e2e.table import PATIENCE, Table

STEPS = 260


def play_on(table: Table, plan: Plan, seen: set[str]) -> bool:
    """Answer one question; False once the second game-turn has come."""
    table.until_mine()
    view = table.view()
    assert view["outcome"] is None
    seen.add(view["decision"]["kind"])
    if view["turn"]["number"] > 1:
        return False
    table.answer(plan.choose(view))
    return True


def log_of(table: Table, seat: str) -> list[dict[str, Any]]:
    entries = table.server.ask("GET", f"/matches/{table.match_id}/log?seat={seat}&key={table.keys[seat]}")
    return list(entries)


def test_the_axis_plays_the_first_turn(sit: Open) -> None:
    table = sit(at_once=False)
    page = table.page
    table.begin("22 June 1941", "Axis")
    table.until_mine()
    view = table.view()
    assert (view["scenario"], view["turn"]["label"], view["phase"]["id"]) == ("june22", "22 Jun 41", "replacement")
    expect(table.prompt).to_contain_text("Replacements and strategic movement")
    expect(table.prompt).to_contain_text("1 unit can go by rail")

    # ending a phase early is asked twice
    end = page.get_by_role("button", name="End this phase", exact=True)
    end.click()
    again = page.get_by_role("button", name=re.compile("Really"))
    expect(again).to_be_visible()
    table.ready_again()
    table.after(again.click)
    table.until_mine()
    assert table.kind == "movement"

    move_a_stack(table)
    hover_where_it_is_barred(table)
    table.answer(one(table, "done"))

    # the Soviet side may pull units back first; then attacks are put together
    plan = Plan(moves=0, attacks=1, advances=1)
    seen: set[str] = set()
    while True:
        table.until_mine()
        if table.kind == "attack":
            break
        assert play_on(table, plan, seen)
    build_an_attack(table)
    before = len(log_of(table, "axis"))
    table.answer(one(table, "done"))

    # the computer is asked whether units shall hold, and answers by itself
    while True:
        table.until_mine()
        if table.kind == "resolve":
            break
        assert play_on(table, plan, seen)
    answers = [e for e in log_of(table, "axis")[before:] if e["seat"] == "soviet" and e["phase"] == "Initial attacks"]
    assert answers, "the Soviet side was not asked"
    cast_the_die(table)

    for _ in range(STEPS):
        if not play_on(table, plan, seen):
            break
    log = log_of(table, "axis")
    phases = {e["phase"] for e in log if e["turn"] == "22 Jun 41" or e["turn"] == 1}
    assert {"Initial movement", "Initial attacks", "Reserves attacks"} <= phases, phases
    assert {e["seat"] for e in log} >= {"axis", "soviet"}
    expect(page.locator("header .turn")).not_to_contain_text("22 Jun 41")
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Attack 1")


def one(table: Table, verb: str) -> dict[str, Any]:
    return next(o for o in table.options() if o["verb"] == verb)


def move_a_stack(table: Table) -> None:
    """Two units of one hex go together to a hex that is lit, along a way shown before."""
    page = table.page
    by_hex: dict[str, list[str]] = {}
    for option in table.options():
        if option["verb"] == "move":
            by_hex.setdefault(str(table.where(option["units"][0])), []).append(option["units"][0])
    for first, _ in (stack for stack in by_hex.values() if len(stack) == 2):
        table.answer({"action": f"move {first}", "verb": "move", "units": [first]})
        mates = [o for o in table.options() if o["verb"] == "with"]
        if mates:
            break
        table.answer(one(table, "back"))
    page.wait_for_function("() => document.querySelectorAll('#map .over text.cost').length > 3", timeout=PATIENCE)
    table.after(lambda: page.get_by_label(re.compile("Move together with")).first.click())
    second = mates[0]["units"][0]
    origin = table.where(first)
    costs = table.query("reach", units=f"{first},{second}")["plain"]
    target = max(costs, key=lambda c: c["cost"])
    table.hover(target["hex"])
    expect(page.locator("#map .over path.route")).to_be_visible()
    expect(page.locator(".board .tip")).to_contain_text(f"{target['cost']} movement factor")
    table.after(lambda: table.click_hex(target["hex"]))
    table.until_mine()
    assert table.where(first) == table.where(second) == target["hex"] != origin


def hover_where_it_is_barred(table: Table) -> None:
    """A hex that cannot be reached says why, with its paragraph."""
    page = table.page
    if table.kind == "moving":
        table.answer(one(table, "halt"))
    first = one(table, "move")
    table.answer(first)
    reach = {o["hex"] for o in table.options() if o["hex"]}
    here = table.where(first["units"][0])
    barred = next(
        u["hex"] for u in table.view()["units"]
        if u["hex"] and u["hex"] not in reach and u["hex"] != here and u["id"] in ("3A", "4A", "11A", "6A")
    )  # fmt: skip
    table.hover(barred)
    tip = page.locator(".board .tip.bad")
    expect(tip).to_contain_text("Not possible.")
    expect(tip.locator("em")).to_have_text(re.compile(r"[IVX]+\."))
    table.answer(one(table, "back"))


def build_an_attack(table: Table) -> None:
    """Units are added one by one; the panel shows every factor and shift the engine counts."""
    page = table.page
    attacks = [o for o in table.options() if o["verb"] == "attack"]
    chosen = max(attacks, key=lambda o: len(neighbours_with_units(table, o["hex"])))
    table.answer(chosen)
    panel = page.get_by_role("region", name="Attack", exact=True)
    units: list[str] = []
    while joining := [o for o in table.options() if o["verb"] == "with"][:1]:
        table.answer(joining[0])
        units += joining[0]["units"]
        if len(units) == 3:
            break
        odds = table.query("odds", targets=chosen["hex"], units=",".join(units))
        expect(panel.locator(".final")).to_have_text(odds["final"])
        for line in (*odds["items"], *odds["shifts"]):
            expect(panel.locator(".items")).to_contain_text(line["text"])
            if line.get("rule"):
                expect(panel.locator(".items")).to_contain_text(line["rule"])
        expect(panel.locator(".faces tr")).to_have_count(len(odds["faces"]))
    assert units, "nobody can attack"
    for verb in ("with", "ready"):
        while ready := [o for o in table.options() if o["verb"] == verb]:
            table.answer(ready[0])
            if verb == "ready":
                break
    planned = page.get_by_role("region", name="Planned attacks")
    expect(planned).to_contain_text(chosen["hex"])
    planned.get_by_role("button", name=re.compile(f"results of the attack on {chosen['hex']}")).click()
    expect(planned.locator(".faces tr")).to_have_count(6)


def neighbours_with_units(table: Table, hex_id: str) -> set[str]:
    centre = table.centre(hex_id)
    return {
        u["id"] for u in table.view()["units"]
        if u["hex"] and u["hex"] != hex_id and not u["dispersed"]
        and sum((a - b) ** 2 for a, b in zip(table.centre(u["hex"]), centre, strict=True)) < 110**2
    }  # fmt: skip


def cast_the_die(table: Table) -> None:
    """The result is given in words, with the die."""
    number = one(table, "resolve")["number"]
    table.answer(one(table, "resolve"))
    # the report over the map gives way to the next one; the log keeps it
    table.page.get_by_role("tab", name="Log").click()
    expect(table.page.get_by_text(re.compile(f"Attack {number} by .* die [1-6]")).first).to_be_visible()
    table.page.get_by_role("tab", name="Orders").click()


class News:
    """What the server says of the other side's steps; it can be held back, to come all at once."""

    def __init__(self, table: Table) -> None:
        self._held: list[tuple[WebSocketRoute, str | bytes]] | None = None
        table.page.route_web_socket("**/live*", self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        page.connect_to_server().on_message(lambda message: self._pass(page, message))

    def _pass(self, page: WebSocketRoute, message: str | bytes) -> None:
        if self._held is None:
            page.send(message)
        else:
            self._held.append((page, message))

    def hold(self) -> None:
        self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        assert held, "nothing was said of the other side's steps"
        for page, message in held:
            page.send(message)


def test_the_soviet_side_plays_the_first_turn(sit: Open) -> None:
    table = sit(at_once=False)
    news = News(table)
    table.begin("22 June 1941", "Soviet Union")
    # the computer's steps are shown one by one, and can be skipped
    table.until_mine()
    assert table.kind == "replacement"
    # a slow machine sends them so slowly that none has to wait for the one before
    news.hold()
    table.answer(one(table, "done"))
    while not table.view("soviet")["decision"]["mine"]:
        table.page.wait_for_timeout(200)
    news.release()
    table.until("showing")
    expect(table.prompt).to_contain_text(re.compile("more steps? of the other side"))
    plan = Plan(moves=1, attacks=1, advances=1, eastward=False)
    seen: set[str] = set()
    for _ in range(STEPS):
        if not play_on(table, plan, seen):
            break
    assert {"window", "movement", "attack"} <= seen, seen
    log = log_of(table, "soviet")
    moves = {seat: min(e["ply"] for e in log if e["seat"] == seat and e["action"].startswith("to "))
             for seat in ("axis", "soviet")}  # fmt: skip
    assert moves["axis"] < moves["soviet"], "the Axis goes first"
