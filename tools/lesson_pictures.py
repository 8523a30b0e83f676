"""Record a newcomer's way through the first lesson of each game: `python -m tools.lesson_pictures`.

Each step that is shown becomes a picture, and all of them a page of the documents, with the words of the lesson.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from rasputitsa.core.registry import get_game
from tests.e2e.lessons.test_guides import BREST, LAST, ORSHA, carry_out, guide, on, step
from tests.e2e.server import ROOT, Server
from tests.e2e.table import Table
from tools import client
from tools.browser import LAUNCH_ARGS, ensure
from tools.pictures import sitting

PAGE = ROOT / "docs" / "lessons.md"
IMAGES = ROOT / "docs" / "images" / "lessons"
SCREEN = {"viewport": {"width": 1180, "height": 720}}
QUALITY = 62
LAYERS = ["reach", "names"]
WAYS = {"portfolio": ORSHA, "wir": BREST}
SEED = 2
"""A seed with which the army at Orsha is destroyed."""
HEAD = """# The first lessons, picture by picture

The first two lessons of each game lead step by step; this is a newcomer's way through the first of each. The card above
the question says what to do and why; the map rings the place, and the button that is needed is framed. The page is made
by `python -m tools.lesson_pictures` from the running program.
"""


def main() -> int:
    """Record both lessons and write the page."""
    client.build()
    IMAGES.mkdir(parents=True, exist_ok=True)
    for old in IMAGES.glob("*.jpg"):
        old.unlink()
    text = [HEAD]
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data), bot_seconds=2.0)
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(LAUNCH_ARGS))
        server.start()
        try:
            for game, lines in WAYS.items():
                with sitting(browser, server, SCREEN, LAYERS) as table:
                    text += record(table, server, game, lines)
        finally:
            server.kill()
            browser.close()
    PAGE.write_text("\n".join(text) + "\n", encoding="utf-8")
    return 0


def record(table: Table, server: Server, game: str, lines: list[str]) -> list[str]:
    """Play a lesson as it says; the Markdown of its pictures."""
    info = get_game(game).lessons()[0]
    made = server.ask("POST", "/matches", {"game": game, "lesson": info.id, "seed": SEED})
    table.open(str(made["id"]))
    text, shown = [f"## {get_game(game).title}: {info.title}\n"], -1
    for line in [*lines, *[""] * LAST]:
        if table.until("mine", "over") == "over":
            break
        if step(table) != shown:
            shown = step(table)
            words = guide(table).locator(".do").inner_text()
            text.append(picture(table, f"{game}-{shown + 1:02}", f"**Step {shown + 1}.** {words}"))
        if line:
            carry_out(table, [line])
        else:
            on(table)
    text.append(picture(table, f"{game}-end", "**The end.** What was reached, and what was good."))
    return text


def picture(table: Table, name: str, words: str) -> str:
    """Take a picture; its place in the page."""
    table.page.evaluate("() => document.fonts.ready")
    table.page.wait_for_timeout(500)
    table.page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=QUALITY)
    print(name)
    alt = words.replace("*", "")
    return f"{words}\n\n![{alt}](images/lessons/{name}.jpg)\n"


if __name__ == "__main__":
    sys.exit(main())
