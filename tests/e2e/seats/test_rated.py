"""A rated game: two people with accounts play it, one resigns, and both see what it changed."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_account import enter
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_seats import close, menu, row
from tests.e2e.server import Server
from tests.e2e.table import Table


def offer(table: Table) -> None:
    """Start a rated match with a seat that is open to everybody."""
    page = table.page
    page.goto(f"{table.server.url}/#/new/portfolio")
    rated = page.get_by_label("Rated: it changes ratings")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    page.get_by_label("Everybody may ask the computer for hints").check()
    rated.check()
    expect(page.get_by_label("Everybody may ask the computer for hints")).not_to_be_checked()
    expect(page.get_by_label("Everybody may ask the computer for hints")).to_be_disabled()
    expect(page.get_by_label("Clock")).to_have_value("daily")
    page.get_by_label("Who plays Axis", exact=True).select_option("guest")
    expect(rated).to_be_disabled()
    expect(rated).not_to_be_checked()
    page.get_by_label("Who plays Axis", exact=True).select_option("human")
    expect(rated).to_be_checked()
    page.get_by_label("Put it on the list under Find a game").check()
    picture(table, "rated-offer")
    page.get_by_role("button", name="Start the game").click()
    table.arrived()


@SIZES
def test_a_rated_game_is_offered_taken_and_changes_both_ratings(
    sit: Open, hosted: Server, settings: dict[str, object]
) -> None:
    width = settings["viewport"]["width"]  # type: ignore[index]
    one, two = sit(at=hosted, **settings), sit(at=hosted, **settings)
    one.page.goto(f"{hosted.url}/#/new/portfolio")
    one.page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    expect(one.page.get_by_label("Rated: it changes ratings")).to_be_disabled()
    enter(one, f"Vera {width}", fresh=True)
    expect(one.page.get_by_text("You have played no rated game yet.")).to_be_visible()
    offer(one)
    expect(one.page.get_by_role("dialog")).to_contain_text(f"This game is rated: Axis: Vera {width} (1500?).")
    close(one)

    two.page.goto(f"{hosted.url}/#/find")
    two.page.get_by_label("Rated").select_option("rated")
    table = two.page.get_by_role("list", name="Open tables", exact=True).get_by_role("listitem")
    found = table.filter(has=two.page.locator(f"a[href='#/find/{one.match_id}/soviet']")).first
    expect(found).to_contain_text(f"rated: Vera {width}, 1500?")
    picture(two, "rated-table")
    found.get_by_role("link", name="Look at it: Soviet Union").click()
    expect(two.page.get_by_role("article")).to_contain_text("It changes the ratings of both players")
    expect(two.page.get_by_role("button", name="Accept and play Soviet Union")).to_have_count(0)
    picture(two, "rated-stranger")
    two.page.get_by_role("article").get_by_role("link", name="Sign in").click()
    two.page.get_by_role("button", name="I am new here").click()
    two.page.get_by_label("Name", exact=True).fill(f"Boris {width}")
    two.page.get_by_label("Password").fill("seven wet boots in a row")
    two.page.get_by_role("button", name="Make the account").click()
    two.page.get_by_role("button", name="Accept and play Soviet Union").click()
    two.arrived()
    menu(two)
    expect(row(two, "soviet")).not_to_contain_text("Who plays")
    row(two, "soviet").get_by_text("Other devices").click()
    expect(row(two, "soviet").get_by_role("button", name="Give up the seat")).to_have_count(0)
    picture(two, "rated-seats")
    two.page.get_by_role("button", name="Resign").click()
    two.page.get_by_role("button", name="Really? The game is lost for good.").click()
    over = two.page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text("The Soviet Union resigned")
    expect(over).to_contain_text("(1500 before,")
    picture(two, "rated-over")

    one.page.goto(f"{hosted.url}/#/ratings/portfolio")
    winner = one.page.get_by_role("row").filter(has_text=f"Vera {width}")
    expect(winner).to_contain_text("1, 0, 0")
    expect(one.page.get_by_role("row").filter(has_text=f"Boris {width}")).to_contain_text("0, 0, 1")
    picture(one, "ratings")
