"""Reads a glossary: the terms of a game in a sentence or two, with the paragraph that has the whole of it.

A glossary is Markdown with a fixed shape; lines that continue a text are not indented::

    ### Supply line
    At most seven hexes under one's own control to a city that is joined to a supply source.
    - Also: supply line, supply lines, in supply
    - Rule: XIV.A
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.errors import DataError

FIELDS = ("Also", "Rule")
_FIELD = re.compile(r"- (?P<name>[A-Z][a-z]+): (?P<value>\S.*)")


class Term(NamedTuple):
    """One term of a game."""

    name: str
    also: tuple[str, ...]
    """Other forms under which it is met."""
    rule: str
    """The paragraph of the rules register, such as ``XIV.A``."""
    text: str


def glossary(path: Path) -> list[Term]:
    """All terms of a glossary, in its order.

    Raises:
        DataError: a line that does not have the shape of a glossary, or a form that two terms share; names file and
            line.
    """
    found: list[Term] = []
    seen: set[str] = set()
    for number, block in _blocks(path):
        term = _term(path, number, block)
        for form in (term.name, *term.also):
            if form in seen:
                raise DataError(str(path), number, term.name, f"{form!r} is there twice")
            seen.add(form)
        found.append(term)
    if not found:
        raise DataError(str(path), 1, "file", "there is no term in this glossary")
    return found


def _blocks(path: Path) -> list[tuple[int, list[str]]]:
    """The lines of each term, from its heading on, with the number of the heading."""
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("### "):
            blocks.append((number, [line]))
        elif line.startswith("#") and number > 1:
            raise DataError(str(path), number, "heading", "only '### ' terms are read here")
        elif blocks and line.strip():
            blocks[-1][1].append(line)
    return blocks


def _term(path: Path, number: int, lines: list[str]) -> Term:
    name, text, fields = lines[0].removeprefix("### ").strip(), list[str](), dict[str, str]()
    for line in lines[1:]:
        field = _FIELD.fullmatch(line)
        if field is None and (line.startswith("- ") or fields):
            raise DataError(
                str(path), number, name, f"expected text, then '- Also: ...' and '- Rule: ...', not {line!r}"
            )
        if field is None:
            text.append(line)
        elif field["name"] not in FIELDS or field["name"] in fields:
            raise DataError(str(path), number, name, f"the fields are {' and '.join(FIELDS)}, once each, not {line!r}")
        else:
            fields[field["name"]] = field["value"]
    if not text or "Rule" not in fields:
        raise DataError(str(path), number, name, "a term needs a text and a rule")
    also = tuple(form.strip() for form in fields.get("Also", "").split(",") if form.strip())
    return Term(name, also, fields["Rule"], " ".join(text))
