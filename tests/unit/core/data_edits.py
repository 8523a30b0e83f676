"""Damage done to a copy of the shipped data, and what ``validate`` says of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from rasputitsa.core.data.files import Problem


def copy_of(shipped: Path, place: Path) -> Path:
    """A copy of a data folder that may be damaged."""
    folder = place / "data"
    shutil.copytree(shipped, folder)
    return folder


def line_of(path: Path, start: str) -> int:
    """Number of the first line that starts with a text."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(start):
            return number
    raise AssertionError(f"{path.name} has no line {start!r}")


def edit(folder: Path, name: str, start: str, old: str, new: str) -> int:
    """Change a text in the first line that starts with ``start``; returns the line's number."""
    path = folder / name
    number = line_of(path, start)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    path.write_text("".join(lines), encoding="utf-8")
    return number


def at(problems: list[Problem], name: str, line: int, field: str) -> list[Problem]:
    """The problems of one field."""
    return [p for p in problems if (p.file, p.line, p.field) == (name, line, field)]


def is_told(problems: list[Problem], name: str, field: str, says: str) -> bool:
    """Whether a problem of a field, wherever it stands in the file, says so."""
    return any(says in f"{p.message} {p.hint}" for p in problems if (p.file, p.field) == (name, field))
