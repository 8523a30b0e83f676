"""Files that somebody names: read within bounds, and written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rasputitsa.core.errors import RasputitsaError

MOST_BYTES = 64_000_000
"""A saved game of nine thousand entries takes a hundredth of that."""
MOST_RESULTS = 500_000_000
MOST_DIGITS = 100
"""Of a number in results; a float holds three times that."""
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_ADDING = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class FileError(RasputitsaError):
    """A file that cannot be what it should be."""


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """A file or a pipe of at most ``most`` bytes; a pipe that nobody writes to is empty.

    Raises:
        FileError: it is a device, a folder, or larger.
        OSError: it cannot be read.
    """
    file = os.open(path, _READING)  # without waiting for somebody to write to a pipe
    with os.fdopen(file, "rb") as handle:
        kind = os.fstat(file)
        if stat.S_ISCHR(kind.st_mode) or stat.S_ISBLK(kind.st_mode):
            raise FileError(f"{path} is a device")
        if hasattr(os, "set_blocking"):
            os.set_blocking(file, True)
        content = handle.read(most + 1) if kind.st_size <= most else b""
    if max(kind.st_size, len(content)) > most:
        raise FileError(f"{path} is larger than {most:,} bytes")
    return content


def as_text(content: bytes, name: object) -> str:
    """The text in UTF-8 that a file holds, with or without a mark of the order of bytes; raises ``FileError``."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise FileError(f"{name} is not a text file in UTF-8: byte {problem.start + 1} is wrong") from problem


def write_bytes(path: Path, content: bytes) -> None:
    """Give a file new contents, all at once: where that fails or is broken off, what was there stays.

    A link stays a link; a pipe or a device is written to as it is. Raises ``OSError``.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = 0
    if mode and not stat.S_ISREG(mode):
        target.write_bytes(content)
        return
    with _beside(path, target, mode) as new:
        _write(new, content, stat.S_IMODE(mode) if mode else 0o666)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name next to a file, to write to: what lies there at the end takes the file's place, all at once.

    Where that fails or is broken off, what was there stays.

    Raises:
        FileError: what is there is no file.
        OSError: it cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = 0
    if mode and not stat.S_ISREG(mode):
        raise FileError(f"{path} is there, and is no file")
    with _beside(path, target, mode) as new:
        yield new
        with new.open("rb+") as handle:
            os.fsync(handle.fileno())


@contextlib.contextmanager
def _beside(path: Path, target: Path, mode: int) -> Iterator[Path]:
    """A name for a new file that takes the place of a regular one, or of none."""
    new = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    try:
        yield new
        if mode:
            new.chmod(stat.S_IMODE(mode))
        new.replace(target)
        _keep_name(target.parent)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
    finally:
        with contextlib.suppress(OSError):
            new.unlink()


def _keep_name(folder: Path) -> None:
    """See that a new name in a folder outlasts a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write(new: Path, content: bytes, mode: int) -> None:
    """A new file that is never open to more people than the one it takes the place of."""
    with os.fdopen(os.open(new, _WRITING, mode), "wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())


def write_text(path: Path, text: str) -> None:
    """The same for a text, in UTF-8."""
    write_bytes(path, text.encode())


class JsonLines:
    """The whole lines of a file to which lines of JSON are added; a last line that was cut short does not count."""

    def __init__(self, path: Path, most: int = MOST_RESULTS) -> None:
        """Read them. Raises ``FileError`` for what is no such file, naming the line, and ``OSError``."""
        if path.exists() and not path.is_file():
            raise FileError(f"{path} is no file to which lines can be added")
        content = read_bytes(path, most) if path.exists() else b""
        self.size = content.rfind(b"\n") + 1
        """How many bytes they take."""
        self.values: list[Any] = []
        for number, line in enumerate(content[: self.size].split(b"\n")[:-1], start=1):
            try:
                self.values.append(json.loads(line, parse_int=_whole, parse_float=_finite, parse_constant=_finite))
            except (ValueError, RecursionError) as problem:
                raise FileError(f"{path}, line {number} is not JSON") from problem


class LineWriter:
    """Adds lines to a file, each whole or not at all, and on disk when it was added."""

    def __init__(self, path: Path, keep: int = 0) -> None:
        """Open it, or make it. Of what is there ``keep`` bytes stay, the rest until the first line is added.

        A pipe or a device is written to as it is. Raises ``OSError``.
        """
        self._path, self._size = path, keep
        self._file = os.open(path, _ADDING, 0o666)
        self._regular = stat.S_ISREG(os.fstat(self._file).st_mode)

    def add(self, line: str) -> None:
        """Add a line, given without its end. Raises ``OSError``, which names the file; then no part of it is there."""
        content = f"{line}\n".encode()
        try:
            self._cut()
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            if self._regular:
                os.fsync(self._file)
        except BaseException as problem:
            with contextlib.suppress(OSError):
                self._cut()
            if isinstance(problem, OSError):
                raise OSError(problem.errno, problem.strerror, str(self._path)) from problem
            raise
        self._size += len(content)

    def _cut(self) -> None:
        if self._regular:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)

    def close(self) -> None:
        """Close the file; once is enough."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(text)
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
