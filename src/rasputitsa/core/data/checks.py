"""What a game with data files offers to have them checked, and what becomes of data that nobody had checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from rasputitsa.core.data.files import Problem
from rasputitsa.core.data.folder import DataFolder
from rasputitsa.core.errors import DataError, RasputitsaError, SetupError

T = TypeVar("T")
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError)
"""What a loader raises that comes upon a value that it cannot use."""


class DataChecks(Protocol):
    """The checks of a game's data; a module with these names will do."""

    DATA_DIR: Path
    """The folder that comes with the game."""
    DATA_FOLDER: DataFolder
    """The same, with its earlier versions."""

    def validate(self, data_dir: Path) -> list[Problem]:
        """Every problem of a folder, in the order of files and lines; empty when it is sound."""
        ...

    def unsound(self, folder: Path) -> list[Problem]:
        """What keeps a game from being played with a folder, which need not hold all the files."""
        ...


def made_of_data(
    make: Callable[[], T], data_folder: DataFolder, folder: Path, unsound: Callable[[Path], list[Problem]]
) -> T:
    """What ``make`` makes of the data of a folder; values in a folder of one's own that are of no use are named.

    Loaders trust what they read, so that a start is quick. Only where one fails is the folder checked.
    Raises ``DataError``, or ``SetupError`` where the checks find nothing.
    """
    try:
        return make()
    except FAULTS as fault:
        if data_folder.is_shipped(folder):
            raise
        raise _named(folder, unsound, fault) from fault


def _named(folder: Path, unsound: Callable[[Path], list[Problem]], fault: Exception) -> RasputitsaError:
    """An error that says which value of a folder is of no use."""
    try:
        problems = unsound(folder)
    except FAULTS:
        problems = []
    for problem in problems:
        return DataError(problem.file, problem.line, problem.field, f"{problem.message}; {problem.hint}")
    return SetupError(f"{folder}: no game can be set up with these files ({type(fault).__name__}: {fault!s:.80})")
