"""Matches by letters in copies of a store: each is a file of its own next to the database, and a row of a backup.

Going back to an older file could have its owner write a letter a second time, which the others would take for cheating.
So a restore brings back what is gone, damaged or further in the backup, and leaves the rest as it is.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.files import MOST_BYTES, FileError, read_bytes
from rasputitsa.mail.book import Book, held
from rasputitsa.server.store import data_folder
from rasputitsa.server.store.commit_mark import sync_folder
from rasputitsa.server.store.errors import DamagedStoreError, StoreError

FOLDER, ENDING = "letters", ".mail"
TABLE = "letters"
"""Of a backup; no store has it."""
_CODE = re.compile(r"[0-9a-f]{12}")
_MADE = "CREATE TABLE letters (code TEXT PRIMARY KEY, content BLOB NOT NULL)"


def is_code(text: str) -> bool:
    """Whether a text can be the code of a match by letters, and so the name of its file."""
    return _CODE.fullmatch(text) is not None


def files(folder: Path) -> list[Path]:
    """The files of matches in a folder of letters, in the order of their codes."""
    return sorted(path for path in folder.glob(f"*{ENDING}") if is_code(path.stem) and path.is_file())


def unknown_files(folder: Path) -> list[Path]:
    """What lies in a folder of letters like the file of a match, and is none: its name is no code, or it is no file."""
    known = set(files(folder))
    return sorted(path for path in folder.glob(f"*{ENDING}") if path not in known)


def put_into(copy: Path, folder: Path) -> None:
    """Add the matches of a folder of letters to the copy of a database. Raises ``StoreError`` and ``OSError``."""
    kept = [(path.stem, content) for path in files(folder) if (content := _content(path))]
    if not kept:
        return
    with contextlib.closing(sqlite3.connect(copy)) as database, database:
        database.execute(_MADE)
        database.executemany("INSERT INTO letters VALUES (?, ?)", kept)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return b""  # thrown away meanwhile
    except FileError as problem:
        raise StoreError(f"no backup was made: {problem}") from problem


def count(database: sqlite3.Connection, path: Path) -> int:
    """How many matches by letters a backup holds; raises ``DamagedStoreError`` for what no backup holds."""
    made = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone()
    if made is None:
        return 0
    if made[0] != _MADE:
        raise _strange(path)
    found = database.execute("SELECT code, typeof(code), typeof(content), length(content) FROM letters").fetchall()
    for code, kind, content, size in found:
        if (kind, content) != ("text", "blob") or not is_code(code) or not 0 < size <= MOST_BYTES:
            raise _strange(path)
    return len(found)


def not_in_place(path: Path) -> DamagedStoreError:
    """What to say of a backup that lies where a store should."""
    return DamagedStoreError(f"{path} is a backup with matches by letters: use `rasputitsa restore FILE`")


def _strange(path: Path) -> DamagedStoreError:
    return DamagedStoreError(f"{path} was made or changed by another program: it holds letters of another form")


def take_out(database: sqlite3.Connection, backup: Path, folder: Path) -> None:
    """Move the matches by letters of the copy of a backup into a new folder. Raises ``StoreError`` and ``OSError``.

    Args:
        database: open on the copy.
        backup: where the copy is from; next to the database of a data folder lies its folder of letters.
    """
    folder.mkdir(mode=data_folder.FOLDER_MODE)
    if count(database, backup):
        for code, content in database.execute("SELECT code, content FROM letters"):
            _write(folder / f"{code}{ENDING}", content)
        database.execute("PRAGMA secure_delete=ON")  # keys are among it
        with database:
            database.execute("DROP TABLE letters")
    elif backup.name == "matches.db":
        for path in files(backup.parent / FOLDER):
            if not path.is_symlink() and (content := _content(path)):  # a link may lead anywhere
                _write(folder / path.name, content)


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, data_folder.FILE_MODE), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def bring_back(restored: Path, folder: Path, aside: Callable[[], Path]) -> tuple[int, int]:
    """Move the files of one folder into another; how many were brought back, and how many are as far there.

    Args:
        aside: makes the folder in which a file is kept that gives way; asked for where there is one.

    Raises:
        OSError: it cannot be written; each match is then as before or as after.
    """
    brought = stayed = 0
    for new in files(restored):
        folder.mkdir(mode=data_folder.FOLDER_MODE, exist_ok=True)
        there = folder / new.name
        with held(there):
            if there.exists() and not _gives_way(there, new):
                stayed += 1
                continue
            if there.exists():
                _keep(there, aside())
            new.replace(there)
            sync_folder(folder)
            brought += 1
    return brought, stayed


def _keep(path: Path, aside: Path) -> None:
    """Give a file a second name, so that it is never without one."""
    folder = aside / FOLDER
    folder.mkdir(mode=data_folder.FOLDER_MODE, exist_ok=True)
    try:
        os.link(path, folder / path.name)
    except OSError:  # a file system without hard links
        shutil.copyfile(path, folder / path.name)
        (folder / path.name).chmod(data_folder.FILE_MODE)
    sync_folder(folder)


def _gives_way(there: Path, new: Path) -> bool:
    """Whether a file that is there is damaged, or the same person's match at an earlier letter."""
    here, kept = _read(there), _read(new)
    if here is None or kept is None:
        return here is None
    return here.correspondent.keys.public == kept.correspondent.keys.public and _letters(here) < _letters(kept)


def _read(path: Path) -> Book | None:
    try:
        return Book.read(path)
    except RasputitsaError:
        return None


def _letters(book: Book) -> int:
    return len(book.correspondent.match.letters)
