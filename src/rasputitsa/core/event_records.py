"""Events as records: the paragraph behind each kind, and the names and kinds of what it says.

A chapter that notes events declares them beside ``DESCRIBE``, in the order of their arguments::

    RECORDS = {"captured": record("XV.A", side="side", hex="hex")}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages
from typing import Any, NamedTuple

from rasputitsa.core.keeping import cached

Encode = Callable[[Any, Any], Any]
"""Makes the JSON value of an argument, in a position."""

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_INTEGER: Mapping[str, Any] = {"type": "integer"}
_NUMBER: Mapping[str, Any] = {"type": "number"}

KINDS: Mapping[str, Mapping[str, Any]] = {
    "unit": _TEXT, "units": _TEXTS, "hex": _TEXT, "hexes": _TEXTS, "place": _TEXT, "side": _TEXT,
    "unit_type": _TEXT, "works": _TEXT, "segment": _TEXT, "manner": _TEXT, "text": _TEXT, "texts": _TEXTS,
    "flag": {"type": "boolean"}, "number": _INTEGER, "tenths": _NUMBER, "thousandths": _NUMBER,
}  # fmt: skip
"""What an argument may be, and the JSON schema of its value; tenths and thousandths become fractions."""


class Record(NamedTuple):
    """What events of a kind say."""

    rule: str
    """The paragraph behind it; empty if there is none, as for the goal of a lesson."""
    fields: tuple[tuple[str, str], ...]
    """Name and kind of each argument."""


def record(rule: str, **fields: str) -> Record:
    """The record of a kind of event; ``fields`` name its arguments in their order, and tell their kinds."""
    unknown = set(fields.values()) - set(KINDS)
    if unknown:
        raise ValueError(f"no kind of value: {', '.join(sorted(unknown))}")
    return Record(rule, tuple(fields.items()))


@cached
def records_of(*packages: str) -> Mapping[str, Record]:
    """The record of each kind of event, from the ``RECORDS`` of all modules below some packages."""
    found: dict[str, Record] = {}
    for chapter in chain.from_iterable(walk_packages(import_module(p).__path__, f"{p}.") for p in packages):
        own: Mapping[str, Record] = getattr(import_module(chapter.name), "RECORDS", {})
        twice = [kind for kind in own if found.get(kind, own[kind]) != own[kind]]
        if twice:
            raise RuntimeError(f"two chapters declare {', '.join(sorted(twice))}")
        found.update(own)
    return found


PLAIN: Mapping[str, Encode] = {
    "text": lambda s, value: str(value),
    "texts": lambda s, value: [str(item) for item in value],
    "flag": lambda s, value: bool(value),
    "number": lambda s, value: int(value),
    "tenths": lambda s, value: value / 10,
    "thousandths": lambda s, value: value / 1000,
}
"""Kinds of values that mean the same in every game; each adds how it names units, hexes, places and sides."""


def named(entry: Record, encode: Mapping[str, Encode], s: Any, args: tuple[object, ...]) -> dict[str, Any]:
    """The arguments of an event by name, as JSON values."""
    return {name: encode[kind](s, value) for (name, kind), value in zip(entry.fields, args, strict=True)}


def schema_of(entry: Record) -> dict[str, Any]:
    """The JSON schema of what ``named`` gives."""
    return {
        "type": "object",
        "properties": {name: dict(KINDS[kind]) for name, kind in entry.fields},
        "required": [name for name, _ in entry.fields],
        "additionalProperties": False,
    }
