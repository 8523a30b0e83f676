"""Choosing an opponent by strength, asking the computer for a hint, and going over a game with it."""

from __future__ import annotations

import json
import re
import urllib.request

from playwright.sync_api import Locator, Route, WebSocketRoute, expect

from tests.e2e.conftest import Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table
from tests.support import PATIENCE as SECONDS

"""Milliseconds that thinking may take on a busy machine."""
ENDED_OR_ASKED_AGAIN = """(ply) => {
  const prompt = document.querySelector('[aria-label="What is asked"]');
  const buttons = [...document.querySelectorAll('[data-action="done"]')];
  return !prompt || Number(prompt.dataset.ply) !== ply || buttons.some((b) => b.textContent.includes("Really"));
}"""
"""Whether a phase has ended since an entry, or the page asks whether it really should."""

ODDS_ABOVE = """() => [...document.querySelectorAll('#map .plan rect')].every((odds) =>
  [...document.querySelectorAll('#map .plan .ring')].every((ring) =>
    ring.compareDocumentPosition(odds) & Node.DOCUMENT_POSITION_FOLLOWING))"""
SEEN = """() => [...document.querySelectorAll('#map .plan .pointed :is(.shaft, .ring)')].some((e) => {
  const { left, top, width, height } = e.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('#map');
})"""
"""Whether the step that is pointed at lies free on the map."""


def card(table: Table) -> Locator:
    return table.page.locator(".advice")


def to_movement(table: Table) -> None:
    table.until_mine()
    table.answer(next(option for option in table.options() if option["action"] == "done"))
    table.until_mine(timeout=PATIENCE)
    assert table.kind == "movement"


def test_a_hint_is_drawn_on_the_map_and_can_be_followed(table: Table) -> None:
    table.new_match(seed=3, soviet="planner")
    to_movement(table)
    ply = table.ply
    table.page.get_by_role("button", name="Hint", exact=True).click()
    expect(table.page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)
    assert table.ply == ply, "a hint changes nothing"
    expect(card(table)).to_contain_text("attack")
    expect(card(table).locator("li .odds").first).to_have_text(re.compile(r"^\d+:\d+$"))
    assert table.page.locator("#map .plan .attack .shaft").count() > 0
    assert table.page.locator("#map .plan .move .shaft").count() > 0
    assert table.page.evaluate(ODDS_ABOVE), "the ring of a hex runs through the odds against the one below"
    before = {unit["id"]: unit["hex"] for unit in table.view()["units"]}
    table.after(lambda: card(table).locator("[data-hint]").click())
    table.until_mine()
    moved = [unit for unit in table.view()["units"] if unit["hex"] != before[unit["id"]]]
    assert len(moved) == 1, "one unit has gone where the hint sent it"
    assert table.kind == "movement"
    expect(card(table)).to_contain_text("what is left to do")
    table.answer(next(o for o in table.options() if o["action"].startswith("move ")))
    table.answer(next(o for o in table.options() if o["action"].startswith("to ")))
    expect(card(table)).to_contain_text("may no longer be right")
    assert card(table).get_by_role("button", name=re.compile("^(Do|Next)")).count() == 0, "an order of it can be given"
    assert table.page.locator("#map .plan").count() > 0, "who follows it by hand has lost it"
    expect(card(table).get_by_role("button", name="Ask again")).to_be_enabled()
    table.page.keyboard.press("Escape")
    expect(card(table)).to_have_count(0)
    expect(table.page.locator("#map .plan")).to_have_count(0)


def test_a_hint_leaves_the_places_it_speaks_of_in_view_on_an_upright_tablet(sit: Open) -> None:
    table = sit(viewport={"width": 768, "height": 1024}, has_touch=True)
    table.begin("Leningrad, August 1941", "Axis")
    table.until_mine()
    table.page.get_by_role("button", name="Hint", exact=True).tap()
    expect(table.page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)
    box, board = card(table).bounding_box(), table.page.locator("#map").bounding_box()
    assert box and board and box["height"] <= board["height"] * 0.4
    card(table).get_by_role("button", name="Show on the map").first.tap()
    table.settled()
    assert table.page.evaluate(SEEN), "the card lies over the step that was to be shown"
    # on a phone the panels make way for it
    table.page.set_viewport_size({"width": 390, "height": 844})
    card(table).get_by_role("button", name="Close").tap()
    table.page.get_by_role("tab", name="Orders").tap()
    expect(table.page.get_by_role("button", name="Close the panels")).to_be_visible()
    table.page.get_by_role("button", name="Hint", exact=True).tap()
    expect(table.page.get_by_role("button", name="Open the panels")).to_be_visible()
    expect(card(table).get_by_role("button", name=re.compile("Do all"))).to_be_in_viewport(timeout=PATIENCE)


def test_a_hint_names_the_place_that_a_goal_asks_for(table: Table) -> None:
    table.begin("Leningrad, August 1941", "Axis")
    table.until_mine()
    table.page.get_by_role("button", name="Hint", exact=True).click()
    expect(card(table)).to_contain_text("the goal asks for", timeout=PATIENCE)
    expect(card(table)).not_to_contain_text("{hex")


def test_a_hint_by_key_can_be_stopped_while_it_is_thought_over(table: Table) -> None:
    table.new_match(seed=4, soviet="planner")
    to_movement(table)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.page.route("**/hint", hold)
    table.page.keyboard.press(".")
    expect(table.page.locator('[data-advice="thinking"]')).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(card(table)).to_have_count(0)
    for route in held:
        route.abort()
    table.page.unroute("**/hint")
    # the page goes on working, and the next hint comes
    table.page.get_by_role("button", name="Hint", exact=True).click()
    expect(table.page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)


def test_the_strength_of_the_opponent_is_chosen_with_the_game_and_changed_later(table: Table) -> None:
    page = table.page
    page.goto(f"{table.server.url}/#/new/portfolio")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("planner")
    page.get_by_label("Strength: Who plays Soviet Union").select_option("easy")
    expect(page.get_by_text("misjudges attacks")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    table.arrived()
    assert table.view("axis")["controllers"]["soviet"] == {"kind": "bot", "bot": "planner-easy"}
    page.get_by_role("button", name="Game", exact=True).click()
    expect(page.get_by_label("Strength: Who plays soviet")).to_have_value("easy")
    page.get_by_label("Strength: Who plays soviet").select_option("normal")
    expect(page.get_by_label("Strength: Who plays soviet")).to_have_value("normal")
    assert table.view("axis")["controllers"]["soviet"] == {"kind": "bot", "bot": "planner"}


def brought_in(server: Server, text: str) -> str:
    """The number of the match that a saved game becomes."""
    request = urllib.request.Request(f"{server.url}/api/import", text.encode(), method="POST")
    request.add_header("content-type", "application/x-ndjson")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        found = re.search(r'"id":\s*"(\d+)"', answer.read().decode())
    assert found is not None
    return found[1]


def test_the_course_of_a_game_is_charted_and_its_turning_points_shown(table: Table, saved_game: str) -> None:
    page = table.page
    table.open(brought_in(table.server, saved_game))
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_role("button", name="Analyse the game").click()
    chips = page.locator(".course .chip")
    expect(chips.first).to_be_visible(timeout=PATIENCE)
    if page.locator('.course[data-course="working"]').count():
        page.locator(".course").get_by_role("button", name="Cancel").click()
    ply = int(chips.first.get_attribute("data-turn") or -1)
    chips.first.click()
    expect(page.locator('[data-advice="turn"]')).to_be_visible()
    expect(card(table)).to_contain_text("What the computer would have done")
    expect(page.get_by_text(re.compile(rf"· {ply}/\d+"))).to_be_visible()
    assert page.locator("#map .plan .shaft").count() > 0
    assert card(table).locator("[data-hint]").count() == 0, "the past cannot be played"
    # what was worked out is kept, although it was broken off: a new visit finds it without asking
    page.reload()
    table.arrived()
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(chips.first).to_be_visible()
    expect(page.get_by_role("button", name="Analyse the game")).to_have_count(0)


def test_an_opponent_that_thinks_leaves_the_page_alive_and_can_be_hurried(table: Table) -> None:
    """What the server says is held back, so that the opponent seems to think for as long as we like."""
    page = table.page
    windows: list[WebSocketRoute] = []
    held: list[str | bytes] = []
    holding = False

    def between(window: WebSocketRoute) -> None:
        server = window.connect_to_server()
        windows.append(window)
        server.on_message(lambda message: held.append(message) if holding else window.send(message))

    page.route_web_socket(re.compile("/live"), between)
    page.route("**/view**", lambda route: route.abort() if holding else route.continue_())
    table.new_match(seed=6, soviet="planner")
    table.until_mine()
    table.answer(next(option for option in table.options() if option["action"] == "done"))
    table.until_mine(timeout=PATIENCE)
    holding = True
    table.ready_again()
    table.button("done").click()
    table.ready_again()
    if "Really" in (table.prompt.text_content() or ""):
        table.button("done").click()
    expect(table.prompt).to_have_attribute("data-state", "waiting", timeout=PATIENCE)
    thinking = {"type": "thinking", "seat": "soviet", "done": 3, "total": 10, "text": "The computer is thinking"}
    windows[-1].send(json.dumps(thinking))
    expect(table.prompt.get_by_text("The computer is thinking")).to_be_visible()
    expect(table.prompt.locator("progress")).to_have_attribute("value", "3")
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("searchbox", name="Search the log")).to_be_visible()
    with page.expect_request(re.compile("/hurry$")) as hurried:
        table.prompt.get_by_role("button", name="Move now").click()
    assert '"seat":"axis"' in (hurried.value.post_data or "")
    holding = False
    for message in held:
        windows[-1].send(message)
    table.until_mine(timeout=PATIENCE)


def test_the_whole_hint_is_carried_out_in_one_go(table: Table) -> None:
    table.new_match(seed=3, soviet="planner")
    to_movement(table)
    table.page.get_by_role("button", name="Hint", exact=True).click()
    everything = card(table).get_by_role("button", name=re.compile(r"Do all \(\d+\)"))
    everything.click(timeout=PATIENCE)
    notice = table.page.get_by_text(re.compile(r"\d+ orders given"))
    expect(notice).to_be_visible(timeout=PATIENCE)
    given = int(str(notice.text_content()).split(" orders given")[0].split()[-1])
    moves = [e for e in entries(table) if e["action"].startswith("move ")]
    assert given == len(moves) > 10
    assert table.kind in ("movement", "moving")
    expect(card(table).get_by_role("button", name=re.compile("Do all"))).to_have_count(0)
    expect(card(table)).to_contain_text("All orders of this plan have been given")
    expect(card(table)).to_contain_text("Next: End movement")
    # one press has done it, and one takes it back; then it can be done again
    table.after(lambda: table.page.get_by_role("button", name="Undo").click())
    table.until_mine()
    assert not [e for e in entries(table) if e["action"].startswith("move ")]
    expect(everything).to_be_visible()
    expect(notice).to_have_count(0)


def entries(table: Table) -> list[dict[str, str]]:
    """What the Axis has done."""
    seat = f"seat=axis&key={table.keys['axis']}"
    return [e for e in table.server.ask("GET", f"/matches/{table.match_id}/log?{seat}") if e["seat"] == "axis"]


def test_a_week_of_war_in_russia_takes_few_clicks_with_the_staff(table: Table) -> None:
    """At most 25: a hint carried out whole in each phase, and the supplies by the staff."""
    table.begin("Barbarossa, first winter", "Axis")
    clicks = 0

    def press(button: Locator) -> None:
        nonlocal clicks
        button.click(timeout=PATIENCE)
        clicks += 1

    def by_the_hint() -> None:
        press(table.page.get_by_role("button", name="Hint", exact=True))
        expect(table.page.locator('[data-advice="hint"]')).to_be_visible(timeout=PATIENCE)
        everything = card(table).get_by_role("button", name=re.compile("Do all"))
        if everything.count():
            press(everything)
            expect(table.page.get_by_text(re.compile("orders? given"))).to_be_visible(timeout=PATIENCE)

    def end(kind: str) -> None:
        while table.kind == kind:
            table.ready_again()
            ply = table.ply
            press(table.page.locator('[data-action="done"]:visible').first)
            table.page.wait_for_function(ENDED_OR_ASKED_AGAIN, arg=ply)

    phases = set()
    while "movement" not in phases:
        table.until_mine(timeout=PATIENCE)
        kind = table.kind
        phases.add(kind)
        if kind == "depot":
            table.after(lambda: press(table.page.locator('[data-action="auto_supply"]:visible').first))
            end(kind)
            continue
        by_the_hint()
        plotted = [unit for unit in table.view("axis")["units"] if unit.get("plot")]
        end(kind)
    assert phases >= {"depot", "movement"}
    assert plotted, "the staff has plotted moves, which the player could have changed"
    assert clicks <= 25
