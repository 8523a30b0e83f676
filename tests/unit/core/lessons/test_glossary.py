"""The glossaries of both games, and how one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.errors import DataError
from rasputitsa.core.lessons.glossary import Term, glossary

RULES = Path(__file__).parents[4] / "docs" / "rules"
ONE = "# Terms\n\nWords.\n\n### Hex\nA space of\nthe map.\n- Also: hexes, spaces\n- Rule: III.Hex\n"


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_each_term_names_a_paragraph_there_is(game: str) -> None:
    terms = glossary(RULES / f"{game}-glossary.md")
    known = {paragraph.id for paragraph in paragraphs(RULES / f"{game}.md")}
    assert {term.rule for term in terms} <= known
    assert len(terms) > 40


@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_terms_stand_in_the_order_of_the_alphabet(game: str) -> None:
    names = [term.name.lower() for term in glossary(RULES / f"{game}-glossary.md")]
    assert names == sorted(names)


def test_a_term_is_read(tmp_path: Path) -> None:
    path = tmp_path / "terms.md"
    path.write_text(ONE)
    assert glossary(path) == [Term("Hex", ("hexes", "spaces"), "III.Hex", "A space of the map.")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Terms\n", "no term"), (ONE + "## More\n", "only '### ' terms"), (ONE + "more text\n", "not 'more text'"),
        (ONE + "- Source: x\n", "not '- Source: x'"), (ONE + "- Rule: IV\n", "once each"),
        (ONE + "### Place\nText.\n- Also: hexes\n- Rule: IV\n", "'hexes' is there twice"),
        ("### Hex\nText.\n", "needs a text and a rule"), ("### Hex\n- Rule: IV\n", "needs a text and a rule"),
    ],
)  # fmt: skip
def test_another_shape_is_refused_with_file_and_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "terms.md"
    path.write_text(text)
    with pytest.raises(DataError, match=words) as told:
        glossary(path)
    assert str(path) in str(told.value)
