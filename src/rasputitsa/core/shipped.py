"""The data files that come with a game, and folders of one's own that replace some of them."""

from __future__ import annotations

import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from rasputitsa.core.errors import SetupError


class Shipped:
    """The data folder of a game."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, folder: Path, name: str) -> Path:
        """A data file: the folder's own, or the shipped one where the folder has none."""
        own = folder / name
        return own if own.is_file() else self.path / name

    def toml(self, folder: Path, name: str) -> dict[str, Any]:
        """A TOML data file as a table, read once; raises ``SetupError`` for one that is none."""
        return _toml(self.file(folder, name), self.stamp(folder))

    def names(self, folder: Path, kind: str) -> set[str]:
        """The names, without ending, of the TOML files of a kind (a folder), shipped or one's own."""
        return {path.stem for base in (self.path, folder) for path in (base / kind).glob("*.toml")}

    def fill(self, folder: Path, whole: Path) -> None:
        """Write a folder of one's own, filled up with the shipped files that it lacks, to another one."""
        shutil.copytree(self.path, whole, dirs_exist_ok=True)
        kinds = {path.parent.relative_to(self.path) for path in self.path.rglob("*") if path.is_file()}
        for kind in kinds:
            for path in (folder / kind).glob("*.*"):
                if path.is_file():
                    shutil.copy(path, whole / kind)

    def stamp(self, folder: Path) -> str:
        """A text that changes with the files of a folder, so that nothing read from it outlives an edit."""
        if folder is self.path or folder == self.path:
            return ""
        if not folder.is_dir():
            raise SetupError(f"there is no data folder {folder}")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return ";".join(f"{path.relative_to(folder)}:{(s := path.stat()).st_mtime_ns}:{s.st_size}" for path in files)


@cache
def _toml(path: Path, stamp: str) -> dict[str, Any]:
    return read_toml(path)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table; raises ``SetupError`` for one that is none."""
    try:
        with path.open("rb") as handle:
            return tomllib.load(handle)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise SetupError(f"{path}: {problem}") from problem
