"""Marks in texts, by which a client makes units and hexes clickable: ``{unit:39Pz}``, ``{hex:N6}``."""

from __future__ import annotations

import re

MARK = re.compile(r"\{(?:unit|hex):([^{}]+)\}")


def plain(text: str) -> str:
    """The words without the marks.

    Examples:
        >>> plain("{unit:39Pz} enters {hex:N6}")
        '39Pz enters N6'
    """
    return MARK.sub(r"\1", text)
