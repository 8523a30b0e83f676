"""A person at the table: sees what the page shows, and answers with mouse, fingers or keys."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Locator, Page, TimeoutError, expect

from tests.e2e.server import Server
from tests.support import PATIENCE as SECONDS

Option = dict[str, Any]
View = dict[str, Any]

PATIENCE = 1000 * SECONDS
"""Milliseconds after which something that is waited for will not happen any more."""
UNIT = 100
"""World units of the client's map to a hex width."""

SCREEN_OF = """([x, y]) => {
  const map = document.getElementById('map').getBoundingClientRect();
  const world = new DOMMatrix(getComputedStyle(document.querySelector('#map .world')).transform);
  const at = world.transformPoint(new DOMPoint(x, y));
  return [map.left + at.x, map.top + at.y, world.a];
}"""
COVERED = """([x, y]) => !document.elementFromPoint(x, y)?.closest('#map')"""
UNDER = """([x, y, unit]) => document.elementFromPoint(x, y)?.closest('[data-unit]')?.dataset.unit === unit"""
SKIP = """() => [...document.querySelectorAll('[aria-label="What is asked"] button')]
  .find((button) => button.textContent.includes('Skip to now'))?.click()"""
PAINTS = """() => new Promise((done) => {
  let frames = 0;
  const count = () => (frames += 1) < 8 ? requestAnimationFrame(count) : done(true);
  requestAnimationFrame(count);
  setTimeout(() => done(false), 10000);
})"""
AT_REST = """async (e) => {
  for (let was = null; ; ) {
    const b = e.getBoundingClientRect();
    const is = [b.left + b.width / 2, b.top + b.height / 2];
    if (was && Math.hypot(is[0] - was[0], is[1] - was[1]) < 0.5) return is;
    was = is;
    await new Promise((done) => setTimeout(done, 60));
  }
}"""
"""Where the middle of an element is, once it moves no more."""


class Table:
    """One browser page on one match."""

    def __init__(self, page: Page, server: Server, touch: bool = False) -> None:
        self.page = page
        self.server = server
        self.touch = touch
        self._centres: dict[str, tuple[float, float]] = {}
        self.trouble: list[str] = []
        page.on("pageerror", lambda error: self.trouble.append(f"{error.name}: {error.message}"))

    # -- getting to a match ----------------------------------------------------------------------------

    def lobby(self) -> None:
        self.page.goto(f"{self.server.url}/")
        expect(self.page.get_by_role("heading", name="The Russian Portfolio")).to_be_visible(timeout=PATIENCE)

    def play_now(self, side: str) -> None:
        """The one click."""
        self.lobby()
        name = "as the Axis" if side == "axis" else "as the Soviet Union"
        self.card().get_by_role("button", name=re.compile(name)).click()
        self.arrived()

    def begin(self, scenario: str, side: str) -> None:
        """A scenario against the computer, from the list on the first screen."""
        self.lobby()
        listed = self.page.locator("details.scenarios", has_text=scenario)
        listed.locator("summary").first.click()
        self.page.get_by_role("button", name=f"Play {scenario} as {side}", exact=True).click()
        self.arrived()

    def choose_scenario(self, scenario: str) -> None:
        """Choose another scenario in the form of a new game than the one that it begins with."""
        self.page.locator(f'input[name="scenario"][value="{scenario}"]').check()

    def card(self, game: str = "The Russian Portfolio") -> Locator:
        """What the lobby offers of a game."""
        return self.page.get_by_role("region", name=game)

    def new_match(self, seed: int = 1, **controllers: str) -> dict[str, str]:
        """A match made by request, opened from the list of games."""
        made = self.server.ask("POST", "/matches", request_for(seed, **controllers))
        self.open(str(made["id"]))
        return dict(made["keys"])

    def open(self, match_id: str) -> None:
        self.page.goto(f"{self.server.url}/#/match/{match_id}")
        self.arrived()

    def arrived(self) -> None:
        self.page.wait_for_url("**/#/match/*")
        expect(self.page.locator("#map")).to_be_visible(timeout=PATIENCE)
        expect(self.prompt).to_be_visible()
        self._centres.clear()

    def paints(self) -> bool:
        """Whether the browser still paints this page; a page that is gone does no harm."""
        try:
            return bool(self.page.evaluate(PAINTS))
        except Error:
            return True

    # -- what the page shows ---------------------------------------------------------------------------

    @property
    def prompt(self) -> Locator:
        return self.page.get_by_role("region", name="What is asked")

    @property
    def state(self) -> str:
        """mine, waiting, showing, past or over."""
        return str(self.prompt.get_attribute("data-state"))

    @property
    def kind(self) -> str:
        return str(self.prompt.get_attribute("data-kind"))

    @property
    def ply(self) -> int:
        return int(self.prompt.get_attribute("data-ply") or 0)

    @property
    def match_id(self) -> str:
        return self.page.url.rsplit("/", 1)[-1]

    @property
    def keys(self) -> dict[str, str]:
        """The keys that the page has got."""
        return dict(self.kept("keys") or {})

    def kept(self, what: str) -> Any:
        """What the browser keeps for the match under a name; it notes with the number which store the match is of."""
        return self.page.evaluate(
            """async ([name, number]) => {
              const store = (await fetch('/api/games')).headers.get('x-rasputitsa-store');
              return JSON.parse(localStorage[name] ?? '{}')[`${number}@${store}`] ?? null;
            }""",
            [f"rasputitsa.{what}", self.match_id],
        )

    def view(self, seat: str | None = None) -> View:
        """The match as the server tells it to the one who must decide, or to a seat."""
        keys = self.keys
        if seat is None:
            seat = next(iter(keys))
            view: View = self.server.ask("GET", f"/matches/{self.match_id}/view?seat={seat}&key={keys[seat]}")
            decision = view["decision"]
            if decision is None or decision["mine"] or decision["seat"] not in keys:
                return view
            seat = str(decision["seat"])
        return dict(self.server.ask("GET", f"/matches/{self.match_id}/view?seat={seat}&key={keys[seat]}"))

    def query(self, kind: str, **args: str) -> Any:
        """A question to the engine, from the seat that must decide."""
        seat = self.view()["decision"]["seat"]
        words = urllib.parse.urlencode({"seat": seat, "key": self.keys[seat], "kind": kind, **args})
        return self.server.ask("GET", f"/matches/{self.match_id}/query?{words}")

    def options(self) -> list[Option]:
        decision = self.view()["decision"]
        return [] if decision is None else list(decision["options"])

    def until(self, *states: str, timeout: float = PATIENCE) -> str:
        """Wait for the page to be in one of these states; returns the one it was in, which may have passed by now."""
        try:
            found = self.page.wait_for_function(
                """(states) => {
                  const prompt = document.querySelector('[aria-label="What is asked"]');
                  return prompt && states.includes(prompt.dataset.state) ? prompt.dataset.state : null;
                }""",
                arg=list(states), timeout=timeout,
            )  # fmt: skip
        except TimeoutError as problem:
            view = self.view()
            raise AssertionError(
                f"waited for {states}; the page: {self.state} {self.kind} at {self.ply}, the server: {view['decision']}"
                f" at {view['ply']}, which said {''.join(self.server.said[-30:])}"
            ) from problem
        return str(found.json_value())

    def until_asked(self, kind: str) -> None:
        """Wait for a question of this kind, no matter who is to answer."""
        self.page.locator(f'[aria-label="What is asked"][data-kind="{kind}"]').wait_for(timeout=PATIENCE)

    def until_mine(self, timeout: float = PATIENCE) -> None:
        """Wait for a question, passing over what the other side does."""
        while self.until("mine", "showing", "over", timeout=timeout) == "showing":
            # in one go: the last step may pass while a mouse is still on its way
            self.page.evaluate(SKIP)

    def after(self, act: Callable[[], object]) -> None:
        """Do something that is answered by a new position, and wait for it."""
        before = self.ply
        act()
        self._until_ply("!==", before)

    def arrived_at(self, ply: int) -> None:
        """Wait until the page shows this many entries at least."""
        self._until_ply(">=", ply)

    def _until_ply(self, comparison: str, ply: int) -> None:
        self.page.wait_for_function(
            f"""(ply) => {{
              const prompt = document.querySelector('[aria-label="What is asked"]');
              return prompt && Number(prompt.dataset.ply) {comparison} ply;
            }}""",
            arg=ply, timeout=PATIENCE,
        )  # fmt: skip

    def ready_again(self) -> None:
        """A second press right after a step counts as part of a double click; wait for that to pass."""
        self.page.wait_for_timeout(300)

    # -- the map ---------------------------------------------------------------------------------------

    def centre(self, hex_id: str) -> tuple[float, float]:
        if not self._centres:
            view = self.view()
            fixed = self.server.ask("GET", f"/games/{view['game']}/static?scenario={view['scenario']}")
            self._centres = {h["id"]: (h["x"] * UNIT, h["y"] * UNIT) for h in fixed["map"]["hexes"]}
        return self._centres[hex_id]

    def point(self, hex_id: str) -> tuple[float, float]:
        """Where a hex is on the screen."""
        x, y, _ = self.page.evaluate(SCREEN_OF, self.centre(hex_id))
        return x, y

    def bring(self, hex_id: str) -> tuple[float, float]:
        """Pan until a hex lies free on the screen."""
        box = self.page.locator("#map").bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.45)
        self.settled()
        for share in (1.0, 0.8, 1.2):
            x, y = self.point(hex_id)
            inside = (
                box["x"] + 70 < x < box["x"] + box["width"] - 70 and box["y"] + 70 < y < box["y"] + box["height"] - 70
            )
            if inside and not self.page.evaluate(COVERED, [x, y]):
                break
            self.page.mouse.move(*middle)
            self.page.mouse.down(button="middle")
            self.page.mouse.move(middle[0] + (middle[0] - x) * share, middle[1] + (middle[1] - y) * share, steps=3)
            self.page.mouse.up(button="middle")
            self.settled()
        return self.point(hex_id)

    def settled(self) -> None:
        """Wait for the map to stand still: no glide to what a question is about, no pan under way."""
        self.page.locator("#map .world:not(.moving)").wait_for(state="attached", timeout=PATIENCE)

    def press(self, point: tuple[float, float]) -> None:
        if self.touch:
            self.page.touchscreen.tap(*point)
        else:
            self.page.mouse.move(*point)
            self.page.mouse.click(*point)

    def click_hex(self, hex_id: str) -> None:
        self.press(self.bring(hex_id))

    def hover(self, hex_id: str) -> None:
        x, y = self.bring(hex_id)
        self.page.mouse.move(x + 3, y + 3)
        self.page.mouse.move(x, y)

    def counter(self, unit: str) -> Locator:
        return self.page.locator(f'#map .slot[data-unit="{unit}"]').first

    def where(self, unit: str) -> str | None:
        return next((u["hex"] for u in self.view()["units"] if u["id"] == unit), None)

    def click_unit(self, unit: str) -> None:
        """Click a counter. A stack fans out under the mouse; touched, it opens a menu of its units."""
        hex_id = self.where(unit)
        assert hex_id is not None, f"{unit} is not on the map"
        point = self.bring(hex_id)
        counters = self.page.locator(f'#map .slot[data-hex="{hex_id}"]:not([data-raised])')
        if counters.count() > 1 and not self.touch:
            self.page.mouse.move(5, 5)
            self.page.mouse.move(*point)
            raised = self.page.locator(f'#map .slot[data-raised][data-unit="{unit}"]')
            raised.wait_for(timeout=PATIENCE)
            x, y = raised.evaluate(AT_REST)
            point = (x, y)
        self.press(point)

    def drag(self, unit: str, hex_id: str) -> None:
        """Drag a counter that stands alone to a hex on the screen."""
        self.settled()
        home = self.counter(unit).get_attribute("data-hex")
        assert home is not None
        start = self.point(home)
        # a counter let go before glides back to its hex first
        self.page.wait_for_function(UNDER, arg=[*start, unit], timeout=PATIENCE)
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        x, y = self.point(hex_id)
        mouse.move((start[0] + x) / 2, (start[1] + y) / 2, steps=4)
        mouse.move(x, y, steps=4)
        mouse.up()

    # -- answering -------------------------------------------------------------------------------------

    def button(self, action: str) -> Locator:
        return self.page.locator(f'[data-action="{action}"]:visible').first

    def answer(self, option: Option) -> None:
        """Carry out an option the way a person would: on the map where it is about a place, else by its button."""
        action, units, hex_id = option["action"], option.get("units") or [], option.get("hex")
        # counted from what the server asks: the page might be a step behind when its own ply is read
        asked = self.view()["ply"]
        if hex_id:
            self._at_hex(hex_id, action)
        elif len(units) == 1 and option["verb"] not in ("lose", "eliminate", "reduce") and self.where(units[0]):
            self._at_unit(units[0], action)
        else:
            self._by_button(action)
        self._until_ply(">", asked)

    def _at_hex(self, hex_id: str, action: str) -> None:
        before = self.ply
        self.click_hex(hex_id)
        self._choose(action, before)

    def _at_unit(self, unit: str, action: str) -> None:
        before = self.ply
        self.click_unit(unit)
        self._choose(action, before)

    def _choose(self, action: str, before: int) -> None:
        """Where several things can be done at one place, the page asks which."""
        self.page.wait_for_function(
            """(before) => document.querySelector('[role=menu]')
              || Number(document.querySelector('[aria-label="What is asked"]').dataset.ply) !== before""",
            arg=before, timeout=PATIENCE,
        )  # fmt: skip
        entry = self.page.locator(f'[role="menu"] [data-action="{action}"]')
        if entry.count():
            entry.click()

    def _by_button(self, action: str) -> None:
        button = self.button(action)
        if self.touch and not button.count():
            self.page.get_by_role("tab", name="Orders").tap()
        button.wait_for(timeout=PATIENCE)
        self.ready_again()
        before = self.ply
        button.click()
        # ending a phase while units could still act is asked twice
        if "Really" in (self.prompt.text_content() or "") and self.ply == before:
            self.ready_again()
            self.button(action).click()


def request_for(seed: int = 1, **controllers: str) -> dict[str, Any]:
    """The body that makes a match of 22 June; seats not named are played by people."""
    return {
        "game": "portfolio", "scenario": "june22", "options": {}, "players": 2, "seed": seed,
        "controllers": {
            seat: {"kind": "human"} if bot == "human" else {"kind": "bot", "bot": bot}
            for seat, bot in {"axis": "human", "soviet": "human", **controllers}.items()
        },
    }  # fmt: skip
