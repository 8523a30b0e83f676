"""Reads a guide: how to play one side of a game, in sections of paragraphs and points.

A guide is Markdown with a fixed shape; only lines that continue a point are indented::

    # War in Russia: the Axis

    What the side is about.

    ## Section

    - A point, with **stress**, `orders` and paragraphs of the rules (6.8).
      It may go on.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rasputitsa.core.errors import DataError

_RULE = re.compile(r"\(((?:[IVX]+|\d+)\.[A-Za-z0-9.]+)\)")


class Section(NamedTuple):
    """A part of a guide under a heading."""

    title: str
    points: tuple[str, ...]


class SideGuide(NamedTuple):
    """How to play a side."""

    title: str
    summary: str
    sections: tuple[Section, ...]

    def rules(self) -> list[str]:
        """The paragraphs that it names in parentheses."""
        return [rule for section in self.sections for point in section.points for rule in _RULE.findall(point)]


def marked(point: str) -> str:
    """A point with its paragraphs marked as in the words of events, such as ``({rule:XIII.C})``."""
    return _RULE.sub(r"({rule:\1})", point)


def side_guide(path: Path) -> SideGuide:
    """The guide in a file.

    Raises:
        DataError: a line that does not have the shape of a guide; names file and line.
    """
    title, summary, sections = "", list[str](), list[tuple[str, list[str]]]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("## "):
            sections.append((line.removeprefix("## ").strip(), []))
        elif line.startswith("# ") and number == 1:
            title = line.removeprefix("# ").strip()
        elif line.startswith("- ") and sections:
            sections[-1][1].append(line.removeprefix("- ").strip())
        elif line.startswith("  ") and sections and sections[-1][1]:
            sections[-1][1][-1] += f" {line.strip()}"
        elif line.strip() and (sections or line.startswith(("#", "-", " "))):
            raise DataError(str(path), number, title, f"expected '## ' sections with '- ' points, not {line!r}")
        elif line.strip():
            summary.append(line.strip())
    if not title or not summary or not sections or not all(points for _, points in sections):
        raise DataError(str(path), 1, title, "a guide needs a title, a summary, and points in every section")
    return SideGuide(title, " ".join(summary), tuple(Section(name, tuple(points)) for name, points in sections))
