"""The table of threats names tests that exist, and the client writes no markup but its own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "security.md"
KINDS = set("STRIDE")
NAMED = re.compile(r"`([a-z0-9_/]+/test_[a-z0-9_]+\.py)::(test_[a-z0-9_]+)`")
MARKUP = re.compile(r"@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|new Function|\beval\(")


def rows() -> list[list[str]]:
    """The rows of the threat tables: kind, asset, threat, defence, tests."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.read_text().splitlines()]
    return [row for row in cells if len(row) == 5 and row[0] not in ("kind", "---")]


def test_every_threat_has_its_kind_its_defence_and_a_test() -> None:
    assert len(rows()) > 30
    for kind, asset, threat, defence, tests in rows():
        assert kind in KINDS, kind
        assert asset and threat and defence
        assert NAMED.fullmatch(tests.split(", ")[0]), tests
    assert {kind for kind, *_ in rows()} == KINDS


def test_every_test_named_exists() -> None:
    named = NAMED.findall(TABLE.read_text())
    assert len(named) == TABLE.read_text().count("::")
    missing = [f"{path}::{name}" for path, name in named if name not in functions(ROOT / "tests" / path)]
    assert not missing


def functions(path: Path) -> set[str]:
    """The tests of a file; those inside classes too."""
    if not path.is_file():
        return set()
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def test_the_client_writes_no_markup_of_others() -> None:
    """One place draws the NATO symbols of our own data files; everything else is written as text."""
    found = {
        path.relative_to(ROOT).as_posix(): MARKUP.findall(path.read_text())
        for path in (ROOT / "web").rglob("*")
        if path.suffix in (".svelte", ".ts", ".html") and "node_modules" not in path.parts and "test" not in path.parts
    }
    assert {path: marks for path, marks in found.items() if marks} == {
        "web/src/lib/counters/SymbolDefs.svelte": ["@html"]
    }


def test_the_page_has_no_scripts_or_handlers_in_it() -> None:
    page = (ROOT / "web" / "index.html").read_text()
    assert not re.search(r"\son[a-z]+=", page)
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.S) == [""]
