"""Changes a fuzzer makes to JSON: in its structure, where flipping bytes would only break it."""

from __future__ import annotations

import json
import random
from typing import Any

RAW = "\x00raw:"
"""A text that begins so is written without quotes: what JSON writers do not write, and readers may meet."""

NASTY: list[Any] = [
    None, True, False, 0, -1, 1, 7, 255, 256, 2**31, 2**63, 2**64, 2**255, -(2**255) - 1, 10**400, 0.5, -0.0, 1e308,
    f"{RAW}1e400", f"{RAW}-1e400", f"{RAW}NaN", f"{RAW}Infinity", f"{RAW}1E9", f"{RAW}\"\\ud800\"", "", " ", "\n", "\0",
    "\ud800", "\udfff\ud800", "\u2028", "\u2029", "\x85", "\x1c", "\u202e", "²", "١", "a" * 300,
    "a" * 5000, "{0}", "%s",
    "../../../etc/passwd", "/etc/passwd", "<img src=x onerror=alert(1)>", "'; DROP TABLE matches; --", "{unit:39Pz}",
    "bot external:touch /tmp/x", "bot random", "human", "human A", "@control bot random", "@control human", "@",
    "halt", "None", "id", "__class__", "axis", "soviet", "portfolio", "wir", "only", "gone", [], {}, [[]], {"": ""},
    [0], [None], ["a", "b"], {"a": {}}, [1, 2], [[1, 2]], [["combat", 3]], ["combat", 3],
]  # fmt: skip


def mutated(value: Any, chooser: random.Random, others: list[Any]) -> Any:
    """The value with one thing changed somewhere in it."""
    path = _somewhere(value, chooser)
    return _changed(value, path, chooser, others)


def _somewhere(value: Any, chooser: random.Random) -> list[Any]:
    path: list[Any] = []
    while isinstance(value, (dict, list)) and value and chooser.random() < 0.85:
        key = chooser.choice(list(value)) if isinstance(value, dict) else chooser.randrange(len(value))
        path.append(key)
        value = value[key]
    return path


def _changed(value: Any, path: list[Any], chooser: random.Random, others: list[Any]) -> Any:
    if not path:
        return _replaced(value, chooser, others)
    key, rest = path[0], path[1:]
    copy = dict(value) if isinstance(value, dict) else list(value)
    if not rest and chooser.random() < 0.3:
        _rearranged(copy, key, chooser)
    else:
        copy[key] = _changed(value[key], rest, chooser, others)
    return copy


def _rearranged(holder: Any, key: Any, chooser: random.Random) -> None:
    """Take an item out, call it otherwise, or have it twice."""
    item = holder[key] if chooser.random() < 0.5 else holder.pop(key)
    if isinstance(holder, dict):
        if chooser.random() < 0.5:
            names = [*holder, *(text for text in NASTY if isinstance(text, str))]
            holder[chooser.choice(names)] = item
    elif chooser.random() < 0.5:
        holder.insert(chooser.randrange(len(holder) + 1), item)


def _replaced(value: Any, chooser: random.Random, others: list[Any]) -> Any:
    kind = chooser.random()
    if isinstance(value, int) and not isinstance(value, bool) and kind < 0.4:
        return value + chooser.choice([-1, 1, 2, -value * 2, 10, 100, 256])
    if isinstance(value, str) and kind < 0.4 and value:
        at = chooser.randrange(len(value) + 1)
        piece = chooser.choice([str(chooser.choice(NASTY)), value, chooser.choice(" -+:;,.0123456789"), ""])
        return value[:at] + piece + value[at + chooser.randrange(3) :]
    if isinstance(value, list) and value and kind < 0.3:
        return value * 2 if kind < 0.1 else sorted(value, key=lambda _: chooser.random())
    if isinstance(value, dict) and kind < 0.4 and others:
        more = chooser.choice(others)
        return {**value, **more} if isinstance(more, dict) else {**value, str(more)[:20]: chooser.choice(NASTY)}
    return chooser.choice(others if others and kind > 0.7 else NASTY)


def pieces(value: Any) -> list[Any]:
    """Everything in a value, to put somewhere else."""
    found = [value]
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found += pieces(item)
    return found


def written(value: Any) -> str:
    """JSON text, and what is no JSON where a value asks for it."""
    if isinstance(value, str) and value.startswith(RAW):
        return value.removeprefix(RAW)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(key))}:{written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)
