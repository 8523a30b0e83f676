"""The first player-turn of the Axis by the fewest clicks: the gestures of `make bench`, made with a real mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext

from bench.portfolio.clicks import SEED, Gesture, Turn
from tests.e2e.conftest import Open
from tests.e2e.table import AT_REST, PATIENCE, Table

MARK = 90
WIDE = {"width": 1900, "height": 1300}
ALONE = """localStorage['rasputitsa.prefs'] ??= JSON.stringify(
  { pace: 'instant', curtain: 'never', ways: { 'portfolio.window': 'always' } })"""
AT_LEAST = """(ply) => Number(document.querySelector('[aria-label="What is asked"]').dataset.ply) >= ply"""


class Hand:
    """Makes the gestures, and counts what is pressed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.mouse = table.page.mouse
        self.presses = 0
        self.pending = ""
        """The order that the next gesture gives first: the last unit is put down, the last attack announced."""

    @contextmanager
    def shift(self, held: bool) -> Iterator[None]:
        """With Shift held down, or not."""
        keyboard = self.table.page.keyboard
        if held:
            keyboard.down("Shift")
        yield
        if held:
            keyboard.up("Shift")

    def make(self, gesture: Gesture) -> None:
        how = gesture.how
        if how in ("drag", "drag alone"):
            self.drag(gesture.what, gesture.to, together=how == "drag alone")
        elif how == "all":
            point = self.table.bring(gesture.what)
            with self.shift(True):
                self.mouse.click(*point)
            self.presses += 1
        elif how == "strike":
            for order in gesture.orders[1:-1]:
                if order.startswith("with "):
                    self.drag(order.split()[1], gesture.to)
                else:
                    self.press(order)
                    self.presses += 1
                # with the attack itself, and what was put off, there may be three orders
                self.told(order)
        elif how == "unit":
            point = self.grasp(gesture.what)
            self.table.ready_again()
            self.mouse.click(*point)
            self.presses += 1
        elif how == "click":
            self.mouse.click(*self.table.bring(gesture.what))
            self.presses += 1
        else:
            if gesture.orders[0] == "done" and self.pending:
                self.press(self.pending)
                self.told(self.pending)
            self.press(gesture.what)
            while self.table.page.get_by_role("button", name="Really").is_visible():
                self.press(gesture.what)

    def told(self, order: str) -> None:
        """Wait for an order to have been carried out."""
        for _ in range(200):
            if log(self.table)[-1]["action"] == order:
                break
            self.table.page.wait_for_timeout(50)

    def press(self, what: str) -> None:
        self.table.ready_again()
        button = self.table.button(what)
        if what == "Resolve all":
            button = self.table.page.get_by_role("button", name=what)
        button.click()
        self.presses += 1

    def drag(self, unit: str, to: str, together: bool = False) -> None:
        start = self.grasp(unit)
        goal = self.table.point(to)
        with self.shift(together):
            self.mouse.move(*start)
            self.mouse.down()
            self.mouse.move((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2, steps=3)
            self.mouse.move(*goal, steps=3)
            self.mouse.up()
        self.presses += 1

    def grasp(self, unit: str) -> tuple[float, float]:
        """Where a counter can be taken hold of: a stack fans out under the mouse."""
        home = self.table.where(unit)
        assert home is not None
        point = self.table.bring(home)
        self.mouse.move(5, 5)
        self.mouse.move(*point)
        if self.table.page.locator(f'#map .slot[data-hex="{home}"]:not([data-raised])').count() < 2:
            return point
        raised = self.table.page.locator(f'#map .slot[data-raised][data-unit="{unit}"]')
        raised.wait_for(timeout=PATIENCE)
        x, y = raised.evaluate(AT_REST)
        return x, y


def at(table: Table, ply: int) -> None:
    """Wait until the page shows a position."""
    table.page.wait_for_function(AT_LEAST, arg=ply, timeout=PATIENCE)
    assert table.ply == ply


def give(table: Table, seat: str, order: str) -> None:
    """An order of the other side, sent from elsewhere."""
    key = table.keys[seat]
    version = table.view(seat)["version"]
    body = {"seat": seat, "key": key, "version": version, "action": order, "request_id": f"{seat}-{version}"}
    table.server.ask("POST", f"/matches/{table.match_id}/actions", body)


def log(table: Table) -> list[dict[str, Any]]:
    seat, key = next(iter(table.keys.items()))
    return list(table.server.ask("GET", f"/matches/{table.match_id}/log?seat={seat}&key={key}"))


def test_a_player_turn_takes_at_most_ninety_clicks(sit: Open, context_of: Callable[..., BrowserContext]) -> None:
    turn = Turn()
    gestures = list(turn.gestures())
    context = context_of(viewport=WIDE)
    context.add_init_script(ALONE)
    table = sit(context=context)
    table.new_match(seed=SEED)
    hand = Hand(table)
    played, upcoming = 0, iter(gestures)
    following = next(upcoming, None)
    entries = turn.match.entries
    while played < len(entries):
        entry = entries[played]
        if entry.seat != "axis":
            at(table, played)
            give(table, entry.seat, entry.action)
            played += 1
        elif following and following.orders[0] == entry.action:
            at(table, played - bool(hand.pending))
            # at one screen the new position is shown a moment before the player who is asked may act in it
            table.until("mine")
            hand.make(following)
            played += len(following.orders)
            # the next unit taken up puts this one down, the next attack begun announces this one
            put_off = following.orders[-1] == "halt" and following.orders[0].startswith("move")
            hand.pending = following.orders[-1] if put_off or following.how == "strike" else ""
            following = next(upcoming, None)
        else:
            played += 1  # the client answers by itself
    at(table, played)
    given = [(e["seat"], e["action"]) for e in log(table)]
    assert given == [(e.seat, e.action) for e in entries]
    assert hand.presses == turn.count.clicks <= MARK
    assert turn.count.one_by_one > 200
