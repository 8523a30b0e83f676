"""The folder and the files of a store: what is known before SQLite opens anything."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rasputitsa.server.store.commit_mark import sync_folder
from rasputitsa.server.store.errors import (
    DamagedStoreError,
    DiskFullError,
    LockedStoreError,
    ReadOnlyStoreError,
    StoreError,
    UnsafeStoreError,
)

log = logging.getLogger(__name__)

FOLDER_MODE = 0o700
FILE_MODE = 0o600
"""Seat keys lie here: nobody but the owner of the server has any business with them."""

_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "9p", "davfs", "fuse.sshfs", "fuse.rclone")
_MOUNTS = Path("/proc/self/mountinfo")
_PROBE_BYTES = 64 * 1024
"""About what a first change writes."""

_LEFT_SECONDS = 3600
_PREFIXES = (".new-", ".restoring-", ".rehearsal-", ".before-")
_HELD = "held.db"


def prepare_folder(folder: Path, *, begun: bool = False) -> None:
    """Make the folder where it is missing and see that a change can be written there; raises ``StoreError``.

    Where a store was ``begun`` a full disk is no reason to stop: what is there can be looked at, saved and deleted.
    """
    try:
        _make(folder)
        _refuse_network(folder)
        try:
            _probe(folder)
        except OSError as problem:
            if not begun or problem.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            log.warning("there is no room left on the disk of %s: nothing new can be kept", folder)
    except OSError as problem:
        raise in_words(problem, folder) from problem
    if os.name != "nt" and folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        log.warning("other users of this machine can write to the data folder %s; consider chmod 700", folder)


def check_file(path: Path) -> bool:
    """Whether the database file is there; raises ``StoreError`` where it can be nothing of ours."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as problem:
        raise in_words(problem, path) from problem
    if stat.S_ISLNK(found.st_mode):
        raise UnsafeStoreError(f"{path} is a symbolic link; name the folder that holds the database itself")
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
        raise DamagedStoreError(f"{path} is {kind}, where a database was expected; move it away")
    if not os.access(path, os.R_OK):
        raise ReadOnlyStoreError(f"no permission to read {path}; it belongs to another user")
    if not os.access(path, os.W_OK):
        raise ReadOnlyStoreError(f"{path} cannot be written: the file or its disk is read-only, or not yours")
    return True


def keep_private(path: Path) -> None:
    """Take the rights of other users away from the files of a database."""
    if os.name == "nt":
        return
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(OSError):  # gone in between, or another user's
            path.with_name(name).chmod(FILE_MODE)


def put_in_place(new: Path, path: Path) -> None:
    """Give a finished database its name; never over another."""
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(f"{path} exists already") from None
        new.rename(path)
    sync_folder(path.parent)


@contextlib.contextmanager
def workplace(folder: Path, prefix: str) -> Iterator[Path]:
    """A folder inside another that is gone at the end; ``sweep`` removes it where the program was killed."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=prefix) as inside, contextlib.closing(_hold(Path(inside))):
        yield Path(inside)


def _hold(inside: Path) -> sqlite3.Connection:
    """A lock that the operating system takes away when the process ends, however it does; raises ``OSError``."""
    try:
        lock = sqlite3.connect(inside / _HELD, timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except BaseException:
            lock.close()
            raise
    except sqlite3.Error as problem:
        full = problem.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
        raise OSError(errno.ENOSPC if full else errno.EAGAIN, str(problem)) from problem
    return lock


def _is_left(inside: Path) -> bool:
    """Whether nobody works there any more."""
    held = inside / _HELD
    if not inside.is_symlink() and not held.is_symlink() and held.is_file():
        try:
            _hold(inside).close()
        except OSError:
            return False
        return True
    return time.time() - inside.lstat().st_mtime > _LEFT_SECONDS


def sweep(folder: Path) -> None:
    """Remove what programs that were killed in the middle of something left; others may be at it just now."""
    for prefix in _PREFIXES:
        for left in folder.glob(f"{prefix}*"):
            with contextlib.suppress(OSError):
                if _is_left(left):
                    shutil.rmtree(left)


def in_words(problem: OSError, path: Path) -> StoreError:
    """What the operating system refused, as an error of ours."""
    reason = problem.strerror or str(problem)
    match problem.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFullError(f"there is no room left on the disk of {path}; nothing was changed")
        case errno.EROFS:
            return ReadOnlyStoreError(f"the disk of {path} is read-only; nothing can be kept there")
        case errno.EACCES | errno.EPERM:
            return ReadOnlyStoreError(f"no permission to write in {path}; choose another folder with --data")
        case errno.ENOTDIR | errno.EEXIST:
            return StoreError(f"cannot make the data folder {path}: a file is in its way")
        case errno.EAGAIN | errno.EBUSY:
            return LockedStoreError(f"{path} is held by another program")
    return StoreError(f"cannot use {path}: {reason}")


def _make(folder: Path) -> None:
    """Like ``mkdir --parents``, and on disk when it returns."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        _make(folder.parent)
    folder.mkdir(mode=FOLDER_MODE)
    sync_folder(folder.parent)


def _refuse_network(folder: Path) -> None:
    kind = file_system(folder)
    if kind in _NETWORK:
        raise UnsafeStoreError(
            f"{folder} is on a network disk ({kind}), where a database can lose what was confirmed. "
            "Choose a data folder on a local disk with --data."
        )


def file_system(folder: Path) -> str:
    """The kind of file system a folder is on, where the system tells; otherwise empty."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    there = folder.resolve()
    best, kind = -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = Path(_unescaped(fields[4]))
        if there.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), after.split(" ")[0]
    return kind


def _unescaped(text: str) -> str:
    """A path as the kernel lists it: blanks and the like are written as octal numbers."""
    for code in ("\\040", "\\011", "\\012", "\\134"):
        text = text.replace(code, chr(int(code[1:], 8)))
    return text


def _probe(folder: Path) -> None:
    """Write something and bring it to disk: rights, free room and a working disk, all in one."""
    with tempfile.TemporaryFile(dir=folder, prefix=".probe-") as file:
        file.write(b"\0" * _PROBE_BYTES)
        file.flush()
        os.fsync(file.fileno())
