"""Where the data files are: the shipped folder, or one of your own that replaces some of its files."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from rasputitsa.core.errors import SetupError
from rasputitsa.core.shipped import Shipped

SHIPPED = Shipped(Path(__file__).parent / "data")
DATA = SHIPPED.path
data_file = SHIPPED.file
stamp = SHIPPED.stamp


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
