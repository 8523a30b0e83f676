"""Reads a rules register: the rule book of a game, paragraph by paragraph, with code, rulings and sources.

A register is Markdown with a fixed shape::

    ## XIII Attacks and combat
    ### XIII.D.4.b Away from the attacked hex
    What the paragraph says, in one or several sentences.
    - Code: `portfolio/rules/combat/retreat.py`
    - Ruling: what the text leaves open and how it is played; may name `option: october`
    - Sources: both

Chapters may be numbered in Arabic as well: ``## 4 Building`` holds ``4.9``, and ``4.9.Cost`` for a table of it. Lines
that continue a field are indented. Code and Sources are compulsory, Ruling is not.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.errors import DataError

FIELDS = ("Code", "Ruling", "Sources")
_CHAPTER = re.compile(r"## (?P<id>[A-Z]+|\d+) (?P<title>\S.*)")
_PARAGRAPH = re.compile(r"### (?P<id>(?:[A-Z]+|\d+)(?:\.[A-Za-z0-9]+)*) (?P<title>\S.*)")
_FIELD = re.compile(r"- (?P<name>[A-Z][a-z]+):(?: (?P<value>.*))?")
_OPTION = re.compile(r"`option: ([a-z_0-9]+)`")
_QUOTED = re.compile(r"`([^`]+)`")


class Paragraph(NamedTuple):
    """One paragraph of a rule book."""

    id: str
    """Such as ``XIII.D.4.b``."""
    chapter: str
    """Number and title of its chapter, such as ``XIII Attacks and combat``."""
    title: str
    text: str
    """What it says; Markdown."""
    ruling: str
    """How an open point is played and why; empty when the text is clear."""
    options: tuple[str, ...]
    """Game options the ruling names."""
    code: tuple[str, ...]
    """Source files that hold it, relative to the package."""
    sources: str
    """Which copies of the rules print it, and how they differ."""


def paragraphs(path: Path) -> list[Paragraph]:
    """All paragraphs of a register, in its order.

    Raises:
        DataError: a line that does not have the shape of a register; names file and line.
    """
    return _Reader(path).read()


class _Reader:
    """Walks through the lines once; what is being read is kept until the next heading closes it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[Paragraph] = []
        self.seen: set[str] = set()
        self.chapter = ""
        self.heading: re.Match[str] | None = None
        self.heading_line = 0
        self.text: list[str] = []
        self.fields: dict[str, list[str]] = {}
        self.field = ""

    def read(self) -> list[Paragraph]:
        """All paragraphs of the file; raises ``DataError`` with file and line for what is no register."""
        for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#"):
                self._close()
                self._head(number, line)
            elif self.heading is not None:
                self._body(number, line)
        self._close()
        if not self.found:
            raise self._error(1, "file", "there is no paragraph in this register")
        return self.found

    def _head(self, number: int, line: str) -> None:
        if line.startswith("### "):
            self.heading = _PARAGRAPH.fullmatch(line)
            self.heading_line = number
            if self.heading is None:
                raise self._error(number, "heading", "write '### ID Title', such as '### XIII.D.4.b Away'")
            self._check_id(number, self.heading["id"])
        elif line.startswith("## "):
            chapter = _CHAPTER.fullmatch(line)
            if chapter is None:
                raise self._error(number, "chapter", "write '## NUMBER Title', such as '## XIII Attacks'")
            self.chapter = line.removeprefix("## ")
        elif number != 1:
            raise self._error(number, "heading", "only '## ' chapters and '### ' paragraphs are read here")

    def _check_id(self, number: int, name: str) -> None:
        if not self.chapter:
            raise self._error(number, name, "the paragraph stands before the first chapter")
        chapter = self.chapter.split()[0]
        if name.split(".")[0] != chapter:
            raise self._error(number, name, f"the paragraph stands in chapter {chapter}")
        if name in self.seen:
            raise self._error(number, name, "the paragraph is there twice")
        self.seen.add(name)

    def _body(self, number: int, line: str) -> None:
        assert self.heading is not None
        field = _FIELD.fullmatch(line)
        if field is not None:
            self._start_field(number, field["name"], field["value"] or "")
        elif not self.fields:
            self.text.append(line)
        elif line.startswith("  ") and line.strip():
            self.fields[self.field].append(line.strip())
        elif line.strip():
            raise self._error(number, self.heading["id"], "indent the line, or move it before the fields")

    def _start_field(self, number: int, name: str, value: str) -> None:
        assert self.heading is not None
        if name not in FIELDS:
            raise self._error(number, self.heading["id"], f"the fields are {', '.join(FIELDS)}, not {name}")
        if name in self.fields:
            raise self._error(number, self.heading["id"], f"{name} is there twice")
        self.field = name
        self.fields[name] = [value.strip()]

    def _close(self) -> None:
        if self.heading is None:
            return
        name, title = self.heading["id"], self.heading["title"].strip()
        text = "\n".join(self.text).strip()
        if not text:
            raise self._error(self.heading_line, name, "the paragraph says nothing")
        values = {field: " ".join(lines).strip() for field, lines in self.fields.items()}
        for field in ("Code", "Sources"):
            if not values.get(field):
                raise self._error(self.heading_line, name, f"{field} is missing")
        if values.get("Ruling") == "":
            raise self._error(self.heading_line, name, "the ruling is empty; leave the field out instead")
        code = tuple(_QUOTED.findall(values["Code"]))
        if not code:
            raise self._error(self.heading_line, name, "Code names no file; write `folder/module.py`")
        ruling = values.get("Ruling", "")
        options = tuple(dict.fromkeys(_OPTION.findall(ruling)))
        self.found.append(Paragraph(name, self.chapter, title, text, ruling, options, code, values["Sources"]))
        self.heading, self.text, self.fields, self.field = None, [], {}, ""

    def _error(self, number: int, field: str, message: str) -> DataError:
        return DataError(str(self.path), number, field, message)
