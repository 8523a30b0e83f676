"""The data files that come with a game: those of today, those of earlier versions, and folders of one's own.

A version of the data is all its files but lessons and history, which no game under way reads again. It is named
by a digest of their contents. Next to the folder ``data`` lies ``past``: ``versions.json`` lists the files of every
version, the newest last, and ``files/`` holds the contents that the present data no longer has. The folder
``past/DIGEST`` does not exist; it is the name by which the files of that version are found.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from rasputitsa.core.caching import cached
from rasputitsa.core.errors import SetupError

APART = ("history", "lessons")
"""Folders whose files belong to no version."""


class DataFolder:
    """The data folder of a game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.past = path.resolve().parent / "past"

    @cached_property
    def versions(self) -> dict[str, dict[str, str]]:
        """For each known version, the oldest first, the digest of every file."""
        register = self.past / "versions.json"
        return json.loads(register.read_text(encoding="utf-8")) if register.is_file() else {}

    @cached_property
    def version(self) -> str:
        """The version of the data of today."""
        return version_of(contents(self.path))

    def version_in(self, folder: Path) -> str:
        """The version of the data of a folder: that of today, an earlier one, or one of one's own."""
        if folder == self.path or folder == self.path.resolve():
            return self.version
        return folder.name if self._is_past(folder) else version_of({**self._digests, **contents(folder)})

    def folder(self, version: str) -> Path | None:
        """The folder under which the files of a version are found; None for an unknown one."""
        if version == self.version:
            return self.path
        return self.past / version if version in self.versions else None

    def file(self, folder: Path, name: str) -> Path:
        """A data file: the folder's own, or the shipped one where the folder has none."""
        if self._is_past(folder) and not name.startswith(APART):
            return self._past_file(folder.name, name)
        own = folder / name
        return own if own.is_file() else self.path / name

    def is_shipped(self, folder: Path) -> bool:
        """Whether the data of a folder came with the game, those of today or of an earlier version."""
        return folder == self.path or folder == self.path.resolve() or self._is_past(folder)

    def _is_past(self, folder: Path) -> bool:
        return folder.parent == self.past

    def _past_file(self, version: str, name: str) -> Path:
        """A file of an earlier version; one that is younger than the version, as it was when it came."""
        digest = self.versions.get(version, {}).get(name) or self._first_digest(name)
        if digest is not None and self._digests.get(name) == digest:
            return self.path / name
        return kept_file(self.past, name, digest or "none")

    def _first_digest(self, name: str) -> str | None:
        """The digest of a file in the oldest version that has it; None if no version has."""
        return next((files[name] for files in self.versions.values() if name in files), None)

    @cached_property
    def _digests(self) -> dict[str, str]:
        return contents(self.path)

    def toml(self, folder: Path, name: str) -> dict[str, Any]:
        """A TOML data file as a table, read once; raises ``SetupError`` for one that is none."""
        return _toml(self.file(folder, name), self.stamp(folder))

    def names(self, folder: Path, kind: str) -> set[str]:
        """The names, without ending, of the TOML files of a kind (a folder), shipped or one's own."""
        if self._is_past(folder) and kind not in APART:
            names = map(Path, self.versions.get(folder.name, {}))
            return {path.stem for path in names if path.parent == Path(kind) and path.suffix == ".toml"}
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
        if folder is self.path or folder == self.path or self._is_past(folder):
            return ""
        if not folder.is_dir():
            raise SetupError(f"there is no data folder {folder}")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return ";".join(f"{path.relative_to(folder)}:{(s := path.stat()).st_mtime_ns}:{s.st_size}" for path in files)


def contents(folder: Path) -> dict[str, str]:
    """The digest of each data file of a folder, by its name; the same whatever line ends a checkout writes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.suffix in (".csv", ".toml") and name.parts[0] not in APART:
            found[name.as_posix()] = hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()[:32]
    return found


def version_of(files: Mapping[str, str]) -> str:
    """The name of the version that consists of these files."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def kept_file(past: Path, name: str, digest: str) -> Path:
    """Where the contents of a file of an earlier version lie."""
    path = Path(name)
    return past / "files" / f"{path.stem}-{digest[:12]}{path.suffix}"


@cached
def _toml(path: Path, stamp: str) -> dict[str, Any]:
    return read_toml(path)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table; raises ``SetupError`` for one that is none."""
    try:
        return parsed_toml(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise SetupError(f"{path}: {problem}") from problem


def parsed_toml(text: str) -> dict[str, Any]:
    """The table that a text is; raises ``ValueError``, for numbers and nesting beyond all measure too."""
    try:
        return tomllib.loads(text)
    except RecursionError as problem:
        raise ValueError("the values are nested too deep") from problem
