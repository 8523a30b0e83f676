"""Where the data files are: the shipped folder, or one of your own that replaces some of its files."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from rasputitsa.core.errors import SetupError

DATA = Path(__file__).parent / "data"


def data_file(folder: Path, name: str) -> Path:
    """A data file: the folder's own, or the shipped one where the folder has none."""
    own = folder / name
    return own if own.is_file() else DATA / name


def stamp(folder: Path) -> str:
    """A text that changes with the files of a folder, so that nothing read from it outlives an edit."""
    if folder is DATA or folder == DATA:
        return ""
    if not folder.is_dir():
        raise SetupError(f"there is no data folder {folder}")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return ";".join(f"{path.relative_to(folder)}:{(s := path.stat()).st_mtime_ns}:{s.st_size}" for path in files)


def read_toml(folder: Path, name: str) -> dict[str, Any]:
    """A TOML file of a data folder as a table, read once; raises ``SetupError`` for one that is none."""
    return _toml(folder, name, stamp(folder))


@cache
def _toml(folder: Path, name: str, stamp: str) -> dict[str, Any]:
    path = data_file(folder, name)
    try:
        with path.open("rb") as handle:
            return tomllib.load(handle)
    except tomllib.TOMLDecodeError as problem:
        raise SetupError(f"{path}: {problem}") from problem
