"""A real browser on the program itself, started as a player starts it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize, sync_playwright

from tests.e2e.server import ROOT, Server
from tests.e2e.table import Table
from tests.support import random_session
from tools import client
from tools.browser import LAUNCH_ARGS, find, required

DESKTOP: ViewportSize = {"width": 1366, "height": 768}
PHONE = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
AT_ONCE = "localStorage['rasputitsa.prefs'] ??= JSON.stringify({ pace: 'instant' })"
"""The computer's moves are not shown one by one: most tests have no time to look at them."""

HERE = Path(__file__).parent
PICTURES = ROOT / "test-results"
"""What the pages looked like where a test failed."""
FAILED = pytest.StashKey[bool]()
STALLED = pytest.StashKey[bool]()

Open = Callable[..., Table]


class Chromium:
    """The browser that the tests share, restarted when it has stopped painting."""

    def __init__(self, playwright: Playwright, path: Path) -> None:
        self._playwright = playwright
        self._path = path
        self._running: Browser | None = None

    def browser(self) -> Browser:
        if self._running is None:
            self._running = self._playwright.chromium.launch(executable_path=self._path, args=list(LAUNCH_ARGS))
        return self._running

    def close(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    path = find()
    if path is None:
        reason = "no Chromium on this machine; `make browser` looks for one and installs it"
        if required():
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = Chromium(playwright, path)
        yield chromium
        chromium.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest, chromium: Chromium) -> Iterator[Browser]:
    yield chromium.browser()
    if request.node.stash.get(STALLED, False):
        chromium.close()


@pytest.fixture(scope="session")
def server(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The program with a freshly built client; every test plays matches of its own on it."""
    client.build()
    server = Server(tmp_path_factory.mktemp("games"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def hosted(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The program as it serves others: everybody has what they were given, and nothing else.

    One for each file of tests, since it limits how many matches an address may start within an hour.
    """
    client.build()
    server = Server(tmp_path_factory.mktemp("hosted"), others=True)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def context_of(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browser profiles with no memory of other tests."""
    contexts: list[BrowserContext] = []

    def make(**settings: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **settings})
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(context_of: Callable[..., BrowserContext]) -> Page:
    """An empty page at desktop size."""
    return context_of().new_page()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell fixtures how the test went."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.hookimpl
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Chromium without a screen stops painting once in a great while, and with it all that waits for a frame.

    Its scripts answer still, so it is taken for a fault of the browser. Such a test begins once more, in a new one.
    """
    if HERE not in item.path.parents:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if item.stash.get(STALLED, False):
        print(f"\n{item.nodeid}: the browser has stopped painting; once more in a new one")
        item.stash[FAILED] = item.stash[STALLED] = False
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture
def sit(request: pytest.FixtureRequest, context_of: Callable[..., BrowserContext], server: Server) -> Iterator[Open]:
    """Sits down at a table: a page, checked at the end for errors of its scripts."""
    tables: list[Table] = []

    def make(
        at_once: bool = True, context: BrowserContext | None = None, at: Server | None = None, **settings: Any
    ) -> Table:
        if context is None:
            context = context_of(**settings)
            if at_once:
                context.add_init_script(AT_ONCE)
        table = Table(context.new_page(), at or server, touch=bool(settings.get("has_touch")))
        tables.append(table)
        return table

    yield make
    if request.node.stash.get(FAILED, False):
        request.node.stash[STALLED] = not all(table.paints() for table in tables)
    if request.node.stash.get(FAILED, False) and not request.node.stash[STALLED]:
        PICTURES.mkdir(exist_ok=True)
        for number, table in enumerate(tables, start=1):
            table.page.screenshot(path=PICTURES / f"{request.node.name}-{number}.png")
    for table in tables:
        assert not table.trouble, table.trouble


@pytest.fixture
def table(sit: Open) -> Table:
    return sit()


@pytest.fixture(scope="session")
def saved_game() -> str:
    """A match played at random for some turns."""
    return random_session(3, 900).save()
