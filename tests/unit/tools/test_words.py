"""Documents are plain: phrases that send a reader back to the beginning of the sentence stay out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PHRASES = re.compile(
    r"\bin (?:its|the|their|your) minds?\b|\banew\b|\bhangs? (?:up)?on\b|\bas it was seen\b|\bso many\b"
    r"|(?:\b|_)(?:he|his|him|himself)(?:\b|_)|\b(?:is|are|was|were) told off\b|\bfor ever\b|\blest\b"
    r"|\b(?:a|is|more|stays|too) weary\b|\bstrays\b"
    r"|\b(?:seeds?|salts?|weakness|faults?|differences|fields) (?:is|are|was|were) told\b",
    re.IGNORECASE,
)
"""A player or an enemy is no "he"; what is shown, reported or published is not "told"; and no words of another age."""
HISTORY = re.compile(r"docs/history\.md$|data/history/[^/]*\.toml$")
"""Here persons are told of, by name."""
ITSELF = Path(__file__).resolve()
SOURCES = {
    "src/rasputitsa": ("*.py",),
    "web": ("*.ts", "*.svelte", "*.html"),
    "tests": ("*.py", "*.toml"),
} | dict.fromkeys(("tools", "bench", "examples"), ("*.py",))
NOT_OURS = re.compile(r"/node_modules/|/server/static/|/data/|/api/schema\.d\.ts$|/tests/(?:corpus|fuzz)/")
PROGRAMS = sorted(
    path
    for folder, kinds in SOURCES.items()
    for kind in kinds
    for path in (ROOT / folder).rglob(kind)
    if path != ITSELF and not NOT_OURS.search(path.as_posix())
)
DATA = sorted(
    path
    for folder in ("lessons", "scenarios")
    for path in (ROOT / "src" / "rasputitsa").glob(f"*/data/{folder}/*.toml")
)
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "web" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


@pytest.mark.parametrize("path", [p for p in DOCUMENTS if not HISTORY.search(p.as_posix())], ids=lambda path: path.name)
def test_documents_are_plain(path: Path) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert [match[0] for match in PHRASES.finditer(" ".join(text.split()))] == []


def test_docstrings_comments_and_words_of_the_program_are_plain() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in PROGRAMS
        for line in path.read_text(encoding="utf-8").splitlines()
        for match in PHRASES.finditer(line)
    ]
    assert found == []


@pytest.mark.parametrize("path", DATA, ids=lambda path: f"{path.parents[2].name} {path.stem}")
def test_lessons_and_scenarios_are_plain(path: Path) -> None:
    assert [match[0] for match in PHRASES.finditer(" ".join(path.read_text(encoding="utf-8").split()))] == []


@pytest.mark.parametrize(
    "text",
    [
        "It plays in its mind.",
        "built anew",
        "the enemy, and he waits",
        "a player may eliminate his own units",
        "def test_each_stands_for_himself() -> None:",
        "the seed is told",
        "a group more weary than this",
    ],
)
def test_what_is_not_plain_is_found(text: str) -> None:
    assert PHRASES.search(text)
