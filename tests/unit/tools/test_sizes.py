"""Files and folders stay small enough to be read."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[3]
LINES = {".py": 500, ".ts": 299, ".svelte": 299}
FILES = 25
GENERATED = {"web/src/lib/api/schema.d.ts"}
RECORDED = ("tests/corpus/", "tests/fuzz/", "docs/images/")
"""Folders that are kept by number: recorded games, found inputs, pictures."""


def files() -> list[str]:
    """The files of the checkout that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return sorted(name for name in listed.stdout.split("\0") if (ROOT / name).is_file())


def test_no_file_is_too_long() -> None:
    long = {}
    for name in files():
        most = LINES.get(PurePosixPath(name).suffix)
        if most and name not in GENERATED:
            lines = len((ROOT / name).read_text(encoding="utf-8").splitlines())
            if lines > most:
                long[name] = lines
    assert long == {}


def test_no_folder_holds_too_many_files() -> None:
    held = Counter(str(PurePosixPath(name).parent) for name in files() if not name.startswith(RECORDED))
    assert {folder: count for folder, count in held.items() if count > FILES} == {}
