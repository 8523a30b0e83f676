"""Positions as plain JSON values and back. Whatever comes back is checked: a text decides nothing but values.

A *kind* says how one value is written and which values are allowed. The kinds of all fields of a state make a
``Layout``. Classes that may appear are listed by short names; nothing is imported, called or looked up by a name
from the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol

from rasputitsa.core.actions import Outcome
from rasputitsa.core.errors import SaveError

FORMAT = 1
"""Of the layouts of both games; a change of a field raises it and says how an older one is read."""

HEX_DIGITS = re.compile(r"[0-9a-f]+")
MAX_TEXT_LETTERS = 4000


class Kind(Protocol):
    """How a value is written."""

    def freeze(self, value: Any) -> Any:
        """The value as JSON has it."""
        ...

    def thaw(self, raw: Any) -> Any:
        """The value again; raises ``SaveError`` for one that is not allowed."""
        ...


class Whole:
    """A whole number within bounds."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def freeze(self, value: int) -> int:
        """The number itself."""
        return value

    def thaw(self, raw: Any) -> int:
        """The number; raises ``SaveError`` for anything else and beyond the bounds."""
        if type(raw) is not int or not self.low <= raw <= self.high:
            raise SaveError(f"{raw!r:.40} is no number from {self.low} to {self.high}")
        return raw


class Flag:
    """Yes or no."""

    def freeze(self, value: bool) -> bool:
        """True or false, as it is."""
        return value

    def thaw(self, raw: Any) -> bool:
        """True or false; raises ``SaveError`` for anything else, 0 and 1 included."""
        if type(raw) is not bool:
            raise SaveError(f"{raw!r:.40} is not true or false")
        return raw


class Word:
    """One of a few words."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)

    def freeze(self, value: str) -> str:
        """The word itself."""
        return value

    def thaw(self, raw: Any) -> str:
        """The word; raises ``SaveError`` for one that is not among those known."""
        if type(raw) is not str or raw not in self.words:
            raise SaveError(f"{raw!r:.40} is not known here")
        return raw


class Text:
    """Any text of reasonable length."""

    def freeze(self, value: str) -> str:
        """The text itself."""
        return value

    def thaw(self, raw: Any) -> str:
        """The text; raises ``SaveError`` for more than ``MAX_TEXT_LETTERS`` of them, or any that cannot be printed."""
        if type(raw) is not str or len(raw) > MAX_TEXT_LETTERS or not raw.isprintable():
            raise SaveError("a text is too long, or none")
        return raw


class Bits:
    """A set of hexes, units or the like, as hexadecimal digits."""

    def __init__(self, size: int) -> None:
        self.size = size

    def freeze(self, value: int) -> str:
        """The bits as hexadecimal digits, the lowest last."""
        return f"{value:x}"

    def thaw(self, raw: Any) -> int:
        """The bits; raises ``SaveError`` for other digits, and for a bit beyond the size."""
        if type(raw) is not str or len(raw) > self.size // 4 + 1 or not HEX_DIGITS.fullmatch(raw):
            raise SaveError(f"{raw!r:.40} is no set of {self.size}")
        value = int(raw, 16)
        if value >> self.size:
            raise SaveError(f"{raw!r:.40} is more than a set of {self.size}")
        return value


class Bytes:
    """A given count of small numbers, two hexadecimal digits each."""

    def __init__(self, length: int, high: int = 255) -> None:
        self.length, self.high = length, high

    def freeze(self, value: bytearray) -> str:
        """Two hexadecimal digits for each number."""
        return value.hex()

    def thaw(self, raw: Any) -> bytearray:
        """The numbers; raises ``SaveError`` for another count, and for one above the bound."""
        if type(raw) is not str or len(raw) != 2 * self.length or not HEX_DIGITS.fullmatch(raw):
            raise SaveError(f"not {self.length} small numbers")
        value = bytearray.fromhex(raw)
        if max(value) > self.high:
            raise SaveError(f"a number above {self.high}")
        return value


class Numbers:
    """A list of a given count of whole numbers within bounds."""

    def __init__(self, low: int, high: int, length: int) -> None:
        self.low, self.high, self.length = low, high, length

    def freeze(self, value: list[int]) -> list[int]:
        """A copy of the list."""
        return value[:]

    def thaw(self, raw: Any) -> list[int]:
        """A list of its own; raises ``SaveError`` for another count, and for a number beyond the bounds."""
        return checked_numbers(raw, self.low, self.high, self.length, self.length)


class Series:
    """A tuple of whole numbers within bounds, with a least and a most count."""

    def __init__(self, low: int, high: int, most: int, least: int = 0) -> None:
        self.low, self.high, self.most, self.least = low, high, most, least

    def freeze(self, value: tuple[int, ...]) -> list[int]:
        """The numbers as a list, since JSON has no tuples."""
        return list(value)

    def thaw(self, raw: Any) -> tuple[int, ...]:
        """The tuple; raises ``SaveError`` for too few or too many numbers, and for one beyond the bounds."""
        return tuple(checked_numbers(raw, self.low, self.high, self.least, self.most))


class Many:
    """A tuple of values of one kind, of at most a given count, or a list of exactly that count."""

    def __init__(self, kind: Kind, most: int, *, exactly: bool = False) -> None:
        self.kind, self.most, self.exactly = kind, most, exactly

    def freeze(self, value: Sequence[Any]) -> list[Any]:
        """A list of the values as their kind writes them."""
        return [self.kind.freeze(item) for item in value]

    def thaw(self, raw: Any) -> Any:
        """The tuple, or the list of an exact count; raises ``SaveError`` for another count or a value not allowed."""
        if type(raw) is not list or len(raw) > self.most or (self.exactly and len(raw) != self.most):
            raise SaveError(f"not a list of {'' if self.exactly else 'at most '}{self.most}")
        found = [self.kind.thaw(item) for item in raw]
        return found if self.exactly else tuple(found)


class Sparse:
    """Tuples of numbers, a given count; only those that hold something are written, after their place."""

    def __init__(self, low: int, high: int, length: int) -> None:
        self.low, self.high, self.length = low, high, length

    def freeze(self, value: list[tuple[int, ...]]) -> list[list[int]]:
        """A list for each tuple that is not empty: its place from 0, then its numbers."""
        return [[place, *row] for place, row in enumerate(value) if row]

    def thaw(self, raw: Any) -> list[tuple[int, ...]]:
        """As many tuples as the count says; raises ``SaveError`` for a place or number beyond the bounds."""
        if type(raw) is not list or len(raw) > self.length:
            raise SaveError(f"not a list of at most {self.length}")
        found: list[tuple[int, ...]] = [()] * self.length
        for line in raw:
            if type(line) is not list or len(line) < 2 or type(line[0]) is not int or not 0 <= line[0] < self.length:
                raise SaveError(f"{line!r:.40} does not begin with a place")
            found[line[0]] = tuple(checked_numbers(line[1:], self.low, self.high, 1, len(line)))
        return found


class Maybe:
    """A value or nothing."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def freeze(self, value: Any) -> Any:
        """None, or the value as its kind writes it."""
        return None if value is None else self.kind.freeze(value)

    def thaw(self, raw: Any) -> Any:
        """None or the value; raises ``SaveError`` for one that its kind does not allow."""
        return None if raw is None else self.kind.thaw(raw)


class Record:
    """An object of one class: its fields in order."""

    def __init__(self, make: Callable[..., Any], **fields: Kind) -> None:
        self.make, self.fields = make, fields
        self._kinds = tuple(fields.items())

    def freeze(self, value: Any) -> list[Any]:
        """The fields in their order, without their names."""
        return [kind.freeze(getattr(value, name)) for name, kind in self._kinds]

    def thaw(self, raw: Any) -> Any:
        """A new object; raises ``SaveError`` for another count of fields, and for a value not allowed."""
        if type(raw) is not list or len(raw) != len(self._kinds):
            raise SaveError(f"{raw!r:.40} does not have {len(self._kinds)} fields")
        return self.make(*[kind.thaw(item) for (_, kind), item in zip(self._kinds, raw, strict=True)])


class OneOf:
    """An object of one of the listed classes, after the name of its class."""

    def __init__(self, *records: Record) -> None:
        self.records = {_name(record.make): record for record in records}

    def freeze(self, value: Any) -> list[Any]:
        """The name of the class, then the fields; raises ``KeyError`` for an object of a class not listed."""
        name = _name(type(value))
        return [name, *self.records[name].freeze(value)]

    def thaw(self, raw: Any) -> Any:
        """A new object; raises ``SaveError`` for a class not listed, and for fields not allowed."""
        if type(raw) is not list or not raw or type(raw[0]) is not str or raw[0] not in self.records:
            raise SaveError(f"{raw!r:.40} is of no known class")
        return self.records[raw[0]].thaw(raw[1:])


def _name(make: Callable[..., Any]) -> str:
    """The name under which objects of a class are written."""
    return str(getattr(make, "written_as", "") or make.__name__)


class Layout:
    """The fields of a state that say everything about it, each with its kind.

    Attributes:
        fields: kinds by the names of the fields.
        written_as: names under which fields are written that have been renamed since the first recorded games.
    """

    def __init__(self, fields: Mapping[str, Kind], written_as: Mapping[str, str] = MappingProxyType({})) -> None:
        self.fields = dict(fields)
        self.written_as = {name: written_as.get(name, name) for name in fields}
        self._names = {"format", *self.written_as.values()}

    def freeze(self, state: Any) -> dict[str, Any]:
        """All fields as JSON values."""
        frozen: dict[str, Any] = {
            self.written_as[name]: kind.freeze(getattr(state, name)) for name, kind in self.fields.items()
        }
        frozen["format"] = FORMAT
        return frozen

    def thaw(self, raw: Any) -> dict[str, Any]:
        """The value of every field; raises ``SaveError`` naming the field that is wrong."""
        if not isinstance(raw, dict) or raw.get("format") != FORMAT:
            raise SaveError("the stored position is of a form that this program does not know")
        if raw.keys() != self._names:
            raise SaveError(f"the stored position has other fields: {sorted(raw.keys() ^ self._names)!r:.80}")
        values = {}
        for name, kind in self.fields.items():
            try:
                values[name] = kind.thaw(raw[self.written_as[name]])
            except SaveError as problem:
                raise SaveError(f"the stored position has a bad value in {name}: {problem}") from problem
        return values


def checked_numbers(raw: Any, low: int, high: int, least: int, most: int) -> list[int]:
    """A list of whole numbers within bounds; raises ``SaveError``."""
    if type(raw) is not list or not least <= len(raw) <= most:
        raise SaveError(f"not a list of {least} to {most} numbers")
    if any(type(number) is not int for number in raw):
        raise SaveError("a value that is no whole number")
    if raw and not low <= min(raw) <= max(raw) <= high:
        raise SaveError(f"a number that is not from {low} to {high}")
    return list(raw)


OUTCOME: Final = Maybe(Record(Outcome, winner=Maybe(Text()), level=Text(), reason=Text(), rule=Text()))
"""How a game has ended, if it has."""


def check_bottom(stack: Sequence[object], sequence: type) -> None:
    """Refuse a stack of questions unless the sequence of play, and nothing else of its kind, lies at the bottom."""
    if not stack or any(isinstance(frame, sequence) != (not n) for n, frame in enumerate(stack)):
        raise SaveError("the stored position has no sequence of play at the bottom of its questions")
