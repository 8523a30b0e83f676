"""The files in which the matches by letters lie, as the command ``mail`` reads and writes them too."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import read_bytes
from rasputitsa.mail.book import Book, held
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.errors import MailError
from rasputitsa.server.errors import ApiError, conflict, unknown
from rasputitsa.server.letters.board import LetterBoard
from rasputitsa.server.store.copies import ENDING, FOLDER, files, is_code, unknown_files

Answer = TypeVar("Answer")

DAMAGED = "broken_match"
UNKNOWN = "there is no such match by letters here"
NO_CODE = "the file of a match is called by the twelve digits that its letters name, as in 1d83a9712e57.mail"
NO_FILE = "this is no file that can be read"
ONLY_MINE = 0o700
_LEFT_SECONDS = 3600
"""After so long nobody still writes to a file that was to take the place of another: a kill has left it."""
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class LetterFiles:
    """The folder of these files, and the matches that were read, kept until their files change."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        """One for each match that is in use, so that a letter that takes minutes holds up no other match."""
        self._locking = threading.Lock()
        self._boards: dict[str, LetterBoard] = {}
        self._glances: dict[str, Any] = {}
        """What was last seen of each match at a glance."""
        for left in self._folder.glob(f".*{ENDING}.*"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                    left.unlink()

    def codes(self) -> list[str]:
        """The matches there are, what changed last first."""
        return [path.stem for path in sorted(files(self._folder), key=_changed, reverse=True)]

    def unknown_files(self) -> dict[str, str]:
        """What lies there like a match and cannot be listed as one: by name, spelled out, why."""
        return {
            ascii(path.name)[1:-1]: NO_FILE if is_code(path.stem) else NO_CODE for path in unknown_files(self._folder)
        }

    def _path(self, code: str) -> Path:
        return self._folder / f"{code}{ENDING}"

    def begin(self, correspondent: Correspondent) -> str:
        """Lay a match on the shelf; the code that names it. Raises ``ApiError``."""
        code = correspondent.match.code
        with self._lock(code), _file_errors():
            self._folder.mkdir(mode=ONLY_MINE, parents=True, exist_ok=True)
            if self._path(code).exists() and self._path(code).stat().st_size:  # an empty one was left by a kill
                raise MailError("you play in this match already: it is in your list")
            Book.begin(self._path(code), correspondent)
        return code

    def read(self, code: str, work: Callable[[LetterBoard], Answer]) -> Answer:
        """Look at a match; raises ``ApiError``."""
        with self._lock(code), _file_errors():
            return work(self._board(code))

    def glance(self, code: str, work: Callable[[LetterBoard], Answer]) -> Answer:
        """Look at a match, or see it as at the last glance while somebody changes it; raises ``ApiError``."""
        lock = self._lock(code)
        if not lock.acquire(blocking=code not in self._glances):
            return cast(Answer, self._glances[code])
        try:
            with _file_errors():
                seen = self._glances[code] = work(self._board(code))
                return seen
        finally:
            lock.release()

    def content(self, code: str) -> bytes:
        """The file of a match as it lies there, also where it is damaged; raises ``ApiError``."""
        with self._lock(code), _file_errors():
            path = self._known(code)
            with _reading(path):
                return read_bytes(path)

    def change(self, code: str, work: Callable[[LetterBoard], Answer]) -> Answer:
        """Change a match, on disk before it is answered, or not at all; raises ``ApiError``."""
        with self._lock(code), _file_errors(), held(self._known(code)):
            board = self._board(code)
            try:
                return work(board)
            except BaseException as problem:
                if board.torn or not isinstance(problem, (ApiError, MailError)):  # refusals alone change nothing
                    del self._boards[code]
                raise

    def remove(self, code: str) -> None:
        """Throw a match away, with its key and letters; raises ``ApiError``."""
        with self._lock(code), _file_errors():
            self._known(code).unlink()
            for left in self._folder.glob(f".{code}{ENDING}.*"):  # the key is in them as well
                left.unlink(missing_ok=True)
            self._boards.pop(code, None)
            self._glances.pop(code, None)

    def _lock(self, code: str) -> threading.RLock:
        if not is_code(code):
            raise unknown("unknown_match", self.unknown_files().get(code, UNKNOWN))
        with self._locking:
            lock = self._locks.get(code)
            if lock is None:
                lock = self._locks[code] = threading.RLock()
            return lock

    def _known(self, code: str) -> Path:
        if not is_code(code) or not self._path(code).is_file():
            raise unknown("unknown_match", UNKNOWN)
        return self._path(code)

    def _board(self, code: str) -> LetterBoard:
        path = self._known(code)
        board = self._boards.get(code)
        with _reading(path):
            if board is None or not board.book.is_current():
                board = LetterBoard(Book.read(path, whole=True), board.version if board else 0)
                self._boards[code] = board
        return board


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What is wrong with the file of a match, as answers."""
    try:
        yield
    except FileNotFoundError as problem:  # thrown away meanwhile
        raise unknown("unknown_match", UNKNOWN) from problem
    except OSError as problem:
        raise _damaged(f"{path} cannot be read: {problem.strerror or problem}") from problem
    except RasputitsaError as problem:
        raise _damaged(str(problem)) from problem


def _damaged(why: str) -> ApiError:
    return ApiError(500, DAMAGED, why)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:  # thrown away meanwhile
        return 0


@contextmanager
def _file_errors() -> Iterator[None]:
    """What goes wrong with letters and their files, as answers."""
    try:
        yield
    except MailError as problem:
        raise conflict("letter", str(problem)) from problem
    except OSError as problem:
        status, code = (507, "disk_full") if problem.errno in _FULL else (503, "store")
        raise ApiError(status, code, f"nothing could be written: {problem.strerror or problem}") from problem
    except RasputitsaError as problem:
        raise ApiError(422, "letter", str(problem)) from problem
