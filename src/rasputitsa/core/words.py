"""Events in plain words: every chapter of a game brings its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

Words = Callable[[Any, tuple[object, ...]], str]


@cache
def words_of(package: str) -> Mapping[str, Words]:
    """For each kind of event, how to say it, from the ``DESCRIBE`` of the modules of a package."""
    found: dict[str, Words] = {}
    for chapter in iter_modules(import_module(package).__path__):
        own: Mapping[str, Words] = getattr(import_module(f"{package}.{chapter.name}"), "DESCRIBE", {})
        twice = [kind for kind in own if found.get(kind, own[kind]) is not own[kind]]
        if twice:
            raise RuntimeError(f"two chapters describe {', '.join(sorted(twice))}")
        found.update(own)
    return found
