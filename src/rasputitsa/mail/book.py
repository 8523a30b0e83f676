"""The file in which a person keeps a match by letters: its secret, all letters, and orders not yet sent.

Anyone who has the file has the secret. It is written whole or not at all, before anything of it is shown or sent.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import as_text, read_bytes, write_bytes
from rasputitsa.mail.correspondent import Correspondent
from rasputitsa.mail.envelope import SIGNATURE
from rasputitsa.mail.errors import MailError
from rasputitsa.mail.keys import Keys
from rasputitsa.mail.match import Checkpoint, MailMatch, SignedLetter, posted

locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # on Windows the comparison before writing has to do
    locks = None

FORMAT, VERSION = "rasputitsa-mail", 1
ONLY_MINE = 0o600
_FIELDS = {"format", "version", "secret", "me", "letters", "sealed", "draft"}
_KEPT = "kept"
"""A field more, which later versions may leave out or not understand."""


class Book:
    """A file with a match, as it was when it was read."""

    def __init__(self, path: Path, correspondent: Correspondent, content: bytes) -> None:
        self.path, self.correspondent = path, correspondent
        self._content = content

    @classmethod
    def begin(cls, path: Path, correspondent: Correspondent) -> Book:
        """A new file, readable by its owner alone; raises ``MailError`` where there is one with anything in it."""
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_MINE))
        except FileExistsError as problem:
            if not _is_empty(path):  # an empty one is what a beginning that was broken off leaves
                raise MailError(f"{path} is there already; a match by letters needs a file of its own") from problem
            path.chmod(ONLY_MINE)
        book = cls(path, correspondent, b"")
        try:
            with held(path):
                book.save()
        except BaseException:
            with suppress(OSError):
                if _is_empty(path):
                    path.unlink()
            raise
        return book

    @classmethod
    def read(cls, path: Path, *, whole: bool = False) -> Book:
        """The match in a file; raises ``MailError``, ``FileError`` and ``OSError``.

        Args:
            whole: carry out all letters again, rather than go on from the position that was kept.
        """
        content = read_bytes(path)
        try:
            return cls(path, _correspondent(as_text(content, path), whole=whole), content)
        except RasputitsaError as problem:
            raise MailError(f"{path} holds no match by letters, or is damaged: {problem}") from problem

    def is_current(self) -> bool:
        """Whether the file is as it was read or written here last; raises ``FileError`` and ``OSError``."""
        return read_bytes(self.path) == self._content

    def save(self) -> None:
        """Write what has come about; raises ``MailError`` if others have written meanwhile, and ``OSError``."""
        if not self.is_current():
            raise MailError(f"{self.path} was changed meanwhile by another program; nothing was done")
        content = _written(self.correspondent).encode()
        write_bytes(self.path, content)
        self._content = content


@contextmanager
def opened(path: Path, *, whole: bool = False) -> Iterator[Book]:
    """The match in a file, which no other program of this kind reads to change it meanwhile."""
    with held(path):
        yield Book.read(path, whole=whole)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Others of this kind wait until one has done with a file, which they read again then."""
    if locks is None or not path.is_file():
        yield
        return
    while True:
        with path.open("rb") as file:
            locks.flock(file, locks.LOCK_EX)
            if _is_still(path, file.fileno()):
                yield
                return


def _is_empty(path: Path) -> bool:
    return path.is_file() and not path.stat().st_size


def _is_still(path: Path, file: int) -> bool:
    """Whether an open file is still the one of that name, and has not been replaced."""
    with suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(file))
    return False


def _written(correspondent: Correspondent) -> str:
    return json.dumps(
        {
            "format": FORMAT, "version": VERSION, "secret": correspondent.keys.secret, "me": correspondent.me,
            "letters": [base64.b64encode(one.signature + one.content).decode() for one in correspondent.match.letters],
            "sealed": {
                str(number): correspondent.match.mine[number]
                for number, one in enumerate(correspondent.match.letters)
                if one.letter.sealed and one.letter.writer == correspondent.me
            },
            "draft": correspondent.draft,
            _KEPT: correspondent.match.kept()._asdict() if correspondent.match.joined else None,
        },
        ensure_ascii=False, indent=0,
    )  # fmt: skip


def _correspondent(text: str, *, whole: bool) -> Correspondent:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise MailError("it is not JSON") from problem
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise MailError("it does not say that it is one")
    if said.get("version") != VERSION:
        raise MailError(f"it is of version {said.get('version')!r:.20}; this program knows {VERSION}")
    kept = None if whole else said.get(_KEPT)
    if said.keys() - {_KEPT} != _FIELDS or not _is_sound(said):
        raise MailError("its fields are not those of such a file")
    letters = [_letter(one) for one in said["letters"]]
    match = MailMatch(letters[0])
    mine = {
        number: tuple(said["sealed"][str(number)])
        for number, one in enumerate(letters)
        if one.letter.writer == said["me"] and str(number) in said["sealed"]
    }
    with suppress(RasputitsaError, KeyError, TypeError, ValueError, AttributeError):  # then from the beginning
        if kept is not None and _are_texts(kept["waiting"]):
            rounds = {int(number): str(name) for number, name in kept["rounds"].items()}
            match.go_on_from(
                Checkpoint(kept["letters"], kept["state"], kept["after"], kept["waiting"], rounds), letters, mine
            )
    for number in range(len(match.letters), len(letters)):
        match.add(letters[number], mine.get(number))
    correspondent = Correspondent(match, said["me"], Keys(said["secret"]))
    if not said["me"] < len(letters) or letters[said["me"]].letter.key != correspondent.keys.public:
        raise MailError("the secret is not that of its letters")
    for order in said["draft"]:
        correspondent.order(order)
    return correspondent


def _is_sound(said: dict[str, Any]) -> bool:
    secret, me, letters, sealed = said["secret"], said["me"], said["letters"], said["sealed"]
    return (
        isinstance(secret, str)
        and len(secret) == 64
        and all(digit in "0123456789abcdef" for digit in secret)
        and type(me) is int
        and me >= 0
        and isinstance(letters, list)
        and bool(letters)
        and isinstance(sealed, dict)
        and all(map(_are_texts, (letters, said["draft"], *sealed.values())))
    )


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _letter(text: str) -> SignedLetter:
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as problem:
        raise MailError("a letter in it cannot be read") from problem
    return posted(raw[:SIGNATURE], raw[SIGNATURE:])
