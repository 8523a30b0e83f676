"""What holds for the shipped data of both games."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.wir.api import validate as wir

SETS = pytest.mark.parametrize("folder", [portfolio.DATA_DIR, wir.DATA_DIR], ids=["portfolio", "wir"])


@pytest.mark.parametrize("game", [portfolio, wir], ids=["portfolio", "wir"])
def test_the_shipped_data_have_no_problem(game: ModuleType) -> None:
    assert game.validate(game.DATA_DIR) == []


STRANGE: dict[str, Callable[[Path], object]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": lambda path: path.mkdir(),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a file of many bytes": lambda path: path.write_bytes(b"#" * 5_000_000),
    "a file of many lines": lambda path: path.write_text("Z1,clear\n" * 300_000, encoding="utf-8"),
    "deep lists": lambda path: path.write_text("x = " + "[" * 100_000 + "]" * 100_000, encoding="utf-8"),
    "deep tables": lambda path: path.write_text("x = " + "{a=" * 50_000 + "1" + "}" * 50_000, encoding="utf-8"),
    "a deep key": lambda path: path.write_text("[" + ".".join(["a"] * 20_000) + "]", encoding="utf-8"),
    "a long number": lambda path: path.write_text("x = " + "9" * 100_000, encoding="utf-8"),
    "a long field": lambda path: path.write_text("x" * 300_000, encoding="utf-8"),
    "zero bytes": lambda path: path.write_bytes(b"\0,\0\n\xff"),
}
FILES = [(portfolio, "hexes.csv"), (portfolio, "charts.toml"), (portfolio, "scenarios/own.toml")]
FILES += [(portfolio, "lessons/own.toml"), (portfolio, "history/fronts.toml"), (portfolio, "types.toml")]
FILES += [(wir, "cities.csv"), (wir, "tables.toml"), (wir, "scenarios/own.toml"), (wir, "lessons/own.toml")]
FILES += [(wir, "combat.toml"), (wir, "history/chronicle.toml"), (portfolio, "history/chronicle.toml")]


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and links")
@pytest.mark.parametrize("what", STRANGE)
@pytest.mark.parametrize(("game", "name"), FILES, ids=lambda part: getattr(part, "__package__", part))
def test_strange_files_end_in_words_that_name_them(game: ModuleType, name: str, what: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(game.DATA_DIR, folder)
    (folder / name).unlink(missing_ok=True)
    STRANGE[what](folder / name)
    problems = game.validate(folder)
    assert name in {problem.file for problem in problems}
    assert all(len(str(problem)) < 2000 for problem in problems)
    if not name.startswith(("lessons", "history")):
        assert name in {problem.file for problem in game.unsound(folder)}


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


UNSHOWN = ["\x1b]0;x\x07", "\u202e", "\u2028", "x" * 2001]


@pytest.mark.parametrize("text", UNSHOWN, ids=["control", "bidi", "line separator", "long"])
@pytest.mark.parametrize("name", ["summary", "history.text", "history.sources", "position.goal.text"])
def test_texts_that_cannot_be_shown_are_named(name: str, text: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(portfolio.DATA_DIR, folder)
    path = folder / "scenarios" / "kiev.toml"
    old = {"summary": 'summary = "', "history.sources": '"D. M. Glantz', "position.goal.text": 'text = "Hold'}
    begins = old.get(name, 'text = """')
    path.write_text(path.read_text("utf-8").replace(begins, begins + json.dumps(text)[1:-1], 1), "utf-8")
    wrong = [problem for problem in portfolio.validate(folder) if problem.field.startswith(name)]
    assert [problem for problem in wrong if "cannot be shown" in problem.message or "letters" in problem.message]
    assert portfolio.unsound(folder), "nobody plays with it"


@pytest.mark.parametrize(("field", "most"), [("title", 80), ("summary", 300)])
def test_titles_and_summaries_fit_into_lists(field: str, most: int, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(wir.DATA_DIR, folder)
    path = folder / "scenarios" / "uranus.toml"
    begins = f'{field} = "'
    path.write_text(path.read_text("utf-8").replace(begins, begins + "W" * most, 1), "utf-8")
    assert [problem.field for problem in wir.validate(folder)] == [field]


def test_a_cell_that_cannot_be_shown_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(wir.DATA_DIR, folder)
    path = folder / "units_1941.csv"
    path.write_text(path.read_text("utf-8").replace("one group of six", "\x1b[2J", 1), "utf-8")
    (wrong,) = wir.validate(folder)
    assert (wrong.field, wrong.file) == ("note", "units_1941.csv")
    assert "U+001B" in wrong.message
