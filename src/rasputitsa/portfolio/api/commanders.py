"""Who commanded a unit in the war, turn by turn. No rule reads it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.data.chronicle import CONFIDENCES
from rasputitsa.core.data.rows import Rows
from rasputitsa.portfolio.model.data_folder import data_file

FILE = "history/commanders.csv"


class Command(NamedTuple):
    """A commander, and the turns on whose first day the command was held."""

    unit: str
    first: int
    last: int
    commander: str
    source: str
    sure: str
    """How sure that is, in words."""
    agreed: bool
    """Whether it is as sure as can be."""


def commanders(folder: Path) -> list[Command]:
    """Those whose name is known to us, by unit and turn."""
    rows = Rows(data_file(folder, FILE))
    return [_command(rows, n) for n in range(len(rows))]


def _command(rows: Rows, n: int) -> Command:
    sure = rows.one_of(n, "confidence", tuple(CONFIDENCES))
    return Command(
        rows.value(n, "unit"), rows.whole(n, "first"), rows.whole(n, "last"), rows.value(n, "commander"),
        rows.value(n, "source"), list(CONFIDENCES.values())[sure], sure == 0,
    )  # fmt: skip
