"""What a game with data files offers to have them checked."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rasputitsa.core.data.files import Problem
from rasputitsa.core.data.folder import DataFolder


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
