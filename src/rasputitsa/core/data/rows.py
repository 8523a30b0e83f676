"""Data files as games read them: the reader of the checks, whose first problem is an error."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.files import Problem, Row, Table
from rasputitsa.core.errors import DataError
from rasputitsa.hexes.grid import Grid

BYTE = 255
"""States keep most figures in a byte each."""


class Rows:
    """The lines of one data file, read with errors that name file, line and field."""

    def __init__(self, path: Path) -> None:
        self.file = path.name
        self._problems: list[Problem] = []
        self.lines: list[Row] = Table(path.parent, path.name, None, self._problems).rows
        self._raise()

    def __len__(self) -> int:
        return len(self.lines)

    def _raise(self) -> None:
        if self._problems:
            found = self._problems[0]
            self._problems.clear()
            raise DataError(found.file, found.line, found.field, f"{found.message}; {found.hint}")

    def error(self, number: int, field: str, message: str) -> DataError:
        """An error about a line, counted from 0 after the header."""
        return DataError(self.file, self.lines[number].line, field, message)

    def value(self, number: int, field: str) -> str:
        """A field of a line; it must exist."""
        row = self.lines[number]
        if field not in row.values:
            raise self.error(number, field, "the field is missing")
        return row[field].strip()

    def whole(self, number: int, field: str, high: int = BYTE) -> int:
        """A field that holds a whole number from 0 to ``high``; empty counts as 0."""
        if not self.value(number, field):
            return 0
        found = self.lines[number].whole(field, 0, high)
        self._raise()
        assert found is not None
        return found

    def decimal(self, number: int, field: str) -> float:
        """A field that holds a number of degrees."""
        self.value(number, field)
        found = self.lines[number].decimal(field, -180, 180)
        self._raise()
        assert found is not None
        return found

    def one_of(self, number: int, field: str, allowed: tuple[str, ...]) -> int:
        """The place of a field's value among the allowed ones."""
        text = self.value(number, field)
        if text not in allowed:
            self.lines[number].one_of(field, allowed)
            self._raise()
        return allowed.index(text)

    def hex(self, number: int, field: str, grid: Grid) -> int:
        """A field that names a hex."""
        name = self.value(number, field)
        index = grid.find(name)
        if index is None:
            raise self.error(number, field, f"there is no hex {name!r} on the map")
        return index

    def names(self, number: int, field: str) -> tuple[str, ...]:
        """A field that holds names separated by semicolons."""
        return tuple(part.strip() for part in self.value(number, field).split(";") if part.strip())
