"""Two people at two browsers: invitations, keys, and who sits where."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import DESKTOP, PHONE, Open
from tests.e2e.play.test_games import verb
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table


def begin(table: Table, guest: str = "Soviet Union", *, hints: bool = False) -> str:
    """Start a match with a guest; gives the link that the page shows."""
    page = table.page
    page.goto(f"{table.server.url}/#/new/portfolio")
    table.choose_scenario("june22")
    page.get_by_label(f"Who plays {guest}", exact=True).select_option("guest")
    if hints:
        page.get_by_label("Everybody may ask the computer for hints").check()
    page.get_by_role("button", name="Start the game").click()
    table.arrived()
    dialog = page.get_by_role("dialog", name="Invite the other players")
    expect(dialog).to_contain_text("waiting for the one who was invited")
    return dialog.get_by_label(f"Link: {guest}").input_value()


def claim(table: Table, link: str, name: str = "") -> None:
    page = table.page
    page.goto(link)
    if name:
        page.get_by_label("Your name, if you like").fill(name)
    page.get_by_role("button", name=re.compile("^Accept and play")).click()
    table.arrived()


def menu(table: Table) -> Locator:
    table.page.get_by_role("button", name="Game", exact=True).click()
    return table.page.get_by_role("dialog")


def row(table: Table, seat: str) -> Locator:
    return table.page.locator(f'li[data-seat="{seat}"]')


def close(table: Table) -> None:
    table.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()


def test_a_seat_that_was_taken_from_the_same_address_is_reported(sit: Open, hosted: Server) -> None:
    """All tables of a test are at one address; the seat its creator keeps is taken from nowhere."""
    one, two, onlooker = sit(at=hosted), sit(at=hosted), sit(at=hosted)
    link = begin(one)
    expect(one.page.get_by_role("dialog")).not_to_contain_text("same address")
    close(one)
    claim(two, link, "Anna")
    onlooker.page.goto(one.page.url)
    onlooker.arrived()
    for table in (one, two, onlooker):
        menu(table)
        expect(row(table, "soviet")).to_contain_text("Taken from the same address as another seat")
        expect(row(table, "axis")).not_to_contain_text("same address")


@pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])
def test_a_friend_comes_by_invitation_and_both_play(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = sit(at=hosted), sit(at=hosted, **settings)
    link = begin(one)
    assert "/#/invite/" in link and "key" not in link
    close(one)
    # what the invitation is to can be read before anything is taken
    two.page.goto(link)
    expect(two.page.get_by_role("heading", level=1)).to_have_text("Play Soviet Union in The Russian Portfolio")
    expect(two.page.get_by_role("article")).to_contain_text("22 June 1941")
    expect(two.page.get_by_role("article")).to_contain_text("Nobody gets hints")
    claim(two, link, "Jan")
    assert "invite" not in two.page.url
    assert (set(one.keys), set(two.keys)) == ({"axis"}, {"soviet"})

    menu(one)
    expect(row(one, "soviet")).to_contain_text("Jan")
    expect(row(one, "soviet")).to_have_attribute("data-state", "person")
    expect(row(one, "soviet").get_by_role("button")).to_have_count(0)
    close(one)

    moved = set()
    for _ in range(4):  # up to the Siberian roulette, which may end the game
        seat = one.view("axis")["decision"]["seat"]
        mover, other = (one, two) if seat == "axis" else (two, one)
        mover.until("mine")
        other.until("waiting")  # nobody is asked in another's place
        expect(one.page.get_by_role("dialog", name="Change of seat")).to_be_hidden()
        moved.add(seat)
        # nothing about a unit or a hex: go on, or stand
        mover.answer(next(o for o in mover.options() if not o["units"] and not o["hex"]))
    assert moved == {"axis", "soviet"}

    # who opens the link once more, elsewhere, is told that it is spent
    three = sit(at=hosted)
    three.page.goto(link)
    expect(three.page.get_by_role("alert")).to_contain_text("used already")
    expect(three.page.get_by_role("button", name=re.compile("Accept"))).to_have_count(0)
    three.page.goto(f"{hosted.url}/#/")
    expect(three.page.get_by_text("None yet.")).to_be_visible()
    for table in (one, two):
        table.lobby()
        expect(table.page.locator('li a[href^="#/match/"]')).to_have_count(1)


def test_a_renewed_key_throws_the_other_windows_out(sit: Open, hosted: Server) -> None:
    one, two, phone = sit(at=hosted), sit(at=hosted), sit(at=hosted, **PHONE)
    claim(two, begin(one))
    dialog = menu(two)
    dialog.get_by_text("Invite somebody, other devices").click()
    dialog.get_by_role("button", name="Play it on another device").click()
    link = dialog.get_by_label("Link: Soviet Union, for another device").input_value()
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Play here").click()
    phone.arrived()
    assert set(phone.keys) == {"soviet"}
    phone.until("waiting")

    dialog.get_by_role("button", name="Close it everywhere else").click()
    expect(phone.page.get_by_role("heading", name="This game cannot be opened")).to_be_visible(timeout=PATIENCE)
    expect(phone.page.get_by_text("its key was renewed")).to_be_visible()
    close(two)
    one.page.get_by_role("dialog").press("Escape")
    one.until("mine")
    one.answer(verb(one, "done"))
    two.until("mine")
    two.answer(verb(two, "done"))
    phone.page.reload()
    phone.arrived()
    assert not phone.keys
    assert phone.until("waiting") == "waiting", "it looks on at most"


def test_an_invitation_is_withdrawn_and_made_again(sit: Open, hosted: Server) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    first = begin(one)
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Withdraw the invitation").click()
    expect(row(one, "soviet")).to_contain_text("nobody")
    two.page.goto(first)
    expect(two.page.get_by_role("heading", name="This invitation cannot be opened")).to_be_visible()
    dialog.get_by_role("button", name="Invite somebody").click()
    link = dialog.get_by_label("Link: Soviet Union")
    expect(link).not_to_have_value(first)
    claim(two, link.input_value())
    expect(row(one, "soviet")).to_contain_text("another person")


def test_hints_between_people_are_for_all_or_nobody(sit: Open, hosted: Server) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    claim(two, begin(one))
    close(one)
    one.until("mine")
    hint = one.page.get_by_role("button", name="Hint", exact=True)
    expect(hint).to_have_count(0)
    for table in (one, two):
        menu(table)
        table.page.get_by_label(re.compile("I agree to hints")).check()
        close(table)
    expect(hint).to_be_visible()
    menu(two)
    two.page.get_by_label(re.compile("I agree to hints")).uncheck()
    expect(hint).to_have_count(0)


def test_whoever_accepts_an_invitation_with_hints_agrees_to_them(sit: Open, hosted: Server) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    link = begin(one, hints=True)
    two.page.goto(link)
    expect(two.page.get_by_role("article")).to_contain_text("All players may ask the computer for hints")
    claim(two, link)
    close(one)
    one.until("mine")
    expect(one.page.get_by_role("button", name="Hint", exact=True)).to_be_visible()


def test_both_sides_are_played_after_a_warning_only(table: Table) -> None:
    page = table.page
    table.new_match(soviet="greedy")
    assert set(table.keys) == {"axis"}
    menu(table)
    page.get_by_label("Who plays soviet").select_option("human")
    asked = page.get_by_role("alertdialog", name="Play both sides?")
    expect(asked).to_contain_text("say so permanently")
    asked.get_by_role("button", name="Leave it to the computer").click()
    expect(row(table, "soviet")).to_have_attribute("data-state", "computer")
    page.get_by_label("Who plays soviet").select_option("human")
    asked.get_by_role("button", name="Play both sides").click()
    expect(row(table, "soviet")).to_have_attribute("data-state", "yours")
    expect(page.get_by_text("In this game one person has seen both sides.")).to_be_visible()
    assert set(table.keys) == {"axis", "soviet"}


def test_the_owner_of_the_machine_sits_down_from_two_browsers_at_once(sit: Open) -> None:
    one, two = sit(), sit()
    one.new_match(soviet="greedy")
    two.open(one.match_id)
    assert set(two.keys) == {"axis"} and two.keys != one.keys
    for table, other in ((one, two), (two, one)):
        table.until_mine()
        table.answer(verb(table, "done"))
        other.until_mine()
