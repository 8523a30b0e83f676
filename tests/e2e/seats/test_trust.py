"""What others have typed is text and never code, and a key is in no address."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Request, Route, WebSocket, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import PICTURES
from tests.e2e.server import Server
from tests.e2e.table import Table, request_for

CODE = "<img src=x onerror='window.ran=1'><script>window.ran=1</script>"
NAME = "<svg onload='window.ran=1'>{{1}}&lt;b&gt;"
RAN = "() => window.ran === 1 || document.querySelectorAll('img[src=x], svg[onload], [onerror]').length > 0"


def test_titles_and_names_are_shown_as_text(table: Table, server: Server) -> None:
    page = table.page
    person = {"kind": "human", "name": NAME}
    body = {**request_for(), "title": CODE, "controllers": {"axis": person, "soviet": person}}
    made = server.ask("POST", "/matches", body)
    table.lobby()
    expect(page.get_by_text(CODE).first).to_be_visible()
    assert not page.evaluate(RAN)
    table.open(made["id"])
    page.get_by_role("button", name="Game", exact=True).click()
    expect(page.get_by_role("heading", name=CODE)).to_be_visible()
    assert not page.evaluate(RAN)
    seat = {"seat": "axis", "key": made["keys"]["axis"]}
    handed = {**seat, "controller": {"kind": "human", "name": f"{NAME} again"}}
    server.ask("POST", f"/matches/{made['id']}/controllers", handed)
    page.reload()
    table.arrived()
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_text(f"{NAME} again").first).to_be_visible()
    assert not page.evaluate(RAN)


def test_a_goal_of_a_saved_game_stays_in_its_panel(table: Table, tmp_path: Path) -> None:
    page = table.page
    session = new_session("portfolio", "kiev", seed=1)
    first, *_ = session.save().split("\n")
    position = session.game.freeze(session.state)
    position["goal"][1] = f"{CODE} {'W' * 1900}"
    after = session.game.fingerprint(session.game.thaw(position, "kiev", {}))[:12]
    resumed = {"seat": "", "action": "@resumed", "after": after, "position": position}
    path = tmp_path / "goal.jsonl"
    path.write_text("\n".join([first, json.dumps(resumed), json.dumps({"end": 1})]) + "\n")
    table.lobby()
    page.get_by_label("Import a saved game").set_input_files(path)
    table.arrived()
    goal = page.get_by_role("region", name="Goal of the game").get_by_role("paragraph")
    expect(goal).to_contain_text(CODE)
    assert not page.evaluate(RAN)
    assert goal.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_no_address_has_a_key(table: Table) -> None:
    page = table.page
    asked: list[str] = []

    def ask(request: Request) -> None:
        asked.append(request.url)

    def open_window(window: WebSocket) -> None:
        asked.append(window.url)

    page.on("request", ask)
    page.on("websocket", open_window)
    keys = table.new_match(soviet="greedy")
    table.until("mine")
    page.get_by_role("button", name="Game", exact=True).click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export the saved game").click()
    assert coming.value.suggested_filename.endswith(".jsonl")
    known = {*keys.values(), *table.keys.values()}
    assert len(known) >= 1
    assert sum("/live" in url for url in asked) >= 1
    assert sum("/view" in url for url in asked) >= 1
    assert not [url for url in asked if any(key in url for key in known) or "key=" in url]


def busy(code: str, words: str, seconds: int = 5) -> dict[str, Any]:
    error = {"error": {"code": code, "message": words, "rule": ""}}
    return {"status": 429, "headers": {"retry-after": str(seconds)}, "json": error}


def test_a_player_is_told_in_words_that_it_is_too_much(table: Table) -> None:
    """Nothing breaks, and the same thing works when there is room again."""
    page = table.page
    words = "too many matches were started from your address; please wait a while"

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(**busy("too_many", words))
        else:
            route.continue_()

    page.route("**/api/matches", refuse)
    table.lobby()
    start = table.card().get_by_role("button", name=re.compile("as the Axis"))
    start.click()
    expect(page.get_by_text(words)).to_be_visible()
    page.screenshot(path=PICTURES / "too-many-matches.png")
    page.unroute("**/api/matches")
    start.click()
    table.arrived()
    table.until("mine")
    words = "too many requests from your address; please wait a moment"
    page.route("**/actions", lambda route: route.fulfill(**busy("too_many", words)))
    ply = table.ply
    option = next(o for o in table.options() if o["verb"] == "done")
    table.button(option["action"]).click()
    if "Really" in (table.prompt.text_content() or ""):
        table.button(option["action"]).click()
    expect(page.get_by_text(words)).to_be_visible()
    page.screenshot(path=PICTURES / "too-many-requests.png")
    assert table.ply == ply
    page.unroute("**/actions")
    table.answer(option)
    assert table.ply > ply


def test_a_moment_of_haste_is_waited_for_without_a_word(table: Table) -> None:
    """A window that is told to come back in a second does so by itself."""
    page = table.page
    refused: list[str] = []

    def refuse_twice(route: Route) -> None:
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(**busy("too_many", "too many requests from your address; please wait a moment", 1))
        else:
            route.continue_()

    page.route("**/api/games", refuse_twice)
    table.lobby()
    assert len(refused) == 2
    expect(page.get_by_text("too many requests")).to_have_count(0)


def test_a_link_that_does_not_fit_replaces_no_key(table: Table) -> None:
    table.new_match(soviet="greedy")
    table.until("mine")
    kept = table.page.evaluate("localStorage.getItem('rasputitsa.keys')")
    number = table.match_id
    table.lobby()
    table.page.goto(f"{table.server.url}/#/match/{number}?seat=axis&key={'JUNK' * 8}")
    table.arrived()
    table.until("mine")
    assert table.page.evaluate("localStorage.getItem('rasputitsa.keys')") == kept
    assert "JUNK" not in table.page.url
