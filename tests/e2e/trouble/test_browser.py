"""What the tests do about a browser that stops painting: told from a test that fails, and restarted."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import STALLED, Open

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no way to stop a process here")


class Painter:
    """The process that paints for a browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stopped: list[int] = []

    def stop(self) -> None:
        about = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        self._stopped = [process["id"] for process in about["processInfo"] if process["type"] == "GPU"]
        assert self._stopped, about
        for process in self._stopped:
            os.kill(process, signal.SIGSTOP)

    def go_on(self) -> None:
        for process in self._stopped:
            os.kill(process, signal.SIGCONT)
        self._stopped = []


@pytest.fixture
def painter(browser: Browser) -> Iterator[Painter]:
    painter = Painter(browser)
    yield painter
    painter.go_on()


def test_a_page_is_asked_whether_it_is_painted(sit: Open, painter: Painter) -> None:
    one, two = sit(), sit()
    one.lobby()
    two.lobby()
    assert one.paints() and two.paints()
    painter.stop()
    assert not one.paints() and not two.paints()
    painter.go_on()
    assert one.paints() and two.paints()


RUNS: list[Browser] = []


def test_a_test_starts_again_where_the_browser_has_stopped_painting(
    painter: Painter, sit: Open, browser: Browser, request: pytest.FixtureRequest
) -> None:
    table = sit()
    table.lobby()
    RUNS.append(browser)
    if len(RUNS) == 1:
        painter.stop()
        table.page.wait_for_function("() => (window.asked = (window.asked ?? 0) + 1) > 5", timeout=1000)
    first, second = RUNS
    assert first is not second and not first.is_connected()
    assert not request.node.stash[STALLED]
    assert table.paints()
