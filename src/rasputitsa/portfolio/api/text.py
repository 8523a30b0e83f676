"""Events in plain words."""

from __future__ import annotations

from rasputitsa.core.actions import Event
from rasputitsa.core.event_text import words_of
from rasputitsa.portfolio.model.state import State

_PACKAGES = ("rasputitsa.portfolio.model", "rasputitsa.portfolio.rules")


def describe(s: State, event: Event) -> str:
    """An event in plain words, units and hexes marked for clients."""
    return words_of(*_PACKAGES)[event.kind](s, event.args)
