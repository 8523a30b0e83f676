"""Finding a game: one person leaves a seat open, another one finds it and sits down."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_seats import close, menu, row
from tests.e2e.server import Server
from tests.e2e.table import Table


def offer(table: Table) -> None:
    """Start a match with a seat that is open to everybody."""
    page = table.page
    page.goto(f"{table.server.url}/#/new/portfolio")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    page.get_by_label("Your name, if you like").fill("Anna <b>")
    page.get_by_label("Put it on the list under Find a game").check()
    page.get_by_label("Pace").select_option("live")
    page.get_by_label("Looking for").select_option("first")
    picture(table, "offering-a-seat")
    page.get_by_role("button", name="Start the game").click()
    table.arrived()


@SIZES
def test_a_seat_is_offered_found_and_taken(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two = sit(at=hosted, **settings), sit(at=hosted, **settings)
    offer(one)
    dialog = one.page.get_by_role("dialog")
    expect(row(one, "soviet")).to_contain_text("now, in one sitting, for somebody who is new to it")
    picture(one, "offered-seat")
    close(one)
    two.page.goto(f"{hosted.url}/#/")
    two.page.get_by_role("link", name="Find a game").click()
    found = two.page.get_by_role("list", name="Open tables", exact=True).get_by_role("listitem").filter(
        has_text="Axis: Anna <b>"
    )  # fmt: skip
    expect(found).to_contain_text("somebody is at the table")
    picture(two, "open-tables")
    two.page.get_by_label("Pace").select_option("week")
    expect(found).to_have_count(0)
    expect(two.page.get_by_role("status")).to_contain_text("No open table fits")
    two.page.get_by_label("Pace").select_option("live")
    two.page.get_by_label("Side").select_option("axis")
    expect(found).to_have_count(0)
    two.page.get_by_label("Side").select_option("soviet")
    two.page.get_by_label("Length").select_option("any")
    found.get_by_role("link", name="Look at it: Soviet Union").click()
    expect(two.page.get_by_role("article")).to_contain_text("Anna <b> looks for somebody for a game")
    two.page.get_by_label("Your name, if you like").fill("Jan")
    picture(two, "open-seat")
    two.page.get_by_role("button", name="Accept and play Soviet Union").click()
    two.arrived()
    expect(two.page).to_have_url(one.page.url)
    menu(two)
    expect(row(two, "soviet")).to_have_attribute("data-state", "yours")
    close(two)
    expect(dialog).to_have_count(0)
    late = sit(at=hosted, **settings)
    late.page.goto(f"{hosted.url}/#/find/{one.page.url.rpartition('/')[2]}/soviet")
    expect(late.page.get_by_role("heading", name="This seat is taken")).to_be_visible()
    picture(late, "taken-seat")
    late.page.get_by_role("link", name="To the open tables").click()
    expect(late.page.get_by_role("heading", name="Find a game")).to_be_visible()
    expect(late.page.get_by_role("listitem").filter(has_text="Axis: Anna <b>")).to_have_count(0)


def test_a_seat_is_put_on_the_list_and_taken_off_it_at_the_table(sit: Open, hosted: Server) -> None:
    one, two = sit(at=hosted), sit(at=hosted)
    page = one.page
    page.goto(f"{hosted.url}/#/new/portfolio")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    page.get_by_role("button", name="Start the game").click()
    one.arrived()
    match = page.url.rpartition("/")[2]
    own = two.page.locator(f'a[href="#/find/{match}/soviet"]')
    two.page.goto(f"{hosted.url}/#/find")
    expect(two.page.get_by_role("heading", name="Find a game")).to_be_visible()
    expect(own).to_have_count(0)
    page.get_by_text("Offer it to everybody").click()
    picture(one, "list-it")
    page.get_by_role("button", name="Put it on the list").click()
    expect(row(one, "soviet")).to_contain_text("about a turn a day, for anybody")
    two.page.reload()
    expect(own).to_have_count(1)
    page.get_by_role("button", name="Take it off the list").click()
    expect(page.get_by_text("Offer it to everybody")).to_be_visible()
    two.page.reload()
    expect(two.page.get_by_role("heading", name="Find a game")).to_be_visible()
    expect(own).to_have_count(0)
