"""A folder of data that nobody has had checked: what is of no use in it is named, and no bare error is raised."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rasputitsa.core.data.checks import made_of_data
from rasputitsa.core.data.folder import DataFolder
from rasputitsa.core.errors import DataError, SetupError
from rasputitsa.core.registry import game_with_data
from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.wir.api import validate as wir
from tests.unit.core.data_edits import copy_of, edit

EDITS = {
    "a size that is none": ("portfolio", "june22", "types.toml", "sizes =", "sizes = [", "sizes = 0 #"),
    "a figure without a name": (
        "portfolio", "june22", "charts.toml", "soviet_frozen_beyond", "soviet_frozen_beyond", "soviet_frozen_beyondx",
    ),
    "a box without a number": ("portfolio", "june22", "charts.toml", "number = 3", "number", "numberx"),
    "units that are no list": ("portfolio", "june22", "scenarios/june22.toml", "dispersed", "= [", "= true # ["),
    "a turn that is a list": ("portfolio", "kiev", "scenarios/june22.toml", "start_turn", "= ", "= [] # "),
    "a scenario without a beginning": ("portfolio", "kiev", "scenarios/kiev.toml", "base", "base", "#base"),
    "a type without a title": ("wir", "uranus", "tables.toml", "title =", "title", "titlex"),
    "a sea without a name": ("wir", "uranus", "waters.csv", "Black Sea,1531", "Black Sea", ""),
    "weather that there is not": ("wir", "barbarossa_short", "scenarios/barbarossa_short.toml", "weather", '"', '"x'),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_a_value_that_cannot_be_used_is_named_at_the_start(what: str, tmp_path: Path) -> None:
    game_id, scenario, name, begins, old, new = EDITS[what]
    folder = copy_of({"portfolio": portfolio, "wir": wir}[game_id].DATA_DIR, tmp_path)
    edit(folder, name, begins, old, new)
    with pytest.raises(DataError) as caught:
        game_with_data(game_id, folder).setup(scenario, {})
    assert caught.value.file == name
    assert caught.value.field


def test_the_scenarios_and_seats_of_such_a_folder_name_it_too(tmp_path: Path) -> None:
    folder = copy_of(portfolio.DATA_DIR, tmp_path)
    edit(folder, "charts.toml", "soviet_frozen_beyond", "soviet_frozen_beyond", "soviet_frozen_beyondx")
    game = game_with_data("portfolio", folder)
    for ask in (game.scenarios, lambda: game.seats({})):
        with pytest.raises(DataError):
            ask()


def test_a_designation_of_a_raised_figure_is_a_name(tmp_path: Path) -> None:
    """It passes for a digit, and for no number."""
    folder = copy_of(wir.DATA_DIR, tmp_path)
    with (folder / "units_1941.csv").open(encoding="utf-8", newline="") as file:
        header, first, *others = csv.reader(file)
    first[header.index("designation")] = "²"
    with (folder / "units_1941.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, first, *others])
    game_with_data("wir", folder).setup("barbarossa_short", {})


def _fail() -> None:
    raise KeyError("x")


def test_what_the_checks_do_not_find_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no game can be set up with these files"):
        made_of_data(_fail, DataFolder(tmp_path / "data"), tmp_path, lambda folder: [])


def test_a_fault_with_the_shipped_data_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        made_of_data(_fail, DataFolder(tmp_path / "data"), tmp_path / "data", lambda folder: [])
