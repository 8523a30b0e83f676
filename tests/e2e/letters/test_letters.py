"""Two people, each with a browser on a server of their own, play by letters and by nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import DESKTOP, PHONE, Open
from tests.e2e.fit import unread
from tests.e2e.seats.test_company import picture
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table, View
from tools import client

SIZES = pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])


@pytest.fixture(scope="module")
def servers(chromium: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two programs that know nothing of each other."""
    client.build()
    made = [Server(tmp_path_factory.mktemp(name)) for name in ("anna", "boris")]
    for server in made:
        server.start()
    yield made
    for server in made:
        server.kill()


class Writer:
    """Somebody who plays by letters in a browser."""

    def __init__(self, table: Table, name: str) -> None:
        self.table, self.page, self.name, self.code = table, table.page, name, ""

    def begin(self, game: str, scenario: str) -> str:
        self.page.goto(f"{self.table.server.url}/#/letters")
        form = self.page.locator("section", has=self.page.get_by_role("heading", name="Invite somebody"))
        form.get_by_label(re.compile("^Game")).select_option(label=game)
        form.get_by_label(re.compile("^Scenario")).select_option(label=scenario)
        form.get_by_label("Your name in letters").fill(self.name)
        picture(self.table, f"letters-new-{self.name}")
        form.get_by_role("button", name="Write the invitation").click()
        return self.arrived()

    def join(self, letter: str) -> str:
        self.page.goto(f"{self.table.server.url}/#/letters")
        self.page.get_by_label("An invitation that came").fill(f"Look what came:\n{letter}")
        self.page.get_by_role("button", name="Read the invitation").click()
        expect(self.page.get_by_text("invites you to")).to_contain_text("Anna invites you to")
        self.page.get_by_label("Your name in letters").first.fill(self.name)
        picture(self.table, f"letters-join-{self.name}")
        self.page.get_by_role("button", name="Accept and answer").click()
        return self.arrived()

    def arrived(self) -> str:
        self.page.wait_for_url(re.compile(r"#/letters/[0-9a-f]{12}$"))
        self.code = self.page.url[-12:]
        return self.letter()

    def letter(self) -> str:
        """The letter that is to be sent, as it stands on the page."""
        return self.page.get_by_label(re.compile(r"Letter \d+, to be sent")).input_value()

    def read(self, text: str) -> None:
        self.page.get_by_label("A letter that came").fill(text)
        self.page.get_by_role("button", name="Read the letter").click()
        expect(self.page.get_by_text(re.compile("was read|read before"))).to_be_visible(timeout=PATIENCE)

    def to_the_map(self) -> None:
        self.page.goto(f"{self.table.server.url}/#/match/letter-{self.code}")
        self.table.arrived()

    def ask(self) -> Any:
        return self.table.server.ask("GET", f"/letters/{self.code}")

    def view(self) -> View:
        seat = next(person["seats"][0] for person in self.ask()["people"] if person["me"])
        return dict(self.table.server.ask("GET", f"/letters/{self.code}/view?seat={seat}"))

    def desk(self) -> Locator:
        """What stands under Letter beside the map."""
        panel, tab = self.page.get_by_role("tabpanel"), self.page.get_by_role("tab", name="Letter")
        if not panel.is_visible() or tab.get_attribute("aria-selected") == "false":
            self.page.locator(".letter").get_by_role("button", name="Letter").click()
        return panel

    def order(self, chooser: random.Random, most: int) -> None:
        """Some orders on the map and by its buttons, then what ends the phase, until a letter is due."""
        for number in range(150):
            view = self.view()
            decision = view["decision"]
            if decision is None or not decision["mine"]:
                break
            option = chosen(decision["options"], chooser, closing=number >= most)
            self.type(option["action"])
            self.page.wait_for_function(
                "(ply) => Number(document.querySelector('[aria-label=\"What is asked\"]').dataset.ply) !== ply"
                " || document.querySelector('[data-kind=letter]')",
                arg=view["ply"],
            )
        expect(self.page.locator('[data-kind="letter"]')).to_be_visible()

    def write(self) -> str:
        """The next letter, written beside the map."""
        self.desk()
        self.page.get_by_role("button", name="Write the letter").click()
        return self.letter()

    def take(self, letter: str) -> None:
        """Read a letter beside the map."""
        self.desk()
        self.read(letter)

    def answered(self) -> bool:
        """Whether the answer was written at once."""
        return not self.ask()["due"] and bool(self.ask()["sent"][-1]["mine"])

    def type(self, line: str) -> None:
        """An order by the line for orders."""
        self.page.keyboard.press("/")
        field = self.page.get_by_label("Notation")
        field.fill(line)
        field.press("Enter")


def chosen(options: list[Any], chooser: random.Random, *, closing: bool) -> Any:
    """An order that leads on; ``closing``: what ends a phase or puts something down, if there is such a thing."""
    for verb in ("done", "stand", "pass", "supply", "halt") if closing else ():
        if found := [o for o in options if o["verb"] == verb]:
            return found[0]
    others = ("abort", "skip", "halt", "attack", "retreat", "done")
    return chooser.choice([o for o in options if o["verb"] not in others] or options)


def seated(sit: Open, servers: list[Server], settings: dict[str, Any], game: str, scenario: str) -> list[Writer]:
    anna, boris = Writer(sit(at=servers[0]), "Anna"), Writer(sit(at=servers[1], **settings), "Boris")
    anna.read(boris.join(anna.begin(game, scenario)))
    return [anna, boris]


def turn_of(writers: list[Writer]) -> int:
    """The turn of the game that both have come to."""
    return int(min(writer.view()["turn"]["number"] for writer in writers))


def play_a_turn(writers: list[Writer], chooser: random.Random, most: int) -> int:
    """Letters to and fro until both have come to the second turn; how many orders were written."""
    for writer in writers:
        writer.to_the_map()
    for orders in range(60):
        if turn_of(writers) > 1:
            return orders
        one, other = writers if writers[0].ask()["due"] else writers[::-1]
        one.order(chooser, most)
        letter = one.write()
        other.take(letter)
        if other.answered():
            one.take(other.letter())
    raise AssertionError("there is no end of the turn")


def test_a_turn_of_the_russian_portfolio(sit: Open, servers: list[Server]) -> None:
    anna, boris = seated(sit, servers, {}, "The Russian Portfolio", "22 June 1941")
    anna.to_the_map()
    anna.table.view = lambda seat=None: anna.view()  # type: ignore[method-assign]
    option = next(o for o in anna.view()["decision"]["options"] if o["action"] == "rail 39Pz")
    anna.table.answer(option)
    expect(anna.desk()).to_contain_text("rail 39Pz")
    assert unread(anna.page, '[aria-label="Panels"]') == []
    picture(anna.table, "letters-orders")
    anna.page.get_by_role("button", name="Undo").click()
    expect(anna.page.get_by_role("tabpanel")).not_to_contain_text("rail 39Pz")
    assert play_a_turn([anna, boris], random.Random(1), 2) > 3
    one, other = anna.view(), boris.view()
    assert one["units"] == other["units"] and one["turn"] == other["turn"]
    expect(anna.page.get_by_role("region", name="What is asked")).to_be_visible()
    picture(anna.table, "letters-second-turn")


def test_a_week_of_war_in_russia(sit: Open, servers: list[Server]) -> None:
    """One of the two at a phone; each gives orders that the other cannot see before both are bound."""
    writers = seated(sit, servers, PHONE, "War in Russia", "Minsk and Smolensk, 1941")
    assert play_a_turn(writers, random.Random(2), 3) > 2
    assert writers[0].view()["turn"] == writers[1].view()["turn"]
    for writer in writers:
        picture(writer.table, f"letters-week-{writer.name}")


@SIZES
def test_a_letter_that_does_not_fit_is_refused_in_plain_words(
    sit: Open, servers: list[Server], settings: dict[str, Any]
) -> None:
    anna, boris = Writer(sit(at=servers[0]), "Anna"), Writer(sit(at=servers[1], **settings), "Boris")
    invitation = anna.begin("The Russian Portfolio", "22 June 1941")
    boris.page.goto(f"{servers[1].url}/#/letters")
    boris.page.get_by_label("An invitation that came").fill(invitation[:300])
    boris.page.get_by_role("button", name="Read the invitation").click()
    expect(boris.page.get_by_role("alert")).to_contain_text("cut short")
    joined = boris.join(invitation)
    picture(boris.table, "letters-joined")
    field = anna.page.get_by_label("A letter that came")
    for text, words in ((joined.replace("/", "+"), "altered"), ("Good luck!", "no letter in this text")):
        field.fill(text)
        anna.page.get_by_role("button", name="Read the letter").click()
        expect(anna.page.get_by_role("alert")).to_contain_text(words)
        expect(field).to_have_value(text)
    picture(anna.table, "letters-refused")
    anna.read(joined)
    anna.page.get_by_role("button", name="Resign by letter").click()
    anna.page.get_by_role("button", name="Really?").click()
    expect(anna.page.get_by_text("The match is over: Anna has resigned.")).to_be_visible()
    boris.read(anna.letter())
    boris.page.get_by_role("link", name="Look at the map").click()
    expect(boris.page.get_by_role("dialog", name="The game is over")).to_contain_text("Soviet victory")
    picture(boris.table, "letters-over")


def test_a_letter_comes_and_goes_as_a_file(sit: Open, servers: list[Server], tmp_path: Path) -> None:
    anna, boris = Writer(sit(at=servers[0]), "Anna"), Writer(sit(at=servers[1]), "Boris")
    invitation = anna.begin("The Russian Portfolio", "22 June 1941")
    with anna.page.expect_download() as saved:
        anna.page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert unread(anna.page, "main") == []
    assert file.name == f"letter-0-{anna.code}.txt" and file.read_text() == invitation
    boris.page.goto(f"{servers[1].url}/#/letters")
    boris.page.locator("input[type=file]").first.set_input_files(file)
    expect(boris.page.get_by_label("An invitation that came")).to_have_value(invitation)
    assert unread(boris.page, "main") == []
    anna.page.goto(servers[0].url)
    expect(anna.page.get_by_role("region", name="Letters")).to_contain_text("waiting")


def test_a_damaged_match_stands_in_the_list_is_saved_and_removed(sit: Open, servers: list[Server]) -> None:
    anna = Writer(sit(at=servers[0]), "Anna")
    anna.begin("The Russian Portfolio", "22 June 1941")
    servers[0].letter_file(anna.code).write_text("torn", encoding="utf-8")
    anna.page.goto(f"{servers[0].url}/#/")
    anna.page.get_by_role("region", name="Letters").get_by_role("link", name=f"Match {anna.code}").click()
    expect(anna.page.get_by_role("alert")).to_contain_text("is damaged: it is not JSON")
    picture(anna.table, "letters-damaged")
    with anna.page.expect_download() as saved:
        anna.page.get_by_role("link", name="Save the file").click()
    assert saved.value.suggested_filename == f"{anna.code}.mail" and saved.value.path().read_text() == "torn"
    anna.page.get_by_role("button", name="Remove").click()
    anna.page.get_by_role("button", name="Really?").click()
    expect(anna.page.get_by_role("region", name="Letters")).not_to_contain_text(anna.code)


def test_a_stray_file_is_named_leads_nowhere_and_its_address_says_why(sit: Open, servers: list[Server]) -> None:
    anna = Writer(sit(at=servers[0]), "Anna")
    anna.begin("The Russian Portfolio", "22 June 1941")
    stray = servers[0].letter_file(anna.code).with_name("friday.mail")
    stray.write_text("a copy", encoding="utf-8")
    try:
        anna.page.goto(f"{servers[0].url}/#/")
        told = anna.page.get_by_role("region", name="Letters").get_by_role("listitem").filter(has_text="friday.mail")
        expect(told).to_contain_text("not a match")
        expect(told).to_contain_text("called by the twelve digits")
        expect(told.get_by_role("link")).to_have_count(0)
        anna.page.goto(f"{servers[0].url}/#/letters/friday.mail")
        expect(anna.page.get_by_role("alert")).to_contain_text("called by the twelve digits")
    finally:
        stray.unlink()


def test_a_server_for_others_keeps_no_letters(sit: Open, hosted: Server) -> None:
    table = sit(at=hosted)
    table.lobby()
    expect(table.page.get_by_role("heading", name="Games to continue")).to_be_visible()
    expect(table.page.get_by_role("region", name="Letters")).to_have_count(0)
