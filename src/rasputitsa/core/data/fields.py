"""Fields of a table that comes from outside, such as a position file; whatever does not fit is named.

``where`` is the path of the table, such as ``groups.12``; every reader raises ``SetupError``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rasputitsa.core.errors import SetupError

MAX_TEXT_LETTERS = 2000
"""The longest text that a field may hold."""


def path(where: str, name: str) -> str:
    """The path of a field."""
    return f"{where}.{name}" if where else name


def known(table: Mapping[str, Any], names: Iterable[str], where: str = "") -> None:
    """Refuse fields that mean nothing."""
    unknown = sorted(repr(name).strip("'\"")[:40] for name in set(table) - set(names))
    if unknown:
        raise SetupError(f"{where or 'a position'} has no field {unknown[0]}; known: {', '.join(sorted(names))}")


def table(holder: Mapping[str, Any], name: str, where: str = "") -> dict[str, Any]:
    """A field that is a table; empty if it is not there."""
    value = holder.get(name, {})
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise SetupError(f"{path(where, name)} is a table, not {value!r:.40}")
    return dict(value)


def items(holder: Mapping[str, Any], name: str, where: str = "") -> list[Any]:
    """A field that is a list; empty if it is not there."""
    value = holder.get(name, [])
    if not isinstance(value, list):
        raise SetupError(f"{path(where, name)} is a list, not {value!r:.40}")
    return value


def text(holder: Mapping[str, Any], name: str, default: str, where: str = "") -> str:
    """A field that is a text."""
    value = holder.get(name, default)
    if not isinstance(value, str):
        raise SetupError(f"{path(where, name)} is a text, not {value!r:.40}")
    if len(value) > MAX_TEXT_LETTERS:
        raise SetupError(f"{path(where, name)} is longer than {MAX_TEXT_LETTERS} characters")
    if not _encodes(value):
        raise SetupError(f"{path(where, name)} is no valid Unicode: {value!r:.40}")
    return value


def texts(holder: Mapping[str, Any], name: str, where: str = "") -> dict[str, str]:
    """A field that is a table of texts."""
    values = table(holder, name, where)
    return {key: text(values, key, "", path(where, name)) for key in values}


def names(holder: Mapping[str, Any], name: str, where: str = "") -> list[str]:
    """A field that is a list of texts."""
    values = items(holder, name, where)
    if not all(isinstance(value, str) for value in values):
        raise SetupError(f"{path(where, name)} is a list of texts, not {values!r:.40}")
    return values


def whole(holder: Mapping[str, Any], name: str, default: int, low: int, high: int, where: str = "") -> int:
    """A field that is a whole number in a range."""
    return number(holder.get(name, default), low, high, path(where, name))


def number(value: object, low: int, high: int, where: str) -> int:
    """A whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SetupError(f"{where} is a whole number from {low} to {high}, not {_shown(value)}")
    return value


def flag(holder: Mapping[str, Any], name: str, default: bool = False, where: str = "") -> bool:
    """A field that is true or false."""
    value = holder.get(name, default)
    if not isinstance(value, bool):
        raise SetupError(f"{path(where, name)} is true or false, not {_shown(value)}")
    return value


def digits(word: str, most: int = 4) -> int | None:
    """The number that a text of few plain digits stands for; None for any other text."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= most else None


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: object) -> str:
    """A value in a message; a number of thousands of digits cannot even be written."""
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number far beyond that"
    return f"{value!r:.40}"
