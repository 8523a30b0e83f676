"""Check a data directory of The Russian Portfolio in full.

``validate`` reads the files by itself, so that it can say what is wrong with a set that the game
could not even load: each problem names the file, the line, the field, and what would be right.
"""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.datafiles import Problem
from rasputitsa.core.lessoncheck import check_lessons
from rasputitsa.portfolio import position
from rasputitsa.portfolio.checks.charts import check_charts, check_scenarios
from rasputitsa.portfolio.checks.counters import check_counters
from rasputitsa.portfolio.checks.facts import check_facts
from rasputitsa.portfolio.checks.history import check_history
from rasputitsa.portfolio.checks.map import check_map

__all__ = ["DATA_DIR", "Problem", "validate"]

DATA_DIR = Path(__file__).resolve().parent / "data"


def validate(data_dir: Path = DATA_DIR) -> list[Problem]:
    """Every problem of a data directory, in the order of files and lines; empty when it is sound.

    When its charts are broken, the other files are checked against the charts that come with the game.
    """
    problems: list[Problem] = []
    charts = check_charts(data_dir, problems)
    if problems and data_dir.resolve() == DATA_DIR:
        return _in_order(problems)
    if problems:
        charts = check_charts(DATA_DIR, [])
    world = check_map(data_dir, charts, problems)
    counters = check_counters(data_dir, world, charts, problems)
    check_scenarios(data_dir, charts, problems)
    if not problems:
        check_facts(world, counters, charts, problems)
    check_history(data_dir, world, charts, problems)
    check_lessons(data_dir, problems, lambda table: position.load(table, data_dir))
    return _in_order(problems)


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(set(problems), key=lambda problem: (problem.file, problem.line, problem.field))
