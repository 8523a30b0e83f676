"""What sentences made of parts get wrong: a plural of one, and a verb that does not go with its subject."""

from __future__ import annotations

import re

ONE = re.compile(r"(?<![\w.:/+-])(?:1|[Oo]ne)((?: [a-z-]+){0,2}?) ([a-z]+s)\b")
NUMBERED = re.compile(r"\b(?:[Aa]ttack|die|[Gg]ame-turn|group|[Ii]nstalment|level|unit|[Ww]eek) $")
"""What is called by a number, such as attack 1."""
JOINT = re.compile(r" (?:of|or|to|and)\b")
OTHERS = frozenset(
    {"across", "brings", "corps", "goes", "has", "is", "its", "less", "plus", "sinks", "this", "times", "was"}
)
"""Words with an s at their end that are no plural."""
SEVERAL = re.compile(r"^\{unit:[^{}]+\}(?:(?:, | and )\{unit:[^{}]+\})+ (?!across\b)[a-z]+s\b")
SINGLE = re.compile(r"^\{unit:[^{}]+\} (?!against |exchanged |on )[a-z]+(?<!s)\b")


def plural_of_one(text: str) -> str:
    """The first plural that follows a 1 or "one", such as "1 points"; empty where there is none.

    Examples:
        >>> plural_of_one("it costs 1 infantry points"), plural_of_one("attack 1 finds its hex cleared")
        ('1 infantry points', '')
    """
    for found in ONE.finditer(text):
        called = NUMBERED.search(text[: found.start()])
        if not called and not JOINT.match(found[1]) and found[2] not in OTHERS:
            return found[0]
    return ""


def mismatched(text: str) -> str:
    """The beginning of a sentence whose verb does not go with the units before it; empty where it does.

    Examples:
        >>> mismatched("{unit:8A} decline the exchange"), mismatched("{unit:8A}, {unit:9A} are Dispersed")
        ('{unit:8A} decline', '')
    """
    found = SEVERAL.search(text) or SINGLE.search(text)
    return found[0] if found else ""
