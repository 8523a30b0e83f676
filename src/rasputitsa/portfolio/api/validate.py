"""Check a data directory of The Russian Portfolio in full.

``validate`` reads the files by itself, so that it can say what is wrong with a set that the game
could not even load: each problem names the file, the line, the field, and what would be right. ``unsound``
leaves out what only departs from the rule text: a map or an army of one's own may be played.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rasputitsa.core.data import files as datafiles
from rasputitsa.core.data.files import Problem, Row, Toml, in_order, strange_files
from rasputitsa.core.lessons.check import check_lessons
from rasputitsa.core.scenarios import check_starts
from rasputitsa.portfolio.api import position
from rasputitsa.portfolio.api.checks.charts import check_charts, check_scenarios
from rasputitsa.portfolio.api.checks.counters import check_counters
from rasputitsa.portfolio.api.checks.facts import check_agreement, check_chart_hexes, check_facts
from rasputitsa.portfolio.api.checks.history import check_history
from rasputitsa.portfolio.api.checks.map import World, check_map
from rasputitsa.portfolio.api.checks.types import check_types
from rasputitsa.portfolio.api.text import events
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.data_folder import DATA_FOLDER
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.model.unit_types import unit_types

DATA_DIR = Path(__file__).resolve().parents[1] / "data"


def validate(data_dir: Path) -> list[Problem]:
    """Every problem of a data directory, in the order of files and lines; empty when it is sound."""
    problems = strange_files(data_dir)
    if problems:
        return problems
    files = _check_files(data_dir, problems)
    if files:
        charts, world, counters = files
        alone = not problems
        _check_together(data_dir, charts, world, problems)
        if alone:
            check_facts(world, counters, charts, problems)
        check_history(data_dir, world, charts, {row["id"] for row in counters}, problems)
        check_lessons(data_dir, problems, SIDES, lambda table: position.load(table, data_dir), _names)
    return in_order(problems)


def _names(state: State) -> dict[str, Collection[str]]:
    """What the guide of a lesson may name."""
    rules = state.rules
    return {
        "unit": {unit.id for unit in rules.units}, "hex": set(rules.grid.names), "verb": VERBS,
        "event": events(),
    }  # fmt: skip


def unsound(folder: Path) -> list[Problem]:
    """What keeps a game from being played with a folder of one's own, which need not hold all the files."""
    return datafiles.unsound(DATA_FOLDER, folder, _check_playable)


def _check_playable(data_dir: Path, problems: list[Problem]) -> None:
    files = _check_files(data_dir, problems)
    if files:
        charts, world, _ = files
        _check_together(data_dir, charts, world, problems)


def _check_files(data_dir: Path, problems: list[Problem]) -> tuple[Toml, World, list[Row]] | None:
    """Check each file by itself and against the others.

    When its types or charts are broken, the other files are checked against those that come with the game, if there
    are others.
    """
    own = check_types(data_dir, problems)
    types = own or unit_types(DATA_DIR)
    charts = check_charts(data_dir, types.nations, problems)
    if problems and data_dir.resolve() == DATA_DIR:
        return None
    if problems:
        charts = check_charts(DATA_DIR, types.nations, [])
    world = check_map(data_dir, charts, problems)
    counters = check_counters(data_dir, world, charts, types, problems)
    check_scenarios(data_dir, charts, types.nations, problems)
    return charts, world, counters


def _check_together(data_dir: Path, charts: Toml, world: World, problems: list[Problem]) -> None:
    """Check files that are sound each by itself: what one says of another, and whether games start with them."""
    if not problems:
        check_chart_hexes(world, charts)
        check_agreement(data_dir, charts)
    if not problems:
        check_starts(data_dir, problems, lambda name: position.start(ruleset(name, {}, data_dir)))
