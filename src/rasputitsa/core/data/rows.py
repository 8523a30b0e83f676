"""Reading data files: a CSV file line by line, with errors that name file, line and field."""

from __future__ import annotations

import csv
from pathlib import Path

from rasputitsa.core.errors import DataError
from rasputitsa.hexes.grid import Grid

BYTE = 255
"""States keep most figures in a byte each."""


class Rows:
    """The lines of one data file, read with errors that name file, line and field."""

    def __init__(self, path: Path) -> None:
        self.file = path.name
        with path.open(newline="", encoding="utf-8") as handle:
            self.lines = list(csv.DictReader(handle))

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, number: int, field: str, message: str) -> DataError:
        """An error about line ``number``, counted from 0 after the header."""
        return DataError(self.file, number + 2, field, message)

    def value(self, number: int, field: str) -> str:
        """A field of a line; it must exist."""
        text = self.lines[number].get(field)
        if text is None:
            raise self.error(number, field, "the field is missing")
        return text.strip()

    def whole(self, number: int, field: str, high: int = BYTE) -> int:
        """A field that holds a whole number from 0 to ``high``; empty counts as 0."""
        text = self.value(number, field)
        try:
            value = int(text) if text else 0
        except ValueError:
            raise self.error(number, field, f"{text!r} is not a whole number") from None
        if not 0 <= value <= high:
            raise self.error(number, field, f"{value} is out of range; give a number from 0 to {high}")
        return value

    def decimal(self, number: int, field: str) -> float:
        """A field that holds a number."""
        text = self.value(number, field)
        try:
            return float(text)
        except ValueError:
            raise self.error(number, field, f"{text!r} is not a number") from None

    def one_of(self, number: int, field: str, allowed: tuple[str, ...]) -> int:
        """The place of a field's value among the allowed ones."""
        text = self.value(number, field)
        if text not in allowed:
            raise self.error(number, field, f"{text!r} is not one of {', '.join(allowed)}")
        return allowed.index(text)

    def names(self, number: int, field: str) -> tuple[str, ...]:
        """A field that holds names separated by semicolons."""
        return tuple(part.strip() for part in self.value(number, field).split(";") if part.strip())

    def hex(self, number: int, field: str, grid: Grid) -> int:
        """A field that names a hex."""
        name = self.value(number, field)
        index = grid.find(name)
        if index is None:
            raise self.error(number, field, f"there is no hex {name!r} on the map")
        return index
