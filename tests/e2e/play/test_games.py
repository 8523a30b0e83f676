"""Whole matches: watched, shared, saved, taken up again, replayed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, expect

from tests.e2e.conftest import PHONE, Open
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table


def verb(table: Table, name: str) -> dict[str, Any]:
    return next(o for o in table.options() if o["verb"] == name)


def test_a_person_watches_the_computer_play_a_whole_game(table: Table) -> None:
    page = table.page
    table.lobby()
    table.card().get_by_role("link", name="New game with choices").click()
    table.choose_scenario("june22")
    for seat in ("Axis", "Soviet Union"):
        page.get_by_label(f"Who plays {seat}", exact=True).select_option("random")
    page.get_by_role("button", name="Start the game").click()
    table.arrived()
    # an onlooker is asked nothing
    assert table.until("waiting", "mine", "over") != "mine"
    table.until("over", timeout=PATIENCE)
    over = page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text(re.compile("victory|draw"))
    outcome = table.view()["outcome"]
    expect(over).to_contain_text(outcome["rule"])

    over.get_by_role("button", name="Replay the game").click()
    slider = page.get_by_label("Position in the game")
    expect(slider).to_have_value(str(table.view()["ply"]))
    slider.fill("0")
    expect(table.prompt).to_contain_text("earlier position")
    expect(page.locator("header .turn")).to_contain_text("22 Jun 41")
    page.get_by_role("button", name="Close the replay").click()

    page.get_by_role("button", name="Game", exact=True).click()
    page.get_by_role("button", name="Dice", exact=True).click()
    told = page.get_by_role("dialog", name="Dice")
    expect(told).to_contain_text(table.view()["dice"]["seed"])
    told.get_by_role("button", name="Check every die in this browser").click()
    expect(told.get_by_role("status")).to_contain_text(re.compile(r"Worked out again here: \d+ dice"))


def test_the_choices_of_a_new_game_are_those_of_the_game_in_the_address(sit: Open) -> None:
    table = sit(**PHONE)
    page = table.page
    for game, title in (("portfolio", "The Russian Portfolio"), ("wir", "War in Russia")):
        page.goto(f"{table.server.url}/#/new/{game}")
        expect(page.get_by_role("heading", name=f"New game: {title}")).to_be_visible()
    # on a phone, too, it can be read who plays
    pick = page.get_by_label("Who plays Soviet Union", exact=True)
    expect(pick).to_be_visible()
    width = pick.evaluate("(e) => e.getBoundingClientRect().width / innerWidth")
    assert width > 0.45, width


def test_two_people_share_a_screen_behind_a_curtain(table: Table) -> None:
    page = table.page
    table.new_match()
    table.until("mine")
    table.answer(verb(table, "done"))
    curtain = page.get_by_role("dialog", name="Change of seat")
    expect(curtain).to_contain_text("Soviet Union, it is your move")
    covered = page.evaluate(
        """() => [[0.1, 0.1], [0.5, 0.3], [0.9, 0.9]].every(([x, y]) =>
          document.elementFromPoint(innerWidth * x, innerHeight * y).closest('[role=dialog]'))"""
    )
    assert covered, "the position shows beside the curtain"
    page.keyboard.press("Space")  # the button has the focus; the key must not end the phase behind it
    expect(curtain).to_be_hidden()
    table.until("mine")
    assert (table.kind, table.ply) == ("replacement", 1)
    table.answer(verb(table, "done"))
    curtain.get_by_role("button", name="Go on as the Axis").click()
    table.until("mine")
    assert table.kind == "movement"


def test_four_players_take_turns(table: Table) -> None:
    page = table.page
    table.lobby()
    table.card().get_by_role("link", name="New game with choices").click()
    table.choose_scenario("june22")
    page.get_by_label(re.compile("Four players")).check()
    for seat in ("Axis south", "Soviet north", "Soviet south"):
        page.get_by_label(f"Who plays {seat}", exact=True).select_option("human")
    page.get_by_role("button", name="Start the game").click()
    table.arrived()
    seats: list[str] = []
    for _ in range(7):
        table.until("mine", "waiting")
        curtain = page.get_by_role("dialog", name="Change of seat")
        if curtain.is_visible():
            curtain.get_by_role("button").click()
        table.until("mine")
        seats.append(str(table.prompt.locator(".flag").text_content()))
        if len(set(seats)) == 4:
            break
        table.answer(verb(table, "done"))
    assert set(seats) == {"Axis north", "Axis south", "Soviet north", "Soviet south"}, seats


def test_free_deployment_is_checked_as_counters_are_placed(table: Table) -> None:
    page = table.page
    table.lobby()
    table.card().get_by_role("link", name="New game with choices").click()
    table.choose_scenario("june22")
    page.locator("#o-soviet_deployment").select_option("free")
    page.get_by_label("Who plays Axis", exact=True).select_option("random")
    page.get_by_label("Who plays Soviet Union", exact=True).select_option("human")
    page.get_by_role("button", name="Start the game").click()
    table.arrived()
    table.until("mine")
    assert table.kind == "deployment"
    placing = next(o for o in table.options() if o["verb"] == "place")
    unit = placing["units"][0]
    assert table.where(unit) is None
    table.answer(placing)
    legal = sorted({o["hex"] for o in table.options() if o["hex"]})
    table.hover(next(h for h in ("N1", "M1", "P1") if h not in legal))
    expect(page.locator(".board .tip.bad em")).to_have_text(re.compile("[IVX]"))
    first = legal[len(legal) // 2]
    table.answer({"action": f"at {first}", "verb": "at", "hex": first, "units": []})
    table.until("mine")
    assert table.where(unit) == first

    # taken up again and dragged elsewhere; a hex that may not be is refused and the counter stays
    nearer = sorted(legal, key=lambda h: distance(table, h, first))
    table.bring(first)
    table.drag(unit, "N1")
    expect(page.locator(".board .tip.bad")).to_be_visible()
    second = nearer[1]
    table.drag(unit, second)
    page.wait_for_function(
        "([unit, hex]) => document.querySelector(`#map .slot[data-unit='${unit}'][data-hex='${hex}']`)",
        arg=[unit, second],
    )
    assert table.where(unit) == second


def distance(table: Table, one: str, other: str) -> float:
    (a, b), (c, d) = table.centre(one), table.centre(other)
    return (a - c) ** 2 + (b - d) ** 2


def test_undo_takes_back_a_move(table: Table) -> None:
    page = table.page
    table.new_match(soviet="greedy")
    table.until("mine")
    table.answer(verb(table, "done"))
    table.until("mine")
    moving = verb(table, "move")
    unit = moving["units"][0]
    before = table.where(unit)
    table.answer(moving)
    table.answer(max((o for o in table.options() if o["verb"] == "to"), key=lambda o: str(o["hex"])))
    assert table.where(unit) != before
    ply = table.ply
    page.locator("#map").focus()
    table.after(lambda: page.keyboard.press("u"))
    assert table.where(unit) == before
    assert table.ply < ply


def test_a_saved_game_goes_out_and_comes_in_again(table: Table, tmp_path: Path) -> None:
    page = table.page
    table.new_match(soviet="greedy", seed=5)
    table.until("mine")
    table.answer(verb(table, "done"))
    table.until("mine")
    table.answer(verb(table, "move"))
    page.get_by_role("button", name="Game", exact=True).click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export the saved game").click()
    path = tmp_path / "game.jsonl"
    coming.value.save_as(path)
    before = table.view("axis")
    old = table.match_id
    table.lobby()
    page.get_by_label("Import a saved game").set_input_files(path)
    table.arrived()
    assert table.match_id != old
    after = table.view("axis")
    for part in ("ply", "units", "turn", "phase", "decision"):
        assert after[part] == before[part], part

    table.lobby()
    path.write_text("no game at all")
    page.get_by_label("Import a saved game").set_input_files(path)
    expect(page.get_by_role("alert")).to_contain_text("The file was not accepted")


def test_a_match_is_taken_up_again(sit: Open, server: Server, context_of: Callable[..., BrowserContext]) -> None:
    first = context_of()
    table = sit(context=first)
    table.begin("22 June 1941", "Axis")
    table.until_mine()
    table.answer(verb(table, "done"))
    table.until_mine()
    match_id, ply = table.match_id, table.ply
    memory = first.storage_state()
    first.close()
    # with what the browser remembers, and without, through the list this machine's owner sees
    for settings in ({"storage_state": memory}, {}):
        again = sit(at_once=False, **settings)
        again.lobby()
        again.page.locator(f'li a[href="#/match/{match_id}"]').click()
        again.arrived()
        again.until("mine")
        assert again.ply == ply
        assert again.kind == "movement"
        again.answer(verb(again, "move"))
        again.answer(verb(again, "back"))
        ply = again.ply


def test_two_windows_follow_each_other(sit: Open, context_of: Callable[..., BrowserContext]) -> None:
    one, two = sit(), sit()
    one.new_match(soviet="greedy")
    two.open(one.match_id)
    one.until("mine")
    two.until("mine")
    one.answer(verb(one, "done"))
    two.until_asked("movement")
    moving = verb(two, "move")
    two.answer(moving)
    one.until_asked("moving")
    expect(one.prompt).to_contain_text("choose where to move")
    assert one.ply == two.ply


def test_the_slider_goes_through_the_game(table: Table, saved_game: str) -> None:
    page = table.page
    table.lobby()
    page.get_by_label("Import a saved game").set_input_files(
        {"name": "game.jsonl", "mimeType": "application/x-ndjson", "buffer": saved_game.encode()}
    )
    table.arrived()
    last = table.view()["ply"]
    page.get_by_role("button", name="Replay").click()
    slider = page.get_by_label("Position in the game")
    expect(slider).to_have_value(str(last))
    slider.fill("0")
    expect(table.prompt).to_have_attribute("data-state", "past")
    expect(page.locator(".replay .where")).to_contain_text(f"0/{last}")
    placed = page.locator('#map .slot[data-unit="4PzG"]')
    expect(placed).to_have_attribute("data-hex", "L4")
    page.get_by_role("button", name="Next phase").click()
    expect(page.locator(".replay .where")).not_to_contain_text(f" 0/{last}")
    page.get_by_role("button", name="One step on").click()
    slider.fill(str(last // 2))
    expect(page.locator(".replay .where")).to_contain_text(f"{last // 2}/{last}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(
        "(n) => Number(document.querySelector('.replay input').value) > n + 3", arg=last // 2, timeout=PATIENCE
    )
    page.get_by_role("button", name="Pause").click()
    table.prompt.get_by_role("button", name="Back to the present").click()
    table.until("mine", "waiting")
