"""Check a data directory of War in Russia in full.

``validate`` reads the files by itself, so that it can say what is wrong with a set that the game could not even load:
each problem names the file, the line, the field, and what would be right. ``unsound`` leaves out what only departs from
the manual: a map or an army of one's own may be played.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rasputitsa.core.data import files as datafiles
from rasputitsa.core.data.chronicle import check_chronicle
from rasputitsa.core.data.files import Problem, Toml, in_order, strange_files
from rasputitsa.core.lessons.check import check_lessons
from rasputitsa.core.scenarios import check_starts
from rasputitsa.wir.api import position
from rasputitsa.wir.api.checks.commands import check_commands
from rasputitsa.wir.api.checks.facts import check_facts
from rasputitsa.wir.api.checks.forces import check_forces
from rasputitsa.wir.api.checks.map import World, check_map
from rasputitsa.wir.api.checks.sheet import check_names, check_printed, check_scenarios, check_sheet
from rasputitsa.wir.api.text import events
from rasputitsa.wir.model.actions import VERBS
from rasputitsa.wir.model.data_folder import DATA, DATA_FOLDER
from rasputitsa.wir.model.ruleset import ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import FIRST_YEAR, GROUPS, LAST_YEAR
from rasputitsa.wir.model.theatre import SIDES

DATA_DIR = DATA.resolve()
MONTHS = [f"{year}-{month:02}" for year in range(FIRST_YEAR, LAST_YEAR + 1) for month in range(1, 13)]


def validate(data_dir: Path) -> list[Problem]:
    """Every problem of a data directory, in the order of files and lines; empty when it is sound."""
    problems = strange_files(data_dir)
    if problems:
        return problems
    sheet, world = _check_files(data_dir, problems)
    if not problems:
        check_printed(sheet)
        check_facts(data_dir, world, problems)
    check_chronicle(data_dir, "month", MONTHS, problems)
    check_commands(data_dir, problems)
    check_lessons(data_dir, problems, SIDES, lambda table: position.load(table, data_dir), _names)
    return in_order(problems)


def _names(state: State) -> dict[str, Collection[str]]:
    """What the guide of a lesson may name."""
    return {
        "unit": {str(group) for group in range(1, GROUPS)}, "hex": set(state.rules.grid.names), "verb": VERBS,
        "event": events(),
    }  # fmt: skip


def unsound(folder: Path) -> list[Problem]:
    """What keeps a game from being played with a folder of one's own, which need not hold all the files."""
    return datafiles.unsound(DATA_FOLDER, folder, _check_files)


def _check_files(data_dir: Path, problems: list[Problem]) -> tuple[Toml, World]:
    """Check each file by itself and against the others."""
    sheet, combat, types = check_sheet(data_dir, problems)
    seas = sheet.data.get("naval", {}).get("seas", [])
    world = check_map(data_dir, [sea for sea in seas if isinstance(sea, str)], problems)
    check_forces(data_dir, world, sheet, types, problems)
    check_scenarios(data_dir, sheet, problems)
    if not problems:
        check_names(sheet, combat, world)
    if not problems:
        check_starts(data_dir, problems, lambda name: position.start(ruleset(name, {}, data_dir)))
    return sheet, world
