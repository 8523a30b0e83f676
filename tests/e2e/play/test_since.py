"""What the other side has done since one's own turn: in short, and to be watched again."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.session import Session
from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.e2e.window.test_access import check
from tests.e2e.wir.test_staff import opened


def test_the_other_sides_turn_is_told_and_watched_again(
    sit: Open, server: Server, context_of: Callable[..., BrowserContext], saved_game: str
) -> None:
    table = opened(sit, server, context_of(viewport={"width": 1600, "height": 1000}), Session.load(saved_game))
    page = table.page
    told = page.get_by_text("Since your last turn")
    expect(told).to_contain_text("battle", timeout=PATIENCE)
    now = table.ply
    told.click()
    assert check(page, "since one's last turn") == []
    page.get_by_role("button", name="Watch it again").click()
    table.until("past")
    page.get_by_role("button", name="Stop", exact=True).click()
    table.until("mine")
    assert table.ply == now
