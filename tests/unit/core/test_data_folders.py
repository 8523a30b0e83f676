"""What ``validate`` says of folders in which a file is missing or cannot be read, in both games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rasputitsa.core.data.files import Problem
from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.wir.api import validate as wir
from tests.unit.core.data_edits import copy_of

Validate = Callable[[Path], list[Problem]]
FILES = {
    "portfolio": ("hexes.csv", "hexsides.csv", "places.csv", "units.csv", "charts.toml", "types.toml"),
    "wir": (
        "hexes.csv", "hexsides.csv", "cities.csv", "depots_air.csv", "tables.toml", "units_1941.csv", "units_1943.csv",
    ),
}  # fmt: skip
GAMES: dict[str, tuple[Validate, Path]] = {
    "portfolio": (portfolio.validate, portfolio.DATA_DIR),
    "wir": (wir.validate, wir.DATA_DIR),
}
EACH = [(game, name) for game, names in FILES.items() for name in names]


@pytest.mark.parametrize(("game", "name"), EACH)
def test_a_missing_file_is_named(tmp_path: Path, game: str, name: str) -> None:
    validate, shipped = GAMES[game]
    data = copy_of(shipped, tmp_path)
    (data / name).unlink()
    assert any(p.file == name and "missing" in p.message for p in validate(data))


@pytest.mark.parametrize(("game", "name"), EACH)
def test_a_file_that_is_not_utf8_is_reported(tmp_path: Path, game: str, name: str) -> None:
    validate, shipped = GAMES[game]
    data = copy_of(shipped, tmp_path)
    (data / name).write_bytes(b"\xff\xfe\x00")
    assert any(p.file == name for p in validate(data))


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_folder_is_reported_file_by_file(tmp_path: Path, game: str) -> None:
    validate, _ = GAMES[game]
    assert set(FILES[game]) <= {problem.file for problem in validate(tmp_path)}
