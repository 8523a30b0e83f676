"""Events in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from rasputitsa import wir as package
from rasputitsa.core.actions import Event

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

Words = Callable[["State", tuple[object, ...]], str]


@cache
def words() -> Mapping[str, Words]:
    """For each kind of event, how to say it; every chapter brings its own."""
    found: dict[str, Words] = {}
    for chapter in iter_modules(package.__path__):
        own: Mapping[str, Words] = getattr(import_module(f"{package.__name__}.{chapter.name}"), "DESCRIBE", {})
        twice = [kind for kind in own if found.get(kind, own[kind]) is not own[kind]]
        if twice:
            raise RuntimeError(f"two chapters describe {', '.join(sorted(twice))}")
        found.update(own)
    return found


def describe(s: State, event: Event) -> str:
    """An event in plain words, units and hexes marked for clients."""
    return words()[event.kind](s, event.args)
