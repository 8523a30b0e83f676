"""A real browser on the program itself, started as a player starts it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

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

PICTURES = ROOT / "test-results"
"""What the pages looked like where a test failed."""
FAILED = pytest.StashKey[bool]()

Open = Callable[..., Table]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        reason = "no Chromium on this machine; `make browser` looks for one and installs it"
        if required():
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(LAUNCH_ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The program with a freshly built client; every test plays matches of its own on it."""
    client.build()
    server = Server(tmp_path_factory.mktemp("games"))
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


@pytest.fixture
def sit(request: pytest.FixtureRequest, context_of: Callable[..., BrowserContext], server: Server) -> Iterator[Open]:
    """Sits down at a table: a page, checked at the end for errors of its scripts."""
    tables: list[Table] = []

    def make(at_once: bool = True, context: BrowserContext | None = None, **settings: Any) -> Table:
        if context is None:
            context = context_of(**settings)
            if at_once:
                context.add_init_script(AT_ONCE)
        table = Table(context.new_page(), server, touch=bool(settings.get("has_touch")))
        tables.append(table)
        return table

    yield make
    if request.node.stash.get(FAILED, False):
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
