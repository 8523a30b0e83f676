"""A game that the client has never heard of, as it stands on the first screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Open
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


@pytest.mark.parametrize("phone", [False, True])
def test_a_whole_game_of_it_is_played_with_the_plain_client(sit: Open, with_duel: Server, phone: bool) -> None:
    table = sit(at=with_duel, **(PHONE if phone else {}))
    made = with_duel.ask("POST", "/matches", {"game": "duel", "scenario": "short", "seed": 5})
    table.open(str(made["id"]))
    page = table.page
    table.until_mine()
    expect(table.prompt).to_contain_text("Hide a number from 1 to 6")
    table.after(lambda: table.button("hide 3").click())
    table.until_mine()
    while table.until("mine", "over") == "mine":
        kind = table.kind
        if kind in ("hide", "guess"):
            table.after(lambda kind=kind: table.button(f"{kind} 3").press("Enter"))  # type: ignore[misc]
        elif kind in ("red", "blue") and table.ply < 8:
            step = next(option for option in table.options() if option["verb"] == "step")
            table.answer(step)
            table.after(lambda: page.get_by_role("button", name="Undo").click())
            table.answer(step)
            table.ready_again()
            table.after(lambda: table.button("done").click())
        else:
            table.ready_again()
            page.locator("#map").focus()
            table.after(lambda: page.keyboard.press("Space"))
    expect(table.prompt).to_contain_text("The turns are over")
    expect(table.prompt.locator(".flag")).to_have_count(0)
    page.get_by_role("tab", name="Situation").click()
    for words in ("Victory", "Score"):
        expect(page.get_by_role("tabpanel")).to_contain_text(words)
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Blue guesses 3; Red had hidden 3")
