"""A class: a teacher and pupils, each in a browser of their own, through a lesson from the code to the end."""

from __future__ import annotations

import os
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Open
from tests.e2e.seats.test_company import SIZES, picture
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE, Table

QUESTION = "Where do you break through, and why?"
STOPPED = "Your teacher has stopped the game"


def open_class(teacher: Table, pupils: int) -> str:
    """Open a class for a number of pupils; gives its code."""
    page = teacher.page
    page.goto(f"{teacher.server.url}/")
    page.get_by_role("link", name="Teach a class").click()
    page.get_by_label("Name of the class").fill("9b <i>")
    page.get_by_label("What is played").select_option(label="Leningrad, August 1941, about 75 min")
    page.get_by_label("Pupils").fill(str(pupils))
    picture(teacher, "class-form")
    page.get_by_role("button", name="Open the class").click()
    expect(page.get_by_role("heading", name="9b")).to_be_focused(timeout=PATIENCE)
    code = page.locator(".code")
    expect(code).to_have_text(re.compile(r"^\w{4}-\w{4}$"), timeout=PATIENCE)
    return str(code.text_content())


def join(pupil: Table, code: str, name: str) -> str:
    """Come in as a pupil does; gives the pupil's word."""
    page = pupil.page
    page.goto(f"{pupil.server.url}/#/class")
    page.get_by_label("Code of the class").fill(code.lower())
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name=f"You have a seat, {name}")).to_be_focused(timeout=PATIENCE)
    word = str(page.locator(".word").text_content())
    picture(pupil, f"class-word-{name}")
    page.get_by_role("link", name="To the board").click()
    pupil.arrived()
    return word


def come_back(pupil: Table, code: str, name: str, word: str) -> None:
    page = pupil.page
    page.goto(f"{pupil.server.url}/#/class/{code}")
    page.get_by_role("button", name="I was here before").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your word").fill(word)
    page.get_by_role("button", name="Come back", exact=True).click()


def board(page: Page, number: int) -> Locator:
    return page.get_by_role("article", name=f"Board {number}", exact=True)


def surely(place: Locator, name: str) -> None:
    """A button that asks once more."""
    place.get_by_role("button", name=name).click()
    place.get_by_role("button", name=re.compile("^Really")).click()


def joins(server: Server, code: str, name: str) -> dict[str, Any]:
    """A pupil who needs no browser."""
    asked = {"code": code, "name": name, "word": "", "request_id": os.urandom(16).hex()}
    return dict(server.ask("POST", "/classes/join", asked))


def test_a_class_is_taught_from_another_browser_by_its_key(sit: Open, hosted: Server) -> None:
    teacher, other = sit(at=hosted), sit(at=hosted)
    code = open_class(teacher, 2)
    key = teacher.page.locator(".key")
    expect(key).to_be_hidden()
    teacher.page.get_by_text("Key for another browser").click()
    page = other.page
    page.goto(f"{hosted.url}/#/teach/{code}")
    expect(page.get_by_role("heading", name="This browser does not hold the key of that class")).to_be_visible(
        timeout=PATIENCE
    )
    page.get_by_label("Key of the teacher").fill("x")
    page.get_by_role("button", name="Teach it here").click()
    expect(page.get_by_role("alert")).to_contain_text("no key to the class", timeout=PATIENCE)
    page.get_by_label("Key of the teacher").fill(f" {key.text_content()} ")
    page.get_by_role("button", name="Teach it here").click()
    expect(page.get_by_role("heading", name="9b <i>")).to_be_visible(timeout=PATIENCE)
    expect(board(page, 1)).to_contain_text("nobody yet", timeout=PATIENCE)


@SIZES
def test_a_lesson_from_the_code_to_the_end(sit: Open, hosted: Server, settings: dict[str, object]) -> None:
    teacher, anna, ben = sit(at=hosted), sit(at=hosted, **settings), sit(at=hosted, **settings)
    code = open_class(teacher, 4)
    page = teacher.page
    expect(board(page, 2)).to_contain_text("nobody yet", timeout=PATIENCE)
    join(anna, code, "Anna")
    word = join(ben, code, "Ben")
    joins(hosted, code, "Cleo")
    expect(board(page, 1)).to_contain_text("Axis to decide", timeout=PATIENCE)
    surely(board(page, 2), "Computer takes the free seat")
    expect(board(page, 2)).to_contain_text("Soviet Union the computer", timeout=PATIENCE)

    anna.until_mine()
    anna.answer(next(option for option in anna.options() if option.get("hex") or option.get("units")))
    picture(anna, "class-board")
    page.get_by_role("button", name="Pause all").click()
    for pupil in (anna, ben):
        expect(pupil.page.get_by_text(STOPPED)).to_be_visible(timeout=PATIENCE)
    picture(anna, "class-paused")
    expect(board(page, 1)).to_contain_text("Paused")
    ply = anna.view("axis")["ply"]
    surely(board(page, 1), "Step back on board 1")
    anna._until_ply("<", ply)
    page.get_by_role("button", name="All go on").click()
    expect(anna.page.get_by_text(STOPPED)).to_have_count(0, timeout=PATIENCE)

    page.get_by_label("Question to all boards").fill(QUESTION)
    page.get_by_role("button", name="Hand out").click()
    card = ben.page.get_by_role("dialog", name="Card 1")
    expect(card).to_contain_text(QUESTION, timeout=PATIENCE)
    card.get_by_label("Your answer").fill("At the Luga <b>")
    picture(ben, "class-card")
    card.get_by_role("button", name="Send").click()
    expect(page.get_by_text("At the Luga <b>")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Board 1, Soviet Union (Ben)")).to_be_visible()

    stranger = sit(at=hosted, **settings)
    come_back(stranger, code, "Ben", "AAAAAA")
    expect(stranger.page.get_by_role("alert")).to_contain_text("do not go together", timeout=PATIENCE)
    stranger.page.get_by_label("Your word").fill(word)
    stranger.page.get_by_role("button", name="Come back", exact=True).click()
    stranger.arrived()
    assert stranger.keys.keys() == {"soviet"} and stranger.match_id == ben.match_id
    picture(teacher, "class-boards")

    page.goto(f"{page.url}/debrief")
    expect(page.get_by_role("heading", name="Board 2: Leningrad, August 1941")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Then:")).to_have_count(2, timeout=PATIENCE)
    key = page.get_by_role("list", name="Key to the maps").first
    for shape in ("units: Axis", "units: Soviet Union", "held: Axis", "belongs to the goal", "front in the war"):
        expect(key).to_contain_text(shape)
    expect(page.get_by_text("What the map leaves out")).to_be_visible()
    picture(teacher, "class-debrief")
    page.get_by_role("link", name="Back to the class").click()
    surely(page.get_by_role("main"), "Delete the class")
    expect(page.get_by_role("heading", name="A new class")).to_be_visible(timeout=PATIENCE)
    expect(anna.page.get_by_role("alert").filter(has_text="no match")).to_be_visible(timeout=PATIENCE)
