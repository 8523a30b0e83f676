"""Two people at two browsers: what they do at the table besides playing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESKTOP, PHONE, Open
from tests.e2e.seats.test_seats import begin, claim, close, menu
from tests.e2e.server import Server
from tests.e2e.table import Table

SIZES = pytest.mark.parametrize("settings", [{"viewport": DESKTOP}, PHONE], ids=["desk", "phone"])


def picture(table: Table, name: str) -> None:
    """For those who want to look: where RASPUTITSA_PICTURES names a folder."""
    if folder := os.environ.get("RASPUTITSA_PICTURES"):
        table.page.screenshot(path=Path(folder) / f"{name}-{table.page.viewport_size['width']}.png")  # type: ignore[index]


def two_people(sit: Open, hosted: Server, settings: dict[str, object]) -> tuple[Table, Table]:
    one, two = sit(at=hosted), sit(at=hosted, **settings)
    link = begin(one)
    close(one)
    claim(two, link, "Jan")
    return one, two


@SIZES
def test_a_draw_is_offered_declined_offered_again_and_agreed(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    one, two = two_people(sit, hosted, settings)
    expect(two.prompt).to_contain_text("Waiting for the Axis, which is asked: Axis")
    dialog = menu(one)
    dialog.get_by_role("button", name="Offer a draw").click()
    dialog.get_by_role("button", name="Really? Offer a draw").click()
    expect(dialog).to_contain_text("Your offer of a draw stands to the end of the next turn.")
    picture(one, "offering")
    close(one)
    banner = two.page.get_by_role("status").filter(has_text="Axis offers a draw.")
    expect(banner).to_be_visible()
    picture(two, "offered")
    banner.get_by_role("button", name="Decline").click()
    expect(banner).to_have_count(0)
    expect(one.page.get_by_role("alert")).to_contain_text("The offer of a draw was declined")
    dialog = menu(one)
    dialog.get_by_role("button", name="Offer a draw").click()
    dialog.get_by_role("button", name="Really? Offer a draw").click()
    close(one)
    banner.get_by_role("button", name="Agree to a draw").click()
    banner.get_by_role("button", name="Really? Agree to a draw").click()
    for table in (one, two):
        over = table.page.get_by_role("dialog", name="The game is over")
        expect(over).to_contain_text("A draw")
        expect(over).to_contain_text("All players have agreed to a draw")
    picture(two, "drawn")


@SIZES
def test_who_resigns_is_asked_once_and_has_lost(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = two_people(sit, hosted, settings)
    dialog = menu(two)
    dialog.get_by_role("button", name="Resign").click()
    really = dialog.get_by_role("button", name="Really? The game is lost for good.")
    picture(two, "resigning")
    expect(one.page.get_by_role("dialog", name="The game is over")).to_have_count(0)
    really.click()
    for table in (one, two):
        over = table.page.get_by_role("dialog", name="The game is over")
        expect(over).to_contain_text("Axis victory")
        expect(over).to_contain_text("The Soviet Union resigned")
    close(two)
    picture(two, "resigned")
    one.page.reload()
    expect(one.page.get_by_role("dialog", name="The game is over")).to_contain_text("The Soviet Union resigned")
    expect(menu(one).get_by_role("button", name="Resign")).to_have_count(0)


@SIZES
def test_two_people_talk_and_keep_notes(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = two_people(sit, hosted, settings)
    one.page.get_by_role("tab", name="Talk").click()
    one.page.get_by_role("button", name="Good luck!").click()
    unread = two.page.get_by_role("tab", name="Talk")
    expect(unread).to_contain_text("1 unread")
    unread.click()
    said = two.page.get_by_role("list", name="What was said")
    expect(said).to_contain_text("Good luck!")
    expect(unread).not_to_contain_text("unread")
    evil = "<img src=x onerror=alert(1)> {unit:39Pz}"
    two.page.get_by_label("Say something").fill(evil)
    two.page.get_by_role("button", name="Say it").click()
    expect(two.page.get_by_label("Say something")).to_have_value("")
    expect(one.page.get_by_role("list", name="What was said")).to_contain_text(evil)
    assert one.page.locator(".talk img").count() == 0
    notes = two.page.get_by_label("My notes")
    notes.fill("Hold the Dnieper\nuntil the mud")
    expect(two.page.get_by_role("status").filter(has_text="read by nobody else")).to_be_visible()
    picture(two, "talk")
    picture(one, "talk-other")
    two.page.reload()
    two.page.get_by_role("tab", name="Talk").click()
    expect(two.page.get_by_label("My notes")).to_have_value("Hold the Dnieper\nuntil the mud")
    expect(two.page.get_by_role("list", name="What was said")).to_contain_text(evil)
    onlooker = sit(at=hosted)
    onlooker.page.goto(one.page.url)
    onlooker.arrived()
    expect(onlooker.page.get_by_role("tab", name=re.compile("Talk|Notes"))).to_have_count(0)


def test_notes_written_in_two_tabs_are_both_there_to_choose_from(sit: Open, hosted: Server) -> None:
    table, _ = two_people(sit, hosted, {})
    here, there = table.page, table.page.context.new_page()
    there.goto(here.url)
    for page in (here, there):
        page.get_by_role("tab", name="Talk").click()
        expect(page.get_by_label("My notes")).to_be_enabled()
    kept = here.get_by_role("status").filter(has_text="read by nobody else")
    here.get_by_label("My notes").fill("Hold Kiev")
    expect(kept).to_be_visible()
    there.get_by_label("My notes").fill("Take Odessa")
    parted = there.get_by_role("group", name="Notes from another screen")
    expect(parted.get_by_role("textbox")).to_have_value("Hold Kiev")
    expect(there.get_by_label("My notes")).to_have_value("Take Odessa")
    if folder := os.environ.get("RASPUTITSA_PICTURES"):
        there.screenshot(path=Path(folder) / "parted.png")
    parted.get_by_role("button", name="Keep both").click()
    expect(parted).to_have_count(0)
    expect(there.get_by_role("status").filter(has_text="read by nobody else")).to_be_visible()
    here.get_by_label("My notes").fill("Hold Kiev, and Minsk")
    parted = here.get_by_role("group", name="Notes from another screen")
    expect(parted.get_by_role("textbox")).to_have_value("Take Odessa\n\nHold Kiev")
    parted.get_by_role("button", name="Keep what I wrote here").click()
    expect(kept).to_be_visible()
    there.reload()
    there.get_by_role("tab", name="Talk").click()
    expect(there.get_by_label("My notes")).to_have_value("Hold Kiev, and Minsk")


def test_notes_that_could_not_be_kept_are_kept_when_the_network_is_back(sit: Open, hosted: Server) -> None:
    """Whether the request or its answer was lost, what was written later follows, and asks the player nothing."""
    table, _ = two_people(sit, hosted, {})
    page = table.page
    page.get_by_role("tab", name="Talk").click()
    notes, status = page.get_by_label("My notes"), page.get_by_role("status")
    page.route("**/notes", lambda route: (route.fetch(), route.abort()))
    notes.fill("Hold Kiev")
    expect(status.filter(has_text="could not be kept: The server does not answer.")).to_be_visible()
    page.unroute("**/notes")
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("tab", name="Talk").click()
    expect(notes).to_have_value("Hold Kiev")
    page.route("**/notes", lambda route: (route.fetch(), route.abort()))
    notes.fill("Hold Kiev and Minsk")
    expect(status.filter(has_text="could not be kept")).to_be_visible()
    page.unroute("**/notes")
    notes.press_sequentially("!")
    expect(status.filter(has_text="read by nobody else")).to_be_visible()
    page.reload()
    page.get_by_role("tab", name="Talk").click()
    expect(notes).to_have_value("Hold Kiev and Minsk!")


def test_whoever_hides_what_a_seat_says_reads_and_hears_nothing_of_it(sit: Open, hosted: Server) -> None:
    """On one screen alone, also when the page is loaded again, and until it is wanted back."""
    one, two = two_people(sit, hosted, {})
    two.page.get_by_role("tab", name="Talk").click()
    one.page.get_by_role("tab", name="Talk").click()
    one.page.get_by_role("button", name="Good luck!").click()
    said = two.page.get_by_role("list", name="What was said")
    expect(said).to_contain_text("Good luck!")
    two.page.get_by_role("button", name="Hide what Axis says").click()
    expect(said).not_to_contain_text("Good luck!")
    expect(said).to_contain_text("All that was said is hidden.")
    expect(two.page.get_by_text("Hidden on this screen")).to_be_visible()
    picture(two, "muted")
    two.page.get_by_role("tab", name="Log").click()
    with two.page.expect_response(lambda answer: "/talk" in answer.url and answer.ok):
        one.page.get_by_role("button", name="Well played.").click()
    expect(one.page.get_by_role("list", name="What was said")).to_contain_text("Well played.")
    tab = two.page.get_by_role("tab", name="Talk")
    expect(tab).not_to_contain_text("unread")
    two.page.reload()
    two.arrived()
    tab.click()
    expect(two.page.get_by_role("button", name="Show what Axis says")).to_be_visible()
    expect(said).not_to_contain_text("Well played.")
    two.page.get_by_role("button", name="Thank you.").click()
    expect(said).to_contain_text("Thank you.")
    expect(one.page.get_by_role("list", name="What was said")).to_contain_text("Thank you.")
    two.page.get_by_role("button", name="Show what Axis says").click()
    expect(said).to_contain_text("Well played.")
    kept = two.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('rasputitsa.read'))")
    assert kept and all("@" in name for name in kept), "by the store of the match: numbers come again in another one"


def test_who_hides_the_former_holder_of_a_seat_still_reads_own_words(sit: Open, hosted: Server) -> None:
    """Both speak under the name of the seat."""
    _, two = two_people(sit, hosted, {})
    before = {"number": 1, "seat": "soviet", "private": False, "text": "Before you came", "at": 1, "former": True}
    own = {**before, "number": 2, "text": "Since I came", "former": False}
    talk = re.compile("/talk\\?.*since=0")
    two.page.route(talk, lambda route: route.fulfill(json={"messages": [before, own]}))
    two.page.reload()
    two.arrived()
    two.page.get_by_role("tab", name="Talk").click()
    said = two.page.get_by_role("list", name="What was said")
    expect(said).to_contain_text("Before you came")
    two.page.get_by_role("button", name="Hide what Soviet Union says").click()
    expect(said).not_to_contain_text("Before you came")
    expect(said).to_contain_text("Since I came")
