"""A game that the client has never heard of, as it stands on the first screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.server.conftest import duel_installed

__all__ = ["duel_installed"]


@pytest.fixture
def with_duel(server: Server, tmp_path: Path) -> Iterator[Server]:
    """A server with one more game; the other one has only to have built the client."""
    more = Server(tmp_path / "games")
    more.start()
    yield more
    more.kill()


def test_its_card_offers_its_own_seats_and_opponents(sit: Open, with_duel: Server) -> None:
    table = sit(at=with_duel)
    table.lobby()
    card = table.card("Duel")
    expect(card).to_contain_text("A game for tests")
    expect(card).to_contain_text("Stubborn")
    expect(card.get_by_role("button", name="Play now")).to_have_count(2)
    expect(card.get_by_role("button", name="Play now against the computer, as the Red")).to_be_enabled()
    expect(card.get_by_role("button", name="Play now as the Blue")).to_be_enabled()
    expect(card).not_to_contain_text("Axis")
