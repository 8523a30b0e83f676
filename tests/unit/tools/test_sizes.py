"""Files and folders stay small enough to be read."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[3]
LINES = {".py": 500, ".ts": 299, ".svelte": 299}
FILES = 25
LINES_OF_FUNCTION = 60
LONG_FUNCTIONS = {
    "src/rasputitsa/portfolio/model/state.py: State.__init__": "a line for each field of the position, with what it is",
    "src/rasputitsa/wir/model/state.py: State.__init__": "a line for each field of the position, with what it is",
}
"""Those that may be longer, and why."""
GENERATED = {"web/src/lib/api/schema.d.ts", "web/src/lib/api/limits.ts"}
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


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Every function of a module, a method after its class, with the number of its lines."""

    def within(node: ast.AST, holder: str) -> Iterator[tuple[str, int]]:
        for child in ast.iter_child_nodes(node):
            name = f"{holder}.{getattr(child, 'name', '')}".strip(".")
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert child.end_lineno is not None
                yield name, child.end_lineno - child.lineno + 1
            is_named = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            yield from within(child, name if is_named else holder)

    return within(ast.parse(source), "")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def play() -> None:\n    pass\n", [("play", 2)]),
        ("@cached\nasync def play(\n    seat: str\n) -> None: ...\n", [("play", 3)]),
        ("class A:\n    def b(self) -> None:\n        def c() -> None: ...\n", [("A.b", 2), ("A.b.c", 1)]),
        ("if True:\n    def play() -> None: ...\n", [("play", 1)]),
    ],
)
def test_a_function_and_its_lines_would_be_found(source: str, found: list[tuple[str, int]]) -> None:
    assert list(functions(source)) == found


def test_no_function_is_too_long() -> None:
    long = {
        f"{name}: {function}": lines
        for name in files()
        if name.startswith(("src/", "tools/")) and name.endswith(".py")
        for function, lines in functions((ROOT / name).read_text(encoding="utf-8"))
        if lines > LINES_OF_FUNCTION
    }
    assert long.keys() == LONG_FUNCTIONS.keys(), long
