"""The events of the game: their classes, and their fields as JSON values."""

from __future__ import annotations

from collections.abc import Mapping

from rasputitsa.core.events import PLAIN, Encode, Event, EventData, events_of, named
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES

_PACKAGES = ("rasputitsa.core.lessons", "rasputitsa.portfolio.model", "rasputitsa.portfolio.rules")


_NAMES: Mapping[str, Encode] = {
    **PLAIN,
    "unit": lambda s, unit: s.rules.units[unit].id,
    "units": lambda s, units: [s.rules.units[unit].id for unit in units],
    "hex": lambda s, hex_: s.rules.grid.names[hex_],
    "hexes": lambda s, hexes: [s.rules.grid.names[hex_] for hex_ in hexes],
    "side": lambda s, side: SIDES[side],
}


def events() -> Mapping[str, type[Event]]:
    """The class of each kind of event."""
    return events_of(*_PACKAGES)


def event_data(s: State, event: Event) -> EventData:
    """The fields of an event by name, as JSON values."""
    return named(event, _NAMES, s)
