"""Every figure of the sheets of both games is read by a rule, or an edit of it is refused: none is without effect."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core.data import folder as data_folder
from rasputitsa.core.data.built_in import Bounds, Fixed
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

BUILT_IN: dict[str, Bounds] = {
    "charts.toml": charts.built_in(), "tables.toml": tables.BUILT_IN, "combat.toml": tables.COMBAT_BUILT_IN,
}  # fmt: skip
EDITS = [(file, key) for file, keys in BUILT_IN.items() for key, bound in keys.items() if isinstance(bound, Fixed)]


def checked(file: str, folder: Path) -> list[Problem]:
    return portfolio.validate(folder) if file == "charts.toml" else wir.validate(folder)


def edited(folder: Path, file: str, key: str) -> int:
    """Gives a key another value of its type; returns its line."""
    table, _, name = key.rpartition(".")
    boxes: Counter[str] = Counter()
    inside, lines = "", (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if head := re.match(r"\[\[(\w+)\]\]", line):
            inside = f"{head[1]}.{boxes[head[1]]}"
            boxes[head[1]] += 1
        elif head := re.match(r"\[([\w.]+)\]", line):
            inside = head[1]
        elif inside == table and (found := re.match(rf"{name}\s*=\s*([^#\n]+)", line)):
            value = found[1].strip()
            other = {"true": "false", "false": "true", "[]": "[{ }]", '"half_down"': '"full"'}.get(value, "[[1, 2]]")
            if value.isdigit():
                other = str(int(value) + 1)
            elif value.startswith('"') and value != '"half_down"':
                other = '"1999-01"'
            lines[number] = f"{name} = {other}\n"
            (folder / file).write_text("".join(lines), encoding="utf-8")
            return number + 1
    raise AssertionError(f"{file} has no {key}")


@pytest.mark.parametrize(("file", "key"), EDITS, ids=[key for _, key in EDITS])
def test_what_no_rule_reads_cannot_be_edited(tmp_path: Path, file: str, key: str) -> None:
    shipped = portfolio.DATA_DIR if file == "charts.toml" else wir.DATA_DIR
    folder = copy_of(shipped, tmp_path)
    line = edited(folder, file, key)
    told = [p for p in checked(file, folder) if (p.file, p.line, p.field) == (file, line, key)]
    assert any("this cannot be changed: the program is built for" in problem.message for problem in told)
    game: Game[Any] = PortfolioGame(folder) if file == "charts.toml" else WirGame(folder)
    with pytest.raises(SetupError, match=rf"{file}, line {line}, {re.escape(key)}: this cannot be changed"):
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


LATE = {
    "charts.toml": "victory.axis_cities_redeployed turns.6.option.october.track turns.14.option.march.mud "
    "turns.15.option.march.mud",
    "combat.toml": "air.interceptor_loss.escorted air.raid_loss.escorted convoys.hit convoys.junction "
    "convoys.landing convoys.on_aircraft convoys.rows convoys.south convoys.vehicles_per_hit convoys.weather "
    "convoys.winter siberia.kind",
    "tables.toml": "build.substitutes.2.percent build.substitutes.2.until lend_lease.area.east lend_lease.area.north "
    "lend_lease.area.south lend_lease.north siberia.experience siberia.until.1 victory.worst weather.first_winter "
    + " ".join(f"lend_lease.size.{year}" for year in range(1941, 1946)),
}
"""What the rules read late in a campaign, or with an option, and a few short games do not come to read."""
SPAN = re.compile(r"(.*\.)(?:194\d|january|february|march|april|may|june|july|august|september|october)(\.[a-z ]+)?")
"""A figure of a year or month: read where that of any other is."""


def read_late(key: str, read: set[str]) -> bool:
    """Whether a figure that was not read is one that comes later."""
    file, _, name = key.partition(".toml.")
    if name in LATE[f"{file}.toml"].split():
        return True
    found = SPAN.fullmatch(key)
    return found is not None and found[1] in {other[1] for other in map(SPAN.fullmatch, read) if other}


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
    built_in = {f"{file}.{key}" for file, key in EDITS}
    unread = {key for key in wanted - read if not any(key == b or key.startswith(f"{b}.") for b in built_in)}
    assert [key for key in sorted(unread) if not read_late(key, read)] == []


def test_what_comes_late_is_there_and_named_in_the_rules() -> None:
    """No name in the list is left over, and each stands as a word in the code of its game."""
    for file, names in LATE.items():
        shipped = portfolio.DATA_DIR if file == "charts.toml" else wir.DATA_DIR
        table = data_folder.read_toml(shipped / file)
        code = "\n".join(
            path.read_text(encoding="utf-8")
            for floor in ("model", "rules")
            for path in (shipped.parent / floor).rglob("*.py")
        )
        for name in names.split():
            assert name in {key.removeprefix(f"{file}.") for key in leaves(table, file)}
            words = [word for word in name.split(".") if not word.isdigit()]
            assert all(f'"{word}"' in code for word in words[:2]), name


def test_a_figure_that_no_rule_reads_would_be_found() -> None:
    assert not read_late("tables.toml.lend_lease.colour", {"tables.toml.lend_lease.from"})
    assert not read_late("combat.toml.convoys.1943", {"combat.toml.other.1941"})
    assert read_late("combat.toml.convoys.1943", {"combat.toml.convoys.1941"})


def test_more_seas_than_a_position_has_marks_for_are_refused(tmp_path: Path) -> None:
    folder = copy_of(wir.DATA_DIR, tmp_path)
    sheet = folder / "tables.toml"
    plain = 'seas = ["Black Sea", "Baltic Sea", "White Sea"]'
    text = sheet.read_text(encoding="utf-8")
    line = text[: text.index(plain)].count("\n") + 1
    sheet.write_text(text.replace(plain, plain.replace("]", ', "Caspian"]')), encoding="utf-8")
    told = [(p.file, p.line, p.field) for p in wir.validate(folder)]
    assert ("tables.toml", line, "naval.seas") in told
    with pytest.raises(SetupError, match=rf"tables.toml, line {line}, naval.seas: there are 4 seas, and at most 3 fit"):
        WirGame(folder).setup("barbarossa", {})


FIGURE = re.compile(
    r"(?<![A-Z])\d|%|\b(?:one (?:more|unit|column|on|in)|two|three|four|five|six|ten|half|third|fifth)\b"
    r"|\b(?:january|june|december)\b",
    re.I,
)
OF_NO_SHEET = {"players", "october", "level", "short_retreat", "recruits", "relief", "reserve_first_turn"}
"""Options whose numbers are seats, names of choices, months of the printed track, or the reading itself."""


@pytest.mark.parametrize("game", [PortfolioGame(), WirGame()], ids=["portfolio", "wir"])
def test_options_are_told_without_figures_that_the_sheets_hold(game: Game[Any]) -> None:
    """A folder of one's own may hold other figures, and the texts are the same for all."""
    told = {
        option.id: text
        for option in game.options()
        for text in (option.help, *(f"{choice.title} {choice.help}" for choice in option.choices))
        if option.id not in OF_NO_SHEET and FIGURE.search(text)
    }
    assert told == {}
