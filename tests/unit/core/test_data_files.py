"""What holds for the shipped data of both games."""

from __future__ import annotations

import csv
from pathlib import Path
from types import ModuleType

import pytest

from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.wir.api import validate as wir

SETS = pytest.mark.parametrize("folder", [portfolio.DATA_DIR, wir.DATA_DIR], ids=["portfolio", "wir"])


@pytest.mark.parametrize("game", [portfolio, wir], ids=["portfolio", "wir"])
def test_the_shipped_data_have_no_problem(game: ModuleType) -> None:
    assert game.validate(game.DATA_DIR) == []


@SETS
def test_every_value_says_where_it_comes_from(folder: Path) -> None:
    for path in folder.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert row["source"], (path.name, row)
                assert row["confidence"] in ("printed", "inferred", "reconstructed"), (path.name, row)


@SETS
def test_the_data_files_are_plain_utf8_with_unix_line_ends(folder: Path) -> None:
    for path in sorted(folder.rglob("*.*")):
        content = path.read_bytes()
        assert b"\r" not in content, path.name
        content.decode("utf-8")
