"""What happened, for logs and replays: a record for each kind of event, declared by the chapter that notes it::

@event("captured", "XV.A", "side", "hex")
class Captured(Event):
    \"\"\"A city has changed hands.\"\"\"

    side: Side
    hex: Hex

    def words(self, s: State) -> str:
        return f"{SIDE_NAMES[self.side]} forces take {{hex:{s.rules.grid.names[self.hex]}}}"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import get_annotations
from itertools import chain
from pkgutil import walk_packages
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform

from rasputitsa.core.caching import cached
from rasputitsa.core.errors import SaveError

EventT = TypeVar("EventT", bound="Event")
EventValue: TypeAlias = "bool | int | float | str | list[str]"
"""What a field of an event is as JSON."""
EventData: TypeAlias = dict[str, EventValue]
"""The fields of an event by name, as JSON values."""
Encode = Callable[[Any, Any], EventValue]
"""Makes the JSON value of a field, in a position."""

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_INTEGER: Mapping[str, Any] = {"type": "integer"}
_NUMBER: Mapping[str, Any] = {"type": "number"}

KINDS: Mapping[str, Mapping[str, Any]] = {
    "unit": _TEXT, "units": _TEXTS, "hex": _TEXT, "hexes": _TEXTS, "place": _TEXT, "side": _TEXT,
    "unit_type": _TEXT, "works": _TEXT, "segment": _TEXT, "manner": _TEXT, "text": _TEXT, "texts": _TEXTS,
    "flag": {"type": "boolean"}, "number": _INTEGER, "tenths": _NUMBER, "thousandths": _NUMBER,
}  # fmt: skip
"""What a field may be, and the JSON schema of its value; tenths and thousandths become fractions."""

OF_THE_CLASS = ("kind", "rule", "values", "also")
"""What belongs to every event of a class, and is no field of one."""


class Event:
    """Something that happened. Equal when it says the same; not to be changed."""

    __slots__ = ()
    kind: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    """The paragraph behind it; empty if there is none, as for the goal of a lesson."""
    values: ClassVar[Mapping[str, str]] = {}
    """For each field, in their order, which of ``KINDS`` it is."""

    also: ClassVar[Mapping[str, str]] = {}
    """The same for what follows from the fields: clients learn it, and no record keeps it."""

    @property
    def args(self) -> tuple[Any, ...]:
        """The values of its fields, in their order."""
        return tuple(getattr(self, name) for name in self.values)

    def words(self, s: Any) -> str:
        """What happened in plain words, units and hexes marked ``{unit:ID}`` and ``{hex:NAME}``."""
        raise TypeError(f"{type(self).__name__} has no words")


@dataclass_transform()
def event(
    kind: str, rule: str, *values: str, also: Mapping[str, str] | None = None
) -> Callable[[type[EventT]], type[EventT]]:
    """Make a kind of event of a class: its annotated attributes are the fields.

    An event is to be treated as frozen; a dataclass that is would only be slower to make.

    Args:
        kind: what logs, saved games and clients call it.
        rule: the paragraph behind it.
        values: for each field which of ``KINDS`` it is.
        also: the same for properties of the class, which clients learn as well.

    Raises:
        ValueError: a kind of value is unknown, or there are more or fewer of them than fields.
    """
    unknown = {*values, *(also or {}).values()} - set(KINDS)
    if unknown:
        raise ValueError(f"{kind}: no kind of value: {', '.join(sorted(unknown))}")

    def declare(cls: type[EventT]) -> type[EventT]:
        # Once compiled, a class annotates all that is assigned in it.
        fields = {name: note for name, note in get_annotations(cls).items() if name not in OF_THE_CLASS}
        if len(fields) != len(values):
            raise ValueError(f"{kind}: {len(fields)} fields, but kinds of {len(values)}")
        cls.__annotations__ = fields
        made = dataclass(slots=True, unsafe_hash=True)(cls)
        made.kind, made.rule, made.values = kind, rule, dict(zip(fields, values, strict=True))
        made.also = also or {}
        return made

    return declare


@cached
def events_of(*packages: str) -> Mapping[str, type[Event]]:
    """The class of each kind of event that the modules of some packages declare."""
    found: dict[str, type[Event]] = {}
    for declared in chain.from_iterable(map(_declared, packages)):
        if found.setdefault(declared.kind, declared) is not declared:
            raise RuntimeError(f"two chapters declare {declared.kind}")
    return found


def _declared(package: str) -> Iterator[type[Event]]:
    for chapter in walk_packages(import_module(package).__path__, f"{package}."):
        for item in vars(import_module(chapter.name)).values():
            if isinstance(item, type) and issubclass(item, Event) and item.kind:
                yield item


def restored(known: Mapping[str, type[Event]], kind: str, args: tuple[Any, ...]) -> Event:
    """An event that was written as its kind and the values of its fields; raises ``SaveError``."""
    made = known.get(kind)
    if made is None or len(args) != len(made.values):
        raise SaveError(f"no event is {kind!r:.40} with {len(args)} values")
    return made(*args)


PLAIN: Mapping[str, Encode] = {
    "text": lambda s, value: str(value),
    "texts": lambda s, value: [str(item) for item in value],
    "flag": lambda s, value: bool(value),
    "number": lambda s, value: int(value),
    "tenths": lambda s, value: value / 10,
    "thousandths": lambda s, value: value / 1000,
}
"""Kinds of values that mean the same in every game; each adds how it names units, hexes, places and sides."""


def named(event: Event, encode: Mapping[str, Encode], s: Any) -> EventData:
    """The fields of an event by name, as JSON values."""
    return {name: encode[kind](s, getattr(event, name)) for name, kind in {**event.values, **event.also}.items()}


def schema_of(event: type[Event]) -> dict[str, Any]:
    """The JSON schema of what ``named`` gives."""
    told = {**event.values, **event.also}
    return {
        "type": "object",
        "properties": {name: dict(KINDS[kind]) for name, kind in told.items()},
        "required": list(told),
        "additionalProperties": False,
    }
