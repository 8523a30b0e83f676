"""Every figure of the sheets of both games is read by a rule, or an edit of it is refused: none is without effect."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.data import folder as data_folder
from rasputitsa.core.data.files import Problem
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Game
from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model import charts
from rasputitsa.wir.api import validate as wir
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model import tables
from tests.support import choose
from tests.unit.core.data_edits import copy_of

BUILT_IN: dict[str, Mapping[str, Any]] = {
    "charts.toml": charts.BUILT_IN, "tables.toml": tables.BUILT_IN, "combat.toml": tables.COMBAT_BUILT_IN,
}  # fmt: skip
EDITS = [(file, key) for file, keys in BUILT_IN.items() for key, value in keys.items() if not isinstance(value, dict)]


def checked(file: str, folder: Path) -> list[Problem]:
    return portfolio.validate(folder) if file == "charts.toml" else wir.validate(folder)


def edited(folder: Path, file: str, key: str) -> int:
    """Gives a key another value of its type; returns its line."""
    table, _, name = key.rpartition(".")
    inside, lines = "", (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if head := re.match(r"\[([\w.]+)\]", line):
            inside = head[1]
        elif inside == table and (found := re.match(rf"{name}\s*=\s*([^#\n]+)", line)):
            value = found[1].strip()
            other = {"true": "false", "false": "true", "[]": "[{ }]", '"half_down"': '"full"'}.get(value, "[[1, 2]]")
            lines[number] = f"{name} = {int(value) + 1 if value.isdigit() else other}\n"
            (folder / file).write_text("".join(lines), encoding="utf-8")
            return number + 1
    raise AssertionError(f"{file} has no {key}")


@pytest.mark.parametrize(("file", "key"), EDITS, ids=[key for _, key in EDITS])
def test_what_no_rule_reads_cannot_be_edited(tmp_path: Path, file: str, key: str) -> None:
    shipped = portfolio.DATA_DIR if file == "charts.toml" else wir.DATA_DIR
    folder = copy_of(shipped, tmp_path)
    line = edited(folder, file, key)
    told = [p for p in checked(file, folder) if (p.file, p.line, p.field) == (file, line, key)]
    assert any("built for another value" in problem.message for problem in told)
    game: Game[Any] = PortfolioGame(folder) if file == "charts.toml" else WirGame(folder)
    with pytest.raises(SetupError, match=rf"{file}: {re.escape(key)} cannot be changed"):
        game.setup(game.scenarios()[0].id, {})


class Watched(dict[str, Any]):
    """A table that notes which of its values are read."""

    def __init__(self, table: Mapping[str, Any], path: str, read: set[str]) -> None:
        super().__init__({key: watched(value, f"{path}.{key}", read) for key, value in table.items()})
        self._path, self._read = path, read

    def __getitem__(self, key: str) -> Any:
        self._read.add(f"{self._path}.{key}")
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._read.add(f"{self._path}.{key}")
        return super().get(key, default)

    def items(self) -> Any:
        return [(key, self[key]) for key in self]

    def values(self) -> Any:
        return [self[key] for key in self]


def watched(value: Any, path: str, read: set[str]) -> Any:
    if isinstance(value, dict):
        return Watched(value, path, read)
    if isinstance(value, list):
        return [watched(part, f"{path}.{n}", read) for n, part in enumerate(value)]
    return value


def leaves(value: Any, path: str) -> Iterator[str]:
    """The paths of all values that are no tables."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = [(f"{path}.{name}", part) for name, part in parts if isinstance(part, dict | list)]
    if isinstance(value, dict):
        plain = (f"{path}.{name}" for name, part in value.items() if not isinstance(part, dict))
        yield from (key for key in plain if not key.endswith((".source", ".confidence", ".note")))
    for name, part in inner:
        yield from leaves(part, name)


UNTOUCHED = {
    "charts.toml": (
        r"turns\.\d+\.(month|track)",  # what is printed on the track, for readers of the file
        r"map\.\w+", r"sea\.closed_waters", r"production\.major_cities",  # facts that `validate` compares with the map
        r"winter_offensive\.turns", r"breakdown\..*", r"victory\.axis_cities_redeployed",  # read late or with an option
        r"turns\.\d+\.option\..*", r"terrain\.clear\.title",
    ),
    "tables.toml": (
        r"weather\.\w+", r".*\.194\d(\..*)?", r"lend_lease\..*", r"siberia\..*", r"victory\..*",  # read by date
        r"build\.substitutes\..*",
    ),
    "combat.toml": (r"air\.\w+_loss\..*", r"siberia\..*", r"convoys\..*", r".*\.194\d"),
}  # fmt: skip
"""What a few short games do not come to read."""


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_every_figure_is_read_or_built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    read: set[str] = set()
    wanted: set[str] = set()
    plain = data_folder.read_toml

    def noted(path: Path) -> dict[str, Any]:
        table = plain(path)
        if path.name not in BUILT_IN:
            return table
        wanted.update(leaves(table, path.name))
        return Watched(table, path.name, read)

    monkeypatch.setattr(data_folder, "read_toml", noted)
    folder = copy_of(portfolio.DATA_DIR if game == "portfolio" else wir.DATA_DIR, tmp_path)
    playing: Game[Any] = PortfolioGame(folder) if game == "portfolio" else WirGame(folder)
    for seed, scenario in enumerate(playing.scenarios()):
        chooser, dice, state = random.Random(seed), SeededDice(seed), playing.setup(scenario.id, {})
        for _ in range(4000):
            if state.outcome is not None:
                break
            playing.apply(state, choose(chooser, list(playing.legal(state))), dice)
    built_in = {f"{file}.{key}" for file, keys in BUILT_IN.items() for key in keys}
    untouched = re.compile("|".join(f"{re.escape(file)}\\.({'|'.join(keys)})" for file, keys in UNTOUCHED.items()))
    unread = {key for key in wanted - read if not any(key == b or key.startswith(f"{b}.") for b in built_in)}
    assert [key for key in sorted(unread) if not untouched.fullmatch(key)] == []
