"""What the page tells of the dice, and what it can work out by itself."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.seeds import Share
from rasputitsa.server.matches import match_dice
from tests.e2e.conftest import PHONE, Open
from tests.e2e.seats.test_seats import begin, claim, close
from tests.e2e.server import Server
from tests.e2e.table import Table, request_for
from tests.support import choose


@pytest.fixture(scope="module")
def finished_game() -> str:
    """A match of two people, played at random to its end."""
    session = new_session("portfolio", "june22", seed=0)
    session.take_dice_from(match_dice.drawn([Share("axis", "ab" * 16), Share("soviet", "cd" * 16)]))
    chooser = random.Random(3)
    while (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, choose(chooser, list(decision.options))))
    return session.save()


def dice_of(table: Table) -> Locator:
    table.page.get_by_role("button", name="Game", exact=True).click()
    table.page.get_by_role("button", name="Dice", exact=True).click()
    return table.page.get_by_role("dialog", name="Dice")


def take_in(table: Table, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    table.lobby()
    table.page.get_by_label("Import a saved game").set_input_files(path)
    table.arrived()


def test_the_browser_adds_a_share_and_remembers_the_promise(table: Table) -> None:
    table.play_now("axis")
    note = table.kept("dice")
    told = table.view("axis")["dice"]
    assert told["sources"][0]["shares"] == [{"seat": "axis", "share": note["share"], "by": "player"}]
    dice = dice_of(table)
    expect(dice).to_contain_text(f"{note['share']} (yours)")
    expect(dice).to_contain_text("The seed is published when the game is over")


def test_a_guest_notes_what_was_promised_before_adding_a_share(sit: Open, hosted: Server) -> None:
    host, guest = sit(at=hosted), sit(at=hosted)
    link = begin(host)
    close(host)
    promised = host.view("axis")["dice"]["digest"]
    expect(dice_of(host)).to_contain_text("No die is cast before somebody has taken the seat Soviet Union")
    claim(guest, link)
    told = guest.view("soviet")["dice"]
    note = guest.kept("dice")
    assert note == {"share": told["sources"][0]["shares"][1]["share"], "digests": [promised]}
    assert told["digest"] == promised and told["awaits"] == []
    # a server that shows another digest later is found out
    guest.page.evaluate(
        """id => {
          const notes = JSON.parse(localStorage['rasputitsa.dice']);
          notes[Object.keys(notes).find((place) => place.startsWith(`${id}@`))].digests.push('feed');
          localStorage['rasputitsa.dice'] = JSON.stringify(notes);
        }""",
        guest.match_id,
    )
    guest.page.reload()
    guest.arrived()
    dice = dice_of(guest)
    expect(dice).to_contain_text(f"{note['share']} (yours)")
    expect(dice.get_by_role("alert")).to_contain_text("shown another digest earlier: feed")


def test_other_data_at_the_same_address_take_no_key_and_accuse_nobody(sit: Open, tmp_path: Path) -> None:
    """Numbers of matches come again in another folder: what is kept for one match is kept for its store."""
    guest = sit()
    first, second = (Server(tmp_path / folder, others=True) for folder in ("first", "second"))

    def serve(server: Server) -> None:
        guest.page.goto(f"{guest.server.url}/#/about")
        guest.server.kill()
        server.port = guest.server.port
        server.start()
        guest.server = server

    def take_the_seat() -> dict[str, str]:
        made = guest.server.ask("POST", "/matches", {**request_for(), "guests": ["soviet"], "seed": None})
        assert made["id"] == "1"
        claim(guest, f"{guest.server.url}/#/invite/{made['invitations']['soviet']}")
        expect(dice_of(guest)).not_to_contain_text("shown another digest earlier")
        return guest.keys

    first.start()
    guest.server = first
    try:
        kept = take_the_seat()
        serve(second)
        assert take_the_seat() != kept
        serve(first)
        guest.open("1")
        assert guest.keys == kept and set(kept) == {"soviet"}
    finally:
        guest.page.goto(f"{guest.server.url}/#/about")
        guest.server.kill()


@pytest.mark.parametrize("phone", [False, True])
def test_dice_of_a_game_that_is_over_are_checked_in_the_browser(
    sit: Open, finished_game: str, tmp_path: Path, phone: bool
) -> None:
    table = sit(**PHONE) if phone else sit()
    take_in(table, tmp_path / "game.jsonl", finished_game)
    over = table.page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text("Every die comes from the seed")
    over.get_by_role("button", name="Look at the map").click()
    dice = dice_of(table)
    dice.get_by_role("button", name="Check every die in this browser").click()
    expect(dice.get_by_role("status")).to_contain_text("Worked out again here")
    count = sum(len(json.loads(line).get("dice", ())) for line in finished_game.splitlines()[1:])
    expect(dice.get_by_role("status")).to_contain_text(f"{count} dice, each as the seed gives it")
    expect(dice.get_by_role("row", name="combat Soviet Union")).to_be_visible()
    assert dice.evaluate("e => e.scrollWidth <= e.clientWidth"), "nothing runs out of the page"


def test_dice_that_do_not_come_from_the_seed_are_reported(table: Table, finished_game: str, tmp_path: Path) -> None:
    header, *rest = finished_game.splitlines()
    changed = json.loads(header)
    changed["dice"][0]["shares"][0][1] = "0" * 32
    take_in(table, tmp_path / "game.jsonl", "\n".join([json.dumps(changed), *rest]))
    expect(table.page.get_by_role("dialog", name="The game is over")).to_contain_text("differ from the seed")
    table.page.get_by_role("button", name="Look at the map").click()
    dice = dice_of(table)
    expect(dice.get_by_role("alert")).to_contain_text("The dice differ from the seed, the first in entry")
    dice.get_by_role("button", name="Check every die in this browser").click()
    expect(dice.get_by_role("status")).to_contain_text("things are wrong")
