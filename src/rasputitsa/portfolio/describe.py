"""Events in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from rasputitsa.core.actions import Event

if TYPE_CHECKING:
    from rasputitsa.portfolio.state import State

Words = Callable[["State", tuple[object, ...]], str]
CHAPTERS = (
    "weather", "sequence", "setup", "supply", "strategic", "replacements", "siberia", "movement", "attack",
    "combat", "losses", "retreat", "advance", "victory",
)  # fmt: skip


@cache
def words() -> Mapping[str, Words]:
    """For each kind of event, how to say it; every chapter brings its own."""
    found: dict[str, Words] = {}
    for chapter in CHAPTERS:
        own: Mapping[str, Words] = import_module(f"rasputitsa.portfolio.{chapter}").DESCRIBE
        twice = found.keys() & own.keys()
        if twice:
            raise RuntimeError(f"two chapters describe {', '.join(sorted(twice))}")
        found.update(own)
    return found


def describe(s: State, event: Event) -> str:
    """An event in plain words, units and hexes marked for clients."""
    return words()[event.kind](s, event.args)
