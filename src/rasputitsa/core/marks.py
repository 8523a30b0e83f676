"""Marks in texts, by which a client makes units and hexes clickable: ``{unit:39Pz}``, ``{hex:N6}``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MARK = re.compile(r"\{(?:unit|hex):([^{}]+)\}")


def plain(text: str) -> str:
    """The words without the marks.

    Examples:
        >>> plain("{unit:39Pz} enters {hex:N6}")
        '39Pz enters N6'
    """
    return MARK.sub(r"\1", text)


NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
TIMES: Final[dict[int, str]] = {1: "once", 2: "twice"}


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "one hex", "two hexes", "13 units"; small numbers in words."""
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{word} {one if number == 1 else many or f'{one}s'}"


def times(number: int) -> str:
    """How often, or how much of something: "once", "twice", "three times", "13 times"."""
    if number in TIMES:
        return TIMES[number]
    return f"{NUMBERS[number] if 0 <= number < len(NUMBERS) else number} times"


def figured(number: int, one: str, many: str = "") -> str:
    """A number of things in figures, for amounts: "1 point", "12 points"."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Words as an enumeration.

    Examples:
        >>> listed(["Helsinki", "Bucharest", "Warsaw"], "or")
        'Helsinki, Bucharest or Warsaw'
    """
    *all_but_last, last = [*words] or ["no"]
    return f"{', '.join(all_but_last)} {joint} {last}" if all_but_last else last
