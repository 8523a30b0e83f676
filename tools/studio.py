"""Takes pictures of a game at desktop and phone size: a scene is a position, and what is done there on the page."""

from __future__ import annotations

import html
import json
import re
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from rasputitsa.core.errors import RasputitsaError
from tests.e2e.server import ROOT, Server
from tests.e2e.table import Table
from tools import client
from tools.browser import LAUNCH_ARGS, ensure

PHONE = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
SIZES: dict[str, dict[str, Any]] = {"desktop": {"viewport": {"width": 1440, "height": 900}}, "phone": PHONE}
LIMIT = 30_000
STYLE = "figure{display:inline-block;margin:8px;vertical-align:top}img{height:420px;border:1px solid #999}"

Act = Callable[[Table], object]
Save = Callable[[], str]


@dataclass(frozen=True)
class Scene:
    """A position to look at, and what to do on the page before the picture is taken.

    Without a position it is a page by its address, taken in both themes.
    """

    name: str
    save: Save | None
    act: Act | None = None
    dark: bool = False
    curtain: str = "never"
    pace: str = "instant"
    address: str = ""

    def themes(self) -> tuple[str, ...]:
        """The themes it is shown in."""
        return ("light", "dark") if self.save is None else ("dark" if self.dark else "light",)

    def picture(self, theme: str, size: str) -> str:
        """What a picture of it is called."""
        return f"{self.name}-{theme}-{size}" if self.save is None else f"{self.name}-{size}"


# -- what is done on the page --------------------------------------------------------------------------


def tab(name: str) -> Act:
    """A tab of the panels."""
    return lambda table: table.page.get_by_role("tab", name=name).first.click()


def tool(name: str) -> Act:
    """A button of the bar; on a phone some stand in the menu of the game."""

    def act(table: Table) -> None:
        button = table.page.locator("header").get_by_role("button", name=name, exact=True)
        if not button.is_visible():
            table.page.locator("header").get_by_role("button", name="Game", exact=True).click()
            button = table.page.get_by_role("dialog").get_by_role("button", name=re.compile(name, re.I)).first
        button.click()

    return act


def layers(*names: str) -> Act:
    """Switch layers on and look at the whole map."""

    def act(table: Table) -> None:
        tool("Layers")(table)
        for name in names:
            table.page.get_by_role("checkbox", name=re.compile(name)).check()
        table.page.keyboard.press("Escape")
        table.page.get_by_role("button", name="Whole map").click()
        table.page.wait_for_load_state("networkidle")
        table.page.wait_for_timeout(1500)

    return act


# -- pictures ------------------------------------------------------------------------------------------


def gallery(name: str, scenes: Iterable[Scene], wanted: Sequence[str]) -> int:
    """Take the scenes named, or all, into test-results/NAME; the exit status."""
    out = ROOT / "test-results" / name
    out.mkdir(parents=True, exist_ok=True)
    client.build()
    known = list(scenes)
    failed = [f"{word}: there is no such scene" for word in wanted if word not in {scene.name for scene in known}]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(LAUNCH_ARGS))
        server.start()
        try:
            for scene in known:
                if not wanted or scene.name in wanted:
                    failed += _take(browser, server, scene, out)
        finally:
            server.kill()
            browser.close()
    _index(known, out)
    print(f"{out.relative_to(ROOT)}/index.html")
    for line in failed:
        print(line, file=sys.stderr)
    return 1 if failed else 0


def _take(browser: Browser, server: Server, scene: Scene, out: Path) -> list[str]:
    """One scene at every size; what went wrong."""
    try:
        saved = scene.save() if scene.save else None
    except (LookupError, RasputitsaError) as problem:
        return [f"{scene.name}: {problem}"]
    failed: list[str] = []
    for size in SIZES:
        for theme in scene.themes():
            with _sitting(browser, server, scene, size, theme) as table:
                name = scene.picture(theme, size)
                try:
                    _arrive(table, scene, saved)
                    table.page.evaluate("() => document.fonts.ready")
                    table.page.wait_for_timeout(500)
                    table.page.screenshot(path=out / f"{name}.png")
                    print(name, flush=True)
                except Exception as problem:  # a scene that cannot be had must not hide the others
                    failed.append(f"{name}: {problem}")
                failed += [f"{name}: {line}" for line in table.trouble]
    return failed


def _arrive(table: Table, scene: Scene, saved: str | None) -> None:
    """Open the page and do what is to be done there."""
    if saved is None:
        table.page.goto(f"{table.server.url}/#/{scene.address}")
        table.page.wait_for_timeout(900)
    else:
        table.open(_take_in(table.server, saved))
        table.until("mine", "over")
        table.page.wait_for_timeout(500)
    if scene.act:
        scene.act(table)


def _take_in(server: Server, save: str) -> str:
    """Import a saved game; gives the name of the match."""
    request = urllib.request.Request(f"{server.url}/api/import", save.encode(), method="POST")
    request.add_header("content-type", "application/x-ndjson")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["id"])


@contextmanager
def _sitting(browser: Browser, server: Server, scene: Scene, size: str, theme: str) -> Iterator[Table]:
    """A page with its own browser profile."""
    context = browser.new_context(**SIZES[size], locale="en-GB", reduced_motion="reduce")
    wishes = json.dumps({"pace": scene.pace, "curtain": scene.curtain, "theme": theme})
    context.add_init_script(f"localStorage['rasputitsa.prefs'] = {json.dumps(wishes)}")
    yield Table(context.new_page(), server, touch="has_touch" in SIZES[size])
    context.close()


def _index(scenes: Iterable[Scene], out: Path) -> None:
    """A page with all pictures, in the order of the scenes."""
    names = [scene.picture(theme, size) for scene in scenes for theme in scene.themes() for size in SIZES]
    figures = "".join(
        f'<figure><a href="{html.escape(n)}.png"><img src="{html.escape(n)}.png" loading="lazy"></a>'
        f"<figcaption>{html.escape(n)}</figcaption></figure>"
        for n in names
        if (out / f"{n}.png").is_file()
    )
    (out / "index.html").write_text(
        f"<!doctype html><title>{html.escape(out.name)}</title><style>{STYLE}</style>{figures}"
    )
