"""The lines of a saved game as they come from outside: parsed, and checked against what a saved game may hold.

What is kept in a database is not looked at here: a match that is there can always be saved and deleted.
"""

from __future__ import annotations

import json
from typing import Any

from rasputitsa.core.errors import SaveError

MOST_LINE = 1_000_000
"""Characters in a line; a stored position, the longest there is, takes a tenth of that."""
MOST_OPTIONS = 100
MOST_SEATS = 16
MOST_NUMBER = 10**9
SHORT, NAME, WORDS = 64, 200, 500
"""The longest identifier, the longest title or name, and the longest order."""


def parsed(text: str) -> list[Any]:
    """The values of the lines, in order; empty lines are passed over.

    Raises:
        SaveError: naming the line that is wrong.
    """
    values = []
    for number, line in enumerate(text.split("\n"), start=1):  # a title may hold what other readers take for line ends
        if not line.strip():
            continue
        if len(line) > MOST_LINE:
            raise SaveError(f"line {number} of the saved game is longer than {MOST_LINE} characters")
        try:
            value = json.loads(line, parse_float=_no_number, parse_constant=_no_number)
            if "\\u" in line:
                json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair cannot be written
        except SaveError as problem:
            raise SaveError(f"line {number} of the saved game: {problem}") from problem
        except UnicodeEncodeError as problem:
            raise SaveError(f"line {number} of the saved game holds half a character") from problem
        except (ValueError, RecursionError) as problem:
            raise SaveError(f"line {number} of the saved game is not JSON") from problem
        values.append(value)
    return values


def _no_number(text: str) -> Any:
    raise SaveError(f"{text[:40]} is no whole number")


def check_header(line: dict[str, Any]) -> None:
    """Refuse a header, right in its types, that holds more than a header may; raises ``SaveError``."""
    for name, most in (
        ("game", SHORT), ("scenario", SHORT), ("start", SHORT), ("data", SHORT), ("rules", SHORT), ("title", NAME),
    ):  # fmt: skip
        _short(line.get(name, ""), name, most)
    _small(line.get("rules_version", 1), "rules_version")
    for name, most_items, most in (("options", MOST_OPTIONS, SHORT), ("controllers", MOST_SEATS, NAME)):
        table = line.get(name, {})
        if len(table) > most_items:
            raise SaveError(f"the header of the saved game has more than {most_items} {name}")
        for key, value in table.items():
            _short(key, name, SHORT)
            _short(value, name, most)


def check_entry(line: Any) -> None:
    """Refuse an entry that holds more than an entry may, or dice that are none; raises ``SaveError``."""
    if not isinstance(line, dict):
        raise SaveError(f"an entry needs seat, action and dice, not {line!r:.120}")
    _short(line.get("seat", ""), "seat", SHORT)
    _short(line.get("action", ""), "action", WORDS)
    _short(line.get("after", ""), "after", SHORT)
    dice = line.get("dice", [])
    if not isinstance(dice, list) or not all(map(_is_draw, dice)):
        raise SaveError(f"dice are a list of streams with numbers, not {dice!r:.120}")


def _is_draw(draw: Any) -> bool:
    if not isinstance(draw, list) or not 2 <= len(draw) <= 3:
        return False
    stream, *numbers = draw
    return (
        isinstance(stream, str)
        and len(stream) <= SHORT
        and all(type(number) is int and 0 <= number <= MOST_NUMBER for number in numbers)
    )


def _short(text: Any, name: str, most: int) -> None:
    if isinstance(text, str) and len(text) > most:
        raise SaveError(f"{name} in the saved game is longer than {most} characters")


def _small(number: Any, name: str) -> None:
    if not isinstance(number, int) or not 0 <= number <= MOST_NUMBER:
        raise SaveError(f"{name} in the saved game is no number from 0 to {MOST_NUMBER}")
