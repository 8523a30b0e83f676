"""Events in plain words."""

from __future__ import annotations

from rasputitsa.core.actions import Event
from rasputitsa.core.words import words_of
from rasputitsa.wir.state import State

_PACKAGE = __name__.rpartition(".")[0]


def describe(s: State, event: Event) -> str:
    """An event in plain words, units and hexes marked for clients."""
    return words_of(_PACKAGE)[event.kind](s, event.args)
