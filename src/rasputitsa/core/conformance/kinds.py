"""What the fields of a conformance case hold: a case of somebody else is checked before it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Check = Callable[[Any], bool]

UNTIL = (2, 3)
"""Words after ``until``: phase, side and perhaps turn."""


def wrong_fields(table: Mapping[str, Any]) -> Iterator[str]:
    """The fields of a case that are of the wrong kind, with what is wanted."""
    for path, (check, wanted) in _KINDS.items():
        for name, value in _found(table, path.split("."), ""):
            if not check(value):
                yield f"{name} is {wanted}, not {value!r:.60}"


def _found(value: Any, path: list[str], name: str) -> Iterator[tuple[str, Any]]:
    """The values at a path, of which ``*`` stands for any name; nothing where there is none."""
    if not path:
        yield name, value
    elif isinstance(value, Mapping):
        for key in value if path[0] == "*" else [path[0]] if path[0] in value else []:
            yield from _found(value[key], path[1:], f"{name}.{key}" if name else str(key))


def _is(*kinds: type) -> Check:
    return lambda value: type(value) in kinds


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _either(*checks: Check) -> Check:
    return lambda value: any(check(value) for check in checks)


def _die(value: Any) -> bool:
    if not isinstance(value, list):
        return type(value) is int
    return 2 <= len(value) <= 3 and isinstance(value[0], str) and all(type(number) is int for number in value[1:])


def _order(value: Any) -> bool:
    return isinstance(value, str) and (not value.startswith("until ") or len(value.split()) - 1 in UNTIL)


_text, _whole, _table = _is(str), _is(int), _is(dict)
_texts = _list_of(_text)
_argument = _either(_is(str, int, bool), _texts)

_KINDS: dict[str, tuple[Check, str]] = {
    "rule": (_either(_text, _texts), "a paragraph or a list of them"),
    "title": (_text, "a text"),
    "game": (_text, "the name of a game"),
    "position": (_table, "a table"),
    "play": (_table, "a table"),
    "play.actions": (_list_of(_order), "a list of orders, or of `until PHASE SIDE [TURN]`"),
    "play.dice": (_either(_list_of(_die), _table), "a list of dice, or a table of them"),
    "play.dice.*": (_either(_whole, _list_of(_whole)), "a number, or a list of them"),
    "play.finish": (_is(bool), "true or false"),
    "expect": (_table, "a table"),
    "expect.refused": (_text, "a paragraph"),
    "expect.reason": (_text, "a text"),
    "expect.asks": (_text, "the kind of a question"),
    "expect.seat": (_text, "a seat"),
    "expect.result": (_either(_is(str, int), _list_of(_is(str, int))), "a result or a list of them"),
    "expect.legal": (_texts, "a list of orders"),
    "expect.not_legal": (_texts, "a list of orders"),
    "expect.events": (_texts, "a list of kinds of events"),
    "expect.why": (_table, "a table"),
    "expect.why.*": (_text, "a paragraph"),
    "expect.position": (_table, "a table"),
    "expect.outcome": (_table, "a table"),
    "expect.log": (_table, "a table"),
    "expect.log.*": (_texts, "a list of lines of the log"),
    "expect.observe": (_table, "a table"),
    "expect.observe.*": (_table, "a table"),
    "expect.odds": (_table, "a table"),
    "expect.query": (_table, "a table"),
    "expect.query.*": (_table, "a table"),
    "expect.query.*.seat": (_text, "a seat"),
    "expect.query.*.args": (_table, "a table"),
    "expect.query.*.args.*": (_argument, "a text, a number or a list of texts"),
}
