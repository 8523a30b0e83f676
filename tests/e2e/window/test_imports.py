"""Importing a saved game from the list: how far it is, what is wrong with it, and the match it becomes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from rasputitsa.core.record.new import new_session
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.server import Server
from tests.e2e.table import PATIENCE

ENTRIES = 60_000
"""This number takes some seconds to read."""


@pytest.fixture
def long_save(tmp_path: Path) -> Path:
    first, end = new_session("portfolio", "june22", seed=1, title="Long").save().strip().split("\n")
    line = json.dumps({"seat": "axis", "action": "@control human"})
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join([first, *[line] * ENTRIES, json.dumps({**json.loads(end), "end": ENTRIES})]))
    return path


@pytest.mark.parametrize("device", [{"viewport": DESKTOP}, PHONE], ids=["desktop", "phone"])
def test_a_long_saved_game_shows_how_far_it_is(
    server: Server, context_of: Callable[..., BrowserContext], long_save: Path, device: dict[str, object]
) -> None:
    page = context_of(**device).new_page()
    page.goto(server.url)
    page.get_by_label("Import a saved game").set_input_files(long_save)
    status = page.get_by_role("status").filter(has_text="Reading the saved game")
    expect(status).to_contain_text(re.compile(r"\d+ %"), timeout=PATIENCE)
    expect(status.get_by_role("progressbar")).to_be_visible()
    status.scroll_into_view_if_needed()
    page.screenshot(path=long_save.with_name("reading.png"))
    expect(page).to_have_url(re.compile(r"#/match/\d+"), timeout=PATIENCE)


def test_a_saved_game_that_is_none_is_refused_and_another_one_may_be_chosen(
    server: Server, context_of: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    path = tmp_path / "evil.jsonl"
    text = new_session("portfolio", "june22", seed=1).save()
    path.write_text(text.replace('"controllers": {}', '"controllers": {"axis": "bot external:touch x"}'))
    page = context_of().new_page()
    page.goto(server.url)
    for _ in range(2):
        page.get_by_label("Import a saved game").set_input_files(path)
        expect(page.get_by_text("The file was not accepted")).to_contain_text("external:", timeout=PATIENCE)
    path.write_text(text)
    page.get_by_label("Import a saved game").set_input_files(path)
    expect(page).to_have_url(re.compile(r"#/match/\d+"), timeout=PATIENCE)
