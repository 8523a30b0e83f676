"""The chronicle of each game: a card for every turn or month, told with sources, and checked line by line."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.data.chronicle import FILE
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.wir.api import validate as wir
from rasputitsa.wir.api.game import WirGame
from tests.unit.core.data_edits import edit

GAMES: dict[str, Any] = {"portfolio": portfolio, "wir": wir}


def cards(game: Any, scenario: str) -> list[dict[str, Any]]:
    return list(game.static(scenario)["history"]["chronicle"])


def test_every_turn_of_the_portfolio_has_a_card() -> None:
    game = PortfolioGame()
    told = cards(game, "june1")
    turns = [turn["number"] for turn in game.static("june1")["charts"]["turns"]]
    assert [(card["first"], card["last"]) for card in told] == [(turn, turn) for turn in turns]


@pytest.mark.parametrize("scenario", [info.id for info in WirGame().scenarios()])
def test_every_month_of_the_war_in_russia_has_a_card(scenario: str) -> None:
    game = WirGame()
    told = cards(game, scenario)
    turns = game.static(scenario)["charts"]["turns"]
    within = [card for card in told if card["first"]]
    assert [n for card in within for n in range(card["first"], card["last"] + 1)] == [t["number"] for t in turns]
    assert len(within) == len({turn["month"] for turn in turns})
    assert all(card["last"] == 0 for card in told[: len(told) - len(within)]), "the war before it"
    assert told[0]["date"] == "June 1941"


def test_a_card_tells_date_words_sources_and_how_sure_they_are() -> None:
    card = next(card for card in cards(WirGame(), "uranus") if card["date"] == "November 1942")
    assert (card["first"], card["last"]) == (1, 3)
    assert "closed the ring at Kalach" in card["text"] and "\n" not in card["text"]
    assert any("Moscow to Stalingrad" in source for source in card["sources"])
    assert card["sure"] == "figures are estimates"


BROKEN = [
    ("portfolio", "turn = 3", "3", "33", "cards.3.turn", "out of place"),
    ("portfolio", "turn = 3", "3", "2", "cards.3.turn", "out of place"),
    ("wir", 'month = "1941-08"', "08", "13", "cards.2.month", "out of place"),
    ("wir", 'date = "August 1941"', "date", "day", "cards.2.date", "missing"),
    ("wir", 'sources = ["titans", "drz4"]', "titans", "rumours", "cards.2.sources", "no source 'rumours'"),
    ("wir", 'sources = ["titans", "drz4"]', '"titans", "drz4"', "", "cards.2.sources", "no source is given"),
    ("wir", 'confidence = "estimated"', "estimated", "sure", "cards.2.confidence", "how sure"),
    ("wir", "Two Soviet armies were", "Two", "Now! Then! Who? Oh! Two", "cards.2.text", "sentences"),
    ("wir", "Two Soviet armies were", "Two", "Two" + " great" * 99, "cards.2.text", "letters"),
]


@pytest.mark.parametrize(("name", "start", "old", "new", "field", "says"), BROKEN)
def test_a_broken_card_is_named(
    tmp_path: Path, name: str, start: str, old: str, new: str, field: str, says: str
) -> None:
    data = tmp_path / "data"
    shutil.copytree(GAMES[name].DATA_DIR, data)
    edit(data, FILE, start, old, new)
    here = [p for p in GAMES[name].validate(data) if p.file == FILE]
    assert any(p.field == field and says in f"{p.message} {p.hint}" and p.line > 1 for p in here), here


def test_a_set_without_a_chronicle_is_sound(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(wir.DATA_DIR, data)
    shutil.rmtree(data / "history")
    assert wir.validate(data) == []


def test_a_broken_chronicle_of_ones_own_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "history").mkdir()
    (tmp_path / FILE).write_text('[[cards]]\nmonth = "1941-06"\n', encoding="utf-8")
    with pytest.raises(SetupError, match="is not sound"):
        WirGame(tmp_path).static("barbarossa")
