"""Onlookers: told how far they are behind the players, and given a view for a broadcast."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.seats.test_seats import claim, close, menu
from tests.e2e.server import Server
from tests.e2e.table import Table, View

BROADCASTS = pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)], ids=["1080p", "720p"])


def begin(one: Table, hosted: Server, delay: str, game: str = "portfolio") -> str:
    """A match with a guest, seen by onlookers with a delay; gives the link for the guest."""
    page = one.page
    page.goto(f"{hosted.url}/#/new/{game}")
    one.choose_scenario({"portfolio": "june22", "wir": "barbarossa"}[game])
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("guest")
    page.get_by_label("Onlookers see").select_option(delay)
    page.get_by_label("Onlookers see").scroll_into_view_if_needed()
    picture(one, "onlookers-field")
    page.get_by_role("button", name="Start the game").click()
    one.arrived()
    return page.get_by_role("dialog", name="Invite the other players").get_by_label("Link: Soviet Union").input_value()


@SIZES
def test_everybody_is_told_how_far_onlookers_are_behind(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    one, two, three = (sit(at=hosted, **settings) for _ in range(3))
    link = begin(one, hosted, "15")
    two.page.goto(link)
    expect(two.page.get_by_role("main")).to_contain_text("Onlookers see the game 15 minutes after you.")
    picture(two, "onlookers-invited")
    claim(two, link, "Jan")
    close(one)
    expect(one.page.get_by_text("Onlookers see the game 15 minutes after you.")).to_be_visible()
    picture(one, "onlookers-player")
    three.page.goto(re.sub(r"\?.*", "", one.page.url))
    three.arrived()
    expect(three.page.get_by_text("You are looking on, 15 minutes behind.")).to_be_visible()
    picture(three, "onlookers-onlooker")


@BROADCASTS
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_the_streaming_view_shows_what_an_onlooker_sees_and_nothing_to_choose(
    sit: Open, hosted: Server, size: tuple[int, int], game: str
) -> None:
    """In the browser of a player, too, who has the key of a seat."""
    viewport = dict(zip(("width", "height"), size, strict=True))
    one = sit(at=hosted, viewport=viewport)
    begin(one, hosted, "turn", game)
    close(one)
    address = menu(one).get_by_role("link", name="Streaming view").get_attribute("href")
    page = one.page.context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{hosted.url}/{address}")
    main = page.get_by_role("main", name="Streaming view")
    expect(main).to_contain_text("each turn when it is over")
    expect(main.locator("#map")).to_be_visible()
    for role in ("button", "combobox", "link"):
        expect(page.get_by_role(role).filter(visible=True)).to_have_count(0)
    board = main.locator("#map").bounding_box()
    assert board is not None and board["height"] > 0.85 * size[1] and board["width"] == size[0]
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    assert any("/view" in url for url in asked)
    assert not any(re.search(r"/sit|[?&]seat=\w", url) for url in asked), "it looks with nobody's eyes"
    picture(Table(page, hosted), f"stream-{game}")
    assert board
    for move in (page.mouse.move, page.mouse.click):
        move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)
        page.wait_for_function("() => new Promise((go) => requestAnimationFrame(() => go(true)))")
        assert main.locator(".hover").count() == 0, "nothing is pointed out"

    secret = f"{hosted.url}/#/match/{one.match_id}?stream&seat=axis&key={'k' * 32}"
    page.goto("about:blank")
    for _ in range(2):  # loaded, and in the page that is open
        page.goto(secret)
        expect(main).to_be_visible()
        page.wait_for_url(f"{hosted.url}/#/match/{one.match_id}?stream")


def test_the_head_of_the_streaming_view_fits_a_narrow_window(sit: Open, hosted: Server) -> None:
    one = sit(at=hosted, **PHONE)
    begin(one, hosted, "turn")
    page = one.page
    page.goto(f"{hosted.url}/#/match/{one.match_id}?stream")
    expect(page.get_by_role("main", name="Streaming view")).to_contain_text("each turn when it is over")
    picture(Table(page, hosted), "stream-phone")
    for part in page.locator("main.stream :is(header, footer) > *").all():
        box = part.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, part.inner_text()
    cut = "(e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).textOverflow !== 'ellipsis'"
    assert not page.locator("main.stream :is(header, footer)").evaluate_all(f"(all) => all.some({cut})")


def test_the_streaming_view_follows_the_game(sit: Open, hosted: Server) -> None:
    """Where onlookers see the game as it stands, a broadcast shows each phase soon after it begins."""
    one, two, page = sit(at=hosted), sit(at=hosted), sit(at=hosted).page
    link = begin(one, hosted, "now")
    claim(two, link, "Jan")
    close(one)
    address = menu(one).get_by_role("link", name="Streaming view").get_attribute("href")
    close(one)
    page.goto(f"{hosted.url}/{address}")
    footer = page.locator("main.stream footer")
    keys = one.keys | two.keys

    def seen(seat: str) -> View:
        return View(hosted.ask("GET", f"/matches/{one.match_id}/view?seat={seat}&key={keys[seat]}"))

    shown = []
    for _ in range(3):
        view = seen("axis")
        shown.append(view["phase"]["label"])
        expect(footer).to_contain_text(shown[-1])
        seat, version = view["decision"]["seat"], view["version"]
        body = {"seat": seat, "key": keys[seat], "action": "done", "version": version, "request_id": f"done-{version}"}
        hosted.ask("POST", f"/matches/{one.match_id}/actions", body)
    assert len(set(shown)) > 1, shown
