"""Events in plain words: every chapter of a game brings its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages
from typing import Any

from rasputitsa.core.keeping import cached

Words = Callable[[Any, tuple[object, ...]], str]


@cached
def words_of(*packages: str) -> Mapping[str, Words]:
    """For each kind of event, how to say it, from the ``DESCRIBE`` of all modules below some packages."""
    found: dict[str, Words] = {}
    for chapter in chain.from_iterable(walk_packages(import_module(p).__path__, f"{p}.") for p in packages):
        own: Mapping[str, Words] = getattr(import_module(chapter.name), "DESCRIBE", {})
        twice = [kind for kind in own if found.get(kind, own[kind]) is not own[kind]]
        if twice:
            raise RuntimeError(f"two chapters describe {', '.join(sorted(twice))}")
        found.update(own)
    return found
