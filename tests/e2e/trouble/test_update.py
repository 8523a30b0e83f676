"""A match under way while the program was updated: what its players are told, once."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.new import new_session
from rasputitsa.server.matches.archive import keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE
from tests.support import choose

TOLD = "The program was updated and its rules have changed."


def resumed(data: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A match that has been opened for the first time after its rules have changed."""
    session, rng = new_session("portfolio", "june22", seed=5), random.Random(5)
    for _ in range(120):
        decision = session.decision()
        assert decision is not None
        session.play(session.game.format(session.state, choose(rng, list(decision.options))))
    store = Store(data / "matches.db")
    number = keep(store, pack(session)).number
    monkeypatch.setattr("rasputitsa.server.matches.rebuilding._rules_changed", lambda *_: True)
    assert Match(store, number).session.floor
    store.close()
    return number


@pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])
def test_a_change_of_the_rules_is_reported_once(
    context_of: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    number = resumed(tmp_path, monkeypatch)
    server = Server(tmp_path)
    server.start()
    try:
        page = context_of(**settings).new_page()
        page.goto(f"{server.url}/#/match/{number}")
        expect(page.get_by_text(TOLD)).to_be_visible(timeout=PATIENCE)
        page.reload()
        page.get_by_role("tab", name="Log").click()
        expect(page.get_by_role("tabpanel", name="Log")).to_contain_text("its rules have changed", timeout=PATIENCE)
        expect(page.get_by_text(TOLD)).to_have_count(0)
    finally:
        server.kill()
