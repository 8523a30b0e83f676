"""The first screen: both games at once, lessons folded, and a newcomer led to the first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import Table

HEIGHT = 768
EVENING = 2
"""Hours that a game of an evening takes at most."""


@pytest.fixture
def fresh(server: Server, tmp_path: Path) -> Iterator[Server]:
    """A server on which nobody has played yet; the other one has only to have built the client."""
    fresh = Server(tmp_path / "games")
    fresh.start()
    yield fresh
    fresh.kill()


def test_a_newcomer_sees_both_games_and_begins_with_a_lesson(sit: Open, fresh: Server) -> None:
    table = sit(at=fresh)
    table.lobby()
    page = table.page
    for game in ("The Russian Portfolio", "War in Russia"):
        box = table.card(game).bounding_box()
        assert box is not None and box["y"] + box["height"] < HEIGHT, "both games above the fold"
    expect(page.locator("details.lessons[open]")).to_have_count(0)
    first = table.card("War in Russia").locator(".btn.primary")
    expect(first).to_have_count(1)
    expect(first).to_have_text("Start with the first lesson, about 10 minutes")
    first.click()
    table.arrived()
    assert table.view()["lesson"] == "first_attack"
    table.lobby()
    expect(page.get_by_role("link", name="Go on playing")).to_be_visible()
    expect(table.card("War in Russia").locator(".btn.primary").first).to_contain_text("Play now")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844)])
def test_both_games_are_seen_at_once_on_a_phone_too(sit: Open, width: int, height: int) -> None:
    """Whether nothing has been played yet or a game waits, which is then offered first."""
    table = sit(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    table.page.route("**/api/matches", lambda route: route.fulfill(json=[]))
    table.page.route("**/api/lobby", lambda route: route.fulfill(json=[]))
    table.lobby()
    page = table.page
    expect(table.card("War in Russia").locator(".btn.primary")).to_contain_text("first lesson")
    last = table.card("War in Russia").bounding_box()
    assert last is not None and last["y"] + last["height"] < height
    page.unroute_all()
    table.card("War in Russia").get_by_role("button", name="Play as the Axis").tap()
    table.arrived()
    table.lobby()
    onward = page.get_by_role("link", name="Go on playing").bounding_box()
    first, last = table.card().bounding_box(), table.card("War in Russia").bounding_box()
    assert onward is not None and first is not None and last is not None
    assert onward["y"] < first["y"] and last["y"] + last["height"] < height
    expect(page.locator("details.lessons[open]")).to_have_count(0)
    choices = table.card("War in Russia").locator("summary")
    expect(choices).to_contain_text("Kursk, the southern face, about 1 hour")
    choices.tap()
    expect(table.card("War in Russia").get_by_label("Opponent")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        ("The Russian Portfolio", "beaten by the novice every other time"),
        ("War in Russia", "Loses to the usual one nine times in ten"),
    ],
)
def test_play_now_begins_no_campaign_of_years(table: Table, game: str, opponent: str) -> None:
    table.lobby()
    expect(table.card(game)).to_contain_text(opponent)
    table.card(game).get_by_role("button", name="as the Axis").click()
    table.arrived()
    assert table.view()["scenario"] in ("leningrad_1941", "kursk_south")


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_a_game_with_choices_begins_with_an_evening_too(table: Table, game: str) -> None:
    """A first visit is led to no campaign, by a match with choices or by letters; what was begun last is kept."""
    page = table.page
    hours = {s["id"]: s["hours"] for g in table.server.ask("GET", "/games") if g["id"] == game for s in g["scenarios"]}
    assert max(hours.values()) > EVENING > min(hours.values())
    chosen = page.locator("input[name=scenario]:checked")
    page.goto(f"{table.server.url}/#/new/{game}")
    expect(chosen).to_have_count(1)
    assert hours[str(chosen.input_value())] <= EVENING
    page.goto(f"{table.server.url}/#/letters")
    page.locator("form select").first.select_option(game)
    written = page.get_by_label(re.compile("^Scenario"))
    assert hours[written.input_value()] <= EVENING
    longest = max(hours, key=lambda one: hours[one])
    page.evaluate("(last) => localStorage.setItem('rasputitsa.scenarios', JSON.stringify(last))", {game: longest})
    page.goto(f"{table.server.url}/#/new/{game}")
    expect(chosen).to_have_value(longest)


def test_play_now_begins_again_what_was_played_last(sit: Open) -> None:
    table = sit()
    table.lobby()
    expect(table.card()).to_contain_text("Play now begins Leningrad, August 1941 (about 1¼ hours)")
    table.begin("Kiev, August 1941", "Axis")
    table.lobby()
    expect(table.card()).to_contain_text("Play now begins Kiev, August 1941")
    table.page.evaluate("localStorage.setItem('rasputitsa.scenarios', 'null')")
    table.page.reload()
    expect(table.card()).to_contain_text("Play now begins Leningrad, August 1941")


def test_a_first_game_is_against_the_beginner_and_the_next_against_whoever_was_chosen(table: Table) -> None:
    table.lobby()
    opponent = table.card().get_by_label("Opponent")
    expect(opponent).to_have_value("planner-beginner")
    opponent.select_option("planner")
    table.lobby()
    expect(opponent).to_have_value("planner")
    table.card().get_by_role("button", name="as the Axis").click()
    table.arrived()
    assert table.view()["controllers"]["soviet"] == {"kind": "bot", "bot": "planner"}
    table.page.evaluate("""localStorage.setItem('rasputitsa.opponents', '{"portfolio": "napoleon"}')""")
    table.lobby()
    expect(opponent).to_have_value("planner-beginner")


@pytest.mark.parametrize(
    ("game", "scenario", "title", "least"),
    [
        ("The Russian Portfolio", "kiev", "Kiev, August 1941", "about 1¼ hours"),
        ("War in Russia", "uranus", "Uranus", "about 1 hour"),
    ],
)
def test_an_evening_is_chosen_by_its_length_and_opens_on_its_front(
    table: Table, game: str, scenario: str, title: str, least: str
) -> None:
    table.lobby()
    page = table.page
    listed = page.locator("details.scenarios", has_text=game)
    listed.locator("summary").first.click()
    first = listed.locator("li").first
    expect(first).to_contain_text(least)
    row = listed.locator("li", has_text=title)
    row.get_by_text("What happened").click()
    expect(row).to_contain_text("Glantz")
    row.get_by_role("button", name="as Axis").click()
    table.arrived()
    view = table.view()
    assert view["scenario"] == scenario
    assert view["goal"]["last_turn"] == {"kiev": 6, "uranus": 7}[scenario]
