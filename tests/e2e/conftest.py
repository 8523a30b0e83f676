"""A real browser for the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tools.browser import LAUNCH_ARGS, find, required


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


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page at desktop size, with no memory of other tests."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    yield context.new_page()
    context.close()
