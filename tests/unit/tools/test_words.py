"""Documents are plain: phrases that send a reader back to the beginning of the sentence stay out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PHRASES = re.compile(
    r"\bin (?:its|the|their|your) minds?\b|\banew\b|\bhangs? (?:up)?on\b|\bas it was seen\b|\bso many\b"
    r"|\benemy\b[^.;|]{0,60}\b(?:he|his|him|himself)\b",
    re.IGNORECASE,
)
PROGRAMS = [
    *sorted((ROOT / "src" / "rasputitsa").rglob("*.py")),
    *(path for folder in ("tools", "bench", "examples") for path in sorted((ROOT / folder).glob("*.py"))),
]
DATA = sorted(
    path
    for folder in ("lessons", "scenarios")
    for path in (ROOT / "src" / "rasputitsa").glob(f"*/data/{folder}/*.toml")
)
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
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


@pytest.mark.parametrize("text", ["It plays in its mind.", "built anew", "the enemy, and he waits"])
def test_what_is_not_plain_is_found(text: str) -> None:
    assert PHRASES.search(text)
