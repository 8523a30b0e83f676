"""Figures of data files that the program is built for: an edit of one is refused, since no rule would follow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core.data.files import Toml
from rasputitsa.core.errors import SetupError


def figure(table: Any, key: str) -> Any:
    """A value of a nested table by its key with dots, where a number counts the tables of a list from 0; or None."""
    for name in key.split("."):
        if isinstance(table, list):
            table = table[int(name)] if name.isdigit() and int(name) < len(table) else None
        else:
            table = table.get(name) if isinstance(table, dict) else None
    return table


def _changed(table: Mapping[str, Any], built_in: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys that have another value than the program is built for, with that value."""
    return ((key, built) for key, built in built_in.items() if figure(table, key) != built)


def refusal(path: Path, file: str, key: str, message: str) -> SetupError:
    """Why no game starts with a value of a TOML file: names file, line and key.

    Args:
        path: where the file is; in the data of an earlier version it has another name.
        file: what the file is called.
        key: the key with dots.
        message: what is wrong with its value.
    """
    return SetupError(f"{file}, line {Toml(path.parent, path.name, []).line(key)}, {key}: {message}")


def require_built_in(path: Path, file: str, table: Mapping[str, Any], built_in: Mapping[str, Any]) -> None:
    """Raise ``SetupError`` for the first value of a data file that is not the one the program is built for."""
    for key, built in _changed(table, built_in):
        raise refusal(path, file, key, f"this cannot be changed: the program is built for {built}")


def check_built_in(toml: Toml, built_in: Mapping[str, Any]) -> None:
    """Report every value of a data file that is not the one the program is built for."""
    for key, built in _changed(toml.data, built_in):
        toml.bad(key, "the program is built for another value", f"give {built}")
