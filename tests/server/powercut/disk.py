"""What a disk may hold after a power cut, from the record of what a program did to it.

Synced content is there, and so are the names in a folder that was synced itself. Of everything written since, any
part may be there: none, all, the first N writes, any choice of them, each of them torn into sectors.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
_HEADER = struct.Struct("<iiqq")
_SOURCE = Path(__file__).with_name("recorder.c")
_FORGOTTEN = "-shm"
"""SQLite's shared memory: never synced, and made again from the log."""


def compiler() -> str | None:
    """The C compiler of this machine."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def build_recorder(folder: Path) -> Path:
    """The library to preload, compiled into a folder."""
    library = folder / "recorder.so"
    command = compiler()
    assert command is not None
    subprocess.run([command, "-O1", "-shared", "-fPIC", "-o", library, _SOURCE, "-ldl", "-lpthread"], check=True)
    return library


class Record(NamedTuple):
    """One thing the program did; ``end`` is where the next record begins."""

    kind: str
    file: int
    offset: int
    payload: bytes
    end: int


def records(log: Path) -> Iterator[Record]:
    """What was recorded, in order."""
    content = log.read_bytes()
    start = 0
    while start + _HEADER.size <= len(content):
        kind, file, offset, size = _HEADER.unpack_from(content, start)
        start += _HEADER.size
        if start + size > len(content):
            return  # killed while it was writing this down
        yield Record(chr(kind), file, offset, content[start : start + size], start + size)
        start += size


class Change(NamedTuple):
    """A write, or with ``content`` None a new length."""

    offset: int
    content: bytes | None

    def apply(self, to: bytearray) -> None:
        if self.content is None:
            del to[self.offset :]
            to.extend(bytes(self.offset - len(to)))
            return
        to.extend(bytes(max(0, self.offset - len(to))))
        to[self.offset : self.offset + len(self.content)] = self.content

    def torn(self, dice: random.Random) -> list[Change]:
        """Some of the sectors."""
        if self.content is None:
            return [self]
        pieces, start = [], 0
        while start < len(self.content):
            end = min(len(self.content), start + SECTOR - (self.offset + start) % SECTOR)
            pieces.append(Change(self.offset + start, self.content[start:end]))
            start = end
        if dice.random() < 0.5:
            return pieces[: dice.randrange(len(pieces) + 1)]
        return [piece for piece in pieces if dice.random() < 0.5]


@dataclass
class File:
    """What is safe, and what was written since."""

    safe: bytearray = field(default_factory=bytearray)
    since: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.since:
            change.apply(self.safe)
        self.since.clear()

    def survive(self, how: str, dice: random.Random) -> bytes:
        """The content after the cut."""
        changes = list(self.since)
        if how == "none":
            changes = []
        elif how == "first":
            changes = changes[: dice.randrange(len(changes) + 1)]
        elif how == "some":
            changes = [change for change in changes if dice.random() < 0.5]
        elif how == "torn":
            changes = [piece for change in changes for piece in change.torn(dice)]
        content = bytearray(self.safe)
        for change in changes:
            change.apply(content)
        return bytes(content)


HOW = ("none", "all", "first", "some", "torn")


@dataclass
class Folder:
    """Names, each with what it stands for: those that are safe, and what was done to them since."""

    safe: dict[str, File | Folder] = field(default_factory=dict)
    since: list[dict[str, File | Folder | None]] = field(default_factory=list)
    """Each step sets or (None) removes names, all of them or none."""

    def names(self, steps: int | None = None) -> dict[str, File | Folder]:
        """The names after N steps, by default after all."""
        found: dict[str, File | Folder | None] = dict(self.safe)
        for step in self.since[:steps]:
            found.update(step)
        return {name: node for name, node in found.items() if node is not None}

    def sync(self) -> None:
        self.safe = self.names()
        self.since.clear()

    def survive(self, how: str, dice: random.Random) -> dict[str, File | Folder]:
        """The names after the cut: a journal keeps steps in their order."""
        steps = 0 if how == "none" else len(self.since) if how == "all" else dice.randrange(len(self.since) + 1)
        return self.names(steps)


class Disk:
    """A folder while a program works in it, following its record."""

    def __init__(self, root: Path, known_as: Path | None = None) -> None:
        """``known_as``: the name the program knew the folder by, if this is a copy."""
        self._root = known_as or root
        self._top = _read(root)
        self._open: dict[int, File | Folder] = {}

    def follow(self, record: Record) -> None:
        """Take note of one record."""
        match record.kind:
            case "O":
                self._opened(record)
            case "C":
                self._open.pop(record.file, None)
            case "W" | "T":
                file = self._open[record.file]
                assert isinstance(file, File)
                file.since.append(Change(record.offset, record.payload if record.kind == "W" else None))
            case "S":
                self._open[record.file].sync()
            case _:
                self._name(record.kind, *map(Path, record.payload.decode().split("\0")))

    def _opened(self, record: Record) -> None:
        path = Path(record.payload.decode())
        if record.offset & 1:
            self._folder(path.parent).since.append({path.name: File()})
        found = self._at(path)
        if record.offset & 2 and isinstance(found, File):
            found.since.append(Change(0, None))
        self._open[record.file] = found

    def _name(self, kind: str, path: Path, fresh: Path | None = None) -> None:
        folder = self._folder(path.parent)
        if kind in "MU":
            folder.since.append({path.name: Folder() if kind == "M" else None})
            return
        assert fresh is not None
        gone = {path.name: None} if kind == "R" else {}
        come = {fresh.name: self._at(path)}
        if path.parent == fresh.parent:
            folder.since.append({**gone, **come})
        else:  # two folders, each synced for itself
            self._folder(fresh.parent).since.append({**come})
            folder.since.append({**gone})

    def _at(self, path: Path) -> File | Folder:
        found: File | Folder = self._top
        for name in path.relative_to(self._root).parts:
            assert isinstance(found, Folder)
            found = found.names()[name]
        return found

    def _folder(self, path: Path) -> Folder:
        found = self._at(path)
        assert isinstance(found, Folder)
        return found

    def cut(self, target: Path, dice: random.Random, how: str) -> None:
        """Make a folder with what is left after a power cut now."""
        _write(target, self._top, dice, how)


def _read(path: Path) -> Folder:
    return Folder(
        {each.name: _read(each) if each.is_dir() else File(bytearray(each.read_bytes())) for each in path.iterdir()}
    )


def _write(target: Path, folder: Folder, dice: random.Random, how: str) -> None:
    target.mkdir(mode=0o700)
    for name, node in sorted(folder.survive(how, dice).items()):
        if isinstance(node, Folder):
            _write(target / name, node, dice, how)
        elif not name.endswith(_FORGOTTEN):
            (target / name).write_bytes(node.survive(how, dice))
            (target / name).chmod(0o600)
